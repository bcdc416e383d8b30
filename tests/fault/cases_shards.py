# SPDX-License-Identifier: Apache-2.0
"""Members that several processes look into, and one that plans: from summaries the plan is the one
that is made by looking, whoever wrote them when; what is missing, late, torn, of another version,
fleet or cycle is not seen, which is said, and ends with status 4. Shards are killed at any time."""
import base64
import difflib
import itertools
import json
import random
import re
import secrets
import shutil
import signal
import subprocess
import threading
import time
import zlib

import cases_hostile as hostile
from cases import Failure, Run, expect, expect_in_time, expect_no_secret
from rows import BOTH, DONE, ERROR, HTTP1, UNSEEN, USAGE
from server import Fault, Server
from store import CLUSTERS, SHOP_BINDINGS, answer, binding, cluster, failure

TABLE = "Shards"
N_MEMBERS = 9
MEMBERS = [f"m{i + 1}" for i in range(N_MEMBERS)]
FLAGS = ("--sources=pods,nodes", "--page-size=500", "--deadline=60s")
NOW = "--now=2026-01-01T01:00:00Z"
STOPPED = 143


class ShardStore(hostile.HostileStore):
    """Of shop/fine two pods are stuck in m2; others are ready in every member, some of them on the
    same node."""

    def __init__(self, token):
        super().__init__(token, n_in_need=3)
        for name in MEMBERS[3:]:
            self.put(f"{CLUSTERS}/{name}", cluster(name))
        for i in range(4):
            self.put(f"{SHOP_BINDINGS}/far-{i}",
                     binding(f"far-{i}", {name: 1 for name in MEMBERS[i::3]}, replicas=9))

    def member_items(self, member, kind, query):
        items = super().member_items(member, kind, query)
        if kind == "Pod":
            number = MEMBERS.index(member)
            return [*items, *(hostile.ready(f"r{i}") for i in range(number)),
                    *([hostile.pod("fine-1-y")] if member == "m2" else [])]
        return items


MAPS = "/api/v1/namespaces/default/configmaps"
MAP_BYTES_MAX = 1 << 20  # of an object, as an API server has it


class MapStore(ShardStore):
    """The same, with the ConfigMaps of a namespace, which are made, listed, read and deleted."""

    def maps(self):
        return {path: thing for path, thing in self.objects.items() if path.startswith(MAPS)}

    def create_map(self, request):
        new = json.loads(request.body)
        path = f"{MAPS}/{new['metadata']['name']}"
        if path in self.objects:
            return failure(409, "AlreadyExists", f"{path} already exists")
        if sum(len(base64.b64decode(v)) for v in new["binaryData"].values()) > MAP_BYTES_MAX:
            return failure(422, "Invalid", "Too long: must have at most 1048576 bytes")
        new["metadata"]["creationTimestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.put(path, new)
        return answer(201, new)

    def list_maps(self, request):
        key, _, value = request.query["labelSelector"].partition("=")
        items = [{"metadata": thing["metadata"]} for _, thing in sorted(self.maps().items())
                 if thing["metadata"]["labels"].get(key) == value]
        return answer(200, {"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
                            "metadata": {"resourceVersion": str(self.version)}, "items": items})

    def delete_map(self, request):
        if self.objects.pop(request.path, None) is None:
            return failure(404, "NotFound", "it is gone")
        return answer(200, {"kind": "Status", "status": "Success"})

    ROUTES = (("POST", MAPS, create_map), ("GET", MAPS, list_maps),
              ("DELETE", MAPS + "/[^/]+", delete_map), *ShardStore.ROUTES)


class World:
    def __init__(self, place, name, protocol=1, store=ShardStore):
        self.place, self.name, self.token = place, name, secrets.token_hex(16)
        self.store = store(self.token)
        self.server = Server(self.store, place.certificates, protocol, [])
        self.config = place.kubeconfig(name, self.server.url, self.token)
        self.summaries = place.directory / f"{name}-summaries"
        self.said, self.environment = "", ()

    def keep(self, run, ends):
        self.said += f"{run}\n"
        expect_in_time(run)
        expect_no_secret(run, self.token)
        expect(ends is None or run.status == ends, f"want status {ends}")
        return run

    def plan(self, *flags, ends=DONE):
        return self.keep(self.place.run(self.config, "plan", (*FLAGS, NOW, "--show-all", *flags)), ends)

    def merged(self, *flags, ends=DONE):
        return self.plan(f"--summaries={self.summaries}", *flags, ends=ends)

    def observe(self, shard, *flags, ends=DONE):
        """In a place of its own: several of them run at a time."""
        config = self.place.directory / f"{self.name}-{shard.replace('/', '-of-')}.json"
        shutil.copy(self.config, config)
        run = Run(self.place.program, self.place.directory, config,
                  ["observe", *FLAGS, f"--shard={shard}", f"--summaries={self.summaries}", *flags],
                  environment=self.environment)
        return self.keep(run, ends)

    def observe_all(self, count, *flags):
        shards = [f"{i + 1}/{count}" for i in range(count)]
        random.shuffle(shards)
        for shard in shards:
            self.observe(shard, *flags)

    def path(self, index, count):
        return self.summaries / f"{index}-of-{count}.summary"

    def members_of(self, index, count):
        text = self.path(index, count).read_bytes()
        return [name.decode() for name in re.findall(rb'^\{"member":"([^"]+)"', text, re.MULTILINE)]

    def same_as(self, want, run):
        """Byte for byte, but for when the control plane was read."""
        texts = [re.sub('"capturedAt": "[^"]*"', "", r.out) for r in (want, run)]
        difference = "\n".join(itertools.islice(difflib.unified_diff(
            texts[0].splitlines(), texts[1].splitlines(), "looking", "summaries", lineterm=""), 40))
        expect(texts[0] == texts[1], f"the plan is another one:\n{difference}")
        expect(run.status == want.status, f"want status {want.status}")


def expect_unseen(run, members, why):
    """These, and no others, are said not to be seen, for that reason."""
    told = dict(re.findall(r"member (\S+): not seen: (.*)", run.err))
    expect(set(told) == set(members), f"not seen are {sorted(told)}, want {sorted(members)}")
    for name in members:
        expect(re.search(why, told[name]), f"{name}: want {why!r}, got {told[name]!r}")
    expect(run.status == (UNSEEN if members else DONE), f"status {run.status}")


def played(story, protocol=1, store=ShardStore):
    def play(place, name):
        world = World(place, name, protocol, store)
        try:
            story(world)
        except Failure as e:
            raise Failure(f"{e}\n{world.said[-6000:]}") from None
        finally:
            world.server.stop()
    return play


# --- as it should be ----------------------------------------------------------------------------

def as_one(world):
    want = world.plan()
    expect(("UnschedulableReplicas", "m2") in
           [(f["type"], f["cluster"]) for f in want.items["shop/fine"]["findings"]],
           "the fleet is not what it is meant to be")
    for count in (1, 2, 7, 16):
        world.observe_all(count)
        told = [name for i in range(count) for name in world.members_of(i + 1, count)]
        expect(sorted(told) == MEMBERS, f"{count} shards tell of {sorted(told)}")
        world.same_as(want, world.merged(f"--shard=0/{count}"))
        world.same_as(want, world.merged())


def reads_its_own(world):
    """A shard reads Clusters and its own members, and writes nothing but its summary."""
    for i in range(3):
        world.store.requests.clear()
        world.observe(f"{i + 1}/3")
        asked = {r.path for r in world.store.requests}
        reached = {m[1] for m in (re.match(rf"{CLUSTERS}/([^/]+)/proxy", p) for p in asked) if m}
        expect(sorted(reached) == sorted(world.members_of(i + 1, 3)), f"it looked into {reached}")
        expect({r.method for r in world.store.requests} == {"GET"}, "it sent something else")
        rest = {p for p in asked if not p.startswith(CLUSTERS)}
        expect(not [p for p in rest if "binding" in p or "polic" in p or "lease" in p],
               f"it read {rest}")
    expect(sorted(p.name for p in world.summaries.iterdir()) ==
           [f"{i + 1}-of-3.summary" for i in range(3)], "there is something else in the directory")


def run_does_it(world):
    """One command for all pods of an Indexed Job: 0 plans and writes, the others observe."""
    flags = (*FLAGS, f"--summaries={world.summaries}", "--cycle=job-1")
    for i in (1, 2):
        world.keep(world.place.run(world.config, "run", (*flags, f"--shard={i}/2")), DONE)
    expect(not world.store.writes, "a shard wrote to a binding")
    world.keep(world.place.run(world.config, "run", (*flags, "--shard=0/2")), DONE)
    expect(world.store.writes, "nothing was written")


# --- what is wrong with one of them ---------------------------------------------------------------

def write(change):
    def act(world, path):
        path.write_bytes(change(path.read_bytes()))
    return act


def other_fleet(world, path):
    other = World(world.place, world.name + "-other", 1)
    try:
        other.summaries = world.summaries
        path.unlink()
        other.observe(path.name.replace(".summary", "").replace("-of-", "/"))
        world.said += other.said
    finally:
        other.server.stop()


def other_cycle(world, path):
    world.observe(path.name.replace(".summary", "").replace("-of-", "/"), "--cycle=before")


def other_settings(world, path):
    world.observe(path.name.replace(".summary", "").replace("-of-", "/"), "--sources=nodes",
                  "--cycle=now")


FAULTS = {
    "missing": (lambda world, path: path.unlink(), "there is no summary of shard 1 of 3"),
    "empty": (write(lambda _: b""), "it is no summary"),
    "cut": (write(lambda text: text[:len(text) // 2]), "it is torn: want"),
    "cut by a byte": (write(lambda text: text[:-1]), "it is torn: want"),
    "longer": (write(lambda text: text + b"\n"), "it is torn: want"),
    "with another byte": (write(lambda text: text.replace(b'"observedAt"', b'"observedAT"')),
                          "it is torn: its checksum"),
    "zeroes": (write(lambda text: b"\0" * len(text)), "it is no summary"),
    "of another version": (write(lambda text: text.replace(b"v1alpha3", b"v1beta1", 1)),
                           'it is of version "v1beta1", want v1alpha3'),
    "of another fleet": (other_fleet, "it is of another fleet: https://"),
    "of another cycle": (other_cycle, "it is of another cycle: before"),
    "of other settings": (other_settings, "it was made with other settings: members=nodes,"),
    "a directory": (lambda world, path: (path.unlink(), path.mkdir()), "it cannot be read"),
    "another shard's": (lambda world, path: shutil.copy(path.parent / "3-of-3.summary", path),
                        "it is of shard 3 of 3"),
}


def one_is(act, why):
    def story(world):
        flags = ("--cycle=now",)
        world.observe_all(3, *flags)
        lost = world.members_of(1, 3)
        expect(lost and len(lost) < N_MEMBERS, f"shard 1 has {lost}")
        act(world, world.path(1, 3))
        run = world.merged(*flags, ends=None)
        expect_unseen(run, lost, why)
        is_seen = "m2" not in lost
        found = [(f["type"], f["cluster"]) for f in run.items["shop/fine"]["findings"]]
        expect((("UnschedulableReplicas", "m2") in found) == is_seen, f"found {found}")
        # it comes again, and all is well
        if world.path(1, 3).is_dir():
            world.path(1, 3).rmdir()
        world.observe("1/3", *flags)
        world.same_as(world.plan(), world.merged(*flags))
    return story


def too_old(world):
    world.observe_all(2)
    time.sleep(2.2)
    run = world.merged("--summaries-max-age=1s", ends=None)
    expect_unseen(run, MEMBERS, "too far from when the fleet was read")
    world.same_as(world.plan(), world.merged("--summaries-max-age=0"))


def forbid(world, member, path, why):
    """One path of a member, from now on."""
    def act(x):
        if x.request.path == f"{CLUSTERS}/{member}/proxy{path}":
            x.send(failure(403, "Forbidden", why))
        else:
            x.send(x.carry_out())

    world.server.faults.append(Fault("member", act))


def no_members(world):
    """A member that a shard could not see is not seen, and why is said in its words."""
    lost = MEMBERS[1]
    forbid(world, lost, hostile.PODS, "the fault says so")
    want = world.plan(ends=UNSEEN)
    world.observe_all(3)
    run = world.merged(ends=UNSEEN)
    world.same_as(want, run)
    expect_unseen(run, [lost], "the fault says so")


# --- late, and killed ------------------------------------------------------------------------------

def later(seconds, act, *args):
    timer = threading.Timer(seconds, act, args)
    timer.start()
    return timer


def late(world):
    """Whoever knows how many there are waits for the last one, and not for longer than that."""
    want = world.plan()
    world.observe("1/2", "--cycle=a")
    timer = later(1.5, world.observe, "2/2", "--cycle=a")
    run = world.merged("--shard=0/2", "--cycle=a")
    timer.join()
    world.same_as(want, run)
    expect(1 < run.seconds < 20, f"it took {run.seconds:.1f}s")


def never(world):
    world.observe("1/2", "--cycle=a")
    seen = world.members_of(1, 2)
    run = world.merged("--shard=0/2", "--cycle=a", "--deadline=4s", ends=None)
    expect_unseen(run, set(MEMBERS) - set(seen), "there is no summary of shard 2 of 2")
    expect(1.8 < run.seconds < 4 + 5, f"it took {run.seconds:.1f}s, want half the deadline")


def stopped(world):
    run = world.place.run(world.config, "run",
                          (*FLAGS, f"--summaries={world.summaries}", "--shard=0/2"),
                          started=lambda popen: later(1, popen.send_signal, signal.SIGTERM))
    world.keep(run, STOPPED)
    expect(run.seconds < 10 and not world.store.lease_holder(), "it kept the Lease, or was slow")


def killed(world):
    """At any moment: its summary is the one before, or whole, or not there."""
    want = world.plan()
    chance = random.Random(7)
    partial = 0
    for _ in range(20):
        shutil.rmtree(world.summaries, ignore_errors=True)
        killed_at = {}
        shards = [subprocess.Popen(
            [world.place.program, "observe", *FLAGS, f"--kubeconfig={world.config}",
             f"--shard={i + 1}/3", f"--summaries={world.summaries}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in range(3)]
        for popen in shards:
            killed_at[popen] = later(chance.uniform(0.01, 0.3), popen.kill)
        for popen in shards:
            popen.wait()
            killed_at[popen].cancel()
        run = world.merged(ends=None)
        lost = [name for i in range(3) if not world.path(i + 1, 3).exists()
                for name in world.owners[i]]
        if lost:
            partial += 1
            expect_unseen(run, lost, "there is no summary")
        else:
            world.same_as(want, run)
        leftovers = [p.name for p in world.summaries.iterdir()] if world.summaries.exists() else []
        expect(all(n.endswith(".summary") or n.startswith(".") for n in leftovers), f"{leftovers}")
    expect(partial, "none was killed in time: the case says nothing")


def killed_story(world):
    world.observe_all(3)
    world.owners = [world.members_of(i + 1, 3) for i in range(3)]
    killed(world)


def two_write_one(world):
    """A pod that is taken for lost goes on beside the one in its place: neither fails, and one
    whole summary stays."""
    want = world.plan()
    at_once = [subprocess.Popen(
        [world.place.program, "observe", *FLAGS, f"--kubeconfig={world.config}", "--shard=1/1",
         f"--summaries={world.summaries}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    for popen in at_once:
        said = popen.communicate(timeout=60)[1]
        expect(popen.returncode == DONE, f"it ended with {popen.returncode}: {said}")
    expect([p.name for p in world.summaries.iterdir()] == ["1-of-1.summary"], "something is left")
    world.same_as(want, world.merged("--shard=0/1"))


# --- as ConfigMaps ----------------------------------------------------------------------------

CARRIED = "configmap:b"


def in_maps(story):
    def play(world):
        world.summaries = CARRIED
        world.environment = {"JOB_NAME": "job-1", "JOB_UID": "uid-1"}
        story(world)
    return play


def maps_as_one(world):
    want = world.plan()
    for count in (1, 2, 7, 16):
        world.observe_all(count, f"--cycle={count}")
        world.same_as(want, world.merged(f"--shard=0/{count}", f"--cycle={count}"))
    world.same_as(want, world.merged())
    wrote = {(r.method, r.path.partition(MAPS)[1]) for r in world.store.requests
             if r.method != "GET"}
    expect(wrote == {("POST", MAPS)}, f"a shard did {wrote}")
    expect(len(world.store.maps()) == 1 + 2 + 7 + 16, "there are not as many ConfigMaps as shards")


def maps_need_no_rights(world):
    """A shard is let do nothing to ConfigMaps but create one."""
    def act(x):
        if x.request.method != "POST":
            x.send(failure(403, "Forbidden", "a shard may not"))
        else:
            x.send(x.carry_out())

    fault = Fault("ConfigMap", act)
    world.server.faults.append(fault)
    world.observe_all(2)
    run = world.merged("--shard=0/2", ends=ERROR)
    expect("a shard may not" in run.err, "it is not said why")
    world.server.faults.remove(fault)
    world.same_as(world.plan(), world.merged("--shard=0/2"))


def maps_without_job(world):
    world.environment = {}
    for _ in range(3):
        world.observe_all(2)
    expect(len(world.store.maps()) == 2, f"left are {sorted(world.store.maps())}")
    world.same_as(world.plan(), world.merged())


def change_map(change):
    def act(world, path):
        with world.store.lock:
            change(world.store.objects[path])
    return act


def other_bytes(thing):
    text = zlib.decompress(base64.b64decode(thing["binaryData"]["summary"]))
    thing["binaryData"]["summary"] = base64.b64encode(
        zlib.compress(text.replace(b'"observedAt"', b'"observedAT"'))).decode()


def half(thing):
    text = thing["binaryData"]["summary"]
    thing["binaryData"]["summary"] = text[:len(text) // 8 * 4]


def annotate(key, value):
    return change_map(lambda thing: thing["metadata"]["annotations"].update({key: value}))


MAP_FAULTS = {
    "missing": (lambda world, path: world.store.objects.pop(path),
                "there is no summary of shard 1 of 3"),
    "without a part": (annotate("ballast.io/part", "1-of-2"),
                       "it is torn: want 2 ConfigMaps, got 1"),
    "cut": (change_map(half), "it is torn: it cannot be decompressed"),
    "of another length": (annotate("ballast.io/bytes", "7"),
                          "it is torn: it cannot be decompressed"),
    "with another byte": (change_map(other_bytes), "it is torn: its checksum"),
    "of another cycle": (annotate("ballast.io/cycle", "before"), "it is of another cycle: before"),
    "empty": (change_map(lambda thing: thing.pop("binaryData")), "it is torn: there is no"),
}


def one_map_is(act, why):
    def story(world):
        flags = ("--cycle=now",)
        world.observe_all(3, *flags)
        path = next(path for path in world.store.maps() if "-1-of-3-" in path)
        shutil.rmtree(world.place.directory / f"{world.name}-files", ignore_errors=True)
        world.summaries = world.place.directory / f"{world.name}-files"
        world.observe("1/3")
        lost = world.members_of(1, 3)
        world.summaries = CARRIED
        act(world, path)
        run = world.merged(*flags, ends=None)
        expect_unseen(run, lost, why)
        world.observe("1/3", *flags)
        world.same_as(world.plan(), world.merged(*flags))
    return story


def maps_out_of_reach(world):
    """The server with the ConfigMaps does not answer: nobody is seen, and the run is over in time."""
    world.observe_all(2)
    world.server.faults.append(Fault("ConfigMap", lambda x: x.send(
        failure(503, "ServiceUnavailable", "not now"))))
    run = world.merged("--shard=0/2", "--deadline=6s", ends=None)
    expect_unseen(run, MEMBERS, "summaries: ConfigMaps default/b: ")


def maps_killed(world):
    want = world.plan()
    chance = random.Random(11)
    for turn in range(12):
        shards = [subprocess.Popen(
            [world.place.program, "observe", *FLAGS, f"--kubeconfig={world.config}",
             f"--shard={i + 1}/2", f"--summaries={CARRIED}", f"--cycle={turn}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in range(2)]
        timers = [later(chance.uniform(0.01, 0.3), popen.kill) for popen in shards]
        for popen, timer in zip(shards, timers):
            popen.wait()
            timer.cancel()
        there = {m[1] for m in (re.search(r"-(\d)-of-2-", path) for path, thing in
                                world.store.maps().items()
                                if thing["metadata"]["annotations"]["ballast.io/cycle"] == str(turn))}
        run = world.merged(f"--cycle={turn}", ends=None)
        if len(there) == 2:
            world.same_as(want, run)
        else:
            expect(run.status == UNSEEN, f"{there} are there: status {run.status}")


def wrong_use(world):
    for flags, why in (("observe --shard=0/2 --summaries=x", "shard 0 is the one that plans"),
                       ("observe", "where to"), ("observe --summaries=configmap:", "want a dir"),
                       ("observe --summaries=configmap:/b", "want a dir"),
                       ("observe --summaries=configmap:ops/B", "want a dir"), ("plan --shard=0/2", "where are the summaries")):
        run = world.keep(Run(world.place.program, world.place.directory, world.config,
                             [*flags.split(), *FLAGS]), USAGE)
        expect(why in run.err, f"want {why!r}")


def cases():
    """(table, name, protocol, function of place and name)"""
    for protocol in BOTH:
        yield TABLE, "shards: as one", protocol, played(as_one, protocol)
    for name, story in (("read their own", reads_its_own), ("run does it", run_does_it),
                        ("too old", too_old), ("a member that one does not see", no_members),
                        ("late", late), ("never", never), ("stopped", stopped),
                        ("killed", killed_story), ("two write one", two_write_one),
                        ("wrong use", wrong_use)):
        yield TABLE, f"shards: {name}", HTTP1[0], played(story)
    for name, (act, why) in FAULTS.items():
        yield TABLE, f"shards: one is {name}", HTTP1[0], played(one_is(act, why))
    for name, story in (("as one", maps_as_one), ("need no rights", maps_need_no_rights),
                        ("without a Job", maps_without_job), ("late", late),
                        ("out of reach", maps_out_of_reach), ("killed", maps_killed)):
        yield TABLE, f"ConfigMaps: {name}", HTTP1[0], played(in_maps(story), store=MapStore)
    for name, (act, why) in MAP_FAULTS.items():
        yield (TABLE, f"ConfigMaps: one is {name}", HTTP1[0],
               played(in_maps(one_map_is(act, why)), store=MapStore))
