# SPDX-License-Identifier: Apache-2.0
"""Lets a real kube-scheduler place the replicas of a pair, in a cluster that is emptied after each.

A lane is a kube-apiserver with a scheduler, and of kube-controller-manager the binder of volumes.
The scheduler has a second profile without scores: there chance decides between the nodes that take
a pod, which shows what else the scheduler might have answered."""
import copy
import time

from control_plane import ApiError, ControlPlane, wait_for
from member_cluster import Member
from pairs import CLASSES, DRIVER, OVERHEAD, OWN

NAMESPACES = 40  # in turn: what admission remembers of the quotas of one lives for half a minute
ANY = "any-order"
QUIET = "quiet-token"  # of the scheduler and the binder: they may do all but tell of it in events,
# which are half of what there is to write
READ_AND_WRITTEN = {
    "": ("pods", "pods/status", "pods/binding", "bindings", "nodes", "namespaces", "services",
         "replicationcontrollers", "persistentvolumes", "persistentvolumes/status",
         "persistentvolumeclaims", "persistentvolumeclaims/status", "configmaps", "secrets",
         "serviceaccounts", "endpoints"),
    "apps": ("replicasets", "statefulsets"), "policy": ("poddisruptionbudgets",),
    "storage.k8s.io": ("storageclasses", "csinodes", "csidrivers", "volumeattachments",
                       "csistoragecapacities")}
PLURALS = {"Node": "/api/v1/nodes", "CSINode": "/apis/storage.k8s.io/v1/csinodes",
           "StorageClass": "/apis/storage.k8s.io/v1/storageclasses",
           "PersistentVolume": "/api/v1/persistentvolumes",
           "PersistentVolumeClaim": "/api/v1/namespaces/{}/persistentvolumeclaims",
           "ResourceQuota": "/api/v1/namespaces/{}/resourcequotas",
           "LimitRange": "/api/v1/namespaces/{}/limitranges",
           "Pod": "/api/v1/namespaces/{}/pods"}


def renamed(thing, names):
    """With the names that the pair's two namespaces have in the cluster."""
    if isinstance(thing, dict):
        out = {k: renamed(v, names) for k, v in thing.items()}
        for key in ("namespace", "namespaces"):
            value = out.get(key)
            if isinstance(value, str):
                out[key] = names.get(value, value)
            elif isinstance(value, list):
                out[key] = [names.get(v, v) for v in value]
        return out
    return [renamed(item, names) for item in thing] if isinstance(thing, list) else thing


def scheduled(pod):
    return next((c for c in pod.get("status", {}).get("conditions", [])
                 if c["type"] == "PodScheduled"), {})


def is_decided(pod):
    return bool(pod["spec"].get("nodeName")) or scheduled(pod).get("reason") == "Unschedulable"


class Store(ControlPlane):
    """The etcd of all lanes."""
    has_custom_resources = False

    def start_apiserver(self, *more):
        """Nobody would ask it anything."""


class Lane(Member):
    admission_off = "ServiceAccount,TaintNodesByCondition,StorageObjectInUseProtection"
    controllers_on = "persistentvolume-binder"
    controllers_token = QUIET
    controllers_flags = ("--pvclaimbinder-sync-period=1s",)  # what it did not bind at first waits so long

    def __init__(self, plane, name):
        super().__init__(plane, name)
        self.turn = 0
        self.settle = 0.2
        self.used = set()  # kinds, of the pair
        for i in range(NAMESPACES):
            for kind in ("app", "other"):
                self.ensure_namespace(f"{kind}-{i}")
        self.manual = {"kind": "StorageClass", "apiVersion": "storage.k8s.io/v1", **self.create(
            PLURALS["StorageClass"], {"metadata": {"name": "manual"}, "volumeBindingMode": "Immediate",
                                      "provisioner": "kubernetes.io/no-provisioner"})}
        for name in CLASSES:
            self.create("/apis/scheduling.k8s.io/v1/priorityclasses",
                        {"metadata": {"name": name}, "value": 0})
        self.create("/apis/node.k8s.io/v1/runtimeclasses", {
            "metadata": {"name": "heavy"}, "handler": "heavy",
            "overhead": {"podFixed": OVERHEAD}})
        self.create("/apis/storage.k8s.io/v1/csidrivers", {
            "metadata": {"name": DRIVER}, "spec": {"attachRequired": True}})

    def write_files(self):
        super().write_files()
        with open(self.directory / "tokens", "a", encoding="ascii") as tokens:
            tokens.write(f"{QUIET},quiet,quiet\n")

    def start_apiserver(self, *more):
        super().start_apiserver("--enable-priority-and-fairness=false", *more)
        rbac = "/apis/rbac.authorization.k8s.io/v1/cluster"
        self.create(f"{rbac}roles", {"metadata": {"name": "quiet"}, "rules": [
            {"apiGroups": [group], "resources": resources, "verbs": ["*"]}
            for group, resources in READ_AND_WRITTEN.items()]})
        self.create(f"{rbac}rolebindings", {
            "metadata": {"name": "quiet"}, "subjects": [{"kind": "User", "name": "quiet"}],
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "quiet"}})

    def start_scheduler(self):
        """Where plugins that drivers have replaced count for these only if it is told so."""
        flags = self.scheduler_flags
        if int(self.get("/version")["minor"].rstrip("+")) < 23:
            gates = ",".join(f"CSIMigration{of}=true" for of in ("AWS", "AzureDisk", "GCE", "OpenStack"))
            flags = [*flags, f"--feature-gates={gates}"]
        self.scheduler = self.spawn("kube-scheduler", *flags)

    def start_kubelets(self):
        """Nobody plays kubelets here: what a pod becomes, the pair says."""

    def renew_scheduler(self):
        """Kube-scheduler 1.20 keeps a pod nominated for ever that goes while it looks for its node."""
        self.scheduler.kill()
        self.scheduler.wait()
        self.start_scheduler()

    def scheduler_settings(self):
        nothing = {"disabled": [{"name": "*"}]}
        return {"percentageOfNodesToScore": 100, "podMaxBackoffSeconds": 1, "profiles": [
            {"schedulerName": "default-scheduler", "plugins": {"postFilter": nothing}},
            {"schedulerName": ANY, "plugins": {"postFilter": nothing, "preScore": nothing,
                                               "score": nothing}}]}

    # --- what is there before ---

    def made(self, kind, body):
        path = PLURALS[kind].format(body["metadata"].get("namespace", ""))
        status = body.get("status")
        self.used.add(kind)
        answer = self.create(path, body)
        if status is not None and kind == "ResourceQuota":
            answer["status"] = status
            answer = self.request("PUT", f"{path}/{body['metadata']['name']}/status", answer)
        return {**answer, "kind": kind, "apiVersion": answer.get("apiVersion", "v1")}

    def make_pod(self, pod):
        pod = copy.deepcopy(pod)
        fate = pod.pop("fate")
        path = PLURALS["Pod"].format(pod["metadata"]["namespace"])
        if fate == "nominated":  # to that node, and no node takes it yet
            node = pod["spec"].pop("nodeName")
            pod["spec"]["nodeSelector"] = {"there-is": "none"}
        answer = self.create(path, pod)
        name = f"{path}/{pod['metadata']['name']}"
        if fate in ("Running", "Succeeded", "Failed"):
            answer["status"]["phase"] = fate
            answer = self.request("PUT", f"{name}/status", answer)
        elif fate == "nominated":
            answer = self.request("PATCH", f"{name}/status", {"status": {"nominatedNodeName": node}},
                                  "application/merge-patch+json")
        elif fate == "leaving":
            answer = self.request("DELETE", f"{name}?gracePeriodSeconds=3600")
        return {**answer, "kind": "Pod", "apiVersion": "v1"}

    def set_up(self, pair, names):
        before = [(kind, renamed(body, names)) for kind, body in pair.before]
        late = ("ResourceQuota", "LimitRange")  # they would concern the pods that are there, too
        objects = [self.made("Node", node) for node in pair.nodes]
        objects += [self.made(kind, body) for kind, body in before if kind not in late]
        objects += [self.make_pod(pod) for pod in renamed(pair.pods, names)]
        objects += [self.made(kind, body) for kind, body in before if kind in late]
        objects.append(self.manual)
        if pair.has_volumes:
            objects = self.look_again(objects, names, pair.binds_late)
        else:
            time.sleep(self.settle)
        return objects

    def look_again(self, objects, names, binds_late):
        """When the binder has come to rest."""
        kinds = {"PersistentVolume": [""], "PersistentVolumeClaim": list(names.values())}

        def volumes():
            return [{**item, "kind": kind, "apiVersion": "v1"} for kind, spaces in kinds.items()
                    for space in spaces for item in self.get(PLURALS[kind].format(space))["items"]]

        def are_bound():
            return all(o["status"].get("phase") == "Bound" for o in volumes())
        if not binds_late:
            wait_for("claims to be bound", are_bound, pause=0.1)
            time.sleep(self.settle)
        last, fresh = None, volumes()
        while binds_late and fresh != last:
            time.sleep(0.4 + self.settle)
            last, fresh = fresh, volumes()
        return [o for o in objects if o["kind"] not in kinds] + fresh

    # --- the replicas ---

    def template(self, pair, names):
        metadata = {"labels": pair.labels}
        return renamed({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "web", "namespace": OWN},
            "spec": {"replicas": pair.replicas, "selector": {"matchLabels": {"app": "web"}},
                     "template": {"metadata": metadata, "spec": pair.spec}}}, names)

    def place(self, pair, template, scheduler):
        """(how many were bound, what one that was not was told)"""
        namespace = template["metadata"]["namespace"]
        path = PLURALS["Pod"].format(namespace)
        labels = {**pair.labels, "pod-template-hash": "5d9c"}
        admitted, message = 0, ""
        for i in range(pair.replicas):
            if i == 1 and pair.binds_late:  # until its volumes are bound, others do not look at them
                self.wait_until_decided(path, admitted, True)
            spec = {**template["spec"]["template"]["spec"], "schedulerName": scheduler}
            try:
                self.create(path, {"metadata": {"name": f"web-5d9c-{i}", "labels": labels},
                                   "spec": spec})
                admitted += 1
            except ApiError as e:
                if e.status not in (403, 422):  # by admission, or what that filled in is not valid
                    raise
                message = str(e)
        pods = self.wait_until_decided(path, admitted, pair.binds_late)
        for pod in pods:
            if not pod["spec"].get("nodeName"):
                message = scheduled(pod).get("message", message)
        return sum(bool(p["spec"].get("nodeName")) for p in pods), message

    def wait_until_decided(self, path, admitted, binds_late):
        pods, deadline = [], time.monotonic() + 60
        bound, since, pause = -1, 0, 0.05
        while admitted > 0:
            self.check()
            # off the server's own memory, which may lag behind: then some of them are missing
            pods = self.get(f"{path}?labelSelector=pod-template-hash%3D5d9c&resourceVersion=0")["items"]
            now, count = time.monotonic(), sum(bool(p["spec"].get("nodeName")) for p in pods)
            if count != bound:
                bound, since = count, now
            # a bind that waited for a volume, and failed, is tried again a second later
            quiet = 0 if not binds_late else 0.5 if bound == admitted else 2.5
            if len(pods) == admitted and all(map(is_decided, pods)) and now - since >= quiet:
                break
            if now > deadline:
                raise TimeoutError(f"{len(pods)} pods are not decided: {path}")
            time.sleep(pause)
            pause = min(1.3 * pause, 0.25)
        return pods

    # --- one pair ---

    def run(self, pair, scheduler="default-scheduler"):
        """(template, what was there before, how many were placed, what one that was not was told)"""
        self.turn = (self.turn + 1) % NAMESPACES
        names = {OWN: f"app-{self.turn}", "other": f"other-{self.turn}"}
        try:
            objects = self.set_up(pair, names)
            template = self.template(pair, names)
            placed, message = self.place(pair, template, scheduler)
        finally:
            self.clean_up(names)
        return template, objects, placed, message

    def clean_up(self, names):
        """Those without a node first: what goes before them would have the scheduler look at them."""
        for which in ("&fieldSelector=spec.nodeName%3D", ""):
            for namespace in names.values():
                self.delete(f"{PLURALS['Pod'].format(namespace)}?gracePeriodSeconds=0{which}")
        for namespace in names.values():
            for kind in self.used & {"PersistentVolumeClaim", "ResourceQuota", "LimitRange"}:
                self.delete(PLURALS[kind].format(namespace))
        for kind in self.used & {"Node", "PersistentVolume", "CSINode"}:
            self.delete(PLURALS[kind])
        for name in ("late", "manual-now") if "StorageClass" in self.used else ():
            try:
                self.delete(f"{PLURALS['StorageClass']}/{name}")
            except ApiError as e:
                if e.status != 404:
                    raise
        self.used.clear()
