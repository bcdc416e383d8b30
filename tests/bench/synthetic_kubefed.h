/* SPDX-License-Identifier: Apache-2.0
 *
 * KubeFed hosts of any size, of which one cluster is lost: every federated object
 * is in every cluster, so each has replicas to be moved.
 */
#ifndef BALLAST_BENCH_SYNTHETIC_KUBEFED_H
#define BALLAST_BENCH_SYNTHETIC_KUBEFED_H

#include <stdbool.h>
#include <stdint.h>

struct synthetic_kubefed {
    uint32_t preferences; /* each with its federated object */
    uint32_t clusters;
};

/* Writes DIR/control-plane/ and DIR/members/ with a node each; the directory must exist. false when
 * a file cannot be written. */
bool synthetic_kubefed_write(const struct synthetic_kubefed *fleet, const char *directory);

#endif
