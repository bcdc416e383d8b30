/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet of KubeFed as manifests for Karmada: the same templates, and policies
 * that place them as they are placed today. From objects to documents; nothing
 * is read or written here. The same objects give the same documents and notes,
 * in whatever order they came.
 */
#ifndef BALLAST_MIGRATE_MIGRATE_H
#define BALLAST_MIGRATE_MIGRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "ballast/format/value.h"

struct migration;

struct migration *migration_new(void);
void migration_free(struct migration *migration); /* NULL is fine */

/* Takes one more object, which may say of itself what it is or leave that to its list (""
 * otherwise). What is not of KubeFed is passed over. */
void migration_add(struct migration *migration, const struct value *object,
                   const char *list_api_version, const char *list_kind);
/* There is an object that could not be read. */
void migration_miss(struct migration *migration, const char *place, const char *why);

/* "OBJECT: FIELD: what about it". */
struct migration_note {
    const char *text;
    bool is_lost; /* it could not be carried over; else it is only to be known, or done by hand */
};

/* Valid while the migration is. */
struct migration_result {
    struct value *const *documents;
    size_t n_documents;
    const struct migration_note *notes;
    size_t n_notes;
    size_t n_lost; /* of the notes */
};

/* Once all is added. */
struct migration_result migration_finish(struct migration *migration);

#endif
