#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Turns a scenario's short description of a fleet into a fleet directory (YAML, as kubectl prints).

    fleet.py DESCRIPTION DIRECTORY

A description has a line for each thing; README.md shows all of them:

    now 2026-03-01T12:00:00Z
    cluster berlin cpu=8 region=eu
    binding shop/web replicas=6 strategy=dynamic cpu=1 on=berlin:4,paris:2
    pods berlin shop/web ready=2 unschedulable=2@10m

What is not said is in order: every target has its replicas ready, every cluster is Ready and its
status counts what runs there. The members show their workloads and pods, except for clusters that
are `unseen` or not ready. An indented line `path = JSON` sets a field of the object above.
"""
import datetime
import json
import os
import re
import shlex
import sys

sys.dont_write_bytecode = True
import kubefed_host  # noqa: E402 (after the setting)

EPOCH = "2026-01-01T00:00:00Z"
API = {"Deployment": "apps/v1", "StatefulSet": "apps/v1", "Job": "batch/v1", "Pod": "v1",
       "CloneSet": "apps.kruise.io/v1alpha1", "RayCluster": "ray.io/v1",
       "FlinkDeployment": "flink.apache.org/v1beta1", "Workflow": "argoproj.io/v1alpha1",
       "CronJob": "batch/v1",
       "Rollout": "argoproj.io/v1alpha1"}
MEMBERS_API = {**API, "ReplicaSet": "apps/v1"}  # of a workload in a member
PLURAL = {"Deployment": "deployments", "StatefulSet": "statefulsets", "Job": "jobs", "Pod": "pods",
          "CloneSet": "clonesets", "RayCluster": "rayclusters",
          "FlinkDeployment": "flinkdeployments", "Workflow": "workflows", "CronJob": "cronjobs",
          "Rollout": "rollouts"}
UNPLACED = ("unschedulable", "ungated")  # the second once had a scheduling gate
TOLD = ("created", "refused", "webhook", "over", "suspended",  # of a workload in a member
        "retained", "managed", "behind", "paused", "recreated",
        "completions", "indexed", "succeeded", "failures", "givenup", "started")
WAITING = {"crashloop": "CrashLoopBackOff", "imagepull": "ImagePullBackOff",
           "badconfig": "CreateContainerConfigError", "creating": "ContainerCreating"}


class Mistake(Exception):
    pass


def milli(text):
    return int(text[:-1]) if text.endswith("m") else int(float(text) * 1000)


def cpu(amount):
    return str(amount // 1000) if amount % 1000 == 0 else f"{amount}m"


def seconds(text):
    parts = re.fullmatch(r"(\d+)([smhd])", text)
    if not parts:
        raise Mistake(f"bad duration {text}")
    return int(parts[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[parts[2]]


def pairs(text):
    """a:1,b:2 as a list of (name, count)."""
    return [(p.rsplit(":", 1)[0], int(p.rsplit(":", 1)[1])) for p in text.split(",") if p]


def components(o):
    """name:replicas:cpu,... as a list of (name, replicas, cpu)."""
    return [(c.split(":")[0], int(c.split(":")[1]), c.split(":")[2])
            for c in o.get("components", "").split(",") if c]


def pod_cpu(o, number):
    """What the n-th pod of a binding asks for: of components, one after the other; None: nothing."""
    asked = [c for _, replicas, c in components(o) for _ in range(replicas)]
    return asked[number % len(asked)] if asked else o.get("cpu")


def labels(text):
    return dict(p.split(":", 1) for p in text.split(",") if p)


# --- YAML ---------------------------------------------------------------------------------------

def scalar(value):
    if isinstance(value, str):
        plain = re.fullmatch(r"[A-Za-z/][A-Za-z0-9 ./_()-]*", value)
        words = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "True", "False"}
        return value if plain and value not in words else json.dumps(value)
    return json.dumps(value)


def yaml(value, indent=0):
    """The lines of a value in block style."""
    pad = "  " * indent
    lines = []
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, (dict, list)) and item:
                lines.append(f"{pad}{scalar(key)}:")
                lines += yaml(item, indent + (0 if isinstance(item, list) else 1))
            else:
                lines.append(f"{pad}{scalar(key)}: {scalar(item)}")
    else:
        for item in value:
            if isinstance(item, (dict, list)) and item:
                first, *rest = yaml(item, indent + 1)
                lines += [f"{pad}- {first.lstrip()}", *rest]
            else:
                lines.append(f"{pad}- {scalar(item)}")
    return lines


# --- objects ------------------------------------------------------------------------------------

class Fleet:
    def __init__(self):
        self.now = datetime.datetime(2026, 3, 1, 12, 0, 0)
        self.clusters = {}  # name -> options
        self.bindings = {}  # ns/name -> options
        self.pods = {}      # (cluster, ns/name) -> {state: (count, since)}
        self.wanted = {}    # (cluster, ns/name) -> spec.replicas in the member
        self.told = {}      # (cluster, ns/name) -> options of what the member tells besides
        self.nodes = {}     # cluster -> [options]
        self.estimators = {}  # cluster -> options
        self.kubefed = None  # options of a KubeFed host
        self.namespaces = {}  # name -> options
        self.objects = []   # raw control-plane objects
        self.version = 100

    def ago(self, duration):
        moment = self.now - datetime.timedelta(seconds=seconds(duration))
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def next_version(self):
        self.version += 1
        return str(self.version)

    def targets(self, binding):
        return pairs(binding.get("on", ""))

    def pods_of(self, cluster, key):
        """[(state, count, since)] of a binding in a cluster; all ready where nothing is said."""
        if (cluster, key) in self.pods:
            return self.pods[cluster, key]
        count = dict(self.targets(self.bindings[key])).get(cluster, 0)
        return [("ready", count, "2h")]

    def ready_of(self, cluster, key):
        return sum(count for state, count, _ in self.pods_of(cluster, key) if state == "ready")

    def demand(self, cluster, states):
        """cpu and pods that the bindings' pods in some states take in a cluster."""
        total_cpu = total_pods = 0
        for key, binding in self.bindings.items():
            first = 0
            for state, count, _ in self.pods_of(cluster, key):
                if state != "evicted" and (state in UNPLACED) == (states == "unschedulable"):
                    total_cpu += sum(milli(pod_cpu(binding, first + n) or "0")
                                     for n in range(count))
                    total_pods += count
                first += count
        return total_cpu, total_pods


def cluster_object(fleet, name, o):
    spec = {"syncMode": "Push"}
    for field in ("provider", "region"):
        if field in o:
            spec[field] = o[field]
    if "zone" in o:
        spec["zones"] = o["zone"].split(",")
    if "taint" in o:
        spec["taints"] = []
        for text in o["taint"].split(","):
            parts = re.fullmatch(r"([^=:@]+)(?:=([^:@]*))?:(\w+)(?:@(\w+))?", text)
            taint = {"key": parts[1], "effect": parts[3]}
            if parts[2]:
                taint["value"] = parts[2]
            if parts[4]:
                taint["timeAdded"] = fleet.ago(parts[4])
            spec["taints"].append(taint)
    ready = o.get("ready", "True")
    reason = {"True": "ClusterReady", "False": "ClusterNotReachable"}.get(ready, "Unknown")
    status = {"conditions": [{
        "type": "Ready", "status": ready, "reason": reason,
        "lastTransitionTime": fleet.ago(o["since"]) if "since" in o else EPOCH}]}
    if "no-api" not in o:
        status["apiEnablements"] = [
            {"groupVersion": gv, "resources": [{"kind": k, "name": PLURAL[k]}
                                               for k in API if API[k] == gv]}
            for gv in sorted(set(API.values()))]
    if "no-summary" not in o:
        taken, running = fleet.demand(name, "running")
        wanted, pending = fleet.demand(name, "unschedulable")
        status["resourceSummary"] = {
            "allocatable": {"cpu": o.get("cpu", "100"), "memory": o.get("memory", "400Gi"),
                            "pods": o.get("pods", "1000")},
            "allocated": {"cpu": cpu(taken + milli(o.get("used", "0"))), "pods": str(running)}}
        if pending:
            status["resourceSummary"]["allocating"] = {"cpu": cpu(wanted), "pods": str(pending)}
    metadata = {"name": name, "resourceVersion": fleet.next_version(), "uid": f"cluster-{name}"}
    if "deleting" in o:
        metadata["deletionTimestamp"] = fleet.ago(o["deleting"] or "10m")
    if "labels" in o:
        metadata["labels"] = labels(o["labels"])
    return {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster",
            "metadata": metadata, "spec": spec, "status": status}


def replica_scheduling(strategy):
    if strategy == "duplicated":
        return {"replicaSchedulingType": "Duplicated"}
    if strategy == "aggregated":
        return {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated"}
    divided = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted"}
    if strategy == "dynamic":
        divided["weightPreference"] = {"dynamicWeight": "AvailableReplicas"}
    elif strategy.startswith("static:"):
        divided["weightPreference"] = {"staticWeightList": [
            {"targetCluster": {"clusterNames": [name]}, "weight": weight}
            for name, weight in pairs(strategy[len("static:"):])]}
    else:
        raise Mistake(f"bad strategy {strategy}")
    return divided


def term_of(text):
    """name=own,clusters>overflow>of,overflow"""
    name, names = text.split("=")
    own, *overflow = names.split(">")
    term = {"affinityName": name, "clusterNames": own.split(",")}
    if overflow:
        term["overflowAffinities"] = [{"clusterNames": tier.split(",")} for tier in overflow]
    return term


def placement_of(o):
    placement = {}
    if "only" in o:
        placement["clusterAffinity"] = {"clusterNames": o["only"].split(",")}
    if "terms" in o:
        placement["clusterAffinities"] = [term_of(text) for text in o["terms"].split("/")]
    if "tolerate" in o:
        placement["clusterTolerations"] = []
        for text in o["tolerate"].split(","):
            parts = re.fullmatch(r"([^@]+)(?:@(\w+))?", text)
            toleration = {"key": parts[1], "operator": "Exists"}
            if parts[2]:
                toleration["tolerationSeconds"] = seconds(parts[2])
            placement["clusterTolerations"].append(toleration)
    if "spread" in o:
        placement["spreadConstraints"] = []
        for text in o["spread"].split(","):
            parts = re.fullmatch(r"(\w+):(\d+)-(\d+)", text)
            placement["spreadConstraints"].append(
                {"spreadByField": parts[1], "minGroups": int(parts[2]),
                 "maxGroups": int(parts[3])})
    placement["replicaScheduling"] = replica_scheduling(o.get("strategy", "dynamic"))
    return placement


def binding_object(fleet, key, o):
    namespace, name = key.split("/")
    kind = o.get("kind", "Deployment")
    placement = placement_of(o)
    metadata = {
        "name": f"{name}-{kind.lower()}", "namespace": namespace, "generation": 2,
        "resourceVersion": fleet.next_version(), "uid": f"binding-{name}",
        "annotations": {"policy.karmada.io/applied-placement":
                        json.dumps(placement, separators=(",", ":"))},
        "labels": {"propagationpolicy.karmada.io/permanent-id": o.get("policy", f"policy-{name}"),
                   "resourcebinding.karmada.io/permanent-id": f"id-{name}"}}
    spec = {"resource": {"apiVersion": API[kind], "kind": kind, "namespace": namespace,
                         "name": name, "uid": f"uid-{name}"},
            "replicas": int(o.get("replicas", "0")), "schedulerName": "default-scheduler",
            "placement": placement}
    if "components" in o:
        del spec["replicas"]
        spec["components"] = [
            {"name": n, "replicas": r, "replicaRequirements": {"resourceRequest": {"cpu": c}}}
            for n, r, c in components(o)]
    if "cpu" in o:
        spec["replicaRequirements"] = {"resourceRequest": {"cpu": o["cpu"]}}
    targets = fleet.targets(o)
    if targets:
        spec["clusters"] = [{"name": n, "replicas": r} for n, r in targets]
    if targets and "components" in o:
        spec["clusters"] = [
            {"name": name, "components": [{"name": n, "replicas": r} for n, r, _ in components(o)]}
            for name, _ in targets]
    scheduled = fleet.ago(o["scheduled"]) if "scheduled" in o else "2026-02-01T00:00:00Z"
    status = {"lastScheduledTime": scheduled, "schedulerObservedGeneration": 2,
              "aggregatedStatus": []}
    for cluster, replicas in targets:
        ready = fleet.ready_of(cluster, key)
        counts = {"replicas": replicas} if "components" not in o else {"state": "ready"}
        if ready and "components" not in o:  # a Deployment leaves readyReplicas out when it is 0
            counts.update(readyReplicas=ready, availableReplicas=ready)
        status["aggregatedStatus"].append(
            {"clusterName": cluster, "applied": True, "status": counts,
             "health": "Healthy" if ready >= replicas else "Unhealthy"})
    if "terms" in o:
        status["schedulerObservingAffinityName"] = o["terms"].split("=")[0]
    return {"apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding",
            "metadata": metadata, "spec": spec, "status": status}


def template(name, o, number=0, registry="registry.example"):
    container = {"name": "main", "image": f"{registry}/{name}:1"}
    if pod_cpu(o, number):
        container["resources"] = {"requests": {"cpu": pod_cpu(o, number)}}
    return {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}}


def tell(fleet, told, workload):
    """What a workload, or a ReplicaSet, says in a member besides how many pods there are."""
    if "created" in told:
        workload["metadata"]["creationTimestamp"] = fleet.ago(told["created"])
    if "retained" in told:
        workload["metadata"]["labels"] = {"resourcetemplate.karmada.io/retain-replicas": "true"}
    if "managed" in told:
        workload["metadata"]["labels"] = {"karmada.io/managed": "true"}
    if "suspended" in told:
        workload["spec"]["suspend"] = True
    if "behind" in told:
        workload["metadata"]["generation"] = 2
    if "paused" in told:
        workload["spec"]["paused"] = True
    if "recreated" in told:
        workload["spec"]["strategy"] = {"type": "Recreate"}
    if "completions" in told:
        workload["spec"]["completions"] = int(told["completions"])
    if "indexed" in told:
        workload["spec"]["completionMode"] = "Indexed"
    if "succeeded" in told:
        workload["status"]["succeeded"] = int(told["succeeded"])
    if "failures" in told:
        workload["status"]["failed"] = int(told["failures"])
    if "givenup" in told:
        workload["status"]["failedIndexes"] = told["givenup"]
    if "started" in told:
        workload["status"]["startTime"] = fleet.ago(told["started"])
    if "refused" in told:
        workload["status"]["conditions"] = [
            {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate",
             "message": f"admission webhook {told['webhook']} denied the request"
                        if "webhook" in told else "pods is forbidden: exceeded quota",
             "lastTransitionTime": fleet.ago(told["refused"])}]
    if "over" in told:
        workload["status"]["conditions"] = [
            {"type": "Complete", "status": "True", "lastTransitionTime": fleet.ago(told["over"])}]


def workload_objects(fleet, cluster, key, o):
    """The workload (a Deployment also with its ReplicaSet) as the member shows it."""
    namespace, name = key.split("/")
    kind = o.get("kind", "Deployment")
    count = sum(n for state, n, _ in fleet.pods_of(cluster, key) if state != "terminating")
    count = fleet.wanted.get((cluster, key), count)
    ready = fleet.ready_of(cluster, key)
    uid = f"{cluster}-{namespace}-{name}"
    told = fleet.told.get((cluster, key), {})
    registry = told.get("registry", "registry.example")
    workload = {
        "apiVersion": MEMBERS_API[kind], "kind": kind,
        "metadata": {"name": name, "namespace": namespace, "uid": uid, "generation": 1},
        "spec": {"replicas": count, "selector": {"matchLabels": {"app": name}},
                 "template": template(name, o, registry=registry)},
        "status": {"observedGeneration": 1, "replicas": count}}
    if "generation" in told:
        workload["metadata"]["annotations"] = {
            "resourcetemplate.karmada.io/generation": told["generation"]}
    if "revision" in told:
        workload["status"]["updateRevision"] = told["revision"]
    if kind == "Job":
        workload["spec"]["parallelism"] = workload["spec"].pop("replicas")
    if ready:
        workload["status"]["readyReplicas"] = ready
    tell(fleet, fleet.told.get((cluster, key), {}), workload)
    objects = {"workloads": [workload], "replicasets": []}
    owner = (MEMBERS_API[kind], kind, name, uid)
    if kind == "Deployment":
        owner = ("apps/v1", "ReplicaSet", f"{name}-5d8f", f"{uid}-5d8f")
        pod_template = template(name, o, registry=registry)
        pod_template["metadata"]["labels"]["pod-template-hash"] = "5d8f"
        objects["replicasets"].append({
            "apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": {"name": owner[2], "namespace": namespace, "uid": owner[3],
                         "creationTimestamp": fleet.ago(told["rolled"]) if "rolled" in told
                         else EPOCH,
                         "labels": dict(pod_template["metadata"]["labels"]),
                         "ownerReferences": [{"apiVersion": "apps/v1", "kind": kind, "name": name,
                                              "uid": uid, "controller": True}]},
            "spec": {"replicas": count, "template": pod_template}})
        if "refused" in fleet.told.get((cluster, key), {}):
            objects["replicasets"][0]["status"] = {}
            about_pods = ("refused", "webhook")
            tell(fleet, {word: told[word] for word in about_pods if word in told},
                 objects["replicasets"][0])
    return objects, owner


def restarted(fleet, told, ready, container):
    """The container has restarted; it is up for `up`, and ran for `ran` before."""
    if "restarts" not in told:
        return
    container["restartCount"] = int(told["restarts"])
    up = seconds(told.get("up", "0s"))
    finished = up + seconds(told.get("waited", "10s"))
    if ready:
        container["state"] = {"running": {"startedAt": fleet.ago(f"{up}s")}}
    container["lastState"] = {"terminated": {
        "exitCode": 1, "reason": "Error", "finishedAt": fleet.ago(f"{finished}s"),
        "startedAt": fleet.ago(f"{finished + seconds(told.get('ran', '5s'))}s")}}


def pod_object(fleet, cluster, key, o, owner, state, since, number, node):
    namespace, name = key.split("/")
    told = fleet.told.get((cluster, key), {})
    pod = {
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": f"{owner[2]}-{number}" if owner else name, "namespace": namespace,
                     "uid": f"{cluster}-{name}-{number}",
                     "creationTimestamp": fleet.ago(told.get("age", since)),
                     "labels": {"app": name}},
        "spec": template(name, o, number)["spec"]}
    if owner:
        pod["metadata"]["ownerReferences"] = [{"apiVersion": owner[0], "kind": owner[1],
                                               "name": owner[2], "uid": owner[3],
                                               "controller": True}]
    if owner and owner[1] == "ReplicaSet":
        pod["metadata"]["labels"]["pod-template-hash"] = "5d8f"
    if "revision" in told:
        pod["metadata"]["labels"]["controller-revision-hash"] = told["revision"]
    then = fleet.ago(since)
    if state == "terminating":
        pod["metadata"]["deletionTimestamp"] = then
    if state in UNPLACED:
        pod["status"] = {"phase": "Pending", "conditions": [
            {"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
             "lastTransitionTime": then if state == "unschedulable" else None}]}
        return pod
    pod["spec"]["nodeName"] = node
    ready = state in ("ready", "terminating")
    pod["status"] = {"phase": "Running", "conditions": [
        {"type": "PodScheduled", "status": "True", "lastTransitionTime": then},
        {"type": "Ready", "status": "True" if ready else "False", "lastTransitionTime": then}]}
    container = {"name": "main", "ready": ready, "restartCount": 9 if state == "crashloop" else 0}
    if state in WAITING:
        container["state"] = {"waiting": {"reason": WAITING[state]}}
        if state != "crashloop":
            pod["status"]["phase"] = "Pending"
        if "backoff" in told:
            container["state"]["waiting"]["message"] = f"back-off {told['backoff']} restarting"
    elif state in ("failed", "evicted"):
        pod["status"]["phase"] = "Failed"
        if state == "evicted":
            pod["status"]["reason"] = "Evicted"
    elif state == "ended":
        pod["status"]["phase"] = "Succeeded"
    restarted(fleet, told, ready, container)
    pod["status"]["containerStatuses"] = [container]
    return pod


def node_object(o):
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": o["name"]},
            "spec": {}, "status": {"allocatable": {
                "cpu": o["cpu"], "memory": o.get("memory", "64Gi"),
                "pods": o.get("pods", "110")}}}
    if "labels" in o:
        node["metadata"]["labels"] = labels(o["labels"])
    if "cordoned" in o:
        node["spec"]["unschedulable"] = True
    if "dead" in o:
        node["spec"]["taints"] = [{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]
    return node


def place_on_node(room, request):
    """First fit; the first node where nothing fits any more."""
    for name in room:
        if room[name] >= request:
            room[name] -= request
            return name
    return next(iter(room), "node-1")


def member_objects(fleet, cluster, changes):
    parts = {"workloads": [], "replicasets": [], "pods": []}
    nodes = fleet.nodes.get(cluster, [])
    room = {n["name"]: milli(n["cpu"]) - milli(n.get("used", "0")) for n in nodes}
    for key, o in fleet.bindings.items():
        states = [s for s in fleet.pods_of(cluster, key) if s[1] > 0]
        if not states and (cluster, key) not in fleet.wanted:
            continue
        objects, owner = workload_objects(fleet, cluster, key, o)
        if o.get("kind") == "Pod":
            objects, owner = {"workloads": [], "replicasets": []}, None
        parts["workloads"] += objects["workloads"]
        parts["replicasets"] += objects["replicasets"]
        number = 0
        for state, count, since in states:
            for _ in range(count):
                node = None
                if state == "evicted":
                    node = "node-1"
                elif state not in UNPLACED:
                    node = place_on_node(room, milli(pod_cpu(o, number) or "0"))
                pod = pod_object(fleet, cluster, key, o, owner, state, since, number, node)
                for path, value in changes.get(("pods", f"{cluster} {key}"), []):
                    set_path(pod, path, value)
                parts["pods"].append(pod)
                number += 1
    for n in nodes:
        if "used" in n:  # what no binding knows of
            parts["pods"].append({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": f"local-{n['name']}", "namespace": "local"},
                "spec": {"nodeName": n["name"], "containers": [
                    {"name": "main", "resources": {"requests": {"cpu": n["used"]}}}]},
                "status": {"phase": "Running"}})
    if nodes:
        parts["nodes"] = [node_object(n) for n in nodes]
    return parts


def answers_object(fleet, o):
    """What a member's estimator answered: stuck replicas by binding, room by cpu request."""
    stuck = []
    for key, replicas in pairs(o.get("stuck", "")):
        namespace, name = key.split("/")
        kind = fleet.bindings[key].get("kind", "Deployment")
        stuck.append({"apiVersion": API[kind], "kind": kind, "namespace": namespace, "name": name,
                      "replicas": replicas})
    room = []
    for request, replicas in pairs(o.get("room", "")):
        answer = {"replicas": replicas}
        if request != "-":
            answer["requirements"] = {"resourceRequest": {"cpu": request}}
        room.append(answer)
    sets = [{"namespace": key.split("/")[0], "sets": count,
             "components": [{"replicas": r,
                             "replicaRequirements": {"resourceRequest": {"cpu": c}}}
                            for _, r, c in components(fleet.bindings[key])]}
            for key, count in pairs(o.get("sets", ""))]
    return {"apiVersion": "ballast.io/v1alpha1", "kind": "EstimatorAnswers",
            "unschedulableThreshold": o.get("threshold", "5m"),
            "unschedulable": stuck, "available": room, **({"availableSets": sets} if sets else {})}


# --- reading and writing ------------------------------------------------------------------------

def options(words):
    return dict(w.split("=", 1) if "=" in w else (w, "") for w in words)


def states(words):
    """ready=2 unschedulable=3@10m as [(state, count, since)]."""
    found = []
    for word in words:
        state, text = word.split("=")
        count, _, since = text.partition("@")
        found.append((state, int(count), since or "2h"))
    return found


def set_path(target, path, value):
    *parents, last = re.findall(r"(?:[^.\[\]\"]|\"[^\"]*\")+", path)
    for part in parents:
        part = int(part) if isinstance(target, list) else part.strip('"')
        target = target[part] if isinstance(target, list) else target.setdefault(part, {})
    if isinstance(target, list):
        last = int(last)
    else:
        last = last.strip('"')
    if value is None and isinstance(target, dict):
        target.pop(last, None)
    else:
        target[last] = value


def read(path):
    fleet = Fleet()
    changes = {}  # ("cluster"|"binding"|"pods", name) -> [(path, value)]
    subject = None
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                if not line.strip() or line.startswith("#"):
                    continue
                if line[0].isspace():
                    field, _, value = line.strip().partition(" = ")
                    changes.setdefault(subject, []).append((field, json.loads(value)))
                    continue
                word, *rest = shlex.split(line, posix=not line.startswith("object"))
                subject = (word, rest[0] if rest else "")
                if word == "now":
                    fleet.now = datetime.datetime.strptime(rest[0], "%Y-%m-%dT%H:%M:%SZ")
                elif word == "cluster":
                    fleet.clusters[rest[0]] = options(rest[1:])
                elif word == "binding":
                    fleet.bindings[rest[0]] = options(rest[1:])
                elif word == "pods":
                    subject = (word, f"{rest[0]} {rest[1]}")
                    for told in [w for w in rest[2:] if w.startswith("wanted=")]:
                        fleet.wanted[rest[0], rest[1]] = int(told.partition("=")[2])
                        rest.remove(told)
                    told = [w for w in rest[2:] if w.partition("=")[0] in TOLD]
                    fleet.told.setdefault((rest[0], rest[1]), {}).update(options(told))
                    fleet.pods[rest[0], rest[1]] = states([w for w in rest[2:] if w not in told])
                elif word == "told":
                    fleet.told.setdefault((rest[0], rest[1]), {}).update(options(rest[2:]))
                elif word == "node":
                    member, name = rest[0].split("/")
                    fleet.nodes.setdefault(member, []).append({"name": name, **options(rest[1:])})
                elif word == "kubefed":
                    fleet.kubefed = options(rest)
                elif word == "namespace":
                    fleet.namespaces[rest[0]] = options(rest[1:])
                elif word == "preference":
                    pass  # the subject of what is indented
                elif word == "estimator":
                    fleet.estimators[rest[0]] = options(rest[1:])
                elif word == "object":
                    fleet.objects.append(json.loads(line[len("object"):]))
                else:
                    raise Mistake(f"what is '{word}'?")
            except (Mistake, ValueError, IndexError) as error:
                sys.exit(f"{path}:{number}: {error}")
    return fleet, changes


def write(directory, name, objects):
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, name), "w", encoding="utf-8") as out:
        if not objects:
            out.write("apiVersion: v1\nkind: List\nitems: []\n")
        out.write("---\n".join("\n".join(yaml(o)) + "\n" for o in objects))


def main():
    fleet, changes = read(sys.argv[1])
    root = sys.argv[2]
    control_plane = os.path.join(root, "control-plane")
    if fleet.kubefed is not None:
        kubefed_host.nodes(fleet)
        files = kubefed_host.control_plane(fleet, template)
    else:
        files = [("clusters.yaml", [(("cluster", n), cluster_object(fleet, n, o))
                                    for n, o in fleet.clusters.items()]),
                 ("bindings.yaml", [(("binding", n), binding_object(fleet, n, o))
                                    for n, o in fleet.bindings.items()])]
    for name, made in files:
        for subject, thing in made:
            for path, value in changes.get(subject, []):
                set_path(thing, path, value)
        write(control_plane, name, [thing for _, thing in made])
    if fleet.objects:
        write(control_plane, "others.yaml", fleet.objects)
    for cluster, o in fleet.clusters.items():
        if "seen" in o or ("unseen" not in o and o.get("ready", "True") == "True"):
            for part, objects in member_objects(fleet, cluster, changes).items():
                write(os.path.join(root, "members", cluster), f"{part}.yaml", objects)
    for cluster, o in fleet.estimators.items():
        write(os.path.join(root, "members", cluster), "estimator.yaml", [answers_object(fleet, o)])
    with open(os.path.join(root, "captured-at"), "w", encoding="utf-8") as out:
        out.write(fleet.now.strftime("%Y-%m-%dT%H:%M:%SZ\n"))


main()
