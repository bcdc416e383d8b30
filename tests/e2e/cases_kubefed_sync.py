# SPDX-License-Identifier: Apache-2.0
"""The KubeFed host of the tests, by itself: what the server takes, what is said of clusters, and how
members follow federated objects. What the other cases show rests on it."""
import collections
import contextlib
import http.server
import ssl
import threading

import kubefed_kinds as kinds
from control_plane import ApiError
from harness import Failure, expect, expect_equal
from kubefed import NAMESPACE, ReadyPods
from kubefed_kinds import KFNS, path_of
from kubefed_sync import MANAGED
from member_cluster import workload


def refused(k, thing):
    try:
        kinds.create(k.host, thing)
    except ApiError as e:
        expect_equal(e.status, 422, f"the answer to {thing['metadata']['name']}")
        return
    raise Failure(f"{thing['kind']} {thing['metadata']['name']} was taken")


def deployment(name, overrides, where=None):
    return kinds.federated_object("FederatedDeployment", name, NAMESPACE,
                                  {"spec": {"replicas": 2, "odd": {"kept": [None]}}},
                                  where or kinds.placement(["m1"]), overrides)


def case_kubefed_kinds(c):
    """What upstream's schemas refuse is refused, what they do not name is dropped, and a template
    is kept as it is."""
    k = c.kubefed()
    k.make()
    refused(k, deployment("a", [{"clusterName": "m1", "clusterOverrides": [
        {"op": "move", "path": "/spec/replicas", "value": 1}]}]))
    refused(k, deployment("b", [{"clusterName": "m1", "clusterOverrides": [{"value": 1}]}]))
    refused(k, deployment("c", [], {"clusters": [{}]}))
    wrong = kinds.preference("d", NAMESPACE, 3)
    del wrong["spec"]["targetKind"]
    refused(k, wrong)
    wrong = kinds.cluster("e", "https://e", b"")
    del wrong["spec"]["secretRef"]
    refused(k, wrong)
    refused(k, kinds.whole_object("KubeFedConfig", "f", KFNS, {"featureGates": []}))
    thing = deployment("g", kinds.replicas_overrides({"m1": 2}))
    thing["spec"]["heard"] = thing["spec"]["placement"]["of"] = "never"
    made = kinds.create(k.host, thing)
    expect("heard" not in made["spec"] and "of" not in made["spec"]["placement"], "not dropped")
    expect_equal(made["spec"]["template"], thing["spec"]["template"], "the template")
    expect_equal([r["metadata"]["name"] for r in k.host.list(path_of("FederatedTypeConfig", KFNS))],
                 ["deployments.apps", "namespaces", "replicasets.apps"], "types")


def conditions(k, name):
    status = k.host.get(f"{path_of('KubeFedCluster', KFNS)}/{name}")["status"]
    return {c["type"]: c["status"] for c in status["conditions"]}


@contextlib.contextmanager
def unwell(c, answer):
    """(address, CA) of a server that says that to every question."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802 (the library's name)
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*c.plane.certificates.server("unwell"))
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", c.plane.certificates.ca.read_bytes()
    finally:
        server.shutdown()
        server.server_close()


def case_kubefed_health(c):
    """Each way in which a cluster is well or not, the threshold, and the times."""
    k = c.kubefed()
    k.make()
    expect_equal([conditions(k, n) for n in k.members], [{"Ready": "True"}] * 3, "clusters")
    with unwell(c, b"no") as (address, authority):
        kinds.create(k.host, kinds.cluster("odd", address, authority))
        k.give_token("odd", "word")
        k.health.probe()
        expect_equal(conditions(k, "odd"), {"Ready": "False", "Offline": "False"}, "not ok")
    k.host.patch(f"/api/v1/namespaces/{KFNS}/secrets/odd-token", {"data": {"token": ""}})
    k.health.restart()
    k.health.probe()
    expect_equal(conditions(k, "odd"), {"ConfigMalformed": "True"}, "without a token")

    k.members["m3"].kill()
    try:
        k.health.probe(2)
        expect_equal(conditions(k, "m3"), {"Ready": "True"}, "below the threshold")
        k.health.probe()
        expect_equal(conditions(k, "m3"), {"Offline": "True"}, "of a dead cluster")
        k.health.set_back("m3", 600)
        since = [x["lastTransitionTime"] for x in k.health.known["m3"].status["conditions"]]
        k.health.probe()
        status = k.host.get(f"{path_of('KubeFedCluster', KFNS)}/m3")["status"]
        expect_equal([x["lastTransitionTime"] for x in status["conditions"]], since, "since when")
        expect(status["conditions"][0]["lastProbeTime"] > since[0], "no new probe")
        k.health.restart()
        k.health.probe()
        expect(k.health.known["m3"].status["conditions"][0]["lastTransitionTime"] > since[0],
               "a controller that was started again knows since when")
    finally:
        k.members["m3"].revive()
    k.health.probe()
    expect_equal(conditions(k, "m3"), {"Ready": "True"}, "of a cluster that is back")


def said(k, name):
    status = k.host.get(k.path(name))["status"]
    propagation, = status["conditions"]
    return (propagation["status"], propagation.get("reason"),
            {x["name"]: x.get("status", "") for x in status["clusters"]})


def whys(writes):
    return collections.Counter((w.cluster, w.verb, w.why) for w in writes)


def case_kubefed_follows(c):
    """Members follow placement and overrides; where nothing changed nothing is written; where only
    the order changed it is, everywhere."""
    k = c.kubefed()
    k.make()
    k.add("web", {"m1": 2, "m2": 3})
    expect_equal(whys(k.carry()), {("m1", "create", "new"): 1, ("m2", "create", "new"): 1},
                 "the first writes")
    k.wait(m1=(2, 0), m2=(3, 0), m3=(0, 0))
    there = k.deployment("m1", "web")
    expect_equal((there["spec"]["replicas"], there["metadata"]["labels"]),
                 (2, {"app": "web", MANAGED: "true"}), "the Deployment in m1")
    expect_equal((k.carry(), said(k, "web")), ([], ("True", None, {"m1": "", "m2": ""})),
                 "once it is there")

    k.set("web", {"m1": 2, "m2": 2, "m3": 1})
    writes = k.carry()
    expect_equal(whys(writes), {("m1", "update", "beside"): 1, ("m2", "update", "replicas"): 1,
                                ("m3", "create", "new"): 1}, "one replica moved")
    expect_equal([w.took for w in sorted(writes)], [False, True, True], "other objects than before")
    k.wait(m1=(2, 0), m2=(2, 0), m3=(1, 0))

    turned = kinds.replicas_overrides({"m3": 1, "m2": 2, "m1": 2})
    k.host.patch(k.path("web"), {"spec": {"overrides": turned}})
    expect_equal(whys(k.carry()), {(n, "update", "needless"): 1 for n in k.members}, "a new order")

    k.members["m2"].patch(f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/web",
                          {"spec": {"replicas": 5}})
    expect_equal(whys(k.carry()), {("m2", "update", "drift"): 1}, "a member changed by somebody")
    k.bound(["m1", "m2"])
    k.sync.sync()
    expect_equal(said(k, "web"), ("False", "CheckClusters", {"m1": "", "m2": "",
                                                           "m3": "WaitingForRemoval"}), "said")
    expect_equal(k.sync.settle(), [], "once it is gone")
    expect(k.deployment("m3", "web") is None, "it is still in m3")
    k.wait(m1=(2, 0), m2=(2, 0), m3=(0, 0))


def case_kubefed_overrides(c):
    """An override wins over what is retained, other paths take effect, and what somebody keeps for
    himself in a member stays his."""
    k = c.kubefed()
    k.make()
    k.members["m2"].create(f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments", {
        **workload("Deployment", "mine", 1), "metadata": {"name": "mine", "labels": {MANAGED: "false"}}})
    k.add("mine", {"m1": 1, "m2": 1})
    k.add("kept", {"m1": 1, "m2": 1}, retain=True)
    k.host.patch(k.path("kept"), {"spec": {"overrides": [
        *kinds.replicas_overrides({"m1": 1}),
        {"clusterName": "m2", "clusterOverrides": [
            {"op": "add", "path": "/metadata/labels/where", "value": "m2"}]}]}})
    k.carry()
    expect_equal(said(k, "mine")[2], {"m1": "", "m2": "ManagedLabelFalse"}, "said of mine")
    expect_equal(k.deployment("m2", "kept")["metadata"]["labels"]["where"], "m2", "a label")
    for name in ("m1", "m2"):
        k.members[name].patch(f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/kept",
                              {"spec": {"replicas": 3}})
    k.carry()
    expect_equal([k.deployment(n, "kept")["spec"]["replicas"] for n in ("m1", "m2")], [1, 3],
                 "with an override, and without")


def case_kubefed_lost(c):
    """What is no longer placed in a cluster when it comes back is deleted there, though its pods are
    well: this is what Ballast has to spare them."""
    k = c.kubefed()
    k.make()
    k.add("web", {"m1": 1, "m2": 1, "m3": 2})
    k.carry()
    k.wait(m1=(1, 0), m2=(1, 0), m3=(2, 0))
    pods = ReadyPods(k)
    pods.look()
    k.members["m3"].kill()
    k.health.probe(3)
    expect_equal(conditions(k, "m3"), {"Offline": "True"}, "m3")
    k.set("web", {"m1": 2, "m2": 2})
    k.carry()
    k.wait(m1=(2, 0), m2=(2, 0))
    pods.look()
    k.members["m3"].revive()
    writes = k.carry()
    expect_equal(whys(writes), {("m3", "delete", "gone"): 1}, "when it is back")
    k.wait(m1=(2, 0), m2=(2, 0), m3=(0, 0))
    pods.look()
    expect_equal((pods.died["m3"], pods.fewest), (2, 4), "ready pods that died, fewest")
