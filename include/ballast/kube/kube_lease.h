/* SPDX-License-Identifier: Apache-2.0
 *
 * Ensures one run at a time with a coordination.k8s.io/v1 Lease, by the rules of client-go's leader
 * election. A run takes over a Lease that has not changed for its whole duration, by the local
 * clock; the times written in it do not count.
 *
 * A new run cannot know at first whether a holder is alive, so it watches. If the holder renews,
 * the run waits for `wait` at most; else it takes over when the duration ends.
 */
#ifndef BALLAST_KUBE_KUBE_LEASE_H
#define BALLAST_KUBE_KUBE_LEASE_H

#include <stdatomic.h>

#include "ballast/kube/kube_client.h"

#define LEASE_HOLDER_MAX 256

struct kube_lease;

struct kube_lease_options {
    /* May be shared: a thread renews the Lease with its own client. `client.deadline` (plus `wait`)
     * and `client.watch` apply while taking the Lease; `client.stop` is not used. */
    const struct kube_config *config;
    struct kube_client_options client;
    const char *namespace_;
    const char *name;
    const char *holder;                 /* unique to this run */
    int64_t duration;                   /* nanoseconds; 15 s */
    int64_t renew_period;               /* 2 s */
    int64_t wait;                       /* --lock-wait: nanoseconds to wait for a live holder */
    const atomic_bool *stop;            /* ends the waiting; not NULL */
    struct kube_statistics *statistics; /* its requests are added at the end; NULL: none */
    atomic_bool *halt; /* set when the Lease is lost: not renewed in time, or taken by another run.
                          The caller then writes nothing more. NULL: not wanted */
    /* A path to request together with the first look at the Lease. A 404 means that this is the
     * wrong server, which gets no Lease. Any other response is fine. NULL: none. */
    const char *landmark;
    bool *is_elsewhere; /* out: the landmark was a 404; NULL only without a landmark */
};

/* Takes the Lease and renews it in a thread until kube_lease_release. NULL with err: CONFLICT if
 * another run holds it (ret_holder names the run), NOT_FOUND if the server does not know the
 * landmark or the namespace. */
struct kube_lease *kube_lease_acquire(const struct kube_lease_options *options,
                                      char ret_holder[LEASE_HOLDER_MAX], struct error *err);
/* Ends the renewals, clears the holder unless the Lease is lost, and frees it. False if it was lost
 * before. NULL is fine and returns true. */
bool kube_lease_release(struct kube_lease *lease);

#endif
