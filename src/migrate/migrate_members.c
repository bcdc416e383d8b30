/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks the types of members. YAML reads some unquoted names as other types. Treating those as
 * absent would change the object: without a namespace, it would be cluster-scoped.
 */
#include "migrate_internal.h"

static const char *
path_of(struct migration *m, const char *path, const char *key)
{
    return arena_printf(m->arena, "%s%s%s", path, str_is_empty(path) ? "" : ".", key);
}

static bool
fail(struct migration *m, const char *label, const char *path, enum value_type want,
     const struct value *got)
{
    note_lost(m, label, path, "want %s, got %s", value_type_name(want),
              value_type_name(value_type(got)));
    return false;
}

bool
member_is(struct migration *m, const char *label, const char *path, const struct value *object,
          const char *key, enum value_type type)
{
    const struct value *member = value_get(object, key);

    return member == NULL || value_type(member) == VALUE_NULL || value_type(member) == type ||
           fail(m, label, path_of(m, path, key), type, member);
}

bool
members_are(struct migration *m, const char *label, const char *path, const struct value *object,
            const char *const *keys, enum value_type type)
{
    bool are = true;

    for (size_t i = 0; keys[i] != NULL; i++) {
        are = member_is(m, label, path, object, keys[i], type) && are;
    }
    return are;
}

bool
member_has_texts(struct migration *m, const char *label, const char *path,
                 const struct value *object, const char *key)
{
    const struct value *texts = value_find(object, key, VALUE_OBJECT);
    bool has = member_is(m, label, path, object, key, VALUE_OBJECT);

    for (struct value_iterator it = VALUE_ITERATOR(texts); value_each(&it);) {
        if (value_type(it.value) != VALUE_STRING) {
            has = fail(m, label, path_of(m, path_of(m, path, key), it.key), VALUE_STRING, it.value);
        }
    }
    return has;
}
