/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration: defaults, then a BallastConfiguration file, then flags.
 * Both are tables; help, completion and reference are printed from them.
 */
#ifndef BALLAST_CONFIG_H
#define BALLAST_CONFIG_H

#include "ballast/arena.h"
#include "ballast/error.h"
#include "ballast/policy.h"
#include "ballast/str.h"

/* Reads `apiVersion: ballast.io/v1alpha1, kind: BallastConfiguration` over what `policy` holds.
 * Errors: "FILE:LINE:COLUMN: path: what is wrong". What the policy points to is in `arena`. */
bool config_load(const char *file, struct arena *arena, struct interner *strings,
                 struct policy *policy, struct error *err);

#endif
