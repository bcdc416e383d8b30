/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a migration: the input, the documents of a federated object, and the notes.
 */
#ifndef BALLAST_MIGRATE_MIGRATE_INTERNAL_H
#define BALLAST_MIGRATE_MIGRATE_INTERNAL_H

#include <stdint.h>

#include "ballast/base/arena.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/format/value_build.h"
#include "ballast/migrate/migrate.h"
#include "ballast/model/selector.h"

#define TYPES_GROUP "types.kubefed.io"
#define CORE_GROUP "core.kubefed.io"
#define SCHEDULING_GROUP "scheduling.kubefed.io"
#define FEDERATED "Federated" /* begins every federated kind */
#define APPS "apps/v1"
#define REPLICAS_PATH "/spec/replicas"
#define DEFAULT_REPLICAS 1 /* Kubernetes' default */

struct input {
    const struct value *root;
    const char *api_version, *kind; /* the object's own, or those of its list */
    const char *group;
    const char *namespace_, *name;
    const char *label; /* "FederatedDeployment shop/web", for notes */
    size_t index;      /* position in the input */
};

struct target_type {
    const char *federated_group, *federated_kind;
    const char *api_version, *kind;
    bool is_namespaced; /* false: possibly cluster-scoped */
};

struct known_cluster {
    const char *name; /* sort key of `clusters` */
    struct label_list labels;
};

/* A ReplicaSchedulingPreference. Its workload may be missing in the input. */
struct wish {
    const struct input *input;
    const char *target_kind;
    int64_t total_replicas;
    bool is_used;
};

/* A federated object, with the facts that its documents need. */
struct work {
    const struct input *input;
    const char *api_version, *kind; /* of the template */
    const char *namespace_;         /* "": cluster-scoped */
    const char *policy_name;
    bool has_replicas; /* true: a Deployment or ReplicaSet, with replicas to divide */
    bool is_namespace;
    bool is_namespaced; /* false: possibly cluster-scoped */
};

struct migration {
    struct arena *arena;
    VEC_OF(struct input) inputs;
    VEC_OF(struct target_type) types;
    VEC_OF(struct known_cluster) clusters;
    VEC_OF(struct wish) wishes;
    VEC_OF(struct work) works;
    struct map *namespaces;  /* name -> const struct input * of the FederatedNamespace */
    bool has_unread_cluster; /* `clusters` is incomplete, or lacks labels */
    bool is_limited; /* KubeFed federates only its own namespace, and needs no FederatedNamespace */
    bool leaves_what_is_there; /* KubeFed does not adopt existing objects */
    bool divides_replica_sets; /* Karmada needs an interpreter for that */
    VEC_OF(struct migration_note) notes;
    struct map *said; /* texts of notes: each note is made once */
    VEC_OF(struct value *) documents;
};

/* --- notes.c --- */

/* Notes a loss as "LABEL: FIELD: message"; field "": the whole object. Ignores repeated notes. */
void note_lost(struct migration *m, const char *label, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Notes advice as "LABEL: FIELD: message"; field "": the whole object. Ignores repeated notes. */
void note_remark(struct migration *m, const char *label, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Notes a loss for each member of `object` that is not in `known`, which ends with NULL. `path` is
 * the object's path in the input; "": the root. */
void note_unknown(struct migration *m, const char *label, const char *path,
                  const struct value *object, const char *const *known);

/* --- migrate_members.c --- */

/* True if a member is absent, null or of that type. Else adds a note: YAML 1.1 reads `no` as a
 * boolean and `1e3` as a number. `path` is the object's path; "": the root. */
bool member_is(struct migration *m, const char *label, const char *path, const struct value *object,
               const char *key, enum value_type type);
/* True if all members in `keys` (ends with NULL) are absent, null or of that type. Else adds notes.
 * `path` is the object's path; "": the root. */
bool members_are(struct migration *m, const char *label, const char *path,
                 const struct value *object, const char *const *keys, enum value_type type);
/* True if a member is absent, null or an object of strings, like labels. Else adds notes. `path` is
 * the object's path; "": the root. */
bool member_has_texts(struct migration *m, const char *label, const char *path,
                      const struct value *object, const char *key);

/* --- migrate_names.c --- */

/* True if Karmada accepts that name for a cluster: a DNS label of at most 48 characters. */
bool karmada_takes_cluster(const char *name);
/* True if Karmada accepts that name for a policy. */
bool karmada_takes_policy(const char *name);
/* True if Karmada before v1.11 accepts that name for a policy: at most 63 characters. */
bool old_karmada_takes_policy(const char *name);

/* --- migrate_selector.c --- */

/* Reads a label selector into *ret, with memory in `arena`. False: not a valid selector. */
bool selector_read(struct arena *arena, const struct value *value, struct label_selector *ret);
/* Reads labels into *ret, with memory in `arena`. Empty if `labels` is no object of strings. */
void labels_read(struct arena *arena, const struct value *labels, struct label_list *ret);

/* --- inputs.c --- */

/* Drops malformed and nameless inputs, with a note. Expects sorted inputs. */
void inputs_check(struct migration *m);
/* Reads the objects of KubeFed's own kinds: clusters, federated types, namespaces and settings. */
void inputs_read(struct migration *m);
/* True if the object has a deletionTimestamp. */
bool is_being_deleted(const struct input *input);
/* Returns the cluster of that name, or NULL if no KubeFedCluster has it. */
const struct known_cluster *cluster_find(const struct migration *m, const char *name);
/* Returns the FederatedTypeConfig's kinds for a federated kind, or NULL if there is none. */
const struct target_type *target_type_find(const struct migration *m, const char *federated_group,
                                           const char *federated_kind);

/* --- preferences.c --- */

/* Reads the ReplicaSchedulingPreferences. Drops invalid ones with a note. */
void wishes_read(struct migration *m);
/* Returns the ReplicaSchedulingPreference of a federated object, or NULL. */
struct wish *wish_find(struct migration *m, const struct input *federated);
/* Notes an entry for Ballast's configuration for each used preference, and each other as lost. */
void wishes_check_used(struct migration *m);

/* --- migrate_placement.c --- */

/* The clusters in which KubeFed puts an object. */
struct reach {
    bool is_nowhere;
    bool has_names; /* false: all clusters that match the selectors */
    const char *const *names;
    uint32_t n_names;
    const struct value *selectors[2]; /* a cluster must match all of them */
    uint32_t n_selectors;
    bool is_known; /* `today` is complete */
    const char *const *today;
    uint32_t n_today;
};
/* Finds the clusters in which KubeFed puts an object. False, with a note: the placement is invalid,
 * or Karmada takes no cluster of that name. */
bool reach_read(struct migration *m, const struct work *work, struct reach *ret);
/* True if KubeFed puts the object into that cluster. */
bool reach_has(const struct reach *reach, const char *cluster);
/* Returns the clusters as Karmada's clusterAffinity, in `arena`. */
struct value *reach_affinity(struct arena *arena, const struct reach *reach);

/* --- overrides.c --- */

/* The overrides of an object in one cluster. */
struct cluster_overrides {
    const char *cluster;
    bool has_replicas;
    int64_t replicas;
    struct value *plaintext; /* Karmada's plaintext overriders, without replicas */
};
struct override_list {
    const struct cluster_overrides *items;
    uint32_t count;
};
/* Reads the overrides of an object, by cluster. False, with a note: KubeFed refuses an override, or
 * Karmada takes no cluster of that name. */
bool overrides_read(struct migration *m, const struct work *work, const struct reach *reach,
                    struct override_list *ret);

/* --- migrate_split.c --- */

/* The replicas of one cluster. */
struct cluster_share {
    const char *cluster;
    int64_t replicas; /* 1 or more */
};
struct split {
    bool is_divided; /* false: each cluster has all `replicas` */
    int64_t replicas;
    const struct cluster_share *shares;
    uint32_t n_shares;
};
/* Reads a count of replicas into *ret: an integer or whole real number from 0 to INT32_MAX. False:
 * anything else. */
bool count_read(const struct value *value, int64_t *ret);
/* Finds how replicas are divided today. False, with a note: the input does not show it. */
bool split_read(struct migration *m, const struct work *work, const struct reach *reach,
                const struct override_list *overrides, struct split *ret);

/* --- manifests.c --- */

/* Returns the resource template of an object, with the replicas of `split` (NULL: its own). */
struct value *template_manifest(struct migration *m, const struct work *work,
                                const struct split *split);
/* Returns the policy that keeps today's placement. `split` is NULL for objects without replicas. */
struct value *propagation_manifest(const struct migration *m, const struct work *work,
                                   const struct reach *reach, const struct split *split);
/* Returns the policy with an object's overrides, or NULL if it has none. */
struct value *override_manifest(struct arena *arena, const struct work *work,
                                const struct override_list *overrides);
/* Returns the ResourceInterpreterCustomization with which Karmada reads and sets the replicas of a
 * ReplicaSet. Karmada's own interpreter knows only Deployments. */
struct value *interpreter_manifest(struct arena *arena);

/* --- works.c --- */

/* True if an API group is one of KubeFed's own. */
bool is_kubefed_group(const char *group);
/* Finds the federated objects and names their policies. Notes objects that are left out. */
void works_read(struct migration *m);

/* --- migrate_federated.c --- */

/* Appends the documents of one federated object, or notes why it is left out. */
void federated_migrate(struct migration *m, const struct work *work);

#endif
