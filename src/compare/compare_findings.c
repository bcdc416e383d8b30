/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the findings of a binding in two looks.
 */
#include "ballast/base/str.h"
#include "compare_internal.h"

/* Findings of a binding in one look, by type and cluster. */
struct findings {
    const struct finding *items;
    uint32_t count;
};

static struct findings
findings_of(const struct compared_look *look, uint32_t binding)
{
    if (binding == PAIR_NONE) {
        return (struct findings){.count = 0};
    }
    const struct binding_state *state = &look->diagnosis->bindings[binding];

    return (struct findings){look->diagnosis->findings + state->first_finding, state->n_findings};
}

static int
key_cmp(const struct finding *a, const struct finding *b)
{
    if (a->type != b->type) {
        return a->type < b->type ? -1 : 1;
    }
    return strcmp(a->cluster, b->cluster);
}

/* True if the finding comes from a member's pods, and the other look has this target but did not
 * see the member. */
static bool
is_unseen(const struct compared_look *look, const bool *unseen, uint32_t binding,
          const struct finding *finding)
{
    bool is_of_pods =
        finding->type == FINDING_UNSCHEDULABLE_REPLICAS || finding->type == FINDING_FAILED_REPLICAS;
    int target = is_of_pods && binding != PAIR_NONE
                     ? binding_find_target(&look->fleet->bindings[binding], finding->cluster)
                     : -1;
    uint32_t cluster =
        target >= 0 ? look->fleet->bindings[binding].clusters.items[target].cluster : CLUSTER_NONE;

    return cluster != CLUSTER_NONE && unseen[cluster];
}

static struct compared_finding
compared(enum compared_change change, const struct finding *finding, int32_t before, int32_t after)
{
    return (struct compared_finding){
        .change = change,
        .type = finding->type,
        .cluster = finding->cluster,
        .before = before,
        .after = after,
        .message = finding->message,
    };
}

/* Returns which list has the next finding. Negative: before; positive: after; 0: both. */
static int
next_of(const struct findings *before, uint32_t i, const struct findings *after, uint32_t j)
{
    if (i == before->count) {
        return 1;
    }
    return j == after->count ? -1 : key_cmp(&before->items[i], &after->items[j]);
}

void
compare_findings(struct comparing *comparing, const struct binding_pair *pair,
                 struct compared_binding *ret)
{
    const struct findings before = findings_of(&comparing->before, pair->before);
    const struct findings after = findings_of(&comparing->after, pair->after);
    struct compared_finding *list =
        ARENA_ARRAY(comparing->arena, struct compared_finding, before.count + after.count);
    uint32_t i = 0, j = 0, count = 0;

    while (i < before.count || j < after.count) {
        const int order = next_of(&before, i, &after, j);

        if (order < 0) {
            const struct finding *was = &before.items[i++];

            list[count] = compared(COMPARED_WENT, was, was->replicas, 0);
            list[count++].is_unseen =
                is_unseen(&comparing->after, comparing->unseen_after, pair->after, was);
        } else if (order > 0) {
            const struct finding *is = &after.items[j++];

            list[count] = compared(COMPARED_CAME, is, 0, is->replicas);
            list[count++].is_unseen =
                is_unseen(&comparing->before, comparing->unseen_before, pair->before, is);
        } else {
            const struct finding *was = &before.items[i++], *is = &after.items[j++];

            if (was->replicas != is->replicas) {
                list[count++] = compared(COMPARED_CHANGED, is, was->replicas, is->replicas);
            }
        }
    }
    ret->findings = list;
    ret->n_findings = count;
}
