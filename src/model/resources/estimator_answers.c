/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers of estimators: kept in order, and found again.
 */
#include "ballast/model/estimator_answers.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/model/binding.h"

static int
stuck_cmp(const void *a, const void *b)
{
    const struct stuck_answer *x = a, *y = b;
    int order = strcmp(x->namespace_, y->namespace_);

    order = order != 0 ? order : strcmp(x->name, y->name);
    order = order != 0 ? order : strcmp(x->kind, y->kind);
    return order != 0 ? order : strcmp(x->api_version, y->api_version);
}

static int
stuck_order(const void *a, const void *b)
{
    const struct stuck_answer *x = a, *y = b;
    int order = stuck_cmp(a, b);

    return order != 0 ? order : (x->replicas > y->replicas) - (x->replicas < y->replicas);
}

static int
room_cmp(const void *a, const void *b)
{
    return strcmp(((const struct room_answer *)a)->key, ((const struct room_answer *)b)->key);
}

static int
room_order(const void *a, const void *b)
{
    const struct room_answer *x = a, *y = b;
    int order = room_cmp(a, b);

    return order != 0 ? order : (x->replicas > y->replicas) - (x->replicas < y->replicas);
}

static int
set_cmp(const void *a, const void *b)
{
    return strcmp(((const struct set_answer *)a)->key, ((const struct set_answer *)b)->key);
}

static int
set_order(const void *a, const void *b)
{
    const struct set_answer *x = a, *y = b;
    int order = set_cmp(a, b);

    return order != 0 ? order : (x->sets > y->sets) - (x->sets < y->sets);
}

/* Sorts `items` by `order` and keeps the first of items that are equal by `cmp`. */
static uint32_t
sort_uniquely(void *items, uint32_t count, size_t size, int (*order)(const void *, const void *),
              int (*cmp)(const void *, const void *))
{
    char *bytes = items;
    uint32_t kept = 0;

    if (count > 1) {
        qsort(items, count, size, order);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || cmp(bytes + (size_t)(kept - 1) * size, bytes + (size_t)i * size) != 0) {
            memmove(bytes + (size_t)kept * size, bytes + (size_t)i * size, size);
            kept++;
        }
    }
    return kept;
}

struct estimator_answers
estimator_answers_of(struct stuck_answer *stuck, uint32_t n_stuck, int64_t threshold,
                     struct room_answer *room, uint32_t n_room)
{
    return (struct estimator_answers){
        .threshold = threshold,
        .stuck = stuck,
        .n_stuck = sort_uniquely(stuck, n_stuck, sizeof(*stuck), stuck_order, stuck_cmp),
        .room = room,
        .n_room = sort_uniquely(room, n_room, sizeof(*room), room_order, room_cmp),
    };
}

void
estimator_answers_put_sets(struct estimator_answers *answers, struct set_answer *sets,
                           uint32_t n_sets)
{
    answers->sets = sets;
    answers->n_sets = sort_uniquely(sets, n_sets, sizeof(*sets), set_order, set_cmp);
}

const struct stuck_answer *
estimator_answers_stuck(const struct estimator_answers *answers,
                        const struct object_reference *workload)
{
    const struct stuck_answer wanted = {.api_version = workload->api_version,
                                        .kind = workload->kind,
                                        .namespace_ = workload->namespace_,
                                        .name = workload->name};

    return answers->n_stuck == 0
               ? NULL
               : bsearch(&wanted, answers->stuck, answers->n_stuck, sizeof(wanted), stuck_cmp);
}

const struct room_answer *
estimator_answers_room(const struct estimator_answers *answers, const char *requirements_key)
{
    const struct room_answer wanted = {.key = requirements_key};

    return answers->n_room == 0
               ? NULL
               : bsearch(&wanted, answers->room, answers->n_room, sizeof(wanted), room_cmp);
}

const struct set_answer *
estimator_answers_sets(const struct estimator_answers *answers, const char *set_key)
{
    const struct set_answer wanted = {.key = set_key};

    return answers->n_sets == 0
               ? NULL
               : bsearch(&wanted, answers->sets, answers->n_sets, sizeof(wanted), set_cmp);
}
