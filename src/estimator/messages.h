/* SPDX-License-Identifier: Apache-2.0
 *
 * The estimator's protobuf messages.
 */
#ifndef BALLAST_ESTIMATOR_MESSAGES_H
#define BALLAST_ESTIMATOR_MESSAGES_H

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/estimator/estimator_client.h"

/* "GetUnschedulableReplicas" */
const char *message_method_name(enum estimator_method method);
/* "/github.com.karmada_io.karmada.pkg.estimator.service.Estimator/GetUnschedulableReplicas" */
const char *message_method_path(enum estimator_method method);

/* Appends the request of a call. `scratch` is used up to it and reset. */
void message_append_request(struct arena *scratch, struct buf *out,
                            const struct estimator_call *call);

/* The number that a reply holds; PARSE when the bytes are no such message. */
bool message_read_reply(enum estimator_method method, const void *bytes, size_t length,
                        int32_t *ret_answer, struct error *err);

#endif
