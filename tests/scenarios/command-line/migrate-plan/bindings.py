#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The fleet that Karmada would have after a migration, with the replicas where KubeFed has them.

    bindings.py KUBEFED.json MANIFESTS.json DIRECTORY

Clusters are those of KubeFed. Each propagation policy of a workload becomes a binding with its
placement, as Karmada makes it; its targets are read off the federated object, and not off the policy.
"""
import json
import os
import sys

EXPRESSIONS = {
    "In": lambda label, values: label in values,
    "NotIn": lambda label, values: label not in values,
    "Exists": lambda label, _: label is not None,
    "DoesNotExist": lambda label, _: label is None,
}


def items(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)["items"]


def key(o):
    return o["metadata"].get("namespace", ""), o["metadata"]["name"]


def matches(selector, labels):
    return (all(labels.get(k) == v for k, v in selector.get("matchLabels", {}).items())
            and all(EXPRESSIONS[e["operator"]](labels.get(e["key"]), e.get("values", []))
                    for e in selector.get("matchExpressions", [])))


def placed(o, clusters):
    """The names of the clusters that a placement selects."""
    placement = o["spec"].get("placement", {})
    if placement.get("clusters") is not None:
        return {c["name"] for c in placement["clusters"]} & set(clusters)
    selector = placement.get("clusterSelector")
    return {n for n, labels in clusters.items() if selector is not None and matches(selector, labels)}


def today(o, bound, clusters):
    """What KubeFed has where: the override's count, or else the template's."""
    counts = dict.fromkeys(placed(o, clusters) & placed(bound, clusters),
                           o["spec"]["template"]["spec"].get("replicas", 1))
    for entry in o["spec"].get("overrides", []):
        for override in entry["clusterOverrides"]:
            if override["path"] == "/spec/replicas" and entry["clusterName"] in counts:
                counts[entry["clusterName"]] = override["value"]
    return [{"name": n, "replicas": c} for n, c in sorted(counts.items()) if c > 0]


def cluster(name, labels):
    room = {"cpu": "1000", "memory": "1Ti", "pods": "1000"}
    return {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster",
            "metadata": {"name": name, "labels": labels}, "spec": {"syncMode": "Push"},
            "status": {"conditions": [{"type": "Ready", "status": "True",
                                       "lastTransitionTime": "2026-01-01T00:00:00Z"}],
                       "apiEnablements": [{"groupVersion": "apps/v1",
                                           "resources": [{"kind": "Deployment"}]}],
                       "resourceSummary": {"allocatable": room}}}


def binding(policy, template, targets):
    """As Karmada's detector and scheduler leave it."""
    placement = policy["spec"]["placement"]
    namespace, name = key(template)
    requests = template["spec"]["template"]["spec"]["containers"][0].get("resources", {})
    return {"apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding",
            "metadata": {"namespace": namespace, "name": f"{name}-deployment", "generation": 2,
                         "labels": {"propagationpolicy.karmada.io/permanent-id": name},
                         "annotations": {"policy.karmada.io/applied-placement":
                                         json.dumps(placement)}},
            "spec": {"resource": {"apiVersion": "apps/v1", "kind": "Deployment",
                                  "namespace": namespace, "name": name},
                     "replicas": template["spec"]["replicas"],
                     "replicaRequirements": {"resourceRequest": requests.get("requests", {})},
                     "placement": placement, "clusters": targets},
            "status": {"schedulerObservedGeneration": 2,
                       "conditions": [{"type": "Scheduled", "status": "True"}]}}


def main():
    kubefed, manifests, directory = items(sys.argv[1]), items(sys.argv[2]), sys.argv[3]
    clusters = {o["metadata"]["name"]: o["metadata"].get("labels", {})
                for o in kubefed if o["kind"] == "KubeFedCluster"}
    bounds = {o["metadata"]["name"]: o for o in kubefed if o["kind"] == "FederatedNamespace"}
    federated = {key(o): o for o in kubefed if o["kind"] == "FederatedDeployment"}
    templates = {key(o): o for o in manifests if o["kind"] == "Deployment"}
    policies = {key(o): o for o in manifests if o["kind"] == "PropagationPolicy"}
    assert set(templates) == set(policies) == set(federated), "a workload or policy is missing"
    objects = [cluster(*c) for c in clusters.items()]
    objects += [binding(policies[k], templates[k], today(o, bounds[k[0]], clusters))
                for k, o in federated.items()]
    os.makedirs(f"{directory}/control-plane")
    with open(f"{directory}/control-plane/all.json", "w", encoding="utf-8") as out:
        json.dump({"apiVersion": "v1", "kind": "List", "items": objects}, out, indent=1)


main()
