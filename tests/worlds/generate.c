/* SPDX-License-Identifier: Apache-2.0
 *
 * A world from a seed, and the small dice that its parts are made with.
 */
#include "generate.h"

#include <stdio.h>

#include "drills.h"
#include "kubefed.h"

bool
percent(struct gen *gen, int share)
{
    return random_percent(&gen->random, share);
}

int
below(struct gen *gen, int bound)
{
    return random_below(&gen->random, bound);
}

int
between(struct gen *gen, int low, int high)
{
    return low + below(gen, high - low + 1);
}

bool
chance(struct gen *gen, enum theme theme, int with, int without)
{
    return percent(gen, (gen->themes >> theme & 1) != 0 ? with : without);
}

const char *
pick_text(struct gen *gen, const char *const *texts)
{
    int count = 0;

    while (texts[count] != NULL) {
        count++;
    }
    return texts[below(gen, count)];
}

json_t *
ago(struct gen *gen, int64_t seconds)
{
    (void)gen;
    return time_json(WORLD_NOW - seconds);
}

json_t *
some_time_ago(struct gen *gen)
{
    static const int64_t edges[] = {5,   30,  59,  60,   61,   120,  240,  299,   300,
                                    301, 400, 900, 1800, 3600, 7200, 7201, 21600, 100000};

    return ago(gen, edges[below(gen, (int)(sizeof(edges) / sizeof(edges[0])))]);
}

/* The same amount in one of its notations. */
json_t *
cpu_quantity(struct gen *gen, int milli)
{
    if (milli % 1000 == 0 && percent(gen, 50)) {
        return percent(gen, 50) ? json_integer(milli / 1000) : json_sprintf("%d", milli / 1000);
    }
    return json_sprintf("%dm", milli);
}

void
add_object(struct gen *gen, json_t *object)
{
    json_array_append_new(gen->objects, object);
}

json_t *
some_clusters(struct gen *gen, int share)
{
    json_t *names = json_array();

    for (int i = 0; i < gen->n_clusters; i++) {
        if (percent(gen, share)) {
            json_array_append_new(names, json_string(gen->clusters[i].name));
        }
    }
    return names;
}

json_t *
some_requirement(struct gen *gen, const char *key, const char *a, const char *b)
{
    const char *operator= PICK(gen, "In", "NotIn", "Exists", "DoesNotExist");
    json_t *requirement = pack("{s:s,s:s}", "key", key, "operator", operator);

    if (is(operator, "In") || is(operator, "NotIn")) {
        put(requirement, "values",
            percent(gen, 60) ? pack("[s]", percent(gen, 50) ? a : b) : pack("[s,s]", a, b));
    }
    return requirement;
}

json_t *
member_object(struct gen *gen, int cluster, const char *api_version, const char *kind,
              const char *namespace_, const char *name)
{
    json_t *object = pack("{s:s,s:s,s:{s:s,s:{s:s}}}", "apiVersion", api_version, "kind", kind,
                          "metadata", "name", name, "annotations",
                          "resource.karmada.io/cached-from-cluster", gen->clusters[cluster].name);

    if (*namespace_ != '\0') {
        put(object, "metadata.namespace", json_string(namespace_));
    }
    return object;
}

/* Two or three themes, or none. */
static unsigned
some_themes(struct gen *gen)
{
    unsigned themes = 0;

    for (int i = below(gen, 5); i > 0; i--) {
        themes |= 1u << below(gen, N_THEMES);
    }
    return themes;
}

/* Of KubeFed's. */
static void
generate_federation(struct gen *gen, struct world *world)
{
    bool is_namespaced = percent(gen, 5);

    kubefed_generate_config(gen);
    kubefed_generate_host(gen, is_namespaced);
    for (int i = 0; i < gen->n_bindings; i++) {
        kubefed_generate_object(gen, i, is_namespaced);
    }
    for (int i = 0; i < gen->n_clusters; i++) {
        generate_nodes(gen, i);
        generate_admission(gen, i);
    }
    kubefed_put_regions(gen);
    *world = (struct world){
        .objects = gen->objects,
        .config = gen->config,
        .is_kubefed = true,
        .takeover = percent(gen, 40),
    };
}

/* Of so many worlds one has a reschedule that goes in parts, and one a placement that changed. */
#define IN_PARTS_EVERY 8

/* And one where pods of lower priority are in the way, which is planned of summaries, too (same.c).
 */
#define PREEMPTING_EVERY 24

/* And one where balance moves what is well, and one where clusters may grow. */
#define BALANCE_EVERY 24
#define GROWTH_EVERY 24

/* And some where plain Deployments meet quotas, groups, preferences and estimators. */
#define PLAIN_EVERY 4

/* What some worlds have, in turn. */
static void
generate_turns(struct gen *gen, uint64_t seed)
{
    if (seed % PLAIN_EVERY == 2 && seed % BALANCE_EVERY != 10 && seed % GROWTH_EVERY != 22) {
        generate_plain(gen);
    }
    generate_set_answers(gen);
    generate_disruptions(gen);
    if (seed % BALANCE_EVERY == 10) {
        generate_balance_alone(gen);
    }
    if (seed % GROWTH_EVERY == 22) {
        generate_growth(gen);
    }
}

void
world_generate(struct world *world, uint64_t seed)
{
    struct gen gen = {.random = random_from(seed), .objects = json_array()};

    gen.themes = some_themes(&gen);
    gen.is_old_server = percent(&gen, 3);
    gen.marks_managed = percent(&gen, 70);
    gen.n_clusters = between(&gen, 2, CLUSTERS_MAX);
    gen.n_bindings = percent(&gen, 50) ? between(&gen, 1, 2) : between(&gen, 1, BINDINGS_MAX);
    for (int i = 0; i < gen.n_clusters; i++) {
        snprintf(gen.clusters[i].name, sizeof(gen.clusters[i].name), "m%d", i + 1);
    }
    if (seed % KUBEFED_EVERY == 0) {
        generate_federation(&gen, world);
        return;
    }
    if (seed % DRILL_EVERY == DRILL_OF_THEM) {
        drill_generate(&gen, world);
        return;
    }
    generate_config(&gen);
    for (int i = 0; i < gen.n_clusters; i++) {
        generate_cluster(&gen, i);
        generate_answers(&gen, i);
    }
    for (int i = 0; i < gen.n_bindings; i++) {
        generate_binding(&gen, i);
    }
    if (seed % IN_PARTS_EVERY == 3 || seed % IN_PARTS_EVERY == 7) {
        generate_binding_in_parts(&gen, seed % IN_PARTS_EVERY == 7);
    }
    for (int i = 0; i < gen.n_clusters; i++) {
        generate_nodes(&gen, i);
        generate_admission(&gen, i);
        generate_volumes(&gen, i);
    }
    generate_others(&gen);
    if (seed % PREEMPTING_EVERY == 13) {
        generate_preempting(&gen);
    }
    *world = (struct world){
        .objects = gen.objects,
        .config = gen.config,
        .reschedule_all = percent(&gen, 2),
    };
    generate_turns(&gen, seed);
}

void
world_free(struct world *world)
{
    json_decref(world->objects);
    json_decref(world->config);
    json_decref(world->expected);
}

struct world
world_copy(const struct world *world)
{
    return (struct world){
        .objects = json_deep_copy(world->objects),
        .config = json_deep_copy(world->config),
        .expected = json_deep_copy(world->expected),
        .reschedule_all = world->reschedule_all,
        .is_kubefed = world->is_kubefed,
        .as_karmada08 = world->as_karmada08,
        .takeover = world->takeover,
    };
}
