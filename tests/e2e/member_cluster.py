# SPDX-License-Identifier: Apache-2.0
"""A member cluster: a real kube-apiserver, kube-scheduler and kube-controller-manager. Nodes are
objects of the API, and a stand-in plays their kubelets."""
import http.client
import json
import signal
import time
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

from control_plane import ADMIN, ControlPlane, free_ports, wait_for
from kubelet import Kubelets

KARMADA = "karmada-token"
BALLAST = "system:serviceaccount:kube-federation-system:ballast"  # with its own account there
SLOT = 500  # thousandths of a CPU: everything in the tests asks for this much
CONTROLLERS = "deployment,replicaset,statefulset,job,garbagecollector,disruption"
NOISY = {"--v": 0, "--kube-api-qps": 500, "--kube-api-burst": 1000, "--leader-elect": "false",
         "--secure-port": 0}
EVERYTHING = (
    "/apis/apps/v1/namespaces/{}/deployments", "/apis/apps/v1/namespaces/{}/statefulsets",
    "/apis/batch/v1/namespaces/{}/jobs", "/apis/apps/v1/namespaces/{}/replicasets",
    "/api/v1/namespaces/{}/pods?gracePeriodSeconds=0", "/api/v1/namespaces/{}/events")
PATHS = {"Deployment": "/apis/apps/v1/namespaces/{}/deployments",
         "StatefulSet": "/apis/apps/v1/namespaces/{}/statefulsets",
         "Job": "/apis/batch/v1/namespaces/{}/jobs"}


def audit_policy(users):
    return {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
            "rules": [{"level": "Metadata", "users": users}, {"level": "None"}]}


def pod_template(name, image="app:1", cpu=SLOT, **spec):
    return {"metadata": {"labels": {"app": name}}, "spec": {
        "terminationGracePeriodSeconds": 0, "containers": [{
            "name": "main", "image": image,
            "resources": {"requests": {"cpu": f"{cpu}m", "memory": "16Mi"}}}], **spec}}


def workload(kind, name, replicas, **template):
    """A Deployment, StatefulSet or Job; `template` as for pod_template."""
    selector = {"matchLabels": {"app": name}}
    spec = {"replicas": replicas, "selector": selector, "template": pod_template(name, **template)}
    if kind == "StatefulSet":
        spec.update(serviceName=name, podManagementPolicy="Parallel")
    if kind == "Job":
        spec = {"parallelism": replicas,
                "template": pod_template(name, restartPolicy="Never", **template)}
    return {"apiVersion": "batch/v1" if kind == "Job" else "apps/v1", "kind": kind,
            "metadata": {"name": name}, "spec": spec}


def condition_of(pod, kind):
    return next((c for c in pod.get("status", {}).get("conditions", []) if c["type"] == kind), {})


def is_stuck(pod):
    scheduled = condition_of(pod, "PodScheduled")
    return scheduled.get("status") == "False" and scheduled.get("reason") == "Unschedulable"


def is_ready(pod):
    return condition_of(pod, "Ready").get("status") == "True"


class Member(ControlPlane):
    # nodes would be tainted until a controller that does not run here has seen them
    admission_off = "ServiceAccount,TaintNodesByCondition"
    has_custom_resources = False
    controllers_on = CONTROLLERS
    controllers_token = ADMIN
    controllers_flags = ()

    def __init__(self, plane, name):
        directory = plane.directory / "members" / name
        directory.mkdir(parents=True)
        self.name, self.user = name, f"karmada-{name}"
        self.scheduler = self.controllers = self.kubelets = self.scheduler_flags = None
        super().__init__(plane.binaries, directory, plane, f"/{name}")
        self.start_controllers()

    def write_files(self):
        super().write_files()
        (self.directory / "audit-policy").write_text(json.dumps(audit_policy([self.user, BALLAST])))
        with open(self.directory / "tokens", "a", encoding="ascii") as tokens:
            tokens.write(f'{KARMADA}-{self.name},{self.user},{self.user},"system:masters"\n')

    @property
    def token(self):
        """What Karmada was given at the join."""
        return f"{KARMADA}-{self.name}"

    # --- processes ---

    def start_controllers(self):
        version = int(self.get("/version")["minor"].rstrip("+"))
        config = self.kubeconfig("controllers", {"token": self.controllers_token})
        flags = [f"{k}={v}" for k, v in NOISY.items()]
        if version < 23:
            flags.append("--port=0")
        self.controllers = self.spawn(
            "kube-controller-manager", f"--kubeconfig={config}", f"--controllers={self.controllers_on}",
            *self.controllers_flags, *flags)
        self.scheduler_flags = [self.scheduler_config(config, version),
                                *[f for f in flags if "port" in f], "--v=0"]
        self.start_scheduler()
        self.start_kubelets()

    def start_scheduler(self):
        self.scheduler = self.spawn("kube-scheduler", *self.scheduler_flags)

    def start_kubelets(self):
        self.kubelets = Kubelets(self)

    def scheduler_settings(self):
        """Beside those that every member has."""
        return {}

    def scheduler_config(self, kubeconfig, version):
        """What does not fit is tried again within three seconds, and not within ten."""
        served = "v1" if version >= 25 else "v1beta2" if version >= 23 else "v1beta1"
        config = {"apiVersion": f"kubescheduler.config.k8s.io/{served}",
                  "kind": "KubeSchedulerConfiguration",
                  "clientConnection": {"kubeconfig": str(kubeconfig), "qps": 500, "burst": 1000},
                  "leaderElection": {"leaderElect": False},
                  "podInitialBackoffSeconds": 1, "podMaxBackoffSeconds": 3,
                  **self.scheduler_settings()}
        if version < 23:
            address = f"127.0.0.1:{free_ports(1)[0]}"  # none at all would be the default one
            config.update(healthzBindAddress=address, metricsBindAddress=address)
        path = self.directory / "scheduler.json"
        path.write_text(json.dumps(config))
        return f"--config={path}"

    def stop_controllers(self):
        if self.kubelets is not None:
            self.kubelets.stop()
        for process in (self.scheduler, self.controllers):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()
        self.scheduler = self.controllers = self.kubelets = None

    def check(self):
        """What ended without being told to is said at once, and not after a time-out."""
        for name, process in (("kube-scheduler", self.scheduler),
                              ("kube-controller-manager", self.controllers)):
            if process is not None and process.poll() is not None:
                log = (self.directory / f"{name}.log").read_text(errors="replace")
                raise RuntimeError(f"{self.name}'s {name} ended:\n" + log[-2000:])

    def kill(self):
        """The API server is gone, and who speaks to it has nothing to do."""
        self.stop_controllers()
        self.kill_apiserver()

    def revive(self):
        if self.apiserver.poll() is not None:
            self.start_apiserver()
        if self.controllers is None:
            self.start_controllers()

    def stop(self):
        self.stop_controllers()
        super().stop()

    # --- what is in it ---

    def add_nodes(self, count, slots):
        """Nodes on which so many pods find room."""
        for i in range(count):
            self.create("/api/v1/nodes", {
                "metadata": {"name": f"{self.name}-node-{i}",
                             "labels": {"kubernetes.io/hostname": f"{self.name}-node-{i}"}},
                "status": {"allocatable": {"cpu": f"{slots * SLOT}m", "memory": "64Gi",
                                           "pods": str(slots + 50)},
                           "conditions": [{"type": "Ready", "status": "True"}]}})

    def clear(self, *namespaces):
        """Nothing is left but the namespaces."""
        for namespace in namespaces:
            self.ensure_namespace(namespace)
            for path in EVERYTHING:
                self.delete(path.format(namespace))
        self.delete("/api/v1/nodes")
        pods = [f"/api/v1/namespaces/{n}/pods" for n in namespaces]

        def is_empty():
            """Controllers that have not heard of it yet may make some more."""
            self.check()
            left = [p for p in pods if self.get(p + "?limit=1")["items"]]
            for path in left:
                self.delete(path + "?gracePeriodSeconds=0")
            return not left
        wait_for(f"{self.name} to be empty", is_empty, 180, 0.3)

    def pods(self, namespace):
        return self.list(f"/api/v1/namespaces/{namespace}/pods")

    def fill(self, slots, namespace="local"):
        """Local work takes that many."""
        self.create(PATHS["Deployment"].format(namespace),
                    workload("Deployment", "batch", slots, image="local:1"))
        self.wait_for_pods(namespace, ready=slots)

    def counts(self, namespace):
        """(ready, stuck, all)"""
        pods = self.pods(namespace)
        return sum(map(is_ready, pods)), sum(map(is_stuck, pods)), len(pods)

    def wait_for_pods(self, namespace, ready, stuck=0, other=0):
        """Until there are so many, and no others: for each of them a second, if it must be."""
        want, last = (ready, stuck, ready + stuck + other), None
        seconds = 180 + sum(want)
        deadline = time.monotonic() + seconds
        while last != want:
            begin = time.monotonic()
            if begin > deadline:
                raise TimeoutError(f"{self.name}: {last} pods ready, stuck, in all after "
                                   f"{seconds}s, want {want}")
            self.check()
            last = self.counts(namespace)
            if last != want:  # to look at thousands is work for the server, too
                time.sleep(max(0.3, 2 * (time.monotonic() - begin)))

    def now(self):
        """The server's clock."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.tls,
                                                 timeout=60)
        connection.request("GET", "/version", headers={"Authorization": f"Bearer {ADMIN}"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return parsedate_to_datetime(answer.headers["Date"]).astimezone(timezone.utc)

    def shift_conditions(self, pod, seconds):
        """As if what is wrong with it had been seen by a clock that is ahead."""
        def later(text):
            return (datetime.fromisoformat(text.replace("Z", "+00:00"))
                    + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.request(
            "PATCH", f"/api/v1/namespaces/{pod['metadata']['namespace']}/pods/"
            f"{pod['metadata']['name']}/status",
            {"status": {"conditions": [{**c, "lastTransitionTime": later(c["lastTransitionTime"])}
                                       for c in pod["status"]["conditions"]]}},
            "application/strategic-merge-patch+json")

    def wait_until_older(self, namespace, seconds):
        """Until what is wrong with the pods is wrong for longer than that."""
        def is_old():
            times = [c["lastTransitionTime"] for p in self.pods(namespace) if not is_ready(p)
                     for c in p["status"].get("conditions", []) if c["status"] == "False"]
            newest = max(times, default="2000-01-01T00:00:00Z")
            age = self.now() - datetime.fromisoformat(newest.replace("Z", "+00:00"))
            return age.total_seconds() > seconds
        wait_for(f"pods in trouble for {seconds}s", is_old, 60, 0.3)
