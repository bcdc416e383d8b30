# SPDX-License-Identifier: Apache-2.0
"""KubeFed's kinds (v0.10.0) as CustomResourceDefinitions: names, scope, subresources, what is
required, and the fields. As upstream's they keep no field that they do not name. And the objects of
a host."""
import base64

import karmada_kinds
from control_plane import wait_for

KFNS = "kube-federation-system"
STRING = {"type": "string"}
BOOLEAN = {"type": "boolean"}
INT64 = {"type": "integer", "format": "int64"}
INT32 = {"type": "integer", "format": "int32"}
TIME = {"type": "string", "format": "date-time"}
ANYTHING = {"x-kubernetes-preserve-unknown-fields": True}
STRINGS = {"type": "array", "items": STRING}


def obj(required=(), **properties):
    schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema


def array(items):
    return {"type": "array", "items": items}


def a_map(values):
    return {"type": "object", "additionalProperties": values}


def whole(spec, status=None):
    """An object: everywhere the spec is required."""
    members = {"apiVersion": STRING, "kind": STRING, "metadata": {"type": "object"}, "spec": spec}
    if status is not None:
        members["status"] = status
    return obj(["spec"], **members)


API_RESOURCE = obj(["kind", "pluralName", "scope", "version"], group=STRING, kind=STRING,
                   pluralName=STRING, scope=STRING, version=STRING)
CONFIG = whole(obj(
    ["scope"], scope=STRING,
    clusterHealthCheck=obj(period=STRING, timeout=STRING, failureThreshold=INT64,
                           successThreshold=INT64),
    controllerDuration=obj(availableDelay=STRING, unavailableDelay=STRING,
                           cacheSyncTimeout=STRING),
    featureGates=array(obj(["configuration", "name"], configuration=STRING, name=STRING)),
    leaderElect=obj(leaseDuration=STRING, renewDeadline=STRING, resourceLock=STRING,
                    retryPeriod=STRING),
    statusController=obj(maxConcurrentReconciles=INT64),
    syncController=obj(adoptResources=STRING, maxConcurrentReconciles=INT64)))
TYPE_CONFIG = whole(
    obj(["federatedType", "propagation", "targetType"], federatedType=API_RESOURCE,
        propagation=STRING, statusCollection=STRING, statusType=API_RESOURCE,
        targetType=API_RESOURCE),
    obj(["observedGeneration", "propagationController"], observedGeneration=INT64,
        propagationController=STRING, statusController=STRING))
CLUSTER = whole(
    obj(["apiEndpoint", "secretRef"], apiEndpoint=STRING,
        caBundle={"type": "string", "format": "byte"}, disabledTLSValidations=STRINGS,
        proxyURL=STRING, secretRef=obj(["name"], name=STRING)),
    obj(["conditions"],
        conditions=array(obj(["lastProbeTime", "status", "type"], lastProbeTime=TIME,
                             lastTransitionTime=TIME, message=STRING, reason=STRING, status=STRING,
                             type=STRING)),
        kubernetesVersion=STRING, region=STRING, zones=STRINGS))
PREFERENCE = whole(
    obj(["targetKind", "totalReplicas"],
        clusters=a_map(obj(minReplicas=INT64, maxReplicas=INT64, weight=INT64)),
        intersectWithClusterSelector=BOOLEAN, rebalance=BOOLEAN, targetKind=STRING,
        totalReplicas=INT32),
    {"type": "object"})


def federated(scales):
    """As `kubefedctl enable` makes them: the template is anything."""
    spec = {
        "template": {"type": "object", **ANYTHING},
        "placement": obj(
            clusters=array(obj(["name"], name=STRING)),
            clusterSelector=obj(
                matchExpressions=array(obj(["key", "operator"], key=STRING, operator=STRING,
                                           values=STRINGS)),
                matchLabels=a_map(STRING))),
        "overrides": array(obj(
            clusterName=STRING,
            clusterOverrides=array(obj(
                ["path"], op={"type": "string", "pattern": "^(add|remove|replace)?$"},
                path=STRING, value=ANYTHING))))}
    if scales:
        spec["retainReplicas"] = BOOLEAN
    return whole(obj(**spec), obj(
        conditions=array(obj(["type", "status"], type=STRING, status=STRING, reason=STRING,
                             lastUpdateTime=TIME, lastTransitionTime=TIME)),
        clusters=array(obj(["name"], name=STRING, status=STRING,
                           remoteStatus={"type": "object", **ANYTHING})),
        observedGeneration=INT64))


# group, version, kind, plural, has a status subresource, schema: all of them are namespaced
KINDS = [
    ("core.kubefed.io", "v1beta1", "KubeFedConfig", "kubefedconfigs", False, CONFIG),
    ("core.kubefed.io", "v1beta1", "FederatedTypeConfig", "federatedtypeconfigs", True,
     TYPE_CONFIG),
    ("core.kubefed.io", "v1beta1", "KubeFedCluster", "kubefedclusters", True, CLUSTER),
    ("scheduling.kubefed.io", "v1alpha1", "ReplicaSchedulingPreference",
     "replicaschedulingpreferences", False, PREFERENCE),
    ("types.kubefed.io", "v1beta1", "FederatedDeployment", "federateddeployments", True,
     federated(scales=True)),
    ("types.kubefed.io", "v1beta1", "FederatedReplicaSet", "federatedreplicasets", True,
     federated(scales=True)),
    ("types.kubefed.io", "v1beta1", "FederatedNamespace", "federatednamespaces", True,
     federated(scales=False)),
]
# name, federated kind, target: group, kind, plural, whether it is in a namespace
TYPES = [
    ("deployments.apps", "FederatedDeployment", "apps", "Deployment", "deployments", True),
    ("replicasets.apps", "FederatedReplicaSet", "apps", "ReplicaSet", "replicasets", True),
    ("namespaces", "FederatedNamespace", "", "Namespace", "namespaces", False),
]


def path_of(kind, namespace=None):
    group, version, _, plural, _, _ = next(k for k in KINDS if k[2] == kind)
    where = f"namespaces/{namespace}/" if namespace else ""
    return f"/apis/{group}/{version}/{where}{plural}"


def definition(group, version, kind, plural, status, schema):
    made = karmada_kinds.definition(group, version, kind, plural, True, schema)
    if not status:
        del made["spec"]["versions"][0]["subresources"]
    return made


def install(plane):
    """Makes the server know them."""
    for kind in KINDS:
        plane.define(definition(*kind))
    for kind in KINDS:
        wait_for(kind[2], lambda k=kind[2]: plane.answers(path_of(k)))


# --- a host's objects ---

def whole_object(kind, name, namespace, spec):
    group, version, _, _, _, _ = next(k for k in KINDS if k[2] == kind)
    return {"apiVersion": f"{group}/{version}", "kind": kind,
            "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def create(plane, thing):
    path = path_of(thing["kind"], thing["metadata"]["namespace"])
    return plane.create(path, thing)


def config(gates=None, **more):
    """As upstream's chart installs it, but for these feature gates and members of the spec."""
    gates = {"PushReconciler": "Enabled", "SchedulerPreferences": "Enabled", **(gates or {})}
    spec = {
        "scope": "Cluster",
        "controllerDuration": {"availableDelay": "20s", "unavailableDelay": "60s",
                               "cacheSyncTimeout": "5m"},
        "leaderElect": {"leaseDuration": "15s", "renewDeadline": "10s", "retryPeriod": "5s",
                        "resourceLock": "configmaps"},
        "clusterHealthCheck": {"period": "10s", "failureThreshold": 3, "successThreshold": 1,
                               "timeout": "3s"},
        "syncController": {"maxConcurrentReconciles": 1, "adoptResources": "Enabled"},
        "featureGates": [{"name": n, "configuration": c} for n, c in sorted(gates.items())]}
    return whole_object("KubeFedConfig", "kubefed", KFNS, {**spec, **more})


def type_config(name, kind, group, target, plural, namespaced):
    target_type = {"version": "v1", "kind": target, "pluralName": plural,
                   "scope": "Namespaced" if namespaced else "Cluster"}
    if group:
        target_type["group"] = group
    _, version, _, federated_plural, _, _ = next(k for k in KINDS if k[2] == kind)
    return whole_object("FederatedTypeConfig", name, KFNS, {
        "federatedType": {"group": "types.kubefed.io", "version": version, "kind": kind,
                          "pluralName": federated_plural, "scope": "Namespaced"},
        "propagation": "Enabled",
        "targetType": target_type})


def cluster(name, endpoint, authority, labels=None):
    """As `kubefedctl join` leaves it; `authority` in PEM."""
    thing = whole_object("KubeFedCluster", name, KFNS, {
        "apiEndpoint": endpoint, "caBundle": base64.b64encode(authority).decode(),
        "secretRef": {"name": secret_name(name)}})
    thing["metadata"]["labels"] = labels or {}
    return thing


def secret_name(name):
    return f"{name}-token"


def secret(name, token):
    return {"metadata": {"name": secret_name(name), "namespace": KFNS}, "type": "Opaque",
            "data": {"token": base64.b64encode(token.encode()).decode()}}


def placement(clusters=None, selector=None):
    """None for the clusters: there is no list, which is not the same as an empty one."""
    made = {}
    if clusters is not None:
        made["clusters"] = [{"name": n} for n in clusters]
    if selector is not None:
        made["clusterSelector"] = selector
    return made


def replicas_overrides(split):
    return [{"clusterName": n, "clusterOverrides": [{"path": "/spec/replicas", "value": r}]}
            for n, r in split.items()]


def federated_object(kind, name, namespace, template, where, overrides=None):
    spec = {"template": template, "placement": where}
    if overrides is not None:
        spec["overrides"] = overrides
    return whole_object(kind, name, namespace, spec)


def federated_namespace(name, where):
    return whole_object("FederatedNamespace", name, name, {"template": {}, "placement": where})


def preference(name, namespace, total, **more):
    """`more`: clusters, rebalance, intersectWithClusterSelector, targetKind."""
    return whole_object("ReplicaSchedulingPreference", name, namespace, {
        "targetKind": "FederatedDeployment", "totalReplicas": total, **more})


def split_of(thing):
    """By cluster of its placement: its override, else what the template says."""
    spec = thing["spec"]
    default = spec.get("template", {}).get("spec", {}).get("replicas", 1)
    given = {item["clusterName"]: o["value"] for item in spec.get("overrides") or []
             for o in item.get("clusterOverrides") or [] if o["path"] == "/spec/replicas"}
    return {c["name"]: given.get(c["name"], default)
            for c in spec.get("placement", {}).get("clusters") or []}
