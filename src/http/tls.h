/* SPDX-License-Identifier: Apache-2.0
 *
 * What is verified of a server.
 */
#ifndef BALLAST_HTTP_TLS_H
#define BALLAST_HTTP_TLS_H

#include "ballast/http/http.h"

/* Sets it on libcurl's handle. Not, with err, where less or more would be verified than asked. */
bool tls_set(void *easy, const struct http_tls *tls, const struct http_proxy *proxy,
             struct error *err);

#endif
