# SPDX-License-Identifier: Apache-2.0
"""Real members: what is stuck there by the word of their own schedulers is moved, and runs where it
is moved to."""
import datetime
import difflib
import json
import os
import time

import fleets
from federation import LOCAL, NAMESPACE, SOON
from harness import CHANGES, DONE, UNSEEN, expect, expect_equal
from member_cluster import PATHS, SLOT, workload

FULL = os.environ.get("E2E_SCALE") == "full"
SLOTS = 48  # of a member: four nodes with room for twelve pods each
STUCK = [f"stuck-{i:02}" for i in range(20)]
FINE = [f"fine-{i:02}" for i in range(10)]


def stuck_fleet(c):
    """m1 is full of local work. Twenty bindings have two pods there that fit nowhere: half of them
    also one that runs. Ten have nothing to do with it."""
    f = c.federation()
    f.make()
    for name in STUCK[:10]:
        f.add(name, {"m1": 1, "m2": 1})
    for i, name in enumerate(FINE):
        f.add(name, {"m1": 1, "m2": 1} if i < 5 else {"m2": 1, "m3": 1})
    f.propagate()
    f.wait(m1=(15, 0), m2=(20, 0), m3=(5, 0))
    f.members["m1"].fill(SLOTS - 15)
    for name in STUCK[:10]:
        f.scale(name, {"m1": 3, "m2": 1})
    for name in STUCK[10:]:
        f.add(name, {"m1": 2})
    f.propagate()
    f.wait(m1=(15, 40), m2=(20, 0), m3=(5, 0))
    f.wait_until_older()
    f.report()
    return f


def expect_unstuck(f, run, before, *flags):
    """Exactly what was stuck has moved; it runs elsewhere; nothing is left to do."""
    after = f.splits()
    expect_equal(sorted(n for n in after if after[n] != before[n]), STUCK, f"moved\n{run.err}")
    for name in STUCK:
        expect_equal(after[name].get("m1", 0), 1 if name in STUCK[:10] else 0, f"{name} in m1")
        expect_equal(fleets.total(after[name]), fleets.total(before[name]), f"{name}'s replicas")
    expect_nothing_more(f, "before the members have caught up", *flags)
    f.propagate()
    there = {n: sum(s.get(n, 0) for s in after.values()) for n in ("m2", "m3")}
    f.wait(m1=(15, 0), m2=(there["m2"], 0), m3=(there["m3"], 0))
    f.report()
    expect_nothing_more(f, "after it", *flags)
    expect_equal(f.members["m1"].counts(LOCAL)[0], SLOTS - 15, "local pods that run")


def expect_nothing_more(f, when, *flags):
    versions = f.versions()
    f.ballast("run", *flags).ended(DONE)
    expect_equal(f.versions(), versions, f"a second run {when}: resourceVersions")
    f.ballast("plan", "--detailed-exitcode", *flags).ended(DONE)


def expect_snapshot_alike(f, least=len(STUCK)):
    """What real members show, in whatever encoding they show it, plans from files as it does live."""
    now = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    directory = f.plane.directory / f"snapshot-{time.monotonic_ns()}"
    show = ("--show-all", "-o", "json", "--now", now)
    live = f.ballast("plan", *show).ended(DONE)
    # it reads of what is in need, and that is what its configuration calls so
    config = f.plane.directory / "soon.json"
    config.write_text(json.dumps({
        "apiVersion": "ballast.io/v1beta1", "kind": "BallastConfiguration",
        "thresholds": {"unschedulable": "1s", "failed": "1s"}}))
    f.ballast("snapshot", str(directory), f"--config={config}", soon=()).ended(DONE)
    files = f.context.ballast("plan", *SOON, *show, f"--fleet={directory}", config=False,
                              live=()).ended(DONE)
    expect(len(live.document["items"]) >= least, "no bindings in the plan")
    difference = difflib.unified_diff(live.planned.splitlines(), files.planned.splitlines(),
                                      "live", "snapshot", lineterm="")
    expect(files.planned == live.planned,
           "the plan made of a snapshot is another one:\n" + "\n".join(difference))
    for path in directory.rglob("*.json"):
        expect("image" not in path.read_text(), f"{path} holds more than a decision needs")


def live_case_members_stuck(c):
    """Pods of twenty bindings are stuck in a full member: one run moves exactly those, the real
    schedulers place them elsewhere, a second run changes nothing."""
    f = stuck_fleet(c)
    before, since = f.splits(), len(f.front.log)
    f.ballast("plan", "--detailed-exitcode").ended(CHANGES)
    expect_equal(f.splits(), before, "splits after plan")
    expect_snapshot_alike(f)
    run = f.ballast("run").ended(DONE)
    expect(f.front.asked(since, "m1"), "m1 was not asked through the proxy")
    expect_unstuck(f, run, before)


def live_case_members_direct(c):
    """The same without the proxy: with the address and the Secret that the Cluster names."""
    f = stuck_fleet(c)
    before, since = f.splits(), len(f.front.log)
    starts = {n: m.audit()[1] for n, m in f.members.items()}
    run = f.ballast("run", "--member-access=direct")
    expect("secret" in run.err.lower() and "forbidden" in run.err, f"the Secrets: {run.err}")
    expect_equal(f.splits(), before, "splits of a run that may not read the Secrets")
    f.allow_secrets()
    f.front.faults.update(dict.fromkeys(f.members, 404))
    run = f.ballast("plan", "--detailed-exitcode").ended(CHANGES)
    expect_equal((run.err, len(f.front.asked(since))), ("", 3), "where no proxy is served")
    f.front.release()
    since = len(f.front.log)
    run = f.ballast("run", "--member-access=direct").ended(DONE)
    expect_equal(f.front.asked(since), [], "requests through the proxy")
    for name, member in f.members.items():
        asked = {e["verb"] for e in member.audit(starts[name])[0]}
        expect_equal(asked, {"list"}, f"what was asked of {name} itself")
        expect(member.token not in run.err + run.out, f"{name}'s token is in the output")
    expect_unstuck(f, run, before, "--member-access=direct")


def live_case_members_down(c):
    """A member whose API server is dead: said by name; the others' pods are moved, but not into it;
    what runs in it stays, until Karmada says that the cluster is lost."""
    f = c.federation()
    f.make()
    for i in range(5):
        f.add(f"in-m3-{i}", {"m3": 2})
        f.add(f"in-m2-{i}", {"m2": 1, "m3": 1})
    f.propagate()
    f.wait(m2=(5, 0), m3=(15, 0))
    f.members["m2"].fill(SLOTS - 5)
    for i in range(5):
        f.scale(f"in-m2-{i}", {"m2": 3, "m3": 1})
    f.propagate()
    f.wait(m2=(5, 10), m3=(15, 0))
    f.wait_until_older()
    f.report()
    before = f.splits()
    f.members["m3"].kill()
    run = f.ballast("run").ended(UNSEEN)
    expect("m3" in run.err and "m1" not in run.err and "m2" not in run.err,
           f"it says that m3 was not seen, and no other: {run.err}")
    after = f.splits()
    for i in range(5):
        expect_equal(after[f"in-m3-{i}"], before[f"in-m3-{i}"], "a binding in m3")
        split = after[f"in-m2-{i}"]
        expect_equal((split["m2"], fleets.total(split)), (1, 4), f"one stuck in m2: {split}")
    f.report()
    f.set_ready("m3", False)
    f.ballast("run").ended(DONE)
    after = f.splits()
    for name, split in after.items():
        expect("m3" not in split, f"{name} is still in m3: {split}")
        expect_equal(fleets.total(split), fleets.total(before[name]), f"{name}'s replicas")
    f.propagate()
    f.wait(m1=(25, 0), m2=(5, 0))


def in_trouble(c):
    """Ten bindings with two stuck pods each in m1; m2 and m3 have room."""
    f = c.federation()
    f.make()
    f.members["m1"].fill(SLOTS)
    names = [f"app-{i}" for i in range(10)]
    for name in names:
        f.add(name, {"m1": 2, "m2": 1})
    f.propagate()
    f.wait(m1=(0, 20), m2=(10, 0))
    f.wait_until_older()
    f.report()
    return f, names


def live_case_members_fail(c):
    """A member that answers 500, hangs up or says nothing: named, its own time is all that it
    costs, and the others go on."""
    f, names = in_trouble(c)
    before = f.splits()
    for fault in (500, "refuse", "hang"):
        f.front.faults["m3"] = fault
        since = len(f.front.log)
        run = f.ballast("run", "--member-timeout=2s")
        f.front.release()
        run.ended(DONE)
        expect("m3" in run.err and "m1" not in run.err and "m2" not in run.err,
               f"{fault}: it says that m3 was not seen, and no other: {run.err}")
        expect(len(f.front.asked(since, "m3")) < 30, f"{fault}: asked again and again")
        expect(run.seconds < 14, f"{fault}: a member that does not answer costs {run.seconds}s")
        for name, split in f.splits().items():
            expect_equal((split.get("m1", 0), fleets.total(split)), (0, 3), f"{fault}: {split}")
        for name in names:
            f.scale(name, before[name])
    f.front.faults["m1"] = {"/api/v1/pods": 500}
    run = f.ballast("run").ended(UNSEEN)
    expect("m1" in run.err and "pods" in run.err, f"it says what was not seen: {run.err}")
    expect_equal(f.splits(), before, "splits when nobody knows what is stuck")


def items_of(run):
    return {i["name"]: i for i in run.document["items"]}


def live_case_members_broken_image(c):
    """An image that nobody can pull follows its workload: said, blocked, and not toured through the
    fleet. One that only fails in one member leaves it."""
    f = c.federation()
    f.make()
    f.add("broken", {"m1": 2, "m2": 1}, image="broken:1")
    f.add("crash", {"m1": 2}, image="crash:1")
    f.add("fine", {"m1": 1, "m2": 1})
    f.add("here", {"m1": 2, "m2": 1}, image="bad-in-m1:1")
    f.propagate()
    f.wait(m1=(1, 0, 6), m2=(2, 0, 1))
    f.wait_until_older()
    f.report()
    before = f.splits()
    run = f.ballast("run", "-o", "json").ended(DONE)
    after = f.splits()
    expect_equal([n for n in after if after[n] != before[n]], ["here"], "what was moved")
    expect("m1" not in after["here"], f"here: {after['here']}")
    items = items_of(run)
    expect_equal(sorted(items), ["broken", "crash", "here"], "what is said")
    for name, why, count in (("broken", "ImagePullBackOff", 3), ("crash", "CrashLoopBackOff", 2)):
        expect_equal(items[name]["action"], "Blocked", name)
        found = items[name]["findings"]
        expect_equal({x["type"] for x in found}, {"FailedReplicas"}, f"{name}'s findings")
        expect_equal(sum(x["replicas"] for x in found), count, f"{name}'s replicas")
        expect(all(why in x["message"] for x in found), f"{name}: {found}")


def live_case_members_stateful_set(c):
    """A StatefulSet and a Job with stuck pods are left alone with their reason; with
    --movable-kinds they are moved."""
    f = c.federation()
    f.make()
    kinds = {"db": "StatefulSet", "batch": "Job"}
    for name, kind in kinds.items():
        f.add(name, {"m1": 2, "m2": 1}, kind=kind)
    f.propagate()
    f.wait(m1=(4, 0), m2=(2, 0))
    f.members["m1"].fill(SLOTS - 4)
    for name in kinds:
        f.scale(name, {"m1": 4, "m2": 1})
    f.propagate()
    f.wait(m1=(4, 4), m2=(2, 0))
    f.wait_until_older()
    f.report()
    items = items_of(f.ballast("run", "-o", "json").ended(DONE))
    for name, kind in kinds.items():
        expect_equal(f.splits()[name], {"m1": 4, "m2": 1}, f"{name}'s split")
        expect_equal([(x["type"], x["cluster"], x["replicas"]) for x in items[name]["findings"]],
                     [("UnschedulableReplicas", "m1", 2)], f"{name}'s findings")
        expect(kind in json.dumps(items[name]["reasons"]), f"why: {items[name]['reasons']}")
    f.ballast("run", "--movable-kinds=StatefulSet,Job").ended(DONE)
    splits = f.splits()
    for name in kinds:
        expect_equal((splits[name]["m1"], fleets.total(splits[name])), (2, 5), f"{splits[name]}")
    f.propagate()
    f.wait(m1=(4, 0), **{m: (sum(s.get(m, 0) for s in splits.values()), 0) for m in ("m2", "m3")})


def live_case_members_room(c):
    """Nodes that are cordoned, tainted or too small for one more pod look like room from afar. As
    much is moved as fits on the others, and there it runs."""
    f = c.federation()
    f.make(nodes=6, slots=4)
    f.members["m1"].fill(24)
    for node in range(2):
        f.members["m2"].patch(f"/api/v1/nodes/m2-node-{node}", {"spec": {"unschedulable": True}})
    for node in range(3):
        f.members["m3"].patch(f"/api/v1/nodes/m3-node-{node}", {"spec": {"taints": [
            {"key": "e2e", "value": "reserved", "effect": "NoSchedule"}]}})
    for i in range(8):
        f.add(f"large-{i}", {"m1": 2}, cpu=3 * SLOT)
    f.propagate()
    f.wait(m1=(0, 16))
    f.wait_until_older()
    f.report()
    run = f.ballast("run").ended(DONE)
    splits = f.splits()
    moved = {m: sum(s.get(m, 0) for s in splits.values()) for m in ("m1", "m2", "m3")}
    expect_equal(moved, {"m1": 9, "m2": 4, "m3": 3}, f"replicas\n{run.out}")
    f.propagate()
    f.wait(m1=(0, 9), m2=(4, 0), m3=(3, 0))
    f.report()
    expect_nothing_more(f, "without room")


def live_case_members_pages(c):
    """Pending pods by the thousand, over several pages: all are counted, and what room there is is
    used."""
    bindings, each = (20, 250) if FULL else (4, 150)
    f = c.federation()
    f.make(nodes=2, slots=60)
    f.members["m1"].fill(120)
    for i in range(bindings):
        f.add(f"many-{i:02}", {"m1": each})
    f.propagate()
    f.wait(m1=(0, bindings * each))
    f.wait_until_older()
    since = len(f.front.log)
    run = f.ballast("run", "--page-size=100", "-o", "json").ended(DONE)
    pages = [e for e in f.front.asked(since, "m1") if e.path == "/api/v1/pods"]
    expect(len(pages) >= bindings * each // 100, f"{len(pages)} pages of pods")
    items = items_of(run)
    expect_equal({n: x["findings"][0]["replicas"] for n, x in items.items()},
                 {f"many-{i:02}": each for i in range(bindings)}, "stuck replicas")
    moved = sum(fleets.total(s) - s.get("m1", 0) for s in f.splits().values())
    expect_equal(moved, 240, "replicas moved into 240 slots")
    f.propagate()
    f.wait(m1=(0, bindings * each - 240), m2=(120, 0), m3=(120, 0))
    expect_nothing_more(f, "with a full fleet")


def without_authority(f):
    """To a clock that is behind, the tests' own certificates are not valid yet."""
    config = f.config("clock")
    document = json.loads(config.read_text())
    del document["clusters"][0]["cluster"]["certificate-authority"]
    document["clusters"][0]["cluster"]["insecure-skip-tls-verify"] = True
    config.write_text(json.dumps(document))
    return config


def expect_young(f, names, **how):
    """What is stuck is stuck for seconds: not for minutes, nor is it still to come."""
    f.ballast("plan", "--detailed-exitcode", "--unschedulable-threshold=5m", **how).ended(DONE)
    run = f.ballast("plan", "--detailed-exitcode", "-o", "json", **how).ended(CHANGES)
    expect_equal(sorted(items_of(run)), names, f"found with {how}")


def live_case_members_clock(c):
    """A local clock that is an hour off changes nothing: how old something is tell the servers'
    clocks, also where a member's own is ahead of the control plane's."""
    f, names = in_trouble(c)
    f.wait_until_older(4)  # servers tell the time in whole seconds
    config = without_authority(f)
    # faketime's library comes before the one of a build under ASan
    environment = c.environment(ASAN_OPTIONS="verify_asan_link_order=0")
    for off in ("-1h", "+1h"):
        expect_young(f, names, config=config, environment=environment,
                     prefix=("faketime", "-m", "--exclude-monotonic", "-f", off))
    for pod in f.members["m1"].pods(NAMESPACE):
        f.members["m1"].shift_conditions(pod, 3600)
    f.front.skew["m1"] = 3600
    expect_young(f, names)
    f.ballast("run").ended(DONE)
    expect_equal({s.get("m1", 0) for s in f.splits().values()}, {0}, "what is left in m1")


def read_all(directory):
    return b"".join(p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file())


def with_secrets(f):
    """Local work with what must not leave the member."""
    thing = workload("Deployment", "private", 1, image="local:1")
    thing["metadata"]["annotations"] = {
        "kubectl.kubernetes.io/last-applied-configuration": "s3cr3t-1"}
    container, = thing["spec"]["template"]["spec"]["containers"]
    container.update(env=[{"name": "PASSWORD", "value": "s3cr3t-2"}], args=["--key=s3cr3t-3"],
                     command=["s3cr3t-4"])
    f.members["m2"].create(PATHS["Deployment"].format(LOCAL), thing)
    f.members["m2"].wait_for_pods(LOCAL, ready=1)


def live_case_members_snapshot(c):
    """What was seen, as files: they plan to the same result, byte for byte, also where a member was
    only seen in part; and hold no secrets, or with --redact no names."""
    f = stuck_fleet(c)
    with_secrets(f)
    f.add("broken", {"m2": 1}, image="broken:1")
    f.add("db", {"m1": 2}, kind="StatefulSet")
    f.propagate()
    f.wait(m1=(15, 42), m2=(20, 0, 1))
    f.wait_until_older()
    f.report()
    for i, fault in enumerate(({}, {"m3": 500}, {"m3": {"/api/v1/nodes": 500}})):
        f.front.faults.update(fault)
        directory = c.plane.directory / f"snapshot-{i}"
        f.ballast("snapshot", str(directory), soon=()).ended(DONE, UNSEEN)
        now = (directory / "captured-at").read_text().strip()
        show = ("plan", "--show-all", "-o", "json", "--limit=0")
        live = f.ballast(*show, f"--now={now}").ended(DONE, UNSEEN)
        files = c.ballast(*show, *SOON, f"--fleet={directory}", config=False, live=()).ended(DONE, UNSEEN)
        expect_equal(files.planned, live.planned, f"the plan of the files, with {fault}")
        expect_equal(live.document["summary"]["changed"], 20, f"bindings to change, with {fault}")
        text = read_all(directory)
        for word in (b"s3cr3t", f.members["m1"].token.encode(), b'"Secret"'):
            expect(word not in text, f"{word} is in the snapshot")
    f.front.release()
    directory = c.plane.directory / "snapshot-redacted"
    f.ballast("snapshot", str(directory), "--redact", soon=()).ended(DONE)
    text = read_all(directory)
    for word in (b"stuck-0", b"fine-0", b"-node-", b"s3cr3t"):
        expect(word not in text, f"{word} is in the redacted snapshot")
    files = c.ballast(*show, *SOON, f"--fleet={directory}", config=False, live=()).ended(DONE)
    expect_equal(files.document["summary"]["changed"], 20, "bindings to change, without names")
