/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference pages in docs/ are what the program prints, and the example in
 * the configuration reference is a valid configuration.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cli/commands/commands.h"
#include "cli/config/config.h"
#include "cli/manual/manual.h"
#include "cli/options/invocation.h"
#include "golden.h"

/* *ret is to be freed. */
static void
page(const char *name, char **ret)
{
    const struct help_topic *topic = help_topics;
    size_t size = 0;
    FILE *stream = open_memstream(ret, &size);

    while (strcmp(topic->name, name) != 0) {
        topic++;
    }
    topic->print(stream, commands);
    fclose(stream);
}

static void
test_pages(void)
{
    static const struct {
        const char *topic, *path;
    } pages[] = {
        {"flags", "docs/cli.md"},
        {"advanced-flags", "docs/cli-advanced.md"},
        {"configuration", "docs/configuration.md"},
        {"advanced-configuration", "docs/configuration-advanced.md"},
        {"ladder", "src/plan/ladder/README.md"},
    };

    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        char *text = NULL;

        page(pages[i].topic, &text);
        check_golden(pages[i].path, text);
        free(text);
    }
}

/* One of ballast, and one a command that is not hidden. */
static void
test_manual(void)
{
    char *text = NULL;

    page("man", &text);
    check_golden("docs/ballast.1", text);
    free(text);
    for (const struct command *command = commands; command->name != NULL; command++) {
        char path[64];
        size_t size = 0;

        if (command->is_hidden) {
            continue;
        }
        FILE *stream = open_memstream(&text, &size);

        manual_of_command(stream, commands, command);
        fclose(stream);
        snprintf(path, sizeof(path), "docs/man/ballast-%s.1", command->name);
        check_golden(path, text);
        free(text);
    }
}

static void
test_example(void)
{
    char *text = NULL;

    page("configuration", &text);
    char *begin = strstr(text, "```yaml\n");
    char *end = begin != NULL ? strstr(begin, "\n```\n") : NULL;

    if (CHECK(end != NULL)) {
        struct arena *arena = arena_new();
        struct interner *strings = interner_new();
        struct policy policy;
        struct error err = ERROR_INIT;

        begin += strlen("```yaml\n");
        policy_init(&policy);
        CHECK_OK(config_parse(&(struct config_text){"example", begin, (size_t)(end - begin)}, arena,
                              strings, &policy, NULL, &err),
                 err);
        interner_free(strings);
        arena_free(arena);
    }
    free(text);
}

void suite_reference(void);

void
suite_reference(void)
{
    check_suite("reference");
    check_test("pages", test_pages);
    check_test("manual", test_manual);
    check_test("example", test_example);
}
