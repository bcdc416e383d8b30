/* SPDX-License-Identifier: Apache-2.0
 *
 * webster-*: Karmada's AllocateWebsterSeats, and AllocateByWeight on top of it.
 */
#include "conform.h"

#include <string.h>

#include "ballast/schedule/divide.h"

/* The party of a name, a new one without weight and replicas when there is none. */
static struct share *
find_share(struct share *shares, uint32_t *count, const char *name)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (strcmp(shares[i].name, name) == 0) {
            return &shares[i];
        }
    }
    shares[*count] = (struct share){.name = name};
    return &shares[(*count)++];
}

static const char *
shares_text(struct conform *run, const struct share *shares, uint32_t count)
{
    struct conform_pair *pairs = ARENA_ARRAY(run->arena, struct conform_pair, count);

    for (uint32_t i = 0; i < count; i++) {
        pairs[i] = (struct conform_pair){shares[i].name, shares[i].replicas};
    }
    return conform_pairs(run, pairs, count);
}

static void
allocate_seats(struct conform *run, const struct value *item)
{
    struct value_iterator votes = VALUE_ITERATOR(value_get(item, "votes"));
    struct value_iterator initial = VALUE_ITERATOR(value_get(item, "initial"));
    size_t most = value_count(votes.object) + value_count(initial.object);
    struct share *shares = ARENA_ARRAY(run->arena, struct share, most);
    bool by_uid = strcmp(conform_text(item, "tieBreaker"), "uid") == 0;
    struct conform_case c = conform_case(item);
    const struct uid uid = uid_of(conform_text(item, "uid"));
    uint32_t count = 0;

    while (value_each(&votes)) {
        find_share(shares, &count, votes.key)->weight = value_integer(votes.value);
    }
    while (value_each(&initial)) {
        find_share(shares, &count, initial.key)->replicas = (int32_t)value_integer(initial.value);
    }
    webster_allocate(shares, count, (int32_t)conform_integer(item, "newSeats", 0),
                     by_uid && webster_ties_descend(&uid));
    conform_compare(run, &c, shares_text(run, shares, count),
                    conform_pairs_of_list(run, value_get(item, "expected"), "seats"));
}

/* Upstream keeps `init` as it is when there is nothing to hand out, or nobody weighs anything. */
static void
allocate_by_weight(struct conform *run, const struct value *item)
{
    const struct value *init = value_get(item, "init");
    const struct value *weights = value_get(item, "weights");
    struct share *shares =
        ARENA_ARRAY(run->arena, struct share, value_count(init) + value_count(weights));
    int32_t replicas = (int32_t)conform_integer(item, "replicas", 0);
    struct conform_case c = conform_case(item);
    const struct uid uid = uid_of(conform_text(item, "uid"));
    uint32_t count = 0;
    int64_t sum = 0;

    for (size_t i = 0; i < value_count(init); i++) {
        const struct value *target = value_at(init, i);

        find_share(shares, &count, conform_text(target, "name"))->replicas =
            (int32_t)conform_integer(target, "replicas", 0);
    }
    for (size_t i = 0; i < value_count(weights); i++) {
        sum += conform_integer(value_at(weights, i), "weight", 0);
    }
    if (sum > 0 && (replicas > 0 || count == 0)) {
        for (size_t i = 0; i < value_count(weights); i++) {
            const struct value *weight = value_at(weights, i);

            find_share(shares, &count, conform_text(weight, "name"))->weight =
                conform_integer(weight, "weight", 0);
        }
        webster_allocate(shares, count, replicas, webster_ties_descend(&uid));
    }
    conform_compare(run, &c, shares_text(run, shares, count),
                    conform_pairs_of_list(run, value_get(item, "expected"), "replicas"));
}

void
conform_webster(struct conform *run, const struct value *root)
{
    const struct value *cases = value_get(root, "cases");

    for (size_t i = 0; i < value_count(cases); i++) {
        const struct value *item = value_at(cases, i);
        const char *function = conform_text(item, "fn");

        if (strcmp(function, "AllocateWebsterSeats") == 0) {
            allocate_seats(run, item);
        } else if (strcmp(function, "AllocateByWeight") == 0) {
            allocate_by_weight(run, item);
        } else {
            struct conform_case c = conform_case(item);
            struct error err = ERROR_INIT;

            error_set(&err, ERROR_INVALID, "fn: unknown function \"%s\"", function);
            conform_broken(run, &c, &err);
        }
    }
}
