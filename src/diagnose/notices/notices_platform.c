/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports objects that have no use in this fleet, and other writers of bindings.
 */
#include "ballast/base/buf.h"
#include "notices.h"

#define KINDS_TEXT_MAX 512

static void
notice_left_out(struct notices *notices, bool is_foreign, const char *why)
{
    const struct fleet *fleet = notices->fleet;
    uint64_t count = 0;
    struct buf kinds;

    buf_init(&kinds, KINDS_TEXT_MAX);
    for (uint32_t i = 0; i < fleet->n_left_out; i++) {
        const struct left_out *left = &fleet->left_out[i];

        if (left->is_foreign == is_foreign) {
            buf_printf(&kinds, "%s%s (%u)", count > 0 ? ", " : "",
                       quote_text(notices->arena, left->kind), left->count);
            count += left->count;
        }
    }
    if (count > 0) {
        notice_add(notices, "fleet", "%llu %s left out, %s: %s%s", (unsigned long long)count,
                   count == 1 ? "object is" : "objects are", why, buf_text(&kinds),
                   kinds.overflowed ? ", ..." : "");
    }
    buf_release(&kinds);
}

static void
notice_other_writer(struct notices *notices)
{
    const struct fleet *fleet = notices->fleet;

    if (fleet->federation == NULL) {
        return;
    }
    if (fleet_has_kubefed_scheduler(fleet, notices->policy->now)) {
        notice_add(notices, "KubeFed",
                   "its own scheduler is on (feature SchedulerPreferences) and alive, and reverts "
                   "within seconds what is written: switch it off in KubeFedConfig %s/kubefed "
                   "before a run",
                   fleet->federation->namespace_);
    } else if (!fleet->federation->has_config) {
        notice_add(notices, "KubeFed",
                   "there is no KubeFedConfig %s/kubefed, so it is not known whether its own "
                   "scheduler is on",
                   fleet->federation->namespace_);
    }
}

void
notice_platform(struct notices *notices)
{
    notice_left_out(notices, true,
                    notices->fleet->federation != NULL
                        ? "since they are Karmada's, and this is a fleet of KubeFed's"
                        : "since they are KubeFed's, and this is a fleet of Karmada's");
    notice_left_out(notices, false, "since no decision needs their kinds");
    notice_other_writer(notices);
}
