# SPDX-License-Identifier: Apache-2.0
"""Random fleets as directories, in which the objects of many namespaces meet in one member: on its
nodes, in what pods want of others, and among what cannot be read."""
import json

NOW = "2026-03-01T12:00:00Z"
LONG_AGO = "2026-03-01T10:00:00Z"
CACHED = "resource.karmada.io/cached-from-cluster"
APPS = ("web", "db", "cache", "job")
KINDS = (("v1", "Pod", False), ("v1", "Node", True), ("policy/v1", "PodDisruptionBudget", False),
         ("v1", "ResourceQuota", False), ("v1", "LimitRange", False),
         ("v1", "PersistentVolume", True), ("v1", "PersistentVolumeClaim", False),
         ("storage.k8s.io/v1", "StorageClass", True), ("storage.k8s.io/v1", "CSINode", True),
         ("apps/v1", "Deployment", False), ("apps/v1", "StatefulSet", False),
         ("apps/v1", "ReplicaSet", False))


class Fleet:
    def __init__(self, random):
        self.random = random
        # by name and by path they are in another order
        self.members = ["m"] + [f"m-{i}" for i in range(2, random.randint(3, 5))]
        self.namespaces = [f"{random.choice(('shop', 'ops', 'lab'))}-{i}"
                           for i in range(random.randint(4, 14))]
        self.control_plane = [self.cluster(name) for name in self.members]
        self.shown = {name: [] for name in self.members}  # (list kind, its items)
        self.bound = [self.binding(i) for i in range(random.randint(4, 9))]
        for name in self.members:
            self.show(name)

    def percent(self, n):
        return self.random.randrange(100) < n

    # --- the control plane --------------------------------------------------------------------

    def cluster(self, name):
        return {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster",
                "metadata": {"name": name}, "spec": {"syncMode": "Push"},
                "status": {"apiEnablements": [{"groupVersion": "apps/v1", "resources": [
                               {"name": "deployments", "kind": "Deployment"}]}],
                           "conditions": [{"type": "Ready", "status": "True", "reason": "ok",
                                           "message": "", "lastTransitionTime": LONG_AGO}]}}

    def pod_spec(self):
        container = {"name": "c", "resources": {"requests": {
            "cpu": f"{self.random.choice((100, 500, 1000, 2000))}m"}}}
        if self.percent(20):
            container["ports"] = [{"hostPort": 8080, "containerPort": 80}]
        spec = {"containers": [container]}
        if self.percent(40):
            term = {"topologyKey": "kubernetes.io/hostname",
                    "labelSelector": {"matchLabels": {"app": self.random.choice(APPS)}}}
            if self.percent(70):
                term["namespaces"] = self.random.sample(self.namespaces, 3)
            kind = self.random.choice(("podAntiAffinity", "podAntiAffinity", "podAffinity"))
            spec["affinity"] = {kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
        return spec

    def binding(self, i):
        namespace, app = self.random.choice(self.namespaces), self.random.choice(APPS)
        name, replicas = f"{app}-{i}", self.random.randint(2, 9)
        home = self.random.choice(self.members)
        spec = self.pod_spec()
        self.control_plane.append(
            {"apiVersion": "apps/v1", "kind": "Deployment",
             "metadata": {"namespace": namespace, "name": name},
             "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": app}},
                      "template": {"metadata": {"labels": {"app": app}}, "spec": spec}}})
        requests = spec["containers"][0]["resources"]["requests"]
        self.control_plane.append(
            {"apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding",
             "metadata": {"namespace": namespace, "name": f"{name}-deployment", "uid": name,
                          "labels": {"propagationpolicy.karmada.io/permanent-id": "x"}},
             "spec": {"resource": {"apiVersion": "apps/v1", "kind": "Deployment", "uid": name,
                                   "namespace": namespace, "name": name},
                      "replicas": replicas, "clusters": [{"name": home, "replicas": replicas}],
                      "replicaRequirements": {"resourceRequest": requests},
                      "placement": {"clusterAffinity": {"clusterNames": self.members},
                                    "replicaScheduling": {
                                        "replicaSchedulingType": "Divided",
                                        "replicaDivisionPreference": "Aggregated"}}},
             "status": {"schedulerObservedGeneration": 0, "aggregatedStatus": [
                 {"clusterName": home, "applied": True, "status": {"readyReplicas": 0}}]}})
        return namespace, name, app, replicas, home, spec

    # --- members ------------------------------------------------------------------------------

    def thing(self, api, kind, namespace, name, **rest):
        metadata = {"name": name, "creationTimestamp": LONG_AGO}
        if namespace:
            metadata["namespace"] = namespace
        metadata.update(rest.pop("metadata", {}))
        return {"apiVersion": api, "kind": kind, "metadata": metadata, **rest}

    def pods_of_binding(self, member):
        for namespace, name, app, replicas, home, spec in self.bound:
            if home != member:
                continue
            ready = self.random.randint(0, replicas)
            yield "ReplicaSet", self.thing(
                "apps/v1", "ReplicaSet", namespace, f"{name}-5d8f", spec={"replicas": replicas},
                metadata={"ownerReferences": [owner("apps/v1", "Deployment", name)]})
            yield "Deployment", self.thing("apps/v1", "Deployment", namespace, name,
                                           spec={"replicas": replicas})
            for i in range(replicas):
                pod = self.thing(
                    "v1", "Pod", namespace, f"{name}-5d8f-{i}",
                    metadata={"labels": {"app": app, "pod-template-hash": "5d8f"},
                              "ownerReferences": [owner("apps/v1", "ReplicaSet", f"{name}-5d8f")]},
                    spec=dict(spec), status=READY if i < ready else STUCK)
                if i < ready:
                    pod["spec"]["nodeName"] = self.random.choice(("n1", "n2"))
                yield "Pod", pod

    def others(self):
        for i in range(self.random.randint(5, 60)):
            namespace = self.random.choice(self.namespaces)
            pod = self.thing("v1", "Pod", namespace, f"other-{i}",
                             metadata={"labels": {"app": self.random.choice(APPS)}},
                             spec={**self.pod_spec(), "nodeName": f"n{self.random.randint(1, 4)}"},
                             status=self.random.choice((READY, READY, FAILING)))
            if self.percent(5):
                pod["spec"]["containers"] = 7
            if self.percent(3):
                del pod["metadata"]["namespace"]
            yield "Pod", pod

    def of_namespaces(self):
        for namespace in self.namespaces:
            if self.percent(40):
                yield "ResourceQuota", self.thing(
                    "v1", "ResourceQuota", namespace, "q",
                    spec={"hard": {"pods": str(self.random.randint(0, 20))}},
                    status={"hard": {"pods": str(self.random.randint(0, 20))},
                            "used": {"pods": str(self.random.randint(0, 9))}})
            if self.percent(30):
                yield "LimitRange", self.thing(
                    "v1", "LimitRange", namespace, "l", spec={"limits": [
                        {"type": "Container", "max": {"cpu": self.random.choice(("500m", "4"))}}]})
            if self.percent(30):
                yield "PodDisruptionBudget", self.thing(
                    "policy/v1", "PodDisruptionBudget", namespace, "b",
                    spec={"selector": {}}, status={"disruptionsAllowed": self.random.randint(0, 3)})
            if self.percent(20):
                yield "HorizontalPodAutoscaler", self.thing(
                    "autoscaling/v2", "HorizontalPodAutoscaler", namespace, "h",
                    spec={"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment",
                                             "name": self.random.choice(self.bound)[1]}})
            if self.percent(20):
                yield "StatefulSet", self.thing("apps/v1", "StatefulSet", namespace, "s",
                                                spec={"replicas": "2"})
            if self.percent(15):
                yield "Own", self.thing("x.io/v1", "Own", namespace, "o", spec={"replicas": 2})
            if self.percent(15):
                yield "Deployment", self.thing("extensions/v1beta1", "Deployment", namespace, "old",
                                               spec={"replicas": 2})
            if self.percent(15):
                yield "PersistentVolumeClaim", self.thing(
                    "v1", "PersistentVolumeClaim", namespace, "c",
                    spec={"storageClassName": "fast", "accessModes": ["ReadWriteOnce"]})

    def of_the_whole(self):
        for i in range(1, self.random.randint(2, 5)):
            yield "Node", self.thing("v1", "Node", "", f"n{i}", status={"allocatable": {
                "cpu": str(self.random.choice((2, 4, 8, 16))), "pods": "40"}},
                metadata={"labels": {"kubernetes.io/hostname": f"n{i}"}})
        yield "StorageClass", self.thing("storage.k8s.io/v1", "StorageClass", "", "fast",
                                         provisioner="p")

    def malformed(self):
        """Of any kind, some of them twice."""
        for i in range(self.random.randint(0, 12)):
            api, kind, is_wide = self.random.choice(KINDS)
            thing = self.thing(api, kind, "" if is_wide else self.random.choice(self.namespaces),
                               f"bad-{i}", status=self.random.choice((3, {})),
                               spec=self.random.choice((7, {"selector": 5}, {"replicas": "x"})))
            if self.percent(30):
                del thing["metadata"]["name"]
            for _ in range(self.random.choice((1, 1, 2))):
                yield kind, thing

    def show(self, member):
        for source in (self.pods_of_binding(member), self.others(), self.of_namespaces(),
                       self.of_the_whole(), self.malformed()):
            self.shown[member] += source
        self.random.shuffle(self.shown[member])

    # --- as files -----------------------------------------------------------------------------

    def write(self, directory):
        place = directory / "control-plane"
        place.mkdir(parents=True)
        (directory / "captured-at").write_text(NOW)
        (place / "all.json").write_text(as_list("List", self.control_plane))
        for member, shown in self.shown.items():
            place = directory / "members" / member
            place.mkdir(parents=True)
            kinds = sorted({kind for kind, _ in shown})
            for kind in kinds:
                items = [thing for of, thing in shown if of == kind]
                # a text that is well delimited and no UTF-8 is of nobody knows which namespace
                text = as_list(kind + "List", items).encode()
                if self.percent(10):
                    text = text.replace(b'"creationTimestamp"', b'"creation\xff"', 1)
                (place / f"{kind.lower()}s.json").write_bytes(text)

    def write_one(self, path):
        """All of it in one file: whose object it is stands in each."""
        items = list(self.control_plane)
        for member, shown in self.shown.items():
            for _, thing in shown:
                metadata = {**thing["metadata"], "annotations": {CACHED: member}}
                items.append({**thing, "metadata": metadata})
        self.random.shuffle(items)
        path.write_text(as_list("List", items))


def owner(api, kind, name):
    return {"apiVersion": api, "kind": kind, "name": name, "uid": "u", "controller": True}


def condition(kind, status, **rest):
    return {"type": kind, "status": status, "lastTransitionTime": LONG_AGO, **rest}


READY = {"phase": "Running", "conditions": [condition("Ready", "True")]}
FAILING = {"phase": "Running", "conditions": [condition("Ready", "False")]}
STUCK = {"phase": "Pending", "conditions": [condition("PodScheduled", "False",
                                                      reason="Unschedulable", message="full")]}


def as_list(kind, items):
    return json.dumps({"apiVersion": "v1", "kind": kind, "items": items}, indent=1)
