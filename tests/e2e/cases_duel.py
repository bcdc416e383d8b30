# SPDX-License-Identifier: Apache-2.0
"""Side by side on the same fleet: karmada-descheduler with karmada-scheduler, and Ballast (where
E2E_KARMADA and E2E_ESTIMATOR name them). Prints what each of them writes."""
import time

import fleets
from harness import DONE, Meanwhile, expect
from karmada import Karmada
from member_cluster import SLOT

WORKLOADS = [f"duel-{i}" for i in range(4)]
REPLICAS = 8  # of which six can run: one on each node
EVERY = 5  # seconds from one cycle to the next, and how long something has to be stuck
SECONDS = 100


def one_on_a_node(name):
    """What neither resources nor node selectors tell, and so no estimator."""
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{
        "labelSelector": {"matchLabels": {"app": name}},
        "topologyKey": "kubernetes.io/hostname"}]}}


class Tally:
    """What becomes of the bindings' splits, as often as one looks."""

    def __init__(self, karmada):
        self.karmada = karmada
        self.last = {name: karmada.split(name) for name in WORKLOADS}
        self.first = {name: self.generation(name) for name in WORKLOADS}
        self.moved = self.writes_before_end = 0

    def generation(self, name):
        return self.karmada.binding(name)["metadata"]["generation"]

    def look(self, _=0):
        for name in WORKLOADS:
            split = self.karmada.split(name)
            self.moved += sum(max(0, split[c] - self.last[name].get(c, 0)) for c in split)
            self.last[name] = split

    def writes(self):
        return sum(self.generation(name) - self.first[name] for name in WORKLOADS)


def watch(karmada, cycle):
    """(replicas given to a cluster, writes, of these in the last third)"""
    tally = Tally(karmada)
    with Meanwhile(tally.look, 0.1):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            cycle()
            if time.monotonic() < end - SECONDS / 3:
                tally.writes_before_end = tally.writes()
    expect(all(fleets.total(s) == REPLICAS for s in tally.last.values()), f"sums: {tally.last}")
    return tally.moved, tally.writes(), tally.writes() - tally.writes_before_end


def start(karmada):
    for name in WORKLOADS:
        karmada.add(name, REPLICAS, affinity=one_on_a_node(name), cpu=SLOT // 5)
    karmada.federation.wait_until_older(EVERY)


def live_case_duel(c):
    """Replicas that fit nowhere, for a reason that nobody can count."""
    with Karmada(c, estimators=True) as k:
        start(k)
        k.start("karmada-descheduler", f"--descheduling-interval={EVERY}s",
                f"--unschedulable-threshold={EVERY}s", "--health-probe-bind-address", k.address(),
                "--metrics-bind-address", k.address())
        theirs = watch(k, lambda: time.sleep(EVERY))
    with Karmada(c, estimators=True) as k:
        start(k)

        def cycle():
            begin = time.monotonic()
            k.federation.ballast("run", soon=(f"--unschedulable-threshold={EVERY}s",)).ended(DONE)
            time.sleep(max(0, EVERY - (time.monotonic() - begin)))
        ours = watch(k, cycle)
    print("    in %d s, every %d s:  replicas moved  writes  in the last third" % (SECONDS, EVERY))
    for who, numbers in (("karmada-descheduler", theirs), ("ballast", ours)):
        print("    %-24s %14d %7d %18d" % (who, *numbers), flush=True)
    expect(ours[0] < theirs[0], "Ballast moves more")
    expect(ours[2] == 0, "Ballast does not come to rest")
