/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a split into a federated object as KubeFed's scheduler does (kubefed
 * pkg/schedulingtypes/plugin.go and pkg/controller/util/overrides.go). Unlike upstream, existing
 * overrides keep their order and all unknown members: KubeFed's sync controller takes another order
 * for a change, and rewrites the workload in every member.
 */
#ifndef BALLAST_KINDS_FEDERATED_PATCH_H
#define BALLAST_KINDS_FEDERATED_PATCH_H

#include "ballast/base/arena.h"
#include "ballast/format/value.h"
#include "ballast/model/binding.h"

#define REPLICAS_OVERRIDE "/spec/replicas"
#define DEFAULT_REPLICAS 1 /* of a workload without spec.replicas */

/* An override entry that becomes empty stays, as upstream leaves it, or goes. */
enum emptied { EMPTIED_STAYS, EMPTIED_GOES };

/* Sets *ret to the JSON merge patch of spec that makes the object name `wanted`: each cluster once,
 * in any order. NULL: nothing changes. The patch is in `arena` and holds parts of the object. False
 * with INVALID: the object contradicts itself, or has a field of a wrong type; write nothing. */
bool federated_patch(struct arena *arena, const struct value *object,
                     const struct target_list *wanted, enum emptied emptied,
                     const struct value **ret, struct error *err);

/* True if the last override of the replicas in an entry of spec.overrides replaces all of spec, or
 * of the object. Its author sets the replicas: a count of Ballast's would be void, or replace the
 * author's. */
bool federated_override_is_whole(const struct value *entry);

/* True if spec.overrides is a list with one entry per cluster, and an entry has one override per
 * path. None may change the object's kind, name or namespace. NULL is fine. False with err, which
 * begins with the path. */
bool federated_overrides_check(const struct value *overrides, struct error *err);

#endif
