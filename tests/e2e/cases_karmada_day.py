# SPDX-License-Identifier: Apache-2.0
"""A day of two-minute cycles beside Karmada's own programs, compressed: a second is two minutes. A
seeded dice disturbs the fleet, karmada-scheduler places, karmada-descheduler evicts, and Ballast runs
once in each cycle. Each cycle is checked, and so is what is left when the fleet is at rest."""
import json
import os
import pathlib
import threading
import time
from collections import Counter

import capture
import fleets
from control_plane import ApiError
from estimators import REAL
from federation import NAMES, NAMESPACE
from harness import DONE, ERROR, UNSEEN, Meanwhile, expect, expect_equal
from karmada import Karmada
from karmada_kinds import path_of
from member_cluster import PATHS, is_ready, workload

CYCLES = int(os.environ.get("E2E_CYCLES", "30"))
SECONDS = 1.0   # from one cycle to the next
ROOM = 20       # slots in a member
DEMAND = 28     # replicas that may be wanted: one member of three can be away
CHANCE = 0.5    # of a disturbance in a cycle
PATIENCE = 25   # cycles that a binding may take to get all its replicas back
ECHO = 10       # cycles in which a member that was disturbed explains what happens there
REST = 90       # cycles in which a fleet that nobody disturbs comes to rest
QUIET = 5       # cycles without a write: it is at rest
LOCAL = PATHS["Deployment"].format("local")

# As the shipped configuration has them, with a second for two minutes, and none below three seconds:
# conditions of pods tell whole seconds.
CONFIG = """
apiVersion: ballast.io/v1beta1
kind: BallastConfiguration
thresholds: {unschedulable: 3s, failed: 3s, unhealthyCluster: 3s, clusterStabilization: 3s, inFlight: 8s}
cooldown: {initial: 30s, max: 3m}
"""
PLACEMENTS = (fleets.DYNAMIC,) * 4 + (fleets.static_weights(m1=1, m2=2, m3=3), fleets.AGGREGATED,
                                      fleets.AGGREGATED, fleets.DUPLICATED)
# Findings that say why replicas leave a member in which they are ready.
LOST = ("UnhealthyCluster", "InfeasibleCluster")
WHOLE = ("RescheduleRequested", "ReplicaMismatch")
# Writes that lose to a write of Karmada's, or come too late.
OUTRUN = ("Conflict", "Gone", "Needless", "Blocked", "Deferred", "Overruled")


def targets(item, side):
    return Counter({t["name"]: t["replicas"] for t in item[side] if t["replicas"]})


def is_written(item):
    return item.get("write", {}).get("status") == "Done"


class Workload:
    def __init__(self, replicas, placement):
        self.replicas, self.placement = replicas, placement
        self.is_divided = placement is not fleets.DUPLICATED
        self.short = 0  # cycles in a row in which it had not what it wants

    @property
    def demand(self):
        return self.replicas * (1 if self.is_divided else len(NAMES))


class Dice:
    """What disturbs the fleet. `ill` is {member: what is wrong with it}."""

    def __init__(self, karmada, chance):
        self.k, self.random = karmada, chance
        self.members = karmada.federation.members
        self.workloads, self.count = {}, 0
        self.ill, self.revival = {}, None
        self.cycle, self.touched = 0, {}  # member or workload: in which cycle it was disturbed last
        self.thrown, self.granted = Counter(), 0
        self.kinds = [self.deploy] * 3 + [self.scale] * 5 + [
            self.remove, self.reschedule, self.fill, self.cordon, self.cordon_one, self.stop,
            self.taint_execute, self.taint_schedule] + [self.heal] * 5

    def throw(self):
        """Returns what was done, or None. What cannot be done now is thrown again."""
        if self.random.random() >= CHANCE:
            return None
        for _ in range(5):
            kind = self.random.choice(self.kinds)
            what = kind()
            if what is not None:
                self.thrown[kind.__name__] += 1
                return f"{kind.__name__} {what}"
        return None

    def touch(self, name, replicas):
        """So many replicas may have to move for it, once each."""
        self.touched[name] = self.cycle
        self.granted += replicas
        return name

    def demand(self):
        return sum(w.demand for w in self.workloads.values())

    # --- workloads ---

    def deploy(self):
        replicas = self.random.randint(1, 6)
        placement = self.random.choice(PLACEMENTS)
        fresh = Workload(min(replicas, 2) if placement is fleets.DUPLICATED else replicas, placement)
        if self.demand() + fresh.demand > DEMAND:
            return None
        self.count += 1
        name = f"app-{self.count}"
        purge = self.random.choice((None, None, None, "Directly"))
        failover = {"cluster": {"purgeMode": purge}} if purge else None
        self.k.add(name, fresh.replicas, placement, failover, wait=False)
        self.workloads[name] = fresh
        return self.touch(name, fresh.demand)

    def scale(self):
        if not self.workloads:
            return None
        name = self.random.choice(sorted(self.workloads))
        one = self.workloads[name]
        wanted = self.random.randint(1, 6 if one.is_divided else 2)
        added = (wanted - one.replicas) * (1 if one.is_divided else len(NAMES))
        if added == 0 or self.demand() + added > DEMAND:
            return None
        self.k.plane.patch(self.k.template(name), {"spec": {"replicas": wanted}})
        one.replicas, one.short = wanted, 0
        self.touch(name, wanted)
        return f"{name} to {wanted}"

    def remove(self):
        if len(self.workloads) < 4:
            return None
        name = self.random.choice(sorted(self.workloads))
        self.forget(name)
        return name

    def forget(self, name):
        for path in (f"{path_of('PropagationPolicy', NAMESPACE)}/{name}", self.k.template(name),
                     self.k.path(name)):
            try:
                self.k.plane.delete(path)
            except ApiError as e:
                if e.status != 404:
                    raise
        del self.workloads[name]

    def reschedule(self):
        if not self.workloads:
            return None
        name = self.random.choice(sorted(self.workloads))
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if not self.k.plane.exists(self.k.path(name)):
            return None
        self.k.plane.patch(self.k.path(name), {"spec": {"rescheduleTriggeredAt": now}})
        return self.touch(name, self.workloads[name].demand)

    # --- members ---

    def pick(self, most):
        """One in order, if fewer than that are ill."""
        well = [name for name in NAMES if name not in self.ill]
        return self.random.choice(well) if len(self.ill) < most else None

    def assigned(self, member):
        return sum(split.get(member, 0) for split in fleets.splits(self.k.plane).values())

    def fill(self):
        """Local work takes what is free but for a slot."""
        name = self.pick(2)
        if name is None:
            return None
        member = self.members[name]
        free = ROOM - len(member.pods(NAMESPACE)) - 1
        if free < 1:
            return None
        member.create(LOCAL, workload("Deployment", "batch", free, image="local:1"))
        self.ill[name] = "full"
        return self.touch(name, 0)

    def set_cordoned(self, name, nodes, value=True):
        for node in self.members[name].list("/api/v1/nodes")[:nodes]:
            self.members[name].patch(f"/api/v1/nodes/{node['metadata']['name']}",
                                     {"spec": {"unschedulable": value}})

    def cordon(self):
        """The nodes take no pod any more, and half of the pods are evicted."""
        name = self.pick(1)
        return name and self.drain(name, 99)

    def cordon_one(self):
        name = self.pick(2)
        return name and self.drain(name, 1)

    def drain(self, name, nodes):
        self.set_cordoned(name, nodes)
        self.ill[name] = "cordoned"
        pods = self.members[name].pods(NAMESPACE)
        for pod in pods[::2]:
            self.members[name].delete(f"/api/v1/namespaces/{NAMESPACE}/pods/"
                                      f"{pod['metadata']['name']}?gracePeriodSeconds=0")
        return self.touch(name, len(pods))

    def stop(self):
        name = self.pick(1)
        if name is None:
            return None
        self.touch(name, self.assigned(name))
        self.members[name].kill()
        self.ill[name] = "stopped"
        return name

    def set_taints(self, name, *taints):
        self.k.plane.patch(f"{path_of('Cluster')}/{name}", {"spec": {"taints": list(taints)}})

    def taint(self, effect):
        name = self.pick(1)
        if name is None:
            return None
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.set_taints(name, {"key": "incident", "effect": effect, "timeAdded": now})
        self.ill[name] = "tainted"
        return self.touch(name, self.assigned(name))

    def taint_execute(self):
        return self.taint("NoExecute")

    def taint_schedule(self):
        return self.taint("NoSchedule")

    def heal(self):
        if not self.ill or self.revival is not None:
            return None
        name = self.random.choice(sorted(self.ill))
        what = self.ill[name]
        if what == "stopped":
            self.revival = threading.Thread(target=self.members[name].revive, daemon=True)
            self.revival.start()
            self.ill[name] = "starting"
        else:
            if what == "full":
                self.members[name].delete(f"{LOCAL}/batch?propagationPolicy=Background")
            elif what == "cordoned":
                self.set_cordoned(name, 99, False)
            else:
                self.set_taints(name)
            del self.ill[name]
        return f"{self.touch(name, 0)}, {what}"

    def look(self):
        """A member that was started is well again once it is there."""
        if self.revival is not None and not self.revival.is_alive():
            self.revival = None
            name, = [n for n, what in self.ill.items() if what == "starting"]
            expect(self.members[name].apiserver.poll() is None, f"{name} did not start")
            del self.ill[name]
            self.touch(name, 0)

    def heal_all(self):
        while self.ill:
            self.heal()
            if self.revival is not None:
                self.revival.join()
            self.look()

    def was_touched(self, name, since):
        return self.touched.get(name, -ECHO) >= since or name in self.ill

    def is_away(self):
        """Whether a member does not answer, or did not just now."""
        return any(name in self.members and (
            self.ill.get(name) in ("stopped", "starting") or self.cycle - at < ECHO)
            for name, at in self.touched.items())

    def has_room(self):
        """Whether all that is wanted has room in members that nothing is wrong with."""
        return ROOM * (len(NAMES) - len(self.ill)) >= self.demand() + len(NAMES)


class Day:
    def __init__(self, context, karmada):
        self.c, self.k, self.plane = context, karmada, context.plane
        self.dice = Dice(karmada, context.random)
        self.config = context.plane.directory / "day.yaml"
        self.config.write_text(CONFIG)
        self.log = open(context.plane.directory / "day.log", "w", encoding="utf-8")
        self.violations, self.tally, self.peak = [], Counter(), 0
        self.moves = []  # of Ballast: (cycle, workload, what left, what came)
        self.last = {}   # splits as the last cycle left them

    # --- Ballast ---

    def sample(self, pid):
        try:
            status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
            self.peak = max(self.peak, int(status.split("VmHWM:")[1].split()[0]))
        except (OSError, IndexError):
            pass

    def ballast(self, command, *flags):
        process = self.k.federation.start(command, f"--config={self.config}", *flags, soon=())
        with Meanwhile(lambda _: self.sample(process.popen.pid), 0.02):
            return process.wait()

    # --- one cycle ---

    def violate(self, what):
        self.violations.append(f"cycle {self.dice.cycle}: {what}")
        print(f"VIOLATION {what}", file=self.log)

    def cycle(self, disturb=True):
        """Returns how many bindings Ballast wrote."""
        begin, dice = time.monotonic(), self.dice
        self.k.check()
        dice.cycle += 1
        dice.look()
        done = dice.throw() if disturb else None
        ready = dict(zip(NAMES, self.k.federation.each(self.ready)))
        self.note_others()
        run = self.ballast("run", "-o", "json")
        items = json.loads(run.out)["items"] if run.out else []
        written = [item for item in items if is_written(item)]
        self.check_status(run, items)
        for item in written:
            self.check_ready(item, ready)
            self.check_to_and_fro(item)
        self.check_sums()
        self.tally["writes"] += len(written)
        self.tally["runs that wrote"] += bool(written)
        print(json.dumps({
            "cycle": dice.cycle, "time": time.strftime("%H:%M:%S", time.gmtime()), "done": done,
            "ill": dice.ill, "status": run.status, "seconds": round(run.seconds, 2),
            "items": [(i["name"], i["action"], i.get("write", {}).get("status"), targets(i, "before"),
                       targets(i, "after"), [(f["type"], f.get("cluster")) for f in i["findings"]])
                      for i in items]}), file=self.log, flush=True)
        time.sleep(max(0.0, SECONDS - (time.monotonic() - begin)))
        return len(written)

    def ready(self, member):
        """Ready pods by workload; of a member that is away, those that were ready are not known."""
        if self.dice.ill.get(member.name) in ("stopped", "starting"):
            return None
        return Counter(p["metadata"]["labels"]["app"] for p in member.pods(NAMESPACE) if is_ready(p))

    def note_others(self):
        """What others placed since the last cycle may have to move, too."""
        now = fleets.splits(self.plane)
        for name, split in now.items():
            came = Counter(split) - Counter(self.last.get(name, {}))
            self.dice.granted += came.total() if name in self.last else 0
            self.tally["placed or moved by Karmada"] += came.total()

    def check_status(self, run, items):
        lost = [i for i in items if i.get("write", {}).get("status", "Done") != "Done"]
        for item in lost:
            self.tally[f"writes {item['write']['status']}"] += 1
        if run.status == DONE:
            return
        self.tally[f"status {run.status}"] += 1
        if run.status == UNSEEN and self.dice.is_away():
            return
        if run.status == ERROR and lost and all(i["write"]["status"] in OUTRUN for i in lost):
            return
        self.violate(f"status {run.status}: {run.err[-600:]} {[i['write'] for i in lost]}")

    def check_ready(self, item, ready):
        """What is ready in a living member stays there, but for what a finding says."""
        name = item["resource"]["name"]
        before, after = targets(item, "before"), targets(item, "after")
        if any(f["type"] in WHOLE for f in item["findings"]):
            return
        for member, leaving in (before - after).items():
            is_lost = any(f["type"] in LOST and f.get("cluster") == member for f in item["findings"])
            if is_lost or ready[member] is None:
                continue
            spare = max(0, before[member] - ready[member][name])
            if leaving > spare:
                self.violate(f"{name}: {leaving} leave {member}, where {ready[member][name]} of "
                             f"{before[member]} are ready: {item['findings']}")

    def check_to_and_fro(self, item):
        name, dice = item["resource"]["name"], self.dice
        before, after = targets(item, "before"), targets(item, "after")
        left, came = before - after, after - before
        moved = min(left.total(), came.total())
        self.tally["moved"] += moved
        self.tally["added"] += came.total() - moved
        for cycle, whose, gone, _ in reversed(self.moves):
            back = [m for m in came if gone[m] and not dice.was_touched(m, cycle)]
            away = [m for m in left if not dice.was_touched(m, cycle)]
            if whose == name and cycle > dice.cycle - 3 * ECHO and back and away and \
                    not dice.was_touched(name, cycle):
                self.violate(f"{name}: returns to {back}, which it left in cycle {cycle}")
        if left and came:
            self.moves.append((dice.cycle, name, left, came))

    def check_sums(self):
        bindings = {b["spec"]["resource"]["name"]: b for b in self.plane.list(fleets.BINDINGS)}
        self.last = {b["metadata"]["name"]: fleets.split_of(b) for b in bindings.values()}
        if self.tally["moved"] > self.dice.granted:
            self.violate(f"{self.tally['moved']} replicas moved, {self.dice.granted} were disturbed")
        for name, one in self.dice.workloads.items():
            split = fleets.split_of(bindings[name]) if name in bindings else {}
            is_whole = not one.is_divided or fleets.total(split) == one.replicas
            one.short = 0 if is_whole or not self.dice.has_room() else one.short + 1
            self.tally["cycles of a binding that lacks replicas"] += not is_whole
            if one.short == PATIENCE:
                self.violate(f"{name} wants {one.replicas}, has {split} for {PATIENCE} cycles")

    # --- the end ---

    def running(self):
        """Ready pods by workload, in all members. What Karmada leaves of a removed workload, in a member that was
        down then, is nobody's to move: it is told."""
        ready = sum(self.k.federation.each(self.ready), Counter())
        left = Counter({name: count for name, count in ready.items() if name not in self.dice.workloads})
        self.tally["ready replicas of removed workloads"] = left.total()
        return ready - left

    def is_at_rest(self):
        return self.running() == {n: w.demand for n, w in self.dice.workloads.items()}

    def rest(self):
        """Returns how many cycles it took."""
        self.dice.heal_all()
        quiet = 0
        for cycle in range(REST):
            quiet = 0 if self.cycle(disturb=False) or not self.is_at_rest() else quiet + 1
            if quiet == QUIET:
                return cycle + 1 - QUIET
        expect_equal(self.running(), {n: w.demand for n, w in self.dice.workloads.items()},
                     "ready replicas, at rest")
        expect(False, f"no rest: Ballast still writes after {REST} cycles")

    def expect_nothing_written(self):
        def specs():
            return {b["metadata"]["name"]: b["metadata"]["generation"]
                    for b in self.plane.list(fleets.BINDINGS)}
        before = specs()
        self.ballast("plan", "--detailed-exitcode").ended(DONE)
        self.ballast("run").ended(DONE)
        expect_equal(specs(), before, "generations after a run at rest")

    def keep(self):
        """What somebody wants to see who asks why (E2E_KEEP)."""
        self.log.close()
        path = self.plane.directory / "bindings.json"
        path.write_text(json.dumps(self.plane.list(fleets.BINDINGS), indent=1))

    def say(self, begin, rest):
        dice, tally = self.dice, self.tally
        print(f"          {dice.cycle} cycles in {time.monotonic() - begin:.0f}s, at rest after {rest}: "
              f"{dice.thrown.total()} disturbances, {tally['runs that wrote']} runs wrote, "
              f"{tally['moved']} replicas moved of {dice.granted} disturbed, "
              f"{len(self.violations)} violations, {self.peak} kB\n          "
              + ", ".join(f"{dice.thrown[k]} {k}" for k in sorted(dice.thrown)) + "\n          "
              + ", ".join(f"{tally[k]} {k}" for k in sorted(tally)), flush=True)


def start_descheduler(karmada):
    karmada.start("karmada-descheduler", "--descheduling-interval=6s", "--unschedulable-threshold=6s",
                  "--health-probe-bind-address", karmada.address(), "--metrics-bind-address",
                  karmada.address())


def live_case_karmada_day(c):
    """Whatever happens, Ballast does what it says, moves no more than was disturbed, and comes to
    rest."""
    begin = time.monotonic()
    with Karmada(c, estimators=bool(REAL)) as k:
        start_descheduler(k)
        day = Day(c, k)
        try:
            for _ in range(4):
                day.dice.deploy()
            while day.dice.cycle < CYCLES:
                day.cycle()
            day.say(begin, day.rest())
            day.expect_nothing_written()
            if capture.DIRECTORY:
                capture.after_the_day(day)
        finally:
            day.keep()
            print("".join(f"          {v}\n" for v in day.violations[:20]), end="", flush=True)
        expect_equal(len(day.violations), 0, "violations")
