# SPDX-License-Identifier: Apache-2.0
"""Beside Karmada's own programs (where E2E_KARMADA names them): what Ballast writes is looked at by
karmada-scheduler and left as it is, is carried out by Karmada's controllers, and is all there is to
do; what is theirs is left to them."""
import json
import time

import fleets
from control_plane import wait_for
from federation import ROLES
from harness import CHANGES, DONE, DoesNotApply, expect, expect_equal
from karmada import Karmada
from karmada_kinds import path_of
from member_cluster import PATHS

STATIC = fleets.static_weights(m1=1, m2=1, m3=1)
CLUSTER_POLICY_ID = "clusterpropagationpolicy.karmada.io/permanent-id"
RECORD = "ballast.io/last-move"
AT_ONCE = ("--unhealthy-cluster-threshold=1s",)
DESCHEDULER = "/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/karmada-descheduler"


def need_cluster_failover():
    if not Karmada.has_cluster_failover():
        raise DoesNotApply("no policy of this release says how workloads leave a lost cluster")


def drain(karmada, name):
    """Its nodes are cordoned, and its pods deleted: those that take their place are stuck."""
    member = karmada.federation.members[name]
    for node in member.list("/api/v1/nodes"):
        member.patch(f"/api/v1/nodes/{node['metadata']['name']}", {"spec": {"unschedulable": True}})
    pods = len(member.pods("e2e"))
    member.delete("/api/v1/namespaces/e2e/pods?gracePeriodSeconds=0")
    member.wait_for_pods("e2e", ready=0, stuck=pods)
    return pods


def expect_nothing_to_do(karmada):
    karmada.federation.ballast("plan", "--detailed-exitcode").ended(DONE)


def run(karmada, *flags):
    return karmada.federation.ballast("run", *flags).ended(DONE)


def lose(karmada, name):
    """Its API server is gone, and Karmada knows it for more than a second."""
    cluster = f"{path_of('Cluster')}/{name}"

    def is_missed():
        return any(x["type"] == "Ready" and x["status"] != "True"
                   for x in karmada.plane.get(cluster)["status"]["conditions"])
    karmada.federation.members[name].kill()
    wait_for(f"Karmada to miss {name}", is_missed, 60, 0.3)
    time.sleep(2)


def live_case_karmada_stuck(c):
    """Replicas that a drained member cannot run are moved, and stay where they were moved to."""
    with Karmada(c) as k:
        k.add("dynamic", 9)
        k.add("static", 6, STATIC)
        for name in ("dynamic", "static"):
            k.wait_until("healthy", name, k.is_healthy)
        expect_nothing_to_do(k)

        there = drain(k, "m1")
        expect(there >= 2, f"{there} pods in m1")
        k.federation.wait_until_older()
        k.federation.ballast("plan", "--detailed-exitcode").ended(CHANGES)
        run(k)
        for name, replicas in (("dynamic", 9), ("static", 6)):
            after = k.split(name)
            expect_equal(fleets.total(after), replicas, f"replicas of {name}")
            expect("m1" not in after, f"{name} stays in m1: {after}")
            k.expect_seen_and_left(name, after)
            k.wait_until("healthy", name, k.is_healthy)
            k.expect_seen_and_left(name, after)
        k.federation.wait(m1=(0, 0))
        k.federation.wait_until_older()
        expect_nothing_to_do(k)


def live_case_karmada_record(c):
    """The record of a move, changed alone, is passed over by the scheduler."""
    with Karmada(c) as k:
        k.add("web", 3)
        k.wait_until("healthy", "web", k.is_healthy)
        time.sleep(2)  # until its status is at rest
        before, passed = k.binding("web"), k.ignored()
        record = {"time": "2026-01-01T00:00:00Z", "from": [{"name": "m1", "replicas": 1}],
                  "to": [{"name": "m2", "replicas": 1}], "reason": "UnschedulableReplicas",
                  "attempt": 1}
        written = k.plane.patch(k.path("web"), {"metadata": {"annotations": {
            RECORD: json.dumps(record)}}})
        wait_for("the scheduler to see it", lambda: k.ignored() > passed, 20)
        time.sleep(2)
        after = k.binding("web")
        expect_equal(after["metadata"]["resourceVersion"], written["metadata"]["resourceVersion"],
                     "written again by somebody: the version")
        expect_equal((after["spec"], after["status"]), (before["spec"], before["status"]),
                     "spec and status")


def lost_without_cluster_failover(k):
    """Before v1.15: the configuration alone says how, and the task has the older name."""
    k.add("web", 6)
    k.wait_until("healthy", "web", k.is_healthy)
    lose(k, "m1")
    with k.held("karmada-controller-manager"):
        run(k, *AT_ONCE)
        expect_equal([t["purgeMode"] for t in k.tasks("web")], ["Graciously"], "tasks")
    after = k.split("web")
    expect(fleets.total(after) == 6 and "m1" not in after, f"it became {after}")
    k.wait_until("rid of its task", "web", lambda n: not k.tasks(n))
    k.wait_until("healthy", "web", k.is_healthy)
    k.expect_seen_and_left("web", after)
    k.federation.members["m1"].revive()
    wait_for("m1 to be well", k.is_told, 60, 0.3)
    k.federation.wait(m1=(0, 0))
    k.expect_seen_and_left("web", after)
    expect_nothing_to_do(k)


def live_case_karmada_lost(c):
    """Workloads leave a member that is gone; Karmada ends the tasks, and removes what was left
    behind when the member is back. No policy can ask for purge mode Never: the configuration does."""
    config = c.plane.directory / "never.yaml"
    config.write_text("apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
                      "failover: {purgeMode: Never}\n")
    with Karmada(c) as k:
        if not k.has_cluster_failover():
            lost_without_cluster_failover(k)
            return
        k.add("graceful", 6, failover={"cluster": {"purgeMode": "Gracefully"}})
        k.add("direct", 6, failover={"cluster": {"purgeMode": "Directly"}})
        k.add("never", 3)
        replicas = {"graceful": 6, "direct": 6, "never": 3}
        for name in replicas:
            k.wait_until("healthy", name, k.is_healthy)
        left = k.split("never")["m1"]
        lose(k, "m1")
        run(k, f"--config={config}", *AT_ONCE)
        after = {name: k.split(name) for name in replicas}
        for name, split in after.items():
            expect_equal(fleets.total(split), replicas[name], f"replicas of {name}")
            expect("m1" not in split, f"{name} stays in m1: {split}")
        for name in ("graceful", "direct"):
            k.wait_until("rid of its task", name, lambda n: not k.tasks(n))
        expect_equal([t["purgeMode"] for t in k.tasks("never")], ["Never"], "tasks of never")
        for name, split in after.items():
            k.wait_until("healthy", name, k.is_healthy)
            k.expect_seen_and_left(name, split)

        k.federation.members["m1"].revive()
        k.federation.wait(m1=(left, 0))
        wait_for("m1 to be well", k.is_told, 60, 0.3)
        k.plane.request("PATCH", k.path("never"), [{
            "op": "replace", "path": "/spec/gracefulEvictionTasks/0/suppressDeletion",
            "value": False}], "application/json-patch+json")
        k.federation.wait(m1=(0, 0))
        for name, split in after.items():
            k.expect_seen_and_left(name, split)
        expect_nothing_to_do(k)


def live_case_karmada_state(c):
    """What a workload had told of its state in the member that it leaves, its replacement is given
    as a label."""
    need_cluster_failover()
    rules = [{"aliasLabelName": "resume-from", "jsonPath": "{.readyReplicas}"}]
    with Karmada(c, "--feature-gates=StatefulFailoverInjection=true") as k:
        k.add("web", 1, failover={"cluster": {"purgeMode": "Directly",
                                              "statePreservation": {"rules": rules}}})
        k.wait_until("healthy", "web", k.is_healthy)
        source, = k.split("web")
        k.plane.patch(f"{path_of('Cluster')}/{source}", {"spec": {"taints": [{
            "key": "incident", "effect": "NoExecute", "timeAdded": "2026-01-01T00:00:00Z"}]}})
        run(k)
        target, = k.split("web")
        expect(target != source, f"it stays in {source}")

        def label():
            return k.is_there("web", target) and k.federation.members[target].get(
                k.template("web"))["metadata"]["labels"].get("resume-from") == "1"
        wait_for("its label", label)


def live_case_karmada_directly(c):
    """With purge mode Directly nothing runs anew while the old member does not answer, until Karmada
    gives up (here after fifteen seconds), or an operator does: as docs/dev/failover.md and the runbook
    say."""
    need_cluster_failover()
    only_m1 = {"clusterAffinity": {"clusterNames": ["m1"]}, **fleets.DYNAMIC}
    names = ("patient", "urgent")
    with Karmada(c, "--graceful-eviction-timeout=15s") as k:
        for name in names:
            k.add(name, 1, only_m1, failover={"cluster": {"purgeMode": "Directly"}})
            k.wait_until("healthy", name, k.is_healthy)
            k.plane.patch(path_of("PropagationPolicy", "e2e") + f"/{name}",
                          {"spec": {"placement": {"clusterAffinity": None}}})
        for name in names:
            k.wait_until("free to go", name, lambda n: k.is_observed(n)
                         and "clusterAffinity" not in k.binding(n)["spec"]["placement"])
        lose(k, "m1")
        run(k, *AT_ONCE)
        targets = {name: next(iter(k.split(name))) for name in names}
        expect("m1" not in targets.values(), f"they stay in m1: {targets}")
        time.sleep(3)
        for name in names:
            expect(not k.is_there(name, targets[name]), f"{name} runs already")
        expect_nothing_to_do(k)

        works = path_of("Work", "karmada-es-m1")
        work, = [w["metadata"]["name"] for w in k.plane.list(works)
                 if w["metadata"]["name"].startswith("urgent-")]
        k.plane.patch(f"{works}/{work}", {"metadata": {"finalizers": None}})
        k.wait_until("healthy", "urgent", k.is_healthy)
        expect(not k.is_there("patient", targets["patient"]), "patient did not wait")
        k.wait_until("rid of its task", "patient", lambda n: not k.tasks(n))
        k.wait_until("healthy", "patient", k.is_healthy)
        for name in names:
            k.expect_seen_and_left(name, {targets[name]: 1})


def live_case_karmada_failback(c):
    """Replicas that left a member return when it is back for long enough; karmada-scheduler leaves
    the one as the other."""
    config = c.plane.directory / "failback.yaml"
    config.write_text("""
apiVersion: ballast.io/v1beta1
kind: BallastConfiguration
triggers: {Imbalance: true}
thresholds: {unhealthyCluster: 1s, clusterStabilization: 1s}
balance: {staticWeights: true, moveRunning: true, stabilizationWindow: 5s}
cooldown: {initial: 5s, max: 1m}
""")
    with Karmada(c) as k:
        k.add("web", 6, STATIC)
        k.wait_until("healthy", "web", k.is_healthy)
        wanted = k.split("web")
        lose(k, "m1")
        run(k, f"--config={config}")
        away = k.split("web")
        expect("m1" not in away, f"it stays in m1: {away}")
        k.wait_until("healthy", "web", k.is_healthy)
        k.federation.members["m1"].revive()
        wait_for("m1 to be well", k.is_told, 60, 0.3)
        run(k, f"--config={config}")
        k.expect_seen_and_left("web", away)
        time.sleep(7)
        run(k, f"--config={config}")
        k.expect_seen_and_left("web", wanted)
        k.wait_until("healthy", "web", k.is_healthy)
        k.federation.ballast("plan", f"--config={config}", "--detailed-exitcode").ended(DONE)


def live_case_karmada_taints(c):
    """Where Karmada's taint manager evicts, Ballast leaves it to it, and finds nothing to do when it
    is done."""
    with Karmada(c, "--feature-gates=Failover=true",
                 "--enable-no-execute-taint-eviction=true") as k:
        k.add("web", 6)
        k.wait_until("healthy", "web", k.is_healthy)
        with k.held("karmada-controller-manager"):
            k.plane.patch(f"{path_of('Cluster')}/m1", {"spec": {"taints": [{
                "key": "cluster.karmada.io/not-ready", "effect": "NoExecute",
                "timeAdded": "2026-01-01T00:00:00Z"}]}})
            items = run(k, "-o", "json").document["items"]
            item, = [i for i in items if i["name"] == "web-deployment"]
            expect("LeftToKarmadaFailover" in [r["code"] for r in item["reasons"]],
                   f"its reasons: {item['reasons']}")
            expect_equal(k.tasks("web"), [], "tasks of ours")
        producers = set()

        def is_evicted(name):
            thing = k.binding(name)
            producers.update(t["producer"] for t in thing["spec"].get("gracefulEvictionTasks", []))
            return "m1" not in fleets.split_of(thing)
        k.wait_until("evicted from m1", "web", is_evicted)
        expect_equal(producers, {"TaintManager"}, "who evicts")
        k.wait_until("scheduled", "web", lambda n: k.is_scheduled(n, 6))
        expect_nothing_to_do(k)


def live_case_karmada_evict(c):
    """In mode Evict, karmada-scheduler places what Ballast takes away."""
    with Karmada(c) as k:
        k.add("web", 9)
        k.wait_until("healthy", "web", k.is_healthy)
        there = drain(k, "m1")
        k.federation.wait_until_older()
        run(k, "--mode=Evict")
        k.wait_until("placed anew", "web", lambda n: k.is_scheduled(n, 9))
        expect(there > 0, "nothing was in m1")


def live_case_karmada_descheduler(c):
    """A karmada-descheduler that runs, too, is warned about where there is something to do."""
    with Karmada(c) as k:
        said = "karmada-descheduler"
        k.add("web", 3)
        if k.plane.exists(DESCHEDULER):
            k.plane.delete(DESCHEDULER)
        with k.held("karmada-scheduler"):
            k.plane.patch(k.template("web"), {"spec": {"replicas": 4}})
            k.wait_until("short", "web", lambda n: k.binding(n)["spec"]["replicas"] == 4)
            expect(said not in k.federation.ballast("plan").err, "warned about nobody")
            k.start("karmada-descheduler", "--leader-elect=true", "--descheduling-interval=1h",
                    "--health-probe-bind-address", k.address(), "--metrics-bind-address",
                    k.address())
            wait_for("its Lease", lambda: k.plane.exists(DESCHEDULER))
            err = k.federation.ballast("plan").err
            expect(said in err, f"no warning: {err}")


def live_case_karmada_reschedule(c):
    """A fresh schedule that was asked for and that the scheduler has made is not made again."""
    with Karmada(c) as k:
        k.add("web", 6)
        k.wait_until("healthy", "web", k.is_healthy)
        time.sleep(2)
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        k.plane.patch(k.path("web"), {"spec": {"rescheduleTriggeredAt": now}})
        k.wait_until("scheduled anew", "web", lambda n: k.is_observed(n)
                     and k.binding(n)["status"]["lastScheduledTime"] >= now)
        k.wait_until("healthy", "web", k.is_healthy)
        expect_nothing_to_do(k)


def live_case_karmada_application(c):
    """Replicas that fail in one member alone, of a workload that asks for application failover.
    Ballast moves them while Karmada's own controller waits, and that has nothing to do any more."""
    mode = "Gracefully" if Karmada.has_cluster_failover() else "Graciously"  # until v1.14
    failover = {"application": {"decisionConditions": {"tolerationSeconds": 6},
                                "purgeMode": mode, "gracePeriodSeconds": 30}}
    with Karmada(c) as k:
        k.add("web", 6, failover=failover, image="bad-in-m1:1")
        k.federation.wait(m1=(0, 0, 2), m2=(2, 0), m3=(2, 0))
        k.wait_until("unhealthy in m1 alone", "web", lambda n: k.health(n) == {
            "m1": "Unhealthy", "m2": "Healthy", "m3": "Healthy"})
        time.sleep(1)  # until Karmada's controller, too, has forgotten how they began
        with k.held("karmada-controller-manager"):
            k.federation.wait_until_older(7)
            run(k)
            after = k.split("web")
            expect_equal(fleets.total(after), 6, "replicas")
            expect("m1" not in after, f"they stay in m1: {after}")
            task, = k.tasks("web")
            expect_equal((task["fromCluster"], task["producer"]), ("m1", "ballast"), "the task")
            expect_nothing_to_do(k)
        k.wait_until("rid of its task", "web", lambda n: not k.tasks(n))
        k.expect_seen_and_left("web", after)
        k.federation.wait(m1=(0, 0))
        k.wait_until("healthy", "web", k.is_healthy)
        time.sleep(7)
        k.expect_seen_and_left("web", after)
        expect_nothing_to_do(k)


def live_case_karmada_unjoined(c):
    """A member whose Cluster is being deleted is left by karmada-scheduler; Ballast in the midst of
    it does no harm, and finds nothing to do when it is done."""
    with Karmada(c) as k:
        k.add("web", 6)
        k.wait_until("healthy", "web", k.is_healthy)
        with k.held("karmada-scheduler"):
            k.plane.delete(f"{path_of('Cluster')}/m1")
            run(k)
            after = k.split("web")
            expect_equal(fleets.total(after), 6, "replicas")
            expect("m1" not in after, f"they stay in m1: {after}")
        k.wait_until("scheduled", "web", lambda n: k.is_scheduled(n, 6))
        expect_equal(k.split("web"), after, "what the scheduler made of it")
        k.wait_until("healthy", "web", k.is_healthy)
        expect_nothing_to_do(k)


def live_case_karmada_storm(c):
    """Users scale workloads while m1 is drained, karmada-scheduler places what is new, and Ballast
    runs again and again. In the end everything runs, and no move was in vain."""
    names = [f"app-{i}" for i in range(6)]
    with Karmada(c) as k:
        for name in names:
            k.add(name, 3)
        for name in names:
            k.wait_until("healthy", name, k.is_healthy)
        drain(k, "m1")
        replicas = dict.fromkeys(names, 3)
        for turn in range(8):
            name = c.random.choice(names)
            replicas[name] = c.random.randint(2, 6)
            k.plane.patch(k.template(name),
                          {"spec": {"replicas": replicas[name]}})
            if turn % 2:
                time.sleep(1)
            k.federation.ballast("run").ended(DONE)

        def is_settled(name):
            return k.is_scheduled(name, replicas[name]) and k.is_healthy(name)
        for _ in range(10):
            time.sleep(3)  # what came last is there by then, and stuck for long enough
            run(k)
            if all(map(is_settled, names)):
                break
        for name in names:
            k.wait_until("settled", name, is_settled, 5)
            record = json.loads(k.binding(name)["metadata"]["annotations"].get(RECORD, "{}"))
            expect(record.get("attempt", 1) == 1, f"{name} was moved in vain: {record}")
        expect_nothing_to_do(k)


def live_case_karmada_members(c):
    """Karmada carries the shipped roles to the members, and Ballast sees what runs there."""
    f = c.federation()
    roles = [f"{path}/ballast-member" for path in ROLES.values()]

    def take_back(member):
        member.revive()
        for role in filter(member.exists, roles):
            member.delete(role)

    def are_there():
        return all(m.exists(role) for m in f.members.values() for role in roles)
    c.plane.patch(path_of("ClusterPropagationPolicy") + "/ballast-member",
                  {"metadata": {"labels": {CLUSTER_POLICY_ID: "ballast-member"}}})
    f.each(take_back)
    try:
        with Karmada(c) as k:
            wait_for("the roles in the members", are_there, 60, 0.3)
            k.add("web", 3)
            k.wait_until("healthy", "web", k.is_healthy)
            drain(k, "m1")
            k.federation.wait_until_older()
            plan = k.federation.ballast("plan", "-o", "json", "--detailed-exitcode").ended(CHANGES)
            item, = plan.document["items"]
            expect_equal([(x["type"], x["cluster"]) for x in item["findings"]],
                         [("UnschedulableReplicas", "m1")], "what is found")
    finally:
        f.each(f.grant)
