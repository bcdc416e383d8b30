# SPDX-License-Identifier: Apache-2.0
"""The pod templates of many workloads in one namespace come with one list. Whatever becomes of that
list, what it did not bring is asked for one by one, and the plan is the same."""
import faults as f
from cases import Failure, expect
from cases_fit import DOCUMENT, DYNAMIC, WEB, FitStore, World
from rows import BOTH, DONE, ERROR, HTTP1
from server import MIDDLE, Fault
from store import SHOP_BINDINGS, Answer, answer, binding

DEPLOYMENTS = f"{DOCUMENT}/namespaces/shop/deployments"
MANY = 7
NAMES = [f"many-{i}" for i in range(MANY)]
PORT = {"containerPort": 80, "hostPort": 80}  # one replica a node: the template decides


def deployment(name, namespace="shop"):
    return {"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"template": {"spec": {"containers": [{
                "name": "c", "ports": [PORT], "resources": {"requests": {"cpu": "10m"}}}]}}}}


class ManyStore(FitStore):
    """Each of the workloads has one of two replicas, in m1."""

    def __init__(self, token, shows):
        super().__init__(token, shows)
        del self.objects[WEB]
        for name in NAMES:
            wanting = binding(name, {"m1": 1}, replicas=2)
            wanting["spec"]["placement"] = DYNAMIC
            del wanting["metadata"]["annotations"]
            self.put(f"{SHOP_BINDINGS}/{name}", wanting)
            self.put(f"{DEPLOYMENTS}/{name}", deployment(name))

    def carry_out(self, request):
        right = super().carry_out(request)
        if request.path != DEPLOYMENTS or right.status == 401:
            return right
        with self.lock:
            items = [{"metadata": thing["metadata"], "spec": thing["spec"]}
                     for path, thing in sorted(self.objects.items())
                     if path.startswith(f"{DEPLOYMENTS}/")]
        return answer(200, {"kind": "DeploymentList", "apiVersion": "apps/v1",
                            "metadata": {"resourceVersion": "1"}, "items": items})


# --- what becomes of the list -------------------------------------------------------------------

def items(change):
    """The right list with other items."""
    def edit(page):
        page["items"] = change(page["items"])
        return page
    return f.changed(edit)


def raw(body):
    return lambda x: x.send(Answer(200, body))


def once(act):
    left = [1]

    def hit(x):
        if left[0] == 0:
            x.send(x.carry_out())
            return None
        left[0] -= 1
        return act(x)
    return hit


# name, what is done to the list, how many workloads are asked for alone then, protocols
LISTS = [
    ("fine", lambda x: x.send(x.carry_out()), 0, BOTH),
    ("403", f.reply(403), MANY, BOTH),
    ("404", f.reply(404), MANY, HTTP1),
    ("405", f.reply(405), MANY, BOTH),
    ("410 for ever", f.reply(410), MANY, HTTP1),
    ("422", f.reply(422), MANY, HTTP1),
    ("429 once", once(f.reply(429)), 0, BOTH),
    ("500 once", once(f.reply(500)), 0, BOTH),
    ("a torn body once", once(f.cut(MIDDLE, f.closes)), 0, BOTH),
    ("an empty list", items(lambda _: []), MANY, HTTP1),
    ("one is missing", items(lambda them: them[1:]), 1, HTTP1),
    ("the same twice", items(lambda them: them + them), 0, HTTP1),
    ("thousands of others",
     items(lambda them: [deployment(f"other-{i}") for i in range(3000)] + them), 0, BOTH),
    ("those of another namespace",
     items(lambda them: [deployment(t["metadata"]["name"], "store") for t in them]), MANY, HTTP1),
    ("what is no object", items(lambda them: [7, *them]), None, HTTP1),
    ("bad names", items(lambda them: [{"metadata": {"name": 7}}, {"metadata": []}, {}, *them]),
     0, HTTP1),
    ("an object and no list", f.changed(lambda page: page["items"][0]), MANY, HTTP1),
    ("an array", f.changed(lambda page: page["items"]), MANY, HTTP1),
    ("an object that is too large",
     raw(b'{"items":[{"metadata":{"name":"' + b"x" * (9 << 20) + b'"}}]}'), MANY, HTTP1),
]
# Of which no end is seen: the control plane itself is tried until no time is left.
NOT_NOW = [("429", f.reply(429)), ("500", f.reply(500)), ("bad JSON", raw(b'{"kind":')),
           ("HTML", raw(b"<html>"))]


def only_list(act):
    return Fault("other",
                 lambda x: act(x) if x.request.path == DEPLOYMENTS else x.send(x.carry_out()))


def planned(run):
    return {name: {t["name"]: t["replicas"] for t in run.items.get(f"shop/{name}", {}).get("after", [])}
            for name in NAMES}


def play_list(place, name, act, alone, protocol):
    world, run = World(place, name, protocol, {}, [only_list(act)], ManyStore), None
    try:
        run, _ = world.plan()
        expect(run.status == DONE, f"want status {DONE}")
        # by the template one replica fits on each node: without it all would stay in m1
        given = [sum(t.get(m, 0) for t in planned(run).values()) for m in ("m1", "m2", "m3")]
        expect(given[0] == MANY and given[1] <= 1 and given[2] <= 1, f"given are {given}")
        expect("pod templates" not in run.err, "all templates are seen")
        asked = [r.path for r in world.store.requests if r.path.startswith(f"{DEPLOYMENTS}/")]
        expect(alone is None or len(asked) == alone, f"want {alone} alone, asked for were {asked}")
    except Failure as e:
        raise Failure(f"{e}\n{run}{run.out[:3000] if run else ''}") from None
    finally:
        world.server.stop()


def play_not_now(place, name, act, protocol):
    world, run = World(place, name, protocol, {}, [only_list(act)], ManyStore), None
    try:
        run = world.plan("--deadline=3s")[0]
        expect(run.status == ERROR and not run.out, f"want status {ERROR} without a report")
        expect("reading pod templates: GET https://" in run.err, "want it said")
    except Failure as e:
        raise Failure(f"{e}\n{run}") from None
    finally:
        world.server.stop()


def cases():
    """(table, name, protocol, function of place and name)"""
    def one(play, *how, protocol):
        return lambda place, name: play(place, name, *how, protocol=protocol)

    table = "A list of pod templates"
    for name, act, alone, protocols in LISTS:
        for protocol in protocols:
            yield table, f"templates, {name}", protocol, one(play_list, act, alone, protocol=protocol)
    for name, act in NOT_NOW:
        yield table, f"templates, {name} for ever", 1, one(play_not_now, act, protocol=1)
