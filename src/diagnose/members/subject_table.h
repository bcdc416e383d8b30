/* SPDX-License-Identifier: Apache-2.0
 *
 * The workloads that bindings name, by API group, kind, namespace and name. There
 * are about as many as bindings: so nothing of a name is kept but where the
 * binding has it.
 */
#ifndef BALLAST_DIAGNOSE_SUBJECT_TABLE_H
#define BALLAST_DIAGNOSE_SUBJECT_TABLE_H

#include "ballast/base/arena.h"
#include "ballast/model/fleet.h"

#define SUBJECT_NONE UINT32_MAX

struct subject_table;

/* Those of all bindings of the fleet, in `arena`. */
struct subject_table *subject_table_new(struct arena *arena, const struct fleet *fleet);
void subject_table_free(struct subject_table *table);
/* Subjects are numbered from 0, and are no more than bindings. */
uint32_t subject_table_of_binding(const struct subject_table *table, uint32_t binding);

/* Who is asked for; the name need not end where its length says. */
struct subject_name {
    const char *api_version, *kind, *namespace_, *name;
    size_t name_length;
};
/* SUBJECT_NONE when no binding names it. */
uint32_t subject_table_find(struct subject_table *table, const struct subject_name *wanted);

#endif
