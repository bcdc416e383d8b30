# SPDX-License-Identifier: Apache-2.0
"""Karmada's kinds as CustomResourceDefinitions: names, scope, subresources, and the types of the
fields that Ballast reads or writes. Everything else is kept as it comes. Where E2E_KARMADA has a
directory crds/ with that release's own definitions, the kinds that Ballast reads are served as those
say. (A server of 1.20 refuses what Karmada writes into a Work by its own definition.)"""
import functools
import os
import pathlib

import yaml

from control_plane import wait_for

STRING = {"type": "string"}
INT32 = {"type": "integer", "format": "int32"}
ANYTHING = {"x-kubernetes-preserve-unknown-fields": True}


def obj(required=(), **properties):
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True,
              "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema


def array(items):
    return {"type": "array", "items": items}


TARGETS = array(obj(["name"], name=STRING, replicas=INT32))
BINDING = obj(
    spec=obj(
        ["resource"],
        resource=obj(["apiVersion", "kind", "name"], apiVersion=STRING, kind=STRING,
                     namespace=STRING, name=STRING, uid=STRING),
        clusters=TARGETS,
        replicas=INT32,
        schedulerName=STRING,
        rescheduleTriggeredAt={"type": "string", "format": "date-time"},
        gracefulEvictionTasks=array(obj(
            ["fromCluster", "producer", "reason"], fromCluster=STRING,
            reason={"type": "string", "minLength": 1, "maxLength": 32,
                    "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
            producer=STRING, replicas=INT32, message={"type": "string", "maxLength": 1024},
            gracePeriodSeconds=INT32,
            purgeMode={"type": "string", "enum": ["Directly", "Gracefully", "Never"]},
            suppressDeletion={"type": "boolean"},
            preservedLabelState={"type": "object", "additionalProperties": STRING},
            clustersBeforeFailover=array(STRING),
            creationTimestamp={"type": "string", "format": "date-time"}))),
    status=obj(
        aggregatedStatus=array(obj(["clusterName"], clusterName=STRING, health=STRING)),
        schedulerObservedGeneration={"type": "integer", "format": "int64"},
        lastScheduledTime={"type": "string", "format": "date-time"}))
CLUSTER = obj(spec=obj(syncMode=STRING, taints=array(obj(["effect", "key"], key=STRING,
                                                         effect=STRING))),
              status=obj(conditions=array(obj(["type", "status"], type=STRING, status=STRING))))
OPEN = obj(spec=obj(), status=obj())

# group, version, kind, plural, namespaced, schema
KINDS = [
    ("cluster.karmada.io", "v1alpha1", "Cluster", "clusters", False, CLUSTER),
    ("work.karmada.io", "v1alpha2", "ResourceBinding", "resourcebindings", True, BINDING),
    ("work.karmada.io", "v1alpha2", "ClusterResourceBinding", "clusterresourcebindings", False,
     BINDING),
    ("policy.karmada.io", "v1alpha1", "PropagationPolicy", "propagationpolicies", True, OPEN),
    ("policy.karmada.io", "v1alpha1", "ClusterPropagationPolicy", "clusterpropagationpolicies",
     False, OPEN),
    ("policy.karmada.io", "v1alpha1", "OverridePolicy", "overridepolicies", True, OPEN),
    ("policy.karmada.io", "v1alpha1", "ClusterOverridePolicy", "clusteroverridepolicies", False,
     OPEN),
    ("policy.karmada.io", "v1alpha1", "FederatedResourceQuota", "federatedresourcequotas", True,
     OPEN),
    ("apps.karmada.io", "v1alpha1", "WorkloadRebalancer", "workloadrebalancers", False, OPEN),
    ("autoscaling.karmada.io", "v1alpha1", "FederatedHPA", "federatedhpas", True, OPEN),
    ("autoscaling.karmada.io", "v1alpha1", "CronFederatedHPA", "cronfederatedhpas", True, OPEN),
]
# Those of KubeFed, of Karmada up to 0.8 and of KEDA, which a control plane rarely has, and one of
# Karmada's that most cases do without.
RARE_KINDS = [
    ("config.karmada.io", "v1alpha1", "ResourceInterpreterCustomization",
     "resourceinterpretercustomizations", False, OPEN),
    ("scheduling.kubefed.io", "v1alpha1", "ReplicaSchedulingPreference",
     "replicaschedulingpreferences", True, OPEN),
    ("policy.karmada.io", "v1alpha1", "ReplicaSchedulingPolicy", "replicaschedulingpolicies", False,
     OPEN),
    ("keda.sh", "v1alpha1", "ScaledObject", "scaledobjects", True, OPEN),
]
# Those that only Karmada's own programs look at.
INNER_KINDS = [
    ("work.karmada.io", "v1alpha1", "Work", "works", True, OPEN),
    ("config.karmada.io", "v1alpha1", "ResourceInterpreterCustomization",
     "resourceinterpretercustomizations", False, OPEN),
    ("config.karmada.io", "v1alpha1", "ResourceInterpreterWebhookConfiguration",
     "resourceinterpreterwebhookconfigurations", False, OPEN),
]


def definition(group, version, kind, plural, namespaced, schema):
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced" if namespaced else "Cluster",
            "names": {"kind": kind, "listKind": kind + "List", "plural": plural,
                      "singular": kind.lower()},
            "versions": [{"name": version, "served": True, "storage": True,
                          "schema": {"openAPIV3Schema": schema},
                          "subresources": {"status": {}}}],
        },
    }


@functools.lru_cache(None)
def released():
    """That release's own definitions by name."""
    files = pathlib.Path(os.environ.get("E2E_KARMADA", "none")).glob("crds/*.yaml")
    things = [thing for path in files for thing in yaml.safe_load_all(path.read_text())]
    return {thing["metadata"]["name"]: thing for thing in things if thing}


def released_schema(kind):
    """None where the tests' own definition is served."""
    group, version, _, plural, _, _ = next(k for k in KINDS if k[2] == kind)
    thing = released().get(f"{plural}.{group}")
    return thing and next(v["schema"]["openAPIV3Schema"] for v in thing["spec"]["versions"]
                          if v["name"] == version)


def knows(kind, *fields):
    """Whether that release's kind has that field; the tests' own definition takes any."""
    schema = released_schema(kind)
    for field in fields if schema else ():
        schema = schema.get("properties", {}).get(field)
        if schema is None:
            return False
    return True


def published():
    """What a server newer than 1.20 publishes of ResourceBindings, by path."""
    schema = released_schema("ResourceBinding")
    return {} if schema is None else {"/openapi/v3/apis/work.karmada.io/v1alpha2": {
        "components": {"schemas": {"io.karmada.work.v1alpha2.ResourceBinding": schema}}}}


def path_of(kind, namespace=None):
    group, version, _, plural, _, _ = next(
        k for k in KINDS + RARE_KINDS + INNER_KINDS if k[2] == kind)
    where = f"namespaces/{namespace}/" if namespace else ""
    return f"/apis/{group}/{version}/{where}{plural}"


def install(plane, without=(), kinds=None):
    """Makes the server know them, but for those that something else serves."""
    served = [k for k in (KINDS if kinds is None else kinds) if k[2] not in without]
    for kind in served:
        own = released().get(f"{kind[3]}.{kind[0]}") if kind in KINDS else None
        plane.define(own or definition(*kind))
    for kind in served:
        wait_for(kind[2], lambda k=kind[2]: is_served(plane, k))


def remove(plane, kinds):
    for group, _, _, plural, _, _ in kinds:
        plane.undefine(f"{plural}.{group}")


def is_served(plane, kind):
    return plane.answers(path_of(kind))
