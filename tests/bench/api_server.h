/* SPDX-License-Identifier: Apache-2.0
 *
 * The API server of a Karmada control plane that has a synthetic fleet, on a
 * loopback port, in clear text: its lists, its workloads, and through its proxies
 * the lists of its members, page by page. A process of its own for each
 * connection makes the answers while they are sent, so that nothing is kept of
 * them, and nothing of it counts as the client's.
 */
#ifndef BALLAST_BENCH_API_SERVER_H
#define BALLAST_BENCH_API_SERVER_H

#include <sys/types.h>

#include "synthetic.h"

struct api_told;

struct api_server {
    const struct synthetic *fleet;
    const struct synthetic_targets *targets;
    uint32_t clusters; /* the first of the fleet's; the others are not told of */
    pid_t pid;         /* out, as what follows */
    char url[64];
    struct api_told *told; /* shared with it */
};

bool api_server_start(struct api_server *server);
void api_server_stop(struct api_server *server);

/* Until now. */
uint64_t api_server_bytes(const struct api_server *server); /* of bodies */
uint64_t api_server_requests(const struct api_server *server);
/* For what somebody wants to know of one run. */
void api_server_forget(struct api_server *server);

#endif
