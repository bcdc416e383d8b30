/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration file: any text is taken or refused with a place.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct interner *strings = interner_new();
    struct policy policy;
    struct error err = ERROR_INIT;

    policy_init(&policy);
    if (!config_parse(&(struct config_text){"f", (const char *)data, size}, arena, strings, &policy,
                      NULL, &err) &&
        (err.code != ERROR_CONFIG || strncmp(err.message, "f:", 2) != 0)) {
        abort();
    }
    interner_free(strings);
    arena_free(arena);
    return 0;
}
