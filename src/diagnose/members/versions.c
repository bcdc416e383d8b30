/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether two clusters have one version of a workload.
 *
 * Equal templates are one version. So is one generation of Karmada's template, although overrides
 * change it per cluster; Karmada writes the generation on each object. Without generations, a ready
 * template that was rolled out at the same time or later is that version, too. Without templates,
 * the controller's label on the pods decides; pods without the label may be of any version.
 */
#include "observed.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"

/* The time in which a template reaches all clusters. */
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
