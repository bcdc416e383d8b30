/* SPDX-License-Identifier: Apache-2.0
 *
 * One run at a time: a coordination.k8s.io/v1 Lease, by the rules of client-go's
 * leader election: another holder's Lease is taken over when it was not seen to
 * change for its whole duration by our own clock; written times are not
 * compared with it.
 */
#ifndef BALLAST_KUBE_LEASE_H
#define BALLAST_KUBE_LEASE_H

#include "ballast/kube_client.h"

struct kube_lease;

struct kube_lease_options {
    const char *namespace_;
    const char *name;
    const char *holder;   /* "pod or host"_"pid or uid" */
    int64_t duration;     /* nanoseconds; 15 s */
    int64_t renew_period; /* 2 s */
    int64_t wait;         /* --lock-wait; 0: one try */
};

/* Takes the Lease, or waits for it up to `wait`. *ret_holder (in a static-size buffer of the
 * caller) is who has it when that fails with CONFLICT. */
struct kube_lease *kube_lease_acquire(struct kube_client *client,
                                      const struct kube_lease_options *options,
                                      char ret_holder[256], struct error *err);
/* Renewed in the background (a thread of its own with a client of its own) from acquire to release.
 * *lost becomes true when it could not be renewed in time or was taken: nothing may be written
 * after that. */
const volatile bool *kube_lease_lost(const struct kube_lease *lease);
/* Gives it up (holderIdentity emptied) and frees; NULL is fine. */
void kube_lease_release(struct kube_lease *lease);

#endif
