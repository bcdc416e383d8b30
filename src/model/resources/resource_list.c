/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of resources by name, and the classes of resource names.
 */
#include <stdio.h>
#include <string.h>

#include "ballast/base/name_index.h"
#include "ballast/base/str.h"
#include "ballast/model/quantity.h"
#include "ballast/model/selector.h"

#define GLANCED_AT 8 /* items compared one by one before a search */

const struct quantity *
resource_list_find(const struct resource_list *list, const char *name)
{
    uint32_t found = names_find(list->items, sizeof(list->items[0]), list->count, name);

    return found != NAME_NONE ? &list->items[found].amount : NULL;
}

int64_t
resource_amount_of(const char *name, struct quantity q)
{
    const bool is_cpu = str_eq(name, "cpu");
    const nanos128 most = resource_amount_nanos(name, INT64_MAX);

    if (q.nano > most || q.nano < -most) {
        return q.nano > 0 ? INT64_MAX : INT64_MIN;
    }
    return is_cpu ? quantity_milli_value(q) : quantity_value(q);
}

int64_t
resource_amount_plus(int64_t a, int64_t b)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

nanos128
resource_amount_nanos(const char *name, int64_t amount)
{
    return (nanos128)amount * (str_eq(name, "cpu") ? 1000000 : 1000000000);
}

const struct resource_amount *
resource_amounts_get(const struct resource_amounts *list, const char *name)
{
    /* Names of one fleet are mostly interned, and a node has about five. */
    for (uint32_t i = 0; i < list->count && i < GLANCED_AT; i++) {
        if (list->items[i].name == name) {
            return &list->items[i];
        }
    }
    uint32_t found = names_find(list->items, sizeof(list->items[0]), list->count, name);

    return found != NAME_NONE ? &list->items[found] : NULL;
}

int64_t
resource_amounts_find(const struct resource_amounts *list, const char *name)
{
    const struct resource_amount *found = resource_amounts_get(list, name);

    return found != NULL ? found->amount : 0;
}

/* A walk over the resources of two lists together. */
struct both {
    const struct resource_amounts *a, *b;
    uint32_t i, j;
};

static bool
next_of_both(struct both *walk, const char **ret_name, int64_t *ret_a, int64_t *ret_b)
{
    const struct resource_amount *a = walk->i < walk->a->count ? &walk->a->items[walk->i] : NULL;
    const struct resource_amount *b = walk->j < walk->b->count ? &walk->b->items[walk->j] : NULL;

    if (a == NULL && b == NULL) {
        return false;
    }
    int order = a == NULL ? 1 : b == NULL ? -1 : strcmp(a->name, b->name);

    *ret_name = order <= 0 ? a->name : b->name;
    *ret_a = order <= 0 ? a->amount : 0;
    *ret_b = order >= 0 ? b->amount : 0;
    walk->i += order <= 0 ? 1 : 0;
    walk->j += order >= 0 ? 1 : 0;
    return true;
}

struct resource_amounts
resource_amounts_join(struct arena *arena, const struct resource_amounts *a,
                      const struct resource_amounts *b, int64_t (*join)(int64_t, int64_t))
{
    struct resource_amount *items =
        ARENA_ARRAY(arena, struct resource_amount, (size_t)a->count + b->count);
    struct both walk = {.a = a, .b = b};
    struct resource_amounts joined = {.items = items};
    const char *name;
    int64_t left, right;

    while (next_of_both(&walk, &name, &left, &right)) {
        items[joined.count++] = (struct resource_amount){name, join(left, right)};
    }
    return joined;
}

int
resource_amounts_order(const struct resource_amounts *a, const struct resource_amounts *b)
{
    struct both walk = {.a = a, .b = b};
    const char *name;
    int64_t left, right;

    while (next_of_both(&walk, &name, &left, &right)) {
        if (left != right) {
            return left < right ? -1 : 1;
        }
    }
    return 0;
}

static bool
starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Quotas put "requests." before the name, and the result must be a valid label key. */
static bool
is_valid_in_quota(const char *name)
{
    char key[512]; /* longer than any valid key */
    int length = snprintf(key, sizeof(key), "requests.%s", name);

    return length > 0 && (size_t)length < sizeof(key) && label_key_is_valid(key);
}

static bool
resource_name_is_extended(const char *name)
{
    return strchr(name, '/') != NULL && strstr(name, "kubernetes.io/") == NULL &&
           !starts_with(name, "requests.") && is_valid_in_quota(name);
}

bool
resource_name_is_scalar(const char *name)
{
    return starts_with(name, "hugepages-") || starts_with(name, "attachable-volumes-") ||
           strstr(name, "kubernetes.io/") != NULL || resource_name_is_extended(name);
}

bool
resource_name_counts_on_node(const char *name)
{
    return strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0 ||
           strcmp(name, "ephemeral-storage") == 0 || resource_name_is_scalar(name);
}
