/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns a fleet of KubeFed into manifests for Karmada: templates, and policies that keep today's
 * placements. Does no I/O. The order of the input objects does not change the documents and notes.
 */
#ifndef BALLAST_MIGRATE_MIGRATE_H
#define BALLAST_MIGRATE_MIGRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "ballast/format/value.h"

struct migration;

/* Returns an empty migration. The caller frees it with migration_free. */
struct migration *migration_new(void);
/* Frees a migration, its documents and notes. NULL is allowed. */
void migration_free(struct migration *migration);

/* Copies an object into the migration, unless it is not of KubeFed. `list_api_version` and
 * `list_kind` ("": none) are those of its list, for objects without their own. */
void migration_add(struct migration *migration, const struct value *object,
                   const char *list_api_version, const char *list_kind);
/* Notes that an object at `place` could not be read, and why. */
void migration_miss(struct migration *migration, const char *place, const char *why);

struct migration_note {
    const char *text;
    bool is_lost; /* true: not carried over; false: advice for the operator */
};

/* Lives as long as the migration. */
struct migration_result {
    struct value *const *documents;
    size_t n_documents;
    const struct migration_note *notes;
    size_t n_notes;
    size_t n_lost; /* notes with is_lost */
};

/* Returns the documents and notes. Call once, after the last object. */
struct migration_result migration_finish(struct migration *migration);

#endif
