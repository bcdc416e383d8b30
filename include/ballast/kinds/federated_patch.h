/* SPDX-License-Identifier: Apache-2.0
 *
 * A split, written into a federated object as KubeFed's scheduler writes it
 * (kubefed pkg/schedulingtypes/plugin.go and pkg/controller/util/overrides.go).
 * Unlike upstream the order of what is there stays, and with it every member
 * that we do not know: KubeFed's sync controller takes overrides in another
 * order for a change, and writes the workload of every member anew.
 */
#ifndef BALLAST_KINDS_FEDERATED_PATCH_H
#define BALLAST_KINDS_FEDERATED_PATCH_H

#include "ballast/base/arena.h"
#include "ballast/format/value.h"
#include "ballast/model/binding.h"

#define REPLICAS_OVERRIDE "/spec/replicas"
#define DEFAULT_REPLICAS 1 /* of a workload that does not say */

/* An entry that says nothing of a cluster any more stays, empty, as upstream leaves it, or goes. */
enum emptied { EMPTIED_STAYS, EMPTIED_GOES };

/* What of spec changes so that the object says `wanted`, each cluster once, in any order: a JSON
 * merge patch in *ret, with parts of the object in it; NULL when it says so already. INVALID: the
 * object contradicts itself, or is badly typed, and nothing may be written. */
bool federated_patch(struct arena *arena, const struct value *object,
                     const struct target_list *wanted, enum emptied emptied,
                     const struct value **ret, struct error *err);

/* What an entry of spec.overrides last says of the replicas it says with all of the spec, or of the
 * object: whoever wrote that sets them, and a number of ours would be void, or take his place. */
bool federated_override_is_whole(const struct value *entry);

/* spec.overrides is a list of entries, each for one cluster, with one override a path, none of them
 * of what tells an object from others. NULL is fine. The error begins with where. */
bool federated_overrides_check(const struct value *overrides, struct error *err);

#endif
