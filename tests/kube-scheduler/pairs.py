# SPDX-License-Identifier: Apache-2.0
"""Random pairs of a pod template and what is in a cluster. A pair is the same for the same seed and
number. Each has one to five features: what decides in it beside resources."""
import random

from planned import amount, filled, total

ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
HOST = "kubernetes.io/hostname"
KEYS = (ZONE, REGION, HOST, "disk")
OWN = "app"  # the workload's own namespace; the pair's other one is "other"
DRIVER = "csi.example.com"
# Plugins that were part of Kubernetes: their driver, and how a volume names a disk. Kubernetes 1.20
# counts none that a pod names itself: the first two are not the inline disks of a pair.
REPLACED = {
    "kubernetes.io/azure-disk": ("disk.csi.azure.com", "azureDisk", "diskURI"),
    "kubernetes.io/cinder": ("cinder.csi.openstack.org", "cinder", "volumeID"),
    "kubernetes.io/aws-ebs": ("ebs.csi.aws.com", "awsElasticBlockStore", "volumeID"),
    "kubernetes.io/gce-pd": ("pd.csi.storage.gke.io", "gcePersistentDisk", "pdName")}
MIGRATED = "storage.alpha.kubernetes.io/migrated-plugins"
RARE = {"example.com/gpu": ("1",), "ephemeral-storage": ("2Gi", "7Gi"), "hugepages-2Mi": ("2Mi", "4Mi")}
CLASSES = ("high", "low")  # of one and the same priority: what preempts is another matter
OVERHEAD = {"cpu": "60m", "memory": "100Mi"}  # of the RuntimeClass `heavy`


def takes(expression, value):
    """A node's value of what is asked for (None: it has none) is as a selector wants it."""
    operator, values = expression["operator"], expression.get("values", ())
    return {"In": lambda: value in values, "NotIn": lambda: value not in values,
            "Exists": lambda: value is not None, "DoesNotExist": lambda: value is None,
            "Gt": lambda: value is not None and int(value) > int(values[0]),
            "Lt": lambda: value is not None and int(value) < int(values[0])}[operator]()


def is_selected(node, spec):
    """By nodeSelector, and by required node affinity."""
    name, labels = node["metadata"]["name"], node["metadata"]["labels"]
    terms = spec.get("affinity", {}).get("nodeAffinity", {}).get(
        "requiredDuringSchedulingIgnoredDuringExecution", {}).get("nodeSelectorTerms")
    return all(labels.get(key) == value for key, value in spec.get("nodeSelector", {}).items()) and (
        terms is None or any(
            term and all(takes(e, labels.get(e["key"])) for e in term.get("matchExpressions", ()))
            and all(takes(e, name) for e in term.get("matchFields", ())) for term in terms))


class Pair:
    """What is to be made. Namespaces are called `app` and `other`, and get their names when they are."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}/{number}")
        self.number = number
        self.nodes, self.pods, self.before = [], [], []
        self.used = {}  # by (node, resource): what the pods that are there ask for
        self.replicas = self.random.randint(3, 12)
        r = self.random
        self.labels = {"app": "web", "tier": r.choice(("front", "back"))}
        self.spec = {"containers": [{"name": "main", "image": "app:1"}]}
        self.features = r.sample(list(FEATURES), r.choice((1, 1, 2, 2, 3, 4, 5)))
        self.make_nodes()
        self.make_pods()
        self.make_requests()
        for feature in self.features:
            FEATURES[feature](self)
        self.count_where_all_count()
        self.limit_all_or_none()
        self.binds_late = "first-consumer" in self.features
        self.has_volumes = self.binds_late or {"claims", "replaced"} & set(self.features)

    def chance(self, part):
        return self.random.random() < part

    # --- what each pair has ---

    def make_nodes(self):
        r = self.random
        for i in range(r.randint(1, 6)):
            labels = {HOST: f"n{i}", "generation": str(r.randint(1, 6))}
            if self.chance(0.85):
                labels[ZONE] = r.choice("abc")
            if self.chance(0.75):
                labels[REGION] = r.choice(("r1", "r2"))
            if self.chance(0.6):
                labels["disk"] = r.choice(("ssd", "hdd"))
            room = {"cpu": r.choice(("150m", "500m", "1050m", "2", "4")),
                    "memory": r.choice(("1Gi", "3Gi", "7910Mi", "1598029824", "1798576k")),
                    "ephemeral-storage": r.choice(("20Gi", "50Gi")),
                    "pods": str(r.choice((2, 4, 8, 110, 110, 110)))}
            if self.chance(0.3):
                room["example.com/gpu"] = str(r.randint(1, 4))
            if self.chance(0.3):
                room["hugepages-2Mi"] = r.choice(("4Mi", "8Mi", "32Mi"))
            spec = {"unschedulable": True} if self.chance(0.08) else {}
            self.nodes.append({"metadata": {"name": f"n{i}", "labels": labels}, "spec": spec,
                               "status": {"allocatable": room, "capacity": room, "conditions": [
                                   {"type": "Ready", "status": r.choice(("True",) * 9 + ("False",))}]}})

    def make_pods(self):
        for _ in range(self.random.choice((0, 2, 4, 6, 9))):
            self.add_pod()

    def add_pod(self, **spec):
        """One that is on a node already."""
        r = self.random
        node = r.choice(self.nodes)["metadata"]["name"]
        container = {"name": "c", "image": "x:1", "resources": self.amounts(0.5)}
        pod = {"metadata": {"name": f"there-{len(self.pods)}",
                            "namespace": OWN if self.chance(0.65) else "other",
                            "labels": {"app": r.choice(("web", "api", "agent")),
                                       "tier": r.choice(("front", "back"))}},
               "spec": {"nodeName": node, "containers": [container], **spec}}
        if self.chance(0.2):
            self.ask_for(container, r.choice(list(RARE)))
        if self.chance(0.1):
            pod["spec"]["initContainers"] = [
                {"name": "i", "image": "x:1", "resources": self.amounts(1)}]
        if self.chance(0.08):
            pod["spec"]["runtimeClassName"] = "heavy"
        self.fit_in(node, pod["spec"])
        pod["fate"] = r.choice(("Running",) * 7 + ("Pending", "Succeeded", "Failed", "leaving", "nominated"))
        self.pods.append(pod)
        return pod

    def fit_in(self, node, spec):
        """A node that is over-full refuses even what asks for nothing of what is short there, says
        kube-scheduler 1.20 (newer ones do not): a pod that would make it so asks for nothing."""
        need = total(filled(spec))
        for name in ("cpu", "memory", "ephemeral-storage"):
            room = amount(self.nodes[int(node[1:])]["status"]["allocatable"][name])
            used = self.used.get((node, name), 0) + need.get(name, 0)
            used += amount(OVERHEAD.get(name, "0")) if "runtimeClassName" in spec else 0
            if used > room:
                for container in spec["containers"] + spec.get("initContainers", []):
                    for kind in container.get("resources", {}).values():
                        kind.pop(name, None)
                        kind.pop("hugepages-2Mi", None)  # not valid alone
                spec.pop("runtimeClassName", None)
            else:
                self.used[node, name] = used

    def amounts(self, part):
        """resources of a container, with this chance of each."""
        r = self.random
        requests, limits = {}, {}
        for name, values in (("cpu", ("50m", "100m", "250m", "333m", "0.6")),
                             ("memory", ("64Mi", "200M", "0.5Gi", "700Mi"))):
            if not self.chance(part):
                continue
            value = r.choice(values)
            kind = r.random()
            if kind < 0.7:
                requests[name] = value
            if kind > 0.5:
                limits[name] = value
        return {k: v for k, v in (("requests", requests), ("limits", limits)) if v}

    def ask_for(self, container, name):
        """Of what few pods ask for. Huge pages alone would not be valid."""
        resources = container.setdefault("resources", {})
        value = self.random.choice(RARE[name])
        resources.setdefault("limits", {})[name] = value
        if self.chance(0.5):
            resources.setdefault("requests", {})[name] = value
        if name.startswith("hugepages"):
            resources["requests"] = {"cpu": "50m", **resources.get("requests", {})}

    def make_requests(self):
        main = self.spec["containers"][0]
        resources = self.amounts(0.75)
        if resources:
            main["resources"] = resources

    # --- what kube-scheduler 1.20 does otherwise than later ones ---

    def count_where_all_count(self):
        """Topology spread counts pods on nodes that the template does not select, or that lack a key,
        says kube-scheduler 1.20 (newer ones do not): there are none."""
        keys = {constraint["topologyKey"] for constraint in self.spec.get("topologySpreadConstraints", ())
                if constraint["whenUnsatisfiable"] == "DoNotSchedule"}
        if keys:
            counted = {node["metadata"]["name"] for node in self.nodes
                       if keys <= node["metadata"]["labels"].keys() and is_selected(node, self.spec)}
            self.pods = [pod for pod in self.pods if pod["spec"]["nodeName"] in counted
                         or pod["metadata"]["namespace"] != OWN]

    def limit_all_or_none(self):
        """A maximum of a pod refuses one of whose containers some have no limit, says kube-apiserver
        1.20 (newer ones add up the limits that there are): all have one, or none has."""
        is_limited = any(kind == "LimitRange" and item["spec"]["limits"][0]["type"] == "Pod"
                         for kind, item in self.before)
        limits = [container.get("resources", {}).get("limits", {})
                  for container in self.spec["containers"]]
        if is_limited and not all("cpu" in limit for limit in limits):
            for limit in limits:
                limit.pop("cpu", None)

    # --- features ---

    def resources(self):
        r = self.random
        if self.chance(0.6):
            self.spec["containers"].append({"name": "second", "image": "x:1",
                                            "resources": self.amounts(0.7)})
        extra = r.choice((*RARE, "ephemeral-storage", None))
        if extra is not None:
            self.ask_for(self.spec["containers"][-1], extra)

    def init_containers(self):
        for i in range(self.random.randint(1, 2)):
            self.spec.setdefault("initContainers", []).append(
                {"name": f"init-{i}", "image": "x:1", "resources": self.amounts(0.9)})

    def overhead(self):
        """Of a RuntimeClass: it is in the template as the API server would put it there."""
        self.spec["runtimeClassName"] = "heavy"
        self.spec["overhead"] = OVERHEAD

    def taints(self):
        r = self.random
        keys = ("dedicated", "gpu", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable",
                "node.kubernetes.io/unschedulable")
        for node in self.nodes:
            for key in r.sample(keys, r.choice((0, 1, 1, 2))):
                taint = {"key": key, "effect": r.choice(("NoSchedule", "NoExecute",
                                                         "PreferNoSchedule"))}
                if self.chance(0.5):
                    taint["value"] = r.choice(("x", "y"))
                node["spec"].setdefault("taints", []).append(taint)
        for _ in range(r.choice((0, 1, 1, 2, 3))):
            toleration = {}
            if self.chance(0.9):
                toleration["key"] = r.choice(keys)
                toleration["operator"] = r.choice(("Exists", "Equal", ""))
                if toleration["operator"] != "Exists" and self.chance(0.7):
                    toleration["value"] = r.choice(("x", "y"))
            else:
                toleration["operator"] = "Exists"
            if self.chance(0.6):
                toleration["effect"] = r.choice(("NoSchedule", "NoExecute", "PreferNoSchedule"))
                if toleration["effect"] == "NoExecute" and self.chance(0.3):
                    toleration["tolerationSeconds"] = 5
            self.spec.setdefault("tolerations", []).append(toleration)

    def node_selector(self):
        r = self.random
        key = r.choice((ZONE, REGION, "disk", HOST))
        values = {ZONE: "ab", REGION: ("r1", "r2"), "disk": ("ssd", "hdd"), HOST: ("n0", "n1")}
        self.spec["nodeSelector"] = {key: r.choice(values[key])}

    def node_affinity(self):
        r = self.random
        terms = []
        for _ in range(r.choice((1, 1, 2))):
            term = {}
            if self.chance(0.2):
                term["matchFields"] = [{"key": "metadata.name", "operator": r.choice(("In", "NotIn")),
                                        "values": [r.choice(self.nodes)["metadata"]["name"]]}]
            for _ in range(r.choice((0, 1, 1, 2))):
                key, values = r.choice(((ZONE, "abc"), (REGION, ("r1", "r2")), ("disk", ("ssd", "hdd")),
                                        ("generation", "123456")))
                operator = r.choice(("In", "NotIn", "Exists", "DoesNotExist"))
                if key == "generation" and self.chance(0.6):
                    operator = r.choice(("Gt", "Lt"))
                expression = {"key": key, "operator": operator}
                if operator in ("Gt", "Lt"):
                    expression["values"] = [str(r.randint(1, 6))]
                elif operator in ("In", "NotIn"):
                    expression["values"] = r.sample(list(values), r.randint(1, 2))
                term.setdefault("matchExpressions", []).append(expression)
            terms.append(term)
        self.affinity()["nodeAffinity"] = {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}

    def affinity(self):
        return self.spec.setdefault("affinity", {})

    def selector(self, own=None):
        """A label selector; `own`: one that selects the workload's own pods."""
        r = self.random
        if own:
            return {"matchLabels": r.choice(({"app": "web"}, self.labels))}
        kind = r.random()
        if kind < 0.5:
            return {"matchLabels": {"app": r.choice(("web", "api", "agent"))}}
        if kind < 0.85:
            return {"matchExpressions": [
                {"key": r.choice(("app", "tier")), "operator": r.choice(("In", "NotIn")),
                 "values": r.sample(("web", "api", "front", "back"), 2)}]}
        if kind < 0.95:
            return {"matchExpressions": [{"key": r.choice(("app", "none", "pod-template-hash")),
                                          "operator": r.choice(("Exists", "DoesNotExist"))}]}
        return {}

    def term(self, own=None):
        term = {"topologyKey": self.random.choice(KEYS), "labelSelector": self.selector(own)}
        if self.chance(0.3):
            term["namespaces"] = self.random.choice(([OWN], ["other"], [OWN, "other"]))
        return term

    def add_terms(self, affinity, kind, terms):
        affinity.setdefault(kind, {}).setdefault(
            "requiredDuringSchedulingIgnoredDuringExecution", []).extend(terms)

    def anti_affinity_self(self):
        self.add_terms(self.affinity(), "podAntiAffinity", [self.term(True)])

    def anti_affinity_others(self):
        self.add_terms(self.affinity(), "podAntiAffinity",
                       [self.term() for _ in range(self.random.choice((1, 1, 2)))])

    def anti_affinity_symmetry(self):
        for _ in range(self.random.randint(1, 2)):
            affinity = {}
            self.add_terms(affinity, "podAntiAffinity", [self.term(self.chance(0.7))])
            self.add_pod(affinity=affinity)

    def pod_affinity(self):
        self.add_terms(self.affinity(), "podAffinity",
                       [self.term(self.chance(0.5)) for _ in range(self.random.choice((1, 1, 2)))])

    def topology_spread(self):
        r = self.random
        for key in r.sample((ZONE, REGION, HOST), r.choice((1, 1, 2))):
            constraint = {"maxSkew": r.choice((1, 1, 2, 3)), "topologyKey": key,
                          "whenUnsatisfiable": r.choice(("DoNotSchedule",) * 5 + ("ScheduleAnyway",))}
            if self.chance(0.95):
                constraint["labelSelector"] = self.selector(self.chance(0.75))
            self.spec.setdefault("topologySpreadConstraints", []).append(constraint)

    def ports(self):
        r = self.random
        port = {"containerPort": r.choice((80, 8080)), "protocol": r.choice(("TCP", "TCP", "UDP"))}
        port["hostPort"] = port["containerPort"]
        if self.chance(0.4):
            port["hostIP"] = r.choice(("127.0.0.1", "10.0.0.1", "0.0.0.0"))
        return port

    def host_ports(self):
        if self.chance(0.2):
            self.spec["hostNetwork"] = True
        self.spec["containers"][-1]["ports"] = [self.ports()]
        taken = set()
        for _ in range(self.random.randint(0, 3)):
            pod, port = self.add_pod(), self.ports()
            place = pod["spec"]["nodeName"], port["hostPort"], port["protocol"]
            if place not in taken:  # of two that have it no node was ever asked
                pod["spec"]["containers"][0]["ports"] = [port]
            taken.add(place)

    def mount(self, spec, volume):
        volumes = spec.setdefault("volumes", [])
        volumes.append({"name": f"v{len(volumes)}", **volume})

    def inline_disk(self):
        r = self.random

        def disk(only_read):
            kind = r.choice(("aws", "gce", "rbd"))
            if kind == "aws":
                return {"awsElasticBlockStore": {"volumeID": r.choice(("vol-1", "vol-2"))}}
            if kind == "gce":
                return {"gcePersistentDisk": {"pdName": r.choice(("d1", "d2")), "readOnly": only_read}}
            return {"rbd": {"monitors": [r.choice(("m1", "m2"))], "pool": "p", "image": "i",
                            "readOnly": only_read}}
        self.mount(self.spec, disk(self.chance(0.5)))
        for _ in range(r.randint(0, 2)):
            self.mount(self.add_pod()["spec"], disk(self.chance(0.5)))

    def add_volume(self, name, **spec):
        r = self.random
        labels = {}
        if self.chance(0.3):
            labels[ZONE] = r.choice(("a", "b", "a__b"))
        if self.chance(0.5):
            key, values = r.choice(((ZONE, "abc"), (HOST, ("n0", "n1", "n2")), ("disk", ("ssd",))))
            spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                {"key": key, "operator": "In", "values": r.sample(list(values), 1)}]}]}}
        self.before.append(("PersistentVolume", {"metadata": {"name": name, "labels": labels}, "spec": {
            "accessModes": ["ReadWriteOnce"], "capacity": {"storage": r.choice(("1Gi", "5Gi"))},
            "persistentVolumeReclaimPolicy": "Retain",
            "csi": {"driver": DRIVER, "volumeHandle": f"h-{name}"}, **spec}}))

    def add_claim(self, name, namespace, storage_class, **spec):
        self.before.append(("PersistentVolumeClaim", {
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": storage_class,
                     "resources": {"requests": {"storage": self.random.choice(("1Gi", "2Gi"))}},
                     **spec}}))

    def add_bound_claim(self, name, namespace):
        self.add_volume(f"pv-{name}", storageClassName="manual", capacity={"storage": "5Gi"},
                        claimRef={"namespace": namespace, "name": name})
        self.add_claim(name, namespace, "manual", volumeName=f"pv-{name}")

    def use(self, spec, claim):
        self.mount(spec, {"persistentVolumeClaim": {"claimName": claim}})

    def limit(self, node, driver, count):
        """So many volumes of the driver at most. Returns the CSINode."""
        csi_node = next((body for kind, body in self.before
                         if kind == "CSINode" and body["metadata"]["name"] == node), None)
        if csi_node is None:
            csi_node = {"metadata": {"name": node}, "spec": {"drivers": []}}
            self.before.append(("CSINode", csi_node))
        csi_node["spec"]["drivers"].append({"name": driver, "nodeID": node, "topologyKeys": [],
                                            "allocatable": {"count": count}})
        return csi_node

    def claims(self):
        """Bound ones; and so many volumes of a driver as a node takes."""
        r = self.random
        for i in range(r.choice((1, 1, 2))):
            self.add_bound_claim(f"own-{i}", OWN)
            self.use(self.spec, f"own-{i}")
        for i in range(r.randint(0, 3)):
            pod = self.add_pod()
            namespace = pod["metadata"]["namespace"]
            if namespace == OWN and self.chance(0.3):
                self.use(pod["spec"], "own-0")
            else:
                self.add_bound_claim(f"there-{i}", namespace)
                self.use(pod["spec"], f"there-{i}")
        for node in self.nodes:
            if self.chance(0.5):
                self.limit(node["metadata"]["name"], DRIVER, r.randint(1, 3))

    def add_replaced_claim(self, name, namespace, plugin):
        """Without zones: where it is migrated, these are looked for under the label of its driver."""
        _, source, key = REPLACED[plugin]
        disk = {key: f"/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/{name}"}
        if source == "azureDisk":
            disk.update(diskName=name, kind="Managed")
        else:
            disk[key] = name
        self.before.append(("PersistentVolume", {"metadata": {"name": f"pv-{name}"}, "spec": {
            "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "5Gi"},
            "persistentVolumeReclaimPolicy": "Retain", "storageClassName": "manual",
            "claimRef": {"namespace": namespace, "name": name}, source: disk}}))
        self.add_claim(name, namespace, "manual", volumeName=f"pv-{name}")

    def replaced(self):
        """Of plugins that a driver has replaced, on some nodes."""
        r = self.random
        plugins = list(REPLACED)[:2 if "inline-disk" in self.features else 4]
        plugin = r.choice(plugins)
        for i in range(r.choice((1, 2, 2, 3))):
            self.add_replaced_claim(f"old-{i}", OWN,
                                    plugin if i == 0 or self.chance(0.7) else r.choice(plugins))
            self.use(self.spec, f"old-{i}")
        for i in range(r.randint(0, 4)):
            pod = self.add_pod()
            namespace = pod["metadata"]["namespace"]
            if namespace == OWN and self.chance(0.2):
                self.use(pod["spec"], "old-0")
            else:
                self.add_replaced_claim(f"older-{i}", namespace, plugin)
                self.use(pod["spec"], f"older-{i}")
        for node in self.nodes:
            if self.chance(0.8):
                self.limit_replaced(node["metadata"]["name"], plugin, plugins)

    def limit_replaced(self, node, plugin, plugins):
        r = self.random
        other = r.sample([p for p in plugins if p != plugin], 1)
        names = [plugin] * self.chance(0.8) + other * self.chance(0.5)
        csi_node = self.limit(node, REPLACED[plugin][0], r.choice((1, 1, 2)))
        if names or self.chance(0.5):
            csi_node["metadata"]["annotations"] = {MIGRATED: ",".join(names)}

    def first_consumer(self):
        r = self.random
        name = "late" if self.chance(0.8) else "manual-now"
        mode = "WaitForFirstConsumer" if name == "late" else "Immediate"
        self.before.append(("StorageClass", {
            "metadata": {"name": name}, "provisioner": "kubernetes.io/no-provisioner",
            "volumeBindingMode": mode}))
        self.add_claim("first", OWN, name)
        self.use(self.spec, "first")
        for i in range(r.randint(0, 3) if name == "late" else 0):
            self.add_volume(f"free-{i}", storageClassName="late" if self.chance(0.8) else "manual")

    def quota(self):
        """Kubernetes 1.20 counts no overhead (later ones do): with overhead, nothing of what it is of."""
        r = self.random
        overhead = OVERHEAD if "overhead" in self.features else ()
        if self.chance(0.5):
            self.spec["priorityClassName"] = r.choice(CLASSES)
        if self.chance(0.2):
            self.spec["activeDeadlineSeconds"] = 86400
        for i in range(r.choice((1, 1, 2))):
            hard, used = {}, {}
            for name, limits, taken in (
                    ("pods", ("2", "5", "9"), ("0", "1", "4")),
                    ("count/pods", ("3", "6"), ("0", "2")),
                    ("requests.cpu", ("500m", "1", "2"), ("0", "250m", "600m")),
                    ("cpu", ("500m", "1"), ("0", "100m")),
                    ("limits.memory", ("1Gi", "2Gi", "3G"), ("0", "256Mi")),
                    ("requests.memory", ("1Gi", "2Gi"), ("0", "64Mi")),
                    ("requests.example.com/gpu", ("1", "2"), ("0",))):
                if self.chance(0.25) and name.split(".")[-1] not in overhead:
                    hard[name], used[name] = r.choice(limits), r.choice(taken)
            if not hard:
                hard, used = {"pods": "4"}, {"pods": "1"}
            spec = {"hard": hard}
            countable = {"pods", "cpu", "requests.cpu", "limits.memory", "requests.memory"}
            if self.chance(0.25) and set(hard) <= countable:
                scope = r.choice(("NotTerminating", "Terminating", "BestEffort", "NotBestEffort",
                                  "PriorityClass"))
                if scope != "BestEffort" or set(hard) == {"pods"}:
                    spec["scopes"] = [scope]
            if self.chance(0.4) and set(hard) <= countable:
                operator = r.choice(("In", "NotIn", "Exists", "DoesNotExist"))
                values = r.sample(CLASSES, r.randint(1, 2)) if operator.endswith("In") else []
                spec["scopeSelector"] = {"matchExpressions": [
                    {"scopeName": "PriorityClass", "operator": operator, "values": values}]}
            self.before.append(("ResourceQuota", {
                "metadata": {"name": f"q{i}", "namespace": OWN}, "spec": spec,
                "status": {"hard": hard, "used": used}}))

    def limit_range(self):
        r = self.random
        item = {"type": "Container"}
        if self.chance(0.2):
            item = {"type": "Pod", "max": {"cpu": r.choice(("200m", "500m", "1"))}}
        else:
            cpu, memory = r.choice(("100m", "300m")), r.choice(("100Mi", "300Mi"))
            if self.chance(0.6):
                item["defaultRequest"] = {"cpu": cpu}
            if self.chance(0.6):
                item["default"] = {"cpu": "400m", "memory": memory}
            if self.chance(0.3):
                item["max"] = {"memory": r.choice(("400Mi", "1Gi"))}
            if self.chance(0.3):
                item["min"] = {"cpu": "60m"}
            if self.chance(0.15):
                item["maxLimitRequestRatio"] = {"cpu": "2"}
        self.before.append(("LimitRange", {"metadata": {"name": "limits", "namespace": OWN},
                                           "spec": {"limits": [item]}}))


FEATURES = {
    "resources": Pair.resources, "init-containers": Pair.init_containers,
    "overhead": Pair.overhead, "taints": Pair.taints, "node-selector": Pair.node_selector,
    "node-affinity": Pair.node_affinity, "anti-affinity-self": Pair.anti_affinity_self,
    "anti-affinity-others": Pair.anti_affinity_others,
    "anti-affinity-symmetry": Pair.anti_affinity_symmetry, "pod-affinity": Pair.pod_affinity,
    "topology-spread": Pair.topology_spread, "host-ports": Pair.host_ports,
    "inline-disk": Pair.inline_disk, "claims": Pair.claims, "first-consumer": Pair.first_consumer,
    "replaced": Pair.replaced,
    "quota": Pair.quota, "limit-range": Pair.limit_range,
}
