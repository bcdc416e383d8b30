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

/* Opens a fleet in files, without reading: a directory, a file, or "-". NULL with err. */
struct fleet_directory *fleet_directory_open(const char *path, struct error *err);
void fleet_directory_close(struct fleet_directory *directory); /* Frees it. NULL is fine. */

/* Sets the tap that gets everything that is read; NULL: none. */
void fleet_directory_tap(struct fleet_directory *directory, const struct fleet_tap *tap);

/* Sets the expected fleet, whose text must outlive the directory. Default: what the files show. */
void fleet_directory_expect(struct fleet_directory *directory,
                            struct fleet_expectation expectation);

/* Sets the members whose files are read, or whose objects are taken from one file; default: all.
 * `port`: another source of members; NULL: none. Both outlive the directory. */
void fleet_directory_choose(struct fleet_directory *directory, struct member_choice choice,
                            const struct member_port *port);

/* Makes reading fail with ERROR_STOPPED once *stop is true; NULL: never. */
void fleet_directory_heed(struct fleet_directory *directory, const atomic_bool *stop);

/* Sets the watcher of the progress, in bytes of all files; default: none. */
void fleet_directory_watch(struct fleet_directory *directory, struct progress progress);

/* Reads the whole fleet. Bad objects become fleet->problems. NULL with err for a bad Cluster, no
 * Cluster or an unreadable file. */
struct fleet *fleet_directory_read(struct fleet_directory *directory, struct error *err);

/* Gets the objects of the control plane unchanged, in reading order, valid during the call. */
struct fleet_visitor {
    void *context;
    void (*object)(void *context, const struct value *object, const char *list_api_version,
                   const char *list_kind);
    void (*bad_object)(void *context, const char *place, const char *why);
};
/* Passes objects to the visitor without making a fleet. False with err for an unreadable file. */
bool fleet_directory_visit(struct fleet_directory *directory, const struct fleet_visitor *visitor,
                           struct error *err);

/* Returns a back end that reads as fleet_directory_read(), valid as long as the directory. Refuses
 * writes to standard input. */
struct backend fleet_directory_backend(struct fleet_directory *directory);

#endif
