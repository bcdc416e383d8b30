# SPDX-License-Identifier: Apache-2.0
"""Runs that fail over a lost cluster, and are killed, see old lists, are told other times, or find
others at work. However many runs it takes, in the end every binding has left the cluster in one
write, with its sum, and with one graceful eviction task."""
import copy
import email.utils
import json
import os
import secrets
import time

from cases import Failure, expect, expect_in_time, expect_no_secret, expect_whole
from faults import meanwhile
from rows import BOTH, DONE
from server import Fault, Server
from store import BINDINGS, CLUSTER_BINDINGS, CLUSTERS, IN_ORDER, LEASE, SHOP_BINDINGS, Store
from store import binding, failure, split_of

LOST = "m1"
OLD_TASK = {"fromCluster": LOST, "purgeMode": "Gracefully", "reason": "TaintUntolerated",
            "producer": "TaintManager", "replicas": 2}
DAY = 86400
LAST_MOVE = "ballast.io/last-move"


def make_store(token):
    store = Store(token, n_in_need=0)
    for i in range(4):
        store.put(f"{SHOP_BINDINGS}/web-{i}", binding(f"web-{i}", IN_ORDER))
    store.put(f"{CLUSTER_BINDINGS}/wide", binding("wide", IN_ORDER, namespace=None))
    say_ready(store, "False")
    return store


def say_ready(store, status, since="2026-01-01T00:00:00Z", name=LOST):
    store.touch(f"{CLUSTERS}/{name}", {"status": {"conditions": [
        {"type": "Ready", "status": status, "reason": "Test", "lastTransitionTime": since}]}})


def bindings_of(store):
    return {path: thing for path, thing in store.objects.items() if "bindings/" in path}


def tasks_of(thing):
    return thing["spec"].get("gracefulEvictionTasks") or []


def expect_one_task_each(store):
    for path, thing in bindings_of(store).items():
        tasks = [task["fromCluster"] for task in tasks_of(thing)]
        expect(len(set(tasks)) == len(tasks), f"{path} has tasks from {tasks}")
        expect((LOST in split_of(thing)) != (LOST in tasks),
               f"{path} is {split_of(thing)} with tasks from {tasks}: one write does both")


def expect_left(store):
    expect_one_task_each(store)
    for path, thing in bindings_of(store).items():
        split = split_of(thing)
        expect(LOST not in split and sum(split.values()) == thing["spec"]["replicas"],
               f"{path} is {split} in the end")


class World:
    """A server, and runs against it."""

    def __init__(self, place, name, protocol):
        self.place, self.token = place, secrets.token_hex(16)
        self.store = make_store(self.token)
        self.server = Server(self.store, place.certificates, protocol)
        self.config = place.kubeconfig(name, self.server.url, self.token)
        self.policy = place.directory / f"{name}.yaml"
        self.policy.write_text("apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
                               "triggers: {UnhealthyCluster: true}\n")
        self.before = self.store.splits()
        self.said = ""
        self.tasks_are_done = False

    def run(self, *faults, ends=DONE, started=None, place=None):
        self.server.faults[:] = faults
        run = (place or self.place).run(self.config, "run", (f"--config={self.policy}",), started)
        self.said += f"{run}\n"
        expect_in_time(run)
        expect_no_secret(run, self.token)
        expect_whole(self.store, self.before)
        if not self.tasks_are_done:
            expect_one_task_each(self.store)
        expect(ends is None or run.status == ends, f"want status {ends}")
        return run

    def run_idle(self, *faults, place=None):
        """A run that finds nothing to write."""
        count = len(self.store.writes)
        run = self.run(*faults, place=place)
        expect(len(self.store.writes) == count, f"written once more: {self.store.writes[count:]}")
        return run


# --- killed -------------------------------------------------------------------------------------

def killed(after, carried_out):
    """At its nth PATCH, before or after the server carried it out."""
    def play(world):
        victims = []

        def act(x):
            if carried_out:
                x.carry_out()
            victims[0].kill()
            x.close()

        fault = Fault("patch", act, times=1, after=after)
        run = world.run(fault, ends=None, started=victims.append)
        expect(run.status == -9 and fault.hits == 1, "it was not killed")
        expect(len(world.store.writes) >= after, "killed too early")
        world.store.objects.pop(LEASE, None)  # it would have to wait until that has run out
        world.run()
        expect_left(world.store)
        world.run_idle()
    return play


# --- old lists ----------------------------------------------------------------------------------

def stale(n_written):
    """The lists are from before the first run: an API server that lags behind."""
    def play(world):
        old = copy.deepcopy(world.store.objects)
        if n_written < len(bindings_of(world.store)):
            refuse = Fault("patch", lambda x: x.send(failure(422, "Invalid", "not today")),
                           after=n_written)
            world.run(refuse, ends=1)
        else:
            world.run()

        def act(x):
            if x.request.path in (BINDINGS, CLUSTER_BINDINGS):
                with world.store.lock:
                    now, world.store.objects = world.store.objects, old
                    x.carry_out()
                    world.store.objects = now
            x.send(x.carry_out())

        world.run(Fault("list", act))
        expect_left(world.store)
        world.run_idle(Fault("list", act))
        world.run_idle()
    return play


# --- time ---------------------------------------------------------------------------------------

def told(seconds):
    """What the server's clock says, in all its answers."""
    date = email.utils.formatdate(seconds, usegmt=True)

    def act(x):
        x.send(x.carry_out().has(date=date))
    return [Fault(kind, act) for kind in ("list", "next page", "patch", "lease", "lease read",
                                          "read again", "event", "other")]


def jumping(*offsets):
    def play(world):
        now = time.time()
        world.run(*told(now))
        expect_left(world.store)
        for offset in offsets:
            world.store.objects.pop(LEASE, None)
            world.run_idle(*told(now + offset))
    return play


def before_it_fell(world):
    """The clock is set back to before the cluster was lost: nothing is due, and nothing breaks."""
    world.run_idle(*told(email.utils.parsedate_to_datetime(
        "Wed, 31 Dec 2025 00:00:00 GMT").timestamp()))
    world.store.objects.pop(LEASE, None)
    world.run(*told(time.time()))
    expect_left(world.store)


# --- others at work -----------------------------------------------------------------------------

def taint_manager_first(world):
    """Karmada's own takes the cluster away between our reading and our writing."""
    act = meanwhile({"spec": {"clusters": [{"name": "m2", "replicas": 2},
                                           {"name": "m3", "replicas": 2}],
                              "gracefulEvictionTasks": [OLD_TASK]}})
    world.store.wrongs.clear()
    world.run(Fault("patch", act, times=2))
    for path, thing in bindings_of(world.store).items():
        split, tasks = split_of(thing), tasks_of(thing)
        expect(LOST not in split and len(tasks) == 1, f"{path} is {split} with {tasks}")
        expect(sum(split.values()) == thing["spec"]["replicas"], f"{path} is {split} in the end")
    kept = [tasks_of(thing)[0] for thing in bindings_of(world.store).values()]
    expect(kept.count(OLD_TASK) == 2, f"the other's tasks were changed: {kept}")
    count, splits = len(world.store.writes), world.store.splits()
    world.run()  # it notes on one binding that Karmada fails over
    expect(len(world.store.writes) == count + 1, f"want one note: {world.store.writes[count:]}")
    expect(world.store.splits() == splits, "the note changed a split")
    world.run_idle()


def tasks_are_done(world):
    """Karmada's graceful eviction controller ends the tasks while the cluster is still lost."""
    world.run()
    expect_left(world.store)
    for path in bindings_of(world.store):
        world.store.touch(path, {"spec": {"gracefulEvictionTasks": None}})
    world.tasks_are_done = True
    world.run_idle()
    for path, thing in bindings_of(world.store).items():
        expect(LOST not in split_of(thing) and not tasks_of(thing), f"{path} has a task again")


def two_at_once(world):
    """The second one has no Lease, and writes nothing."""
    second = []

    def act(x):
        second.append(world.place.run(world.config.with_stem(world.config.stem + "-second"), "run",
                                      (f"--config={world.policy}",)))
        x.send(x.carry_out())

    other = world.config.with_stem(world.config.stem + "-second")
    other.write_text(world.config.read_text())
    world.run(Fault("patch", act, times=1))
    expect(second[0].status == 75, f"the second run: {second[0]}")
    expect_left(world.store)


# --- what other versions, and others, leave on a binding ----------------------------------------

RECORD = {"time": "2026-01-01T00:05:00Z", "from": [{"name": "m3", "replicas": 2}],
          "to": [{"name": LOST, "replicas": 2}], "reason": "UnschedulableReplicas", "attempt": 1,
          "workload": 7}
RECORDS = {
    "a later version's": json.dumps(RECORD | {
        "version": 2, "reason": "SomethingNew", "why": {"deep": [1, {"x": None}]},
        "from": [{"name": "m3", "replicas": 2, "zone": "a"}]}),
    "one of the far future": json.dumps(RECORD | {"time": "2240-01-01T00:00:00Z"}),
    "one before time began": json.dumps(RECORD | {"time": "0001-01-01T00:00:00Z"}),
    "one of clusters that are gone": json.dumps(RECORD | {
        "from": [{"name": "gone", "replicas": 2}], "to": [{"name": "", "replicas": -1}]}),
    "one of too many attempts": json.dumps(RECORD | {"attempt": 1 << 62}),
    "one of other types": json.dumps(RECORD | {"time": 5, "from": "m3", "attempt": "x"}),
    "no JSON": "{\"time\":",
    "nothing": "",
    "half a megabyte": json.dumps(RECORD | {"x": "y" * 500000}),
    "too deep": "[" * 5000,
}


def finds_record(text):
    def play(world):
        for path in bindings_of(world.store):
            world.store.touch(path, {"metadata": {"annotations": {LAST_MOVE: text}}})
        count = len(bindings_of(world.store))
        world.run()
        expect(len(world.store.writes) == count, "not all is written")
        expect_left(world.store)
        for path, thing in bindings_of(world.store).items():
            record = json.loads(thing["metadata"]["annotations"][LAST_MOVE])
            expect(LOST in [t["name"] for t in record["from"]], f"{path}: {record}")
        world.run_idle()
    return play


def versions_in_turn(first, second):
    """Each carries on from what the other left. BALLAST_OTHER names another version's program."""
    def play(world):
        other = copy.copy(world.place)
        other.program = os.environ.get("BALLAST_OTHER", world.place.program)
        places = {"this": world.place, "other": other}
        world.run(place=places[first])
        expect_left(world.store)
        world.run_idle(place=places[second])
        for path in bindings_of(world.store):
            world.store.touch(path, {"spec": {"gracefulEvictionTasks": None}})
        world.tasks_are_done = True
        say_ready(world.store, "True")
        say_ready(world.store, "False", name="m2")
        world.run(place=places[second])
        for path, thing in bindings_of(world.store).items():
            split, tasks = split_of(thing), [task["fromCluster"] for task in tasks_of(thing)]
            expect("m2" not in split and tasks == ["m2"], f"{path} is {split} with {tasks}")
            expect(sum(split.values()) == thing["spec"]["replicas"], f"{path} is {split}")
        world.run_idle(place=places[first])
        world.run_idle(place=places[second])
    return play


CASES = [
    *((f"on the bindings: {name}", finds_record(text)) for name, text in RECORDS.items()),
    ("two versions in turn", versions_in_turn("this", "other")),
    ("two versions in turn, the other first", versions_in_turn("other", "this")),
    *((f"killed {'after' if done else 'before'} write {n + 1} was carried out", killed(n, done))
      for n in range(5) for done in (False, True)),
    *((f"lists from before {n} of 6 writes", stale(n)) for n in (0, 1, 3, 6)),
    ("the clock jumps a day ahead, and back", jumping(DAY, 0, -60)),
    ("the clock jumps a day back", jumping(-DAY, -DAY + 120, 0)),
    ("the clock jumps ten years ahead, and back", jumping(3650 * DAY, 0, 3650 * DAY)),
    ("the clock is before the loss at first", before_it_fell),
    ("Karmada's taint manager is first", taint_manager_first),
    ("the tasks are done while the cluster is lost", tasks_are_done),
    ("two runs at once", two_at_once),
]


def one(act, protocol):
    def play(place, name):
        world = World(place, name, protocol)
        try:
            act(world)
        except Failure as e:
            raise Failure(f"{e}\n{world.said}") from None
        finally:
            world.server.stop()
    return play


def cases():
    """(table, name, protocol, function of place and name)"""
    for name, act in CASES:
        for protocol in BOTH:
            yield "A lost cluster", name, protocol, one(act, protocol)
