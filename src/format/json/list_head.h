/* SPDX-License-Identifier: Apache-2.0
 *
 * What a list says of itself beside its items. Private to this room.
 */
#ifndef BALLAST_FORMAT_LIST_HEAD_H
#define BALLAST_FORMAT_LIST_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "ballast/format/value.h"

struct list_head {
    char *api_version, *kind;
    char *continue_token, *resource_version; /* "" when none */
    uint64_t remaining;                      /* items that come behind it */
};

void list_head_forget(struct list_head *head);
void list_head_release(struct list_head *head);
/* Takes over what the text around the items says, as far as it has come. */
bool list_head_read(struct list_head *head, const struct value *envelope, struct error *err);

/* A list whose items are null is an empty one. */
bool list_is_empty(const struct value *root);
/* Whether the text ends with the member name `items`, a colon and the bracket of a list. */
bool list_begins_items(const char *text, size_t length);

#endif
