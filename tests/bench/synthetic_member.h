/* SPDX-License-Identifier: Apache-2.0
 *
 * One large member, written as the directory of a member: compact JSON, 0.9 KB
 * a node and 1.9 KB a pod.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_MEMBER_H
#define BALLAST_BENCH_SYNTHETIC_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

struct synthetic_member {
    uint32_t nodes;
    uint32_t pods; /* all of them running and ready */
};

/* Makes the directory and writes nodes.json and pods.json there. */
bool synthetic_member_write(const struct synthetic_member *member, const char *directory);

#endif
