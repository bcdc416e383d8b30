/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the current credentials: the token in its file, or the exec plugin's last unexpired output.
 * All clients of a configuration share one identity, in any thread. One of them runs the plugin;
 * the others wait for the credential or the failure.
 */
#ifndef BALLAST_KUBE_IDENTITY_H
#define BALLAST_KUBE_IDENTITY_H

#include "ballast/kube/kube_client.h"
#include "exec.h"

struct kube_identity;

/* Returns the identity of a configuration, to be freed with identity_free. `config` outlives the
 * identity, which changes nothing in it. */
struct kube_identity *identity_new(const struct kube_config *config);
/* Wipes the secrets and frees the identity. NULL is fine. */
void identity_free(struct kube_identity *identity);

/* A request for credentials. */
struct identity_ask {
    const struct clock *clock;
    struct kube_exec_limits limits; /* of the plugin's run, or the wait for one */
    uint32_t refused;               /* the generation that got a 401; 0: none */
    uint32_t since; /* identity_runs when the request was queued: a later failed run fails it */
};

/* Copies of the credentials that a request is sent with; each may have no data. */
struct identity_view {
    struct secret token, certificate, key;
    uint32_t generation; /* answers of the token file or the plugin so far */
};
/* Wipes and frees the copies. */
void identity_view_release(struct identity_view *view);

/* Gets the present credentials into *ret, to be released in any case. Reads the token file or runs
 * the plugin if needed. Call before each try, in any thread. False with err. */
bool identity_get(struct kube_identity *identity, const struct identity_ask *ask,
                  struct identity_view *ret, struct error *err);
/* Returns the number of the plugin's runs so far. */
uint32_t identity_runs(struct kube_identity *identity);
/* True if a token file or a plugin may give other credentials after a 401. */
bool identity_can_change(const struct kube_identity *identity);

#endif
