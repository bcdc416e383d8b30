/* SPDX-License-Identifier: Apache-2.0
 *
 * The uid of an object. As API servers give it (RFC 9562, 36 characters, lower
 * case) it takes 16 bytes and no text: a large fleet has two a binding. Any other
 * text may stand there as well.
 */
#ifndef BALLAST_MODEL_UID_H
#define BALLAST_MODEL_UID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/arena.h"

#define UID_TEXT_MAX 37 /* bytes of one that is packed, NUL included */

/* All 0: "". */
struct uid {
    uint64_t high; /* of the UUID; of another text its address */
    uint64_t low;  /* of the UUID, where its variant makes it more than 0; of another text 0 */
};

/* false: it is no UUID as API servers write it, and is to be told by uid_of. */
bool uid_pack(const char *text, size_t length, struct uid *ret);
/* Of any text, which outlives it where it cannot be packed. */
struct uid uid_of(const char *text);
/* In `room`, or where it was. */
const char *uid_text(const struct uid *uid, char room[UID_TEXT_MAX]);
/* The same for as long as `arena`, or where it was. */
const char *uid_keep_text(struct arena *arena, const struct uid *uid);
bool uid_is_empty(const struct uid *uid);
bool uid_eq(const struct uid *a, const struct uid *b);
/* That is the text. */
bool uid_is(const struct uid *uid, const char *text);

#endif
