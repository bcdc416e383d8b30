# SPDX-License-Identifier: Apache-2.0
"""Fleets in a control plane: captured ones loaded, synthetic ones made."""
import json

from control_plane import ApiError, wait_for
from karmada_kinds import KINDS, path_of

SERVER_OWNED = ("uid", "resourceVersion", "generation", "managedFields", "selfLink",
                "ownerReferences", "finalizers", "deletionTimestamp",
                "deletionGracePeriodSeconds")
DYNAMIC = {"replicaScheduling": {
    "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted",
    "weightPreference": {"dynamicWeight": "AvailableReplicas"}}}
AGGREGATED = {"replicaScheduling": {"replicaSchedulingType": "Divided",
                                    "replicaDivisionPreference": "Aggregated"}}
DUPLICATED = {"replicaScheduling": {"replicaSchedulingType": "Duplicated"}}
NEEDED = "2026-01-01T00:00:00Z"


def static_weights(**weights):
    """A placement with these weights by cluster."""
    return {"replicaScheduling": {
        "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted",
        "weightPreference": {"staticWeightList": [
            {"targetCluster": {"clusterNames": [name]}, "weight": weight}
            for name, weight in weights.items()]}}}


def load_object(plane, thing):
    """Creates it; what its status says goes the way of the status subresource."""
    metadata = {k: v for k, v in thing["metadata"].items() if k not in SERVER_OWNED}
    path = path_of(thing["kind"], metadata.get("namespace"))
    plane.create(path, {**thing, "metadata": metadata})
    if "status" in thing:
        plane.patch(f"{path}/{metadata['name']}/status", {"status": thing["status"]})


def load_directory(plane, member_api, directory):
    """A captured fleet: the members and the Clusters go to the aggregated API."""
    for path in sorted((directory / "control-plane").glob("*.json")):
        document = json.loads(path.read_text())
        default = document.get("kind", "List")[:-len("List")]
        items = [{"apiVersion": document.get("apiVersion"), "kind": default, **item}
                 for item in document["items"]]
        if path.name == "clusters.json":
            member_api.clusters = items
            continue
        items = [i for i in items if any(k[2] == i["kind"] for k in KINDS)]
        for namespace in {i["metadata"].get("namespace") for i in items} - {None}:
            plane.ensure_namespace(namespace)
        plane.each(lambda item: load_object(plane, item), items)
    plurals = {"pods": "/api/v1/pods", "nodes": "/api/v1/nodes",
               "replicasets": "/apis/apps/v1/replicasets",
               "deployments": "/apis/apps/v1/deployments"}
    for member in (directory / "members").iterdir():
        member_api.members[member.name] = {
            plurals[path.stem]: json.loads(path.read_text())["items"]
            for path in member.glob("*.json") if path.stem in plurals}


def cluster(name, cpu=100_000):
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster",
        "metadata": {"name": name}, "spec": {"syncMode": "Push"},
        "status": {
            "conditions": [{"type": "Ready", "status": "True", "reason": "ClusterReady",
                            "lastTransitionTime": NEEDED}],
            "apiEnablements": [{"groupVersion": "apps/v1",
                                "resources": [{"kind": "Deployment", "name": "deployments"}]}],
            "resourceSummary": {"allocatable": {"cpu": str(cpu), "memory": "400Ti",
                                                "pods": "1000000"}}}}


def binding(name, split, replicas, namespace="e2e"):
    """A divided Deployment; where the split does not add up to the replicas it is in need."""
    return {
        "apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding",
        "metadata": {"name": name, "namespace": namespace,
                     "labels": {"propagationpolicy.karmada.io/permanent-id": f"policy-{name}"},
                     "annotations": {"policy.karmada.io/applied-placement": json.dumps(DYNAMIC)}},
        "spec": {
            "resource": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": namespace,
                         "name": name, "uid": f"uid-{name}"},
            "replicas": replicas, "schedulerName": "default-scheduler", "placement": DYNAMIC,
            "replicaRequirements": {"resourceRequest": {"cpu": "10m", "memory": "1Mi"}},
            "clusters": [{"name": n, "replicas": r} for n, r in sorted(split.items())]}}


BINDINGS = path_of("ResourceBinding", "e2e")


def make(plane, count, in_need=1.0, replicas=6):
    """`count` bindings, of which that share lacks two replicas. Returns their names."""
    clear(plane)
    plane.each(lambda name: load_object(plane, cluster(name)), ["m1", "m2", "m3"])
    names = [f"app-{i:05}" for i in range(count)]
    wanting = set(names[:round(count * in_need)])
    plane.each(lambda name: plane.create(BINDINGS, binding(
        name, {"m1": replicas - 4, "m2": 2 if name in wanting else 4}, replicas)), names)
    return names


def delete_all(plane, path):
    """Whether it is done: of thousands at a time a busy server may not manage all."""
    try:
        plane.delete(path)
        return not plane.get(path + "?limit=1")["items"]
    except ApiError as e:
        if e.status < 500:
            raise
        return False


def clear(plane):
    plane.ensure_namespace("e2e")
    for path in (BINDINGS, path_of("Cluster"), "/api/v1/namespaces/e2e/events"):
        wait_for("nothing left", lambda p=path: delete_all(plane, p), 300)
    try:
        plane.delete("/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/ballast")
    except ApiError:
        pass


def split_of(thing):
    return {t["name"]: t["replicas"] for t in thing["spec"].get("clusters", []) if t.get("replicas")}


def splits(plane):
    return {b["metadata"]["name"]: split_of(b) for b in plane.list(BINDINGS)}


def total(split):
    return sum(split.values())
