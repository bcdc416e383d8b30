# SPDX-License-Identifier: Apache-2.0
"""Three members joined to a control plane, and what Karmada's own controllers would do there: bring
every workload in line with its binding's split, and say back how it goes."""
import base64
from concurrent.futures import ThreadPoolExecutor

import fleets
import kustomize
import references
from cases_install import CRONJOB
from front import Front
from harness import FAST
from karmada_kinds import path_of
from member_cluster import PATHS, SLOT, Member, workload

NAMES = ("m1", "m2", "m3")
NAMESPACE = "e2e"
LOCAL = "local"
# What is wrong in the tests is wrong since a moment ago.
SOON = ("--unschedulable-threshold=1s", "--failed-threshold=1s")
ENABLED = [{"groupVersion": "apps/v1", "resources": [
                {"kind": "Deployment", "name": "deployments"},
                {"kind": "StatefulSet", "name": "statefulsets"}]},
           {"groupVersion": "batch/v1", "resources": [{"kind": "Job", "name": "jobs"}]}]
ROLES = {"ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
         "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"}
REPORTED = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas",
            "unavailableReplicas", "observedGeneration")


def parallel(function, things):
    with ThreadPoolExecutor(len(NAMES)) as pool:
        return list(pool.map(function, things))


def replicas_of(thing):
    return thing["spec"]["parallelism" if thing["kind"] == "Job" else "replicas"]


def thousandths(cpu):
    return int(cpu[:-1]) if cpu.endswith("m") else int(cpu) * 1000


def summary(nodes, pods):
    """status.resourceSummary as Karmada's cluster controller counts it, of CPU and pods."""
    def amounts(of):
        cpu = sum(thousandths(p["spec"]["containers"][0]["resources"]["requests"]["cpu"])
                  for p in of)
        return {"cpu": f"{cpu}m", "pods": str(len(of))}

    running = [p for p in pods if p["status"].get("phase") not in ("Succeeded", "Failed")]
    bound = [p for p in running if p["spec"].get("nodeName")]
    waiting = [p for p in running if not p["spec"].get("nodeName")]
    room = [n["status"]["allocatable"] for n in nodes]
    return {"allocatable": {"cpu": f"{sum(thousandths(r['cpu']) for r in room)}m",
                            "memory": f"{64 * len(nodes)}Gi",
                            "pods": str(sum(int(r["pods"]) for r in room))},
            "allocated": amounts(bound), "allocating": amounts(waiting)}


class Federation:
    def __init__(self, context):
        self.context, self.plane = context, context.plane
        started = parallel(lambda name: Member(self.plane, name), NAMES)
        self.members = dict(zip(NAMES, started))
        self.front = Front(self.plane, self.members)
        self.each(self.grant)
        self.templates = {}
        self.plane.ensure_namespace("karmada-cluster")

    def stop(self):
        self.front.stop()
        for member in self.members.values():
            member.stop()

    def each(self, function):
        """function(member) for all of them, side by side."""
        return parallel(function, self.members.values())

    # --- Ballast ---

    @staticmethod
    def grant(member):
        """What Karmada would carry there: the roles that allow Ballast to read."""
        for role in references.carried(kustomize.render(CRONJOB / "karmada" / "members")):
            path = ROLES[role["kind"]]
            if not member.exists(f"{path}/{role['metadata']['name']}"):
                member.create(path, role)

    def allow_secrets(self):
        """What no shipped role allows: to read the members' credentials."""
        rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/karmada-cluster"
        if self.plane.exists(f"{rbac}/roles/e2e-secrets"):
            return
        self.plane.create(f"{rbac}/roles", {
            "metadata": {"name": "e2e-secrets"},
            "rules": [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}]})
        self.plane.create(f"{rbac}/rolebindings", {
            "metadata": {"name": "e2e-secrets"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role",
                        "name": "e2e-secrets"},
            "subjects": [{"kind": "ServiceAccount", "name": "ballast",
                          "namespace": "karmada-system"}]})

    def config(self, name="front", **user):
        return self.plane.kubeconfig(name, user or {"token": self.context.ballast_token},
                                     self.front.url)

    def start(self, *arguments, live=FAST, config=None, soon=SOON, **how):
        command, *flags = arguments
        return self.context.start(command, *soon, *flags, config=config or self.config(), live=live,
                                  **how)

    def ballast(self, *arguments, **how):
        return self.start(*arguments, **how).wait()

    # --- what is in the fleet ---

    def make(self, nodes=4, slots=12):
        """Empty members of equal size; nothing fails."""
        self.front.release()
        self.templates.clear()
        fleets.clear(self.plane)
        for path in PATHS.values():
            self.plane.delete(path.format(NAMESPACE))

        def prepare(member):
            member.revive()
            member.clear(NAMESPACE, LOCAL)
            member.add_nodes(nodes, slots)
        self.each(prepare)
        self.each(self.join)

    def join(self, member):
        """The Cluster, and the Secret with which Karmada reaches it."""
        cluster = fleets.cluster(member.name)
        secret = {"namespace": "karmada-cluster", "name": member.name}
        cluster["spec"].update(id=f"uid-{member.name}", apiEndpoint=member.url, secretRef=secret,
                               impersonatorSecretRef={**secret, "name": f"{member.name}-imp"})
        cluster["status"]["apiEnablements"] = ENABLED
        cluster["status"]["resourceSummary"] = summary(member.list("/api/v1/nodes"), [])
        fleets.load_object(self.plane, cluster)
        secrets = "/api/v1/namespaces/karmada-cluster/secrets"
        if not self.plane.exists(f"{secrets}/{member.name}"):
            self.plane.create(secrets, {
                "metadata": {"name": member.name}, "type": "Opaque",
                "data": {"token": base64.b64encode(member.token.encode()).decode(),
                         "caBundle": base64.b64encode(
                             member.certificates.ca.read_bytes()).decode()}})

    def add(self, name, split, kind="Deployment", **template):
        """A binding, as scheduled; in the members only after propagate()."""
        self.templates[name] = (kind, template)
        replicas = sum(split.values())
        thing = fleets.binding(name, split, replicas)
        thing["spec"]["resource"].update(
            kind=kind, apiVersion="batch/v1" if kind == "Job" else "apps/v1")
        thing["spec"]["replicaRequirements"]["resourceRequest"] = {
            "cpu": f"{template.get('cpu', SLOT)}m", "memory": "16Mi"}
        self.plane.create(fleets.BINDINGS, thing)
        self.plane.create(PATHS[kind].format(NAMESPACE), workload(kind, name, replicas, **template))

    def scale(self, name, split):
        self.plane.patch(f"{fleets.BINDINGS}/{name}", {"spec": {
            "replicas": sum(split.values()),
            "clusters": [{"name": n, "replicas": r} for n, r in sorted(split.items())]}})

    def splits(self):
        return fleets.splits(self.plane)

    def versions(self):
        return {b["metadata"]["name"]: b["metadata"]["resourceVersion"]
                for b in self.plane.list(fleets.BINDINGS)}

    # --- Karmada's part ---

    def propagate(self):
        """Writes, scales and deletes workloads in the members that can be reached."""
        bindings = self.plane.list(fleets.BINDINGS)
        self.each(lambda member: self.propagate_to(member, bindings))

    def propagate_to(self, member, bindings):
        if member.apiserver.poll() is not None:
            return
        there = self.workloads(member)
        kept = set()
        for binding in bindings:
            name, spec = binding["metadata"]["name"], binding["spec"]
            want = fleets.split_of(binding).get(member.name, 0)
            evicted = {t["fromCluster"] for t in spec.get("gracefulEvictionTasks", [])}
            if want:
                self.bring(member, name, want, there.get(name))
            if want or member.name in evicted:
                kept.add(name)
        for name in there.keys() - kept:
            member.delete(self.path(name) + "?propagationPolicy=Background")

    def path(self, name):
        return f"{PATHS[self.templates[name][0]].format(NAMESPACE)}/{name}"

    def bring(self, member, name, want, thing):
        kind, template = self.templates[name]
        if thing is None:
            member.create(PATHS[kind].format(NAMESPACE), workload(kind, name, want, **template))
        elif replicas_of(thing) != want:
            field = "parallelism" if kind == "Job" else "replicas"
            member.patch(self.path(name), {"spec": {field: want}})

    def workloads(self, member):
        """By name: those of bindings."""
        kinds = {kind for kind, _ in self.templates.values()}
        return {w["metadata"]["name"]: {**w, "kind": kind} for kind in kinds
                for w in member.list(PATHS[kind].format(NAMESPACE))}

    def report(self):
        """Says back: aggregatedStatus of the bindings, resourceSummary of the Clusters."""
        seen = dict(zip(self.members, self.each(self.report_member)))
        for binding in self.plane.list(fleets.BINDINGS):
            name = binding["metadata"]["name"]
            told = [self.told(cluster, seen[cluster][name]) for cluster in fleets.split_of(binding)
                    if name in seen[cluster]]
            self.plane.patch(f"{fleets.BINDINGS}/{name}/status",
                             {"status": {"aggregatedStatus": told}})

    def report_member(self, member):
        if member.apiserver.poll() is not None:
            return {}
        pods = member.list("/api/v1/pods")
        self.plane.patch(f"{path_of('Cluster')}/{member.name}/status", {"status": {
            "resourceSummary": summary(member.list("/api/v1/nodes"), pods)}})
        return self.workloads(member)

    @staticmethod
    def told(cluster, thing):
        status = {k: v for k, v in thing.get("status", {}).items() if k in REPORTED}
        good = status.get("readyReplicas", 0) == replicas_of(thing)
        return {"clusterName": cluster, "applied": True, "status": status,
                "health": "Healthy" if good else "Unhealthy"}

    def set_ready(self, name, ready, since="2026-01-01T00:00:00Z"):
        """What Karmada thinks of a member."""
        self.plane.patch(f"{path_of('Cluster')}/{name}/status", {"status": {"conditions": [{
            "type": "Ready", "status": "True" if ready else "False",
            "reason": "ClusterReady" if ready else "ClusterNotReachable",
            "lastTransitionTime": since}]}})

    def wait(self, **want):
        """Until each of these members has (ready, stuck) or (ready, stuck, other) pods of
        bindings."""
        parallel(lambda name: self.members[name].wait_for_pods(
            NAMESPACE, *want[name]), want)

    def wait_until_older(self, seconds=2):
        self.each(lambda m: m.apiserver.poll() is None and m.wait_until_older(NAMESPACE, seconds))
