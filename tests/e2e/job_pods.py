# SPDX-License-Identifier: Apache-2.0
"""Jobs of the real Job controller, whose pods are processes here: a stand-in plays the kubelets. It
gives a process the command, the arguments and the environment that the pod's spec asks for, says in
the pod's status what becomes of it, and lets it meet what pods meet.

On a server without Indexed Jobs (before Kubernetes 1.21) the controller makes, keeps and replaces
as many pods, but numbers none: there a pod is given the lowest index that no other pod has or has
had with success, which is the rule of the newer controller."""
import contextlib
import os
import re
import signal
import subprocess
import time
from collections import namedtuple

from control_plane import ADMIN, ApiError

NAMESPACE = "karmada-system"
JOBS = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
INDEX = "batch.kubernetes.io/job-completion-index"
STRATEGIC = "application/strategic-merge-patch+json"
PAUSE = 0.1

# What a pod meets: its start is `delay` seconds late (None: its node dies before that), it is
# killed so many seconds after the start (None: it is not), and in the end its node is lost and with
# it the word that all went well.
Fate = namedtuple("Fate", "delay kill_after is_lost")
FINE = Fate(0, None, False)

# What came of a process; times are of time.monotonic().
Ended = namedtuple("Ended", "index begin end status out err is_killed")


def has_indexed_jobs(plane):
    made = plane.create(f"{JOBS}?dryRun=All", manifest("probe", 1, ["true"], 1, 1))
    return made["spec"].get("completionMode") == "Indexed"


def field(path):
    return {"valueFrom": {"fieldRef": {"fieldPath": path}}}


def manifest(name, completions, command, seconds, retries):
    return {
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": {
            "completions": completions, "parallelism": completions, "completionMode": "Indexed",
            "backoffLimitPerIndex": retries, "backoffLimit": completions * retries,
            "activeDeadlineSeconds": seconds,
            "template": {"spec": {
                "restartPolicy": "Never", "terminationGracePeriodSeconds": 0, "containers": [{
                    "name": "ballast", "image": "ballast", "command": command[:1],
                    "args": command[1:], "env": [
                        # an Indexed Job has it without being told
                        {"name": "JOB_COMPLETION_INDEX",
                         **field(f"metadata.annotations['{INDEX}']")},
                        {"name": "CYCLE", **field("metadata.labels['job-name']")}]}]}}}}


def value_of(pod, path):
    """What the downward API makes of a path."""
    found = re.fullmatch(r"metadata\.(annotations|labels)\['([^']+)'\]", path)
    if found:
        return pod["metadata"].get(found[1], {}).get(found[2], "")
    return pod["metadata"][path.removeprefix("metadata.")]


def environment_of(pod):
    mine = {"PATH": os.environ["PATH"], "HOSTNAME": pod["metadata"]["name"], "HOME": "/",
            "KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}
    for variable in pod["spec"]["containers"][0].get("env", []):
        mine[variable["name"]] = (
            variable["value"] if "value" in variable
            else value_of(pod, variable["valueFrom"]["fieldRef"]["fieldPath"]))
    return mine


def command_of(pod, environment):
    """With $(NAME) filled in; what is no variable stays as it is."""
    container = pod["spec"]["containers"][0]
    return [re.sub(r"\$\(([A-Za-z_]\w*)\)", lambda m: environment.get(m[1], m[0]), word)
            for word in container["command"] + container["args"]]


class Pod:
    """A pod, and its process once it was started."""

    def __init__(self, plane, pod, fate):
        self.plane, self.pod, self.fate = plane, pod, fate
        self.path = f"{PODS}/{pod['metadata']['name']}"
        self.index = int(pod["metadata"]["annotations"][INDEX])
        self.created, self.begin = time.monotonic(), None
        self.popen = self.phase = None
        self.is_killed = False

    def step(self):
        """Returns what came of it, once."""
        now = time.monotonic()
        if self.phase in ("Succeeded", "Failed"):
            return None
        if self.fate.delay is None:
            return self.finish(now, 137, b"", b"its node died", True)
        if self.popen is None:
            if now >= self.created + self.fate.delay:
                self.start()
            return None
        if self.fate.kill_after is not None and now >= self.begin + self.fate.kill_after:
            self.kill()
        if self.popen.poll() is None:
            return None
        self.files[0].seek(0)
        self.files[1].seek(0)
        return self.finish(now, self.popen.returncode, self.files[0].read(), self.files[1].read(),
                           self.is_killed)

    def start(self):
        environment = environment_of(self.pod)
        name = self.plane.directory / self.pod["metadata"]["name"]
        self.files = [open(f"{name}.{stream}", "w+b") for stream in ("out", "err")]
        self.begin = time.monotonic()
        self.popen = subprocess.Popen(
            command_of(self.pod, environment), env=environment, stdin=subprocess.DEVNULL,
            stdout=self.files[0], stderr=self.files[1])
        self.say("Running", {"running": {"startedAt": stamp()}})

    def kill(self):
        if self.popen is not None and self.popen.poll() is None:
            self.popen.send_signal(signal.SIGKILL)
            self.popen.wait()
            self.is_killed = True

    def finish(self, now, status, out, err, is_killed):
        code = 128 - status if status < 0 else status
        if code == 0 and self.fate.is_lost:
            code = 137
        self.say("Failed" if code else "Succeeded", {"terminated": {
            "exitCode": code, "reason": "Error" if code else "Completed",
            "startedAt": stamp(), "finishedAt": stamp()}})
        return Ended(self.index, self.begin or now, now, status, out.decode(), err.decode(),
                     is_killed)

    def say(self, phase, state):
        """What is not there any more is not told of."""
        self.phase = phase
        status = {"phase": phase, "containerStatuses": [{
            "name": "ballast", "image": "ballast", "imageID": "", "restartCount": 0,
            "ready": phase == "Running", "state": state}]}
        with ignored(404, 409):
            self.plane.request("PATCH", self.path + "/status", {
                "metadata": {"uid": self.pod["metadata"]["uid"]}, "status": status}, STRATEGIC)

    def close(self):
        self.kill()
        if self.popen is not None:
            for file in self.files:
                file.close()
                os.unlink(file.name)


@contextlib.contextmanager
def ignored(*statuses):
    try:
        yield
    except ApiError as e:
        if e.status not in statuses:
            raise


def stamp():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Job:
    """`fate_of(index)` is asked once a pod. Within a `with` it exists."""

    def __init__(self, plane, thing, fate_of):
        self.plane, self.thing, self.fate_of = plane, thing, fate_of
        self.name = thing["metadata"]["name"]
        self.pods, self.ended = {}, []

    def __enter__(self):
        self.plane.create(JOBS, self.thing)
        return self

    def __exit__(self, *_):
        for pod in self.pods.values():
            pod.close()
        with ignored(404):
            self.plane.delete(f"{JOBS}/{self.name}?propagationPolicy=Background")

    def step(self):
        """As much of the kubelets' work as there is now; returns what ended."""
        fresh = []
        for pod in self.plane.get(f"{PODS}?labelSelector=job-name%3D{self.name}")["items"]:
            name = pod["metadata"]["name"]
            if name not in self.pods and self.number(pod):
                index = int(pod["metadata"]["annotations"][INDEX])
                self.pods[name] = Pod(self.plane, pod, self.fate_of(index))
        for pod in self.pods.values():
            came = pod.step()
            if came is not None:
                fresh.append(came)
        self.ended += fresh
        return fresh

    def number(self, pod):
        """Whether it has an index."""
        annotations = pod["metadata"].setdefault("annotations", {})
        if INDEX not in annotations:
            taken = {p.index for p in self.pods.values() if p.phase != "Failed"}
            free = [i for i in range(self.thing["spec"]["completions"]) if i not in taken]
            if not free:
                return False
            annotations[INDEX] = str(free[0])
            with ignored(404):
                self.plane.patch(f"{PODS}/{pod['metadata']['name']}",
                                 {"metadata": {"annotations": {INDEX: str(free[0])}}})
        return True

    def is_failed(self):
        """Whether the controller has given it up."""
        status = self.plane.get(f"{JOBS}/{self.name}").get("status", {})
        return any(c["type"] == "Failed" and c["status"] == "True"
                   for c in status.get("conditions", []))


def start_controller(plane):
    """The real Job controller, and who removes the pods of Jobs that are gone."""
    config = plane.kubeconfig("controllers", {"token": ADMIN})
    version = int(plane.get("/version")["minor"].rstrip("+"))
    return plane.spawn(
        "kube-controller-manager", f"--kubeconfig={config}", "--controllers=job,garbagecollector",
        "--kube-api-qps=500", "--kube-api-burst=1000", "--leader-elect=false", "--secure-port=0",
        *(["--port=0"] if version < 23 else []))
