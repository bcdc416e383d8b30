/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains that it is not known how many replicas fit in a cluster.
 */
#include "ballast/base/str.h"
#include "plan/move/move.h"
#include "reasons.h"

bool
lacks_summary(const struct planner *planner, uint32_t cluster, const char *source)
{
    return str_eq(source, "resource summary") &&
           !planner->fleet->clusters[cluster].has_resource_summary;
}

/* NULL: it is known. */
static const char *
why_unknown(const struct planner *planner, uint32_t cluster, const char *source)
{
    return lacks_summary(planner, cluster, source)
               ? "it has no resource summary, and Ballast sees no nodes of it"
           : str_eq(source, LEDGER_SOURCE_DEVICES)
               ? "its pods need devices, and Ballast does not read which devices are free"
           : str_eq(source, LEDGER_SOURCE_COSTLY)
               ? "its affinity terms, spread constraints and selectors have too many label values "
                 "to work out where its pods fit; 100 are never too many: shorten them"
               : NULL;
}

bool
is_capacity_known(const struct planner *planner, uint32_t cluster, const char *source)
{
    return why_unknown(planner, cluster, source) == NULL;
}

bool
explain_unknown_capacity(struct planner *planner, uint32_t cluster, const char *source,
                         struct decision *decision)
{
    const char *why = why_unknown(planner, cluster, source);

    if (why != NULL) {
        reason_add(planner, decision, "CapacityUnknown", planner->fleet->clusters[cluster].name,
                   "%s", why);
    }
    return why != NULL;
}
