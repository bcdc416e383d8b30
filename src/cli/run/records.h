/* SPDX-License-Identifier: Apache-2.0
 *
 * The store of records that a command uses: a directory, or ConfigMaps of the control plane.
 */
#ifndef BALLAST_CLI_RECORDS_H
#define BALLAST_CLI_RECORDS_H

#include "ballast/configmaps/record_ring.h"
#include "cli/options/invocation.h"

#define RECORDS_OF_CRONJOB PLACE_CONFIGMAP "ballast-records" /* as in cronjob/base */

struct records {
    struct kube_config *config;
    struct record_ring *ring; /* NULL: a directory */
    struct record_store store;
};

/* Returns the place that --records or the configuration names. Without either: where the CronJob of
 * a live control plane keeps records; "" for a fleet in files. */
const char *records_place(const struct invocation *invocation);
/* Opens a place of records into *ret; records_close() releases it in any case. ConfigMaps without
 * a namespace are in that of the Lease. False with err. */
bool records_open(const struct invocation *invocation, const char *place, struct records *ret,
                  struct error *err);
/* Says in the error of a store which control plane nobody answers at. Returns false. */
bool records_wrap_error(const struct records *records, struct error *err);
/* Releases what records_open() set. Zeroed records are fine. */
void records_close(struct records *records);

/* Records, oldest first. */
struct record_list {
    const struct record *const *items;
    uint32_t count;
};

/* Reads the records from the time `since` on, in the invocation's arena. A record that cannot be
 * read is left out, and a log line says why. False with err: there is no list. */
bool records_read_since(const struct invocation *invocation, const struct record_store *store,
                        int64_t since, struct record_list *ret, struct error *err);
/* Reads all records, in the invocation's arena. False with err: there is no list, or a record
 * cannot be read. */
bool records_read_all(const struct invocation *invocation, const struct record_store *store,
                      struct record_list *ret, struct error *err);
/* Reads all records for a report that can do without them, in the invocation's arena. One that
 * cannot be read is left out. False: no records are kept, or they cannot be read, which a log line
 * says. */
bool records_read_kept(const struct invocation *invocation, struct record_list *ret);
/* True if a record is of the fleet with that origin: the same server, or the same files. */
bool record_is_of(const struct record *record, const struct fleet_origin *origin);
/* Returns the flags that a further command needs to find this control plane and these records, in
 * the invocation's arena: " --context prod --records DIR". */
const char *records_flags(const struct invocation *invocation);

#endif
