/* SPDX-License-Identifier: Apache-2.0
 *
 * The selectors of a list request.
 */
#include "fake_selector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"

static const char *
text_at(const struct value *value, const char *outer, const char *inner)
{
    const struct value *object = value != NULL ? value_get(value, outer) : NULL;
    const struct value *found = object != NULL ? value_get(object, inner) : NULL;

    return found != NULL && value_type(found) == VALUE_STRING ? value_string(found) : "";
}

/* Whether a selector of the query ("KEY=VALUE" or "KEY!=VALUE", escaped) is true of an object whose
 * value for its key is `value_of`'s. */
static bool
is_selected(const char *query, const char *name, const struct value *object,
            const char *(*value_of)(const struct value *object, const char *key))
{
    const char *at = strstr(query, name);
    char key[128] = "", value[64] = "";
    bool differs;

    if (at == NULL) {
        return true;
    }
    at += strlen(name);
    for (size_t i = 0; *at != '\0' && *at != '&' && strncmp(at, "%3D", 3) != 0 &&
                       strncmp(at, "%21", 3) != 0 && i < sizeof(key) - 1;
         i++) {
        bool is_slash = strncmp(at, "%2F", 3) == 0;

        key[i] = *at;
        if (is_slash) {
            key[i] = '/';
        }
        at += is_slash ? 3 : 1;
    }
    differs = strncmp(at, "%21%3D", 6) == 0;
    snprintf(value, sizeof(value), "%.*s", (int)strcspn(at + (differs ? 6 : 3), "&"),
             at + (differs ? 6 : 3));
    return str_eq(value_of(object, key), value) != differs;
}

static const char *
phase_of(const struct value *object, const char *key)
{
    return str_eq(key, "status.phase") ? text_at(object, "status", "phase") : "";
}

static const char *
label_of(const struct value *object, const char *key)
{
    const struct value *metadata = value_get(object, "metadata");

    return text_at(metadata, "labels", key);
}

bool
fake_selector_takes(const char *query, const struct value *object)
{
    return is_selected(query, "fieldSelector=", object, phase_of) &&
           is_selected(query, "labelSelector=", object, label_of);
}

unsigned
fake_query_number(const char *query, const char *key, unsigned otherwise)
{
    const char *at = query != NULL ? strstr(query, key) : NULL;

    return at != NULL ? (unsigned)strtoul(at + strlen(key), NULL, 10) : otherwise;
}
