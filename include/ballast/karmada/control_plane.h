/* SPDX-License-Identifier: Apache-2.0
 *
 * A live control plane: a fleet is read from its API server, and from the
 * members through its clusters/NAME/proxy; writes are merge patches that name
 * the resourceVersion they are based on.
 *
 * What cannot be read of the control plane is an error of the run. What cannot
 * be read of a member stays unknown, and is told.
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
    struct estimators *estimators;        /* asked as well; NULL: none */
    bool workload_labels;                 /* a selector wants those of what the bindings bind */
    bool server_dry_run;                  /* the server checks every write, and stores none */
    const struct member_port *port;       /* where members come from; NULL: it looks into them */
    const struct member_choice *observes; /* it reads nothing but the clusters, and looks into those
                                             members, for whatever may be bound; NULL: it reads all
                                             of the fleet */
    const struct fleet_tap *tap;          /* told what is read; NULL: nobody */
    struct progress progress;             /* told how far reading and writing are */
};

/* The client stays the caller's, and must outlive it. */
struct control_plane *control_plane_new(struct kube_client *client,
                                        const struct control_plane_options *options);
void control_plane_free(struct control_plane *plane); /* NULL is fine */

/* Valid while the control plane is. Reading is NOT_FOUND when what answers is no Karmada control
 * plane: it does not know Clusters or bindings. */
struct backend control_plane_backend(struct control_plane *plane);

/* Requests to it and to members so far. */
struct kube_statistics control_plane_statistics(const struct control_plane *plane);

/* Of them, those to look into members. */
struct kube_statistics control_plane_member_statistics(const struct control_plane *plane);

/* What a source of the last reading and survey cost. */
struct source_costs {
    const char *source; /* "control plane", "members", ... */
    uint64_t requests, bytes;
    int64_t nanos;
};
#define SOURCE_COSTS_MAX 4
/* Returns how many. */
uint32_t control_plane_costs(const struct control_plane *plane,
                             struct source_costs ret[SOURCE_COSTS_MAX]);

#endif
