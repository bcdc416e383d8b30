/* SPDX-License-Identifier: Apache-2.0
 *
 * Which members of objects matter to whoever reads a stream. All others are
 * checked as JSON, and passed over: they never become values.
 */
#ifndef BALLAST_FORMAT_WANTED_H
#define BALLAST_FORMAT_WANTED_H

#include <stdbool.h>

#include "ballast/base/arena.h"
#include "ballast/format/value.h"

/* Of an object, or of each item of a list. Scalars are kept whatever is said of them. */
struct wanted;

enum wanted_flags {
    WANTED_PLAIN = 0,
    WANTED_RECURS = 1 << 0, /* many objects have the same text here: it is parsed once */
};

/* Nothing so far. It lives in the arena, as do the names that it is given. */
struct wanted *wanted_new(struct arena *arena);
/* A member, `inside` saying what of it; NULL: all. Of a name that is there already what is wanted
 * first counts. */
void wanted_add(struct arena *arena, struct wanted *wanted, const char *name,
                const struct wanted *inside, unsigned flags);
/* Likewise all members that are not named. */
void wanted_add_rest(struct wanted *wanted, const struct wanted *inside);

/* Whose members they are: what the object says of itself before anything else, and what its list
 * says of its items; "" where they do not. */
struct wanted_of {
    const char *api_version, *kind;
    const char *list_api_version, *list_kind;
};
/* What matters of such an object; NULL: all of it. */
typedef const struct wanted *wanted_chooser(void *context, const struct wanted_of *object);

/* Whether of an object nothing more matters, once its metadata is there. It may be asked of none.
 */
typedef bool wanted_passer(void *context, const struct wanted_of *object,
                           const struct value *metadata);

/* Where a reader may keep what it made of a value that recurs: it is the same value, and the same
 * memo, whenever its text comes again in the same stream. NULL: this value is not known to recur.
 */
struct value_memo {
    const void *owner; /* who set `made`; NULL at first */
    void *made;
};
struct value_memo *value_memo(const struct value *value);

#endif
