/* SPDX-License-Identifier: Apache-2.0
 *
 * Label selectors as text: what is taken is a valid selector.
 */
#include <stdint.h>
#include <stdlib.h>

#include "cli/options/selector_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    const char *text = arena_strndup(arena, (const char *)data, size);
    const struct label_selector *selector = selector_parse(arena, text, &err);

    if (selector != NULL ? !label_selector_is_valid(selector) : err.code != ERROR_PARSE) {
        abort();
    }
    arena_free(arena);
    return 0;
}
