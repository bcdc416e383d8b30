# SPDX-License-Identifier: Apache-2.0
"""What Ballast gives a cluster: the whole program on a fleet directory in which the workload's own
cluster is lost, and the pair's is the one candidate."""
import json
import shutil
import subprocess
from fractions import Fraction

NOW = "2026-11-23T00:00:00Z"
SUFFIXES = {"": 1, "m": Fraction(1, 1000), "k": 1000, "M": 10**6, "G": 10**9,
            "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}
# each is written, the empty ones, too: there is nothing is something else than nobody looked
LISTS = ("Pod", "Node", "ReplicaSet", "Deployment", "StatefulSet", "Job", "LimitRange", "ResourceQuota",
         "PersistentVolumeClaim", "PersistentVolume", "StorageClass", "CSINode")
PLACEMENT = {"clusterAffinity": {"clusterNames": ["lost", "there"]}, "replicaScheduling": {
    "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted",
    "weightPreference": {"dynamicWeight": "AvailableReplicas"}}}


def amount(text):
    number = text.rstrip("kmMGi")
    return Fraction(number) * SUFFIXES[text[len(number):]]


def cluster(name, ready, since):
    return {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster", "metadata": {"name": name},
            "status": {"conditions": [{"type": "Ready", "status": ready, "lastTransitionTime": since}],
                       "apiEnablements": [{"groupVersion": "apps/v1", "resources": [
                           {"kind": "Deployment", "name": "deployments"}]}]}}


def filled(spec):
    """With requests made of limits, as the API server does."""
    def fill(container):
        resources = container.get("resources", {})
        return {"resources": {"requests": {**resources.get("limits", {}),
                                           **resources.get("requests", {})}}}
    return {kind: [fill(c) for c in spec.get(kind, [])] for kind in ("containers", "initContainers")}


def total(spec):
    """Of requests, as they stand: the sum of the containers, or the largest init container."""
    sums = {}
    for container in spec["containers"]:
        for name, text in container.get("resources", {}).get("requests", {}).items():
            sums[name] = sums.get(name, 0) + amount(text)
    for container in spec.get("initContainers", []):
        for name, text in container.get("resources", {}).get("requests", {}).items():
            sums[name] = max(sums.get(name, 0), amount(text))
    return sums


def requirements(spec):
    """ReplicaRequirements as Karmada makes them of a template."""
    claim = {k: spec[k] for k in ("nodeSelector", "tolerations") if k in spec}
    affinity = spec.get("affinity", {}).get("nodeAffinity", {})
    if affinity:
        claim["hardNodeAffinity"] = affinity["requiredDuringSchedulingIgnoredDuringExecution"]
    texts = {name: f"{-(-value * 1000 // 1)}m" for name, value in total(spec).items()}
    return {"resourceRequest": texts, "nodeClaim": claim}


def binding(template):
    metadata, spec = template["metadata"], template["spec"]
    return {"apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding",
            "metadata": {"namespace": metadata["namespace"], "name": "web-deployment", "generation": 1,
                         "annotations": {
                             "policy.karmada.io/applied-placement": json.dumps(PLACEMENT)},
                         "labels": {"propagationpolicy.karmada.io/permanent-id": "p"}},
            "spec": {"resource": {"apiVersion": "apps/v1", "kind": "Deployment",
                                  "namespace": metadata["namespace"], "name": metadata["name"]},
                     "replicas": spec["replicas"], "placement": PLACEMENT,
                     "replicaRequirements": requirements(spec["template"]["spec"]),
                     "clusters": [{"name": "lost", "replicas": spec["replicas"]}]},
            "status": {"schedulerObservedGeneration": 1,
                       "lastScheduledTime": "2026-11-20T00:00:00Z"}}


def write_fleet(directory, template, objects):
    shutil.rmtree(directory, ignore_errors=True)
    member = directory / "members" / "there"
    member.mkdir(parents=True)
    (directory / "control-plane").mkdir()
    (directory / "control-plane" / "objects.json").write_text(json.dumps(
        {"apiVersion": "v1", "kind": "List", "items": [
            cluster("lost", "False", "2026-11-22T00:00:00Z"),
            cluster("there", "True", "2026-11-01T00:00:00Z"), template, binding(template)]}))
    for kind in LISTS:
        (member / f"{kind.lower()}{'es' if kind[-1] == 's' else 's'}.json").write_text(json.dumps(
            {"apiVersion": "v1", "kind": f"{kind}List",
             "items": [o for o in objects if o["kind"] == kind]}))


def planned(program, directory):
    """The replicas that a plan gives `there`."""
    done = subprocess.run([program, "plan", "--fleet", directory, "--now", NOW, "-o", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 2, 3):
        raise RuntimeError(f"ballast ended with {done.returncode}: {done.stderr.decode()[:500]}")
    plan = json.loads(done.stdout)
    if plan["problems"] or len(plan["items"]) != 1:
        raise RuntimeError(f"{plan['problems']} {plan['items']}"[:1000])
    after = plan["items"][0]["after"]
    return next((t["replicas"] for t in after if t["name"] == "there"), 0)
