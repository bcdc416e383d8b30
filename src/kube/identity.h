/* SPDX-License-Identifier: Apache-2.0
 *
 * Who we are at the moment: the token as its file holds it now, or what the
 * exec plugin gave last and has not expired.
 */
#ifndef BALLAST_KUBE_IDENTITY_H
#define BALLAST_KUBE_IDENTITY_H

#include <time.h>

#include "ballast/kube_client.h"
#include "exec.h"

struct identity {
    const struct kube_config *config;
    struct kube_blob token; /* from the file */
    struct timespec modified;
    int64_t read_at; /* monotonic */
    struct kube_credential plugin;
    bool has_plugin;     /* it was run */
    uint32_t generation; /* how often it was read or run */
};

void identity_release(struct identity *identity);
/* Before each try. `force` after a 401: what is known is not good any more. */
bool identity_refresh(struct identity *identity, const struct kube_clock *clock, bool force,
                      const struct kube_exec_limits *limits, struct error *err);
/* Whether a 401 can be answered with something else. */
bool identity_can_change(const struct identity *identity);

/* NULL when we have none. */
const struct kube_blob *identity_token(const struct identity *identity);
const struct kube_blob *identity_certificate(const struct identity *identity);
const struct kube_blob *identity_key(const struct identity *identity);

#endif
