/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans the changes of a ring of ConfigMaps: where a record's parts go, and which records leave.
 * Pure. `maps` are always RECORD_RING_MAPS. Private to this room.
 */
#ifndef BALLAST_CONFIGMAPS_RING_PLAN_H
#define BALLAST_CONFIGMAPS_RING_PLAN_H

#include "ring_maps.h"
#include "ring_record.h"

/* Changes of the ring, one for each ConfigMap. Zeroed: none. */
struct ring_plan {
    struct ring_change changes[RECORD_RING_MAPS];
};

/* Returns a part of a record, counted from 1; NULL: it is not there. */
const struct ring_entry *ring_find_part(const struct ring_map *maps, const char *id, bool is_done,
                                        uint32_t part);
/* True if all parts of a record are there. */
bool ring_is_whole(const struct ring_map *maps, const char *id, bool is_done);
/* Lists the ids of whole records, oldest first, in `arena`. */
struct str_list ring_whole_ids(const struct ring_map *maps, struct arena *arena);

/* True if a ConfigMap changes. */
bool ring_is_changed(const struct ring_change *change);
/* Gives each part of a record a ConfigMap, from the one with the latest record on. A ConfigMap that
 * is full loses its records. Keys are in `arena`. False with err: the record is too large. */
bool ring_plan_record(const struct ring_map *maps, struct arena *arena,
                      const struct ring_record *record, struct ring_plan *plan, struct error *err);
/* Removes the records before the id `first`, those older than the time `oldest`, and pending forms
 * of records that are done. True if something leaves. */
bool ring_plan_removal(const struct ring_map *maps, const char *first, int64_t oldest,
                       struct ring_plan *plan);
/* Frees a plan's lists. */
void ring_plan_release(struct ring_plan *plan);

#endif
