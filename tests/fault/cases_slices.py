# SPDX-License-Identifier: Apache-2.0
"""Members that are cut by namespace: each shard asks for its own namespaces, and for what is in
none once; where it cannot tell which there are, or they are many, it lists all and passes over the
others'. Whatever it asks, the plan is the one that is made of whole members."""
import re

import cases_hostile as hostile
from cases import expect
from cases_shards import ShardStore, expect_unseen, forbid, played
from rows import BOTH, HTTP1, UNSEEN
from server import Fault
from store import CLUSTERS, MEMBER_LISTS, answer, failure

TABLE = "Slices"
CUT = "m2", "m4"
ALL = "/api/v1/namespaces"


class SlicedStore(ShardStore):
    """Every member has pods in twelve namespaces, and those that are cut in so many more."""

    N_MORE = 0

    def namespaces(self, member):
        return ["shop", *(f"team-{i}" for i in range(11)),
                *(f"more-{i}" for i in range(self.N_MORE if member in CUT else 0))]

    def member_items(self, member, kind, query):
        items = super().member_items(member, kind, query)
        if kind == "Pod":
            for i, name in enumerate(self.namespaces(member)[1:]):
                pod = hostile.ready(f"{name}-x")
                pod["metadata"]["namespace"] = name
                pod["spec"]["containers"] = [
                    {"name": "c", "resources": {"requests": {"cpu": f"{i % 12}00m"}}}]
                items.append(pod)
        return items

    def list_member(self, request, member, path):
        if path == ALL:
            return answer(200, self.page(request, "v1", "Namespace", [
                {"metadata": {"name": name}} for name in self.namespaces(member)]))
        found = re.search("/namespaces/([^/]+)", path)
        api_version, kind = MEMBER_LISTS.get(re.sub("/namespaces/[^/]+", "", path), (None, None))
        if kind is None:
            return failure(404, "NotFound", "the server could not find the requested resource")
        return answer(200, self.page(request, api_version, kind, [
            item for item in self.member_items(member, kind, request.query)
            if found is None or item["metadata"].get("namespace") == found[1]]))

    def page(self, request, api_version, kind, items):
        begin, limit = int(request.query.get("continue", 0)), int(request.query["limit"])
        goes_on = {"continue": str(begin + limit)} if begin + limit < len(items) else {}
        return {"kind": kind + "List", "apiVersion": api_version,
                "metadata": {"resourceVersion": "1", **goes_on},
                "items": items[begin:begin + limit]}

    ROUTES = (("GET", CLUSTERS + "/([^/]+)/proxy(/.+)", list_member), *ShardStore.ROUTES)


class LargeStore(SlicedStore):
    N_MORE = 400


def cut(slices):
    return "--slice-members=" + ",".join(f"{name}={slices}" for name in CUT)


def asked_of(world, member):
    """The paths of what was asked of it, in order."""
    found = (re.match(f"{CLUSTERS}/{member}/proxy(/.*)", r.path) for r in world.store.requests)
    return [m[1] for m in found if m]


def as_one(world):
    want = world.plan()
    for count, slices in ((1, 2), (2, 2), (3, 4), (7, 3), (2, 64)):
        world.observe_all(count, cut(slices))
        world.same_as(want, world.merged(f"--shard=0/{count}", cut(slices)))


def asks_for_its_own(world):
    nodes, namespaces = [], []
    for i in range(3):
        world.store.requests.clear()
        world.observe(f"{i + 1}/3", cut(3))
        asked = asked_of(world, "m2")
        nodes += [path for path in asked if path == hostile.NODES]
        asked = [path for path in asked if path not in (hostile.NODES, ALL)]
        wrong = [path for path in asked if "/namespaces/" not in path]
        expect(not wrong, f"it asked for all of {wrong}")
        namespaces += [m[1] for m in (re.fullmatch("/api/v1/namespaces/(.*)/pods", path)
                                      for path in asked) if m]
    expect(len(nodes) == 1, f"nodes were asked for {len(nodes)} times")
    expect(sorted(namespaces) == sorted(world.store.namespaces("m2")),
           f"pods were asked for in {namespaces}")


def asks_for_all(world):
    """And the plan is the same."""
    want = world.plan()
    world.store.requests.clear()
    world.observe_all(2, cut(2))
    expect(asked_of(world, "m2").count(hostile.PODS) == 2, "they did not ask for all pods")
    expect(not [p for p in asked_of(world, "m2") if "/namespaces/" in p], "they asked for some")
    world.same_as(want, world.merged(cut(2)))


def may_not_list(world):
    forbid(world, "m2", ALL, "namespaces is forbidden")
    asks_for_all(world)


def one_fails(world):
    """Of a member that is cut nothing counts that was not seen whole."""
    forbid(world, "m2", "/api/v1/namespaces/team-7/pods", "not in team-7")
    world.observe_all(3, cut(3))
    run = world.merged(cut(3), ends=UNSEEN)
    expect_unseen(run, ["m2"], "not in team-7")


def changes_meanwhile(world):
    """The list of namespaces begins again when it cannot go on, and has each of them once."""
    want = world.plan("--page-size=5")
    seen = set()

    def act(x):
        key = x.request.path, x.request.query.get("continue")
        if x.request.path.endswith(ALL) and key[1] == "10" and key not in seen:
            seen.add(key)
            x.send(failure(410, "Expired", "the continue parameter is too old"))
        else:
            x.send(x.carry_out())

    world.server.faults.append(Fault("member", act))
    world.store.requests.clear()
    world.observe_all(2, cut(2), "--page-size=5")
    expect(seen, "nothing was too old")
    pods = [p for p in asked_of(world, "m2") if p.endswith("/pods")]
    expect(len(pods) == len(set(pods)) == len(world.store.namespaces("m2")),
           f"pods were asked for by {pods}")
    world.same_as(want, world.merged(cut(2), "--page-size=5"))


def cases():
    """(table, name, protocol, function of place and name)"""
    for protocol in BOTH:
        yield TABLE, "slices: as one", protocol, played(as_one, protocol, SlicedStore)
    for name, story in (("ask for their own", asks_for_its_own), ("may not list", may_not_list),
                        ("one namespace fails", one_fails),
                        ("namespaces change meanwhile", changes_meanwhile)):
        yield TABLE, f"slices: {name}", HTTP1[0], played(story, store=SlicedStore)
    yield TABLE, "slices: too many", HTTP1[0], played(asks_for_all, store=LargeStore)
