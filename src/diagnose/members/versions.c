/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two clusters have the same version of a workload. What Karmada made of
 * one generation of its template is one version, however overrides make it
 * differ from cluster to cluster (karmada writes the generation on what it
 * applies). Where no generation is known, equal templates are one version; so
 * are unequal ones that were rolled out at one time, or later than what fails.
 * Without templates the label decides that the controller sets on its pods; pods
 * without one may be of any version.
 */
#include "observed.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* In which a template reaches all clusters. */
#define ROLLOUT_SKEW NANOS_PER_MINUTE

static bool
is_rolled_out_later(const struct observation *failing, const struct observation *ready)
{
    return ready->current_since >= timestamp_add(failing->current_since, -ROLLOUT_SKEW);
}

bool
is_same_version(const struct observation *failing, const struct trouble *trouble,
                const struct observation *ready)
{
    bool has_templates = failing->current != NULL && ready->current != NULL;
    bool has_none = failing->current == NULL && ready->current == NULL;

    if ((has_templates && same_template(failing->current, ready->current)) ||
        (has_none && !str_is_empty(trouble->revision) &&
         str_eq(trouble->revision, ready->ready_revision))) {
        return true;
    }
    if (failing->generation > 0 && ready->generation > 0) {
        return failing->generation == ready->generation && trouble->is_updated && ready->is_updated;
    }
    return has_templates && is_rolled_out_later(failing, ready);
}
