/* SPDX-License-Identifier: Apache-2.0
 *
 * A synthetic pod as an API server answers it: defaults filled in, a projected
 * token, and managedFields of those who wrote it. About 5 KB.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_POD_H
#define BALLAST_BENCH_SYNTHETIC_POD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct synthetic_pod {
    uint32_t service;
    uint32_t number; /* among those of the service */
    uint32_t node;
    bool is_stuck; /* it found no node */
    bool is_lean;  /* without managedFields */
};

void synthetic_write_pod(const struct synthetic_pod *pod, FILE *file);

#endif
