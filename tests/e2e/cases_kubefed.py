# SPDX-License-Identifier: Apache-2.0
"""A KubeFed host with three real members: what is stuck is moved by one run, and no member is written
to for nothing."""
import collections
import datetime
import os
import time

import fleets
import kubefed_kinds as kinds
from federation import SOON
from harness import CHANGES, DONE, ERROR, expect, expect_equal
from kubefed import LOCAL, NAMESPACE, ReadyPods
from kubefed_kinds import KFNS
from kubefed_sync import STAMP

RUNS = int(os.environ.get("E2E_KUBEFED_RUNS", 100))
SLOTS = 48  # of a member: four nodes with room for twelve pods each
STUCK = [f"stuck-{i}" for i in range(8)]
FINE = [f"fine-{i}" for i in range(4)]
NEEDED = {"new", "replicas", "gone"}  # why sync may write to a member


def items_of(run):
    return {i["name"]: i for i in run.document["items"]}


def patches(k, since):
    """Ballast's writes of federated objects and preferences in the host: (resource, name)."""
    return [(e["objectRef"]["resource"], e["objectRef"]["name"]) for e in k.host.audit(since)[0]
            if e["verb"] not in ("get", "list") and e["objectRef"]["resource"].startswith(
                ("federated", "replicascheduling"))]


def expect_nothing_more(k, when, *flags):
    """A run writes neither to the host nor, through sync, to a member."""
    versions = k.versions()
    k.ballast("run", *flags).ended(DONE)
    expect_equal(k.versions(), versions, f"a run {when}: resourceVersions")
    expect_equal(k.carry(), [], f"a run {when}: writes in members")
    k.ballast("plan", "--detailed-exitcode", *flags).ended(DONE)


def live_case_kubefed_healthy(c):
    """A plan and a run on a host in order: nothing to do, and nothing is written anywhere."""
    k = c.kubefed()
    k.make()
    for name in FINE:
        k.add(name, {"m1": 2, "m2": 1, "m3": 1})
    k.carry()
    k.wait(m1=(8, 0), m2=(4, 0), m3=(4, 0))
    k.carry()
    _, since = k.host.audit()
    run = k.ballast("plan", "--show-all", "-o", "json").ended(DONE)
    items = items_of(run)
    expect_equal(sorted(items), FINE, "what the plan is about")
    for name in FINE:
        expect_equal({t["name"]: t["replicas"] for t in items[name]["before"]},
                     {"m1": 2, "m2": 1, "m3": 1}, f"{name}'s split")
    expect_nothing_more(k, "on a host in order")
    expect_equal(patches(k, since), [], "writes in the host")


def stuck_host(c):
    """m1 is full of local work; eight objects have two pods there that fit nowhere."""
    k = c.kubefed()
    k.make()
    for name in STUCK:
        k.add(name, {"m1": 1, "m2": 1})
    for name in FINE:
        k.add(name, {"m1": 1, "m2": 1})
    k.carry()
    k.wait(m1=(12, 0), m2=(12, 0), m3=(0, 0))
    k.members["m1"].fill(SLOTS - 12)
    for name in STUCK:
        k.set(name, {"m1": 3, "m2": 1})
        k.total(name, 4)
    k.carry()
    k.wait(m1=(12, 16), m2=(12, 0), m3=(0, 0))
    k.wait_until_older()
    k.carry()
    return k


def live_case_kubefed_stuck(c):
    """Pods of eight objects are stuck in a full member: one run moves exactly those, each with one
    patch of its object and one of its preference; elsewhere they run, and then there is nothing left
    to do. Of the members only lists are asked."""
    k = stuck_host(c)
    before = k.splits()
    starts = {n: m.audit()[1] for n, m in k.members.items()}
    _, since = k.host.audit()
    k.ballast("plan", "--detailed-exitcode").ended(CHANGES)
    expect_equal((k.splits(), patches(k, since)), (before, []), "after plan")
    run = k.ballast("run").ended(DONE)
    after = k.splits()
    expect_equal(sorted(n for n in after if after[n] != before[n]), STUCK, f"moved\n{run.err}")
    for name in STUCK:
        expect_equal((after[name]["m1"], fleets.total(after[name])), (1, 4), f"{after[name]}")
    wrote = collections.Counter(patches(k, since))
    expect_equal(wrote, {(r, n): 1 for n in STUCK for r in (
        "federateddeployments", "replicaschedulingpreferences")}, "writes in the host")
    for name, member in k.members.items():
        asked = {e["verb"] for e in member.audit(starts[name])[0]}
        expect_equal(asked, {"list"}, f"what was asked of {name}")
        expect(k.tokens[name] not in run.err + run.out, f"{name}'s token is in the output")
    writes = k.carry()
    expect({w.why for w in writes} <= NEEDED | {"beside"}, f"needless: {writes}")
    expect(not any(w.took for w in writes if w.why == "beside"), f"more than numbers: {writes}")
    there = {n: sum(s.get(n, 0) for s in after.values()) for n in k.members}
    k.wait(**{n: (there[n], 0) for n in there})
    k.carry()
    expect_nothing_more(k, "after it")
    expect_equal(k.members["m1"].counts(LOCAL)[0], SLOTS - 12, "local pods that run")


def live_case_kubefed_snapshot(c):
    """What was seen of a host, as files: they plan to the same result byte for byte, hold no Secret,
    and without names decide alike. Which platform it is need not be said."""
    k = stuck_host(c)
    now = datetime.datetime.now(datetime.timezone.utc).strftime(STAMP)
    show = ("plan", "--show-all", "-o", "json", "--now", now)
    live = k.ballast(*show).ended(DONE)
    auto = c.ballast(*show, *SOON, config=k.config(), live=("--platform=auto",)).ended(DONE)
    expect_equal(auto.planned, live.planned, "the plan of --platform=auto")
    for name, flags in (("kubefed-snapshot", ()), ("kubefed-redacted", ("--redact",))):
        directory = c.plane.directory / f"{name}-{time.monotonic_ns()}"
        k.ballast("snapshot", directory, *flags, soon=()).ended(DONE)
        files = c.ballast(*show, *SOON, f"--fleet={directory}", config=False,
                          live=()).ended(DONE)
        if not flags:
            expect(files.planned == live.planned, "the plan of a snapshot is another one")
        expect_equal(files.document["summary"]["changed"], len(STUCK), f"{name}: changed")
        text = b"".join(p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file())
        words = [t.encode() for t in k.tokens.values()] + [b'"Secret"']
        for word in words + ([b"stuck-0", b"m1-node"] if flags else []):
            expect(word not in text, f"{word} is in {name}")


def live_case_kubefed_slices(c):
    """Members that are cut among two shards: the plan is that of whole ones, and each shard asks a
    real kube-apiserver for pods in its own namespaces."""
    k = stuck_host(c)
    now = datetime.datetime.now(datetime.timezone.utc).strftime(STAMP)
    show = ("plan", "--show-all", "-o", "json", "--now", now)
    live = k.ballast(*show).ended(DONE)
    starts = {n: m.audit()[1] for n, m in k.members.items()}
    cut = (f"--summaries={c.plane.directory / 'slices'}", "--slice-members=m1=2,m2=2")
    for shard in ("1/2", "2/2"):
        k.ballast("observe", f"--shard={shard}", *cut, soon=()).ended(DONE)
    asked = {n: [e["objectRef"] for e in m.audit(starts[n])[0]] for n, m in k.members.items()}
    for name, at_once in (("m1", False), ("m2", False), ("m3", True)):
        pods = [ref.get("namespace", "") for ref in asked[name] if ref["resource"] == "pods"]
        expect_equal("" in pods, at_once, f"{name}: pods of all at once; {pods}")
        expect(len(pods) == len(set(pods)), f"{name}: some were read twice: {pods}")
        expect_equal([ref["resource"] for ref in asked[name]].count("nodes"), 1, f"{name}: nodes")
    merged = k.ballast(*show, *cut, "--shard=0/2").ended(DONE)
    expect_equal(merged.planned, live.planned, "the plan of summaries")


def stripped(thing):
    """Without what a write changes by itself, and what it may change."""
    spec = {k: v for k, v in thing["spec"].items() if k not in ("placement", "overrides")}
    metadata = {k: v for k, v in thing["metadata"].items()
                if k not in ("resourceVersion", "generation", "managedFields")}
    return {**thing, "spec": spec, "metadata": metadata, "status": None}


def live_case_kubefed_fields_kept(c):
    """Of an object only numbers change: other overrides stay in their place and order, with their
    `op`, and the selector stays, which does not count beside a list."""
    k = c.kubefed()
    k.make()
    k.add("odd", {"m1": 1, "m2": 1}, total=4)
    image = {"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "app:2"}
    k.host.patch(k.path("odd"), {
        "metadata": {"labels": {"a": "b"}, "annotations": {"c": "d"}},
        "spec": {"placement": {"clusterSelector": {"matchLabels": {"x": "y"}}},
                 "overrides": [
                     {"clusterName": "m2", "clusterOverrides": [
                         image, {"op": "add", "path": "/spec/replicas", "value": 1},
                         {"path": "/spec/paused", "value": False}]},
                     {"clusterName": "gone", "clusterOverrides": [image]},
                     {"clusterName": "m1", "clusterOverrides": [
                         {"path": "/spec/replicas", "value": 1}]}]}})
    k.carry()
    k.wait(m1=(1, 0), m2=(1, 0))
    k.carry()
    was = k.host.get(k.path("odd"))
    k.ballast("run").ended(DONE)
    now = k.host.get(k.path("odd"))
    split = kinds.split_of(now)
    expect_equal(fleets.total(split), 4, f"{split}")
    expect_equal(stripped(now), stripped(was), "what is neither placement nor override")
    expect_equal(now["spec"]["placement"]["clusterSelector"], {"matchLabels": {"x": "y"}},
                 "the selector")
    given = {o["clusterName"]: o["clusterOverrides"] for o in now["spec"]["overrides"]}
    expect_equal(list(given)[:3], ["m2", "gone", "m1"], "the order of clusters")
    expect_equal(given["gone"], [image], "overrides of a cluster where it is not placed")
    expect_equal([o["path"] for o in given["m2"]], [
        image["path"], "/spec/replicas", "/spec/paused"], "the order in m2")
    expect_equal(given["m2"][0], image, "another override")
    expect_equal((given["m2"][1].get("op"), type(given["m2"][1]["value"])), ("add", int),
                 "op and type of the number")
    k.carry()
    k.wait(**{n: (split.get(n, 0), 0) for n in k.members})
    k.carry()
    expect_nothing_more(k, "after it")


def live_case_kubefed_left_alone(c):
    """An object that retains its members' replicas, and one without a preference, are reported and
    not written, though pods of theirs are stuck."""
    k = c.kubefed()
    k.make()
    k.members["m1"].fill(SLOTS)
    k.add("alone", {"m1": 2, "m2": 1}, preference=False)
    k.add("scaled", {"m1": 2, "m2": 1}, retain=True)
    k.add("moved", {"m1": 2, "m2": 1})
    k.carry()
    k.wait(m1=(0, 6), m2=(3, 0))
    k.wait_until_older()
    k.carry()
    before = k.splits()
    run = k.ballast("run", "-o", "json")
    expect(run.status in (DONE, ERROR), f"status {run.status}: {run.err}")
    after = k.splits()
    expect_equal([n for n in after if after[n] != before[n]], ["moved"], "moved")
    expect_equal(fleets.total(after["moved"]), 3, f"{after['moved']}")
    said = items_of(run)
    expect("NoPreference" in str(said.get("alone")), f"said of alone: {said.get('alone')}")
    expect("utoscal" in str(said.get("scaled")), f"said of scaled: {said.get('scaled')}")


class World:
    """A fleet in which something changes now and then."""

    def __init__(self, c, k):
        self.random, self.k, self.cordoned = c.random, k, None
        self.totals = {f"app-{i}": 6 for i in range(6)}
        for name, total in self.totals.items():
            k.add(name, {"m1": 2, "m2": 2, "m3": 2}, total, self.weights())

    def weights(self):
        return {n: {"weight": self.random.randrange(1, 5)} for n in self.k.members}

    def change(self):
        """What is done to the fleet before the next run; often nothing."""
        what = self.random.choice(["nothing", "total", "total", "weights", "cordon", "wait"])
        name = self.random.choice(sorted(self.totals))
        if what == "total":
            self.totals[name] = self.random.randrange(3, 13)
            self.k.total(name, self.totals[name])
        elif what == "weights":
            self.k.host.patch(self.k.preference(name), {"spec": {"clusters": self.weights()}})
        elif what == "cordon":
            if self.cordoned is not None:
                self.k.cordon(self.cordoned, False)
            clusters = [None, *sorted(self.k.members)]
            self.cordoned = self.random.choice([n for n in clusters if n != self.cordoned])
            if self.cordoned is not None:
                self.k.cordon(self.cordoned)
        elif what == "wait":
            time.sleep(1.5)  # what is stuck counts as stuck after a second
        return what


def order_of(thing):
    return [o["clusterName"] for o in thing["spec"]["overrides"]]


def one_run(world, did):
    """One of many runs: what it writes it writes for numbers, and they add up. Returns what sync
    wrote in members, and whether Ballast wrote."""
    k = world.k
    before = {d["metadata"]["name"]: d for d in k.host.list(kinds.path_of("FederatedDeployment",
                                                                         NAMESPACE))}
    k.health.probe()
    run = k.ballast("run").ended(DONE)
    wrote = 0
    for name, total in world.totals.items():
        now = k.host.get(k.path(name))
        split, old = kinds.split_of(now), kinds.split_of(before[name])
        expect_equal(fleets.total(split), total, f"{name} after {did}, {split}\n{run.err}")
        if split == old:
            expect_equal(now["spec"], before[name]["spec"], f"{name}, whose split stays")
        expect_equal(order_of(now)[:len(order_of(before[name]))], order_of(before[name]),
                     f"{name}'s overrides after {did}: clusters")
        wrote += split != old
    return k.carry(), wrote


def live_case_kubefed_many_runs(c):
    """A hundred runs, between which totals and weights change and clusters are cordoned and
    uncordoned: in no member is anything written but where another number of replicas is wanted
    there. (That sync sends an object that is as it was to the other members of a changed one is its
    own doing: it takes no effect.)"""
    k = c.kubefed()
    k.make()
    world = World(c, k)
    k.carry()
    k.wait(m1=(12, 0), m2=(12, 0), m3=(12, 0))
    k.carry()
    did, whys, runs = collections.Counter(), collections.Counter(), 0
    for _ in range(RUNS):
        what = world.change()
        writes, wrote = one_run(world, what)
        did[what] += 1
        runs += wrote > 0
        whys.update(w.why for w in writes)
        for w in writes:
            expect(w.why in NEEDED or (w.why == "beside" and not w.took), f"needless: {w}")
            expect(w.why != "replicas" or w.was != w.wanted, f"needless: {w}")
            expect(wrote, f"written in a member though Ballast wrote nothing: {w}")
    print(f"    {RUNS} runs, {runs} of which wrote; before them {dict(did)}; in members "
          f"{dict(whys)}", flush=True)
    expect(runs > RUNS // 10 and whys["replicas"] > 0, "too little happened: the case shows nothing")
    if world.cordoned is not None:
        k.cordon(world.cordoned, False)
    for _ in range(3):  # what was stuck may leave room for more
        k.ballast("run").ended(DONE)
        k.carry()
    ready = {n: sum(s.get(n, 0) for s in k.splits().values()) for n in k.members}
    k.wait(**{n: (ready[n], 0) for n in ready})
    k.carry()
    expect_nothing_more(k, "at the end")


def live_case_kubefed_back_after_uncordon(c):
    """Replicas that a full cluster could not take come back to what the weights say once it can
    (upstream's stay away for ever), and no ready pod dies for nothing on the way."""
    k = c.kubefed()
    k.make()
    k.cordon("m1")
    k.add("web", {"m1": 4, "m2": 2}, 6, {"m1": {"weight": 2}, "m2": {"weight": 1}})
    k.carry()
    k.wait(m1=(0, 4), m2=(2, 0))
    k.wait_until_older()
    k.carry()
    brief = k.settings("cooldown: {initial: 1s, max: 2s}")
    k.ballast("run", brief).ended(DONE)
    expect_equal(k.splits()["web"].get("m1", 0), 0, "in the cordoned cluster")
    k.carry()
    k.wait(m1=(0, 0), m2=(6, 0))
    pods = ReadyPods(k)
    pods.look()
    k.cordon("m1", False)
    k.carry()
    k.total("web", 9)
    time.sleep(2)  # until the cooldown is over
    k.ballast("run", brief).ended(DONE)
    k.carry()
    split = k.splits()["web"]
    expect_equal((fleets.total(split), split.get("m1", 0) > 0), (9, True), f"{split}")
    k.wait(**{n: (split.get(n, 0), 0) for n in k.members})
    pods.look()
    expect_equal((sum(pods.died.values()), pods.fewest), (0, 6), "ready pods that died, fewest")


def live_case_kubefed_no_host(c):
    """A control plane that is no KubeFed host is said to be none."""
    run = c.ballast("plan", live=("--platform=kubefed",)).ended(ERROR)
    expect("KubeFed" in run.err and "kubefedconfigs" in run.err.lower() + KFNS, run.err)
