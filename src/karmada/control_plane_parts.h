/* SPDX-License-Identifier: Apache-2.0
 *
 * What reading and writing a control plane have in common, private to
 * control_plane*.c.
 */
#ifndef BALLAST_KARMADA_CONTROL_PLANE_PARTS_H
#define BALLAST_KARMADA_CONTROL_PLANE_PARTS_H

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/karmada/control_plane.h"
#include "ballast/kinds/decode.h"

#define RESOURCE_BINDINGS "/apis/work.karmada.io/v1alpha2/resourcebindings"
#define CLUSTER_RESOURCE_BINDINGS "/apis/work.karmada.io/v1alpha2/clusterresourcebindings"

/* A kind of what bindings bind. */
struct bound_kind {
    const char *api_version, *kind;
};

struct control_plane {
    struct kube_client *client;
    struct control_plane_options options;
    struct arena *arena; /* of one reading */
    VEC_OF(struct member_address) members;
    bool *direct; /* by member: it was reached directly */
    struct kube_statistics member_requests;
    struct source_costs of_lists, of_members; /* of the last reading */
    /* What is bound, as far as it decides what is looked at in members. */
    struct map *namespaces;                /* of Deployments with replicas; keys in the arena */
    VEC_OF(struct bound_kind) bound_kinds; /* where the labels of workloads are wanted */
    uint32_t brought;                      /* lists (bits) that a binding makes count */
    uint32_t later;                        /* lists (bits) that are left for a cycle that changes */
    bool from_cache;                       /* lists are asked for so */
    bool begins_again;        /* a list was not of one state, or broke off, in this reading */
    bool has_finishing_kinds; /* Jobs, or kinds that nobody here knows: their pods may succeed */
    bool has_unknown_kinds;   /* whose pods may hang on any builtin workload */
};

enum list_reading { READING_DONE, READING_AGAIN, READING_FAILED };
#define READINGS_MAX 4

/* Reads all lists that a diagnosis needs, and notes what leads into members. AGAIN (with err): they
 * changed while they were read; a new builder is to be filled. */
enum list_reading control_plane_read_lists(struct control_plane *plane,
                                           struct fleet_builder *builder, struct error *err);
/* What was left for a cycle that changes something, into the fleet; once. */
bool control_plane_read_later(struct control_plane *plane, struct fleet *fleet, struct error *err);

/* clusters/NAME/proxy */
extern const struct member_proxy control_plane_proxy;

/* The back end's write and read_again. */
void control_plane_write(void *context, struct write_request *writes, uint32_t count,
                         const atomic_bool *stop);
const struct binding *control_plane_read_again(void *context, struct fleet *fleet,
                                               const struct binding *binding, struct error *err);

/* Makes a WorkloadRebalancer. NOT_FOUND: the server has none. */
bool control_plane_rebalance(void *context, const struct rebalancer_request *request,
                             struct arena *arena, const char **ret_name, struct error *err);

/* Notes what a binding binds, and, when all of them are known, reads the labels of that: metadata
 * alone. Labels that cannot be read stay unknown, and are a problem of the fleet's. false when the
 * run was stopped, or its time is over. */
void control_plane_note_bound(struct control_plane *plane, const struct value *binding);
bool control_plane_read_labels(struct control_plane *plane, struct fleet_builder *builder,
                               struct error *err);

/* "/apis/apps/v1", or "/api/v1" of the core's. */
const char *control_plane_api_path(struct arena *arena, const char *api_version);
/* The collection of a kind, "deployments". NULL with err: it does not tell, or has none. */
const char *control_plane_discover(const struct control_plane *plane, const struct bound_kind *kind,
                                   struct error *err);

/* Reads the pod templates of the workloads that are asked about; those that cannot be read are told
 * to the builder. false when the run was stopped, or its time is over. */
bool control_plane_read_templates(struct control_plane *plane, const struct fleet *fleet,
                                  const struct survey *asked, struct fleet_builder *builder,
                                  struct error *err);

/* Which purge modes it takes in eviction tasks: into fleet->purge_modes, which stays 0 where it
 * does not say. */
void control_plane_ask_purge_modes(struct control_plane *plane, struct fleet *fleet);

#endif
