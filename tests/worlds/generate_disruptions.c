/* SPDX-License-Identifier: Apache-2.0
 *
 * PodDisruptionBudgets of members, over workloads whose pod templates are known.
 */
#include "generate.h"

static json_t *
share(struct gen *gen)
{
    return percent(gen, 60) ? json_integer(between(gen, 0, 4))
                            : json_string(PICK(gen, "0%", "30%", "50%", "75%", "100%", "some"));
}

static json_t *
selector(struct gen *gen, const char *app)
{
    if (percent(gen, 15)) {
        return json_object(); /* all of the namespace */
    }
    if (percent(gen, 8)) { /* of one version */
        return pack("{s:{s:s,s:s}}", "matchLabels", "app", app, "pod-template-hash",
                    PICK(gen, "new", "new", "old"));
    }
    if (percent(gen, 3)) { /* no such operator */
        return pack("{s:[{s:s,s:s,s:[s]}]}", "matchExpressions", "key", "app", "operator", "Like",
                    "values", app);
    }
    return percent(gen, 70)
               ? pack("{s:{s:s}}", "matchLabels", "app", app)
               : pack("{s:[{s:s,s:s,s:[s,s]}]}", "matchExpressions", "key", "app", "operator",
                      PICK(gen, "In", "In", "NotIn"), "values", app, PICK(gen, "w0", "w1", "w2"));
}

/* It is there, and cannot be read. */
static void
spoil(struct gen *gen, json_t *budget)
{
    switch (below(gen, 3)) {
    case 0:
        put(budget, "spec.selector", json_string("app"));
        break;
    case 1:
        put(budget, "spec.maxUnavailable", json_true());
        break;
    default:
        put(budget, "metadata.generation", json_string("one"));
        break;
    }
}

void
generate_budget(struct gen *gen, int cluster, const char *namespace_, const char *app,
                const char *name)
{
    json_t *budget =
        member_object(gen, cluster, "policy/v1", "PodDisruptionBudget", namespace_, name);
    int generation = between(gen, 1, 2);

    if (percent(gen, 95)) {
        put(budget, "spec.selector", selector(gen, app));
    }
    if (percent(gen, 98)) {
        put(budget, percent(gen, 50) ? "spec.minAvailable" : "spec.maxUnavailable", share(gen));
    }
    if (percent(gen, 80)) {
        put(budget, "metadata.generation", json_integer(generation));
    }
    if (percent(gen, 50)) {
        put(budget, "status",
            pack("{s:i,s:i}", "observedGeneration", between(gen, 1, 2), "disruptionsAllowed",
                 between(gen, 0, 3)));
    }
    if (percent(gen, 4)) {
        spoil(gen, budget);
    }
    add_object(gen, budget);
}

static bool
is_known(const struct gen *gen, const json_t *resource)
{
    size_t index;
    json_t *object;

    json_array_foreach(gen->objects, index, object)
    {
        if (at(object, "spec.template.spec") != NULL &&
            is(text_at(object, "kind"), text_at(resource, "kind")) &&
            is(text_at(object, "metadata.name"), text_at(resource, "name"))) {
            return true;
        }
    }
    return false;
}

static void
add_plain_templates(struct gen *gen)
{
    for (size_t i = 0, count = json_array_size(gen->objects); i < count; i++) {
        const json_t *binding = json_array_get(gen->objects, i);
        const json_t *resource = at(binding, "spec.resource");

        /* one that is known and has no labels has no mates */
        if (resource == NULL || at(binding, "spec.placement.workloadAffinity") != NULL ||
            is_known(gen, resource)) {
            continue;
        }
        add_object(gen, generate_plain_template(binding));
    }
}

/* Budgets in namespaces of workloads of which nobody knows the pods' labels, where these are. */
static void
add_doubtful(struct gen *gen, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *binding = json_array_get(gen->objects, i);
        const json_t *resource = at(binding, "spec.resource");

        if (resource == NULL || is_known(gen, resource) || !percent(gen, 30)) {
            continue;
        }
        for (int c = 0; c < gen->n_clusters; c++) {
            char name[16];

            snprintf(name, sizeof(name), "d%d-%d", (int)i, c);
            if (find_by(at(binding, "spec.clusters"), "name", gen->clusters[c].name) != NULL &&
                percent(gen, 50)) {
                generate_budget(gen, c, text_at(resource, "namespace"),
                                percent(gen, 60) ? text_at(resource, "name") : "other", name);
            }
        }
    }
}

void
generate_disruptions(struct gen *gen)
{
    if (chance(gen, THEME_BALANCE, 50, 0)) {
        generate_balance(gen);
    }
    if (chance(gen, THEME_BALANCE, 80, 0)) {
        add_plain_templates(gen);
    }
    size_t count = json_array_size(gen->objects);

    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_array_get(gen->objects, i);

        if (at(object, "spec.template.spec") == NULL || !percent(gen, 40)) {
            continue;
        }
        for (int n = between(gen, 1, 3); n > 0; n--) {
            char name[16];

            snprintf(name, sizeof(name), "b%d-%d", (int)i, n);
            generate_budget(gen, below(gen, gen->n_clusters), text_at(object, "metadata.namespace"),
                            text_at(object, "metadata.name"), name);
        }
    }
    add_doubtful(gen, count);
}
