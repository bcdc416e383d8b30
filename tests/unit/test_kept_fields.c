/* SPDX-License-Identifier: Apache-2.0
 *
 * A row says how a member is decoded and what a snapshot keeps of it. Every member that is asked
 * for while an object of each kind is decoded must be one that is kept, whether a table asks or a
 * function of its own: the linker puts the functions here in the place of value_get (Makefile).
 */
#include "ballast/base/arena.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "check.h"
#include "kinds/builder/kind.h"
#include "kinds/decode/decoders.h"

const struct value *__real_value_get(const struct value *object, const char *key);
const struct value *__wrap_value_get(const struct value *object, const char *key);

/* What is kept of a list or an object of the sample. */
struct place {
    const char *path;
    const struct field *rules; /* NULL: nothing */
    bool is_free;              /* all of it, whatever it is called */
};

struct recorder {
    struct arena *arena;
    struct map *places; /* container -> its place */
    unsigned reads;
};

/* NULL: nobody wants to know. Of each thread, since others read JSON meanwhile. */
static _Thread_local struct recorder *recorder;

/* Members that are asked for and not kept, and why. */
static const struct {
    const char *path, *why;
} left_out[] = {
    {"metadata", "EstimatorAnswers have none"},
    {"metadata.annotations", "only those of bindings are kept"},
    {"metadata.annotations.resource.karmada.io/cached-from-cluster",
     "a snapshot puts the objects of a member into its directory"},
};

static bool
is_left_out(const char *path)
{
    for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
        if (str_eq(left_out[i].path, path)) {
            return true;
        }
    }
    return false;
}

static const struct field *
find_rule(const struct field *rules, const char *name)
{
    for (; rules != NULL && rules->name != NULL; rules++) {
        if (rules->form != PRUNE_NOT && str_eq(rules->name, name)) {
            return rules;
        }
    }
    return NULL;
}

/* Whether a table of these has a row of that name, however deep. */
static bool
has_rule(const struct field *rules, const char *name)
{
    if (find_rule(rules, name) != NULL) {
        return true;
    }
    for (; rules != NULL && rules->name != NULL; rules++) {
        if (has_rule(rules->table, name)) {
            return true;
        }
    }
    return false;
}

/* A row that decodes, and no row of its name that says what is kept, is found without a sample. */
static void
check_rows(const char *path, const struct field *table)
{
    for (const struct field *row = table; row != NULL && row->name != NULL; row++) {
        char inner[512];

        snprintf(inner, sizeof(inner), "%s.%s", path, row->name);
        CHECK_MSG(row->convert == NULL || find_rule(table, row->name) != NULL,
                  "%s is decoded, and no row says what a snapshot keeps of it", inner);
        if (row->form != PRUNE_TEMPLATE) {
            check_rows(inner, row->table);
        }
    }
}

static void index_value(struct recorder *r, const struct value *value, struct place place);

/* A map of objects has rules for each of them. */
static bool
keeps_all(const struct field *rule)
{
    return rule->form == PRUNE_MAP || rule->form == PRUNE_TEMPLATE ||
           rule->form == PRUNE_ANNOTATIONS || rule->form == PRUNE_TOLD_STATUS;
}

static struct place
place_of_member(struct recorder *r, const struct place *place, const char *key)
{
    const struct field *rule = find_rule(place->rules, key);
    struct place inner = {
        .path = arena_printf(r->arena, "%s%s%s", place->path, str_is_empty(place->path) ? "" : ".",
                             key),
        .is_free = place->is_free,
    };

    if (place->is_free && place->rules != NULL) {
        inner.rules = place->rules;
        inner.is_free = false;
    } else if (rule != NULL) {
        bool is_any = rule->form == PRUNE_TOLD_STATUS || rule->form == PRUNE_TEMPLATE;

        inner.rules = is_any ? NULL : rule->table;
        inner.is_free = keeps_all(rule);
    }
    return inner;
}

static void
index_value(struct recorder *r, const struct value *value, struct place place)
{

    if (value_type(value) != VALUE_OBJECT && value_type(value) != VALUE_LIST) {
        return;
    }
    const void *id = arena_memdup(r->arena, &value, sizeof(value));

    *map_put(r->places, id, sizeof(value), NULL) = arena_memdup(r->arena, &place, sizeof(place));
    if (value_type(value) == VALUE_LIST) {
        for (size_t i = 0; i < value_count(value); i++) {
            index_value(r, value_at(value, i), place);
        }
        return;
    }
    for (struct value_iterator it = VALUE_ITERATOR(value); value_each(&it);) {
        index_value(r, it.value, place_of_member(r, &place, it.key));
    }
}

/* --- what is read --- */

static void
check_read(struct recorder *r, const struct value *object, const char *key, bool found)
{
    void **slot = map_get(r->places, &object, sizeof(object));

    r->reads++;
    if (slot == NULL) { /* the text of an annotation, or one made of a template that is kept */
        const struct field *metadata = find_rule(kind_find("ResourceBinding")->table, "metadata");

        CHECK_MSG(has_rule(find_rule(metadata->table, "annotations")->table, key) ||
                      has_rule(requirements_table, key),
                  "%s is read of an annotation, and not kept", key);
        return;
    }
    const struct place *place = *slot;
    const char *path =
        arena_printf(r->arena, "%s%s%s", place->path, str_is_empty(place->path) ? "" : ".", key);
    bool is_head = str_is_empty(place->path) && (str_eq(key, "apiVersion") || str_eq(key, "kind"));

    if (is_left_out(path)) {
        return;
    }
    CHECK_MSG(found, "%s is read, and the sample does not have it", path);
    CHECK_MSG(is_head || place->is_free || find_rule(place->rules, key) != NULL,
              "%s is read, and not kept in a snapshot", path);
}

const struct value *
__wrap_value_get(const struct value *object, const char *key)
{
    struct recorder *r = recorder;
    const struct value *value = __real_value_get(object, key);

    recorder = NULL; /* what is asked for here does not count */
    if (r != NULL && object != NULL) {
        check_read(r, object, key, value != NULL);
    }
    recorder = r;
    return value;
}

/* Decodes an object that has all that is ever read of its kind; ' stands for ". */
static void
check_kept(const char *api_version, const char *kind, const char *member, const char *text)
{
    struct recorder mine = {.arena = arena_new(), .places = map_new()};
    struct fleet_builder *builder = fleet_builder_new();
    struct object_origin origin = {.file = "", .member = member};
    struct error err = ERROR_INIT;
    char *json =
        arena_printf(mine.arena, "{'apiVersion':'%s','kind':'%s',%s}", api_version, kind, text);

    for (char *c = strchr(json, '\''); c != NULL; c = strchr(c, '\'')) {
        *c = '"';
    }
    struct document *document = document_parse_json(json, strlen(json), 1, &err);

    check_rows(kind, kind_table(api_version, kind));
    if (CHECK_OK(document != NULL, err)) {
        const struct value *root = document_root(document);

        index_value(&mine, root,
                    (struct place){.path = "", .rules = kind_table(api_version, kind)});
        recorder = &mine;
        enum add_result result = fleet_builder_add(builder, root, "", "", &origin, &err);

        recorder = NULL;
        CHECK_INT(result, ADD_TAKEN);
        CHECK_MSG(mine.reads > 0, "nothing is read of a %s", kind);
    }
    document_free(document);
    fleet_builder_free(builder);
    map_free(mine.places);
    arena_free(mine.arena);
}

#define METADATA                                                                                   \
    "'metadata':{'namespace':'shop','name':'web','uid':'u','resourceVersion':'1',"                 \
    "'generation':1,'creationTimestamp':'2026-01-01T00:00:00Z',"                                   \
    "'deletionTimestamp':'2026-01-01T00:00:00Z','labels':{'a':'b','karmada.io/managed':'true',"    \
    "'resourcetemplate.karmada.io/retain-replicas':'true'},'annotations':{"                        \
    "'resource.karmada.io/cached-from-cluster':'','resourcetemplate.karmada.io/generation':'7'},"  \
    "'ownerReferences':[{'apiVersion':'v1','kind':'R','name':'r','uid':'u','controller':true}]}"
#define SELECTOR                                                                                   \
    "{'matchLabels':{'a':'b'},'matchExpressions':[{'key':'a','operator':'In','values':['b']}]}"
#define TAINTS                                                                                     \
    "'taints':[{'key':'k','value':'v','effect':'NoExecute','timeAdded':'2026-01-01T00:00:00Z'}]"
#define CONDITIONS                                                                                 \
    "'conditions':[{'type':'Ready','status':'False','reason':'r','message':'m',"                   \
    "'lastTransitionTime':'2026-01-01T00:00:00Z'}]"
#define AFFINITY                                                                                   \
    "'labelSelector':" SELECTOR ",'fieldSelector':{'matchExpressions':[{'key':'region',"           \
    "'operator':'In','values':['eu']}]},'clusterNames':['m1'],'exclude':['m2']"
#define TOLERATION                                                                                 \
    "{'key':'k','operator':'Equal','value':'v','effect':'NoExecute','tolerationSeconds':1}"
#define REQUIREMENTS                                                                               \
    "{'resourceRequest':{'cpu':'1'},'nodeClaim':{'hardNodeAffinity':{'nodeSelectorTerms':[{"       \
    "'matchExpressions':[{'key':'a','operator':'In','values':['b']}],'matchFields':[{'key':"       \
    "'metadata.name','operator':'In','values':['n']}]}]},'nodeSelector':{'a':'b'},"                \
    "'tolerations':[" TOLERATION "]},'namespace':'shop','priorityClassName':'high'}"
#define PLACEMENT                                                                                  \
    "{'clusterAffinity':{" AFFINITY "},'clusterAffinities':[{'affinityName':'t'," AFFINITY         \
    ",'overflowAffinities':[{'affinityName':'o'," AFFINITY                                         \
    "}]}],'clusterTolerations':[" TOLERATION                                                       \
    "],'spreadConstraints':[{'spreadByField':'region','spreadByLabel':'','minGroups'"              \
    ":1,'maxGroups':2}],'replicaScheduling':{'replicaSchedulingType':'Divided',"                   \
    "'replicaDivisionPreference':'Weighted','weightPreference':{'staticWeightList':[{"             \
    "'targetCluster':{" AFFINITY "},'weight':1}],'dynamicWeight':'AvailableReplicas'}},"           \
    "'workloadAffinity':{'affinity':{'groupByLabelKey':'g'},'antiAffinity':{'groupByLabelKey':"    \
    "'h'}}}"
#define PORT "{'containerPort':80,'hostPort':80,'protocol':'TCP','hostIP':'1.2.3.4'}"
#define POD_TERMS(more)                                                                            \
    "'requiredDuringSchedulingIgnoredDuringExecution':[{'labelSelector':" SELECTOR                 \
    ",'namespaces':['n'],'namespaceSelector':{},'topologyKey':'zone'" more "}]"
#define AFFINITY_OF_PODS                                                                           \
    "'affinity':{'podAffinity':{" POD_TERMS("") "},'podAntiAffinity':{" POD_TERMS("") "}}"
#define LABEL_KEYS ",'matchLabelKeys':['a'],'mismatchLabelKeys':['b']"
#define PREFERRED                                                                                  \
    ",'preferredDuringSchedulingIgnoredDuringExecution':[{'podAffinityTerm':{'namespaces':['n'],"  \
    "'namespaceSelector':{}}}]"
#define BETWEEN_REPLICAS                                                                           \
    "'podAffinity':{" POD_TERMS(LABEL_KEYS) PREFERRED                                              \
        "},'podAntiAffinity':{" POD_TERMS(LABEL_KEYS) PREFERRED "}"
#define AFFINITY_OF_A_TEMPLATE "'affinity':{" BETWEEN_REPLICAS "}"
#define SPREADS                                                                                    \
    "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'zone','whenUnsatisfiable':"          \
    "'DoNotSchedule','labelSelector':" SELECTOR ",'minDomains':2,'matchLabelKeys':['a'],"          \
    "'nodeAffinityPolicy':'Ignore','nodeTaintsPolicy':'Honor'}]"
#define CPU "{'requests':{'cpu':'1'},'limits':{'cpu':'1'}}"
#define VOLUMES                                                                                    \
    "'volumes':[{'persistentVolumeClaim':{'claimName':'c'},'awsElasticBlockStore':{'volumeID':"    \
    "'v'},'gcePersistentDisk':{'pdName':'d','readOnly':true},'iscsi':{'iqn':'q','readOnly':"       \
    "true},'rbd':{'image':'i','pool':'p','monitors':['m'],'readOnly':true},'azureDisk':{"          \
    "'diskURI':'u'},'cinder':{'volumeID':'c'},'portworxVolume':{'volumeID':'x'},'ephemeral':{"     \
    "'volumeClaimTemplate':{'spec':{'storageClassName':'s'}}}}]"
#define RULES "'statePreservation':{'rules':[{'aliasLabelName':'a','jsonPath':'{.at.id}'}]}"
#define FAILOVER                                                                                   \
    "{'decisionConditions':{'tolerationSeconds':1},'purgeMode':'Directly','gracePeriodSeconds':"   \
    "1," RULES "}"
#define LAST_MOVE                                                                                  \
    "{\\'time\\':\\'2026-01-01T00:00:00Z\\',\\'from\\':[{\\'name\\':\\'m1\\',\\'replicas\\':1}],"  \
    "\\'to\\':[{\\'name\\':\\'m2\\',\\'replicas\\':1}],\\'left\\':[{\\'name\\':\\'m1\\',"          \
    "\\'replicas\\':1}],\\'reason\\':\\'UnhealthyCluster\\',\\'attempt\\':1,\\'deferred\\':1,"     \
    "\\'workload\\':1}"

#define PARTS "{\\'for\\':\\'2026-01-01T00:00:00Z\\',\\'from\\':[\\'m1\\'],\\'to\\':[\\'m2\\']}"

static void
test_cluster(void)
{
    check_kept(
        "cluster.karmada.io/v1alpha1", "Cluster", "",
        METADATA
        ",'spec':{'syncMode':'Push','provider':'p','region':'r','zone':'z','zones':['z']," TAINTS
        ",'resourceModels':[{'grade':0,'ranges':[{'name':'cpu','min':'0','max':'1'}"
        "]}]},'status':{" CONDITIONS ",'apiEnablements':[{'groupVersion':'apps/v1',"
        "'resources':[{'kind':'Deployment'}]}],'resourceSummary':{'allocatable':{'cpu':'1'"
        "},'allocated':{'cpu':'1'},'allocating':{'cpu':'1'},'allocatableModelings':[{"
        "'grade':0,'count':1}]}}");
}

static void
test_binding(void)
{
    check_kept(
        "work.karmada.io/v1alpha2", "ResourceBinding", "",
        "'metadata':{'namespace':'shop','name':'web','uid':'u','resourceVersion':'1',"
        "'generation':1,'deletionTimestamp':'2026-01-01T00:00:00Z','labels':{'a':'b'},"
        "'annotations':{'resource.karmada.io/cached-from-cluster':'',"
        "'propagationpolicy.karmada.io/namespace':'n','propagationpolicy.karmada.io/name':'p',"
        "'clusterpropagationpolicy.karmada.io/name':'p',"
        "'policy.karmada.io/applied-placement':'{\\'clusterAffinity\\':{}}',"
        "'ballast.io/last-move':'" LAST_MOVE "','ballast.io/reschedule-parts':'" PARTS "'}},"
        "'spec':{'resource':{'apiVersion':'apps/v1','kind':'Deployment','namespace':'shop',"
        "'replicas':1,'replicaResourceRequirements':{'cpu':'1'},'name':'web','uid':'u'},"
        "'replicas':1,'replicaRequirements':" REQUIREMENTS ",'placement':" PLACEMENT
        ",'components':[{'name':'c','replicas':1,'replicaRequirements':" REQUIREMENTS
        "}],'clusters':[{'name':'m1','replicas':1}],'gracefulEvictionTasks':[{"
        "'fromCluster':'m2','reason':'r','producer':'p','purgeMode':'Directly',"
        "'creationTimestamp':'2026-01-01T00:00:00Z'}],'schedulerName':'s',"
        "'rescheduleTriggeredAt':'2026-01-01T00:00:00Z','schedulePriority':{'priority':1},"
        "'preserveResourcesOnDeletion':true,'conflictResolution':'Overwrite',"
        "'suspension':{'scheduling':true,'dispatching':true,'dispatchingOnClusters':{"
        "'clusterNames':['m2']}},'requiredBy':[{'namespace':'n','name':'a'}],"
        "'failover':{'application':" FAILOVER ",'cluster':" FAILOVER
        "},'workloadAffinityGroups':{'affinityGroup':'a','antiAffinityGroup':'b'}},"
        "'status':{'lastScheduledTime':'2026-01-01T00:00:00Z','schedulerObservedGeneration':1,"
        "'schedulerObservingAffinityName':'a','aggregatedStatus':[{'clusterName':'m1','applied':"
        "true,'appliedMessage':'m','health':'Healthy','status':{'replicas':1,'readyReplicas':1,"
        "'updatedReplicas':1,'phase':'p','jobDeploymentStatus':'p',"
        "'jobStatus':{'state':'s','phase':'p'},'applicationState':{'state':'s','phase':'p'},"
        "'state':{'state':'s','phase':'p'},'conditions':[{'type':'Complete','status':'True'}],"
        "'at':{'id':'i'}}}]}");
}

static void
test_claims(void)
{
    static const char *const kinds[][2] = {
        {"autoscaling.karmada.io/v1alpha1", "FederatedHPA"},
        {"autoscaling.karmada.io/v1alpha1", "CronFederatedHPA"},
        {"autoscaling/v2", "HorizontalPodAutoscaler"},
        {"keda.sh/v1alpha1", "ScaledObject"},
    };
    static const char rule[] =
        "'targetCluster':{" AFFINITY "},'overriders':{'plaintext':[{'path':'/spec/replicas'}],"
        "'fieldOverrider':[{'fieldPath':'/a','json':[{'subPath':'/b'}],'yaml':[{'subPath':'/c'}]}]"
        ",'labelsOverrider':[{'operator':'add','value':{"
        "'resourcetemplate.karmada.io/retain-replicas':'true'}}]}";
    char text[4096];

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        check_kept(kinds[i][0], kinds[i][1], "",
                   METADATA ",'spec':{'scaleTargetRef':{'apiVersion':'apps/v1','kind':"
                            "'Deployment','name':'web'}}");
    }
    snprintf(text, sizeof(text),
             METADATA ",'spec':{'resourceSelectors':[{'apiVersion':'apps/v1','kind':'Deployment',"
                      "'namespace':'shop','name':'web','labelSelector':{}}],'overrideRules':[{%s}],"
                      "%s}",
             rule, rule);
    check_kept("policy.karmada.io/v1alpha1", "OverridePolicy", "", text);
    check_kept("policy.karmada.io/v1alpha1", "ClusterOverridePolicy", "", text);
}

static void
test_quota(void)
{
    check_kept("policy.karmada.io/v1alpha1", "FederatedResourceQuota", "",
               METADATA ",'spec':{'overall':{'cpu':'1'},'staticAssignments':[{'clusterName':'m1',"
                        "'hard':{'cpu':'1'}}]},'status':{'overallUsed':{'cpu':'1'},"
                        "'aggregatedStatus':[{'clusterName':'m1','used':{'cpu':'1'}}]}");
}

static void
test_rebalancer(void)
{
    static const char workload[] =
        "{'apiVersion':'apps/v1','kind':'Deployment','namespace':'shop','name':'web'}";
    char text[1024];

    snprintf(text, sizeof(text),
             "'metadata':{'name':'r','creationTimestamp':'2026-03-01T12:00:00Z'},'spec':{"
             "'workloads':[%s]},'status':{'observedWorkloads':[{'workload':%s,'result':'Failed',"
             "'reason':'ReferencedBindingNotFound'}]}",
             workload, workload);
    check_kept("apps.karmada.io/v1alpha1", "WorkloadRebalancer", "", text);
}

static void
test_preferences(void)
{
    check_kept("scheduling.kubefed.io/v1alpha1", "ReplicaSchedulingPreference", "",
               METADATA ",'spec':{'targetKind':'FederatedDeployment','totalReplicas':1,"
                        "'rebalance':true,'intersectWithClusterSelector':true,'clusters':{'m1':{'"
                        "minReplicas':1,'maxReplicas':2,"
                        "'weight':1}}}");
    check_kept(
        "policy.karmada.io/v1alpha1", "ReplicaSchedulingPolicy", "",
        METADATA
        ",'spec':{'resourceSelectors':[{'apiVersion':'apps/v1','kind':"
        "'Deployment','namespace':'shop','name':'web','labelSelector':{}}],'totalReplicas':1,"
        "'preferences':{'staticWeightList':[{'targetCluster':{" AFFINITY "},'weight':1}]}}");
}

static void
test_kubefed(void)
{
    static const char federated[] = METADATA
        ",'spec':{'template':{'metadata':{'labels':{'a':'b'}},'spec':{'replicas':1,"
        "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'hostNetwork':true," VOLUMES
        "," SPREADS ",'containers':[{'ports':[" PORT "],'resources':" CPU "}],"
        "'initContainers':[{'restartPolicy':'Always','resources':" CPU "}],'resources':" CPU
        ",'overhead':{'cpu':'1'},'resourceClaims':[{'name':'r'}],"
        "'nodeSelector':{'a':'b'},'tolerations':[" TOLERATION "],'affinity':{" BETWEEN_REPLICAS
        ",'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{"
        "'nodeSelectorTerms':[{'matchExpressions':[{'key':'a','operator':'In','"
        "values':['b']}],'matchFields':[{'key':'metadata.name','operator':'In','values':['n']}]}]}}"
        "},'priorityClassName':'high','activeDeadlineSeconds':1}}}},"
        "'placement':{'clusters':[{'name':'m1'}],'clusterSelector':" SELECTOR
        "},'overrides':[{'clusterName':'m1',"
        "'clusterOverrides':[{'op':'replace','path':'/spec/replicas','value':1}]}],"
        "'retainReplicas':true},'status':{'clusters':[{'name':'m1','status':'s',"
        "'remoteStatus':{'replicas':1,'readyReplicas':1,'updatedReplicas':1}}],"
        "'observedGeneration':1,'conditions':[{'type':'Propagation',"
        "'lastUpdateTime':'2026-01-01T00:00:00Z'}]}";

    check_kept("core.kubefed.io/v1beta1", "KubeFedConfig", "",
               METADATA ",'spec':{'scope':'Cluster','featureGates':[{'name':"
                        "'SchedulerPreferences','configuration':'Enabled'}],"
                        "'clusterHealthCheck':{'period':'10s'}}");
    check_kept("core.kubefed.io/v1beta1", "FederatedTypeConfig", "",
               METADATA ",'spec':{'propagation':'Enabled','federatedType':{'group':'g',"
                        "'version':'v1','kind':'FederatedDeployment','pluralName':'p'},"
                        "'targetType':{'group':'g','version':'v1','kind':'Deployment',"
                        "'pluralName':'p'}}");
    check_kept("core.kubefed.io/v1beta1", "KubeFedCluster", "",
               METADATA ",'status':{'conditions':[{'type':'Ready','status':'False','reason':'r',"
                        "'message':'m','lastTransitionTime':'2026-01-01T00:00:00Z',"
                        "'lastProbeTime':'2026-01-01T00:00:00Z'}],'region':'r','zones':['z']}");
    check_kept("types.kubefed.io/v1beta1", "FederatedNamespace", "",
               METADATA
               ",'spec':{'placement':{'clusters':[{'name':'m1'}],'clusterSelector':" SELECTOR "}}");
    check_kept("types.kubefed.io/v1beta1", "FederatedDeployment", "", federated);
    check_kept("types.kubefed.io/v1beta1", "FederatedReplicaSet", "", federated);
}

static void
test_workloads(void)
{
    static const char text[] = METADATA
        ",'spec':{'replicas':1,'parallelism':1,'completions':1,'completionMode':'','suspend':false,"
        "'paused':false,'strategy':{'type':''},'selector':" SELECTOR ",'ordinals':{'start':1},"
        "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[]}}},'status':{"
        "'readyReplicas':1,'ready':1,'succeeded':1,'startTime':null,'failed':1,'failedIndexes':'',"
        "'updateRevision':'','observedGeneration':1," CONDITIONS "}";

    check_kept("apps/v1", "Deployment", "m1", text);
    check_kept("apps/v1", "StatefulSet", "m1", text);
    check_kept("apps/v1", "ReplicaSet", "m1", text);
    check_kept("batch/v1", "Job", "m1", text);
    check_kept("example.com/v1", "Node", "m1", text); /* another group's, of a known name */
    check_kept("batch.example.com/v1", "Job", "m1", text);
}

#define STATE                                                                                      \
    "{'waiting':{'reason':'r','message':'m'},'running':{'startedAt':null},'terminated':{"          \
    "'reason':'r','exitCode':1,'startedAt':null,'finishedAt':null}}"
static void
test_nodes_and_pods(void)
{
    static const char pod[] = METADATA
        ",'spec':{'nodeName':'n','hostNetwork':true," VOLUMES "," AFFINITY_OF_PODS
        ",'containers':[{'name':'c',"
        "'ports':[" PORT "],'resources':{'requests':{'cpu':'1'}}}],'initContainers':[{'name':'i',"
        "'restartPolicy':'Always','resources':{'requests':{'cpu':'1'}}}],"
        "'resources':{'requests':{'cpu':'1'}},'overhead':{'cpu':'1'},'priority':1,"
        "'resourceClaims':[{'name':'r'}],'priorityClassName':'high','preemptionPolicy':'Never'},"
        "'status':{'phase':'Pending','reason':'r','nominatedNodeName':'n','resize':'Infeasible'"
        "," CONDITIONS ",'initContainerStatuses':[%s],'containerStatuses':[%s]}";
    static const char container[] = "{'name':'c','ready':false,'restartCount':1,'state':" STATE
                                    ",'lastState':" STATE ",'allocatedResources':{'cpu':'1'},"
                                    "'resources':{'requests':{'cpu':'1'}}}";
    char text[4096];

    check_kept("v1", "Node", "m1",
               METADATA ",'spec':{'unschedulable':true," TAINTS
                        "},'status':{'allocatable':{'cpu':'1'}}");
    snprintf(text, sizeof(text), pod, container, container);
    check_kept("v1", "Pod", "m1", text);
}

static void
test_admission(void)
{
    check_kept("v1", "LimitRange", "m1",
               METADATA ",'spec':{'limits':[{'type':'Container','max':{'cpu':'1'},'min':{'cpu':"
                        "'1'},'default':{'cpu':'1'},'defaultRequest':{'cpu':'1'},"
                        "'maxLimitRequestRatio':{'cpu':'1'}}]}");
    check_kept("v1", "ResourceQuota", "m1",
               METADATA
               ",'spec':{'scopes':['BestEffort'],'scopeSelector':{'matchExpressions':[{'scopeName':"
               "'PriorityClass','operator':'In','values':['high']}]}},'status':{'hard':{"
               "'pods':'1'},'used':{'pods':'1'}}");
    check_kept("policy/v1", "PodDisruptionBudget", "m1",
               METADATA ",'spec':{'minAvailable':1,'maxUnavailable':'25%','selector':" SELECTOR
                        "},'status':{'observedGeneration':1,'disruptionsAllowed':1}");
}

/* What a snapshot has of a control plane's Deployment. */
static void
test_templates(void)
{
    check_kept("ballast.io/v1alpha1", "WorkloadTemplate", "",
               "'metadata':{'namespace':'shop','name':'web'},'resource':{'apiVersion':'apps/v1',"
               "'kind':'Deployment'},'spec':{'volumeClaimTemplates':[{'metadata':{'name':'d'},"
               "'spec':{'storageClassName':'s','accessModes':['ReadWriteOnce']}}],"
               "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'resourceClaims':[{'name':'r'}]"
               ",'hostNetwork':true," VOLUMES "," AFFINITY_OF_A_TEMPLATE "," SPREADS
               ",'overhead':{'cpu':'1'},'containers':[{'ports':[" PORT "],'resources':" CPU
               "}],'initContainers':[{'restartPolicy':'Always','resources':" CPU
               "}],'resources':" CPU ",'priorityClassName':'high','activeDeadlineSeconds':1}}}");
}

static void
test_volumes(void)
{
    check_kept("v1", "PersistentVolumeClaim", "m1",
               "'metadata':{'namespace':'shop','name':'web','uid':'u','deletionTimestamp':"
               "'2026-01-01T00:00:00Z','annotations':{'pv.kubernetes.io/bind-completed':'yes',"
               "'volume.beta.kubernetes.io/storage-class':'b',"
               "'resource.karmada.io/cached-from-cluster':''}},'spec':{'volumeName':'v',"
               "'storageClassName':'s','volumeMode':'Block','accessModes':['ReadWriteOncePod'],"
               "'selector':" SELECTOR ",'resources':{'requests':{'storage':'1Gi'}}},'status':{"
               "'phase':'Bound'}");
    check_kept("v1", "PersistentVolume", "m1",
               "'metadata':{'name':'web','labels':{'a':'b'},'deletionTimestamp':"
               "'2026-01-01T00:00:00Z','annotations':{'volume.beta.kubernetes.io/storage-class':"
               "'b','resource.karmada.io/cached-from-cluster':''}},'spec':{'storageClassName':'s',"
               "'volumeMode':'Block','accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},"
               "'claimRef':{'namespace':'shop','name':'web','uid':'u'},'nodeAffinity':{'required':{"
               "'nodeSelectorTerms':[{'matchExpressions':[{'key':'a','operator':'In',"
               "'values':['b']}],'matchFields':[{'key':'metadata.name','operator':'In',"
               "'values':['n']}]}]}},'csi':{'driver':'d','volumeHandle':'h'},"
               "'awsElasticBlockStore':{'volumeID':'a'},'azureDisk':{'diskURI':'u'},"
               "'cinder':{'volumeID':'c'},'gcePersistentDisk':{'pdName':'p'},"
               "'portworxVolume':{'volumeID':'x'}},'status':{'phase':'Available'}");
    check_kept("storage.k8s.io/v1", "CSINode", "m1",
               "'metadata':{'name':'n','annotations':{'resource.karmada.io/cached-from-cluster':'',"
               "'storage.alpha.kubernetes.io/migrated-plugins':'kubernetes.io/aws-ebs'}},'spec':{"
               "'drivers':[{'name':'d','allocatable':{'count':3}}]}");
    check_kept("storage.k8s.io/v1", "StorageClass", "m1",
               METADATA ",'provisioner':'p','volumeBindingMode':'Immediate','allowedTopologies':[{"
                        "'matchLabelExpressions':[{'key':'a','values':['b']}]}]");
}

static void
test_answers(void)
{
    check_kept("ballast.io/v1alpha1", "EstimatorAnswers", "m1",
               METADATA ",'unschedulableThreshold':'5m','unschedulable':[{'apiVersion':'apps/v1',"
                        "'kind':'Deployment','namespace':'shop','name':'web','replicas':1}],"
                        "'available':[{'requirements':" REQUIREMENTS ",'replicas':1}],"
                        "'availableSets':[{'namespace':'shop','components':[{'name':'head',"
                        "'replicas':1,'replicaRequirements':" REQUIREMENTS "}],'sets':2}]");
}

void suite_kept_fields(void);

void
suite_kept_fields(void)
{
    check_suite("kept_fields");
    check_test("clusters", test_cluster);
    check_test("bindings", test_binding);
    check_test("claims", test_claims);
    check_test("quotas", test_quota);
    check_test("WorkloadRebalancers", test_rebalancer);
    check_test("preferences", test_preferences);
    check_test("objects of KubeFed", test_kubefed);
    check_test("workloads", test_workloads);
    check_test("nodes and pods", test_nodes_and_pods);
    check_test("templates", test_templates);
    check_test("admission", test_admission);
    check_test("volumes", test_volumes);
    check_test("answers of estimators", test_answers);
}
