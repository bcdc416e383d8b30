/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas whose pods have a claim: they go where some node has its volume, or may
 * have one, and of one that is a single pod's there is a single one. And of what is made
 * for each pod alone no node has more than it can.
 */
#include "judge.h"

#include <string.h>

#define OWN_CLASS "ephemeral.volumeClaimTemplate.spec.storageClassName"
#define NO_LIMIT INT64_C(1000000)

/* A cluster, and the claim that the pods would have there. */
struct place {
    const struct facts *facts;
    const char *member;
    const json_t *claim;
};

/* NULL: the member has none. */
static const json_t *
find_object(const struct place *place, const char *kind, const char *namespace_, const char *name)
{
    for (int i = 0; i < place->facts->n_objects; i++) {
        const struct object_facts *object = &place->facts->objects[i];

        if (is(object->member, place->member) && is(object->kind, kind) &&
            is(object->namespace_, namespace_) && is(object->name, name)) {
            return object->json;
        }
    }
    return NULL;
}

/* Volumes, or classes, of the member were seen: the world has one. */
static bool
has_any(const struct place *place, const char *kind)
{
    for (int i = 0; i < place->facts->n_objects; i++) {
        const struct object_facts *object = &place->facts->objects[i];

        if (is(object->member, place->member) && is(object->kind, kind)) {
            return true;
        }
    }
    return false;
}

static const char *
label_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(at(object, "metadata.labels"), key);

    return value != NULL ? json_string_value(value) : "";
}

/* A world's volume has one term of one requirement. */
static bool
affinity_has(const json_t *volume, const json_t *node)
{
    const json_t *term =
        json_array_get(at(volume, "spec.nodeAffinity.required.nodeSelectorTerms"), 0);
    const json_t *by_label = json_array_get(at(term, "matchExpressions"), 0);
    const json_t *by_name = json_array_get(at(term, "matchFields"), 0);
    const char *value =
        by_name != NULL ? text_at(node, "metadata.name") : label_of(node, text_at(by_label, "key"));
    const json_t *requirement = by_name != NULL ? by_name : by_label;

    return term == NULL ||
           list_has(at(requirement, "values"), value) == is(text_at(requirement, "operator"), "In");
}

/* Zones of a world's volume are one name, or two with two underlines between, and so are regions;
 * what has twice as many between them says nothing. A node that has a zone and no region is in none
 * that a volume wants. */
static bool
is_in(const json_t *volume, const json_t *node, const char *key, const char *older_key)
{
    const char *place = label_of(node, key), *places = label_of(volume, key);

    places = *places != '\0' ? places : label_of(volume, older_key);
    return *places == '\0' || strstr(places, "____") != NULL ||
           (*place != '\0' && strstr(places, place) != NULL);
}

static bool
zone_has(const json_t *volume, const json_t *node)
{
    static const char zone[] = "topology.kubernetes.io/zone";
    static const char region[] = "topology.kubernetes.io/region";

    if (*label_of(node, zone) == '\0' && *label_of(node, region) == '\0') {
        return true; /* nobody knows where it is */
    }
    return is_in(volume, node, zone, "failure-domain.beta.kubernetes.io/zone") &&
           is_in(volume, node, region, "failure-domain.beta.kubernetes.io/region");
}

static bool
is_file_system(const json_t *spec)
{
    return !is(text_at(spec, "volumeMode"), "Block");
}

static bool
may_have(const json_t *volume, const json_t *claim)
{
    const json_t *spec = at(volume, "spec"), *wanted = at(claim, "spec");
    const char *owner = text_at(spec, "claimRef.name"), *uid = text_at(spec, "claimRef.uid");
    const char *tier = text_at(wanted, "selector.matchLabels.tier");
    bool is_own = is(owner, text_at(claim, "metadata.name")) &&
                  is(text_at(spec, "claimRef.namespace"), text_at(claim, "metadata.namespace")) &&
                  (*uid == '\0' || is(uid, text_at(claim, "metadata.uid")));

    return at(volume, "metadata.deletionTimestamp") == NULL &&
           milli_of(at(spec, "capacity.storage")) >=
               milli_of(at(wanted, "resources.requests.storage")) &&
           is_file_system(spec) == is_file_system(wanted) &&
           is(storage_class_of(volume), storage_class_of(claim)) &&
           (is_own || (*owner == '\0' && is(text_at(volume, "status.phase"), "Available") &&
                       (*tier == '\0' || is(label_of(volume, "tier"), tier)) &&
                       json_equal(at(spec, "accessModes"), at(wanted, "accessModes"))));
}

/* A world's class has one term of one key, if any. */
static bool
can_be_made(const json_t *class_, const json_t *node)
{
    const json_t *allowed = json_array_get(
        at(json_array_get(at(class_, "allowedTopologies"), 0), "matchLabelExpressions"), 0);

    return !is(text_at(class_, "provisioner"), "kubernetes.io/no-provisioner") &&
           (allowed == NULL ||
            list_has(at(allowed, "values"), label_of(node, text_at(allowed, "key"))));
}

static bool
some_volume_is_free(const struct place *place, const json_t *node)
{
    for (int i = 0; i < place->facts->n_objects; i++) {
        const struct object_facts *object = &place->facts->objects[i];

        if (is(object->member, place->member) && is(object->kind, "PersistentVolume") &&
            may_have(object->json, place->claim) && affinity_has(object->json, node)) {
            return true;
        }
    }
    return false;
}

/* The volume that a pod's one claim names; NULL: it names none, or none that is known. */
static const json_t *
volume_of_pod(const struct place *place, const json_t *pod)
{
    const json_t *volume = json_array_get(at(pod, "spec.volumes"), 0);
    const json_t *claim =
        find_object(place, "PersistentVolumeClaim", text_at(pod, "metadata.namespace"),
                    text_at(volume, "persistentVolumeClaim.claimName"));

    return claim != NULL
               ? find_object(place, "PersistentVolume", "", text_at(claim, "spec.volumeName"))
               : NULL;
}

/* What was part of Kubernetes, and the driver that has replaced it; where a volume says whose. */
static const struct plugin {
    const char *name, *driver, *source, *id;
} plugins[] = {
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "awsElasticBlockStore", "volumeID"},
    {"kubernetes.io/azure-disk", "disk.csi.azure.com", "azureDisk", "diskURI"},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org", "cinder", "volumeID"},
    {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "gcePersistentDisk", "pdName"},
    {"kubernetes.io/portworx-volume", "pxd.portworx.com", "portworxVolume", "volumeID"},
};

#define N_PLUGINS ((int)(sizeof(plugins) / sizeof(plugins[0])))

/* Of a PersistentVolume, or a volume of a pod. */
struct attachment {
    const char *driver; /* NULL: nothing is attached */
    const char *handle;
    const char *zone;            /* one of Google's may be there twice */
    const struct plugin *plugin; /* counts only where that is replaced; NULL: everywhere */
};

static const char *
zone_of(const json_t *volume)
{
    const char *older = label_of(volume, "failure-domain.beta.kubernetes.io/zone");

    return *older != '\0' ? older : label_of(volume, "topology.kubernetes.io/zone");
}

static struct attachment
attachment_of(const json_t *volume)
{
    const json_t *spec = at(volume, "spec") != NULL ? at(volume, "spec") : volume;
    struct attachment ret = {
        .driver = NULL, .handle = text_at(spec, "csi.volumeHandle"), .zone = ""};

    if (at(spec, "csi") != NULL && *ret.handle != '\0') {
        ret.driver = text_at(spec, "csi.driver");
    }
    for (int i = 0; i < N_PLUGINS && at(spec, "csi") == NULL; i++) {
        const json_t *source = at(spec, plugins[i].source);

        if (source != NULL && *text_at(source, plugins[i].id) != '\0') {
            ret.driver = plugins[i].driver;
            ret.plugin = &plugins[i];
            ret.handle = text_at(source, plugins[i].id);
            ret.zone = is(plugins[i].source, "gcePersistentDisk") ? zone_of(volume) : "";
        }
    }
    return ret;
}

/* Who makes the volumes of a class of the member. */
static struct attachment
maker_of(const struct place *place, const char *class_)
{
    const char *by = text_at(find_object(place, "StorageClass", "", class_), "provisioner");
    struct attachment ret = {.driver = *by != '\0' ? by : NULL, .handle = "", .zone = ""};

    for (int i = 0; i < N_PLUGINS; i++) {
        if (is(plugins[i].name, by)) {
            ret.driver = plugins[i].driver;
            ret.plugin = &plugins[i];
        }
    }
    return ret;
}

/* It counts there, for the driver; names of plugins are not in each other. */
static bool
counts(const struct place *place, const struct attachment *attachment, const char *driver,
       const char *node)
{
    const json_t *annotations = at(find_object(place, "CSINode", "", node), "metadata.annotations");
    const json_t *replaced =
        json_object_get(annotations, "storage.alpha.kubernetes.io/migrated-plugins");

    return attachment->driver != NULL && is(attachment->driver, driver) &&
           (attachment->plugin == NULL ||
            (replaced != NULL &&
             strstr(json_string_value(replaced), attachment->plugin->name) != NULL));
}

static bool
is_same(const struct attachment *a, const struct attachment *b)
{
    return is(a->handle, b->handle) && is(a->zone, b->zone);
}

#define MOST_ATTACHED 64

/* What pods have on a node of a driver: volumes, each once, and what was made for each of them
 * alone. */
struct attached {
    struct attachment shared[MOST_ATTACHED];
    int n_shared, own;
};

static bool
has_attached(const struct attached *attached, const struct attachment *attachment)
{
    bool has = false;

    for (int i = 0; i < attached->n_shared && !has; i++) {
        has = is_same(&attached->shared[i], attachment);
    }
    return has;
}

static struct attached
find_attached(const struct place *place, const char *driver, const char *node)
{
    struct attached ret = {.own = 0};

    for (int i = 0; i < place->facts->n_pods; i++) {
        const struct pod_facts *pod = &place->facts->pods[i];
        const json_t *claimed = volume_of_pod(place, pod->json);
        const json_t *named = json_array_get(at(pod->json, "spec.volumes"), 0);

        if (pod->cluster < 0 || !is(place->facts->clusters[pod->cluster].name, place->member) ||
            pod->finished || !is(text_at(pod->json, "spec.nodeName"), node)) {
            continue;
        }
        const struct attachment there = attachment_of(claimed != NULL ? claimed : named);
        const struct attachment own = maker_of(place, text_at(named, OWN_CLASS));

        if (counts(place, &there, driver, node) && !has_attached(&ret, &there) &&
            ret.n_shared < MOST_ATTACHED) {
            ret.shared[ret.n_shared++] = there;
        }
        ret.own += counts(place, &own, driver, node) ? 1 : 0;
    }
    return ret;
}

/* How many more volumes of the driver a node may have; a world's CSINode is of one driver. */
static int64_t
left_on(const struct place *place, const char *driver, const char *node)
{
    const json_t *csi_node = find_object(place, "CSINode", "", node);
    const json_t *limit = json_array_get(at(csi_node, "spec.drivers"), 0);
    int64_t most = integer_at(limit, "allocatable.count", NO_LIMIT);
    const struct attached attached = find_attached(place, driver, node);

    return limit == NULL || !is(driver, text_at(limit, "name")) || most == NO_LIMIT
               ? NO_LIMIT
               : most - attached.n_shared - attached.own;
}

/* With what pods have there already, it has no place for the volume. */
static bool
is_beyond_limit(const struct place *place, const json_t *volume, const char *node)
{
    const struct attachment wanted = attachment_of(volume);

    if (wanted.driver == NULL || !counts(place, &wanted, wanted.driver, node)) {
        return false;
    }
    const struct attached attached = find_attached(place, wanted.driver, node);

    return !has_attached(&attached, &wanted) && left_on(place, wanted.driver, node) < 1;
}

/* Or it is not known that it has not. */
static bool
node_has(const struct place *place, const json_t *node)
{
    const json_t *spec = at(place->claim, "spec");
    const char *bound_to = text_at(spec, "volumeName"),
               *class_name = storage_class_of(place->claim);

    if (at(place->claim, "metadata.deletionTimestamp") != NULL ||
        is(text_at(place->claim, "status.phase"), "Lost")) {
        return false;
    }
    if (*bound_to != '\0') {
        const json_t *volume = find_object(place, "PersistentVolume", "", bound_to);

        return json_object_get(at(place->claim, "metadata.annotations"),
                               "pv.kubernetes.io/bind-completed") != NULL &&
               (volume == NULL
                    ? !has_any(place, "PersistentVolume")
                    : affinity_has(volume, node) && zone_has(volume, node) &&
                          !is_beyond_limit(place, volume, text_at(node, "metadata.name")));
    }
    const json_t *class_ = find_object(place, "StorageClass", "", class_name);

    return *class_name != '\0' &&
           (class_ == NULL ? !has_any(place, "StorageClass")
                           : is(text_at(class_, "volumeBindingMode"), "WaitForFirstConsumer") &&
                                 (!has_any(place, "PersistentVolume") ||
                                  some_volume_is_free(place, node) || can_be_made(class_, node)));
}

static bool
some_node_has(const struct place *place)
{
    for (int i = 0; i < place->facts->n_objects; i++) {
        const struct object_facts *object = &place->facts->objects[i];

        if (is(object->kind, "Node") && is(object->member, place->member) &&
            node_has(place, object->json)) {
            return true;
        }
    }
    return false;
}

static int
count_users(const struct place *place, int cluster)
{
    int users = 0;

    for (int i = 0; i < place->facts->n_pods; i++) {
        const struct pod_facts *pod = &place->facts->pods[i];
        const json_t *volume = json_array_get(at(pod->json, "spec.volumes"), 0);
        const char *node = text_at(pod->json, "spec.nodeName");

        users += pod->cluster == cluster && !pod->finished &&
                         find_object(place, "Node", "", node) != NULL &&
                         is(text_at(pod->json, "metadata.namespace"),
                            text_at(place->claim, "metadata.namespace")) &&
                         is(text_at(volume, "persistentVolumeClaim.claimName"),
                            text_at(place->claim, "metadata.name"))
                     ? 1
                     : 0;
    }
    return users;
}

static void
judge_place(struct judge *judge, const struct binding_facts *binding, int cluster,
            const struct place *place)
{
    int more = given_by_template(&judge->facts, binding, cluster);
    bool is_lone = list_has(at(place->claim, "spec.accessModes"), "ReadWriteOncePod");

    if (more == 0) {
        return;
    }
    judge_met(judge, INV_VOLUMES);
    if (!some_node_has(place)) {
        judge_fail(judge, INV_VOLUMES, binding, cluster, "%d more, and no node has volume of %s",
                   more, text_at(place->claim, "metadata.name"));
    } else if (is_lone && more + count_users(place, cluster) > 1) {
        judge_fail(judge, INV_VOLUMES, binding, cluster, "%d more have %s, which is one pod's",
                   more, text_at(place->claim, "metadata.name"));
    }
}

/* How many volumes of a driver each replica has made for itself on a node: an ephemeral one, or by
 * its StatefulSet. A world's workload has one of each at most. */
static int
count_own(const struct place *place, const json_t *workload, const char *driver, const char *node)
{
    const json_t *volume = json_array_get(at(workload, "spec.template.spec.volumes"), 0);
    const json_t *made = json_array_get(at(workload, "spec.volumeClaimTemplates"), 0);
    const struct attachment own = maker_of(place, text_at(volume, OWN_CLASS)),
                            of_set = maker_of(place, text_at(made, "spec.storageClassName"));

    return (counts(place, &own, driver, node) ? 1 : 0) +
           (is(text_at(workload, "kind"), "StatefulSet") && counts(place, &of_set, driver, node)
                ? 1
                : 0);
}

/* So many of one driver; no others make any for a class. */
static void
judge_own(struct judge *judge, const struct binding_facts *binding, int cluster,
          const struct place *place, const json_t *workload)
{
    static const char *const drivers[] = {"csi.example.com", "ebs.csi.aws.com"};
    int more = given_by_template(&judge->facts, binding, cluster);

    for (size_t d = 0; d < sizeof(drivers) / sizeof(drivers[0]) && more > 0; d++) {
        int64_t room = 0;
        int most = 0; /* of any node */

        for (int i = 0; i < place->facts->n_objects; i++) {
            const struct object_facts *object = &place->facts->objects[i];

            if (is(object->kind, "Node") && is(object->member, place->member)) {
                int64_t left = left_on(place, drivers[d], object->name);
                int own = count_own(place, workload, drivers[d], object->name);

                room += own == 0 ? NO_LIMIT : left > 0 ? left / own : 0;
                most = own > most ? own : most;
            }
        }
        if (most == 0) {
            continue;
        }
        judge_met(judge, INV_OWN_VOLUMES);
        if (more > room) {
            judge_fail(judge, INV_OWN_VOLUMES, binding, cluster,
                       "%d more, each with %d volumes of its own, and nodes have place for %d",
                       more, most, (int)room);
        }
    }
}

/* What is made for each pod alone is of a class that exists, or one may have been prepared. */
static bool
can_have_own(const struct place *place, const char *class_)
{
    bool can = *class_ == '\0' || !has_any(place, "StorageClass") ||
               !has_any(place, "PersistentVolume") ||
               find_object(place, "StorageClass", "", class_) != NULL;

    for (int i = 0; i < place->facts->n_objects && !can; i++) {
        const struct object_facts *object = &place->facts->objects[i];

        can = is(object->member, place->member) && is(object->kind, "PersistentVolume") &&
              is(storage_class_of(object->json), class_) &&
              is(text_at(object->json, "status.phase"), "Available");
    }
    return can;
}

static void
judge_own_classes(struct judge *judge, const struct binding_facts *binding, int cluster,
                  const struct place *place, const json_t *workload)
{
    const json_t *volume = json_array_get(at(workload, "spec.template.spec.volumes"), 0);
    const json_t *made = json_array_get(at(workload, "spec.volumeClaimTemplates"), 0);
    const char *of_pod = text_at(volume, OWN_CLASS),
               *of_set = is(text_at(workload, "kind"), "StatefulSet")
                             ? text_at(made, "spec.storageClassName")
                             : "";
    int more = given_by_template(&judge->facts, binding, cluster);

    if (more == 0 || (*of_pod == '\0' && *of_set == '\0')) {
        return;
    }
    judge_met(judge, INV_OWN_VOLUMES);
    if (!can_have_own(place, of_pod) || !can_have_own(place, of_set)) {
        judge_fail(judge, INV_OWN_VOLUMES, binding, cluster,
                   "%d more, with volumes of a class that does not exist", more);
    }
}

/* A disk that the pods name themselves. */
static void
judge_disk(struct judge *judge, const struct binding_facts *binding, int cluster,
           const struct place *place, const json_t *workload)
{
    const json_t *disk = json_array_get(at(workload, "spec.template.spec.volumes"), 0);
    int more = given_by_template(&judge->facts, binding, cluster);
    bool is_had = false;

    if (more == 0 || attachment_of(disk).driver == NULL) {
        return;
    }
    for (int i = 0; i < place->facts->n_objects && !is_had; i++) {
        const struct object_facts *object = &place->facts->objects[i];

        is_had = is(object->kind, "Node") && is(object->member, place->member) &&
                 !is_beyond_limit(place, disk, object->name);
    }
    judge_met(judge, INV_VOLUMES);
    if (!is_had) {
        judge_fail(judge, INV_VOLUMES, binding, cluster, "%d more, and no node may have their disk",
                   more);
    }
}

void
judge_volumes(struct judge *judge, const struct binding_facts *binding)
{
    const struct facts *facts = &judge->facts;
    const json_t *workload = find_workload_of(facts, binding->json);
    const char *name = text_at(json_array_get(at(workload, "spec.template.spec.volumes"), 0),
                               "persistentVolumeClaim.claimName");

    if (workload == NULL || !facts->has_nodes || !facts->has_pods ||
        json_is_false(at(facts->world->config, "overcommitProtection"))) {
        return;
    }
    for (int i = 0; i < facts->n_clusters; i++) {
        struct place place = {.facts = facts, .member = facts->clusters[i].name};

        if (!facts->clusters[i].has_pods || !facts->clusters[i].has_nodes || may_grow(facts, i)) {
            continue;
        }
        judge_own(judge, binding, i, &place, workload);
        judge_own_classes(judge, binding, i, &place, workload);
        judge_disk(judge, binding, i, &place, workload);
        place.claim = *name != '\0'
                          ? find_object(&place, "PersistentVolumeClaim", binding->namespace_, name)
                          : NULL;
        if (place.claim != NULL) {
            judge_place(judge, binding, i, &place);
        }
    }
}
