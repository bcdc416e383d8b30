/* SPDX-License-Identifier: Apache-2.0
 *
 * One run at a time: a coordination.k8s.io/v1 Lease, by the rules of client-go's
 * leader election: another holder's Lease is taken over when it was not seen to
 * change for its whole duration by our own clock; written times are not
 * compared with it.
 *
 * So whoever comes anew cannot know at first whether a holder is alive. It
 * watches: a holder that renews is alive, and is waited for no longer than
 * `wait`; one that does not is taken over when its time is up.
 */
#ifndef BALLAST_KUBE_KUBE_LEASE_H
#define BALLAST_KUBE_KUBE_LEASE_H

#include <stdatomic.h>

#include "ballast/kube/kube_client.h"

#define LEASE_HOLDER_MAX 256

struct kube_lease;

struct kube_lease_options {
    /* May be shared: it is renewed in a thread, with a client of its own. The client's `deadline`
     * (`wait` aside) and `watch` are for taking the Lease; its `stop` is not used. */
    const struct kube_config *config;
    struct kube_client_options client;
    const char *namespace_;
    const char *name;
    const char *holder;                 /* of this one run and no other */
    int64_t duration;                   /* nanoseconds; 15 s */
    int64_t renew_period;               /* 2 s */
    int64_t wait;                       /* --lock-wait: for a holder that is alive */
    const atomic_bool *stop;            /* ends the waiting; not NULL */
    struct kube_statistics *statistics; /* what it cost is added, at its end; NULL: nobody asks */
    atomic_bool *halt; /* becomes true when the Lease is lost: it could not be renewed in time, or
                        * was taken. Nothing may be written after that. NULL: nobody asks */
    /* A path, asked for together with the first look at the Lease. A server that does not know it
     * (404) is the wrong one: it gets no Lease. Whatever else it answers is no reason. NULL: none.
     */
    const char *landmark;
    bool *is_elsewhere; /* out: that was so; NULL where there is no landmark */
};

/* Takes the Lease, and renews it in the background until it is released. CONFLICT when another run
 * holds it: ret_holder says which. NOT_FOUND when the server does not know the landmark, or has no
 * such namespace. */
struct kube_lease *kube_lease_acquire(const struct kube_lease_options *options,
                                      char ret_holder[LEASE_HOLDER_MAX], struct error *err);
/* Gives the Lease up (the holder is taken out) unless it is lost, and frees it. false when it was
 * lost before; NULL is fine, and no loss. */
bool kube_lease_release(struct kube_lease *lease);

#endif
