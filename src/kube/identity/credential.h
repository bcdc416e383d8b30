/* SPDX-License-Identifier: Apache-2.0
 *
 * A look at what we are about to show a server, before it is sent: what has
 * expired is said in our words, with its name, and not by a connection that
 * breaks or a 401 that does not tell why.
 */
#ifndef BALLAST_KUBE_CREDENTIAL_H
#define BALLAST_KUBE_CREDENTIAL_H

#include "ballast/base/error.h"
#include "identity.h"

/* False with CONFIG when the client certificate or a token that is a JWT cannot be good at `now`
 * (nanoseconds since the epoch). What cannot be read is passed over: whoever uses it says more. */
bool credential_check(const struct kube_config *config, const struct identity_view *identity,
                      int64_t now, struct error *err);

#endif
