/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the tables of what is kept, and the tables that both files of them
 * use. Private to prune_*.c.
 */
#ifndef BALLAST_KINDS_PRUNE_RULES_H
#define BALLAST_KINDS_PRUNE_RULES_H

#include "prune_rule.h"

#define SCALAR(name_, text_) KEPT(name_, AS_TEXT(0, text_))
#define SCALARS(name_, text_) KEPT(name_, AS_TEXTS(0, text_))
#define OBJECT(name_, rules) KEPT(name_, AS_OBJECT(0, rules))
#define OBJECTS(name_, rules) KEPT(name_, AS_OBJECTS(0, rules))
#define LABELS(name_) KEPT(name_, AS_LABELS(0))
#define RESOURCES(name_) KEPT(name_, AS_AMOUNTS(0))
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }

extern const struct field prune_metadata[];
extern const struct field prune_workload_metadata[];
extern const struct field prune_workload[];
extern const struct field prune_replica_set[];
extern const struct field prune_other[];
extern const struct field prune_estimator_answers[];

#endif
