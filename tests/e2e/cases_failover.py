# SPDX-License-Identifier: Apache-2.0
"""Clusters that are lost: what a real API server takes, and what it is told."""
import copy
import datetime
import json

import fleets
import karmada_kinds
from harness import DONE, LEASE, REFUSED, expect, expect_equal

RULES = {"rules": [{"aliasLabelName": "resume-from", "jsonPath": "{.checkpoints[0].id}"}]}


def lose(c, *names):
    """They answer no longer since ten minutes: the guard counts no cluster that is lost for a day."""
    since = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=10)
    for name in names:
        path = karmada_kinds.path_of("Cluster") + f"/{name}/status"
        c.plane.patch(path, {"status": {"conditions": [{
            "type": "Ready", "status": "Unknown", "reason": "StatusUnknown",
            "lastTransitionTime": since.strftime("%Y-%m-%dT%H:%M:%SZ")}]}})


def add(c, name, spec=None, status=None):
    """A binding in m1 alone, with more in its spec and status."""
    thing = copy.deepcopy(fleets.binding(name, {"m1": 2}, 2))
    thing["spec"].update(spec or {})
    c.plane.create(fleets.BINDINGS, thing)
    if status:
        c.plane.patch(f"{fleets.BINDINGS}/{name}/status", {"status": status})


def tasks(c, name):
    return c.plane.get(f"{fleets.BINDINGS}/{name}")["spec"].get("gracefulEvictionTasks", [])


def live_case_cluster_lost(c):
    """Everything leaves a lost cluster, and the tasks it leaves pass the API's own rules."""
    fleets.make(c.plane, 0)
    drained = {"fromCluster": "m2", "producer": "someone", "reason": "Drained"}
    add(c, "plain")
    add(c, "direct", {"failover": {"cluster": {"purgeMode": "Directly",
                                               "statePreservation": RULES}}},
        {"aggregatedStatus": [{"clusterName": "m1",
                               "status": {"checkpoints": [{"id": "ckpt \"7\""}]}}]})
    add(c, "drained", {"gracefulEvictionTasks": [drained]})
    lose(c, "m1")
    config = c.plane.directory / "failover.yaml"
    config.write_text("apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
                      "failover: {gracePeriodSeconds: 90}\n")
    c.ballast("run", f"--config={config}").ended(DONE)
    for name, split in fleets.splits(c.plane).items():
        expect_equal(fleets.total(split), 2, f"{name}: {split}")
        expect("m1" not in split, f"{name} stays: {split}")
    expect("m2" not in fleets.splits(c.plane)["drained"], "back to where it is evicted from")

    plain, = tasks(c, "plain")
    expect("Unknown since" in plain.pop("message"), "the message says why")
    expect_equal(plain, {"fromCluster": "m1", "purgeMode": "Gracefully", "replicas": 2,
                         "reason": "ClusterUnhealthy", "producer": "ballast",
                         "gracePeriodSeconds": 90}, "the task")
    direct, = tasks(c, "direct")
    expect_equal([direct[k] for k in ("purgeMode", "preservedLabelState",
                                      "clustersBeforeFailover")],
                 ["Directly", {"resume-from": 'ckpt "7"'}, ["m1"]], "the task of its own mode")
    expect("gracePeriodSeconds" not in direct, "there is no grace in Directly")
    first, second = tasks(c, "drained")
    expect_equal((first, second["fromCluster"]), (drained, "m1"), "tasks beside another's")

    c.expect_nothing_to_do()
    c.ballast("run", f"--config={config}").ended(DONE)
    expect_equal([len(tasks(c, n)) for n in ("plain", "direct", "drained")], [1, 1, 2],
                 "tasks after a second run")


def live_case_move_remembered(c):
    """The record of a move comes with it, in one generation; the record alone makes none, which is
    what karmada-scheduler goes by."""
    fleets.make(c.plane, 0)
    add(c, "moved")
    path = f"{fleets.BINDINGS}/moved"
    was = c.plane.get(path)["metadata"]
    lose(c, "m1")
    c.ballast("run").ended(DONE)
    moved = c.plane.get(path)["metadata"]
    record = json.loads(moved["annotations"]["ballast.io/last-move"])
    expect_equal(([t["name"] for t in record["from"]], record["reason"], record["attempt"]),
                 (["m1"], "UnhealthyCluster", 1), "the record")
    expect_equal(moved["generation"], was["generation"] + 1, "the generation after the move")
    expect_equal({k: v for k, v in moved["annotations"].items() if "ballast.io" not in k},
                 was["annotations"], "other annotations")
    record["attempt"] = 2
    after = c.plane.patch(path, {"metadata": {"annotations": {
        "ballast.io/last-move": json.dumps(record)}}})["metadata"]
    expect_equal(after["generation"], moved["generation"], "the generation after the record alone")
    expect(after["resourceVersion"] != moved["resourceVersion"], "the record was not written")


def live_case_disruption_guard(c):
    """With most clusters lost nothing is failed over, the rest goes on, and warnings say so."""
    fleets.make(c.plane, 1)
    add(c, "lost")
    lose(c, "m1", "m2")
    run = c.ballast("run").ended(REFUSED)
    expect_equal(fleets.splits(c.plane)["lost"], {"m1": 2}, "what is in a lost cluster")
    expect_equal(fleets.total(fleets.splits(c.plane)["app-00000"]), 6, "what lacked replicas")
    expect_equal(tasks(c, "lost"), [], "tasks")

    def warned(namespace):
        return {(e["involvedObject"]["kind"], e["involvedObject"]["name"])
                for e in c.plane.list(f"/api/v1/namespaces/{namespace}/events")
                if e["reason"] == "DisruptionGuard" and e["type"] == "Warning"}
    expect(("Lease", LEASE.rsplit("/", 1)[1]) in warned("karmada-system"), "no Event on the Lease")
    expect(warned("default") >= {("Cluster", "m1"), ("Cluster", "m2")},
           f"no Events on the clusters: {run.err}")
