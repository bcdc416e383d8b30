/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets on a libcurl handle how much of a server to verify.
 */
#ifndef BALLAST_HTTP_TLS_H
#define BALLAST_HTTP_TLS_H

#include "ballast/http/http.h"

/* Sets `tls` on libcurl's handle. False with CONFIG if libcurl would verify more or less than
 * asked. */
bool tls_set(void *easy, const struct http_tls *tls, const struct http_proxy *proxy,
             struct error *err);

#endif
