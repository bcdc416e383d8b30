/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector files that are a fleet: {"clusters": [...], "bindings": [...],
 * "expected": {"NAMESPACE/NAME": ...}, "tags": {"NAMESPACE/NAME": [...]}}.
 */
#ifndef BALLAST_CONFORM_FLEET_H
#define BALLAST_CONFORM_FLEET_H

#include "ballast/model/fleet.h"
#include "conform.h"

/* One binding of such a file; `want` is its entry in "expected" (NULL: missing). */
typedef void conform_binding_function(struct conform *run, const struct conform_case *c,
                                      void *context, const struct binding *binding,
                                      const struct value *want);

struct conform_fleet_visitor {
    /* Called once, before the bindings; its answer is their `context`. */
    void *(*begin)(struct conform *run, const struct fleet *fleet);
    conform_binding_function *binding;
};

/* Decodes the fleet and visits every binding, in the order of the file. What cannot be decoded
 * counts as broken. */
void conform_fleet(struct conform *run, const struct value *root,
                   const struct conform_fleet_visitor *visitor);

#endif
