/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of all bindings of a real API server, from the request to the fleet,
 * beside what curl needs for the same bytes.
 */
#ifndef BALLAST_BENCH_LIST_H
#define BALLAST_BENCH_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* Both in turn, so many times, against the server of a kubeconfig with a CA's file and a token. */
bool bench_list(const char *kubeconfig, uint32_t rounds);

#endif
