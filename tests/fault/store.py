# SPDX-License-Identifier: Apache-2.0
"""What an API server keeps and how it answers: a small fleet in memory, under Kubernetes' rules.

Lists come in pages of one state (`limit`, `continue`) or at once (`resourceVersion=0`), a merge patch
that names another resourceVersion than the object's is a conflict, a change of `spec` raises the
generation. No fault is in here: this is the truth that the faulty answers are compared with."""
import copy
import json
import re
import threading
import urllib.parse
from dataclasses import dataclass, field

CLUSTER_API = "/apis/cluster.karmada.io/v1alpha1"
CLUSTERS = CLUSTER_API + "/clusters"
BINDINGS = "/apis/work.karmada.io/v1alpha2/resourcebindings"
CLUSTER_BINDINGS = "/apis/work.karmada.io/v1alpha2/clusterresourcebindings"
SHOP_BINDINGS = "/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases"
LEASE = LEASES + "/ballast"
EVENTS_GROUP = "/apis/events.k8s.io/v1"
CORE_EVENTS = "/api/v1/namespaces/[^/]+/events"  # of cluster-wide objects
JSON = "application/json"

# What is listed: where, as what, and where one of them is.
LISTS = {
    CLUSTERS: ("cluster.karmada.io/v1alpha1", "Cluster"),
    BINDINGS: ("work.karmada.io/v1alpha2", "ResourceBinding"),
    CLUSTER_BINDINGS: ("work.karmada.io/v1alpha2", "ClusterResourceBinding"),
}
MEMBER_LISTS = {
    "/api/v1/nodes": ("v1", "Node"),
    "/api/v1/pods": ("v1", "Pod"),
    "/apis/apps/v1/replicasets": ("apps/v1", "ReplicaSet"),
    "/apis/apps/v1/deployments": ("apps/v1", "Deployment"),
    "/apis/apps/v1/statefulsets": ("apps/v1", "StatefulSet"),
    "/apis/batch/v1/jobs": ("batch/v1", "Job"),
    "/apis/autoscaling/v2/horizontalpodautoscalers": ("autoscaling/v2", "HorizontalPodAutoscaler"),
    "/api/v1/limitranges": ("v1", "LimitRange"),
    "/api/v1/resourcequotas": ("v1", "ResourceQuota"),
    "/api/v1/persistentvolumeclaims": ("v1", "PersistentVolumeClaim"),
    "/api/v1/persistentvolumes": ("v1", "PersistentVolume"),
    "/apis/storage.k8s.io/v1/storageclasses": ("storage.k8s.io/v1", "StorageClass"),
    "/apis/storage.k8s.io/v1/csinodes": ("storage.k8s.io/v1", "CSINode"),
    "/apis/policy/v1/poddisruptionbudgets": ("policy/v1", "PodDisruptionBudget"),
}


@dataclass
class Request:
    method: str
    target: str  # with the query
    headers: dict = field(default_factory=dict)  # names in lower case; the last one of each
    all_headers: list = field(default_factory=list)
    body: bytes = b""

    @property
    def path(self):
        return urllib.parse.unquote(self.target.partition("?")[0])

    @property
    def query(self):
        return dict(urllib.parse.parse_qsl(self.target.partition("?")[2]))


@dataclass
class Answer:
    status: int
    body: bytes = b""
    headers: list = field(default_factory=lambda: [("content-type", JSON)])

    def has(self, **headers):
        """The same with headers added, or replaced: retry_after="1" is Retry-After: 1."""
        new = {name.replace("_", "-"): value for name, value in headers.items()}
        kept = [h for h in self.headers if h[0] not in new]
        return Answer(self.status, self.body, kept + list(new.items()))


def answer(status, thing):
    return Answer(status, json.dumps(thing).encode())


def failure(code, reason, message):
    return answer(code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code,
                         "reason": reason, "message": message})


def merge(old, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    new = dict(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if value is None:
            new.pop(key, None)
        else:
            new[key] = merge(new.get(key), value)
    return new


def cluster(name):
    return {
        "metadata": {"name": name}, "spec": {"syncMode": "Push"},
        "status": {
            "conditions": [{"type": "Ready", "status": "True", "reason": "ClusterReady",
                            "lastTransitionTime": "2026-01-01T00:00:00Z"}],
            "apiEnablements": [{"groupVersion": "apps/v1",
                                "resources": [{"kind": "Deployment", "name": "deployments"}]}],
            "resourceSummary": {"allocatable": {"cpu": "640", "memory": "2Ti", "pods": "10000"}}}}


NODE = {"metadata": {"name": "node"}, "status": {"allocatable": {
    "cpu": "640", "memory": "2Ti", "pods": "10000"}}}

# By fixed weights: what is planned for one binding does not hang on what became of the others.
PLACEMENT = {"replicaScheduling": {
    "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted",
    "weightPreference": {"staticWeightList": [
        {"targetCluster": {"clusterNames": [name]}, "weight": 1} for name in ("m1", "m2", "m3")]}}}


def binding(name, split, namespace="shop", replicas=6):
    thing = {
        "metadata": {"name": name,
                     "labels": {"propagationpolicy.karmada.io/permanent-id": f"policy-{name}"},
                     "annotations": {"policy.karmada.io/applied-placement": json.dumps(PLACEMENT)}},
        "spec": {
            "resource": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop",
                         "name": name, "uid": f"uid-{name}"},
            "replicas": replicas, "schedulerName": "default-scheduler", "placement": PLACEMENT,
            "replicaRequirements": {"resourceRequest": {"cpu": "10m", "memory": "1Mi"}},
            "clusters": [{"name": n, "replicas": r} for n, r in split.items()]}}
    if namespace:
        thing["metadata"]["namespace"] = namespace
    return thing


def split_of(thing):
    return {t["name"]: t["replicas"] for t in thing["spec"].get("clusters", []) if t["replicas"]}


IN_NEED, IN_ORDER = {"m1": 2, "m2": 2}, {"m1": 2, "m2": 2, "m3": 2}


class Store:
    """`objects` is {path: object}. What a client did is in `writes`, in the order of time:
    (path, split before, split after). Without a token everybody may do everything."""

    def __init__(self, token, n_in_need=4):
        self.lock = threading.RLock()
        self.token = token
        self.version = 1000
        self.objects, self.snapshots = {}, {}
        self.writes, self.events, self.requests, self.wrongs = [], [], [], []
        for name in ("m1", "m2", "m3"):
            self.put(f"{CLUSTERS}/{name}", cluster(name))
        for i in range(n_in_need):
            self.put(f"{SHOP_BINDINGS}/web-{i}", binding(f"web-{i}", IN_NEED))
        self.put(f"{SHOP_BINDINGS}/fine", binding("fine", IN_ORDER))
        self.put(f"{CLUSTER_BINDINGS}/wide", binding("wide", IN_NEED, namespace=None))

    # --- for the tests ---

    def put(self, path, thing):
        with self.lock:
            self.version += 1
            metadata = thing["metadata"]
            metadata.setdefault("uid", f"uid-of-{path}")
            metadata.setdefault("generation", 1)
            metadata["resourceVersion"] = str(self.version)
            self.objects[path] = thing

    def splits(self):
        """Of all bindings."""
        with self.lock:
            return {path: split_of(thing) for path, thing in self.objects.items()
                    if "bindings/" in path}

    def replicas(self):
        with self.lock:
            return {path: thing["spec"]["replicas"] for path, thing in self.objects.items()
                    if "bindings/" in path}

    def touch(self, path, patch):
        """Somebody else changes an object."""
        with self.lock:
            self.put(path, merge(copy.deepcopy(self.objects[path]), patch))

    def lease_holder(self):
        with self.lock:
            return self.objects.get(LEASE, {}).get("spec", {}).get("holderIdentity") or ""

    # --- for a client ---

    def carry_out(self, request):
        """The whole and true answer."""
        with self.lock:
            self.requests.append(request)
            if not self.knows(request):
                return failure(401, "Unauthorized", "Unauthorized")
            for method, shape, act in self.ROUTES:
                found = re.fullmatch(shape, request.path)
                if request.method == method and found:
                    return act(self, request, *found.groups())
            return failure(404, "NotFound", "the server could not find the requested resource")

    def knows(self, request):
        return not self.token or request.headers.get("authorization") == f"Bearer {self.token}"

    def list(self, request, path):
        api_version, kind = LISTS[path]
        plural = path.rpartition("/")[2]
        pattern = re.compile(rf"{path.rpartition('/')[0]}/(namespaces/[^/]+/)?{plural}/[^/]+")
        token = request.query.get("continue")
        if token:
            version, _, begin = token.partition("-")
            if version not in self.snapshots:
                return failure(410, "Expired", "The provided continue parameter is too old")
        else:
            version, begin = str(self.version), 0
            self.snapshots[version] = {}
        snapshot = self.snapshots[version]
        if path not in snapshot:
            snapshot[path] = [copy.deepcopy(v) for k, v in sorted(self.objects.items())
                              if pattern.fullmatch(k)]
        is_cached = request.query.get("resourceVersion") == "0"  # which knows no limit
        begin, limit = int(begin), 0 if is_cached else int(request.query.get("limit", 0))
        end = begin + limit if limit else len(snapshot[path])
        metadata = {"resourceVersion": version}
        if end < len(snapshot[path]):
            metadata |= {"continue": f"{version}-{end}",
                         "remainingItemCount": len(snapshot[path]) - end}
        return answer(200, {"kind": kind + "List", "apiVersion": api_version, "metadata": metadata,
                            "items": snapshot[path][begin:end]})

    def member_items(self, _member, kind, _query):
        return [NODE] if kind == "Node" else []

    def list_member(self, request, member, path):
        api_version, kind = MEMBER_LISTS.get(re.sub("/namespaces/[^/]+", "", path), (None, None))
        if kind is None:
            return failure(404, "NotFound", "the server could not find the requested resource")
        return answer(200, {"kind": kind + "List", "apiVersion": api_version,
                            "metadata": {"resourceVersion": "1"},
                            "items": self.member_items(member, kind, request.query)})

    def get(self, request):
        if request.path in self.objects:
            return answer(200, self.objects[request.path])
        return failure(404, "NotFound", f"{request.path.rpartition('/')[2]} not found")

    def patch(self, request):
        old = self.objects.get(request.path)
        patch = json.loads(request.body)
        version = patch.get("metadata", {}).pop("resourceVersion", None)
        if request.headers.get("content-type") != "application/merge-patch+json" or not version:
            self.wrongs.append(f"PATCH {request.path}: no merge patch under a resourceVersion")
        if old is None:
            return failure(404, "NotFound", "it is gone")
        if version and version != old["metadata"]["resourceVersion"]:
            return failure(409, "Conflict", "the object has been modified")
        new = merge(copy.deepcopy(old), patch)
        if new["spec"] != old["spec"]:
            new["metadata"]["generation"] += 1
        if "dryRun" not in request.query:
            self.put(request.path, new)
            self.writes.append((request.path, split_of(old), split_of(new)))
            if sum(split_of(new).values()) != new["spec"]["replicas"]:
                self.wrongs.append(f"PATCH {request.path}: {split_of(new)} is a wrong sum")
        return answer(200, new)

    def create_lease(self, request):
        new = json.loads(request.body)
        path = f"{request.path}/{new['metadata']['name']}"
        if path in self.objects:
            return failure(409, "AlreadyExists", f"{path} already exists")
        self.put(path, new)
        return answer(201, new)

    def replace(self, request):
        old, new = self.objects.get(request.path), json.loads(request.body)
        if old is None:
            return failure(404, "NotFound", "it is gone")
        if new["metadata"].get("resourceVersion") != old["metadata"]["resourceVersion"]:
            return failure(409, "Conflict", "the object has been modified")
        self.put(request.path, new)
        return answer(200, new)

    def discover_clusters(self, _request):
        return answer(200, {"kind": "APIResourceList", "groupVersion": "cluster.karmada.io/v1alpha1",
                            "resources": [{"name": "clusters", "namespaced": False,
                                           "kind": "Cluster", "verbs": ["get", "list"]}]})

    def create_event(self, request):
        event = json.loads(request.body)
        name = event["metadata"]["name"]
        if name in (e["metadata"]["name"] for e in self.events):
            return failure(409, "AlreadyExists", f"{name} already exists")
        self.events.append(event)
        return answer(201, event)

    ROUTES = (
        ("GET", f"({'|'.join(LISTS)})", list),
        ("GET", CLUSTERS + "/([^/]+)/proxy(/.+)", list_member),
        ("GET", CLUSTER_API, discover_clusters),
        ("GET", r".*/[a-z]+/[^/]+", get),
        ("PATCH", r".*bindings/[^/]+", patch),
        ("POST", LEASES, create_lease),
        ("PUT", LEASES + "/[^/]+", replace),
        ("POST", EVENTS_GROUP + "/namespaces/[^/]+/events", create_event),
        ("POST", CORE_EVENTS, create_event),
    )
