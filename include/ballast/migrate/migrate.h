/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns a fleet of KubeFed into manifests for Karmada: the same templates, and policies that place
 * them as they are placed today. It turns objects into documents, and reads or writes nothing
 * itself. The same objects give the same documents and notes, whatever their order.
 */
#ifndef BALLAST_MIGRATE_MIGRATE_H
#define BALLAST_MIGRATE_MIGRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "ballast/format/value.h"

struct migration;

/* Returns an empty migration, to be freed with migration_free. */
struct migration *migration_new(void);
/* Frees a migration, its documents and notes. NULL is fine. */
void migration_free(struct migration *migration);

/* Takes one more object; list_api_version and list_kind ("": none) count where it does not have its
 * own. Ignores objects that are not of KubeFed. */
void migration_add(struct migration *migration, const struct value *object,
                   const char *list_api_version, const char *list_kind);
/* Notes that an object at `place` could not be read, and why. */
void migration_miss(struct migration *migration, const char *place, const char *why);

/* A note: "OBJECT: FIELD: message". */
struct migration_note {
    const char *text;
    bool is_lost; /* it is not carried over; false: the operator should know it, or do it by hand */
};

/* Lives as long as the migration. */
struct migration_result {
    struct value *const *documents;
    size_t n_documents;
    const struct migration_note *notes;
    size_t n_notes;
    size_t n_lost; /* notes with is_lost */
};

/* Returns the documents and notes. Call once, after all objects are added. */
struct migration_result migration_finish(struct migration *migration);

#endif
