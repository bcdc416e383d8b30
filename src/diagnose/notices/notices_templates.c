/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports pod templates that Ballast needed and could not read.
 */
#include "notices.h"

void
notice_templates(struct notices *notices)
{
    const struct fleet *fleet = notices->fleet;

    for (uint32_t i = 0; i < fleet->n_unseen_templates; i++) {
        const struct unseen_templates *unseen = &fleet->unseen_templates[i];
        const char *about =
            arena_printf(notices->arena, "%s %s", unseen->api_version, unseen->kind);

        /* no count: it depends on the workloads in need at the time of reading, as of a snapshot */
        notice_add(notices, about,
                   "Ballast did not see the pod templates of some workloads in need, and looks for "
                   "room by the requirements of their bindings alone: %s",
                   unseen->message);
    }
}
