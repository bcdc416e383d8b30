/* SPDX-License-Identifier: Apache-2.0
 *
 * Which control plane a live fleet is read from: Karmada's or KubeFed's. Where
 * nobody says, it is Karmada's, and KubeFed's where nobody there knows Karmada.
 */
#ifndef BALLAST_CLI_LIVE_PLATFORM_H
#define BALLAST_CLI_LIVE_PLATFORM_H

#include "ballast/karmada/control_plane.h"
#include "ballast/kubefed/host.h"
#include "cli/options/settings.h"

struct live_platform {
    enum platform platform; /* PLATFORM_AUTO: not known yet */
    struct control_plane *plane;
    struct kubefed_host *host;
    struct backend backends[2]; /* of the plane and of the host */
};

/* Returns the API by which a server of that platform is known: "cluster.karmada.io/v1alpha1". */
const char *live_platform_api(enum platform platform);
/* Returns in words that a server is not of that platform: "no Karmada control plane". */
const char *live_platform_denial(enum platform platform);

/* Opens both platforms on one client, which stays the caller's. live->platform says which is read.
 * `live` must not move from now on. */
void live_platform_open(struct live_platform *live, struct kube_client *client,
                        const struct control_plane_options *options,
                        const struct settings *settings);
/* Frees both platforms. */
void live_platform_close(struct live_platform *live);
/* Returns the backend of the platform that is read. It is valid until live_platform_close. */
struct backend live_platform_backend(struct live_platform *live);

/* Sets what all requests came to, and what those to members came to; zeroes once it is closed. */
void live_platform_statistics(const struct live_platform *live, struct kube_statistics *all,
                              struct kube_statistics *of_members);
/* Fills what each source cost; returns how many there are, 0 for KubeFed. */
uint32_t live_platform_costs(const struct live_platform *live,
                             struct source_costs ret[SOURCE_COSTS_MAX]);

#endif
