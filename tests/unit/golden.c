/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparison with files.
 */
#include "golden.h"

#include <stdlib.h>

#include "check.h"

#define GOLDEN_MAX (1u << 20)

static bool
update(const char *path, const char *got)
{
    FILE *stream = fopen(path, "we");

    if (stream == NULL) {
        return CHECK_MSG(false, "%s cannot be written", path);
    }
    fputs(got, stream);
    return CHECK_INT(fclose(stream), 0);
}

/* The line and the texts from where the two differ. */
static bool
show_difference(const char *path, const char *got, const char *want)
{
    int line = 1;
    size_t begin = 0, at = 0;

    for (; got[at] == want[at]; at++) {
        if (got[at] == '\n') {
            line++;
            begin = at + 1;
        }
    }
    return CHECK_MSG(false, "%s:%d: got \"%.*s\", want \"%.*s\" (GOLDEN=update rewrites it)", path,
                     line, (int)strcspn(got + begin, "\n"), got + begin,
                     (int)strcspn(want + begin, "\n"), want + begin);
}

bool
check_golden(const char *path, const char *got)
{
    const char *mode = getenv("GOLDEN");

    if (mode != NULL && strcmp(mode, "update") == 0) {
        return update(path, got);
    }
    FILE *stream = fopen(path, "re");
    char *want = calloc(1, GOLDEN_MAX);
    bool same = false;

    if (CHECK_MSG(stream != NULL && want != NULL, "%s cannot be read", path)) {
        size_t length = fread(want, 1, GOLDEN_MAX - 1, stream);

        want[length] = '\0';
        same = strcmp(got, want) == 0 || show_difference(path, got, want);
    }
    if (stream != NULL) {
        fclose(stream);
    }
    free(want);
    return same;
}
