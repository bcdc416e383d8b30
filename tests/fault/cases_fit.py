# SPDX-License-Identifier: Apache-2.0
"""What is read only where a workload in need has to do with it: its pod template, and of the
members that it may go to limits, quotas and volumes. One of these lists fails in one member, m1,
where it alone would show that there is no room: that the list is not seen is said, everything else
that m1 and the others show counts, and nothing is refused for what nobody saw."""
import json
import re
import secrets

import cases_hostile as hostile
import faults as f
from cases import Failure, expect, expect_in_time, expect_no_secret
from cases_hostile import BAD, MB, of_bad, only, raw_items, says
from rows import BOTH, DONE, ERROR, HTTP1, UNSEEN
from server import MIDDLE, Fault, Server
from store import MEMBER_LISTS, SHOP_BINDINGS, Answer, binding

WEB = f"{SHOP_BINDINGS}/web"
DOCUMENT = "/apis/apps/v1"
TEMPLATE = f"{DOCUMENT}/namespaces/shop/deployments/web"
KINDS = ("LimitRange", "ResourceQuota", "PersistentVolumeClaim", "PersistentVolume",
         "StorageClass", "CSINode")
LISTS = {path.rpartition("/")[2]: (path, kind) for path, (_, kind) in MEMBER_LISTS.items()
         if kind in KINDS}
NEEDS = 3  # replicas more than there are
DYNAMIC = {"replicaScheduling": {"replicaSchedulingType": "Divided",
                                 "replicaDivisionPreference": "Aggregated"}}
# where m1 has no room for more, and m2 has room for one; and where m1 has room for all
IN_PART, GIVEN = {"m1": 2, "m2": 1}, {"m1": 2 + NEEDS}


# --- what m1 has --------------------------------------------------------------------------------

def quota(pods):
    return {"metadata": {"name": "q", "namespace": "shop"}, "status": {"hard": {"pods": str(pods)}}}


def claim(**spec):
    metadata = {"name": "data", "namespace": "shop"}
    if "volumeName" in spec:
        metadata["annotations"] = {"pv.kubernetes.io/bind-completed": "yes"}
    return {"metadata": metadata, "spec": spec,
            "status": {"phase": "Bound" if "volumeName" in spec else "Pending"}}


def volume(**spec):
    return {"metadata": {"name": "v"}, "spec": spec}


ELSEWHERE = {"nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchFields": [
    {"key": "metadata.name", "operator": "In", "values": ["other"]}]}]}}}
LIMITS = {"metadata": {"name": "l", "namespace": "shop"},
          "spec": {"limits": [{"type": "Container", "max": {"cpu": "5m"}}]}}
NO_MORE_DISKS = {"metadata": {"name": "node"}, "spec": {"drivers": [
    {"name": "disk.example.com", "nodeID": "node", "allocatable": {"count": 0}}]}}
# By the list of which nothing is to be seen: each leaves m1 no room for one replica more.
SHOWS = {
    "limitranges": {"LimitRange": [LIMITS]},
    "resourcequotas": {"ResourceQuota": [quota(2)]},
    "persistentvolumeclaims": {"PersistentVolumeClaim": [claim(volumeName="v")],
                               "PersistentVolume": [volume(**ELSEWHERE)]},
    "persistentvolumes": {"PersistentVolumeClaim": [claim(volumeName="v")],
                          "PersistentVolume": [volume(**ELSEWHERE)]},
    "storageclasses": {"PersistentVolumeClaim": [claim(storageClassName="gone")]},
    "csinodes": {"PersistentVolumeClaim": [claim(volumeName="v")],
                 "PersistentVolume": [volume(csi={"driver": "disk.example.com",
                                                  "volumeHandle": "v"})],
                 "CSINode": [NO_MORE_DISKS]},
}


class FitStore(hostile.HostileStore):
    """shop/web has two of five replicas, in m1. By their quotas the others have room for one."""

    def __init__(self, token, shows):
        super().__init__(token)
        self.shows = shows
        for path in [path for path in self.objects if "bindings/" in path]:
            del self.objects[path]
        web = binding("web", {"m1": 2}, replicas=2 + NEEDS)
        web["spec"]["placement"] = DYNAMIC
        del web["metadata"]["annotations"]
        self.put(WEB, web)
        self.put(DOCUMENT, {"metadata": {}, "resources": [{"name": "deployments",
                                                           "kind": "Deployment"}]})
        self.put(TEMPLATE, {
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {"template": {"spec": {
                "containers": [{"name": "c", "resources": {"requests": {"cpu": "10m"}}}],
                "volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]}}}})

    def member_items(self, member, kind, query):
        if member == BAD and kind in self.shows:
            return self.shows[kind]
        if member != BAD and kind == "ResourceQuota":
            return [quota(1 if member == "m2" else 0)]
        return super().member_items(member, kind, query)


# --- what goes wrong ----------------------------------------------------------------------------

def does(act):
    return lambda x, _path: act(x)


def texts(body):
    return lambda x, _path: x.send(Answer(200, body))


def item(thing):
    """The list with one thing more, which is wrong."""
    return says(lambda path, _: hostile.page(path, [*SHOWN_FINE.get(path, ()), thing]))


# A right one before the wrong one is not kept either: it is a part of a list.
SHOWN_FINE = {LISTS["resourcequotas"][0]: [quota(2)], LISTS["limitranges"][0]: [LIMITS]}


def in_two_pages(second):
    """The first page has all that there is; the next one fails."""
    def act(x, path):
        if "continue" in x.request.query:
            return second(x, path)
        x.send(hostile.answer(200, hostile.page(path, SHOWN_FINE.get(path, []), "more")))
        return None
    return act


# name, what is done to each request for the list, what is said of it, protocols
TOO_LARGE = [
    ("a body without end", does(f.endless(b'{"items":[', b"{}," * 20000)),
     "the answer is larger than", BOTH),
    ("an object that is too large", says(raw_items(
        b'{"metadata":{"name":"', then=b"x" * (9 * MB) + b'"}}')),
     "the object is longer than 8388608 bytes", HTTP1),
]
# What an answer says as well where nobody is there: of the very first list it is taken for that.
NOBODY = [
    ("404", does(f.reply(404)), "HTTP 404", BOTH),
    ("429", does(f.reply(429)), "given up after 2 tries, at last: HTTP 429", BOTH),
    ("500", does(f.reply(500)), "HTTP 500", BOTH),
    ("a torn body", does(f.cut(MIDDLE, f.closes)), "given up after 2 tries", BOTH),
    ("bad JSON", texts(b'{"kind":"List","items":[{]}'), "its JSON ends early", HTTP1),
    ("no JSON", texts(b"<html>"), "its JSON ends early", HTTP1),
]
REFUSED = [
    ("403", does(f.reply(403, message="not you")), "HTTP 403: not you", BOTH),
    ("410", does(f.reply(410)), "HTTP 410", HTTP1),
    ("another list", says(lambda path, _: hostile.page("/api/v1/pods", [])), "the answer is no ",
     HTTP1),
    ("a bad object among good ones", item({"metadata": {"name": 7}}), "name: want string", HTTP1),
    ("410 for its second page", in_two_pages(does(f.reply(410))), "HTTP 410", HTTP1),
    ("500 for its second page", in_two_pages(does(f.reply(500))), "HTTP 500", HTTP1),
    ("bad JSON for its second page", in_two_pages(texts(b'{"items":[')), "its JSON ends early",
     HTTP1),
]
ONCE = [("429", f.reply(429)), ("500", f.reply(500)), ("a torn body", f.cut(MIDDLE, f.closes))]


class World:
    def __init__(self, place, name, protocol, shows, faults=(), store=FitStore):
        self.token = secrets.token_hex(16)
        self.store = store(self.token, shows)
        self.server = Server(self.store, place.certificates, protocol, faults)
        self.place, self.config = place, place.kubeconfig(name, self.server.url, self.token)

    def plan(self, *flags):
        """The run, and what is planned for shop/web."""
        kept = [flag for flag in hostile.FLAGS if flag.partition("=")[0] not in "".join(flags)]
        run = self.place.run(self.config, "plan", (*kept, *flags))
        expect_in_time(run)
        expect_no_secret(run, self.token)
        decided = run.items.get("shop/web", {})
        targets = {t["name"]: t["replicas"] for t in decided.get("after", [])}
        return run, targets


def plan_with(place, name, protocol, shows, faults, verify):
    world, run = World(place, name, protocol, shows, faults), None
    try:
        run, targets = world.plan()
        verify(world, run, targets)
    except Failure as e:
        raise Failure(f"{e}\n{run}{run.out[:1500] if run else ''}") from None
    finally:
        world.server.stop()


# --- what must come of it -----------------------------------------------------------------------

def expect_planned(run, targets, wanted, status):
    expect(run.status == status, f"want status {status}")
    expect(targets == wanted, f"want {wanted} of shop/web, got {targets}")


def expect_unseen(run, plurals, says_so):
    """Once, of these lists of this member alone; in the report, too."""
    lines = [line for line in run.err.splitlines() if "not seen" in line]
    named = ", ".join(plurals)
    expect(len(lines) == 1 and f"member {BAD}: not seen: {named}: " in lines[0] and
           re.search(says_so, lines[0]), f"want {named} of {BAD} not seen, {says_so!r}")
    missed = json.loads(run.out)["summary"]["members"]["unseen"]
    expect(len(missed) == 1 and BAD in json.dumps(missed), f"unseen are {missed}")


def play_always(place, name, plural, is_all, act, says_so, protocol):
    """`is_all`: it costs m1 all that was to be seen of it here."""
    fault = Fault("member", of_bad(only(LISTS[plural][0], act)))

    def verify(_world, run, targets):
        expect_planned(run, targets, GIVEN, UNSEEN)
        expect_unseen(run, list(LISTS) if is_all else [plural], says_so)

    plan_with(place, name, protocol, SHOWS[plural], [fault], verify)


def play_beside(place, name, plural, act, says_so, protocol):
    """What m1's other lists show counts as ever: its quota, or, where that fails, its limits."""
    beside = "limitranges" if plural == "resourcequotas" else "resourcequotas"
    fault = Fault("member", of_bad(only(LISTS[plural][0], act)))

    def verify(_world, run, targets):
        expect_planned(run, targets, IN_PART, UNSEEN)
        expect_unseen(run, [plural], says_so)

    plan_with(place, name, protocol, {**SHOWS[plural], **SHOWS[beside]}, [fault], verify)


def play_once(place, name, plural, act, protocol):
    """Asked for again, the list is seen, and what it shows counts."""
    left = [1]

    def hit(x, path):
        if left[0] == 0:
            x.send(x.carry_out())
            return None
        left[0] -= 1
        return act(x)

    def verify(_world, run, targets):
        expect(left == [0], "the fault was not felt")
        expect_planned(run, targets, IN_PART, DONE)

    plan_with(place, name, protocol, SHOWS[plural],
              [Fault("member", of_bad(only(LISTS[plural][0], hit)))], verify)


def play_right(place, name, plural, protocol):
    """Without a fault there is no room: else the cases above would show nothing."""
    plan_with(place, name, protocol, SHOWS[plural], [],
              lambda _world, run, targets: expect_planned(run, targets, IN_PART, DONE))


TEMPLATES = [
    ("403", f.reply(403), "HTTP 403", BOTH),
    ("404", f.reply(404), "HTTP 404", BOTH),
    ("410", f.reply(410), "HTTP 410", HTTP1),
    ("422", f.reply(422), "HTTP 422", HTTP1),
    ("a list", f.changed(lambda thing: [thing]), "", HTTP1),
]
NOT_NOW = [("429", f.reply(429)), ("500", f.reply(500)), ("a torn body", f.cut(MIDDLE, f.closes)),
           ("bad JSON", lambda x: x.send(Answer(200, b'{"kind":'))),
           ("no JSON", lambda x: x.send(Answer(200, b"<html>")))]


def play_template(place, name, path, act, says_so, protocol):
    """The workload, or which kinds there are, cannot be read: no list is asked for what nobody
    knows to need, and room is looked for as the binding says."""
    def hit(x):
        return act(x) if x.request.path == path else x.send(x.carry_out())

    def verify(world, run, targets):
        expect_planned(run, targets, GIVEN, DONE)
        lines = [line for line in run.err.splitlines()
                 if "apps/v1 Deployment: Ballast did not see the pod templates" in line]
        expect(len(lines) == 1 and re.search(says_so, lines[0]), f"want it said, {says_so!r}")
        asked = [r.path for r in world.store.requests
                 if re.search("/(limitranges|csinodes)$", r.path)]
        expect(not asked, f"asked for were {asked}")

    plan_with(place, name, protocol, SHOWS["resourcequotas"], [Fault("other", hit)], verify)


def play_not_now(place, name, path, act, protocol):
    """The control plane itself is tried until no time is left, and then there is no plan: it
    would not be one of this control plane."""
    fault = Fault("other", lambda x: act(x) if x.request.path == path else x.send(x.carry_out()))
    world, run = World(place, name, protocol, SHOWS["resourcequotas"], [fault]), None
    try:
        run = world.plan("--deadline=3s")[0]
        expect(run.status == ERROR and not run.out, f"want status {ERROR} without a report")
        expect(re.search(f"reading pod templates: GET https://.*{path}: no time is left", run.err),
               "want it said")
    except Failure as e:
        raise Failure(f"{e}\n{run}") from None
    finally:
        world.server.stop()


def cases():
    """(table, name, protocol, function of place and name)"""
    def one(play, *how, protocol):
        return lambda place, name: play(place, name, *how, protocol=protocol)

    table = "What keeps pods off nodes"
    for plural in LISTS:
        yield table, f"{plural}, right", 1, one(play_right, plural, protocol=1)
        for of, is_all in ((TOO_LARGE, True), (NOBODY, plural == next(iter(LISTS))),
                           (REFUSED, False)):
            for name, act, says_so, protocols in of:
                for protocol in protocols:
                    yield table, f"{plural}, {name}", protocol, one(
                        play_always, plural, is_all, act, says_so, protocol=protocol)
        for name, act, says_so, _ in REFUSED:
            yield table, f"{plural}, {name}, beside what is seen", 1, one(
                play_beside, plural, act, says_so, protocol=1)
        for name, act in ONCE:
            yield table, f"{plural}, {name} once", 1, one(play_once, plural, act, protocol=1)
    for what, path in (("a pod template", TEMPLATE), ("the kinds of workloads", DOCUMENT)):
        for name, act, says_so, protocols in TEMPLATES:
            for protocol in protocols:
                yield table, f"{what}, {name}", protocol, one(
                    play_template, path, act, says_so, protocol=protocol)
        for name, act in NOT_NOW:
            yield table, f"{what}, {name}", 1, one(play_not_now, path, act, protocol=1)
