/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast completion: prints scripts that make a shell ask `ballast __complete`. The scripts know
 * no command and no flag. They never evaluate typed text or names of a fleet.
 */
#include "cli/options/invocation.h"
#include "complete.h"

/* Bash splits words at '=' and ':', so the script joins them again. COMPREPLY replaces only the
 * part after the last of these. */
static const char bash_script[] =
    "# bash completion for ballast: source it, or keep it as\n"
    "# ${XDG_DATA_HOME:-~/.local/share}/bash-completion/completions/ballast\n"
    "\n"
    "_ballast() {\n"
    "    local rest=${COMP_LINE:0:COMP_POINT} words=() i word=''\n"
    "    for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "        [[ $i -gt 0 && $rest == [[:space:]]* ]] && words+=(\"$word\") word=''\n"
    "        rest=${rest#\"${rest%%[![:space:]]*}\"}\n"
    "        if ((i == COMP_CWORD)); then\n"
    "            word+=$rest\n"
    "        else\n"
    "            word+=${COMP_WORDS[i]}\n"
    "            rest=${rest#\"${COMP_WORDS[i]}\"}\n"
    "        fi\n"
    "    done\n"
    "    words+=(\"$word\")\n"
    "    for i in \"${!words[@]}\"; do\n"
    "        word=${words[i]//[\\\"\\'\\\\]/}\n"
    "        [[ $word == '~/'* ]] && word=$HOME/${word:2}\n"
    "        words[i]=$word\n"
    "    done\n"
    "\n"
    "    local out line directive=1 stem=''\n"
    "    out=$(\"${words[0]}\" __complete \"${words[@]:1}\" 2>/dev/null)\n"
    "    [[ $COMP_WORDBREAKS == *=* && $word == *=* ]] && stem=${word%\"${word##*=}\"}\n"
    "    [[ $COMP_WORDBREAKS == *:* && ${word#\"$stem\"} == *:* ]] && "
    "stem=${word%\"${word##*:}\"}\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        if [[ $line == :+([0-9]) ]]; then\n"
    "            directive=${line:1}\n"
    "        elif [[ -n $line ]]; then\n"
    "            line=${line%%$'\\t'*}\n"
    "            line=${line#\"$stem\"}\n"
    "            [[ $line == *[!a-zA-Z0-9_./,:=@%+-]* ]] && printf -v line %q \"$line\"\n"
    "            COMPREPLY+=(\"$line\")\n"
    "        fi\n"
    "    done <<<\"$out\"\n"
    "\n"
    "    local value=$word\n"
    "    [[ $word == --*=* ]] && value=${word#*=}\n"
    "    case $directive in\n"
    "    0 | 16)\n"
    "        local kind=-f\n"
    "        ((directive == 16)) && kind=-d\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        while IFS= read -r line; do\n"
    "            [[ -n $line ]] && COMPREPLY+=(\"$line\")\n"
    "        done < <(compgen \"$kind\" -- \"$value\")\n"
    "        ;;\n"
    "    *) ((directive & 2)) && compopt -o nospace 2>/dev/null ;;\n"
    "    esac\n"
    "    return 0\n"
    "}\n"
    "\n"
    "complete -F _ballast ballast kubectl-ballast\n";

static const char zsh_script[] =
    "#compdef ballast kubectl-ballast\n"
    "# zsh completion for ballast: keep it as _ballast in a directory of $fpath, or source it "
    "behind\n"
    "# compinit.\n"
    "\n"
    "_ballast() {\n"
    "    local -a lines values shown space\n"
    "    local line directive=1 value\n"
    "    lines=(\"${(@f)$(\"${(Q)words[1]/#\\~\\//$HOME/}\" __complete \\\n"
    "        \"${(@Q)words[2,CURRENT-1]/#\\~\\//$HOME/}\" \"${(Q)PREFIX/#\\~\\//$HOME/}\" "
    "2>/dev/null)}\")\n"
    "    for line in \"${lines[@]}\"; do\n"
    "        if [[ $line == :<-> ]]; then\n"
    "            directive=${line#:}\n"
    "            continue\n"
    "        fi\n"
    "        [[ -n $line ]] || continue\n"
    "        value=${line%%$'\\t'*}\n"
    "        values+=(\"$value\")\n"
    "        if [[ $line == *$'\\t'* ]]; then\n"
    "            shown+=(\"$value  -- ${line#*$'\\t'}\")\n"
    "        else\n"
    "            shown+=(\"$value\")\n"
    "        fi\n"
    "    done\n"
    "    (( directive != 1 && directive & 2 )) && space=(-S '')\n"
    "    if (( directive == 0 || directive == 16 )); then\n"
    "        [[ $PREFIX == --*=* ]] && compset -P '*='\n"
    "        if (( directive == 16 )); then\n"
    "            _files -/\n"
    "        else\n"
    "            _files\n"
    "        fi\n"
    "    elif (( $#values )); then\n"
    "        compadd -l \"${space[@]}\" -d shown -a values\n"
    "    else\n"
    "        return 1\n"
    "    fi\n"
    "}\n"
    "\n"
    "if [[ ${funcstack[1]} == _ballast ]]; then\n"
    "    _ballast \"$@\"\n"
    "else\n"
    "    compdef _ballast ballast kubectl-ballast\n"
    "fi\n";

static const char fish_script[] =
    "# fish completion for ballast: keep it as ~/.config/fish/completions/ballast.fish, or source "
    "it.\n"
    "\n"
    "function __ballast_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l last (commandline -ct)\n"
    "    set -l before ''\n"
    "    set -l lines ($words[1] __complete $words[2..-1] \"$last\" 2>/dev/null)\n"
    "    set -l directive 1\n"
    "    for line in $lines\n"
    "        if string match -qr '^:[0-9]+$' -- $line\n"
    "            set directive (string sub -s 2 -- $line)\n"
    "        else\n"
    "            printf '%s\\n' $line\n"
    "        end\n"
    "    end\n"
    "    if string match -q -- '--*=*' $last\n"
    "        set before (string replace -r '=.*' '=' -- $last)\n"
    "    end\n"
    "    set -l path (string sub -s (math (string length -- \"$before\") + 1) -- \"$last\")\n"
    "    switch $directive\n"
    "        case 0\n"
    "            printf \"$before%s\\n\" (__fish_complete_path \"$path\")\n"
    "        case 16\n"
    "            printf \"$before%s\\n\" (__fish_complete_directories \"$path\")\n"
    "    end\n"
    "end\n"
    "\n"
    "complete -c ballast -e\n"
    "complete -c ballast -f -a '(__ballast_complete)'\n"
    "complete -c kubectl-ballast -f -a '(__ballast_complete)'\n";

enum shell { BASH, ZSH, FISH };

const struct setting_word shell_words[] = {
    {"bash", BASH, "bash 4 or later"},
    {"zsh", ZSH, NULL},
    {"fish", FISH, NULL},
    {NULL, 0, NULL},
};

enum exit_status
command_completion(const struct invocation *invocation)
{
    static const char *const scripts[] = {
        [BASH] = bash_script, [ZSH] = zsh_script, [FISH] = fish_script};
    const struct setting_param param = {.choices = shell_words};
    struct error err = ERROR_INIT;
    enum shell shell = BASH;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli, "completion: for which shell? (bash, zsh or fish)");
    }
    if (!setting_choice(invocation->arena, &param, invocation->arguments[0], &shell, &err)) {
        return cli_refuse(invocation->cli, "completion: %s", err.message);
    }
    fputs(scripts[shell], invocation->cli->out);
    return STATUS_DONE;
}
