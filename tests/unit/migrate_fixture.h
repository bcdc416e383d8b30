/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of KubeFed for the tests of a migration, and what becomes of them.
 * Objects are JSON with ' for ".
 */
#ifndef BALLAST_MIGRATE_FIXTURE_H
#define BALLAST_MIGRATE_FIXTURE_H

#include "ballast/migrate/migrate.h"

#define CLUSTER(name, labels)                                                                      \
    "{'apiVersion':'core.kubefed.io/v1beta1','kind':'KubeFedCluster','metadata':{'namespace':"     \
    "'kf','name':'" name "','labels':{" labels "}}}"
#define NAMESPACE(placement)                                                                       \
    "{'apiVersion':'types.kubefed.io/v1beta1','kind':'FederatedNamespace','metadata':"             \
    "{'namespace':'shop','name':'shop'},'spec':{'placement':{" placement "}}}"
#define FEDERATED(kind, name, spec)                                                                \
    "{'apiVersion':'types.kubefed.io/v1beta1','kind':'" kind                                       \
    "','metadata':{'namespace':'shop','name':'" name "'},'spec':{" spec "}}"
#define WEB(spec) FEDERATED("FederatedDeployment", "web", spec)
#define TEMPLATE(replicas) "'template':{'spec':{" replicas "'paused':false}}"
#define NAMES(names) "'placement':{'clusters':[" names "]}"
#define COUNT(cluster, count)                                                                      \
    "{'clusterName':'" cluster "','clusterOverrides':[{'path':'/spec/replicas','value':" count "}" \
    "]"                                                                                            \
    "}"
#define WISH(spec)                                                                                 \
    "{'apiVersion':'scheduling.kubefed.io/v1alpha1','kind':'ReplicaSchedulingPreference',"         \
    "'metadata':{'namespace':'shop','name':'web'},'spec':{" spec "}}"
#define EVERYWHERE "'clusterSelector':{}"
#define DUPLICATED "{'replicaSchedulingType':'Duplicated'}"
#define DIVIDED(rest)                                                                              \
    "{'replicaSchedulingType':'Divided','replicaDivisionPreference':'Weighted'" rest "}"
#define WEIGHTS(weights) DIVIDED(",'weightPreference':{'staticWeightList':[" weights "]}")
#define WEIGHT(cluster, weight)                                                                    \
    "{'targetCluster':{'clusterNames':['" cluster "']},'weight':" weight "}"
#define AFFINITY_OF(names) "{'clusterNames':[" names "]}"

/* A, b and c; b and c are of region eu. */
extern const char *const three_clusters[];

struct migrated {
    struct migration *migration;
    struct migration_result result;
    char *texts[16]; /* of the documents */
};

struct document *migrated_parse(const char *text);
void migrated_add(struct migrated *f, const char *text);
void migrated_add_all(struct migrated *f, const char *const *texts);
void migrated_finish(struct migrated *f);
void migrated_release(struct migrated *f);
/* The document of a kind and name; NULL: there is none. */
const struct value *migrated_find(const struct migrated *f, const char *kind, const char *name);
void migrated_check(const struct value *value, const char *want);
/* How many of the notes that say something is lost contain a text. */
size_t migrated_lost(const struct migrated *f, const char *part);

#endif
