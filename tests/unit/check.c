/* SPDX-License-Identifier: Apache-2.0
 *
 * The unit tests' runner: all suites, CUnit's summary, exit status 1 on a
 * failure. `test-unit PATTERN` runs the suites whose name contains PATTERN.
 * UNIT_SKIP has names of suites to leave out, with commas between them.
 */
#include "check.h"

#include <CUnit/Basic.h>
#include <stdarg.h>
#include <stdlib.h>

static CU_pSuite current_suite;
static const char *pattern = "";

static bool
is_skipped(const char *name)
{
    const char *rest = getenv("UNIT_SKIP");
    size_t length = strlen(name);

    while (rest != NULL &&
           (strncmp(rest, name, length) != 0 || (rest[length] != ',' && rest[length] != '\0'))) {
        rest = strchr(rest, ',');
        rest = rest != NULL ? rest + 1 : NULL;
    }
    return rest != NULL;
}

void
check_suite(const char *name)
{
    bool is_wanted = strstr(name, pattern) != NULL && !is_skipped(name);

    current_suite = is_wanted ? CU_add_suite(name, NULL, NULL) : NULL;
}

void
check_test(const char *name, void (*test)(void))
{
    if (current_suite != NULL && CU_add_test(current_suite, name, test) == NULL) {
        fprintf(stderr, "cannot add test %s: %s\n", name, CU_get_error_msg());
        exit(1);
    }
}

bool
check_report(bool passed, const char *file, int line, const char *format, ...)
{
    char text[4096];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    CU_assertImplementation(passed, (unsigned)line, text, file, "", CU_FALSE);
    return passed;
}

bool
check_str_at(const char *file, int line, const char *what, const char *got, const char *want)
{
    bool same = got != NULL && want != NULL ? strcmp(got, want) == 0 : got == want;

    return check_report(same, file, line, "%s: got \"%s\", want \"%s\"", what,
                        got != NULL ? got : "(null)", want != NULL ? want : "(null)");
}

bool
check_int_at(const char *file, int line, const char *what, intmax_t got, intmax_t want)
{
    return check_report(got == want, file, line, "%s: got %jd, want %jd", what, got, want);
}

bool
check_contains_at(const char *file, int line, const char *what, const char *got, const char *part)
{
    return check_report(got != NULL && strstr(got, part) != NULL, file, line,
                        "%s: got \"%s\", want something with \"%s\"", what,
                        got != NULL ? got : "(null)", part);
}

#define SUITE(name) void suite_##name(void);
#include "suites.inc"
#undef SUITE

int
main(int argc, char **argv)
{
    if (argc > 1) {
        pattern = argv[1];
    }
    if (CU_initialize_registry() != CUE_SUCCESS) {
        return 1;
    }
#define SUITE(name) suite_##name();
#include "suites.inc"
#undef SUITE
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    unsigned ran = CU_get_number_of_tests_run();
    unsigned failed = CU_get_number_of_failures() + CU_get_number_of_suites_failed();

    CU_cleanup_registry();
    return ran > 0 && failed == 0 ? 0 : 1;
}
