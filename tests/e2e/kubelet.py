# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the kubelets of a member: pods that the scheduler has bound become what their
image says. "app:1" is running and ready, "broken:1" cannot be pulled, "crash:1" does not stay up,
"bad-in-m1:1" neither, but in m1 alone, "done:1" has ended well. Pods that are to go are let go."""
import http.client
import json
import queue
import threading
import time
import urllib.parse

from control_plane import ADMIN, ApiError

WORKERS = 3
BOUND = "fieldSelector=" + urllib.parse.quote("spec.nodeName!=")


def condition(kind, good, now, reason=None):
    told = {"type": kind, "status": "True" if good else "False", "lastTransitionTime": now}
    return {**told, "reason": reason} if reason else told


def container(spec, now, waiting=None, message=None):
    state = {"running": {"startedAt": now}}
    if waiting:
        state = {"waiting": {"reason": waiting, "message": message}}
    return {"name": spec["name"], "image": spec["image"], "imageID": "", "ready": not waiting,
            "restartCount": 7 if waiting == "CrashLoopBackOff" else 0, "state": state,
            "lastState": {}}


def status_of(pod, member):
    """What a kubelet would say of it."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    spec = pod["spec"]["containers"][0]
    waiting = message = None
    phase = "Running"
    if spec["image"].startswith("broken"):
        phase, waiting = "Pending", "ImagePullBackOff"
        message = f'Back-off pulling image "{spec["image"]}"'
    elif spec["image"].startswith(("crash", f"bad-in-{member}:")):
        waiting = "CrashLoopBackOff"
        message = "back-off 10s restarting failed container"
    elif spec["image"].startswith("done"):
        phase = "Succeeded"
    good = phase == "Running" and not waiting
    reason = None if good else "PodCompleted" if phase == "Succeeded" else "ContainersNotReady"
    return {"phase": phase, "startTime": now, "containerStatuses": [
                container(spec, now, waiting, message)],
            "conditions": [condition("Initialized", True, now),
                           condition("ContainersReady", good, now, reason),
                           condition("Ready", good, now, reason)]}


def is_seen(pod):
    return any(c["type"] == "Ready" for c in pod.get("status", {}).get("conditions", []))


class Kubelets:
    def __init__(self, member):
        self.member, self.stopped = member, False
        self.work, self.connection = queue.Queue(), None
        for target in [self.watch] + [self.do] * WORKERS:
            threading.Thread(target=target, daemon=True).start()

    def stop(self):
        self.stopped = True
        for _ in range(WORKERS):
            self.work.put(None)
        connection = self.connection
        if connection is not None and connection.sock is not None:
            try:
                connection.sock.shutdown(2)  # wakes the reader
            except OSError:
                pass

    def watch(self):
        while not self.stopped:
            try:
                self.follow(self.take_all())
            except (OSError, ApiError, ValueError, http.client.HTTPException):
                time.sleep(0.2)

    def take_all(self):
        """All that are there; returns the resourceVersion to go on from."""
        pods = self.member.get(f"/api/v1/pods?{BOUND}")
        for pod in pods["items"]:
            self.work.put(pod)
        return pods["metadata"]["resourceVersion"]

    def follow(self, version):
        self.connection = http.client.HTTPSConnection(
            "127.0.0.1", self.member.port, context=self.member.tls, timeout=300)
        try:
            self.connection.request(
                "GET", f"/api/v1/pods?{BOUND}&watch=1&resourceVersion={version}",
                headers={"Authorization": f"Bearer {ADMIN}"})
            answer = self.connection.getresponse()
            while not self.stopped:
                line = answer.readline()
                if not line:
                    return
                event = json.loads(line)
                if event["type"] == "ERROR":
                    return
                if event["type"] != "DELETED":
                    self.work.put(event["object"])
        finally:
            self.connection.close()

    def do(self):
        while True:
            pod = self.work.get()
            if pod is None or self.stopped:
                return
            try:
                self.act(pod)
            except ApiError as e:
                if e.status >= 500 or e.status == 429:
                    self.again(pod)
            except (OSError, http.client.HTTPException):
                self.again(pod)

    def again(self, pod):
        if not self.stopped:
            time.sleep(0.2)
            self.work.put(pod)

    def act(self, pod):
        metadata = pod["metadata"]
        path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"
        if "deletionTimestamp" in metadata:
            self.member.request("DELETE", path, {
                "gracePeriodSeconds": 0, "preconditions": {"uid": metadata["uid"]}})
        elif not is_seen(pod):
            self.member.request("PATCH", path + "/status", {
                "metadata": {"uid": metadata["uid"]}, "status": status_of(pod, self.member.name)},
                "application/strategic-merge-patch+json")
