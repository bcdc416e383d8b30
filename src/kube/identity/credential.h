/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks credentials before they are sent, so that the error names what expired. A server would
 * only break the connection or answer 401.
 */
#ifndef BALLAST_KUBE_CREDENTIAL_H
#define BALLAST_KUBE_CREDENTIAL_H

#include "ballast/base/error.h"
#include "identity.h"

/* False with CONFIG if the client certificate, or a token that is a JWT, is not valid at `now`
 * (nanoseconds since the epoch). Unreadable credentials pass: the connection reports them better.
 */
bool credential_check(const struct kube_config *config, const struct identity_view *identity,
                      int64_t now, struct error *err);

#endif
