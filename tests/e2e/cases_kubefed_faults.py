# SPDX-License-Identifier: Apache-2.0
"""A KubeFed host in trouble: clusters that are lost and come back, somebody else who writes, runs
that are killed, and members that do not know us or are not who they were."""
import base64
import collections
import json
import os
import signal
import time
import types

import cases_install
import fleets
import kubefed_kinds as kinds
from control_plane import Certificates, wait_for
from harness import (BUSY, DONE, ERROR, FAST, REFUSED, UNSEEN, USAGE, Meanwhile, expect,
                     expect_equal)
from kubefed import NAMESPACE, ReadyPods, account_token
from kubefed_kinds import KFNS, path_of

FULL = os.environ.get("E2E_SCALE") == "full"
KILLS = 20 if FULL else 4
ONE_BY_ONE = ("--kube-api-qps=20", "--kube-api-burst=1", "--concurrency=1")
MINUTES = 600


# --- a cluster that is lost ---

def three_each(c):
    """Three objects with three pods in each cluster, all of them ready."""
    k = c.kubefed()
    k.make()
    for i in range(3):
        k.add(f"app-{i}", {"m1": 1, "m2": 1, "m3": 1})
    k.carry()
    k.wait(m1=(3, 0), m2=(3, 0), m3=(3, 0))
    k.carry()
    pods = ReadyPods(k)
    pods.look()
    return k, pods


def lose(k, name):
    """It has been dead for ten minutes, as KubeFed tells it."""
    k.members[name].kill()
    k.health.probe(3)
    k.health.set_back(name, MINUTES)
    k.health.probe()


def live_case_kubefed_dead_and_back(c):
    """A cluster is dead for ten minutes and comes back. By default it stays in the placement: its
    replicas get replacements, and when it is back its pods are still there. Then the surplus goes;
    never are there fewer ready pods than were wanted."""
    k, pods = three_each(c)
    uids = dict(pods.last)
    with Meanwhile(pods.look, 0.05) as watch:
        lose(k, "m3")
        run = k.ballast("run", soon=()).ended(DONE)
        for name, split in k.splits().items():
            expect_equal((split.get("m3"), split["m1"] + split["m2"]), (1, 3),
                         f"{name}: {split}\n{run.err}")
        k.carry()
        k.wait(m1=(sum(s["m1"] for s in k.splits().values()), 0),
               m2=(sum(s["m2"] for s in k.splits().values()), 0))
        k.ballast("run", soon=()).ended(DONE)
        expect_equal({s.get("m3") for s in k.splits().values()}, {1}, "while it is still lost")
        k.members["m3"].revive()
        expect_equal([w for w in k.carry() if w.took], [], "what sync changes when it is back")
        k.members["m3"].wait_for_pods(NAMESPACE, ready=3)
        pods.look()
        expect_equal(pods.last["m3"], uids["m3"], "its pods")
        expect_equal(pods.died["m3"], 0, "its ready pods that died")
        k.ballast("run", soon=()).ended(DONE)
        expect_equal({s.get("m3") for s in k.splits().values()}, {1}, "while it is only just back")
        k.carry()
        k.health.set_back("m3", MINUTES)
        settle_surplus(k)
        expect(watch.thread.is_alive() and pods.looks >= 10, f"only {pods.looks} looks at the pods")
    expect_equal({fleets.total(s) for s in k.splits().values()}, {3}, f"in the end: {k.splits()}")
    ready = {n: sum(s.get(n, 0) for s in k.splits().values()) for n in k.members}
    k.wait(**{n: (ready[n], 0) for n in ready})
    pods.look()
    expect_equal((sum(ready.values()), pods.fewest), (9, 9), "ready pods, fewest at any time")


def settle_surplus(k):
    """Runs until there is none; what is taken away is taken from what is too much."""
    for _ in range(5):
        k.ballast("run", soon=()).ended(DONE)
        for name, split in k.splits().items():
            expect(fleets.total(split) >= 3, f"{name} has too few: {split}")
        k.carry()
        if all(fleets.total(s) == 3 for s in k.splits().values()):
            return
        time.sleep(1)


def live_case_kubefed_lost_otherwise(c):
    """The same with failover.kubefed: Zero, where the lost cluster is to have none at once, and
    Remove, where it leaves the placement and its pods die when it is back, as with upstream."""
    for how in ("Zero", "Remove"):
        k, pods = three_each(c)
        lose(k, "m3")
        flag = k.settings(f"failover: {{kubefed: {how}}}")
        k.ballast("run", flag, soon=()).ended(DONE)
        for split in k.splits().values():
            expect_equal((split.get("m3"), fleets.total(split)),
                         (0 if how == "Zero" else None, 3), f"{how}: {split}")
        k.carry()
        k.wait(m1=(sum(s["m1"] for s in k.splits().values()), 0),
               m2=(sum(s["m2"] for s in k.splits().values()), 0))
        pods.look()
        k.members["m3"].revive()
        verbs = {(w.cluster, w.verb) for w in k.carry() if w.took}
        expect_equal(verbs, {("m3", "update" if how == "Zero" else "delete")}, f"{how}: when back")
        k.wait(m3=(0, 0))
        pods.look()
        expect_equal(pods.died["m3"], 3, f"{how}: ready pods that died")


# --- who else writes ---

def in_need(c, count, total=6):
    """Objects that lack two replicas: (names, before, after)."""
    k = c.kubefed()
    k.make(slots=60)
    names = [f"app-{i:03}" for i in range(count)]
    for name in names:
        k.add(name, {"m1": total - 4, "m2": 2}, total)
    k.carry()
    k.health.probe()
    return k, names, *planned(k)


def planned(k):
    items = k.ballast("plan", "--show-all", "-o", "json").ended(DONE).document["items"]

    def side(which):
        return {i["name"]: {t["name"]: t["replicas"] for t in i[which] if t["replicas"]}
                for i in items}
    return side("before"), side("after")


def without_none(split):
    return {n: r for n, r in split.items() if r}


def wait_for_writes(k, names, before, count=1):
    def enough():
        thing = k.host.get(k.path(sorted(names)[count - 1]))
        return without_none(kinds.split_of(thing)) != before[sorted(names)[count - 1]]
    wait_for(f"{count} writes", enough, 120, 0.02)


def live_case_kubefed_conflict(c):
    """Objects and preferences that change between the list and the patch: read, diagnosed and
    planned again."""
    k, names, before, after = in_need(c, 40)
    _, since = k.host.audit()
    process = k.start("run", live=ONE_BY_ONE)
    wait_for_writes(k, names, before)
    touched, mended, gone, wants_more = names[-1], names[-2], names[-3], names[-4]
    with process.held():
        k.host.patch(k.path(touched), {"metadata": {"labels": {"touched": "yes"}}})
        k.set(mended, {"m3": 6})
        k.host.delete(k.path(gone))
        k.total(wants_more, 9)
    run = process.wait()
    expect(run.status in (DONE, ERROR), f"status {run.status}: {run.err}")
    now = {n: without_none(s) for n, s in k.splits().items()}
    expect_equal(fleets.total(now[touched]), 6, f"{touched}, touched\n{run.err}")
    expect_equal(now[mended], {"m3": 6}, f"{mended}, mended by somebody else")
    expect_equal(fleets.total(now[wants_more]), 9, f"{wants_more}, which wants 9 by now")
    expect(gone not in now, f"{gone} came back")
    for name in names[:-4]:
        expect_equal(now[name], after[name], name)
    reads = collections.Counter(
        e["objectRef"]["name"] for e in k.host.audit(since)[0]
        if e["verb"] == "get" and e.get("objectRef", {}).get("resource") == "federateddeployments")
    expect(reads[touched] > reads[names[10]], f"{touched} was not read again: {reads}")
    k.ballast("plan", "--detailed-exitcode").ended(DONE)


def live_case_kubefed_killed(c):
    """kill -9 and SIGTERM in the midst of writing: every object is as before or as planned; the next
    run finishes."""
    k, names, before, after = in_need(c, 30)
    for i in range(KILLS):
        total = 6 + 2 * i
        for name in names:
            k.total(name, total)
        before, after = planned(k)
        process = k.start("run", "--lease-duration=3s", live=ONE_BY_ONE)
        wait_for_writes(k, names, before, 1 + c.random.randrange(10))
        process.kill(signal.SIGKILL if i % 2 == 0 else signal.SIGTERM)
        process.popen.communicate()
        now = {n: without_none(s) for n, s in k.splits().items()}
        for name in names:
            expect(now[name] in (before[name], after[name]), f"{name} is {now[name]}: neither "
                   f"{before[name]} nor {after[name]}")
        written = sum(now[n] == after[n] for n in names)
        expect(0 < written < len(names), f"{written} written: the case shows nothing")
        k.ballast("run", "--lock-wait=60s").ended(DONE)
        now = {n: without_none(s) for n, s in k.splits().items()}
        expect_equal({fleets.total(s) for s in now.values()}, {total}, "replicas in the end")
        k.carry()
    k.ballast("plan", "--detailed-exitcode").ended(DONE)


def live_case_kubefed_two_writers(c):
    """KubeFed's own scheduler is on and its controller alive: a run ends with 64, writes nothing and
    says what to do; a plan warns. With the flag it writes, and with the scheduler off it needs
    none."""
    k, names, before, after = in_need(c, 3)
    k.gate("Enabled")
    k.health.probe()
    versions = k.versions()
    run = k.ballast("run").ended(USAGE)
    expect("--kubefed-takeover" in run.err and "SchedulerPreferences" in run.err, run.err)
    expect_equal(k.versions(), versions, "after a run that ended with 64")
    run = k.ballast("plan", "-o", "json").ended(DONE)
    expect("SchedulerPreferences" in run.err + run.out, f"plan does not warn: {run.err}")
    k.ballast("run", "--kubefed-takeover").ended(DONE)
    expect_equal({n: without_none(s) for n, s in k.splits().items()}, after, "with the flag")
    for name in names:
        k.set(name, before[name])
    k.gate("Disabled")
    k.health.probe()
    run = k.ballast("run").ended(DONE)
    expect("SchedulerPreferences" not in run.err, f"it warns of one that is off: {run.err}")
    expect_equal({n: without_none(s) for n, s in k.splits().items()}, after, "with it off")


def live_case_kubefed_controller_dead(c):
    """No cluster was probed for ten minutes: what its status says is no longer so. Status 3, and
    nothing is written, also with KubeFed's scheduler on."""
    k, _, _, _ = in_need(c, 3)
    for gate in ("Disabled", "Enabled"):
        k.gate(gate)
        for name in k.members:
            k.health.set_back(name, 2 * MINUTES, MINUTES)
        versions = k.versions()
        run = k.ballast("run", soon=()).ended(REFUSED)
        expect_equal(k.versions(), versions, f"SchedulerPreferences {gate}: after the run")
        expect(all(n in run.err + run.out for n in k.members) or "controller" in run.err + run.out,
               f"it does not say why: {run.err}")
    k.gate("Disabled")
    k.health.probe()
    k.ballast("run").ended(DONE)
    expect(k.versions() != versions, "nothing is written though the controller is back")


WRITER = "/apis/rbac.authorization.k8s.io/v1/clusterroles/ballast-kubefed-writer"


def allow(k, rules):
    """What Ballast may write from now on."""
    k.host.patch(WRITER, {"rules": rules})
    plane = types.SimpleNamespace(plane=k.host)
    for resource in ("federateddeployments.types.kubefed.io",
                     "replicaschedulingpreferences.scheduling.kubefed.io"):
        wanted = any(resource.split(".")[0] in r["resources"] and "patch" in r["verbs"]
                     for r in rules)
        wait_for("the new roles", lambda r=resource, w=wanted: cases_install.may(
            plane, k.token, "patch", r, "", NAMESPACE) == w)


def live_case_kubefed_record_first(c):
    """A move is recorded with the preference before it is made: where the record is refused nothing
    moves, and where the move is refused the record is taken back."""
    k = stuck_in_m1(c)
    before, rules = k.splits(), k.host.get(WRITER)["rules"]
    try:
        for refused in ("scheduling.kubefed.io", "types.kubefed.io"):
            allow(k, [{**r, "verbs": ["get"]} if refused in r["apiGroups"] else r for r in rules])
            run = k.ballast("run").ended(ERROR)
            expect("orbidden" in run.err + run.out or "403" in run.err + run.out, run.err)
            expect_equal(k.splits(), before, f"{refused} refused: splits")
            expect_equal(records(k), {}, f"{refused} refused: records")
    finally:
        allow(k, rules)
    k.ballast("run").ended(DONE)
    expect_equal(sorted(records(k)), sorted(before), "records of what was moved")
    for name, record in records(k).items():
        expect_equal([t["name"] for t in record["from"]], ["m1"], f"{name} was moved from")


def records(k):
    """The records of moves, by name."""
    found = {}
    for thing in k.host.list(path_of("ReplicaSchedulingPreference", NAMESPACE)):
        text = thing["metadata"].get("annotations", {}).get("ballast.io/last-move")
        if text:
            found[thing["metadata"]["name"]] = json.loads(text)
    return found


# --- members ---

def stuck_in_m1(c):
    """Two pods of each of four objects are stuck in m1; m2 and m3 have room."""
    k = c.kubefed()
    k.make()
    k.members["m1"].fill(48)
    for i in range(4):
        k.add(f"app-{i}", {"m1": 2, "m2": 1, "m3": 1})
    k.carry()
    k.wait(m1=(0, 8), m2=(4, 0), m3=(4, 0))
    k.wait_until_older()
    k.carry()
    return k


def expect_unseen(k, cluster, word):
    """It is named, and why; nothing is moved into it, what is there stays, the rest is done."""
    before = k.splits()
    run = k.ballast("run").ended(UNSEEN)
    others = [n for n in k.members if n != cluster]
    expect(cluster in run.err and not any(n in run.err for n in others),
           f"it says that {cluster} was not seen, and no other: {run.err}")
    expect(word in run.err.lower(), f"why it was not: {run.err}")
    for name, split in k.splits().items():
        expect_equal((split[cluster], fleets.total(split)), (before[name][cluster], 4),
                     f"{name}: {split}")
    return run


def live_case_kubefed_wrong_authority(c):
    """A member that its KubeFedCluster's caBundle did not sign is not spoken to, and its token goes
    nowhere."""
    k = stuck_in_m1(c)
    other = c.plane.directory / f"other-{time.monotonic_ns()}"
    other.mkdir()
    authority = Certificates(other).ca.read_bytes()
    path = f"{path_of('KubeFedCluster', KFNS)}/m3"
    right = k.host.get(path)["spec"]["caBundle"]
    k.host.patch(path, {"spec": {"caBundle": base64.b64encode(authority).decode()}})
    since = k.members["m3"].audit()[1]
    run = expect_unseen(k, "m3", "certificate")
    expect_equal(k.members["m3"].audit(since)[0], [], "requests that got through")
    expect(k.tokens["m3"] not in run.err + run.out, "the token is in the output")
    expect_equal({s.get("m1", 0) for s in k.splits().values()}, {0}, "what was stuck")
    k.host.patch(path, {"spec": {"caBundle": right}})
    k.carry()
    k.ballast("run").ended(DONE)


def live_case_kubefed_expired_token(c):
    """A member's token that has expired: that member is unknown, and no other; one that has not is
    good."""
    k = stuck_in_m1(c)
    k.give_token("m3", account_token(k.members["m3"], 600))
    k.ballast("plan").ended(DONE)
    expired = account_token(k.members["m3"], -60)
    k.give_token("m3", expired)
    run = expect_unseen(k, "m3", "expired")
    expect(expired not in run.err + run.out, "the token is in the output")
    expect_equal({s.get("m1", 0) for s in k.splits().values()}, {0}, "what was stuck")


def live_case_kubefed_run_again(c):
    """Two runs at the same instant: one writes, the other is told that it is not alone."""
    k, _, _, after = in_need(c, 20)
    runs = [r.wait() for r in [k.start("run", live=FAST) for _ in range(3)]]
    statuses = sorted(r.status for r in runs)
    expect(set(statuses) <= {DONE, BUSY} and DONE in statuses,
           f"statuses {statuses}: {[r.err for r in runs]}")
    expect_equal({n: without_none(s) for n, s in k.splits().items()}, after, "splits")
