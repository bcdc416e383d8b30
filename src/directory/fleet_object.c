/* SPDX-License-Identifier: Apache-2.0
 *
 * What reader and sink ask of an object before anything is decoded: whether it
 * is a binding, its identity, its version.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/hash.h"
#include "ballast/base/str.h"
#include "fleet_files.h"

/* A larger resourceVersion is no counter, and adding to it would overflow. */
#define VERSION_MAX (UINT64_MAX / 4)

const char *
object_metadata(const struct value *root, const char *key)
{
    return value_text(value_get(root, "metadata"), key);
}

/* True if the object names the kind, or its list names it for its items. */
static bool
is_of_kind(const struct file_object *object, const char *kind)
{
    const char *own = value_text(object->root, "kind");
    size_t length = strlen(kind);

    if (!str_is_empty(own)) {
        return str_eq(own, kind);
    }
    return object->list_kind != NULL && strncmp(object->list_kind, kind, length) == 0 &&
           str_eq(object->list_kind + length, "List");
}

bool
object_is_binding(const struct file_object *object, enum binding_kind *ret_kind)
{
    static const enum binding_kind kinds[] = {
#define X(id, name) BINDING_##id,
        BINDING_KINDS(X)
#undef X
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (is_of_kind(object, binding_kind_name(kinds[i]))) {
            *ret_kind = kinds[i];
            return true;
        }
    }
    return false;
}

bool
object_is_preference(const struct file_object *object)
{
    return is_of_kind(object, "ReplicaSchedulingPreference");
}

uint64_t
object_hash(const struct value *root)
{
    struct buf text;

    buf_init(&text, SIZE_MAX);
    value_write_json(root, true, &text);
    const struct hash_key key = hash_key_of_process();
    uint64_t hash = hash_bytes(&key, buf_text(&text), text.length);

    buf_release(&text);
    return hash;
}

void
fleet_saw_version(struct fleet_directory *directory, const char *resource_version)
{
    uint64_t version = 0;

    if (str_is_empty(resource_version) || strlen(resource_version) > 19) {
        return;
    }
    for (const char *c = resource_version; *c != '\0'; c++) {
        if (*c < '0' || *c > '9') {
            return;
        }
        version = version * 10 + (uint64_t)(*c - '0');
    }
    if (version > directory->highest_version && version < VERSION_MAX) {
        directory->highest_version = version;
    }
}

/* Returns the value of the next `"kind": "..."` in a text; *ret_length: without quotes. */
static const char *
next_kind(const char **text, const char *end, size_t *ret_length)
{
    static const char key[] = "\"kind\"";
    const char *at = memmem(*text, (size_t)(end - *text), key, sizeof(key) - 1);

    if (at == NULL) {
        return NULL;
    }
    at += sizeof(key) - 1;
    while (at < end && *at != '\0' && strchr(" \t\r\n:", *at) != NULL) {
        at++;
    }
    const char *value = at < end && *at == '"' ? at + 1 : at;
    const char *quote = memchr(value, '"', (size_t)(end - value));

    *ret_length = quote != NULL ? (size_t)(quote - value) : (size_t)(end - value);
    *text = value;
    return value;
}

bool
object_says_kind(const struct file_object *object, const char *wanted, bool *ret_says_any)
{
    const char *text = object->text;
    size_t length;

    *ret_says_any = false;
    for (const char *kind;
         (kind = next_kind(&text, object->text + object->length, &length)) != NULL;
         *ret_says_any = true) {
        if (length == strlen(wanted) && memcmp(kind, wanted, length) == 0) {
            return true;
        }
    }
    return false;
}
