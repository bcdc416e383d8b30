/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a migration: what the input says, what becomes of one federated
 * object, and the notes on the way.
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
#define DEFAULT_REPLICAS 1 /* Kubernetes', where nobody says how many */

struct input {
    const struct value *root;
    const char *api_version, *kind; /* its own, or by its list */
    const char *group;              /* of the API */
    const char *namespace_, *name;
    const char *label; /* "FederatedDeployment shop/web", for notes */
    size_t index;      /* in the order of the input */
};

/* By a FederatedTypeConfig. */
struct target_type {
    const char *federated_group, *federated_kind;
    const char *api_version, *kind;
    bool is_namespaced; /* known to be; else it may be of the cluster */
};

/* By a KubeFedCluster. */
struct known_cluster {
    const char *name; /* they are sorted by it */
    struct label_list labels;
};

/* A ReplicaSchedulingPreference for an object that may be there. */
struct wish {
    const struct input *input;
    const char *target_kind;
    int64_t total_replicas;
    bool is_used;
};

/* A federated object and what is to be made of it. */
struct work {
    const struct input *input;
    const char *api_version, *kind; /* of the template */
    const char *namespace_;         /* "": it is of the cluster */
    const char *policy_name;
    bool has_replicas; /* they are divided; else each cluster has its own copy */
    bool is_namespace;
    bool is_namespaced; /* its objects are known to be in namespaces */
};

struct migration {
    struct arena *arena;
    VEC_OF(struct input) inputs;
    VEC_OF(struct target_type) types;
    VEC_OF(struct known_cluster) clusters;
    VEC_OF(struct wish) wishes;
    VEC_OF(struct work) works;
    struct map *namespaces;  /* name -> const struct input * of the FederatedNamespace */
    bool has_unread_cluster; /* one more than `clusters`, or one whose labels are not known */
    bool is_limited; /* KubeFed looks after one namespace only, without a FederatedNamespace */
    bool leaves_what_is_there; /* KubeFed takes over no object that others made */
    bool divides_replica_sets; /* Karmada has to be told how */
    VEC_OF(struct migration_note) notes;
    struct map *said; /* the texts of the notes: of a namespace, each object in it would say it */
    VEC_OF(struct value *) documents;
    VEC_OF(struct value *) kept; /* values that parts of documents are shared with */
};

/* notes.c */
void note_lost(struct migration *m, const char *label, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void note_remark(struct migration *m, const char *label, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Each member that is none of `known`, which ends with NULL. `path` is that of the object in the
 * input, "" at its root. */
void note_unknown(struct migration *m, const char *label, const char *path,
                  const struct value *object, const char *const *known);

/* migrate_members.c: a member that is absent, null or of that type. Else a note says what it is:
 * YAML 1.1 takes `no` for a boolean and `1e3` for a number. `path` is that of the object, "" at its
 * root. */
bool member_is(struct migration *m, const char *label, const char *path, const struct value *object,
               const char *key, enum value_type type);
/* Members of one type; `keys` ends with NULL. */
bool members_are(struct migration *m, const char *label, const char *path,
                 const struct value *object, const char *const *keys, enum value_type type);
/* Labels or annotations: an object of strings. */
bool member_has_texts(struct migration *m, const char *label, const char *path,
                      const struct value *object, const char *key);

/* migrate_names.c */
bool karmada_takes_cluster(const char *name);
bool karmada_takes_policy(const char *name);
bool old_karmada_takes_policy(const char *name); /* so did every version */

/* migrate_selector.c: false where it is none. */
bool selector_read(struct arena *arena, const struct value *value, struct label_selector *ret);
void labels_read(struct arena *arena, const struct value *labels, struct label_list *ret);

/* inputs.c: leaves out those that say of themselves what cannot be. `inputs` are sorted. */
void inputs_check(struct migration *m);
/* What KubeFed's own kinds say of all others. */
void inputs_read(struct migration *m);
bool is_being_deleted(const struct input *input);
const struct known_cluster *cluster_find(const struct migration *m, const char *name);
/* NULL: no FederatedTypeConfig is about it. */
const struct target_type *target_type_find(const struct migration *m, const char *federated_group,
                                           const char *federated_kind);

/* preferences.c: the ReplicaSchedulingPreferences. */
void wishes_read(struct migration *m);
struct wish *wish_find(struct migration *m, const struct input *federated);
/* Those that are about nothing in the input. */
void wishes_check_used(struct migration *m);

/* migrate_placement.c: where KubeFed puts an object. */
struct reach {
    bool is_nowhere;
    bool has_names; /* else wherever the selectors match */
    const char *const *names;
    uint32_t n_names;
    const struct value *selectors[2]; /* all must match */
    uint32_t n_selectors;
    bool is_known; /* the clusters of today are these, by name */
    const char *const *today;
    uint32_t n_today;
};
/* false: it cannot be told, and a note says why. */
bool reach_read(struct migration *m, const struct work *work, struct reach *ret);
bool reach_has(const struct reach *reach, const char *cluster);
/* As Karmada's clusterAffinity. */
struct value *reach_affinity(const struct reach *reach);

/* overrides.c */
struct cluster_overrides {
    const char *cluster;
    bool has_replicas;
    int64_t replicas;
    struct value *plaintext; /* all others, as Karmada has them; a list */
};
struct override_list {
    const struct cluster_overrides *items;
    uint32_t count;
};
/* false: they cannot be told, and a note says why. */
bool overrides_read(struct migration *m, const struct work *work, const struct reach *reach,
                    struct override_list *ret);

/* migrate_split.c: how the replicas are divided. */
struct cluster_share {
    const char *cluster;
    int64_t replicas; /* from 1 */
};
struct split {
    bool is_divided; /* else each cluster has all `replicas` */
    int64_t replicas;
    const struct cluster_share *shares;
    uint32_t n_shares;
};
/* A count of replicas: an integer, or a real number that is one. */
bool count_read(const struct value *value, int64_t *ret);
/* false: it cannot be told, and a note says why. */
bool split_read(struct migration *m, const struct work *work, const struct reach *reach,
                const struct override_list *overrides, struct split *ret);

/* manifests.c: what is written. `split` is NULL where replicas are not divided. */
struct value *template_manifest(struct migration *m, const struct work *work,
                                const struct split *split);
struct value *propagation_manifest(const struct migration *m, const struct work *work,
                                   const struct reach *reach, const struct split *split);
/* NULL: there is nothing to override. */
struct value *override_manifest(const struct work *work, const struct override_list *overrides);
/* What tells Karmada how many replicas a ReplicaSet has: it knows it of Deployments by itself. */
struct value *interpreter_manifest(void);
void put_text(struct value *object, const char *key, const char *text);

/* works.c: which federated objects there are, and what their policies are called. */
bool is_kubefed_group(const char *group);
void works_read(struct migration *m);

/* migrate_federated.c: appends the documents of one. */
void federated_migrate(struct migration *m, const struct work *work);

#endif
