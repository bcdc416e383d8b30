/* SPDX-License-Identifier: Apache-2.0
 *
 * A live control plane: Ballast reads a fleet from its API server, and from the members through its
 * clusters/NAME/proxy. Writes are merge patches that name the resourceVersion they are based on.
 *
 * If the control plane cannot be read, the run fails. If a part of a member cannot be read, the
 * part stays unknown, and the report names it.
 */
#ifndef BALLAST_KARMADA_CONTROL_PLANE_H
#define BALLAST_KARMADA_CONTROL_PLANE_H

#include "ballast/backend/backend.h"
#include "ballast/base/progress.h"
#include "ballast/karmada/estimators.h"
#include "ballast/kinds/decode.h"
#include "ballast/kube/kube_client.h"
#include "ballast/members/members.h"
#include "ballast/model/fleet.h"

struct control_plane;

struct control_plane_options {
    struct clock clock;
    uint32_t page_size;   /* objects of one page of a list */
    uint32_t concurrency; /* writes in flight */
    struct members_options members;
    struct estimators *estimators;  /* asked, too; NULL: none */
    bool workload_labels;           /* read the labels of bound workloads, for a selector */
    bool server_dry_run;            /* the server checks every write, and stores none */
    const struct member_port *port; /* reads the members in place of members_look; NULL: none */
    const struct member_choice *observes; /* read only clusters and these members, with everything
                                             that may be bound; NULL: read the whole fleet */
    const struct fleet_tap *tap;          /* gets all objects that are read; NULL: none */
    struct progress progress;             /* shows the progress of reading and writing */
};

/* Returns a control plane behind `client`, to be freed with control_plane_free. The client stays
 * the caller's, and outlives it. */
struct control_plane *control_plane_new(struct kube_client *client,
                                        const struct control_plane_options *options);
/* Frees a control plane. NULL is fine. */
void control_plane_free(struct control_plane *plane);

/* Returns the control plane as a backend, which lives as long as `plane`. Reading fails with
 * NOT_FOUND if the server does not know Clusters or bindings: it is no Karmada control plane. */
struct backend control_plane_backend(struct control_plane *plane);

/* Returns the statistics of all requests so far, to the control plane and to members. */
struct kube_statistics control_plane_statistics(const struct control_plane *plane);

/* Returns the statistics of all requests so far that looked into members. */
struct kube_statistics control_plane_member_statistics(const struct control_plane *plane);

/* The cost of one source in the last reading and survey. */
struct source_costs {
    const char *source; /* "control plane", "members", ... */
    uint64_t requests, bytes;
    int64_t nanos;
};
#define SOURCE_COSTS_MAX 4
/* Writes the costs of all sources to `ret` and returns their number. */
uint32_t control_plane_costs(const struct control_plane *plane,
                             struct source_costs ret[SOURCE_COSTS_MAX]);

#endif
