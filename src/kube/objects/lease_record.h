/* SPDX-License-Identifier: Apache-2.0
 *
 * What a Lease says, and what follows from it by our own clock. Private to
 * kube/.
 */
#ifndef BALLAST_KUBE_LEASE_RECORD_H
#define BALLAST_KUBE_LEASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "ballast/base/buf.h"
#include "ballast/format/value.h"
#include "ballast/kube/kube_lease.h"

/* What was last seen of a Lease. Start from zeroed memory. */
struct lease_view {
    char holder[LEASE_HOLDER_MAX];
    int64_t duration; /* as it says itself; 0: it does not */
    int64_t transitions;
    uint64_t record;  /* a hash of its spec */
    int64_t since;    /* by our clock: when this record was first seen */
    uint32_t changes; /* since the first view */
    bool seen;
};

/* Takes in the present state; NULL: there is no such Lease. */
void lease_see(struct lease_view *view, const struct value *lease, int64_t now);

enum lease_state { LEASE_FREE, LEASE_HELD, LEASE_EXPIRED };

/* `duration` where the Lease does not say its own. */
enum lease_state lease_state(const struct lease_view *view, int64_t duration, int64_t now);

/* Merge patches of a Lease: taking it, renewing it, giving it up. */
void lease_write_claim(const struct kube_lease_options *options, const struct lease_view *view,
                       int64_t wall, struct buf *out);
void lease_write_renewal(int64_t wall, struct buf *out);
void lease_write_release(int64_t wall, struct buf *out);

#endif
