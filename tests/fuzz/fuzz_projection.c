/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as an item of a list of every kind, read as a whole and as far as it
 * is wanted, and by jansson: see two_ways.h.
 */
#include <stdint.h>

#include "../two_ways.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof(two_ways_kinds) / sizeof(two_ways_kinds[0]); i++) {
        if (!two_ways_agree(&two_ways_kinds[i], (const char *)data, size)) {
            __builtin_trap();
        }
    }
    return 0;
}
