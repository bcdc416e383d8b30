/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the tables of what is kept, and the tables that both files of them
 * use. Private to prune_*.c.
 */
#ifndef BALLAST_KINDS_PRUNE_RULES_H
#define BALLAST_KINDS_PRUNE_RULES_H

#include "prune_rule.h"

#define SCALAR(name_, text_)                                                                       \
    {                                                                                              \
        .name = (name_), .form = PRUNE_SCALAR, .text = (text_)                                     \
    }
#define SCALARS(name_, text_)                                                                      \
    {                                                                                              \
        .name = (name_), .form = PRUNE_LIST, .text = (text_)                                       \
    }
#define OBJECT(name_, rules)                                                                       \
    {                                                                                              \
        .name = (name_), .form = PRUNE_OBJECT, .members = (rules)                                  \
    }
#define OBJECTS(name_, rules)                                                                      \
    {                                                                                              \
        .name = (name_), .form = PRUNE_LIST, .members = (rules)                                    \
    }
#define LABELS(name_)                                                                              \
    {                                                                                              \
        .name = (name_), .form = PRUNE_MAP, .text = TEXT_LABEL_VALUE, .key = TEXT_LABEL_KEY        \
    }
#define RESOURCES(name_)                                                                           \
    {                                                                                              \
        .name = (name_), .form = PRUNE_MAP, .text = TEXT_NUMBER, .key = TEXT_RESOURCE              \
    }
#define TEMPLATE(name_)                                                                            \
    {                                                                                              \
        .name = (name_), .form = PRUNE_TEMPLATE                                                    \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }
/* Behind the last row in the place of END. */
#define REST_WHOLE                                                                                 \
    {                                                                                              \
        .name = NULL, .form = PRUNE_WHOLE                                                          \
    }

extern const struct prune_rule prune_label_selector[];
extern const struct prune_rule prune_condition[];
extern const struct prune_rule prune_taint[];
extern const struct prune_rule prune_metadata[];
extern const struct prune_rule prune_workload_metadata[];
extern const struct prune_rule prune_requirements[];
extern const struct prune_rule prune_component[];
extern const struct prune_rule prune_pod[];
extern const struct prune_rule prune_node[];
extern const struct prune_rule prune_workload[];
extern const struct prune_rule prune_replica_set[];
extern const struct prune_rule prune_other[];
extern const struct prune_rule prune_estimator_answers[];

#endif
