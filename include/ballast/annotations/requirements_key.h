/* SPDX-License-Identifier: Apache-2.0
 *
 * The requirements of one replica, or of one set of components, as a text: the key by which
 * estimators' answers are found.
 */
#ifndef BALLAST_ANNOTATIONS_REQUIREMENTS_KEY_H
#define BALLAST_ANNOTATIONS_REQUIREMENTS_KEY_H

#include "ballast/base/arena.h"
#include "ballast/model/binding.h"

/* Returns the requirements as compact JSON of a ReplicaRequirements with sorted members, in
 * `arena`. Equal requirements have equal texts. "null" if NULL or absent. */
const char *requirements_key(struct arena *arena, const struct requirements *requirements);

/* Returns the namespace and the components as the members of a JSON object without its braces, in
 * `arena`. Components have replicas and requirements, but no names. */
const char *component_set_key(struct arena *arena, const char *namespace_,
                              const struct component *components, uint32_t count);

#endif
