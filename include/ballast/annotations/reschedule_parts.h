/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation in which a run leaves its part of a reschedule, or of a changed placement, that
 * limits split over several runs: JSON. Anybody may have written the annotation, so a text that
 * cannot be used counts as none.
 *
 *     {"for":"2026-03-01T12:00:00Z","from":["berlin"],"to":["oslo","paris"]}
 *     {"placement":{...},"from":["berlin"],"to":["oslo","paris"]}
 */
#ifndef BALLAST_ANNOTATIONS_RESCHEDULE_PARTS_H
#define BALLAST_ANNOTATIONS_RESCHEDULE_PARTS_H

#include "ballast/base/arena.h"
#include "ballast/model/binding.h"

#define ANNOTATION_RESCHEDULE_PARTS "ballast.io/reschedule-parts"
#define RESCHEDULE_PARTS_NONE "{}"
#define RESCHEDULE_PARTS_OWN_MAX 8192 /* bytes, without the placement */
#define RESCHEDULE_PARTS_TEXT_MAX                                                                  \
    (RESCHEDULE_PARTS_OWN_MAX + PLACEMENT_TEXT_MAX) /* bytes; readers ignore longer texts */
#define RESCHEDULE_PARTS_MAX 64                     /* clusters in `from` and in `to`, each */

/* Clusters from which the parts so far took replicas, and clusters that got replicas. */
struct reschedule_parts {
    int64_t asked_at; /* rescheduleTriggeredAt of the request; TIME_NONE: no request */
    const struct placement *placement; /* changed placement; NULL: unchanged */
    struct str_list from, to;
};

/* Returns a copy of `parts` with the clusters of `from` and `to` added. Its lists are in `arena`.
 * Drops new clusters beyond RESCHEDULE_PARTS_MAX in a list. */
struct reschedule_parts reschedule_parts_plus(struct arena *arena,
                                              const struct reschedule_parts *parts,
                                              const struct target_list *from,
                                              const struct target_list *to);
/* Returns the annotation's text in `arena`. Drops clusters at the ends of both lists until the
 * text, without the placement, is at most RESCHEDULE_PARTS_OWN_MAX long. `placement` has a text. */
const char *reschedule_parts_text(struct arena *arena, const struct reschedule_parts *parts);

#endif
