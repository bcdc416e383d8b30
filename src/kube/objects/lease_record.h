/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes a Lease, and judges its state by the caller's clock. Private to kube/.
 */
#ifndef BALLAST_KUBE_LEASE_RECORD_H
#define BALLAST_KUBE_LEASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/format/value.h"
#include "ballast/kube/kube_lease.h"

/* The last view of a Lease. Start from zeroed memory. */
struct lease_view {
    char holder[LEASE_HOLDER_MAX];
    int64_t duration; /* nanoseconds, from the Lease; 0: it has none */
    int64_t transitions;
    uint64_t record;  /* a hash of its spec */
    int64_t since;    /* when this record was first seen, by the caller's clock */
    uint32_t changes; /* since the first view */
    bool seen;
};

/* Takes the state of the Lease, seen at `now`; NULL: the Lease does not exist. */
void lease_see(struct lease_view *view, const struct value *lease, int64_t now);

enum lease_state { LEASE_FREE, LEASE_HELD, LEASE_EXPIRED };

/* Returns the state of a Lease at `now`: expired if nothing in its spec has changed for its
 * duration, or for `duration` (nanoseconds) if it has none. */
enum lease_state lease_state(const struct lease_view *view, int64_t duration, int64_t now);

/* Appends a merge patch that takes the Lease for options->holder at `wall` (nanoseconds since the
 * epoch) and counts a transition if it had a holder. */
void lease_write_claim(const struct kube_lease_options *options, const struct lease_view *view,
                       int64_t wall, struct buf *out);
/* Appends a merge patch that renews the Lease at `wall` (nanoseconds since the epoch). */
void lease_write_renewal(int64_t wall, struct buf *out);
/* Appends a merge patch that gives the Lease up at `wall` (nanoseconds since the epoch): no holder,
 * and a duration of one second. */
void lease_write_release(int64_t wall, struct buf *out);

#endif
