/* SPDX-License-Identifier: Apache-2.0
 *
 * Long lines of a report: broken where a terminal is not as wide, whole elsewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/text.h"
#include "check.h"
#include "report_fixture.h"

#define EIGHT "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F" /* columns */
#define URL "https://karmada:5443/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy/api/v1/pods"

/* The report of the small fleet, of which a finding says `message`. */
static char *
print_found(const char *message, const struct report_options *options)
{
    struct finding said[] = {findings[0], findings[1], findings[2]};
    struct diagnosis with_said = diagnosis;
    struct report told = report;

    said[0].message = message;
    with_said.findings = said;
    told.diagnosis = &with_said;
    return print_report(&told, options);
}

/* The rest goes on below the text behind the label. */
static void
test_hang(void)
{
    static const struct {
        const char *message, *want;
    } cases[] = {
        {"eight words that are too many for one line",
         "\n    found  FailedReplicas member1: eight\n"
         "           words that are too many for\n"
         "           one line\n"},
        /* a line may be as wide as the terminal, but no wider: forty columns and forty-one */
        {"12345 words", "\n    found  FailedReplicas member1: 12345\n           words\n"},
        {"123456 words", "\n    found  FailedReplicas member1:\n           123456 words\n"},
        /* columns count, not bytes, and no character is torn */
        {EIGHT " " EIGHT " " EIGHT " " EIGHT,
         "\n    found  FailedReplicas member1:\n           " EIGHT " " EIGHT " " EIGHT
         "\n           " EIGHT "\n"},
        /* what can be copied stays in one piece */
        {URL " is down",
         "\n    found  FailedReplicas member1:\n           " URL "\n           is down\n"},
    };
    const struct report_options options = {.format = REPORT_DIFF, .text_width = 40};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *got = print_found(cases[i].message, &options);

        CHECK_CONTAINS(got, cases[i].want);
        free(got);
    }
}

/* Where no label is, the rest stands a little further in; colours begin and end with each line. */
static void
test_colours(void)
{
    const struct report_options options = {
        .format = REPORT_DIFF, .text_width = 60, .colour = true, .dry_run = true};
    char *got = print_report(&report, &options);

    CHECK_CONTAINS(got,
                   "\x1b[31mDOWN: 17 of 23 replicas: 9 stuck, 2 failing, 1 starting, 5\x1b[0m\n"
                   "\x1b[31m  lost; 5 stay homeless; readiness of 3 unknown\x1b[0m\n");
    free(got);
}

/* Takes the blanks out, and what breaks a line. */
static char *
squeeze(char *text)
{
    size_t to = 0;

    for (size_t from = 0; text[from] != '\0'; from++) {
        if (text[from] != ' ' && text[from] != '\n') {
            text[to++] = text[from];
        }
    }
    text[to] = '\0';
    return text;
}

static void
check_lines(const char *text, uint32_t width)
{
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");

        CHECK_MSG(length <= width, "%zu columns, of %u: %.*s", length, width, (int)length, line);
        line += length + (line[length] != '\0' ? 1 : 0);
    }
}

/* At every width nothing is lost, and nothing is too wide. */
static void
test_every_width(void)
{
    struct report_options options = {.format = REPORT_DIFF};
    struct report blind = report;

    blind.coverage = &coverage;
    char *whole = squeeze(print_report(&blind, &options));

    for (options.text_width = 50; options.text_width < 260; options.text_width++) {
        char *got = print_report(&blind, &options);

        check_lines(got, options.text_width);
        CHECK_STR(squeeze(got), whole);
        free(got);
    }
    free(whole);
}

/* What is no terminal gets whole lines, and so does a program that reads them. */
static void
test_whole(void)
{
    static const char message[] = "a line that no terminal would hold, and that grep should find "
                                  "as it is, in one piece, with all that belongs to it";
    const struct report_options options = {.format = REPORT_DIFF, .width = 60};
    char *got = print_found(message, &options);

    CHECK_CONTAINS(got, message);
    free(got);
}

void suite_report_wrap(void);
void
suite_report_wrap(void)
{
    check_suite("report_wrap");
    check_test("hanging indent", test_hang);
    check_test("colours", test_colours);
    check_test("every width", test_every_width);
    check_test("whole lines", test_whole);
}
