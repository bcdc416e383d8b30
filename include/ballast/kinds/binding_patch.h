/* SPDX-License-Identifier: Apache-2.0
 *
 * What an API server would make of a write to a binding, as a merge patch.
 */
#ifndef BALLAST_APPLY_BINDING_PATCH_H
#define BALLAST_APPLY_BINDING_PATCH_H

#include "ballast/apply/apply.h"
#include "ballast/format/value.h"

/* The change with the object's next resourceVersion, and its next generation where it has one and
 * its spec changes. NULL when it is as wanted already. */
struct document *binding_patch(const struct write_request *request, const struct value *object,
                               uint64_t next_version);

#endif
