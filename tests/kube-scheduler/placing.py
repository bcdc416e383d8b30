# SPDX-License-Identifier: Apache-2.0
"""Lets a real kube-scheduler place the replicas of a pair, in a cluster that is emptied after each.

A lane is a kube-apiserver with a scheduler, and of kube-controller-manager the binder of volumes.
The scheduler has a second profile without scores: there chance decides between the nodes that take
a pod, which shows what else the scheduler might have answered."""
import copy
import time

from control_plane import ADMIN, ApiError, wait_for
from member_cluster import Member
from pairs import DRIVER, OVERHEAD, OWN

NAMESPACES = 40  # in turn: what admission remembers of the quotas of one lives for half a minute
ANY = "any-order"
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


class Lane(Member):
    admission_off = "ServiceAccount,TaintNodesByCondition,StorageObjectInUseProtection"
    controllers_on = "persistentvolume-binder"

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
        self.create("/apis/node.k8s.io/v1/runtimeclasses", {
            "metadata": {"name": "heavy"}, "handler": "heavy",
            "overhead": {"podFixed": OVERHEAD}})
        self.create("/apis/storage.k8s.io/v1/csidrivers", {
            "metadata": {"name": DRIVER}, "spec": {"attachRequired": True}})

    def start_kubelets(self):
        """Nobody plays kubelets here: what a pod becomes, the pair says."""

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
            objects = self.look_again(objects, names)
        else:
            time.sleep(self.settle)
        return objects

    def look_again(self, objects, names):
        """When the binder has come to rest."""
        kinds = {"PersistentVolume": [""], "PersistentVolumeClaim": list(names.values())}
        last, fresh = None, []
        while last is None or fresh != last:
            last = fresh
            time.sleep(0.4 + self.settle)
            fresh = [{**item, "kind": kind, "apiVersion": "v1"} for kind, spaces in kinds.items()
                     for space in spaces for item in self.get(PLURALS[kind].format(space))["items"]]
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
            if i == 1 and pair.has_volumes:  # until its volumes are bound, others do not look at them
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
        pods = self.wait_until_decided(path, admitted, pair.has_volumes)
        for pod in pods:
            if not pod["spec"].get("nodeName"):
                message = scheduled(pod).get("message", message)
        return sum(bool(p["spec"].get("nodeName")) for p in pods), message

    def wait_until_decided(self, path, admitted, has_volumes):
        pods, deadline = [], time.monotonic() + 60
        bound, since, pause = -1, 0, 0.05
        while admitted > 0:
            self.check()
            pods = self.get(f"{path}?labelSelector=pod-template-hash%3D5d9c")["items"]
            now, count = time.monotonic(), sum(bool(p["spec"].get("nodeName")) for p in pods)
            if count != bound:
                bound, since = count, now
            # a bind that waited for a volume, and failed, is tried again a second later
            quiet = 0 if not has_volumes else 0.5 if bound == admitted else 2.5
            if all(map(is_decided, pods)) and now - since >= quiet:
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
        for namespace in names.values():
            self.delete(PLURALS["Pod"].format(namespace) + "?gracePeriodSeconds=0")
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
        wait_for("pods to be gone", lambda: not any(
            self.get(PLURALS["Pod"].format(n) + "?limit=1")["items"] for n in names.values()))
