/* SPDX-License-Identifier: Apache-2.0
 *
 * The way to a live control plane as whoever started the run sees it: how long
 * the first contact is waited for, what is told of tries that failed, and what
 * to do where nobody is there, or somebody else.
 */
#ifndef BALLAST_CLI_LIVE_CONTACT_H
#define BALLAST_CLI_LIVE_CONTACT_H

#include "cli/options/invocation.h"

/* Tries that failed, as far as the log has them. */
struct told_tries {
    uint32_t n_told;
    uint64_t n_untold; /* since: there were too many to tell each */
    int64_t told_at;   /* monotonic */
};

struct live_contact {
    const struct invocation *invocation;
    const struct kube_config *config;
    bool is_by_hand;
    struct kube_contact contact; /* of all clients of the control plane */
    /* In this thread. What becomes of a member is told in the end, of all that failed in one line.
     */
    struct kube_watch watch, member_watch;
    uint64_t n_failed; /* tries */
    struct told_tries told, told_of_members;
};

/* Stays where it is from now on: clients point to it. */
void live_contact_init(struct live_contact *live, const struct invocation *invocation,
                       const struct kube_config *config);
/* After a run that failed with `err`: the line that says which control plane that was and which
 * others there are, where that may be what is wrong. */
void live_contact_advise(const struct live_contact *live, const struct error *err);

#endif
