# SPDX-License-Identifier: Apache-2.0
"""An estimator for each member, and the Services by which it is found: a stand-in on grpcio that
counts what is in the member; or what $E2E_ESTIMATOR names, a karmada-scheduler-estimator."""
import os
import pathlib
import subprocess
import sys
from datetime import datetime, timezone

from control_plane import free_ports, is_free, wait_for
from federation import NAMESPACE, thousandths
from member_cluster import condition_of, is_stuck

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "estimator"))

import servers  # noqa: E402 (after the path is set)

REAL = os.environ.get("E2E_ESTIMATOR")
SERVICES = "/api/v1/namespaces/karmada-system/services"
PREFIX = "karmada-scheduler-estimator"
PORT = 10352  # by which a Service's target is looked for


def age(pod):
    """Nanoseconds since it was found unschedulable."""
    since = condition_of(pod, "PodScheduled")["lastTransitionTime"].replace("Z", "+00:00")
    return (datetime.now(timezone.utc) - datetime.fromisoformat(since)).total_seconds() * 1e9


def room_on(node, pods, cpu):
    """How many more that ask for so much CPU, or for none."""
    mine = [p for p in pods if p["spec"].get("nodeName") == node["metadata"]["name"]
            and p["status"].get("phase") not in ("Succeeded", "Failed")]
    taken = sum(thousandths(p["spec"]["containers"][0]["resources"]["requests"]["cpu"])
                for p in mine)
    allocatable = node["status"]["allocatable"]
    slots = int(allocatable["pods"]) - len(mine)
    return min(slots, (thousandths(allocatable["cpu"]) - taken) // cpu) if cpu else slots


class StandIn(servers.GrpcServer):
    """Knows of Deployments and CPU, and of them as the tests make them."""

    def __init__(self, messages, member, **tls):
        self.member, self.seen = member, None
        self.asked = []  # (method, what)
        super().__init__(messages, **tls)
        self.port = self.ports[0]

    def look(self):
        """(nodes, pods, {(workload, age) of those that are stuck}), as long as nothing was written."""
        version = self.member.get("/api/v1/pods?limit=1")["metadata"]["resourceVersion"]
        seen = self.seen
        if seen is None or seen[0] != version:
            pods = self.member.list("/api/v1/pods")
            self.seen = seen = (version, self.member.list("/api/v1/nodes"), pods)
        return seen[1:]

    def expect_own(self, request, context):
        if request.cluster != self.member.name:
            context.abort(servers.grpc.StatusCode.UNKNOWN, "cluster name does not match, got: "
                          f"{request.cluster}, desire: {self.member.name}")

    def unschedulable(self, request, context):
        self.expect_own(request, context)
        self.asked.append(("GetUnschedulableReplicas", request.resource.name))
        _, pods = self.look()
        return self.messages.UnschedulableReplicasResponse(unschedulableReplicas=sum(
            p["metadata"]["namespace"] == request.resource.namespace
            and p["metadata"]["labels"].get("app") == request.resource.name
            and is_stuck(p) and age(p) > request.unschedulableThreshold for p in pods))

    def max_replicas(self, request, context):
        self.expect_own(request, context)
        cpu = request.replicaRequirements.resourceRequest["cpu"].string
        self.asked.append(("MaxAvailableReplicas", cpu))
        nodes, pods = self.look()
        return self.messages.MaxAvailableReplicasResponse(maxReplicas=sum(
            room_on(n, pods, thousandths(cpu or "0")) for n in nodes))


class Real:
    """karmada-scheduler-estimator; what it was asked stands in its log."""

    def __init__(self, member, tls):
        self.port, = free_ports(1)
        self.log = member.directory / "estimator.log"
        config = member.kubeconfig("estimator", {"token": member.token})
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [REAL, f"--kubeconfig={config}", f"--cluster-name={member.name}", "--v=4",
                 f"--server-port={self.port}", "--metrics-bind-address=0",
                 "--health-probe-bind-address=0", *tls], stdout=log, stderr=log)
        wait_for("karmada-scheduler-estimator", lambda: not is_free(self.port))

    def stop(self):
        self.process.kill()
        self.process.wait()


class Files:
    """What a stand-in reads its certificates from."""

    def __init__(self, directory):
        self.directory = directory

    def read(self, name):
        return (self.directory / name).read_bytes()


class Estimators:
    """One of each member, until stop(). With `mutual` over mTLS."""

    def __init__(self, federation, mutual=False):
        self.plane, self.servers = federation.plane, {}
        directory = self.plane.directory
        self.flags = self.certify() if mutual else []
        messages = None if REAL else self.messages()
        for name, member in federation.members.items():
            if REAL:
                server = Real(member, [
                    f"--grpc-auth-cert-file={directory}/server.crt",
                    f"--grpc-auth-key-file={directory}/server.key",
                    f"--grpc-client-ca-file={directory}/ca.crt"] if mutual else [])
            else:
                server = StandIn(messages, member, **(
                    {"tls": Files(directory), "client_ca": "ca.crt"} if mutual else {}))
            self.servers[name] = server
            self.publish(name, server.port)

    def messages(self):
        directory = self.plane.directory / "messages"
        directory.mkdir(exist_ok=True)
        return servers.compile_messages(directory)[0]

    def certify(self):
        """Makes the pairs of both sides; returns the flags for ours."""
        certificates = self.plane.certificates
        certificates.server("server")
        certificate, key = certificates.client("estimator-client", "ballast", [NAMESPACE])
        return [f"--scheduler-estimator-ca-file={certificates.ca}",
                f"--scheduler-estimator-cert-file={certificate}",
                f"--scheduler-estimator-key-file={key}"]

    def publish(self, name, port):
        """As for an estimator that runs outside of the host cluster."""
        self.hide(name)
        self.plane.create(SERVICES, {
            "metadata": {"name": f"{PREFIX}-{name}"},
            "spec": {"type": "ExternalName", "externalName": "127.0.0.1",
                     "ports": [{"port": PORT, "targetPort": port}]}})

    def hide(self, name):
        path = f"{SERVICES}/{PREFIX}-{name}"
        if self.plane.exists(path):
            self.plane.delete(path)

    def asked(self, name):
        """(method, what) of each call to one that is a stand-in."""
        return self.servers[name].asked

    def stop(self):
        for name, server in self.servers.items():
            server.stop()
            self.hide(name)
