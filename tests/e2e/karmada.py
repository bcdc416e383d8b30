# SPDX-License-Identifier: Apache-2.0
"""Karmada's own programs beside Ballast: karmada-scheduler and karmada-controller-manager, and
karmada-descheduler where it is there, in the directory that E2E_KARMADA names. They propagate real
Deployments to the three members. What its webhooks would fill in, the tests do."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess

import fleets
import karmada_kinds
from control_plane import ADMIN, free_ports, wait_for
from estimators import Estimators
from federation import NAMES, NAMESPACE
from harness import Failure, expect
from karmada_kinds import INNER_KINDS, is_served, path_of
from member_cluster import PATHS, workload

DIRECTORY = os.environ.get("E2E_KARMADA")
POLICY_ID = "propagationpolicy.karmada.io/permanent-id"
BINDING_ID = "resourcebinding.karmada.io/permanent-id"
CONTROLLERS = ("cluster", "clusterStatus", "binding", "bindingStatus", "execution", "workStatus",
               "gracefulEviction", "applicationFailover")
# A cluster is known to be lost after seconds.
QUICK = ("--cluster-status-update-frequency=1s", "--cluster-failure-threshold=2s",
         "--cluster-success-threshold=1s", "--cluster-monitor-period=1s",
         "--cluster-monitor-grace-period=10s",
         "--skipped-propagating-namespaces=karmada-.*,kube-.*")


class Karmada:
    """`with Karmada(context) as karmada:`; afterwards its objects are gone, and so is it. With
    `estimators` of the members they are asked."""

    def __init__(self, context, *controller_flags, estimators=False):
        self.context, self.plane = context, context.plane
        self.asks, self.estimators = estimators, None
        self.federation = context.federation()
        self.flags = controller_flags
        self.programs = {}

    def __enter__(self):
        missing = [k for k in INNER_KINDS if not is_served(self.plane, k[2])]
        karmada_kinds.install(self.plane, kinds=missing)
        self.federation.make(nodes=2, slots=10)
        self.federation.front.published = karmada_kinds.published()
        try:
            self.start("karmada-controller-manager", *QUICK, *self.flags, "--v=2",
                       f"--controllers={','.join(CONTROLLERS)}",
                       "--health-probe-bind-address", self.address(), "--metrics-bind-address=0")
            wait_for("the members' states", self.is_told, 120, 0.3)
            if self.asks:
                self.estimators = Estimators(self.federation)
            self.start("karmada-scheduler", "--v=4", f"--enable-scheduler-estimator={self.asks}",
                       "--health-probe-bind-address", self.address(), "--metrics-bind-address",
                       self.address())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            self.federation.each(lambda member: member.revive())
            self.clear()
        finally:
            for program in self.programs.values():
                program.send_signal(signal.SIGKILL)
                program.wait()
            if self.estimators is not None:
                self.estimators.stop()
            self.federation.front.published = {}
            self.let_go()

    @staticmethod
    def address():
        return f"127.0.0.1:{free_ports(1)[0]}"

    def start(self, name, *flags):
        """Old API servers know nothing of lists that are streamed, and say nothing about it."""
        config = self.plane.kubeconfig("karmada", {"token": ADMIN})
        with open(self.log_of(name), "ab") as log:
            self.programs[name] = subprocess.Popen(
                [pathlib.Path(DIRECTORY) / name, f"--kubeconfig={config}", "--leader-elect=false",
                 *flags], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                env={**self.context.environment(), "KUBE_FEATURE_WatchListClient": "false"})

    @contextlib.contextmanager
    def held(self, name):
        """It stands still meanwhile."""
        self.programs[name].send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.programs[name].send_signal(signal.SIGCONT)

    def log_of(self, name):
        return self.plane.directory / f"{name}.log"

    def check(self):
        """What ended without being told to is said at once, and not after a time-out."""
        for name, program in self.programs.items():
            if program.poll() is not None:
                raise RuntimeError(f"{name} ended:\n"
                                   + self.log_of(name).read_text(errors="replace")[-2000:])

    def is_told(self):
        """Whether Karmada has found all members, and found them well."""
        self.check()
        return all("kubernetesVersion" in c["status"] and is_ready(c)
                   for c in self.plane.list(path_of("Cluster")))

    def clear(self):
        """Karmada takes its own things away, in its own order."""
        for path in (path_of("PropagationPolicy", NAMESPACE), PATHS["Deployment"].format(NAMESPACE),
                     fleets.BINDINGS):
            self.plane.delete(path)
        wait_for("Karmada to let go of its bindings", lambda: not self.plane.list(fleets.BINDINGS),
                 60, 0.3)

    def let_go(self):
        """Nobody is there any more to heed the finalizers."""
        spaces = [f"karmada-es-{name}" for name in NAMES]
        for path in (fleets.BINDINGS, path_of("ClusterResourceBinding"), path_of("Cluster"),
                     *(path_of("Work", space) for space in spaces)):
            for thing in self.plane.list(path):
                name = thing["metadata"]["name"]
                self.plane.patch(f"{path}/{name}", {"metadata": {"finalizers": None}})
            self.plane.delete(path)
        for space in spaces:
            path = f"/api/v1/namespaces/{space}"
            if self.plane.exists(path):
                self.plane.delete(path)
                self.plane.request("PUT", path + "/finalize", {
                    "metadata": {"name": space}, "spec": {"finalizers": []}})

    @staticmethod
    def has_cluster_failover():
        """Whether a policy may say how its workloads leave a lost cluster: since v1.15."""
        return karmada_kinds.knows("PropagationPolicy", "spec", "failover", "cluster")

    # --- what is in it ---

    def add(self, name, replicas, placement=fleets.DYNAMIC, failover=None, wait=True, **template):
        """A Deployment and its policy; the binding is Karmada's to make and to schedule. `wait`:
        until it is scheduled."""
        policy = {"metadata": {"name": name, "labels": {POLICY_ID: f"policy-{name}"}}, "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": name}],
            "placement": placement, "schedulerName": "default-scheduler",
            "conflictResolution": "Abort", "preemption": "Never",
            "propagateDeps": failover is not None}}
        if failover is not None:
            policy["spec"]["failover"] = failover
        self.plane.create(path_of("PropagationPolicy", NAMESPACE),
                          {"apiVersion": "policy.karmada.io/v1alpha1", "kind": "PropagationPolicy",
                           **policy})
        path = self.path(name)
        with self.held("karmada-scheduler"):  # the binding has its label before it is propagated
            self.plane.create(PATHS["Deployment"].format(NAMESPACE),
                              workload("Deployment", name, replicas, **template))
            wait_for(f"the binding of {name}", lambda: self.plane.exists(path))
            self.plane.patch(path, {"metadata": {"labels": {BINDING_ID: f"binding-{name}"}}})
        if wait:
            wait_for(f"{name} to be scheduled", lambda: self.is_scheduled(name, replicas))

    @staticmethod
    def path(name):
        return f"{fleets.BINDINGS}/{name}-deployment"

    @staticmethod
    def template(name):
        return f"{PATHS['Deployment'].format(NAMESPACE)}/{name}"

    def is_there(self, name, cluster):
        return self.federation.members[cluster].exists(self.template(name))

    def binding(self, name):
        return self.plane.get(self.path(name))

    def split(self, name):
        return fleets.split_of(self.binding(name))

    def tasks(self, name):
        return self.binding(name)["spec"].get("gracefulEvictionTasks", [])

    def is_observed(self, name):
        """Whether the scheduler has looked at it as it is now."""
        thing = self.binding(name)
        return (thing.get("status", {}).get("schedulerObservedGeneration")
                == thing["metadata"]["generation"])

    def is_scheduled(self, name, replicas):
        return fleets.total(self.split(name)) == replicas and self.is_observed(name)

    def health(self, name):
        """What is said of it, by cluster."""
        return {s["clusterName"]: s.get("health")
                for s in self.binding(name).get("status", {}).get("aggregatedStatus", [])}

    def is_healthy(self, name):
        """Whether all of its targets are said to be."""
        health = self.health(name)
        return all(health.get(cluster) == "Healthy" for cluster in self.split(name))

    def wait_until(self, what, name, condition, seconds=60):
        """condition(name)"""
        try:
            wait_for(f"{name} to be {what}", lambda: condition(name), seconds, 0.1)
        except TimeoutError as e:
            thing = self.binding(name)
            raise Failure(f"{e}: {thing['metadata']['generation']} "
                          f"{json.dumps(thing['spec'].get('clusters'))} "
                          f"{json.dumps(thing.get('status'))}") from None

    def ignored(self):
        """How many changes the scheduler has passed over, since the specification was the same."""
        return self.log_of("karmada-scheduler").read_text(errors="replace").count(
            "as specification no change")

    def expect_seen_and_left(self, name, split):
        """The scheduler has looked at what was written, and left it."""
        self.wait_until("observed", name, self.is_observed)
        expect(self.split(name) == split, f"karmada-scheduler made {self.split(name)} of {split}")


def is_ready(cluster):
    return any(c["type"] == "Ready" and c["status"] == "True"
               for c in cluster["status"].get("conditions", []))
