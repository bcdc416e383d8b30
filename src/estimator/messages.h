/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads the estimator's protobuf messages.
 */
#ifndef BALLAST_ESTIMATOR_MESSAGES_H
#define BALLAST_ESTIMATOR_MESSAGES_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/estimator/estimator_client.h"

/* Returns the name of a method: "GetUnschedulableReplicas". */
const char *message_method_name(enum estimator_method method);
/* Returns the path of a method:
 * "/github.com.karmada_io.karmada.pkg.estimator.service.Estimator/GetUnschedulableReplicas". */
const char *message_method_path(enum estimator_method method);

/* Appends the request of a call. Uses `scratch` for the duration of the call and resets it. */
void message_append_request(struct arena *scratch, struct buf *out,
                            const struct estimator_call *call);

/* Reads the number in a reply. False with PARSE if the bytes are no reply of the method. */
bool message_read_reply(enum estimator_method method, const void *bytes, size_t length,
                        int32_t *ret_answer, struct error *err);

#endif
