/* SPDX-License-Identifier: Apache-2.0
 *
 * Smaller worlds that break the same invariant: whole objects go first, then
 * members and items, as long as it still breaks.
 */
#include <stdlib.h>
#include <string.h>

#include "story.h"

#define TRIES_MAX 20000

struct shrinker {
    struct world world;
    uint64_t seed;
    enum invariant invariant;
    bool broken[N_INVARIANTS]; /* by the world as it was */
    struct judge *judge;
    int tries;
};

/* Still broken, and nothing else that was not. */
static bool
still_breaks(struct shrinker *shrinker)
{
    struct judge *judge = shrinker->judge;

    if (shrinker->tries++ >= TRIES_MAX) {
        return false;
    }
    memset(judge, 0, sizeof(*judge));
    check_world(&shrinker->world, shrinker->seed, judge);
    for (int i = 0; i < N_INVARIANTS; i++) {
        if (judge->broken[i] && !shrinker->broken[i]) {
            return false;
        }
    }
    return judge->broken[shrinker->invariant];
}

/* Items from the back, by halves and then one by one. */
static bool
shrink_list(struct shrinker *shrinker, json_t *list)
{
    bool any = false;

    for (size_t step = json_array_size(list); step > 0; step /= 2) {
        for (size_t i = json_array_size(list); i >= step; i -= step) {
            json_t *kept = json_copy(list);

            for (size_t j = 0; j < step; j++) {
                json_array_remove(list, i - step);
            }
            if (still_breaks(shrinker)) {
                any = true;
            } else {
                json_array_clear(list);
                json_array_extend(list, kept);
            }
            json_decref(kept);
        }
    }
    return any;
}

static bool
shrink_object(struct shrinker *shrinker, json_t *object)
{
    json_t *copy = json_copy(object);
    const char *key;
    json_t *value;
    bool any = false;

    json_object_foreach(copy, key, value)
    {
        if (is(key, "apiVersion") || is(key, "kind")) {
            continue; /* without them it is another world, or none */
        }
        json_incref(value);
        json_object_del(object, key);
        if (still_breaks(shrinker)) {
            any = true;
            json_decref(value);
        } else {
            json_object_set_new(object, key, value);
        }
    }
    json_decref(copy);
    return any;
}

static bool
shrink_value(struct shrinker *shrinker, json_t *value)
{
    bool any = false;
    const char *key;
    json_t *inner;
    size_t index;

    if (json_is_array(value)) {
        any = shrink_list(shrinker, value);
        json_array_foreach(value, index, inner)
        {
            any = shrink_value(shrinker, inner) || any;
        }
    } else if (json_is_object(value)) {
        any = shrink_object(shrinker, value);
        json_object_foreach(value, key, inner)
        {
            any = shrink_value(shrinker, inner) || any;
        }
    }
    return any;
}

struct world
shrink_world(struct world world, uint64_t seed, enum invariant invariant)
{
    struct shrinker shrinker = {
        .world = world,
        .seed = seed,
        .invariant = invariant,
        .judge = calloc(1, sizeof(struct judge)),
    };

    if (shrinker.judge == NULL) {
        abort();
    }
    check_world(&shrinker.world, seed, shrinker.judge);
    memcpy(shrinker.broken, shrinker.judge->broken, sizeof(shrinker.broken));
    for (bool shrunk = true; shrunk && shrinker.tries < TRIES_MAX;) {
        shrunk = shrink_value(&shrinker, shrinker.world.config);
        shrunk = shrink_value(&shrinker, shrinker.world.objects) || shrunk;
    }
    free(shrinker.judge);
    return shrinker.world;
}
