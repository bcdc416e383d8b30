/* SPDX-License-Identifier: Apache-2.0
 *
 * What an API server would make of a write to a binding, as a merge patch.
 */
#ifndef BALLAST_KINDS_BINDING_PATCH_H
#define BALLAST_KINDS_BINDING_PATCH_H

#include "ballast/format/value.h"
#include "ballast/kinds/encode.h"

/* The change of a binding as it was read (`before`), with the object's next resourceVersion, and
 * its next generation where it has one and its spec changes. NULL when it is as wanted already. */
struct document *binding_patch(const struct binding *before, const struct binding_change *wanted,
                               const struct value *object, uint64_t next_version);

/* The same of a binding of KubeFed's, in two objects: the federated object says the split, and its
 * ReplicaSchedulingPreference has the annotations, since KubeFed takes no notice of those. *ret is
 * NULL when it is as wanted already. INVALID: as federated_patch. */
bool federated_object_patch(const struct binding_change *wanted, const struct value *object,
                            uint64_t next_version, struct document **ret, struct error *err);
struct document *preference_patch(const struct binding_change *wanted, const struct value *object,
                                  uint64_t next_version);

#endif
