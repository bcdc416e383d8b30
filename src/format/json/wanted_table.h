/* SPDX-License-Identifier: Apache-2.0
 *
 * Wanted members, to be looked up. Private to this room.
 */
#ifndef BALLAST_FORMAT_WANTED_TABLE_H
#define BALLAST_FORMAT_WANTED_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "ballast/format/wanted.h"

struct wanted_member {
    const char *name; /* NULL: any other name */
    size_t length;
    const struct wanted *inside; /* NULL: all */
    unsigned flags;
};

/* Returns the entry for a name (`mark`: its token_mark); NULL: not wanted. `wanted` NULL wants all
 * and returns an entry without a name. */
const struct wanted_member *wanted_find(const struct wanted *wanted, const char *name,
                                        size_t length, uint64_t mark);

#endif
