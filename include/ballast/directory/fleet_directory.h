/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet as files: DIR/control-plane/, DIR/members/NAME/, DIR/captured-at; or
 * one file; or "-" for standard input. Written under an API server's rules: a
 * write names the resourceVersion it read, is refused as a conflict when the
 * object changed since, replaces the file atomically and keeps every byte it
 * need not change.
 */
#ifndef BALLAST_DIRECTORY_FLEET_DIRECTORY_H
#define BALLAST_DIRECTORY_FLEET_DIRECTORY_H

#include <stdatomic.h>

#include "ballast/backend/backend.h"
#include "ballast/base/progress.h"
#include "ballast/kinds/decode.h"
#include "ballast/model/fleet.h"

struct fleet_directory;

/* Nothing is read yet. `path` is a directory, a file, or "-". */
struct fleet_directory *fleet_directory_open(const char *path, struct error *err);
void fleet_directory_close(struct fleet_directory *directory); /* NULL is fine */

/* Is told what is read; NULL: nobody. */
void fleet_directory_tap(struct fleet_directory *directory, const struct fleet_tap *tap);

/* What it is to be a fleet of; its text must live as long. The default is whatever it shows. */
void fleet_directory_expect(struct fleet_directory *directory,
                            struct fleet_expectation expectation);

/* Members whose files are read; of one file with all of a fleet, whose objects are taken. The
 * default is all. And where members come from besides, NULL: from nowhere else; both the caller's.
 */
void fleet_directory_choose(struct fleet_directory *directory, struct member_choice choice,
                            const struct member_port *port);

/* Once it is true, reading ends with ERROR_STOPPED; NULL: never. */
void fleet_directory_heed(struct fleet_directory *directory, const atomic_bool *stop);

/* Is told how far the reading is, in bytes of all files; the default is nobody. */
void fleet_directory_watch(struct fleet_directory *directory, struct progress progress);

/* Reads all of it. Bad objects become fleet->problems; a bad Cluster, no Cluster or an unreadable
 * file is an error. */
struct fleet *fleet_directory_read(struct fleet_directory *directory, struct error *err);

/* Is told the objects of the control plane as they are, in the order in which they are read; what
 * it is given lives only during the call. */
struct fleet_visitor {
    void *context;
    void (*object)(void *context, const struct value *object, const char *list_api_version,
                   const char *list_kind);
    void (*bad_object)(void *context, const char *place, const char *why);
};
/* Makes no fleet of what it reads, so a Cluster need not be there. An unreadable file is an error.
 */
bool fleet_directory_visit(struct fleet_directory *directory, const struct fleet_visitor *visitor,
                           struct error *err);

/* Reads as fleet_directory_read; standard input cannot be written to. Valid while the directory is.
 */
struct backend fleet_directory_backend(struct fleet_directory *directory);

#endif
