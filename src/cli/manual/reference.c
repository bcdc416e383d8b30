/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the reference pages in Markdown from the tables of commands, flags and configuration
 * keys. A test compares docs/ with them.
 */
#include <string.h>

#include "cli/config/config_key.h"
#include "cli/options/invocation.h"
#include "manual.h"

#define ADVANCED "Advanced" /* begins the titles of sections that few people need */

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

/* Returns the names, separated by commas, of the commands with flags that take the flag or, if
 * `taking` is false, that do not. */
static const char *
list_commands(struct arena *arena, const struct command *all, const struct option *option,
              bool taking, uint32_t *ret_count)
{
    const char *names = "";

    *ret_count = 0;
    for (const struct command *command = all; command->name != NULL; command++) {
        if (!command->is_hidden && ((option->commands & command->bit) != 0) == taking) {
            names =
                arena_printf(arena, "%s%s%s", names, *ret_count == 0 ? "" : ", ", command->name);
            ++*ret_count;
        }
    }
    return names;
}

/* Returns the commands that take the flag: "all", "all but NAMES", or their names. */
static const char *
takers(struct arena *arena, const struct command *all, const struct option *option)
{
    uint32_t n_taking, n_others;
    const char *taking = list_commands(arena, all, option, true, &n_taking);
    const char *others = list_commands(arena, all, option, false, &n_others);

    if (n_others == 0) {
        return "all";
    }
    return n_others < n_taking ? arena_printf(arena, "all but %s", others) : taking;
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

/* Prints the sections of flags whose titles begin with "Advanced", or the others. */
static void
print_options(FILE *out, const struct command *all, bool advanced)
{
    struct arena *arena = arena_new();

    for (const struct option *option = option_next(NULL); option != NULL;
         option = option_next(option)) {
        if ((strncmp(option_section(option), ADVANCED, strlen(ADVANCED)) == 0) != advanced) {
            continue;
        }
        if (option->section != NULL) {
            fprintf(out, "\n### %s\n\n| Flag | Commands | Default | Meaning |\n|---|---|---|---|\n",
                    option->section);
        }
        print_option_row(out, arena, all, option);
    }
    arena_free(arena);
}

void
reference_advanced_flags(FILE *out, const struct command *all)
{
    fputs("# Advanced flags\n\n"
          "<!-- printed by `ballast help advanced-flags` -->\n\n"
          "Few people need these flags. [The command line](cli.md) has the others, and says how to "
          "write them.\n",
          out);
    print_options(out, all, true);
}

void
reference_cli(FILE *out, const struct command *all)
{
    fputs("# The command line\n\n"
          "<!-- printed by `ballast help flags` -->\n\n"
          "    ballast COMMAND [flags]\n\n"
          "Results go to standard output, logs and errors to standard error. An error that ends a "
          "command\nis a line `ballast: TEXT`; a second line may say what to do. With "
          "`--logging-format=json` it is a log\nline, unless the command line or the configuration "
          "is wrong.\n\n"
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
        "Behind\n`--` all are arguments.\n"
        "[Advanced flags](cli-advanced.md): the others.\n",
        out);
    print_options(out, all, false);
    fputs("\n## Environment\n\n| Variable | Meaning |\n|---|---|\n", out);
    for (const struct variable *variable = variables; variable->name != NULL; variable++) {
        print_row(out, (const char *const[]){variable->name, variable->help}, 2);
    }
    fputs("\n## Exit status\n\n| Status | Meaning |\n|---|---|\n", out);
#define X(id, value, text) fprintf(out, "| %d | %s |\n", value, text);
    EXIT_STATUSES(X)
#undef X
    fputs("\nIf several hold, the first of 75, 143, 3, 1, 4, 2 counts. simulate: 2 before 4.\n",
          out);
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
print_key(FILE *out, struct arena *arena, const struct config_key *key, const char *prefix)
{
    print_row(out,
              (const char *const[]){arena_printf(arena, "`%s%s`", prefix, key->name),
                                    key->type->text,
                                    key->default_text != NULL ? key->default_text : "",
                                    setting_help(arena, &key->param, key->help)},
              4);
    for (const struct config_key *child = key->table; child != NULL && child->name != NULL;
         child++) {
        print_key(out, arena, child, child_prefix(arena, prefix, key));
    }
}

/* Prints the keys that are advanced, or the others, with all keys in them. */
static void
print_keys(FILE *out, bool advanced)
{
    struct arena *arena = arena_new();

    fputs("| Key | Type | Default | Meaning |\n|---|---|---|---|\n", out);
    for (const struct config_key *key = config_keys; key->name != NULL; key++) {
        if (key->is_advanced == advanced) {
            print_key(out, arena, key, "");
        }
    }
    arena_free(arena);
}

void
reference_configuration(FILE *out)
{
    fputs(
        "# The configuration file\n\n"
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
        "` in `" CONFIG_API_VERSION "`: [how long\nBallast reads the older one](versioning.md).\n\n"
        "A schema cannot say all rules. Ballast also refuses a second document in the file, a key "
        "given\ntwice, `maxReplicas` below `minReplicas`, `1.0` for an integer, and numbers and "
        "durations beyond\n64 bits. The schema refuses some spellings in a list of `triggers` "
        "that Ballast takes: several in\none string, `+Type`, `none`.\n\n"
        "[Advanced configuration](configuration-advanced.md) has the keys that few people "
        "need.\n\n",
        out);
    print_keys(out, false);
}

void
reference_advanced_configuration(FILE *out)
{
    fputs("# Advanced configuration\n\n"
          "<!-- printed by `ballast help advanced-configuration` -->\n\n"
          "Few people need these keys. [The configuration file](configuration.md) has the others, "
          "and an example.\n\n",
          out);
    print_keys(out, true);
}
