/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers the workloads that bindings name, by API group, kind, namespace and name. There are about
 * as many as bindings, so the table copies no names and reads them from the bindings.
 */
#ifndef BALLAST_DIAGNOSE_SUBJECT_TABLE_H
#define BALLAST_DIAGNOSE_SUBJECT_TABLE_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"

#define SUBJECT_NONE UINT32_MAX

struct subject_table;

/* Returns a table, in `arena`, of the workloads that bindings of the fleet name. Subjects are
 * numbered from 0, and are no more than bindings. */
struct subject_table *subject_table_new(struct arena *arena, const struct fleet *fleet);
/* Frees what a table has outside its arena. */
void subject_table_free(struct subject_table *table);
/* Returns the number of the workload that a binding names. */
uint32_t subject_table_of_binding(const struct subject_table *table, uint32_t binding);

/* A workload to find. `name` is `name_length` bytes long, and need not end there. */
struct subject_name {
    const char *api_version, *kind, *namespace_, *name;
    size_t name_length;
};
/* Returns the number of a workload; SUBJECT_NONE if no binding names it. */
uint32_t subject_table_find(struct subject_table *table, const struct subject_name *wanted);

#endif
