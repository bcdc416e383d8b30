/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and functions that reading and writing a control plane share. Private to control_plane*.c.
 */
#ifndef BALLAST_KARMADA_CONTROL_PLANE_PARTS_H
#define BALLAST_KARMADA_CONTROL_PLANE_PARTS_H

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/karmada/control_plane.h"
#include "ballast/kinds/decode.h"

#define RESOURCE_BINDINGS "/apis/work.karmada.io/v1alpha2/resourcebindings"
#define CLUSTER_RESOURCE_BINDINGS "/apis/work.karmada.io/v1alpha2/clusterresourcebindings"

/* A kind of bound workloads. */
struct bound_kind {
    const char *api_version, *kind;
};

struct control_plane {
    struct kube_client *client;
    struct control_plane_options options;
    struct arena *arena; /* of one reading */
    VEC_OF(struct member_address) members;
    bool *direct; /* by member: Ballast reached it directly */
    struct kube_statistics member_requests;
    struct source_costs of_lists, of_members; /* of the last reading */
    /* Facts about bound workloads that decide what to read in members. */
    struct map *namespaces;                /* of Deployments with replicas; keys in the arena */
    VEC_OF(struct bound_kind) bound_kinds; /* whose workloads' labels are wanted */
    uint32_t brought;                      /* lists (bits) that matter because of a binding */
    uint32_t later;                        /* lists (bits) that only a cycle with a change reads */
    bool from_cache;                       /* ask for lists from the server's cache */
    bool begins_again;                     /* a list began again or broke off in this reading */
    bool has_finishing_kinds;              /* Jobs, or unknown kinds: their pods may succeed */
    bool has_unknown_kinds;                /* their pods may belong to any builtin workload */
};

enum list_reading { READING_DONE, READING_AGAIN, READING_FAILED };
#define READINGS_MAX 4

/* Reads all lists that a diagnosis needs into the builder, and notes where members are.
 * READING_AGAIN with err: the lists changed while they were read, so fill a new builder.
 * READING_FAILED with err. */
enum list_reading control_plane_read_lists(struct control_plane *plane,
                                           struct fleet_builder *builder, struct error *err);
/* Reads into the fleet, once, the lists that only a cycle with a change needs. False with err. */
bool control_plane_read_later(struct control_plane *plane, struct fleet *fleet, struct error *err);

/* clusters/NAME/proxy */
extern const struct member_proxy control_plane_proxy;

/* Carries out writes; the backend's `write`. Each write has its own outcome. */
void control_plane_write(void *context, struct write_request *writes, uint32_t count,
                         const atomic_bool *stop);
/* Reads one binding again; the backend's `read_again`. NULL with err. */
const struct binding *control_plane_read_again(void *context, struct fleet *fleet,
                                               const struct binding *binding, struct error *err);

/* Creates a WorkloadRebalancer; *ret_name is its name, in `arena`. False with err; NOT_FOUND: the
 * server does not know the kind. */
bool control_plane_rebalance(void *context, const struct rebalancer_request *request,
                             struct arena *arena, const char **ret_name, struct error *err);

/* Notes the kind of the workload that a binding binds, if the labels of workloads are wanted. */
void control_plane_note_bound(struct control_plane *plane, const struct value *binding);
/* Reads the labels of all workloads of the noted kinds into the builder, as metadata alone. Labels
 * that cannot be read stay unknown, and are a problem of the fleet. False with err when the run was
 * stopped, or its time is over. */
bool control_plane_read_labels(struct control_plane *plane, struct fleet_builder *builder,
                               struct error *err);

/* Returns the path of an API version, in `arena`: "/apis/apps/v1", or "/api/v1" (core group). */
const char *control_plane_api_path(struct arena *arena, const char *api_version);
/* Returns the collection of a kind, "deployments". NULL with err; NOT_FOUND: the server does not
 * know the kind. */
const char *control_plane_discover(const struct control_plane *plane, const struct bound_kind *kind,
                                   struct error *err);

/* Reads the pod templates of the workloads that a survey asks about into the builder, and notes
 * there which ones cannot be read. False with err when the run was stopped, or its time is over. */
bool control_plane_read_templates(struct control_plane *plane, const struct fleet *fleet,
                                  const struct survey *asked, struct fleet_builder *builder,
                                  struct error *err);

/* Reads which purge modes the server takes in eviction tasks into fleet->purge_modes, which stays 0
 * without a readable schema. */
void control_plane_ask_purge_modes(struct control_plane *plane, struct fleet *fleet);

#endif
