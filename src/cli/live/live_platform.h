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
    enum platform platform; /* AUTO: nobody knows yet */
    struct control_plane *plane;
    struct kubefed_host *host;
    struct backend backends[2]; /* of them */
};

/* The API that tells whose server it is: "cluster.karmada.io/v1alpha1". */
const char *live_platform_api(enum platform platform);
/* In words: "no Karmada control plane". */
const char *live_platform_denial(enum platform platform);

/* `platform` says which; stays where it is from now on. */
void live_platform_open(struct live_platform *live, struct kube_client *client,
                        const struct control_plane_options *options,
                        const struct settings *settings);
void live_platform_close(struct live_platform *live);
/* Valid until it is closed. */
struct backend live_platform_backend(struct live_platform *live);

/* Of all requests, and of those to members. */
void live_platform_statistics(const struct live_platform *live, struct kube_statistics *all,
                              struct kube_statistics *of_members);
/* Returns how many. */
uint32_t live_platform_costs(const struct live_platform *live,
                             struct source_costs ret[SOURCE_COSTS_MAX]);

#endif
