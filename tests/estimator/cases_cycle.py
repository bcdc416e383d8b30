# SPDX-License-Identifier: Apache-2.0
"""Whole command lines: a control plane that is only lists, and estimators on grpcio for its members."""
import json
import pathlib
import socket
import subprocess
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import grpc

from cases import Failure, expect, expect_equal
from servers import GrpcServer

CLUSTERS = "/apis/cluster.karmada.io/v1alpha1/clusters"
BINDINGS = "/apis/work.karmada.io/v1alpha2/resourcebindings"
SERVICES = "/api/v1/namespaces/karmada-system/services"
KINDS = {CLUSTERS: ("cluster.karmada.io/v1alpha1", "ClusterList"),
         BINDINGS: ("work.karmada.io/v1alpha2", "ResourceBindingList"),
         "/apis/work.karmada.io/v1alpha2/clusterresourcebindings":
             ("work.karmada.io/v1alpha2", "ClusterResourceBindingList"),
         SERVICES: ("v1", "ServiceList")}
MINUTE = 60 * 10**9
NOW = "2030-01-01T00:00:00Z"


class ControlPlane:
    """Lists of what is in `objects`, by path; everything else is not found."""

    def __init__(self):
        self.objects = {path: [] for path in KINDS}
        plane = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):  # noqa: N802 (the library's name)
                path = urllib.parse.urlsplit(self.path).path
                status, body = plane.answer(path)
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path):
        if path not in self.objects:
            return 404, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404,
                         "reason": "NotFound", "message": f"{path} is not here"}
        api_version, kind = KINDS[path]
        return 200, {"apiVersion": api_version, "kind": kind, "items": self.objects[path],
                     "metadata": {"resourceVersion": "7"}}

    def kubeconfig(self, directory):
        path = pathlib.Path(directory) / "kubeconfig"
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {
                "server": f"http://127.0.0.1:{self.server.server_address[1]}"}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "users": [{"name": "u", "user": {}}]}))
        return str(path)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Estimators(GrpcServer):
    """One server for all members; it answers by tables, and what is not there with an error."""

    def __init__(self, messages, stuck, room, sets=None, **options):
        self.stuck, self.room = stuck, room  # {(cluster, name): replicas}, {(cluster, cpu): replicas}
        self.sets = sets or {}  # {cluster: sets}
        self.asked = []
        super().__init__(messages, **options)

    def unschedulable(self, request, context):
        resource = request.resource
        self.asked.append((request.cluster, resource.apiVersion, resource.kind,
                           f"{resource.namespace}/{resource.name}",
                           request.unschedulableThreshold))
        return self.messages.UnschedulableReplicasResponse(
            unschedulableReplicas=self.stuck[request.cluster, resource.name])

    def max_replicas(self, request, context):
        cpu = request.replicaRequirements.resourceRequest["cpu"].string
        self.asked.append((request.cluster, cpu))
        return self.messages.MaxAvailableReplicasResponse(
            maxReplicas=self.room[request.cluster, cpu])

    def max_sets(self, request, context):
        parts = tuple((c.name, c.replicas, c.replicaRequirements.resourceRequest["cpu"].string)
                      for c in request.components)
        self.asked.append((request.cluster, request.namespace, parts))
        if request.cluster not in self.sets:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "unknown method MaxAvailableComponentSets")
        return self.messages.MaxAvailableComponentSetsResponse(maxSets=self.sets[request.cluster])


def planned(run):
    """The report but for which fleet it is about."""
    return run.stdout[run.stdout.index('"summary"'):]


def cluster(name):
    return {"metadata": {"name": name}, "spec": {"syncMode": "Push"}, "status": {
        "conditions": [{"type": "Ready", "status": "True"}],
        "apiEnablements": [{"groupVersion": "apps/v1", "resources": [{"kind": "Deployment"}]}],
        "resourceSummary": {"allocatable": {"cpu": "100", "memory": "1Ti", "pods": "1000"}}}}


def binding(name, replicas, cpu, ready):
    """All of it in m1, where so many are ready."""
    labels = {"propagationpolicy.karmada.io/permanent-id": f"policy-{name}"}
    return {"metadata": {"name": name, "namespace": "shop", "resourceVersion": "5",
                         "labels": labels}, "spec": {
        "resource": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop",
                     "name": name},
        "replicas": replicas, "replicaRequirements": {"resourceRequest": {"cpu": cpu}},
        "placement": {"replicaScheduling": {
            "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted",
            "weightPreference": {"dynamicWeight": "AvailableReplicas"}}},
        "clusters": [{"name": "m1", "replicas": replicas}]}, "status": {
        "aggregatedStatus": [{"clusterName": "m1", "applied": True, "status": {
            "replicas": replicas, "readyReplicas": ready}}]}}


def set_binding(name):
    """A workload of two components in m1, which is lost."""
    parts = [("head", 1, "1"), ("worker", 3, "2")]
    return {"metadata": {"name": name, "namespace": "shop", "resourceVersion": "5",
                         "labels": {"propagationpolicy.karmada.io/permanent-id": f"policy-{name}"}},
            "spec": {
        "resource": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop",
                     "name": name},
        "components": [{"name": n, "replicas": r,
                        "replicaRequirements": {"resourceRequest": {"cpu": cpu}}}
                       for n, r, cpu in parts],
        "failover": {"cluster": {"purgeMode": "Gracefully"}},
        "placement": {"spreadConstraints": [
            {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 1}]},
        "clusters": [{"name": "m1"}]}}


def service(member, port):
    return {"metadata": {"name": f"karmada-scheduler-estimator-{member}"},
            "spec": {"type": "ExternalName", "externalName": "127.0.0.1",
                     "ports": [{"port": 10352, "targetPort": port}]}}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def ballast(context, *arguments):
    done = subprocess.run([context.ballast, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120)
    if done.returncode != 0:
        raise Failure(f"ballast {arguments[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done


def splits(plan):
    return {i["name"]: {t["name"]: t["replicas"] for t in i["after"]} for i in plan["items"]}


def case_plan_by_estimators(context):
    """Over mTLS: what is stuck and where there is room, from estimators alone; one member's is dead.
    The snapshot of it plans to the same, byte for byte."""
    tls = context.certificates
    server = context.start(Estimators(
        context.messages, tls=tls, client_ca="ca.crt",
        stuck={("m1", "web"): 3, ("m1", "cart"): 0},
        room={("m1", "500m"): 0, ("m2", "500m"): 1}))
    plane = context.start(ControlPlane())
    plane.objects[CLUSTERS] = [cluster(n) for n in ("m1", "m2", "m3")]
    # all of `well` is ready, so nobody is asked about it
    plane.objects[BINDINGS] = [binding("cart", 4, "1", 2), binding("web", 5, "0.5", 2),
                               binding("well", 3, "2", 3)]
    plane.objects[SERVICES] = [service("m1", server.ports[0]), service("m2", server.ports[0]),
                               service("m3", free_port())]
    config = plane.kubeconfig(context.directory)
    live = ["--kubeconfig", config, "--sources=estimator", "-v1",
            "--scheduler-estimator-ca-file", tls.path("ca.crt"),
            "--scheduler-estimator-cert-file", tls.path("client.crt"),
            "--scheduler-estimator-key-file", tls.path("client.key")]
    plan = ["plan", "-o", "json", "--show-all", "--now", NOW]

    first = ballast(context, *plan, *live)
    expect_equal(sorted(server.asked), sorted([
        ("m1", "apps/v1", "Deployment", "shop/web", 5 * MINUTE),
        ("m1", "apps/v1", "Deployment", "shop/cart", 5 * MINUTE),
        ("m1", "500m"), ("m2", "500m")]), "what estimators were asked")
    got = splits(json.loads(first.stdout))
    expect_equal(got["cart"], {"m1": 4}, "cart: nothing of it is stuck")
    expect_equal(sum(got["web"].values()), 5, f"web: {got}")
    expect(got["web"]["m1"] == 2 and got["web"].get("m2", 0) <= 1, f"web: {got}")
    for word in ("member m3: its estimator does not tell: ", "estimators: 5 calls, 1 failed",
                 "read from control plane: ", "read from estimators, room: 3 requests"):
        expect(word in first.stderr, f"{word!r} is not in {first.stderr}")
    expect("m1" not in first.stderr.partition("does not tell")[0].rpartition("member")[2],
           f"who does not tell: {first.stderr}")

    copy = pathlib.Path(context.directory) / "copy"
    ballast(context, "snapshot", copy, *live)
    again = ballast(context, *plan, "--sources=estimator", "--fleet", copy)
    expect_equal(planned(again), planned(first), "the plan of the snapshot")
    redacted = pathlib.Path(context.directory) / "redacted"
    ballast(context, "snapshot", redacted, "--redact", *live)
    other = json.loads(ballast(context, *plan, "--sources=estimator", "--fleet",
                               redacted).stdout)
    expect_equal([sorted(i.values()) for i in splits(other).values()],
                 [sorted(i.values()) for i in splits(json.loads(first.stdout)).values()],
                 "the plan of the redacted snapshot")


def case_plan_by_estimators_in_clear_text(context):
    """Without a CA it is clear text, as upstream; many bindings of few kinds share their questions."""
    count = 300
    server = context.start(Estimators(
        context.messages,
        stuck={("m1", f"web-{i}"): 1 for i in range(count)},
        room={(m, cpu): 1000 for m in ("m1", "m2") for cpu in ("1", "2", "3")}))
    plane = context.start(ControlPlane())
    plane.objects[CLUSTERS] = [cluster("m1"), cluster("m2")]
    plane.objects[BINDINGS] = [binding(f"web-{i}", 2, i % 3 + 1, 1) for i in range(count)]
    plane.objects[SERVICES] = [service(m, server.ports[0]) for m in ("m1", "m2")]
    done = ballast(context, "plan", "-o", "json", "--sources=estimator,status", "--kubeconfig",
                   plane.kubeconfig(context.directory))
    expect_equal(len(server.asked), count + 3 * 2, "questions")
    summary = json.loads(done.stdout)["summary"]
    return f"{len(server.asked)} questions for {count} bindings: {json.dumps(summary)[:200]}"


def case_component_sets_by_estimators(context):
    """A whole set moves to where an estimator has room for one; who does not know of sets is well."""
    server = context.start(Estimators(context.messages, stuck={}, room={},
                                      sets={"m3": 0, "m4": 1}))
    plane = context.start(ControlPlane())
    plane.objects[CLUSTERS] = [cluster(n) for n in ("m1", "m2", "m3", "m4")]
    plane.objects[CLUSTERS][0]["status"]["conditions"] = [
        {"type": "Ready", "status": "False", "lastTransitionTime": "2020-01-01T00:00:00Z"}]
    plane.objects[CLUSTERS][1]["status"]["resourceSummary"]["allocatable"]["cpu"] = "6"
    plane.objects[BINDINGS] = [set_binding("ray")]
    plane.objects[SERVICES] = [service(f"m{i}", server.ports[0]) for i in range(2, 5)]
    live = ["--kubeconfig", plane.kubeconfig(context.directory), "--sources=estimator", "-v1"]
    plan = ["plan", "-o", "json", "--show-all", "--now", NOW]

    first = ballast(context, *plan, *live)
    parts = (("head", 1, "1"), ("worker", 3, "2"))
    expect_equal(sorted(server.asked), [(f"m{i}", "shop", parts) for i in range(2, 5)],
                 "what estimators were asked")
    expect_equal([t["name"] for t in json.loads(first.stdout)["items"][0]["after"]], ["m4"],
                 "where the set is moved")
    expect("does not tell" not in first.stderr and "0 failed" in first.stderr, first.stderr)

    copy = pathlib.Path(context.directory) / "sets"
    ballast(context, "snapshot", copy, *live)
    again = ballast(context, *plan, "--sources=estimator", "--fleet", copy)
    expect_equal(planned(again), planned(first), "the plan of the snapshot")
