/* SPDX-License-Identifier: Apache-2.0
 *
 * What ties pods to each other and to nodes: pod templates in the control plane,
 * and the same in pods of members; and what members admit pods by.
 */
#include "generate.h"

/* Labels that controllers give pods, and a value that a world's pods may have. */
static const struct given_label {
    const char *kind, *key, *value;
} given_labels[] = {
    {"Deployment", "pod-template-hash", "new"},
    {"StatefulSet", "controller-revision-hash", "v1"},
    {"StatefulSet", "statefulset.kubernetes.io/pod-name", "w0-new-0"},
    {"StatefulSet", "apps.kubernetes.io/pod-index", "0"},
    {"Job", "job-name", "w0"},
    {"Job", "controller-uid", "u-Job-w0"},
    {"Job", "batch.kubernetes.io/job-name", "w0"},
    {"Job", "batch.kubernetes.io/controller-uid", "u-Job-w0"},
};

#define N_GIVEN ((int)(sizeof(given_labels) / sizeof(given_labels[0])))

/* One that pods of this kind get, or another's. */
static const struct given_label *
given_label(struct gen *gen, const char *kind)
{
    int first = below(gen, N_GIVEN);
    bool is_own = percent(gen, 70);

    for (int i = 0; i < N_GIVEN && is_own; i++) {
        int next = (first + i) % N_GIVEN;

        if (is(given_labels[next].kind, kind)) {
            return &given_labels[next];
        }
    }
    return &given_labels[first];
}

static json_t *
label_selector(struct gen *gen, const char *kind)
{
    const char *name = PICK(gen, "w0", "w1", "w2");

    if (chance(gen, THEME_TIES, 60, 20)) {
        const struct given_label *label = given_label(gen, kind);
        json_t *selector =
            pack("{s:[o]}", "matchExpressions",
                 percent(gen, 50) ? pack("{s:s,s:s}", "key", label->key, "operator", "Exists")
                                  : some_requirement(gen, label->key, label->value, "w1"));

        if (percent(gen, 30)) {
            put(selector, "matchLabels.app", json_string(name));
        }
        return selector;
    }
    return percent(gen, 80) ? pack("{s:{s:s}}", "matchLabels", "app", name)
                            : pack("{s:[{s:s,s:s,s:[s]}]}", "matchExpressions", "key", "app",
                                   "operator", PICK(gen, "In", "NotIn"), "values", name);
}

static const char *
topology_key(struct gen *gen)
{
    return PICK(gen, "kubernetes.io/hostname", "kubernetes.io/hostname", "disk", "nowhere");
}

static void
put_label_keys(struct gen *gen, json_t *selecting, const char *name, const char *kind, int share)
{
    if (chance(gen, THEME_TIES, 2 * share, share / 2)) {
        put(selecting, name,
            percent(gen, 30) ? pack("[s]", "app") : pack("[s]", given_label(gen, kind)->key));
    }
}

static json_t *
affinity_term(struct gen *gen, const char *kind)
{
    json_t *term = pack("{s:s}", "topologyKey", topology_key(gen));

    if (percent(gen, 95)) {
        put(term, "labelSelector", label_selector(gen, kind));
    }
    if (percent(gen, 20)) {
        put(term, "namespaces", pack("[s]", PICK(gen, "n1", "n2", "shop")));
    }
    if (percent(gen, 10)) {
        put(term, "namespaceSelector", json_object());
    }
    put_label_keys(gen, term, "matchLabelKeys", kind, 20);
    put_label_keys(gen, term, "mismatchLabelKeys", kind, 10);
    return term;
}

void
generate_pod_affinity(struct gen *gen, json_t *spec, const char *kind, int share)
{
    static const char required[] = "requiredDuringSchedulingIgnoredDuringExecution";
    static const char *const paths[] = {"affinity.podAffinity", "affinity.podAntiAffinity"};

    for (int i = 0; i < 2; i++) {
        if (percent(gen, i == 0 ? share / 2 : share)) {
            put(spec, paths[i], pack("{s:[o]}", required, affinity_term(gen, kind)));
        }
    }
}

void
generate_stay_and_whole(struct gen *gen, json_t *spec, int share)
{
    if (percent(gen, share)) {
        json_t *list = at(spec, "initContainers");
        json_t *sidecar = pack("{s:s,s:s,s:{s:{s:s}}}", "name", "s", "restartPolicy",
                               percent(gen, 80) ? "Always" : "OnFailure", "resources", "requests",
                               "cpu", PICK(gen, "100m", "500m"));

        if (list == NULL) {
            put(spec, "initContainers", pack("[o]", sidecar));
        } else {
            json_array_insert_new(list, (size_t)below(gen, 2), sidecar);
        }
    }
    if (percent(gen, share / 2)) {
        put(spec, percent(gen, 30) ? "resources.limits.cpu" : "resources.requests.cpu",
            json_string(PICK(gen, "500m", "1250m")));
    }
}

void
generate_device_claim(struct gen *gen, json_t *spec, int share)
{
    if (percent(gen, share)) {
        put(spec, "resourceClaims",
            percent(gen, 90) ? pack("[{s:s}]", "name", "gpu") : json_array());
    }
}

void
generate_host_port(struct gen *gen, json_t *spec, int share)
{
    json_t *container = json_array_get(at(spec, "containers"), 0);

    if (!percent(gen, share)) {
        return;
    }
    json_t *port = pack("{s:i}", "containerPort", between(gen, 80, 82));

    if (percent(gen, 20)) {
        put(spec, "hostNetwork", json_boolean(percent(gen, 80)));
    } else {
        put(port, "hostPort", json_integer(between(gen, 80, 82)));
    }
    if (percent(gen, 30)) {
        put(port, "protocol", json_string(PICK(gen, "TCP", "UDP")));
    }
    if (percent(gen, 30)) {
        put(port, "hostIP", json_string(PICK(gen, "127.0.0.1", "0.0.0.0")));
    }
    put(container, "ports", pack("[o]", port));
}

/* Of a volume, or a PersistentVolume's spec. */
void
generate_replaced_disk(struct gen *gen, json_t *source, const char *id)
{
    static const char *const types[][2] = {{"awsElasticBlockStore", "volumeID"},
                                           {"gcePersistentDisk", "pdName"},
                                           {"azureDisk", "diskURI"},
                                           {"cinder", "volumeID"},
                                           {"portworxVolume", "volumeID"}};
    int type = percent(gen, 40) ? 0 : below(gen, 5);

    put(source, types[type][0], pack("{s:s}", types[type][1], id));
}

static json_t *
disk(struct gen *gen)
{
    const char *name = PICK(gen, "d0", "d1");

    if (percent(gen, 30)) {
        json_t *volume = json_object();

        generate_replaced_disk(gen, volume, PICK(gen, "h0", "h1"));
        return volume;
    }
    switch (below(gen, 4)) {
    case 0:
        return pack("{s:{s:s}}", "awsElasticBlockStore", "volumeID", name);
    case 1:
        return pack("{s:{s:s,s:b}}", "gcePersistentDisk", "pdName", name, "readOnly",
                    percent(gen, 30));
    case 2:
        return pack("{s:{s:s,s:b}}", "iscsi", "iqn", name, "readOnly", percent(gen, 30));
    default:
        return pack("{s:{s:s,s:s,s:[s],s:b}}", "rbd", "image", name, "pool",
                    PICK(gen, "p0", "p0", "p1"), "monitors", PICK(gen, "o0", "o0", "o1"),
                    "readOnly", percent(gen, 30));
    }
}

/* What is made for the pod alone. */
static json_t *
own_volume(struct gen *gen)
{
    return pack("{s:{s:{s:{s:s}}}}", "ephemeral", "volumeClaimTemplate", "spec", "storageClassName",
                PICK(gen, "csi", "csi", "csi", "local", "odd"));
}

static json_t *
named_volume(json_t *volume)
{
    put(volume, "name", json_string("v"));
    return volume;
}

void
generate_volume(struct gen *gen, json_t *spec, int share)
{
    if (percent(gen, share)) {
        json_t *volume = percent(gen, 25)   ? disk(gen)
                         : percent(gen, 25) ? own_volume(gen)
                                            : pack("{s:{s:s}}", "persistentVolumeClaim",
                                                   "claimName", PICK(gen, "c0", "c1", "c2"));

        put(spec, "volumes", pack("[o]", named_volume(volume)));
    }
}

static json_t *
spread(struct gen *gen, const char *kind)
{
    json_t *made =
        pack("{s:i,s:s,s:s}", "maxSkew", between(gen, 1, 2), "topologyKey", topology_key(gen),
             "whenUnsatisfiable", PICK(gen, "DoNotSchedule", "DoNotSchedule", "ScheduleAnyway"));

    if (percent(gen, 95)) {
        put(made, "labelSelector", label_selector(gen, kind));
    }
    if (percent(gen, 15)) {
        put(made, "minDomains", json_integer(between(gen, 1, 4)));
    }
    if (percent(gen, 15)) {
        put(made, "nodeAffinityPolicy", json_string(PICK(gen, "Honor", "Ignore")));
    }
    if (percent(gen, 15)) {
        put(made, "nodeTaintsPolicy", json_string(PICK(gen, "Honor", "Ignore")));
    }
    if (chance(gen, THEME_TIES, 50, 10)) {
        put(made, "matchLabelKeys",
            percent(gen, 30) ? pack("[s]", "app")
                             : pack("[s,s,s]", given_label(gen, kind)->key,
                                    given_label(gen, kind)->key, given_label(gen, kind)->key));
    }
    return made;
}

/* Many have one of a sort, or nothing would fit anywhere. */
static void
put_ties(struct gen *gen, json_t *spec, const char *kind)
{
    bool is_alone = chance(gen, THEME_TIES, 80, 20), is_spread = percent(gen, 50);

    if (is_alone ? is_spread : percent(gen, 30)) {
        put(spec, "topologySpreadConstraints", pack("[o]", spread(gen, kind)));
    }
    if (is_alone && !is_spread) {
        put(spec, "affinity.podAntiAffinity",
            pack("{s:[o]}", "requiredDuringSchedulingIgnoredDuringExecution",
                 affinity_term(gen, kind)));
    }
    if (is_alone && percent(gen, 50)) {
        put(spec, "volumes", pack("[o]", named_volume(own_volume(gen))));
    }
    if (!is_alone) {
        generate_pod_affinity(gen, spec, kind, 25);
        generate_host_port(gen, spec, 20);
        generate_volume(gen, spec, 80);
    }
}

/* What nothing but scopes of quotas look at. */
static void
put_quota_matters(struct gen *gen, json_t *spec)
{
    if (percent(gen, 25)) {
        put(spec, "priorityClassName", json_string(PICK(gen, "high", "low")));
    }
    if (percent(gen, 8)) {
        put(spec, "activeDeadlineSeconds", json_integer(60));
    }
    if (percent(gen, 10)) {
        const bool is_against = percent(gen, 50);

        put(spec,
            is_against ? "affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution"
                       : "affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution",
            percent(gen, 50)
                ? pack("[{s:i,s:{s:s,s:[s]}}]", "weight", 1, "podAffinityTerm", "topologyKey",
                       "zone", "namespaces", "other")
                : pack("[{s:i,s:{s:s,s:o}}]", "weight", 1, "podAffinityTerm", "topologyKey", "zone",
                       "namespaceSelector", percent(gen, 50) ? json_object() : json_null()));
    }
}

/* What the binding asks for is what is made of it, unless limits or an init container say more. */
static json_t *
pod_spec(struct gen *gen, const json_t *binding)
{
    const char *kind = text_at(binding, "spec.resource.kind");
    json_t *request = at(binding, "spec.replicaRequirements.resourceRequest");
    json_t *container = pack("{s:s}", "name", "c");
    json_t *spec = pack("{s:[o]}", "containers", container);

    if (request != NULL) {
        put(container, percent(gen, 85) ? "resources.requests" : "resources.limits",
            json_deep_copy(request));
    }
    if (percent(gen, 10)) {
        put(spec, "initContainers",
            pack("[{s:s,s:{s:{s:s}}}]", "name", "i", "resources", PICK(gen, "requests", "limits"),
                 "cpu", PICK(gen, "100m", "1500m")));
    }
    generate_stay_and_whole(gen, spec, 8);
    if (percent(gen, 5)) {
        put(spec, "overhead.cpu", json_string(PICK(gen, "50m", "100m")));
    }
    generate_device_claim(gen, spec, 3);
    put_ties(gen, spec, kind);
    put_quota_matters(gen, spec);
    return spec;
}

/* Of any kind, for nothing looks at it. */
static void
put_claim_templates(struct gen *gen, json_t *workload)
{
    bool is_set = is(text_at(workload, "kind"), "StatefulSet");

    if (!percent(gen, is_set ? 70 : 8)) {
        return;
    }
    json_t *made =
        pack("{s:{s:s},s:{s:[s]}}", "metadata", "name", PICK(gen, "d", "d", "e"), "spec",
             "accessModes", PICK(gen, "ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"));

    if (percent(gen, 60)) {
        put(made, "spec.storageClassName", json_string(PICK(gen, "local", "csi", "odd")));
    }
    put(workload, "spec.volumeClaimTemplates", pack("[o]", made));
}

void
generate_template(struct gen *gen, const json_t *binding)
{
    const json_t *resource = at(binding, "spec.resource");
    const char *name = text_at(resource, "name");

    if (!chance(gen, THEME_TIES, 90, 60)) {
        return;
    }
    json_t *workload = pack("{s:s,s:s,s:{s:s,s:s}}", "apiVersion", text_at(resource, "apiVersion"),
                            "kind", text_at(resource, "kind"), "metadata", "namespace",
                            text_at(resource, "namespace"), "name", name);

    put(workload, "spec.template.metadata.labels.app", json_string(name));
    if (percent(gen, 15)) { /* one that its controller may set over */
        const struct given_label *label = given_label(gen, text_at(resource, "kind"));

        put_key(workload, "spec.template.metadata.labels", label->key, json_string(label->value));
    }
    put(workload, "spec.template.spec", pod_spec(gen, binding));
    put_claim_templates(gen, workload);
    add_object(gen, workload);
}

static json_t *
limit(struct gen *gen)
{
    json_t *made = pack("{s:s}", "type", PICK(gen, "Container", "Container", "Pod"));

    if (percent(gen, 30)) {
        put(made, "defaultRequest.cpu", json_string(PICK(gen, "100m", "500m")));
    }
    if (percent(gen, 20)) {
        put(made, "default.cpu", json_string(PICK(gen, "500m", "1")));
    }
    if (percent(gen, 10)) {
        put(made, "min.cpu", json_string(PICK(gen, "50m", "300m")));
    }
    if (percent(gen, 10)) {
        put(made, "max.cpu", json_string(PICK(gen, "600m", "2")));
    }
    if (percent(gen, 10)) {
        put(made, "maxLimitRequestRatio.cpu", json_string(PICK(gen, "1", "4")));
    }
    return made;
}

static json_t *
quota_scope(struct gen *gen)
{
    const char *how = PICK(gen, "In", "NotIn", "Exists", "DoesNotExist");

    if (percent(gen, 30)) {
        return pack("{s:s,s:s}", "scopeName",
                    PICK(gen, "NotTerminating", "Terminating", "NotBestEffort",
                         "CrossNamespacePodAffinity"),
                    "operator", "Exists");
    }
    return *how == 'I' || *how == 'N'
               ? pack("{s:s,s:s,s:[s]}", "scopeName", "PriorityClass", "operator", how, "values",
                      PICK(gen, "high", "low"))
               : pack("{s:s,s:s}", "scopeName", "PriorityClass", "operator", how);
}

void
generate_admission(struct gen *gen, int index)
{
    if (percent(gen, 15)) {
        json_t *quota =
            member_object(gen, index, "v1", "ResourceQuota",
                          binding_namespace(below(gen, BINDINGS_MAX)), PICK(gen, "q", "r"));

        put(quota, "status.hard",
            pack("{s:i,s:i}", "pods", between(gen, 2, 8), "requests.cpu", between(gen, 2, 8)));
        put(quota, "status.used",
            pack("{s:i,s:i}", "pods", between(gen, 0, 3), "requests.cpu", between(gen, 0, 3)));
        if (percent(gen, 30)) {
            put(quota, "spec.scopes",
                pack("[s]", PICK(gen, "BestEffort", "NotBestEffort", "NotTerminating",
                                 "PriorityClass", "CrossNamespacePodAffinity")));
        }
        if (percent(gen, 30)) {
            put(quota, "spec.scopeSelector.matchExpressions", pack("[o]", quota_scope(gen)));
        }
        add_object(gen, quota);
    }
    if (percent(gen, 15)) {
        json_t *range =
            member_object(gen, index, "v1", "LimitRange",
                          binding_namespace(below(gen, BINDINGS_MAX)), PICK(gen, "q", "r"));

        put(range, "spec.limits", pack("[o]", limit(gen)));
        add_object(gen, range);
    }
}
