/* SPDX-License-Identifier: Apache-2.0
 *
 * The uid of an object. A UUID as API servers write it (RFC 9562, 36 characters,
 * lower case) takes 16 bytes and no text, since a large fleet has two uids per
 * binding. Any other text is kept by its address.
 */
#ifndef BALLAST_MODEL_UID_H
#define BALLAST_MODEL_UID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ballast/base/arena.h"

#define UID_TEXT_MAX 37 /* bytes of a UUID's text, NUL included */

/* All 0: "". */
struct uid {
    uint64_t high; /* of a UUID; else the address of the text */
    uint64_t low;  /* of a UUID, never 0; else 0 */
};

/* Packs a UUID as API servers write it. False for any other text: use uid_of(). */
bool uid_pack(const char *text, size_t length, struct uid *ret);
/* Returns the uid with that text. A text that uid_pack() refuses must outlive the uid. */
struct uid uid_of(const char *text);
/* Returns the uid's text, in `room` for a UUID. */
const char *uid_text(const struct uid *uid, char room[UID_TEXT_MAX]);
/* Returns the uid's text, in `arena` for a UUID. */
const char *uid_keep_text(struct arena *arena, const struct uid *uid);
/* True if the uid's text is "". */
bool uid_is_empty(const struct uid *uid);
/* True if both uids have equal texts. */
bool uid_eq(const struct uid *a, const struct uid *b);
/* True if the uid has that text. */
bool uid_is(const struct uid *uid, const char *text);

#endif
