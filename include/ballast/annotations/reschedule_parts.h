/* SPDX-License-Identifier: Apache-2.0
 *
 * What has gone of a reschedule that limits let go in parts only, or of a placement
 * that changed: on the binding, as the JSON of one annotation, for the runs that go
 * on with it. Whatever stands there was written by anybody: what cannot be used is nothing.
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
    (RESCHEDULE_PARTS_OWN_MAX + PLACEMENT_TEXT_MAX) /* a longer one is not read */
#define RESCHEDULE_PARTS_MAX 64                     /* clusters, in from and in to, each */

/* The clusters that the parts so far took replicas from, and those that they brought some to. */
struct reschedule_parts {
    int64_t asked_at; /* rescheduleTriggeredAt of the request; TIME_NONE: there was none */
    const struct placement *placement; /* that they divide for; NULL: it had not changed */
    struct str_list from, to;
};

/* The same with the clusters of both lists, in `arena`; of those that are new to it, as many as
 * fit. */
struct reschedule_parts reschedule_parts_plus(struct arena *arena,
                                              const struct reschedule_parts *parts,
                                              const struct target_list *from,
                                              const struct target_list *to);
/* The annotation's text, in `arena`: of the clusters at the ends of the lists as few are left out
 * as it takes to be no longer than RESCHEDULE_PARTS_OWN_MAX without the placement, of which the
 * text is known. */
const char *reschedule_parts_text(struct arena *arena, const struct reschedule_parts *parts);

#endif
