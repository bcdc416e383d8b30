/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs that nodes are kept free for pods (status.nominatedNodeName), beside
 * the same fleet in which these pods are there.
 */
#ifndef BALLAST_BENCH_NOMINATED_H
#define BALLAST_BENCH_NOMINATED_H

#include <stdbool.h>

bool bench_nominated(void);

#endif
