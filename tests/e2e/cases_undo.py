# SPDX-License-Identifier: Apache-2.0
"""What a run wrote, put back on a real API server: Karmada's kinds, and a KubeFed host with its
members."""
import copy
import json

import fleets
from cases_failover import add, lose, tasks
from cases_kubefed import STUCK, expect_nothing_more, items_of, stuck_host
from harness import DONE, ERROR, expect, expect_equal
from kubefed import LOCAL
from member_cluster import PATHS

LAST_MOVE = "ballast.io/last-move"


def the_record(directory):
    path, = sorted(directory.glob("*.json"))
    return json.loads(path.read_text())


def notes(plane, name):
    return [e.get("message", "") for e in plane.list("/api/v1/namespaces/e2e/events")
            if e["involvedObject"]["name"] == name]


def codes(run, name):
    return [r["code"] for r in items_of(run)[name]["reasons"]]


def specs(plane):
    return {b["metadata"]["name"]: b["spec"] for b in plane.list(fleets.BINDINGS)}


def live_case_undo(c):
    """A cluster was lost, left, and is back: what the run moved goes back with its tasks, but for one
    that somebody changed meanwhile; an Event says which record, and once more there is nothing to
    do. What is left with something in it keeps running: nobody saw that nothing is ready there."""
    fleets.make(c.plane, 0)
    drained = {"fromCluster": "m2", "producer": "someone", "reason": "Drained"}
    for name, spec in (("plain", {}), ("changed", {}),
                       ("drained", {"gracefulEvictionTasks": [drained]})):
        add(c, name, spec)
    before = copy.deepcopy(specs(c.plane))
    lose(c, "m1")
    records, undos = c.plane.directory / "records", c.plane.directory / "undos"
    c.ballast("run", f"--records={records}").ended(DONE)
    left = specs(c.plane)
    expect(all("m1" not in [t["name"] for t in s["clusters"]] for s in left.values()), f"{left}")
    record = the_record(records)
    expect_equal(sorted(i["name"] for i in record["items"]), sorted(before), "what is recorded")
    expect(any(record["id"] in n for n in notes(c.plane, "plain")), "no Event names the record")
    versions = {i["name"]: i["resourceVersionAfter"] for i in record["items"]}
    expect_equal(versions, {b["metadata"]["name"]: b["metadata"]["resourceVersion"]
                            for b in c.plane.list(fleets.BINDINGS)}, "recorded versions")

    refused = c.ballast("undo", records, "--show-all", "-o", "json").ended(ERROR)
    expect_equal({n: codes(refused, n) for n in before}, {n: ["ClusterNotFit"] for n in before},
                 "while it is lost")
    expect_equal(specs(c.plane), left, "while it is lost")

    c.plane.patch("/apis/cluster.karmada.io/v1alpha1/clusters/m1/status", {
        "status": fleets.cluster("m1")["status"]})
    mine = [{"name": "m3", "replicas": 2}] if left["changed"]["clusters"][0]["name"] == "m2" \
        else [{"name": "m2", "replicas": 2}]
    c.plane.patch(f"{fleets.BINDINGS}/changed", {"spec": {"clusters": mine}})
    dry = c.ballast("undo", records, "--dry-run", "-o", "json").ended(ERROR)
    expect_equal(dry.document["summary"]["changed"], 2, "what a dry run would change")
    server = c.ballast("undo", records, "--server-dry-run", "-o", "json").ended(ERROR)
    expect_equal(server.document["summary"]["changed"], 2, "what the server would take")
    expect_equal({n: s for n, s in specs(c.plane).items() if n != "changed"},
                 {n: s for n, s in left.items() if n != "changed"}, "after the dry runs")

    run = c.ballast("undo", records, f"--records={undos}", "-o", "json").ended(ERROR)
    now = specs(c.plane)
    expect_equal(now["changed"]["clusters"], mine, "what somebody changed")
    expect_equal(codes(run, "changed"), ["ChangedSince"], "why it stays")
    for name in ("plain", "drained"):
        expect_equal(json.dumps(now[name]["clusters"]), json.dumps(before[name]["clusters"]), name)
        where = [t["name"] for t in left[name]["clusters"]]
        ours = [t for t in tasks(c, name) if t["producer"] == "ballast"]
        expect_equal(sorted((t["fromCluster"], t["reason"]) for t in ours),
                     sorted((w, "Undo") for w in where), f"{name}: our tasks")
    expect(drained in tasks(c, "drained"), "another's task is gone")
    undone = the_record(undos)
    expect_equal((undone["command"], undone["undoes"]), ("undo", [record["id"]]), "its record")
    expect(any(undone["id"] in n and record["id"] in n for n in notes(c.plane, "plain")),
           "no Event names both records")

    again = c.ballast("undo", records, f"--records={undos}", "--show-all", "-o", "json").ended(ERROR)
    expect_equal({n: codes(again, n) for n in before},
                 {"plain": ["InPlace"], "drained": ["InPlace"], "changed": ["ChangedSince"]},
                 "once more")
    expect_equal(specs(c.plane), now, "once more")
    the_record(undos)  # no other
    c.ballast("run").ended(DONE)
    expect_equal(specs(c.plane), now, "the next run")


def live_case_kubefed_undo(c):
    """What a run moved out of a full member goes back when there is room again, and not before; each
    object's overrides are as they were, byte for byte, and sync writes to members only for that."""
    k = stuck_host(c)
    paths = {n: k.path(n) for n in STUCK}
    before = {n: k.host.get(p)["spec"] for n, p in paths.items()}
    records = c.plane.directory / "kubefed-records"
    k.ballast("run", f"--records={records}").ended(DONE)
    k.carry()
    record = the_record(records)
    expect_equal((record["source"]["platform"], sorted(i["name"] for i in record["items"])),
                 ("KubeFed", STUCK), "the record")
    left = {n: k.host.get(p)["spec"] for n, p in paths.items()}
    refused = k.ballast("undo", records, "-o", "json").ended(ERROR)
    expect(refused.out, refused.err)
    expect_equal({n: codes(refused, n) for n in STUCK}, {n: ["NoRoom"] for n in STUCK},
                 "in a full member")
    expect_equal({n: k.host.get(p)["spec"] for n, p in paths.items()}, left, "in a full member")

    k.members["m1"].delete(PATHS["Deployment"].format("local") + "/batch")
    k.members["m1"].wait_for_pods("local", ready=0)
    mine = STUCK[0]
    k.set(mine, {"m2": 4})
    run = k.ballast("undo", records, "-o", "json").ended(ERROR)
    expect_equal(k.splits()[mine], {"m2": 4}, "what somebody changed")
    expect_equal(codes(run, mine), ["ChangedSince"], "why it stays")
    for name in STUCK[1:]:
        now = k.host.get(paths[name])["spec"]
        expect_equal(json.dumps(now), json.dumps(before[name]), f"{name}'s spec")
        annotations = k.host.get(k.preference(name))["metadata"]["annotations"]
        expect_equal(json.loads(annotations[LAST_MOVE])["reason"], "Undo", f"{name}'s history")
    k.carry()
    k.ballast("undo", records).ended(ERROR)  # for the one that stays
    expect_nothing_more(k, "after an undo")
    expect_equal(k.members["m1"].counts(LOCAL)[0], 0, "local pods")
