/* SPDX-License-Identifier: Apache-2.0
 *
 * A node's labels, and the affinity of pods to them.
 */
#include "ballast/base/str.h"
#include "ballast/model/member.h"

const char *
node_label(const struct node *node, const char *key)
{
    const char *value = label_list_find(&node->kind->labels, key);

    return value == NULL && str_eq(key, NODE_HOSTNAME_LABEL) ? node->hostname : value;
}

bool
node_is_dead(const struct node *node)
{
    const struct taint_list *taints = &node->kind->taints;

    for (uint32_t i = 0; i < taints->count; i++) {
        if (str_eq(taints->items[i].key, "node.kubernetes.io/unreachable") ||
            str_eq(taints->items[i].key, "node.kubernetes.io/not-ready")) {
            return true;
        }
    }
    return false;
}

/* A node has only the field metadata.name; other fields have the value "". */
static bool
field_matches(const struct selector_requirement *requirement, const struct node *node)
{
    const char *value = str_eq(requirement->key, "metadata.name") ? node->name : "";

    if (requirement->values.count != 1) {
        return false;
    }
    switch (requirement->operator) {
    case SELECTOR_IN:
        return str_eq(requirement->values.items[0], value);
    case SELECTOR_NOT_IN:
        return !str_eq(requirement->values.items[0], value);
    default:
        return false;
    }
}

static bool
term_matches(const struct node_selector_term *term, const struct node *node)
{
    if (term->match_expressions.count == 0 && term->match_fields.count == 0) {
        return false;
    }
    for (uint32_t i = 0; i < term->match_fields.count; i++) {
        if (!field_matches(&term->match_fields.items[i], node)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < term->match_expressions.count; i++) {
        const struct selector_requirement *wanted = &term->match_expressions.items[i];

        if (!selector_requirement_takes(wanted, node_label(node, wanted->key)) ||
            !selector_requirement_is_valid(wanted, true)) {
            return false;
        }
    }
    return true;
}

bool
node_selector_matches(const struct node_selector *selector, const struct node *node)
{
    /* The wire to the scheduler-estimator loses an affinity without terms. */
    if (selector->count == 0) {
        return true;
    }
    for (uint32_t i = 0; i < selector->count; i++) {
        if (term_matches(&selector->terms[i], node)) {
            return true;
        }
    }
    return false;
}
