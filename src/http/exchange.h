/* SPDX-License-Identifier: Apache-2.0
 *
 * What the loop asks of an exchange.
 */
#ifndef BALLAST_HTTP_EXCHANGE_H
#define BALLAST_HTTP_EXCHANGE_H

#include "ballast/http/http.h"

/* Sets all of the request on its handle. */
bool exchange_prepare(struct http_exchange *exchange, const struct http_request *request,
                      struct error *err);
/* Its end, by libcurl's code. */
void exchange_take_result(struct http_exchange *exchange, int code);
/* Its headers, which may be secret; not the handle. */
void exchange_release(struct http_exchange *exchange);

#endif
