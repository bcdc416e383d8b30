/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast __complete: lines that are not finished, and what is offered for their last word.
 */
#include <stdlib.h>

#include "check.h"
#include "cli/commands/commands.h"
#include "cli/complete/complete.h"

#define MAX_WORDS 16

static const char *
no_environment(const char *name)
{
    (void)name;
    return NULL;
}

/* Words are parted by '|'; *ret is to be freed. */
static enum exit_status
complete(const char *line, char **ret)
{
    char words[512], program[] = "ballast", name[] = "__complete";
    char *argv[MAX_WORDS + 2] = {program, name};
    int argc = 2;
    size_t out_size = 0, err_size = 0;
    char *complaint = NULL;
    atomic_bool stop = false;
    struct cli cli = {.stop = &stop, .clock = clock_of_system(), .getenv = no_environment};

    snprintf(words, sizeof(words), "%s", line);
    argv[argc++] = words;
    for (char *word = words; (word = strchr(word, '|')) != NULL && argc < MAX_WORDS;) {
        *word++ = '\0';
        argv[argc++] = word;
    }
    cli.out = open_memstream(ret, &out_size);
    cli.err = open_memstream(&complaint, &err_size);
    enum exit_status status = cli_main(&cli, argc, argv);

    fclose(cli.out);
    fclose(cli.err);
    CHECK_STR(complaint, "");
    free(complaint);
    return status;
}

static const struct {
    const char *line;
    const char *want; /* all of it; where it begins with '~', a part */
} lines[] = {
    {"pl", "plan\tshow what run would do, and why; write nothing\n:4\n"},
    {"__", ":4\n"},
    {"nonsense|", ":4\n"},
    {"nonsense|pl", ":4\n"},
    {"plan|--", "~--all-namespaces\t"},
    {"plan|--", "~--help\tShow examples and the flags that people use most\n"},
    {"plan|--redact", ":4\n"},
    {"snapshot|--redact",
     "--redact\tReplace names, labels and messages with texts that compare the same way\n:4\n"},
    {"plan|-", "~-o\tThe format"},
    {"plan|--output", "--output\tThe format of the report\n:4\n"},
    {"plan|--output=json|--outp", ":4\n"}, /* it is given */
    {"plan|-ojson|--outp", ":4\n"},
    {"plan|--namespace=a|--namesp", "~--namespace\t"}, /* it may be repeated */
    {"--vers", "--version\tShow the version, as the command of that name does\n:4\n"},
    {"--output", ":4\n"}, /* of no command yet */
    {"plan|--output|js", "json\tone JSON document\n:4\n"},
    {"plan|--output=js", "--output=json\tone JSON document\n:4\n"},
    {"plan|-ojs", "-ojson\tone JSON document\n:4\n"},
    {"plan|-o=js", "-o=json\tone JSON document\n:4\n"},
    {"plan|-Aojs", "-Aojson\tone JSON document\n:4\n"},
    {"plan|-Ao|js", "json\tone JSON document\n:4\n"},
    {"--output|json|pl", "~plan\t"},
    {"plan|--output|--show-all|-o|js", "~json\t"}, /* a forgotten value takes no flag */
    {"plan|--show-all=", "--show-all=false\n--show-all=true\n:4\n"},
    {"plan|--nonsense=", ":4\n"},
    {"plan|--nonsense|--outp", "~--output\t"},
    {"plan|-Z|--outp", "~--output\t"},
    {"plan|--limit=", ":4\n"},
    {"plan|--lease-name|", ":4\n"},
    {"plan|--kind|Jo", "Job\n:4\n"},
    {"plan|--kind|Deployment,Jo", "Deployment,Job\n:4\n"},
    {"plan|--kind=Deployment,Jo", "--kind=Deployment,Job\n:4\n"},
    {"plan|--movable-kinds|", "Job\nStatefulSet\n:4\n"},
    {"plan|--triggers|+Imb", "~+Imbalance\t"},
    {"plan|--triggers|+Unplaced,-Imb", "~+Unplaced,-Imbalance\t"},
    {"plan|--sources|pods,no", "~pods,nodes\t"},
    {"plan|--config|", ":0\n"},
    {"plan|--fleet=", ":0\n"},
    {"snapshot|", ":16\n"},
    {"snapshot|dir|", ":4\n"}, /* it takes one */
    {"diff|", ":0\n"},
    {"diff|li", ":0\n"}, /* the first is no live one */
    {"diff|dir|", ":0\n"},
    {"diff|dir|li", "live\tthe control plane as it is now\n:0\n"},
    {"diff|dir|dir|", ":4\n"},
    {"diff|--fle", ":4\n"},
    {"help|configu", "configuration\tthe configuration file and its keys, in Markdown\n:4\n"},
    {"help|__", ":4\n"},
    {"help|man|mig", "~migrate\t"},
    {"config|sc", "schema\tprint the JSON Schema\n:4\n"},
    {"config|check|", ":0\n"},
    {"config|check|a.yaml|", ":0\n"},
    {"completion|", "bash\tbash 4 or later\nfish\nzsh\n:4\n"},
    {"plan|--fleet|examples/fleet|", "pay/\nshop/\nweb/\n:6\n"},
    {"plan|--fleet|examples/fleet|shop/ch", "shop/checkout\n:4\n"},
    {"plan|--fleet|examples/fleet|shop/checkout|shop/st", "shop/storefront\n:4\n"},
    {"plan|--fleet|examples/fleet|nowhere/", ":4\n"},
    {"plan|--fleet|examples/fleet|-n|sh", "shop\n:4\n"},
    {"plan|--fleet|examples/fleet|--workload|ch", "checkout\n:4\n"},
    {"plan|--fleet|examples/fleet|-n|web|--workload|ch", ":4\n"},
    {"plan|--fleet|examples/fleet|--|shop/ch", "shop/checkout\n:4\n"},
    {"plan|--|--outp", ":6\n"},
    {"plan|--fleet|examples/kubefed|", "~/\n:6\n"},
    {"plan|--fleet|/nonexistent|shop/", ":4\n"},
    {"plan|--fleet|-|shop/", ":4\n"}, /* nor is it read */
    {"plan|shop/", ":4\n"},           /* no way to a control plane */
    {"plan|--context|", ":4\n"},
    {"plan|--kubeconfig|/nonexistent|--context|", ":4\n"},
    {"__complete|pl", ":4\n"},
};

static void
test_lines(void)
{
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        const char *want = lines[i].want;
        char *got = NULL;

        CHECK_INT(complete(lines[i].line, &got), STATUS_DONE);
        if (want[0] == '~') {
            CHECK_MSG(strstr(got, want + 1) != NULL, "%s: no %s in %s", lines[i].line, want + 1,
                      got);
        } else {
            CHECK_MSG(strcmp(got, want) == 0, "%s: want %s, got %s", lines[i].line, want, got);
        }
        free(got);
    }
}

/* Parsers that cannot know what text is meant: the table has to say. */
static bool
takes_any_text(setting_parser *parse)
{
    return parse == setting_text || parse == setting_list || parse == setting_kinds ||
           parse == setting_triggers || parse == setting_sources;
}

static void
test_tables(void)
{
    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        CHECK_MSG(!takes_any_text(option->parse) || option->completes.kind != COMPLETES_BY_PARSER,
                  "--%s: say what completes its value (.completes)", option->name);
        CHECK_MSG((option->completes.kind == COMPLETES_WORDS) == (option->completes.words != NULL),
                  "--%s: words for COMPLETES_WORDS alone", option->name);
    }
    for (const struct command *command = commands; command->name != NULL; command++) {
        CHECK_MSG(command->max_arguments == 0 || command->is_hidden ||
                      command->completes[0].kind != COMPLETES_BY_PARSER,
                  "%s: say what completes its arguments (.completes)", command->name);
    }
}

/* Whatever is typed, the answer ends with a directive, and nothing is complained of. */
static void
test_any_word(void)
{
    for (const struct command *command = commands; command->name != NULL; command++) {
        for (const struct option *option = option_next(NULL); option != NULL;
             option = option_next(option)) {
            char line[128], *got = NULL;

            if (command->takes_all || (option->commands & command->bit) == 0) {
                continue;
            }
            snprintf(line, sizeof(line), "%s|--fleet=-|--%s|", command->name, option->name);
            CHECK_INT(complete(line, &got), STATUS_DONE);
            const char *last = strrchr(got, ':');

            CHECK_MSG(last != NULL && (last == got || last[-1] == '\n') &&
                          last[strlen(last) - 1] == '\n',
                      "%s: %s", line, got);
            free(got);
        }
    }
}

void suite_complete(void);

void
suite_complete(void)
{
    check_suite("complete");
    check_test("lines", test_lines);
    check_test("tables", test_tables);
    check_test("any word", test_any_word);
}
