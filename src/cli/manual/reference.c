/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the reference pages in Markdown from the tables of commands, flags and configuration
 * keys. A test compares docs/ with them.
 */
#include <string.h>

#include "cli/config/config_key.h"
#include "cli/options/invocation.h"
#include "manual.h"

const struct variable variables[] = {
    {"BALLAST_FLEET",
     "Files to read the fleet from, unless `--fleet`, `--context` or `--kubeconfig` is given."},
    {"BALLAST_PAGER",
     "The command that shows text on a terminal page by page. Empty or `cat`: no pager. If it is "
     "not set, Ballast takes PAGER, else `less`."},
    {"KUBECONFIG",
     "Kubeconfigs between colons, merged as kubectl merges them, where neither `--kubeconfig` is "
     "given nor a pod's service account is there."},
    {"KUBERNETES_SERVICE_HOST",
     "In a pod, with KUBERNETES_SERVICE_PORT: the API server to go to with its service account."},
    {"HOME", "Where .kube/config is, if nothing else says how the control plane is reached."},
    {"NO_COLOR",
     "If it is set and not empty, there are no colours unless `--color` asks for them."},
    {"TERM", "With `dumb` there are no colours and no line of progress."},
    {"COLUMNS", "The width of a terminal that does not tell it itself."},
    {NULL, NULL},
};

static void
print_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
}

static void
print_row(FILE *out, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "| " : " | ", out);
        print_cell(out, cells[i]);
    }
    fputs(" |\n", out);
}

/* Returns the commands that take the flag: "all", or their names. */
static const char *
takers(struct arena *arena, const struct command *all_commands, const struct option *option)
{
    const char *names = "";
    bool all = true;

    for (const struct command *command = all_commands; command->name != NULL; command++) {
        if ((option->commands & command->bit) != 0) {
            names = arena_printf(arena, "%s%s%s", names, str_is_empty(names) ? "" : ", ",
                                 command->name);
        } else {
            all = all && command->is_hidden;
        }
    }
    return all ? "all" : names;
}

static void
print_option_row(FILE *out, struct arena *arena, const struct command *all,
                 const struct option *option)
{
    char flag[128];
    char letter[16] = "";

    if (option->short_name != '\0') {
        snprintf(letter, sizeof(letter), "`-%c`, ", option->short_name);
    }
    snprintf(flag, sizeof(flag), "%s`--%s%s%s`", letter, option->name,
             option->metavar != NULL ? " " : "", option->metavar != NULL ? option->metavar : "");
    print_row(out,
              (const char *const[]){flag, takers(arena, all, option),
                                    option->default_text != NULL ? option->default_text : "",
                                    option_help(arena, option)},
              4);
}

static void
print_options(FILE *out, const struct command *all)
{
    struct arena *arena = arena_new();

    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        if (option->section != NULL) {
            fprintf(out, "\n### %s\n\n| Flag | Of | Default | Meaning |\n|---|---|---|---|\n",
                    option->section);
        }
        print_option_row(out, arena, all, option);
    }
    arena_free(arena);
}

void
reference_cli(FILE *out, const struct command *all)
{
    fputs("# The command line\n\n"
          "<!-- printed by `ballast help flags` -->\n\n"
          "    ballast COMMAND [flags]\n\n"
          "Results go to standard output, logs and errors to standard error. An error that "
          "ends a\n"
          "command before its report is a line `ballast: TEXT`; a second such line may say what to "
          "do. What\n"
          "happens in a run, and does not end it, is a log line in the format of "
          "`--logging-format`. With\n"
          "`--logging-format=json` errors that end a command are log lines, too, but for those of "
          "the command\n"
          "line and the configuration file.\n\n"
          "## Commands\n\n| Command | What it does |\n|---|---|\n",
          out);
    for (const struct command *command = all; command->name != NULL; command++) {
        char name[96];

        if (command->is_hidden) {
            continue;
        }
        snprintf(name, sizeof(name), "`ballast %s%s%s`", command->name,
                 str_is_empty(command->arguments) ? "" : " ", command->arguments);
        print_row(out, (const char *const[]){name, command->summary}, 2);
    }
    fputs(
        "\n## Flags\n\n"
        "`--flag VALUE` and `--flag=VALUE` are the same. A flag without a value in the table is a "
        "boolean:\n`--flag` sets it, `--flag=false` unsets it. Short flags take their value as "
        "`-o json`, `-ojson` or\n`-o=json`. A list is one flag with commas, or several flags. "
        "Behind\n`--` all are arguments.\n",
        out);
    print_options(out, all);
    fputs("\n## Environment\n\n| Variable | Meaning |\n|---|---|\n", out);
    for (const struct variable *variable = variables; variable->name != NULL; variable++) {
        print_row(out, (const char *const[]){variable->name, variable->help}, 2);
    }
    fputs("\n## Exit status\n\n| Status | Meaning |\n|---|---|\n", out);
#define X(id, value, text) fprintf(out, "| %d | %s |\n", value, text);
    EXIT_STATUSES(X)
#undef X
    fputs("\nIf several hold, the first of 75, 143, 3, 1, 4, 2 counts.\n", out);
}

/* Returns "limits." or "preferences[].clusters.NAME.". */
static const char *
child_prefix(struct arena *arena, const char *prefix, const struct config_key *key)
{
    const char *behind = ".";

    if (strncmp(key->type->text, "list", 4) == 0) {
        behind = "[].";
    } else if (strncmp(key->type->text, "map", 3) == 0) {
        behind = ".NAME.";
    }
    return arena_printf(arena, "%s%s%s", prefix, key->name, behind);
}

static void
print_keys(FILE *out, struct arena *arena, const struct config_key *table, const char *prefix)
{
    for (const struct config_key *key = table; key->name != NULL; key++) {
        print_row(out,
                  (const char *const[]){arena_printf(arena, "`%s%s`", prefix, key->name),
                                        key->type->text,
                                        key->default_text != NULL ? key->default_text : "",
                                        setting_help(arena, &key->param, key->help)},
                  4);
        if (key->table != NULL) {
            print_keys(out, arena, key->table, child_prefix(arena, prefix, key));
        }
    }
}

void
reference_configuration(FILE *out)
{
    struct arena *arena = arena_new();

    fputs("# The configuration file\n\n"
          "<!-- printed by `ballast help configuration` -->\n\n"
          "`--config FILE` names a YAML file. Flags win over it. An unknown key or a bad value is "
          "an error with\nfile, line and column, and exit status 64.\n\n"
          "```yaml\n"
          "apiVersion: " CONFIG_API_VERSION "\n"
          "kind: " CONFIG_KIND "\n"
          "thresholds:\n"
          "  unschedulable: 10m\n"
          "triggers: {Imbalance: true}\n"
          "scope:\n"
          "  excludeNamespaces: [kube-system]\n"
          "limits:\n"
          "  maxReplicasMoved: 25%\n"
          "  perWorkload: {maxReplicasInMotion: 25%}\n"
          "preferences:\n"
          "- name: web near its users\n"
          "  selector: {namespaces: [shop], kinds: [Deployment]}\n"
          "  rebalance: true\n"
          "  clusters:\n"
          "    eu-1: {minReplicas: 3, weight: 2}\n"
          "    \"*\": {maxReplicas: 10, weight: 1}\n"
          "```\n\n"
          "`ballast config check FILE...` says what is wrong with a file. `ballast config schema` "
          "prints the JSON\nSchema (2020-12) of the table below, for editors and for checks where "
          "Ballast is not installed:\n\n"
          "```yaml\n"
          "# yaml-language-server: $schema=/usr/local/share/ballast/config.schema.json\n"
          "```\n\n"
          "`ballast config convert FILE` prints a file of `" CONFIG_OLDER_API_VERSION
          "` in `" CONFIG_API_VERSION
          "`: [how long\nBallast reads the older one](versioning.md).\n\n"
          "Ballast refuses some of what the schema takes, since a schema cannot say it: a second "
          "document in the\nfile, a key given twice, `maxReplicas` below `minReplicas`, `1.0` for "
          "an integer, and numbers and\ndurations beyond 64 bits. The schema refuses a few "
          "spellings of `triggers` in a list that Ballast\ntakes: several in one string, `+Type`, "
          "`none`.\n\n"
          "| Key | Type | Default | Meaning |\n|---|---|---|---|\n",
          out);
    print_keys(out, arena, config_keys, "");
    fputs("\n## Finding types\n\n"
          "Those that trigger make the planner act unless `triggers` says otherwise; the others "
          "are reported.\n\n"
          "| Type | Triggers | Found when |\n|---|---|---|\n",
          out);
    for (int type = 0; type < N_FINDING_TYPES; type++) {
        fprintf(out, "| %s | %s | %s |\n", finding_type_name((enum finding_type)type),
                finding_type_default_trigger((enum finding_type)type) ? "yes" : "no",
                finding_type_summary((enum finding_type)type));
    }
    arena_free(arena);
}
