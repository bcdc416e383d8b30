/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bindings karmada-scheduler takes for its own. Since v1.10 it goes by the
 * permanent ids of policies, before by their names, which were labels then; the
 * bindings show which it is: a server that knows of ids writes them to all.
 */
#include "ballast/annotations/owner_labels.h"

#include "ballast/base/str.h"

#define POLICY "propagationpolicy.karmada.io/"
#define CLUSTER_POLICY "clusterpropagationpolicy.karmada.io/"
#define MANAGED_BY "binding.karmada.io/managed-by"

/* An empty value counts as no label. */
static bool
has_label(const struct binding *binding, const char *key)
{
    const char *value = label_list_find(&binding->labels, key);

    return value != NULL && !str_is_empty(value);
}

static bool
has_permanent_id(const struct binding *binding)
{
    return has_label(binding, POLICY "permanent-id") ||
           has_label(binding, CLUSTER_POLICY "permanent-id");
}

static bool
has_policy_name(const struct binding *binding)
{
    return has_label(binding, POLICY "name") || has_label(binding, CLUSTER_POLICY "name");
}

enum owner_labels
find_owner_labels(const struct fleet *fleet)
{
    enum owner_labels found = OWNER_LABELS_NONE;
    bool is_managed = false;

    for (uint32_t i = 0; i < fleet->n_bindings; i++) {
        if (has_permanent_id(&fleet->bindings[i])) {
            return OWNER_LABELS_PERMANENT_ID;
        }
        if (has_policy_name(&fleet->bindings[i])) {
            found = OWNER_LABELS_POLICY_NAME;
        }
        is_managed = is_managed || has_label(&fleet->bindings[i], MANAGED_BY);
    }
    return found == OWNER_LABELS_NONE && is_managed ? OWNER_LABELS_PERMANENT_ID : found;
}

bool
fleet_schedules(const struct fleet *fleet, const struct binding *binding)
{
    return binding->federated != NULL || has_permanent_id(binding) ||
           has_label(binding, MANAGED_BY) ||
           (fleet->owner_labels == OWNER_LABELS_POLICY_NAME && has_policy_name(binding));
}
