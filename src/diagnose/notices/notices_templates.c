/* SPDX-License-Identifier: Apache-2.0
 *
 * Pod templates that were wanted and are not known: what nodes would refuse these
 * workloads' pods for is not, either.
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

        /* how many they are depends on what was in need where they were read, as in a snapshot */
        notice_add(notices, about,
                   "pod templates of some in need are not seen, so room is looked for by the "
                   "requirements of bindings alone: %s",
                   unseen->message);
    }
}
