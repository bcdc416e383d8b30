/* SPDX-License-Identifier: Apache-2.0
 *
 * The members of a list beside its items. Private to this room.
 */
#ifndef BALLAST_FORMAT_LIST_HEAD_H
#define BALLAST_FORMAT_LIST_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "ballast/format/value.h"

struct list_head {
    char *api_version, *kind;
    char *continue_token, *resource_version; /* "": none */
    uint64_t remaining;                      /* items after this page */
};

/* Empties all texts; the struct may be zeroed memory. list_head_release() frees them. */
void list_head_forget(struct list_head *head);
/* Frees the texts. */
void list_head_release(struct list_head *head);
/* Takes the members around the items so far. False with PARSE if the continue token is no text. */
bool list_head_read(struct list_head *head, const struct value *envelope, struct error *err);

/* True if a list has null items, or is a List without items. */
bool list_is_empty(const struct value *root);
/* True if the text ends with the member name `items`, a colon and the bracket of a list. */
bool list_begins_items(const char *text, size_t length);

#endif
