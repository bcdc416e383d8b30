/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact with a live control plane: how long a run waits for the first response, which failed
 * tries it logs, and what it advises.
 */
#ifndef BALLAST_CLI_LIVE_CONTACT_H
#define BALLAST_CLI_LIVE_CONTACT_H

#include "cli/options/invocation.h"

/* Failed tries of requests, and which of them the log has. */
struct told_tries {
    uint32_t n_told;
    uint64_t n_untold; /* tries not logged since, to keep the log short */
    int64_t told_at;   /* monotonic nanoseconds */
};

struct live_contact {
    const struct invocation *invocation;
    const struct kube_config *config;
    bool is_by_hand;
    struct kube_contact contact; /* shared by all clients of the control plane */
    /* Called in this thread. Failures of members go to one line at the end. */
    struct kube_watch watch, member_watch;
    uint64_t n_failed; /* failed tries */
    struct told_tries told, told_of_members;
};

/* Prepares the contact. `live` must not move afterwards: clients point to it. */
void live_contact_init(struct live_contact *live, const struct invocation *invocation,
                       const struct kube_config *config);
/* Prints advice after a run that failed with `err`, if the choice of control plane may be wrong:
 * which one it was, and which others there are. */
void live_contact_advise(const struct live_contact *live, const struct error *err);

#endif
