# SPDX-License-Identifier: Apache-2.0
"""What looking into members costs a cycle: by source and by list, next to what Karmada's own
descheduler and scheduler send to their estimators for the same."""
import collections
import os
import re

from cases_estimators import ROLE, estimators
from cases_install import apply
from estimators import REAL
from federation import NAMES
from harness import DONE, expect, expect_equal

FULL = os.environ.get("E2E_SCALE") == "full"
COUNT = int(os.environ.get("E2E_BINDINGS", 10_000 if FULL else 300))
PAGE = 500
LISTS_MAX = 10  # of a member, whatever the number of bindings
THRESHOLD = 300 * 10**9


def crowd(c, count):
    """`count` bindings with a pod in each of two members; of one in a hundred, one more pod is
    stuck in m1, which is full of local work. Returns the federation and the names of those."""
    f = c.federation()
    per_member = -(-count * 2 // len(NAMES))
    nodes = -(-per_member * 5 // 4 // 100)
    f.make(nodes=nodes, slots=100)
    names = [f"app-{i:05}" for i in range(count)]

    def add(i):
        f.add(names[i], {NAMES[i % 3]: 1, NAMES[(i + 1) % 3]: 1})
    c.plane.each(add, range(count))
    f.propagate()
    there = {m: sum(m in (NAMES[i % 3], NAMES[(i + 1) % 3]) for i in range(count)) for m in NAMES}
    f.wait(**{m: (n, 0) for m, n in there.items()})
    f.members["m1"].fill(nodes * 100 - there["m1"])
    troubled = [names[i] for i in range(0, count, 100)]
    splits = f.splits()
    for name in troubled:
        f.scale(name, {**splits[name], "m1": splits[name].get("m1", 0) + 1})
    f.propagate()
    there["m1"] = (there["m1"], len(troubled))
    f.wait(m1=there["m1"])
    f.wait_until_older()
    f.report()
    return f, troubled


# --- what upstream sends, in the bytes of its messages (no field number is above 15) ---

def varint(number):
    return max(1, -(-number.bit_length() // 7))


def field(payload):
    """Bytes of a field of text, bytes or a message of this many."""
    return 1 + varint(payload) + payload


def framed(message):
    """With gRPC's prefix."""
    return 5 + message


def unschedulable_call(cluster, name):
    """GetUnschedulableReplicas: request and answer."""
    reference = sum(field(len(t)) for t in ("apps/v1", "Deployment", "e2e", name))
    return (framed(field(len(cluster)) + field(reference) + 1 + varint(THRESHOLD)), framed(2))


def available_call(cluster):
    """MaxAvailableReplicas, for 500m of CPU and 16Mi of memory."""
    requests = sum(field(field(len(name)) + field(field(len(amount))))
                   for name, amount in (("cpu", "500m"), ("memory", "16Mi")))
    requirements = field(len("e2e")) + requests
    return (framed(field(len(cluster)) + field(requirements)), framed(3))


def upstream(names, troubled, split):
    """Rows: karmada-descheduler asks where status says that replicas are not ready;
    karmada-scheduler asks every cluster for each binding that it places anew."""
    asked = [unschedulable_call("m1", name) for name in troubled]
    every = [unschedulable_call(cluster, name) for name in names for cluster in split(name)]
    placed = [available_call(cluster) for _ in troubled for cluster in NAMES]
    for who, calls in (("karmada-descheduler, where status shows a lack", asked),
                       ("karmada-descheduler, for every binding and cluster", every),
                       ("karmada-scheduler, for those that are placed anew", placed)):
        yield who, len(calls), sum(a + b for a, b in calls)


# --- what Ballast sends ---

Cost = collections.namedtuple("Cost", "requests bytes calls call_bytes plane_requests plane_bytes "
                              "seconds entries")
ASKED = re.compile(r"read from estimators, [^:]+: (\d+) requests, (\d+) bytes")


def measure(f, *flags):
    """One plan; what the members were asked is as the proxy saw it, bytes as they came over the
    wire; of estimators those of the messages, both ways."""
    f.ballast("plan", *flags).ended(DONE)  # so that servers and caches are warm
    since = len(f.front.log)
    run = f.ballast("plan", "-v", "1", *flags).ended(DONE)
    entries = f.front.log[since:]
    members = [e for e in entries if e.member]
    plane = [e for e in entries if not e.member]
    calls, size = (sum(map(int, column)) for column in zip((0, 0), *ASKED.findall(run.err)))
    return Cost(len(members), sum(e.bytes for e in members), calls, size, len(plane),
                sum(e.bytes for e in plane), run.seconds, members), run


def row(what, cost):
    return (f"    | {what} | {cost.requests} | {cost.bytes} | {cost.calls} | {cost.call_bytes} "
            f"| {cost.plane_requests} | {cost.plane_bytes} | {cost.seconds:.2f} |")


def by_list(entries):
    """(what, requests, bytes, seconds under way), of all members together."""
    groups = collections.defaultdict(list)
    for e in entries:
        selectors = sorted(p for p in e.query.split("&") if "Selector" in p)
        groups[" ".join([e.path, *selectors])].append(e)
    for what, group in groups.items():
        yield (what, len(group), sum(e.bytes for e in group), sum(e.end - e.begin for e in group))


def expect_bounded(entries):
    """A constant number of lists of each member, each in as many pages as it takes."""
    for name in NAMES:
        mine = [e for e in entries if e.member == name]
        lists = {what for what, *_ in by_list(mine)}
        expect(len(lists) <= LISTS_MAX, f"{name} is asked for {len(lists)} lists: {lists}")
        most = LISTS_MAX + LISTS_MAX * COUNT // PAGE
        expect(len(mine) <= most, f"{len(mine)} requests to {name}, more than {most}")
        expect_equal({e.method for e in mine}, {"GET"}, "methods")


SOURCES = (("pods, nodes, status", ()), ("pods, status", ("--sources=pods,status",)),
           ("nodes, status", ("--sources=nodes,status",)),
           ("estimator, status", ("--sources=estimator,status",)),
           ("pods, nodes, estimator, status", ("--sources=pods,nodes,estimator,status",)),
           ("status", ("--sources=none",)))


def measure_sources(f, troubled):
    """Prints a row for each; returns the first."""
    first = None
    found = f"UnschedulableReplicas {len(troubled)}"
    for what, flags in SOURCES:
        cost, run = measure(f, *flags)
        first = first or cost
        print(row(what, cost), flush=True)
        if what in ("status", "estimator, status"):
            expect_equal(cost.requests, 0, f"requests to members with {what}")
        if what == "estimator, status":
            # each binding that shows a lack, and the room of each member for what they all ask for
            expect_equal(cost.calls, len(troubled) + len(NAMES), "questions to estimators")
        else:
            expect_equal(cost.calls, 0, f"questions to estimators with {what}")
        if what in ("pods, nodes, status", "estimator, status"):
            expect(found in run.out, run.out[:500])
    return first


def live_case_members_cost(c):
    """Prints requests, bytes and time of a cycle by source; a member is asked for so many lists and
    no more."""
    f, troubled = crowd(c, COUNT)
    splits = f.splits()
    print(f"    {COUNT} bindings over three members, {len(troubled)} in trouble"
          + ("" if REAL else "; estimators are stand-ins in Python"))
    print("    | source | requests to members | bytes | to estimators | bytes "
          "| to the control plane | bytes | s |")
    print("    |---|---|---|---|---|---|---|---|")
    with estimators(c):
        apply(c, ROLE)
        first = measure_sources(f, troubled)
    expect_bounded(first.entries)
    f.ballast("run").ended(DONE)
    f.propagate()
    after = f.splits()
    f.wait(**{m: (sum(s.get(m, 0) for s in after.values()), 0) for m in NAMES})
    cost, _ = measure(f)
    print(row("the first again, when nothing is stuck any more", cost))
    expect(cost.requests < first.requests, f"{cost.requests} requests when nothing is wrong")
    print("    | list (all members, all sources) | requests | bytes | s under way |")
    print("    |---|---|---|---|")
    for what, requests, size, seconds in sorted(by_list(first.entries)):
        print(f"    | {what} | {requests} | {size} | {seconds:.2f} |")
    print("    | upstream (bytes of messages, without HTTP/2) | calls | bytes |")
    print("    |---|---|---|")
    for who, calls, size in upstream(sorted(splits), troubled, splits.get):
        print(f"    | {who} | {calls} | {size} |", flush=True)
