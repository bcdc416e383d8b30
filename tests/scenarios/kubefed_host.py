# SPDX-License-Identifier: Apache-2.0
"""The objects of a KubeFed host, for fleet.py: a line `kubefed` makes the fleet one of KubeFed's.

    kubefed scheduler=on probed=10s period=10s scope=Namespaced types=deployments
    cluster berlin cpu=8 ready=False since=10m condition=Offline labels=tier:gold
    namespace shop clusters=berlin,oslo
    binding shop/web replicas=6 cpu=1 on=berlin:4,oslo:2 weights=berlin:2,*:1 max=oslo:3 rebalance

A cluster has one node with its cpu where it has no line of its own for nodes, since no object of
KubeFed's says what a cluster has.
"""

NAMESPACE = "kube-federation-system"
PLURALS = {"FederatedDeployment": "federateddeployments",
           "FederatedReplicaSet": "federatedreplicasets"}


def pairs(text):
    return [(p.rsplit(":", 1)[0], int(p.rsplit(":", 1)[1])) for p in text.split(",") if p]


def labels(text):
    return dict(p.split(":", 1) for p in text.split(",") if p)


def metadata(fleet, name, namespace, **more):
    return {"name": name, "namespace": namespace, "resourceVersion": fleet.next_version(), **more}


def config(fleet, o):
    gate = {"on": "Enabled", "off": "Disabled"}[o.get("scheduler", "off")]
    return {"apiVersion": "core.kubefed.io/v1beta1", "kind": "KubeFedConfig",
            "metadata": metadata(fleet, "kubefed", NAMESPACE),
            "spec": {"scope": o.get("scope", "Cluster"),
                     "clusterHealthCheck": {"period": o.get("period", "10s")},
                     "featureGates": [
                         {"name": "SchedulerPreferences", "configuration": gate}]}}


def type_config(fleet, plural, o):
    kind = {"deployments": "Deployment", "replicasets": "ReplicaSet"}[plural]
    off = plural in o.get("off", "").split(",")
    return {"apiVersion": "core.kubefed.io/v1beta1", "kind": "FederatedTypeConfig",
            "metadata": metadata(fleet, f"{plural}.apps", NAMESPACE),
            "spec": {"propagation": "Disabled" if off else "Enabled",
                     "federatedType": {"group": "types.kubefed.io", "version": "v1beta1",
                                       "kind": f"Federated{kind}", "pluralName": f"federated{plural}",
                                       "scope": "Namespaced"},
                     "targetType": {"group": "apps", "version": "v1", "kind": kind,
                                    "pluralName": plural, "scope": "Namespaced"}}}


def conditions(fleet, o, probed):
    times = {"lastProbeTime": probed,
             "lastTransitionTime": fleet.ago(o["since"]) if "since" in o else
             "2026-01-01T00:00:00Z"}

    def condition(kind, status, reason):
        return {"type": kind, "status": status, "reason": reason, **times}

    if o.get("ready", "True") == "True":
        return [condition("Ready", "True", "ClusterReady")]
    return {"Offline": [condition("Offline", "True", "ClusterNotReachable")],
            "NotReady": [condition("Ready", "False", "ClusterNotReady"),
                         condition("Offline", "False", "ClusterReachable")],
            "ConfigMalformed": [condition("ConfigMalformed", "True", "ClusterConfigMalformed")],
            "none": []}[o.get("condition", "Offline")]


def cluster(fleet, name, o):
    found = {"apiVersion": "core.kubefed.io/v1beta1", "kind": "KubeFedCluster",
             "metadata": metadata(fleet, name, NAMESPACE, uid=f"cluster-{name}"),
             "spec": {"apiEndpoint": f"https://{name}.example:6443",
                      "secretRef": {"name": f"{name}-token"}}}
    if "labels" in o:
        found["metadata"]["labels"] = labels(o["labels"])
    if "deleting" in o:
        found["metadata"]["deletionTimestamp"] = fleet.ago(o["deleting"] or "10m")
    told = conditions(fleet, o, fleet.ago(fleet.kubefed.get("probed", "5s")))
    if told:
        found["status"] = {"conditions": told}
    return found


def placement(o):
    found = {}
    if "clusters" in o:
        found["clusters"] = [{"name": n} for n in o["clusters"].split(",") if n]
    if "selector" in o:
        found["clusterSelector"] = {"matchLabels": labels(o["selector"])} if o["selector"] else {}
    return found


def namespace(fleet, name, o):
    return {"apiVersion": "types.kubefed.io/v1beta1", "kind": "FederatedNamespace",
            "metadata": metadata(fleet, name, name), "spec": {"placement": placement(o)}}


def federated(fleet, key, o, template):
    """The template is a whole Deployment without apiVersion and kind."""
    space, name = key.split("/")
    kind = "Federated" + o.get("kind", "Deployment")
    targets = pairs(o.get("on", ""))
    spec = {"template": {"metadata": {"labels": {"app": name}},
                         "spec": {"selector": {"matchLabels": {"app": name}},
                                  "template": template}},
            "placement": placement({**o, "clusters": ",".join(n for n, _ in targets)})}
    if targets:
        spec["overrides"] = [
            {"clusterName": n, "clusterOverrides": [{"path": "/spec/replicas", "value": r}]}
            for n, r in targets]
    if "retain" in o:
        spec["retainReplicas"] = True
    return {"apiVersion": "types.kubefed.io/v1beta1", "kind": kind,
            "metadata": metadata(fleet, name, space, uid=f"federated-{name}", generation=2),
            "spec": spec}


def preference(fleet, key, o):
    space, name = key.split("/")
    clusters = {}
    for option, field in (("weights", "weight"), ("min", "minReplicas"), ("max", "maxReplicas")):
        for entry, number in pairs(o.get(option, "")):
            clusters.setdefault(entry, {})[field] = number
    spec = {"targetKind": "Federated" + o.get("kind", "Deployment"),
            "totalReplicas": int(o.get("replicas", "0"))}
    if "rebalance" in o:
        spec["rebalance"] = True
    if "intersect" in o:
        spec["intersectWithClusterSelector"] = True
    if clusters:
        spec["clusters"] = clusters
    return {"apiVersion": "scheduling.kubefed.io/v1alpha1", "kind": "ReplicaSchedulingPreference",
            "metadata": metadata(fleet, name, space), "spec": spec}


def control_plane(fleet, template_of):
    """[(file, [(subject, object)])]; a subject is what an indented line of the description changes."""
    o = fleet.kubefed
    host = [] if "no-config" in o else [(("config", "kubefed"), config(fleet, o))]
    plurals = o.get("types", "deployments,replicasets").split(",")
    host += [(("type", p), type_config(fleet, p, o)) for p in plurals if p]
    spaces = dict(fleet.namespaces)
    for key in fleet.bindings:
        spaces.setdefault(key.split("/")[0], {"selector": ""})
    bindings, preferences = [], []
    for key, binding in fleet.bindings.items():
        template = template_of(key.split("/")[1], binding)
        bindings.append((("binding", key), federated(fleet, key, binding, template)))
        if "no-preference" not in binding:
            preferences.append((("preference", key), preference(fleet, key, binding)))
    return [("host.yaml", host),
            ("clusters.yaml", [(("cluster", n), cluster(fleet, n, c))
                               for n, c in fleet.clusters.items()]),
            ("namespaces.yaml", [(("namespace", n), namespace(fleet, n, s))
                                 for n, s in spaces.items() if "missing" not in s]),
            ("bindings.yaml", bindings), ("preferences.yaml", preferences)]


def nodes(fleet):
    """One for each cluster that has no line of its own for nodes."""
    for name, o in fleet.clusters.items():
        if name not in fleet.nodes and "no-nodes" not in o:
            node = {"name": f"{name}-1", "cpu": o.get("cpu", "100"), "pods": o.get("pods", "1000")}
            if "used" in o:
                node["used"] = o["used"]
            if "cordoned" in o:
                node["cordoned"] = ""
            if "region" in o:
                node["labels"] = f"topology.kubernetes.io/region:{o['region']}"
            fleet.nodes[name] = [node]
