# SPDX-License-Identifier: Apache-2.0
"""One cycle as a Job: pod 0 plans or writes with what the others saw of the members. Pods are made,
replaced and given up by the real Job controller; their processes are killed at any time. A plan is
the one that a single process makes, or the one that it makes where the members that are said not to
be seen do not answer."""
import json
import os
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import cases_install
import fleets
import job_pods
import karmada_kinds
from control_plane import ControlPlane, wait_for
from harness import DONE, FAST, UNSEEN, Context, expect, expect_equal
from job_pods import Fate, Job
from member_api import MemberApi

SHARDS = 3
MEMBERS = [f"west{i + 1}" for i in range(6)]  # each of three shards has some
BINDINGS = 24
CYCLES = int(os.environ.get("E2E_CYCLES", "200" if os.environ.get("E2E_SCALE") == "full" else "50"))
LANES = 4                     # plans that are made side by side
WRITING = max(CYCLES // 5, 2)  # cycles that write, one after the other: they share the bindings
DEADLINE, PATIENCE = 6, 3     # of pod 0: it waits for summaries for half its deadline
SLACK = 1.0                   # between two looks at a directory, on a busy machine
LIFE = 60                     # activeDeadlineSeconds
NOW = "--now=2026-01-01T01:00:00Z"
SHOW = ("--sources=pods,nodes", *FAST)


# --- the fleet ----------------------------------------------------------------------------------

def placed(number):
    """Six replicas on two members; every second binding has two that get no room in one of them."""
    first, second = MEMBERS[number % 6], MEMBERS[(number + 1) % 6]
    return f"app-{number:02}", {first: 3, second: 3}, first if number % 4 in (0, 3) else None


def pod(name, number, is_stuck):
    trouble = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
               "message": "0/1 nodes are available: 1 Insufficient cpu."}
    condition = trouble if is_stuck else {"type": "Ready", "status": "True"}
    return {"metadata": {"name": f"{name}-1-{number}", "namespace": "e2e",
                         "uid": f"{name}-pod-{number}",
                         "labels": {"app": name, "pod-template-hash": "1"},
                         "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet",
                                              "name": f"{name}-1", "uid": f"{name}-set",
                                              "controller": True}]},
            "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "10m"}}}],
                     **({} if is_stuck else {"nodeName": "node"})},
            "status": {"phase": "Pending" if is_stuck else "Running",
                       "conditions": [{**condition, "lastTransitionTime": fleets.NEEDED}]}}


def owners(name, replicas):
    selector = {"matchLabels": {"app": name}}
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "c"}]}}
    metadata = {"namespace": "e2e", "labels": {"app": name, "pod-template-hash": "1"}}
    deployment = {"metadata": {**metadata, "name": name, "uid": f"{name}-deployment"},
                  "spec": {"replicas": replicas, "selector": selector, "template": template}}
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name,
             "uid": f"{name}-deployment", "controller": True}
    replica_set = {"metadata": {**metadata, "name": f"{name}-1", "uid": f"{name}-set",
                                "ownerReferences": [owner]},
                   "spec": {"replicas": replicas, "selector": selector, "template": template}}
    return deployment, replica_set


def member(name):
    """What is in it, by path."""
    shown = {"/api/v1/nodes": [{"metadata": {"name": "node"}, "status": {
        "allocatable": {"cpu": "16", "memory": "64Gi", "pods": "200"},
        "conditions": [{"type": "Ready", "status": "True"}]}}],
        "/api/v1/pods": [], "/apis/apps/v1/deployments": [], "/apis/apps/v1/replicasets": []}
    for workload, split, in_need in map(placed, range(BINDINGS)):
        if name in split:
            deployment, replica_set = owners(workload, split[name])
            shown["/apis/apps/v1/deployments"].append(deployment)
            shown["/apis/apps/v1/replicasets"].append(replica_set)
            shown["/api/v1/pods"] += [pod(workload, i, name == in_need and i < 2)
                                      for i in range(split[name])]
    return shown


class World:
    """A control plane with the shipped roles, members that answer, and the Job controller."""

    def __init__(self, c):
        self.plane = ControlPlane(c.binaries)
        self.api = MemberApi(self.plane.certificates)
        self.controllers = None
        try:
            self.set_up(c)
        except BaseException:
            self.stop()
            raise

    def set_up(self, c):
        plane = self.plane
        for namespace in ("karmada-system", "e2e"):
            plane.ensure_namespace(namespace)
        (plane.directory / "home").mkdir()
        karmada_kinds.install(plane, without=("Cluster",))
        self.api.clusters = [fleets.cluster(name) for name in MEMBERS]
        self.api.members = {name: member(name) for name in MEMBERS}
        self.api.register(plane)
        self.c = Context(c.program, c.binaries, plane, c.random.random())
        cases_install.apply(self.c, "karmada")
        self.c.ready()
        self.config = self.c.config("ballast")
        self.bindings = [fleets.binding(name, split, 6)
                         for name, split, _ in map(placed, range(BINDINGS))]
        self.restore()
        self.controllers = job_pods.start_controller(plane)
        self.is_numbering = job_pods.has_indexed_jobs(plane)
        self.names = (f"cycle-{i}" for i in range(1 << 30))
        self.tally, self.lock = Counter(), threading.Lock()
        self.learn()

    def stop(self):
        if self.controllers is not None:
            self.controllers.kill()
            self.controllers.wait()
        self.api.stop()
        self.plane.stop()

    def restore(self):
        """The bindings as they were at first."""
        wait_for("no bindings", lambda: fleets.delete_all(self.plane, fleets.BINDINGS))
        self.plane.each(lambda b: self.plane.create(fleets.BINDINGS, b), self.bindings)

    # --- what is right ---

    def learn(self):
        """Who sees which member, how long that takes, and what one process plans, whoever of the
        shards does not see."""
        self.owned, took = {}, []
        for i in range(1, SHARDS + 1):
            directory = self.plane.directory / "learned"
            run = self.c.ballast("observe", f"--shard={i}/{SHARDS}", f"--summaries={directory}",
                                 live=SHOW, config=self.config).ended(DONE)
            took.append(run.seconds)
            lines = (directory / f"{i}-of-{SHARDS}.summary").read_bytes().split(b"\n")
            told = [json.loads(line) for line in lines if line.startswith(b'{"member":')]
            self.owned[i] = {section["member"] for section in told}
        self.usual = sorted(took)[len(took) // 2]
        expect_equal(sorted(n for names in self.owned.values() for n in names), MEMBERS, "members")
        expect(all(self.owned.values()), f"a shard has no member: {self.owned}")
        self.right = {}
        for bits in range(1 << SHARDS):
            lost = frozenset(i for i in self.owned if bits >> (i - 1) & 1)
            self.api.down = {name for i in lost for name in self.owned[i]}
            run = self.c.ballast("plan", "--show-all", "-o", "json", NOW, live=SHOW, config=self.config)
            expect_equal(run.status, UNSEEN if lost else DONE, f"status without {lost}: {run.err}")
            self.right[lost] = decided(run.document)
        self.api.down = set()
        self.compare_partial()

    def compare_partial(self):
        """What is not seen makes a plan smaller: no replica leaves a cluster that does not leave it
        where all is seen, and none at all a cluster that nobody looked into. (What comes may come
        to such a one: its Cluster tells of its room.)"""
        whole = {name: leaves(item) for name, item in self.right[frozenset()].items()}
        expect(sum(map(bool, whole.values())) >= 6, "too little is in need")
        for lost, items in self.right.items():
            unseen = {name for i in lost for name in self.owned[i]}
            for name, item in items.items():
                gone = leaves(item)
                expect(gone <= whole[name], f"without {unseen} {name} loses {gone}")
                expect(not unseen & set(gone), f"{name} loses {gone}, of {unseen}, unseen")
        expect_equal(len({json.dumps(items, sort_keys=True) for items in self.right.values()}),
                     1 << SHARDS, "different plans")

    # --- one cycle ---

    def fate(self, chance, is_planner):
        """What a pod meets, by its chances."""
        kind = chance.random()
        if kind < (0.6 if is_planner else 0.35):
            return job_pods.FINE
        if kind < 0.75 or (is_planner and kind < 0.9):
            return Fate(0, chance.uniform(0, 1.5 * self.usual), False)
        if kind < 0.8:
            return Fate(0, None, True)
        if kind < 0.85 or is_planner:
            return Fate(None, None, False)
        return Fate(chance.uniform(0.5, 2) * PATIENCE, None, False)

    def cycle(self, command, chance, place, *flags):
        """Returns what came of pod 0: (run, shards that it did not see)."""
        directory = self.plane.directory / place
        arguments = [self.c.program, command, f"--shard=$(JOB_COMPLETION_INDEX)/{SHARDS}",
                     "--cycle=$(CYCLE)", f"--summaries={directory}",
                     f"--kubeconfig={self.config}", f"--deadline={DEADLINE}s", "-o=json",
                     "--show-all", *SHOW, *flags]
        with self.lock:
            name = next(self.names)
        unlucky = Counter()

        def fate_of(index):
            """A planner meets something once at most: a plan is to come in the end."""
            unlucky[index] += 1
            return job_pods.FINE if index == 0 and unlucky[0] > 1 else self.fate(chance, index == 0)

        with Job(self.plane, job_pods.manifest(name, SHARDS + 1, arguments, LIFE, 6),
                 fate_of) as job:
            deadline = time.monotonic() + 2 * LIFE
            while time.monotonic() < deadline:
                for ended in job.step():
                    if ended.index == 0 and not ended.is_killed:
                        self.note(job)
                        return ended, self.unseen(ended, job, directory)
                expect(not job.is_failed(), f"{name} was given up: {job.ended}")
                time.sleep(job_pods.PAUSE)
        raise TimeoutError(f"{name} has not ended: {job.ended}")

    def note(self, job):
        with self.lock:
            for ended in job.ended:
                who = "planners" if ended.index == 0 else "shards"
                self.tally[f"{who} killed" if ended.is_killed else f"{who} ended"] += 1

    def unseen(self, planner, job, directory):
        """The shards whose members were not seen, which has to be true."""
        expect(planner.status in (DONE, UNSEEN), f"status {planner.status}: {planner.err[-1500:]}")
        document = json.loads(planner.out)
        told = {gap["name"] for gap in document["summary"]["members"]["unseen"]}
        lost = frozenset(i for i, names in self.owned.items() if names & told)
        expect_equal(told, {n for i in lost for n in self.owned[i]}, "members that were not seen")
        expect_equal(planner.status, UNSEEN if lost else DONE, f"status without {lost}")
        for i in self.owned:
            ran = [e for e in job.ended if e.index == i]
            if i in lost:
                in_time = [e for e in ran if e.status == 0
                           and e.end < planner.begin + PATIENCE - SLACK]
                expect(not in_time, f"shard {i} was done and is said not to be seen: {in_time}")
            else:
                path = directory / f"{i}-of-{SHARDS}.summary"
                cycle = json.loads(path.read_bytes().split(b"\n")[1])["cycle"]
                expect_equal(cycle, job.name, f"the cycle in which shard {i} saw its members")
        with self.lock:
            self.tally["partial" if lost else "whole"] += 1
        return lost

    def expect_right(self, planner, lost):
        got = decided(json.loads(planner.out))
        expect_equal(sorted(got), sorted(self.right[lost]), "bindings")
        for name, item in self.right[lost].items():
            for key in item.keys() | got[name].keys():
                expect_equal(got[name].get(key), item.get(key),
                             f"without shards {sorted(lost)}: {name}: {key}")

    def plan(self, chance, lane):
        planner, lost = self.cycle("plan", chance, f"lane-{lane}", NOW)
        self.expect_right(planner, lost)

    def write(self, chance):
        """What is written is what that plan says, be it by the one that was killed or by the next."""
        self.restore()
        whole = self.right[frozenset()]
        possible = {name: [split_of(items[name], "after") for items in self.right.values()]
                    + [split_of(item, "before")] for name, item in whole.items()}
        before = self.tally["planners killed"]
        planner, lost = self.cycle("run", chance, "writing", NOW, "--lease-duration=5s",
                                   "--lock-wait=30s")
        now = fleets.splits(self.plane)
        for name, split in now.items():
            expect(split in possible[name], f"{name} is {split}, want one of {possible[name]}")
        failed = [i for i in json.loads(planner.out)["items"]
                  if i.get("write", {}).get("status", "Done") != "Done"]
        expect(not failed, f"not written: {failed}")
        if self.tally["planners killed"] == before:  # else some was written by the one before
            self.expect_right(planner, lost)
            for name, item in self.right[lost].items():
                expect_equal(now[name], split_of(item, "after"), f"written without {lost}: {name}")


def decided(document):
    """The decisions by name; what came of writing them is not one."""
    return {i["name"]: {k: v for k, v in i.items() if k != "write"} for i in document["items"]}


def split_of(item, side):
    return {t["name"]: t["replicas"] for t in item[side] if t["replicas"]}


def leaves(item):
    return Counter(split_of(item, "before")) - Counter(split_of(item, "after"))


def case_shards_of_a_job(c):
    world = World(c)
    try:
        seeds = [c.random.random() for _ in range(CYCLES - WRITING)]

        def lane(number):
            for seed in seeds[number::LANES]:
                world.plan(random.Random(seed), number)

        with ThreadPoolExecutor(LANES) as pool:
            for done in [pool.submit(lane, i) for i in range(LANES)]:
                done.result()
        for _ in range(WRITING):
            world.write(c.random)
        tally = world.tally
        how = "Indexed Jobs" if world.is_numbering else "indexes by the stand-in"
        print(f"          {CYCLES} cycles, {how}: "
              + ", ".join(f"{tally[key]} {key}" for key in sorted(tally)), flush=True)
        expect_equal(tally["whole"] + tally["partial"], CYCLES, "plans")
        for key in ("whole", "partial", "shards killed", "planners killed"):
            expect(tally[key] >= CYCLES // 25, f"too few: {tally}")
    finally:
        world.stop()
