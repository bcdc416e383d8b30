/* SPDX-License-Identifier: Apache-2.0
 *
 * What a list says of itself beside its items.
 */
#include "list_head.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "scan.h"

static void
set_text(char **target, const char *text)
{
    char *copy = heap_text(text);

    free(*target);
    *target = copy;
}

void
list_head_forget(struct list_head *head)
{
    set_text(&head->api_version, "");
    set_text(&head->kind, "");
    set_text(&head->continue_token, "");
    set_text(&head->resource_version, "");
    head->remaining = 0;
}

void
list_head_release(struct list_head *head)
{
    free(head->api_version);
    free(head->kind);
    free(head->continue_token);
    free(head->resource_version);
}

static uint64_t
remaining_of(const struct value *metadata)
{
    const struct value *count = value_find(metadata, "remainingItemCount", VALUE_INTEGER);

    return count != NULL && value_integer(count) > 0 ? (uint64_t)value_integer(count) : 0;
}

/* A malformed continue token must not make a page look like the whole list. */
bool
list_head_read(struct list_head *head, const struct value *envelope, struct error *err)
{
    const struct value *metadata = value_get(envelope, "metadata");
    const struct value *token = value_get(metadata, "continue");

    if (token != NULL && value_type(token) != VALUE_STRING && value_type(token) != VALUE_NULL) {
        return error_set(err, ERROR_PARSE, "metadata.continue: want string, got %s",
                         value_type_name(value_type(token)));
    }
    set_text(&head->api_version, value_text(envelope, "apiVersion"));
    set_text(&head->kind, value_text(envelope, "kind"));
    if (metadata != NULL) {
        set_text(&head->continue_token, value_text(metadata, "continue"));
        set_text(&head->resource_version, value_text(metadata, "resourceVersion"));
        head->remaining = remaining_of(metadata);
    }
    return true;
}

bool
list_is_empty(const struct value *root)
{
    const struct value *items = value_get(root, "items");
    const char *kind = value_text(root, "kind");
    size_t length = strlen(kind);

    if (items == NULL) {
        return str_eq(kind, "List");
    }
    return value_type(items) == VALUE_NULL && length >= 4 && str_eq(kind + length - 4, "List");
}

static size_t
trim_space(const char *text, size_t length)
{
    while (length > 0 && scan_is_space(text[length - 1])) {
        length--;
    }
    return length;
}

bool
list_begins_items(const char *text, size_t length)
{
    static const char key[] = "\"items\"";
    size_t key_length = sizeof(key) - 1;

    length = trim_space(text, length - 1);
    if (length == 0 || text[length - 1] != ':') {
        return false;
    }
    length = trim_space(text, length - 1);
    if (length < key_length || memcmp(text + length - key_length, key, key_length) != 0) {
        return false;
    }
    length = trim_space(text, length - key_length);
    return length > 0 && (text[length - 1] == '{' || text[length - 1] == ',');
}
