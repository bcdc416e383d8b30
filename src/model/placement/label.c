/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels: finding them, and what may be a key or a value (apimachinery's
 * IsLabelKey, IsLabelValue, IsDNS1123Subdomain).
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/model/selector.h"

#define LABEL_NAME_MAX 63
#define SUBDOMAIN_MAX 253

/* isalnum() depends on the locale. */
static bool
is_lower_alnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool
is_alnum(char c)
{
    return is_lower_alnum(c) || (c >= 'A' && c <= 'Z');
}

/* ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9], of bounded length. */
static bool
is_name(const char *text, size_t length)
{
    if (length == 0 || length > LABEL_NAME_MAX || !is_alnum(text[0]) ||
        !is_alnum(text[length - 1])) {
        return false;
    }
    for (size_t i = 1; i < length; i++) {
        if (!is_alnum(text[i]) && text[i] != '-' && text[i] != '_' && text[i] != '.') {
            return false;
        }
    }
    return true;
}

/* Lower-case words joined by dots; a word begins and ends with a letter or digit. */
bool
label_prefix_is_valid(const char *prefix, size_t length)
{
    char before = '.';

    if (length == 0 || length > SUBDOMAIN_MAX) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = prefix[i];

        if (!is_lower_alnum(c) && c != '-' && c != '.') {
            return false;
        }
        if ((c == '.' && !is_lower_alnum(before)) || (c == '-' && before == '.')) {
            return false;
        }
        before = c;
    }
    return is_lower_alnum(before);
}

bool
label_key_is_valid(const char *key)
{
    const char *slash = strchr(key, '/');

    if (slash == NULL) {
        return is_name(key, strlen(key));
    }
    return label_prefix_is_valid(key, (size_t)(slash - key)) &&
           is_name(slash + 1, strlen(slash + 1));
}

bool
label_value_is_valid(const char *value)
{
    return str_is_empty(value) || is_name(value, strlen(value));
}

bool
str_list_has(const struct str_list *list, const char *text)
{
    const struct named_items named = {list->items, sizeof(list->items[0]), list->count,
                                      list->by_name};

    return name_index_find(&named, text, 0) != NAME_NONE;
}

static bool
text_equal(const char *const *a, const char *const *b)
{
    return str_eq(*a, *b);
}

LIST_EQUAL(, str_list, text_equal)

static int
label_cmp(const void *a, const void *b)
{
    return strcmp(((const struct label *)a)->key, ((const struct label *)b)->key);
}

void
labels_sort(struct label *labels, uint32_t count)
{
    if (count > 1) {
        qsort(labels, count, sizeof(*labels), label_cmp);
    }
}

const char *
label_list_find(const struct label_list *labels, const char *key)
{
    uint32_t found = names_find(labels->items, sizeof(labels->items[0]), labels->count, key);

    return found != NAME_NONE ? labels->items[found].value : NULL;
}

bool
label_list_has_all(const struct label_list *labels, const struct label_list *wanted)
{
    for (uint32_t i = 0; i < wanted->count; i++) {
        const char *value = label_list_find(labels, wanted->items[i].key);

        if (value == NULL || !str_eq(value, wanted->items[i].value)) {
            return false;
        }
    }
    return true;
}

static bool
label_equal(const struct label *a, const struct label *b)
{
    return str_eq(a->key, b->key) && str_eq(a->value, b->value);
}

LIST_EQUAL(, label_list, label_equal)
