/* SPDX-License-Identifier: Apache-2.0
 *
 * Who we are at the moment: the token as its file holds it now, or what the
 * exec plugin gave last and has not expired. One identity is for all clients of
 * a configuration, in whichever threads they are: one of them runs the plugin,
 * the others wait for what it says and take it, be it a credential or a failure.
 */
#ifndef BALLAST_KUBE_IDENTITY_H
#define BALLAST_KUBE_IDENTITY_H

#include "ballast/kube/kube_client.h"
#include "exec.h"

struct kube_identity;

/* The configuration must live longer; its secrets are read, and nothing in it is changed. */
struct kube_identity *identity_new(const struct kube_config *config);
void identity_free(struct kube_identity *identity); /* wipes; NULL is fine */

/* Who asks. */
struct identity_ask {
    const struct clock *clock;
    struct kube_exec_limits limits; /* of the plugin, whoever runs it */
    uint32_t refused;               /* the generation that met a 401; 0: none */
    uint32_t since;                 /* of identity_runs: a failure after it is an answer, too */
};

/* What a request is sent with: copies; without data where we have none. */
struct identity_view {
    struct secret token, certificate, key;
    uint32_t generation; /* how often something was read or run; never 0 where that can be */
};
void identity_view_release(struct identity_view *view);

/* Before each try, in any thread. False with err when there is no telling. */
bool identity_get(struct kube_identity *identity, const struct identity_ask *ask,
                  struct identity_view *ret, struct error *err);
/* How often the plugin was run so far. */
uint32_t identity_runs(struct kube_identity *identity);
/* Whether a 401 can be answered with something else. */
bool identity_can_change(const struct kube_identity *identity);

#endif
