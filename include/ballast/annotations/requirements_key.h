/* SPDX-License-Identifier: Apache-2.0
 *
 * What one replica, or one set of components, asks for, as a text to compare: estimators' answers
 * are found by it.
 */
#ifndef BALLAST_ANNOTATIONS_REQUIREMENTS_KEY_H
#define BALLAST_ANNOTATIONS_REQUIREMENTS_KEY_H

#include "ballast/base/arena.h"
#include "ballast/model/binding.h"

/* The same text for requirements that mean the same, wherever they were decoded: compact JSON of a
 * ReplicaRequirements with sorted members; "null" for NULL. */
const char *requirements_key(struct arena *arena, const struct requirements *requirements);

/* Likewise for sets of components: the inside of a JSON object, with what an answer says of them.
 */
const char *component_set_key(struct arena *arena, const char *namespace_,
                              const struct component *components, uint32_t count);

#endif
