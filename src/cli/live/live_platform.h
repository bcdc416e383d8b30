/* SPDX-License-Identifier: Apache-2.0
 *
 * The platform of a live fleet: as given, else Karmada, else KubeFed if the server does not know
 * Karmada.
 */
#ifndef BALLAST_CLI_LIVE_PLATFORM_H
#define BALLAST_CLI_LIVE_PLATFORM_H

#include "ballast/karmada/control_plane.h"
#include "ballast/kubefed/host.h"
#include "cli/options/settings.h"

struct live_platform {
    enum platform platform; /* PLATFORM_AUTO: unknown so far */
    struct control_plane *plane;
    struct kubefed_host *host;
    struct backend backends[2]; /* [0] the plane's, [1] the host's */
};

/* Returns the API that identifies a platform: "cluster.karmada.io/v1alpha1". */
const char *live_platform_api(enum platform platform);
/* Returns words for a server that is not of the platform: "no Karmada control plane". */
const char *live_platform_denial(enum platform platform);

/* Opens both platforms on one client, which stays the caller's. live->platform selects the one to
 * read. `live` must not move afterwards. */
void live_platform_open(struct live_platform *live, struct kube_client *client,
                        const struct control_plane_options *options,
                        const struct settings *settings);
/* Frees both platforms. */
void live_platform_close(struct live_platform *live);
/* Returns the backend of the platform that is read. It is valid until live_platform_close. */
struct backend live_platform_backend(struct live_platform *live);

/* Sets the statistics of all requests, and of those to members. Zeroes after closing. */
void live_platform_statistics(const struct live_platform *live, struct kube_statistics *all,
                              struct kube_statistics *of_members);
/* Fills the costs of each source, and returns their number. 0 for KubeFed. */
uint32_t live_platform_costs(const struct live_platform *live,
                             struct source_costs ret[SOURCE_COSTS_MAX]);

#endif
