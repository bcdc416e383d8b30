/* SPDX-License-Identifier: Apache-2.0
 *
 * Merge patches that change a binding as an API server would, with the next resourceVersion.
 */
#ifndef BALLAST_KINDS_BINDING_PATCH_H
#define BALLAST_KINDS_BINDING_PATCH_H

#include "ballast/format/value.h"
#include "ballast/kinds/encode.h"

/* Returns the merge patch for a wanted change of a binding. `before` is the binding, and `object`
 * its object as read. The patch sets next_version, and the next generation if the object has one
 * and its spec changes. NULL: nothing changes. To be freed with document_free. */
struct document *binding_patch(const struct binding *before, const struct binding_change *wanted,
                               const struct value *object, uint64_t next_version);

/* Sets *ret to the merge patch that puts the wanted split into a federated object of KubeFed; NULL:
 * nothing changes. The patch sets next_version, and the next generation if the object has one and
 * its spec changes. To be freed with document_free. False with INVALID: the object contradicts
 * itself, or has a field of a wrong type. */
bool federated_object_patch(const struct binding_change *wanted, const struct value *object,
                            uint64_t next_version, struct document **ret, struct error *err);
/* Returns the merge patch that sets the wanted annotations on a ReplicaSchedulingPreference, with
 * next_version. The preference carries them because KubeFed ignores its own objects' annotations.
 * NULL: nothing changes. To be freed with document_free. */
struct document *preference_patch(const struct binding_change *wanted, const struct value *object,
                                  uint64_t next_version);

#endif
