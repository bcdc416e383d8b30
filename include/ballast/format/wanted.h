/* SPDX-License-Identifier: Apache-2.0
 *
 * The members of objects that the reader of a stream wants. All other members
 * are checked as JSON and skipped: they never become values.
 */
#ifndef BALLAST_FORMAT_WANTED_H
#define BALLAST_FORMAT_WANTED_H

#include <stdbool.h>

#include "ballast/base/arena.h"
#include "ballast/format/value.h"

/* Wanted members of an object, or of each item of a list. Values of other types are kept. */
struct wanted;

enum wanted_flags {
    WANTED_PLAIN = 0,
    WANTED_RECURS = 1 << 0, /* many objects have equal texts here: each text is parsed once */
};

/* Returns an empty table in `arena`: no member is wanted. */
struct wanted *wanted_new(struct arena *arena);
/* Wants the member `name` and the members `inside` it (NULL: all). `name` must outlive the table.
 * Does nothing if the name is there already. */
void wanted_add(struct arena *arena, struct wanted *wanted, const char *name,
                const struct wanted *inside, unsigned flags);
/* Wants every member whose name was not added, and the members `inside` it (NULL: all). */
void wanted_add_rest(struct wanted *wanted, const struct wanted *inside);

/* Type of an object and of its list. Only members before all others count; "": missing. */
struct wanted_of {
    const char *api_version, *kind;
    const char *list_api_version, *list_kind;
};
/* Returns the wanted members of objects of that type; NULL: all. */
typedef const struct wanted *wanted_chooser(void *context, const struct wanted_of *object);

/* True if no member behind `metadata` of the object is wanted. Called at most twice per object. */
typedef bool wanted_passer(void *context, const struct wanted_of *object,
                           const struct value *metadata);

/* Place for the object that a reader makes of a recurring value. Equal texts share one value and
 * one memo while the stream remembers the text. */
struct value_memo {
    const void *owner; /* of `made`; NULL at first */
    void *made;
};
/* Returns the memo of a value, valid as long as the stream; NULL: not known to recur. */
struct value_memo *value_memo(const struct value *value);

#endif
