# SPDX-License-Identifier: Apache-2.0
"""PodDisruptionBudgets of a member, which are read where balance may take what runs there, or a
drain is simulated. What of them is not seen is said, and nothing that is ready of that member is
taken: not that which a budget that nobody saw may protect. A budget that is seen lets one go."""
import secrets

import cases_fit as fit
import cases_hostile as hostile
import faults as f
from cases import Failure, expect, expect_in_time, expect_no_secret
from cases_hostile import BAD, of_bad, only
from rows import BOTH, DONE, HTTP1, UNSEEN
from server import MIDDLE, Fault, Server
from store import binding

BUDGETS = "/apis/policy/v1/poddisruptionbudgets"
READY = 4
CONFIG = """apiVersion: ballast.io/v1beta1
kind: BallastConfiguration
triggers: {Imbalance: true}
balance: {staticWeights: true, moveRunning: true}
"""
HALVES = {"replicaScheduling": {
    "replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted",
    "weightPreference": {"staticWeightList": [
        {"targetCluster": {"clusterNames": [name]}, "weight": 1} for name in (BAD, "m2")]}}}
BUDGET = {"metadata": {"name": "web", "namespace": "shop"},
          "spec": {"minAvailable": READY - 1, "selector": {"matchLabels": {"app": "web"}}}}
ALL, ONE_LESS = {BAD: READY}, {BAD: READY - 1, "m2": 1}


def running(number):
    name = f"web-1-{number}"
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-1", "uid": "web-set",
             "controller": True}
    return {"metadata": {"name": name, "namespace": "shop", "uid": name, "ownerReferences": [owner],
                         "labels": {"app": "web", "pod-template-hash": "1"}},
            "spec": {"nodeName": "node", "containers": [{"name": "c"}]},
            "status": {"phase": "Running", "conditions": [
                {"type": "Ready", "status": "True",
                 "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}


class BudgetStore(fit.FitStore):
    """shop/web has four of four replicas in m1, all of them ready: two of them are to be in m2."""

    def __init__(self, token):
        super().__init__(token, {})
        web = binding("web", ALL, replicas=READY)
        web["spec"]["placement"] = HALVES
        del web["metadata"]["annotations"]
        self.put(fit.WEB, web)
        workload = self.objects[fit.TEMPLATE]
        workload["spec"]["template"] = {"metadata": {"labels": {"app": "web"}},
                                        "spec": {"containers": [{"name": "c"}]}}

    def member_items(self, member, kind, query):
        if kind in ("LimitRange", "ResourceQuota"):
            return []
        if member == BAD and kind == "PodDisruptionBudget":
            return [BUDGET]
        if member == BAD and kind == "Pod":
            return [running(i) for i in range(READY)]
        return super().member_items(member, kind, query)


class World:
    def __init__(self, place, name, protocol, faults):
        self.token = secrets.token_hex(16)
        self.store = BudgetStore(self.token)
        self.server = Server(self.store, place.certificates, protocol, faults)
        self.place, self.config = place, place.kubeconfig(name, self.server.url, self.token)
        self.policy = f"{self.config}.policy"
        with open(self.policy, "w", encoding="utf-8") as file:
            file.write(CONFIG)

    def plan(self, *command):
        run = self.place.run(self.config, command[0], (
            *hostile.FLAGS, f"--config={self.policy}", *command[1:]))
        expect_in_time(run)
        expect_no_secret(run, self.token)
        decided = run.items.get("shop/web", {})
        targets = {t["name"]: t["replicas"] for t in decided.get("after", []) if t["replicas"]}
        return run, targets or ALL


COMMANDS = [("plan",), ("simulate", f"--drain={BAD}")]


def play(place, name, faults, verify, protocol):
    for command in COMMANDS:
        world, run = World(place, f"{name}-{command[0]}", protocol, faults()), None
        try:
            run, targets = world.plan(*command)
            verify(run, targets)
        except Failure as e:
            raise Failure(f"{command[0]}: {e}\n{run}{run.out[:1500] if run else ''}") from None
        finally:
            world.server.stop()


def play_right(place, name, protocol):
    play(place, name, list, lambda run, targets: fit.expect_planned(run, targets, ONE_LESS, DONE),
         protocol)


def play_always(place, name, is_all, act, says_so, protocol):
    """`is_all`: it costs m1 all that was to be seen of it in that look."""
    def verify(run, targets):
        fit.expect_planned(run, targets, ALL, UNSEEN)
        expect("PodDisruptionBudgets were not seen" in run.out, "want it said why nothing goes")
        lines = [line for line in run.err.splitlines() if "not seen" in line]
        expect(len(lines) == 1 and "poddisruptionbudgets" in lines[0], f"{lines}")
        if not is_all:
            fit.expect_unseen(run, ["poddisruptionbudgets"], says_so)

    play(place, name, lambda: [Fault("member", of_bad(only(BUDGETS, act)))], verify, protocol)


def play_once(place, name, act, protocol):
    """Asked for again, it is seen, and lets one go."""
    def faults():
        left = [1]

        def hit(x, path):
            left[0] -= 1
            return act(x) if left[0] == 0 else x.send(x.carry_out())

        return [Fault("member", of_bad(only(BUDGETS, hit)))]

    play(place, name, faults,
         lambda run, targets: fit.expect_planned(run, targets, ONE_LESS, DONE), protocol)


ONCE = [("429", f.reply(429)), ("503", f.reply(503)), ("a torn body", f.cut(MIDDLE, f.closes))]


def cases():
    """(table, name, protocol, function of place and name)"""
    def one(play_it, *how, protocol):
        return lambda place, name: play_it(place, name, *how, protocol=protocol)

    table = "What protects pods that run"
    for protocol in BOTH:
        yield table, "budgets, right", protocol, one(play_right, protocol=protocol)
    for of, is_all in ((fit.TOO_LARGE, True), (fit.NOBODY, True), (fit.REFUSED, False)):
        for name, act, says_so, protocols in of:
            for protocol in protocols:
                yield table, f"budgets, {name}", protocol, one(
                    play_always, is_all, act, says_so, protocol=protocol)
    for name, act in ONCE:
        for protocol in HTTP1:
            yield table, f"budgets, {name} once", protocol, one(play_once, act, protocol=protocol)
