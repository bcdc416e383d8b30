/* SPDX-License-Identifier: Apache-2.0
 *
 * See library_pages.h. By /proc/self/smaps.
 */
#include "library_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define LINE_SIZE 1024

/* A mapping of the library that is not writable. */
static bool
is_of(const char *line, const char *name, uintptr_t *ret_begin, uintptr_t *ret_end)
{
    char *end;

    *ret_begin = strtoul(line, &end, 16);
    if (*end != '-') {
        return false;
    }
    *ret_end = strtoul(end + 1, &end, 16);
    return strncmp(end, " r-", 3) == 0 && strstr(line, name) != NULL;
}

/* "Rss:     12 kB" */
static bool
counts_kib(const char *line, const char *what, size_t *ret)
{
    size_t length = strlen(what);
    bool is_it = strncmp(line, what, length) == 0;

    *ret = is_it ? strtoul(line + length, NULL, 10) : *ret;
    return is_it;
}

uint64_t
library_pages_touch(const char *name)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[LINE_SIZE];
    uint64_t sum = 0;
    uintptr_t begin, end;

    if (maps == NULL) {
        CHECK(maps != NULL);
        return 0;
    }
    while (fgets(line, sizeof(line), maps) != NULL) {
        if (is_of(line, name, &begin, &end)) {
            for (const uint64_t *at = (const uint64_t *)begin; at < (const uint64_t *)end; at++) {
                sum = sum * 31 + *at;
            }
        }
    }
    fclose(maps);
    return sum;
}

size_t
library_pages_clean(const char *name)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[LINE_SIZE];
    size_t all = 0, resident = 0, kib = 0;
    bool counts = false;
    uintptr_t begin, end;

    if (maps == NULL) {
        CHECK(maps != NULL);
        return 0;
    }
    while (fgets(line, sizeof(line), maps) != NULL) {
        if (strchr(line, '-') != NULL && strchr(line, '-') < strchr(line, ' ')) {
            counts = is_of(line, name, &begin, &end);
        } else if (counts && counts_kib(line, "Rss:", &kib)) {
            resident = kib;
        } else if (counts && counts_kib(line, "Private_Dirty:", &kib)) {
            all += kib == 0 ? resident : 0;
        }
    }
    fclose(maps);
    return all;
}
