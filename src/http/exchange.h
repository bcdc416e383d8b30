/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of an exchange that the loop calls. Private to this room.
 */
#ifndef BALLAST_HTTP_EXCHANGE_H
#define BALLAST_HTTP_EXCHANGE_H

#include "ballast/http/http.h"

/* Sets a request on the handle of an exchange. False with err: a key, a certificate or the URL
 * cannot be used. */
bool exchange_prepare(struct http_exchange *exchange, const struct http_request *request,
                      struct error *err);
/* Sets `end` and `why` of an exchange from libcurl's result code. */
void exchange_take_result(struct http_exchange *exchange, int code);
/* Wipes and frees the headers, which may be secret, and clears the exchange. The loop keeps the
 * handle. */
void exchange_release(struct http_exchange *exchange);

#endif
