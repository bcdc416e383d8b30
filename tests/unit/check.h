/* SPDX-License-Identifier: Apache-2.0
 *
 * CUnit assertions that show both values. None of them jumps out of the test
 * (CUnit's FATAL forms skip cleanups): guard what depends on them with their
 * result.
 *
 * A file tests/unit/test_NAME.c defines `void suite_NAME(void)`, which adds its
 * suite with check_suite and its tests with check_test.
 */
#ifndef BALLAST_CHECK_H
#define BALLAST_CHECK_H

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ballast/base/error.h"

/* Starts the suite that following check_test calls add to. */
void check_suite(const char *name);
void check_test(const char *name, void (*test)(void));

bool check_report(bool passed, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool check_str_at(const char *file, int line, const char *what, const char *got, const char *want);
bool check_int_at(const char *file, int line, const char *what, intmax_t got, intmax_t want);
bool check_contains_at(const char *file, int line, const char *what, const char *got,
                       const char *part);

/* The condition holds. */
#define CHECK(condition) CHECK_MSG(condition, "%s does not hold", #condition)
/* The value is that of the condition itself, so that an analyzer sees what `if (CHECK(p != NULL))`
 * guards. */
#define CHECK_MSG(condition, ...)                                                                  \
    __extension__({                                                                                \
        bool check_passed = (condition);                                                           \
        check_report(check_passed, __FILE__, __LINE__, __VA_ARGS__);                               \
        check_passed;                                                                              \
    })
#define CHECK_STR(got, want) check_str_at(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_INT(got, want)                                                                       \
    check_int_at(__FILE__, __LINE__, #got, (intmax_t)(got), (intmax_t)(want))
/* `part` occurs in `got`. */
#define CHECK_CONTAINS(got, part) check_contains_at(__FILE__, __LINE__, #got, (got), (part))
/* A fallible call succeeded; else its error is shown. */
#define CHECK_OK(call, err)                                                                        \
    check_report((call), __FILE__, __LINE__, "%s failed: %s", #call, (err).message)

#endif
