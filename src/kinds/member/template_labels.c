/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds labels to a template's pods, and merges the label keys of its affinity terms.
 */
#include "kinds/builder/builder.h"
#include "member_decoders.h"

/* Labels that a controller gives the pods of its workload, in place of the template's own. */
static const struct {
    const char *kind, *key;
    const char *value; /* NULL: the workload's name */
} labels_added[] = {
    {"Deployment", POD_TEMPLATE_HASH_LABEL, LABEL_VALUE_UNKNOWN},
    {"StatefulSet", POD_REVISION_LABEL, LABEL_VALUE_UNKNOWN},
    {"StatefulSet", "statefulset.kubernetes.io/pod-name", LABEL_VALUE_OF_EACH},
    {"StatefulSet", "apps.kubernetes.io/pod-index", LABEL_VALUE_OF_EACH},
    {"Job", "job-name", NULL},
    {"Job", "controller-uid", LABEL_VALUE_UNKNOWN},
    {"Job", "batch.kubernetes.io/job-name", NULL},
    {"Job", "batch.kubernetes.io/controller-uid", LABEL_VALUE_UNKNOWN},
};

#define N_LABELS_ADDED (sizeof(labels_added) / sizeof(labels_added[0]))

static bool
is_added(const char *kind, const char *key)
{
    for (size_t i = 0; i < N_LABELS_ADDED; i++) {
        if (str_eq(labels_added[i].kind, kind) && str_eq(labels_added[i].key, key)) {
            return true;
        }
    }
    return false;
}

void
template_add_labels(struct fleet_builder *builder, const char *kind,
                    struct pod_template *pod_template)
{
    struct label_list *list = &pod_template->labels;
    struct label *labels =
        ARENA_ARRAY(builder->scratch, struct label, list->count + N_LABELS_ADDED);
    uint32_t count = 0;

    for (size_t i = 0; i < N_LABELS_ADDED; i++) {
        if (str_eq(labels_added[i].kind, kind)) {
            const char *value = labels_added[i].value;

            labels[count++] =
                (struct label){labels_added[i].key, value != NULL ? value : pod_template->name};
        }
    }
    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (!is_added(kind, list->items[i].key)) {
            labels[count++] = list->items[i];
        }
    }
    labels_sort(labels, count);
    list->items = builder_share(builder, labels, count * sizeof(*labels));
    list->count = count;
}

/* A term's selector under construction. */
struct merged {
    struct label_selector *selector;
    struct selector_requirement *items;
};

static struct merged
merged_from(struct arena *arena, const struct pod_affinity_term *term)
{
    const struct requirement_list *before = &term->selector->match_expressions;
    uint32_t most = before->count + term->match_label_keys.count + term->mismatch_label_keys.count;
    struct merged merged = {
        .selector = arena_memdup(arena, term->selector, sizeof(*term->selector)),
        .items = ARENA_ARRAY(arena, struct selector_requirement, most),
    };

    if (before->count > 0) {
        memcpy(merged.items, before->items, before->count * sizeof(*before->items));
    }
    merged.selector->match_expressions.items = merged.items;
    return merged;
}

/* An unknown value counts as the value of all pods that have the label. */
static void
add_requirement(struct arena *arena, struct merged *to, const struct label *label, bool is_match)
{
    struct selector_requirement *added = &to->items[to->selector->match_expressions.count++];
    const char **value;

    *added = (struct selector_requirement){.key = label->key};
    if (label_value_is_unknown(label->value)) {
        added->operator= is_match ? SELECTOR_EXISTS : SELECTOR_DOES_NOT_EXIST;
        added->operator_text = is_match ? "Exists" : "DoesNotExist";
        return;
    }
    value = ARENA_NEW(arena, const char *);
    *value = label->value;
    added->operator= is_match ? SELECTOR_IN : SELECTOR_NOT_IN;
    added->operator_text = is_match ? "In" : "NotIn";
    added->values = (struct str_list){.items = value, .count = 1, .present = true};
}

/* A key without a label on the pod has no effect. If each replica has its own value of a label, no
 * two replicas match on it, and all mismatch. */
static void
merge_keys(struct arena *arena, struct pod_affinity_term *term, const struct label_list *labels)
{
    const struct str_list *lists[] = {&term->match_label_keys, &term->mismatch_label_keys};
    struct merged all = merged_from(arena, term), among = merged_from(arena, term);
    bool selects_no_replica = false;

    for (size_t i = 0; i < 2; i++) {
        bool is_match = lists[i] == &term->match_label_keys;

        for (uint32_t j = 0; j < lists[i]->count; j++) {
            const struct label label = {lists[i]->items[j],
                                        label_list_find(labels, lists[i]->items[j])};

            if (label.value == NULL) {
                continue;
            }
            add_requirement(arena, &all, &label, is_match);
            if (str_eq(label.value, LABEL_VALUE_OF_EACH)) {
                term->is_other_among_replicas = true;
                selects_no_replica |= is_match;
            } else {
                add_requirement(arena, &among, &label, is_match);
            }
        }
    }
    term->selector = all.selector;
    term->among_replicas = selects_no_replica ? NULL : among.selector;
}

static bool
has_keys(const struct pod_affinity_term *term)
{
    return term->selector != NULL &&
           term->match_label_keys.count + term->mismatch_label_keys.count > 0;
}

static bool
have_keys(const struct pod_affinity_terms *terms)
{
    for (uint32_t i = 0; i < terms->count; i++) {
        if (has_keys(&terms->items[i])) {
            return true;
        }
    }
    return false;
}

static void
merge_terms(struct arena *arena, struct pod_affinity_terms *terms, const struct label_list *labels)
{
    struct pod_affinity_term *items =
        arena_memdup(arena, terms->items, terms->count * sizeof(*items));

    for (uint32_t i = 0; i < terms->count; i++) {
        if (has_keys(&items[i])) {
            merge_keys(arena, &items[i], labels);
        }
    }
    terms->items = items;
}

void
template_merge_label_keys(struct fleet_builder *builder, struct pod_template *pod_template)
{
    struct arena *arena = builder->fleet->arena;
    const struct pod_affinity *affinity = pod_template->affinity;

    if (affinity == NULL || !(have_keys(&affinity->to) || have_keys(&affinity->against))) {
        return;
    }
    struct pod_affinity *merged = arena_memdup(arena, affinity, sizeof(*affinity));

    merge_terms(arena, &merged->to, &pod_template->labels);
    merge_terms(arena, &merged->against, &pod_template->labels);
    pod_template->affinity = merged;
}
