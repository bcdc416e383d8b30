# SPDX-License-Identifier: Apache-2.0
"""Reading, planning and writing as it should go."""
import difflib
import json
import os
import pathlib
import signal
import subprocess

import fleets
import karmada_kinds
from control_plane import ControlPlane, wait_for
from harness import (BUSY, CHANGES, DONE, LEASE, ONE_BY_ONE, STOPPED, Meanwhile, expect,
                     expect_equal)
from member_api import MemberApi

FLEETS = pathlib.Path(__file__).resolve().parents[1] / "fleets"
FULL = os.environ.get("E2E_SCALE") == "full"
LIST = int(os.environ.get("E2E_LIST", 10_000 if FULL else 2_500))


def unpack(c, name):
    subprocess.run(["tar", "-xJf", FLEETS / f"{name}.tar.xz", "-C", c.plane.directory], check=True)
    directory = c.plane.directory / name
    subprocess.run(["chmod", "-R", "u+w", directory], check=True)
    return directory


def decisions(run):
    return {f"{i['namespace']}/{i['name']}": i for i in run.document["items"]}


def expect_snapshot_alike(c, plan, show, directory, **how):
    """A snapshot of now plans as that plan says, byte for byte; one without names decides alike."""
    c.ballast("snapshot", directory, **how).ended(DONE)
    files = c.ballast(*show, f"--fleet={directory}", config=False, live=()).ended(DONE)
    difference = difflib.unified_diff(plan.splitlines(), files.planned.splitlines(), "live",
                                      "snapshot", lineterm="")
    expect(files.planned == plan,
           "the plan made of a snapshot is another one:\n" + "\n".join(difference))
    redacted = f"{directory}-redacted"
    c.ballast("snapshot", redacted, "--redact", **how).ended(DONE)
    nameless = c.ballast(*show, f"--fleet={redacted}", config=False, live=()).ended(DONE)

    def shape(run):
        return [(i["action"], [(f["type"], f["replicas"]) for f in i["findings"]],
                 [[t["replicas"] for t in i[side]] for side in ("before", "after")])
                for i in run.document["items"]]
    expect_equal(shape(nameless), shape(files), "what a redacted snapshot decides")


def compare_fleet(c, name):
    """Its own control plane, since Clusters come from the aggregated API there."""
    directory = unpack(c, name)
    now = (directory / "captured-at").read_text().strip()
    show = ["plan", "--show-all", "-o", "json", "--limit", "0", "--now", now]
    plane = ControlPlane(c.binaries)
    api = MemberApi(plane.certificates)
    try:
        karmada_kinds.install(plane, without=("Cluster",))
        api.register(plane)
        fleets.load_directory(plane, api, directory)
        config = plane.kubeconfig("admin", {"token": "admin-token"})
        live = c.ballast(*show, config=config, live=()).ended(DONE)
        expect("not seen: " not in live.err or name == "member3-down", f"{name}: {live.err}")
        files = c.ballast(*show, f"--fleet={directory}", config=False, live=()).ended(DONE)
        got, want = decisions(live), decisions(files)
        expect(len(want) >= 40, f"only {len(want)} bindings in the files")
        expect_equal(sorted(got), sorted(want), f"{name}: bindings")
        for key, item in want.items():
            expect_equal(got[key], item, f"{name}: {key}")
        expect_snapshot_alike(c, live.planned, show, c.plane.directory / f"{name}-snapshot",
                              config=config, live=())
        return plane, api, config, now
    except BaseException:
        api.stop()
        plane.stop()
        raise


def live_case_fleet_healthy(c):
    """A captured fleet in order: the same answer from a control plane as from the files."""
    plane, api, _, _ = compare_fleet(c, "healthy")
    api.stop()
    plane.stop()


def live_case_fleet_stuck(c):
    """The same with a full member; then a run that writes, and a second that finds nothing."""
    plane, api, config, now = compare_fleet(c, "stuck")
    try:
        plane.ensure_namespace("karmada-system")
        how = {"config": config, "live": ("--now", now)}
        c.ballast("plan", "--detailed-exitcode", **how).ended(CHANGES)
        c.ballast("run", **how).ended(DONE)
        c.ballast("plan", "--detailed-exitcode", **how).ended(DONE)
        c.ballast("run", **how).ended(DONE)
    finally:
        api.stop()
        plane.stop()


def live_case_fleet_member_down(c):
    """The same with a dead member; and one whose proxy does not answer is only unknown."""
    plane, api, config, now = compare_fleet(c, "member3-down")
    try:
        api.down.add("member1")
        run = c.ballast("plan", "-o", "json", config=config, live=("--now", now))
        expect("member1" in run.err, f"it says that member1 was not seen: {run.err}")
        expect("member2" not in run.err, f"member1 hides another's answers: {run.err}")
        expect(run.seconds < 30, f"a member that does not answer costs {run.seconds}s")
    finally:
        api.stop()
        plane.stop()


def live_case_run_then_nothing(c):
    """A run writes exactly what plan said; the next one has nothing to do and writes nothing."""
    fleets.make(c.plane, 50, in_need=0.5)
    before, after = c.planned()
    expect_equal(sum(before[n] != after[n] for n in before), 25, "bindings to change")
    c.ballast("run").ended(DONE)
    expect_equal(fleets.splits(c.plane), after, "splits after the run")
    versions = {b["metadata"]["name"]: b["metadata"]["resourceVersion"]
                for b in c.plane.list(fleets.BINDINGS)}
    c.ballast("run").ended(DONE)
    again = {b["metadata"]["name"]: b["metadata"]["resourceVersion"]
             for b in c.plane.list(fleets.BINDINGS)}
    expect_equal(again, versions, "resourceVersions after a second run")


def live_case_fields_kept(c):
    """Of a binding only the split changes; what we do not know stays, in it and in kept targets."""
    fleets.make(c.plane, 0)
    thing = fleets.binding("odd", {"m1": 2, "m2": 2}, 6)
    thing["spec"]["unheardOf"] = {"deep": [1, {"x": None, "y": 2.5}]}
    thing["spec"]["clusters"][0]["note"] = "kept"
    thing["metadata"]["labels"]["a"] = "b"
    was = c.plane.create(fleets.BINDINGS, thing)
    c.ballast("run").ended(DONE)
    now = c.plane.get(f"{fleets.BINDINGS}/odd")
    expect_equal(sum(fleets.split_of(now).values()), 6, "replicas")
    expect_equal([t.get("note") for t in now["spec"]["clusters"] if t["name"] == "m1"], ["kept"],
                 "a field of a target that stays")
    for side in (was, now):
        side["spec"].pop("clusters")
        for field in ("resourceVersion", "generation", "managedFields"):
            side["metadata"].pop(field, None)
    expect_equal({k: v for k, v in now["spec"].items()}, was["spec"], "the rest of the spec")
    expect_equal(now["metadata"]["labels"], was["metadata"]["labels"], "labels")


def live_case_cluster_resource_binding(c):
    """Bindings without a namespace are written as well."""
    fleets.make(c.plane, 0)
    thing = fleets.binding("wide", {"m1": 1}, 3)
    thing["kind"] = "ClusterResourceBinding"
    del thing["metadata"]["namespace"]
    path = karmada_kinds.path_of("ClusterResourceBinding")
    c.plane.create(path, thing)
    try:
        c.ballast("run").ended(DONE)
        split = fleets.split_of(c.plane.get(path + "/wide"))
        expect_equal(fleets.total(split), 3, f"replicas of {split}")
    finally:
        c.plane.delete(path + "/wide")


def live_case_field_manager(c):
    """The server notes who wrote."""
    fleets.make(c.plane, 1)
    c.ballast("run").ended(DONE)
    managers = c.plane.get(f"{fleets.BINDINGS}/app-00000")["metadata"].get("managedFields", [])
    expect("ballast" in {m["manager"] for m in managers}, json.dumps(managers))


def live_case_events(c):
    """Events on the binding and on its workload, with the descheduler's reason, saying whence and
    whither; they are there when the run has ended."""
    fleets.make(c.plane, 2)
    before, after = c.planned()
    c.ballast("run").ended(DONE)
    events = c.plane.list("/api/v1/namespaces/e2e/events")
    for name in before:
        mine = [e for e in events if e["involvedObject"]["name"] == name]
        kinds = {e["involvedObject"]["kind"] for e in mine}
        expect_equal(kinds, {"ResourceBinding", "Deployment"}, f"Events of {name}")
        for event in mine:
            expect_equal(event["reason"], "DescheduleBindingSucceed", "reason")
            gained = [n for n in after[name] if after[name][n] > before[name].get(n, 0)]
            expect(any(n in event["message"] for n in gained), f"message: {event['message']}")


def live_case_events_together(c):
    """Events go out while bindings are still written; of many that are changed for one reason the rest
    is one Event, a series that the server takes, and one of those that it refuses is no failure."""
    fleets.make(c.plane, 100)
    _, since = c.plane.audit()
    run = c.ballast("run").ended(DONE)
    expect("Events were not written" not in run.err, run.err)
    events = c.plane.list("/api/v1/namespaces/e2e/events")
    told = {e["involvedObject"]["name"] for e in events}
    expect_equal(len(events), 160, "Events of single bindings")
    expect_equal(len(told), 80, "bindings that are told of")
    sums = [e for e in c.plane.list("/api/v1/namespaces/karmada-system/events")
            if e["reason"] == "DescheduleSummary" and e["message"].startswith("20 more bindings")]
    expect_equal(len(sums), 1, "sums")
    expect_equal(sums[0]["series"]["count"], 20, "how many it stands for")
    write = ("patch", "resourcebindings")

    def asked():
        return [(e["verb"], e.get("objectRef", {}).get("resource")) for e in c.plane.audit(since)[0]]
    wait_for("all writes in the audit log", lambda: asked().count(write) == 100)
    verbs = asked()
    first = verbs.index(("create", "events"))
    last = max(i for i, what in enumerate(verbs) if what == write)
    expect(first < last, f"the first Event is request {first}, the last write {last}")


def live_case_two_runs_at_once(c):
    """The second one ends with 75 and says who is at it; one that waits goes on afterwards."""
    fleets.make(c.plane, 600)
    before, _ = c.planned()
    first = c.start("run", live=ONE_BY_ONE)
    c.wait_for_writes(before)
    holder = c.plane.get(LEASE)["spec"]["holderIdentity"]
    expect(holder, "the Lease has no holder during a run")
    second = c.ballast("run").ended(BUSY)
    expect(holder in second.err, f"it names the holder {holder}: {second.err}")
    c.ballast("run", "--dry-run").ended(DONE)  # needs no Lease
    waiting = c.start("run", "--lock-wait=90s")
    first.kill(signal.SIGTERM)
    first.wait().ended(STOPPED)
    waiting.wait().ended(DONE)
    c.expect_nothing_to_do()
    expect_equal({fleets.total(s) for s in fleets.splits(c.plane).values()}, {6}, "replicas")
    expect(not c.plane.get(LEASE)["spec"].get("holderIdentity"), "the Lease is not given back")


def live_case_two_runs_many_times(c):
    """Runs started at the same instant, round after round: one at a time, and nothing is lost."""
    for i in range(10 if FULL else 3):
        fleets.make(c.plane, 30, replicas=6 + i)
        _, after = c.planned()
        runs = [r.wait() for r in [c.start("run") for _ in range(4)]]
        statuses = sorted(r.status for r in runs)
        expect(set(statuses) <= {DONE, BUSY} and DONE in statuses,
               f"statuses {statuses}: {[r.err for r in runs]}")
        expect_equal(fleets.splits(c.plane), after, f"splits, round {i}")


def live_case_pages_while_changing(c):
    """A list of many pages is one state of the fleet, though objects come, go and change meanwhile:
    of two bindings on the first and the last page, changed one after the other, the later one is
    never ahead."""
    count = 10_000 if FULL else 2_500
    names = fleets.make(c.plane, count, in_need=0)
    first, last = names[0], names[-1]

    def change(step):
        for name in (first, last):
            c.plane.patch(f"{fleets.BINDINGS}/{name}", {"spec": {
                "replicas": step + 1, "clusters": [{"name": "m1", "replicas": step + 1}]}})
        c.plane.create(fleets.BINDINGS, fleets.binding(f"b-{step:05}", {"m1": 1}, 1))
        if step > 2:
            c.plane.delete(f"{fleets.BINDINGS}/b-{step - 2:05}")

    with Meanwhile(change) as changes:
        wait_for("changes", lambda: changes.count > 3)
        meanwhile = 0
        for _ in range(10 if FULL else 4):
            at = changes.count
            before, _ = c.planned()
            meanwhile += changes.count - at
            expect(set(names) <= set(before), f"{len(set(names) - set(before))} bindings missing")
            ahead = fleets.total(before[first]) - fleets.total(before[last])
            expect(ahead in (0, 1), f"two states in one list: {before[first]}, {before[last]}")
        expect(meanwhile > 0, "nothing changed meanwhile: the case shows nothing")
        expect(changes.error is None, f"{changes.error}")


def list_while(c, names, action):
    """Lists while that is done again and again; returns how many answers were 410."""
    _, since = c.plane.audit()
    with Meanwhile(action, pause=c.random.uniform(0.05, 0.5)):
        run = c.ballast("plan", "--show-all", "-o", "json", "--limit", "0")
    if run.status == DONE:
        found = [i["name"] for i in run.document["items"]]
        expect_equal(sorted(found), sorted(names), "bindings")
    else:
        expect("410" in run.err or "expired" in run.err or "changed while" in run.err, run.err)
    return sum(e.get("responseStatus", {}).get("code") == 410 for e in c.plane.audit(since)[0])


def live_case_pages_expire(c):
    """The server forgets the state that a list was begun with (410 between two pages): one without a
    cache, which reads every page from etcd."""
    c.plane.kill_apiserver()
    c.plane.start_apiserver("--watch-cache=false")
    try:
        expect_expiry(c)
    finally:
        c.plane.kill_apiserver()
        c.plane.start_apiserver()


def expect_expiry(c):
    names = fleets.make(c.plane, LIST, in_need=0)

    def forget(step):
        c.plane.patch(f"{fleets.BINDINGS}/{names[step % 50]}",
                      {"metadata": {"annotations": {"step": str(step)}}})
        c.plane.compact()

    expired = tries = 0
    while tries < 3 or (expired == 0 and tries < 20):
        expired += list_while(c, names, forget)
        tries += 1
    print(f"    {expired} answers of 410")
    expect(expired > 0, "no list was forgotten: the case shows nothing")
