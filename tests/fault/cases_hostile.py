# SPDX-License-Identifier: Apache-2.0
"""One member that means harm, or has gone mad, among two that are in order: it is not seen, which
is said; the run ends in time, within its memory and with status 0, and what the others show is
seen."""
import functools
import itertools
import json
import os
import re
import secrets
import socket
import subprocess
import zlib

import cases_deputy as deputy
import faults as f
from cases import Failure, Place, expect, expect_in_time, expect_no_secret
from rows import BOTH, DONE, HTTP1, UNSEEN
from server import ALL, HEAD, LAST, Fault, Server
from store import CLUSTERS, MEMBER_LISTS, Answer, Store, cluster, answer, failure

BAD, GOOD = "m1", ("m2", "m3")  # and m10, m11, ... where there are more bad ones
MEMORY_LIMIT = 512 << 20       # the default of --memory-limit, and the CronJob's limit
TIMEOUT = 5                    # --member-timeout
SLACK = 4                      # of a busy machine
MEMBERS_TIME = 60 / 2          # of the deadline: half is for the members,
FULL_PAGES = MEMBERS_TIME * 3 / 4  # of that so much for the first lists
FLAGS = ("--sources=pods,nodes", f"--member-timeout={TIMEOUT}s", "--page-size=500",
         "--deadline=60s", "-o", "json")
PODS, NODES = "/api/v1/pods", "/api/v1/nodes"
AUTOSCALERS = "/apis/autoscaling/v2/horizontalpodautoscalers"
JSON = "application/json"
MB = 1 << 20


def kind_at(path):
    return next(v for k, v in MEMBER_LISTS.items() if path.startswith(k))


def page(path, items, token="", version="7", **changes):
    """What a member answers to a list."""
    api_version, kind = kind_at(path)
    return {"kind": kind + "List", "apiVersion": api_version,
            "metadata": {"resourceVersion": version, **({"continue": token} if token else {})},
            "items": items, **changes}


def pod(name, node="node", **changes):
    """One that cannot be scheduled, of the Deployment shop/fine."""
    return {"metadata": {"name": name, "namespace": "shop", "uid": name,
                         "labels": {"app": "fine", "pod-template-hash": "1"},
                         "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet",
                                              "name": "fine-1", "uid": "rs", "controller": True}]},
            "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "10m"}}}]},
            "status": {"phase": "Pending", "conditions": [
                {"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
                 "message": "0/1 nodes are available",
                 "lastTransitionTime": "2026-01-01T00:00:00Z"}]}, **changes}


def ready(name):
    return {"metadata": {"name": name, "namespace": "shop"}, "spec": {"nodeName": "node"},
            "status": {"phase": "Running", "conditions": [
                {"type": "Ready", "status": "True",
                 "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}


def node(name, **allocatable):
    return {"metadata": {"name": name},
            "status": {"allocatable": {"cpu": "640", "memory": "2Ti", "pods": "10000",
                                       **allocatable}}}


TEMPLATE = {"spec": {"containers": [{"name": "c"}]}}
FINE = {"metadata": {"name": "fine", "namespace": "shop", "uid": "d"},
        "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "fine"}},
                 "template": TEMPLATE}}
FINE_SET = {"metadata": {"name": "fine-1", "namespace": "shop", "uid": "rs",
                         "labels": {"app": "fine", "pod-template-hash": "1"},
                         "ownerReferences": [{"apiVersion": "apps/v1", "kind": "Deployment",
                                              "name": "fine", "uid": "d", "controller": True}]},
            "spec": {"selector": {"matchLabels": {"app": "fine"}}, "template": TEMPLATE}}


class HostileStore(Store):
    """m2 has one pod of shop/fine that is stuck: a plan that says so has seen m2."""

    def member_items(self, member, kind, query):
        is_for_retained = query.get("labelSelector", "").endswith("=true") and \
            "!=" not in query["labelSelector"]
        return {"Pod": [pod("fine-1-x")] if member == "m2" else [], "Node": [node("node")],
                "Deployment": [] if is_for_retained else [FINE],
                "ReplicaSet": [FINE_SET]}.get(kind, [])


def of_bad(act):
    """The fault hits every list of a bad member, and nobody else's."""
    def choose(x):
        found = re.match(rf"{CLUSTERS}/{BAD}\d*/proxy(/.*)", x.request.path)
        if found is None:
            x.send(x.carry_out())
            return None
        return act(x, re.sub("/namespaces/[^/]+", "", found[1]))
    return choose


# --- what a member does -------------------------------------------------------------------------

def says(make):
    """A page that `make` makes of (path, query): a dictionary, or a text as it is."""
    def act(x, path):
        made = make(path, x.request.query)
        x.send(Answer(200, made if isinstance(made, bytes) else json.dumps(made).encode()))
    return act


def only(wanted, act):
    """On one kind of list; the others are right."""
    def choose(x, path):
        if path == wanted:
            return act(x, path)
        x.send(x.carry_out())
        return None
    return choose


def does(act):
    return lambda x, _path: act(x)


def packed(*parts):
    """gzip of (text, times) each."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(text) for text, times in parts for _ in range(times)),
                     packer.flush()])


@functools.cache
def spaces(size):
    """(what comes of so many, packed, and the packer to go on with)"""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return b"".join(packer.compress(b" " * MB) for _ in range(size // MB)), packer


def inflates(size, end=False):
    """Pages that unpack to so many bytes of white space before the text; for ever, or so that the
    last bytes never come."""
    begin, packer = spaces(size)

    def act(x, path):
        more = packer.copy()
        body = begin + more.compress(json.dumps(page(path, [], "more")).encode()) + more.flush()
        x.send(Answer(200, body).has(content_type=JSON, content_encoding="gzip"),
               until=LAST if end else ALL)
        return x.hang() if end else None
    return act


def unpacks_twice(size):
    begin, packer = spaces(size)
    outer = packed((begin + packer.copy().flush(), 1))
    return lambda x, _path: x.send(Answer(200, outer).has(content_type=JSON,
                                                          content_encoding="gzip, gzip"))


def drips(pause, piece=1):
    """The right answer, so slowly that it never ends; or silence, with a head before it."""
    def act(x, _path):
        body = x.carry_out()
        x.send(body, until=HEAD)
        for at in range(0, len(body.body), piece):
            yield pause
            x.send_bytes(body.body[at:at + piece])
        x.finish()
    return act


def drips_pages(pause):
    """An empty page after the other, each just in time."""
    def act(x, path):
        yield pause
        x.send(answer(200, page(path, [], "more")))
    return act


def floods_with_100(x, _path):
    """HTTP/1.1."""
    while True:
        x.send_bytes(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" * 100)
        yield 0


counter = itertools.count()


def new_pods(count, make):
    """Pages of pods that were never seen before, for ever. `make` makes the text of one."""
    def build(path, _query):
        if path != PODS:
            return page(path, [])
        first = next(counter) * count
        return json.dumps(page(path, [], "more")).encode()[:-2] + b",".join(
            make(n) for n in range(first, first + count)) + b"]}"
    return build


def unique_pod(n):
    return (b'{"metadata":{"name":"%x","namespace":"s%x","labels":{"%x":"%x"}},'
            b'"status":{"phase":"%x","reason":"%x"}}' % (n, n, n, n, n, n))


unique_pods = says(new_pods(20000, unique_pod))
STUCK = json.dumps(pod("NAME")).encode()


def raw_items(item, times=1, then=b""):
    """A page with these bytes for items."""
    def build(path, _query):
        return json.dumps(page(path, [])).encode()[:-2] + item * times + then + b"]}"
    return build


def everywhere(kind, api_version, **spec):
    """Objects of another kind than was asked for."""
    def build(path, _query):
        return page(path, [{"kind": kind, "apiVersion": api_version,
                            "metadata": {"name": "x", "namespace": "shop"}, **spec}])
    return build


def other_versions(path, _query):
    return page(path, [], "more", version=str(next(counter)))


# name, what it does, how it is said (None: it has done nothing wrong), protocols, and for how many
# seconds it may hold the run up, where that is not --member-timeout: full pages earn it more time
CASES = [
    ("pages that unpack to 120 MB and never end", inflates(120 * MB),
     "the answer is larger than 33554432 bytes", BOTH),
    ("pages that unpack to 30 MB and never end", inflates(30 * MB),
     "keeps us waiting", BOTH),
    ("an answer that unpacks twice, to 1 GB", unpacks_twice(1000 * MB),
     "the answer is larger than|broke off", HTTP1),
    ("a page that never ends", does(f.endless(b'{"kind":"PodList","items":[', b"{}," * 20000)),
     "larger than|timed out", BOTH),
    ("a string of 40 MB", says(raw_items(b'{"metadata":{"name":"', then=b"x" * (40 * MB) + b'"}}')),
     "larger than", HTTP1),
    ("a string of 20 MB", says(raw_items(b'{"metadata":{"name":"', then=b"x" * (20 * MB) + b'"}}')),
     "the object is longer than 8388608 bytes", HTTP1),
    ("one object of millions of empty ones",
     says(raw_items(b'{"a":[{}', then=b",{}" * 2000000 + b"]}")),
     "the object has more than 131072 values", HTTP1),
    ("a list that says of itself millions of empty objects",
     says(lambda path, _: json.dumps(page(path, []))[:-1].encode() + b',"x":[{}'
          + b",{}" * 2000000 + b"]}"), "the object has more than 131072 values", HTTP1),
    ("ten million tiny items", says(raw_items(b"{}", then=b",{}" * 10000000)),
     "metadata: required", HTTP1),
    ("pages of 100,000 tiny pods for ever",
     says(new_pods(100000, lambda n: b'{"metadata":{"name":"%x","namespace":"s"}}' % n)),
     "takes more than 134217728 bytes|keeps us waiting", HTTP1, FULL_PAGES),
    ("pages of new pods for ever",
     says(new_pods(500, lambda n: STUCK.replace(b"NAME", b"p%d" % n))),
     "takes more than 134217728 bytes|the deadline has passed", HTTP1, FULL_PAGES),
    ("pods that have nothing in common", unique_pods,
     "takes more than 134217728 bytes|keeps us waiting", HTTP1, FULL_PAGES),
    ("empty pages for ever", says(lambda path, _: page(path, [], "more")), "keeps us waiting",
     HTTP1),
    ("empty pages for ever, each just in time", drips_pages(TIMEOUT * 0.8),
     "keeps us waiting|timed out", BOTH),
    ("a continue token of 10 MB", says(lambda path, _: page(path, [], "x" * (10 * MB))),
     "longer than|too long", HTTP1),
    ("a continue token of 1 MB", says(lambda path, _: page(path, [], "x" * MB)),
     "continue token .* too long", HTTP1),
    ("pages of ever new resourceVersions", says(other_versions), "different states", HTTP1),
    ("410 for every next page", lambda x, path: x.send(
        failure(410, "Expired", "too old") if "continue" in x.request.query
        else answer(200, page(path, [], "more"))), "HTTP 410", HTTP1),
    ("bytes that drip", drips(0.5), "timed out", BOTH),
    ("silence", does(f.hangs), "timed out", BOTH),
    ("headers that drip", does(f.slow_headers(0.5)), "timed out", HTTP1),
    ("headers that never end", does(f.endless_headers),
     "headers are longer than|[Tt]oo large", HTTP1),
    ("1xx without end", floods_with_100, "headers are longer than|[Tt]oo large", HTTP1),
    ("503 that asks for an hour's patience", does(f.reply(503, retry_after="3600")),
     "no time is left", HTTP1),
    ("redirects to another server",
     does(f.bare(307, location="https://127.0.0.1:1/elsewhere")), "redirected to", HTTP1),
    ("redirects to a file", does(f.bare(301, location="file:///etc/passwd")), "redirected to",
     HTTP1),
    ("one pod twice", only(PODS, says(lambda path, _: page(path, [pod("a"), pod("a")]))),
     "Pod shop/a: duplicate", HTTP1),
    ("one pod on every page", only(PODS, says(lambda path, _: page(path, [pod("a")], "more"))),
     "Pod shop/a: duplicate", HTTP1),
    ("one node twice",
     says(lambda path, _: page(path, [node("a"), node("a")] if path == NODES else [])),
     "Node a: duplicate", HTTP1),
    ("pods that are no objects", says(lambda path, _: page(path, [1, 2])), "want an object|number",
     HTTP1),
    ("nodes instead of pods", says(lambda path, _: page(NODES, [node("n")])), "no PodList", HTTP1),
    ("Clusters instead of pods", says(everywhere("Cluster", "cluster.karmada.io/v1alpha1")),
     "of another kind", HTTP1),
    ("ResourceBindings instead of pods",
     says(everywhere("ResourceBinding", "work.karmada.io/v1alpha2")), "of another kind", HTTP1),
    ("answers of an estimator instead of pods",
     says(everywhere("EstimatorAnswers", "ballast.io/v1alpha1")), "of another kind", HTTP1),
    ("lists of an unknown version",
     says(lambda path, _: page(path, [], apiVersion="v9")), "the answer is no PodList of v1",
     HTTP1),
    ("depth without reason", says(raw_items(b'{"a":' * 5000, then=b"1" + b"}" * 5000)),
     "nested more than", HTTP1),
    ("pods of no numbers", only(PODS, says(lambda path, _: page(path, [pod("a", spec={
        "containers": [{"name": "c", "resources": {"requests": {"cpu": "lots"}}}]})]))),
     "Pod shop/a: ", HTTP1),
    ("autoscalers of every workload there is", only(AUTOSCALERS, says(lambda path, _: page(path, [
        {"metadata": {"name": f"h{i}"}, "spec": {"scaleTargetRef": {"kind": kind, "name": "fine"}}}
        for i, kind in enumerate(("Deployment", ""))]))), "metadata.namespace: required", HTTP1),
]

def in_turn(*acts):
    """Of several members each does another thing."""
    def act(x, path):
        number = re.search(rf"/{BAD}(\d*)/proxy/", x.request.path)[1]
        return acts[int(number or 0) % len(acts)](x, path)
    return act


# several at once, and how many others there are
TOGETHER = [
    ("answers that unpack to 30 MB, but for their last byte", inflates(30 * MB, True),
     "keeps us waiting", 9, MEMBERS_TIME),
    ("pages that unpack to 30 MB and never end", inflates(30 * MB), "keeps us waiting|deadline", 9,
     MEMBERS_TIME),
    ("pods that have nothing in common", unique_pods, "takes more than|keeps us waiting|deadline",
     3, MEMBERS_TIME),
    ("some fill the memory with pods, some with answers",
     in_turn(inflates(30 * MB, True), unique_pods), "keeps us waiting|deadline", 9, MEMBERS_TIME),
]

# numbers that nothing is wrong with as such
NUMBERS = [
    ("nodes of less than nothing", only(NODES, says(lambda path, _: page(
        path, [node(f"n{i}", cpu="-5", memory="-9E", pods="-1") for i in range(9)])))),
    ("nodes of more than there can be", only(NODES, says(lambda path, _: page(
        path, [node(f"n{i}", cpu="9E", memory="9223372036854775807", pods="9E")
               for i in range(9)])))),
    ("pods that ask for less than nothing", only(PODS, says(lambda path, _: page(path, [
        {**ready(f"p{i}"), "spec": {"nodeName": "node", "containers": [
            {"name": "c", "resources": {"requests": {"cpu": "-9E", "memory": "-9E"}}}]}}
        for i in range(9)])))),
    ("pods that ask for more than there can be", only(PODS, says(lambda path, _: page(path, [
        {**ready(f"p{i}"), "spec": {"nodeName": "node", "containers": [
            {"name": "c", "resources": {"requests": {"cpu": "9E", "memory": "9E"}}}]}}
        for i in range(9)])))),
]


class World:
    def __init__(self, place, name, protocol, act, more=0):
        self.place, self.token = place, secrets.token_hex(16)
        self.store = HostileStore(self.token, n_in_need=1)
        for i in range(more):
            self.store.put(f"{CLUSTERS}/{BAD}{i}", cluster(f"{BAD}{i}"))
        self.server = Server(self.store, place.certificates, protocol,
                             [Fault("member", of_bad(act))])
        self.config = place.kubeconfig(name, self.server.url, self.token)

    def plan(self, *flags):
        return self.place.run(self.config, "plan", (*FLAGS, *flags))


def expect_others_seen(run):
    for name in GOOD:
        expect(f"member {name}" not in run.err, f"{name} is said not to be seen")
    found = [(g["type"], g["cluster"]) for g in run.items.get("shop/fine", {}).get("findings", [])]
    expect(("UnschedulableReplicas", "m2") in found, f"what is stuck in m2 was not seen: {found}")
    expect("shop/web-0" in run.items, "what is not about the member was not looked at")


def play_case(place, name, act, says_so, protocol, most=TIMEOUT, more=0):
    """`most`: seconds that the member may hold the run up; `more`: others that do the same."""
    world = World(place, name, protocol, act, more)
    run = None
    try:
        run = world.plan(*(("--member-timeout=15s",) if more else ()))
        expect_in_time(run)
        expect_no_secret(run, world.token)
        want = DONE if says_so is None else UNSEEN
        expect(run.status == want, f"want status {want}")
        found = re.search(f"member {BAD}: not seen: .*", run.err)
        expect(bool(found) == (says_so is not None), f"want it said that {BAD} is not seen")
        expect(not says_so or re.search(says_so, found[0]), f"want {says_so!r}")
        expect_others_seen(run)
        expect(run.seconds < most + SLACK, f"it was held for {run.seconds:.1f}s")
        expect(run.peak < MEMORY_LIMIT, f"it took {run.peak >> 20} MB")
        if os.environ.get("FAULT_VERBOSE"):
            print(f"  {name}: {run.peak >> 20} MB, {run.seconds:.1f}s", flush=True)
    except Failure as e:
        raise Failure(f"{e}\n{run}{run.out[:500] if run else ''}") from None
    finally:
        world.server.stop()


TABLE = "One hostile member"


def slow_names(place, name):
    """A member's endpoint has a name that its name server does not tell: only the resolver knows
    how long it will try, and nobody may wait for it. Needs a mount of its own."""
    try:
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("127.9.9.53", 53))
    except OSError as e:
        print(f"  not tried: {name}: {e}")
        return
    resolver = place.directory / f"{name}.resolv"
    resolver.write_text("nameserver 127.9.9.53\noptions timeout:5 attempts:4\n")
    program = place.directory / f"{name}.sh"
    program.write_text("#!/bin/sh\nexec unshare -m sh -c 'mount --bind \"$0\" /etc/resolv.conf && "
                       f"exec \"$@\"' '{resolver}' '{place.program}' \"$@\"\n")
    program.chmod(0o700)
    if subprocess.run([program, "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        print(f"  not tried: {name}: no mounts here")
        return
    world = deputy.World(Place(str(program), place.directory, place.certificates), name, 1,
                         {"apiEndpoint": "https://never.example.test:6443"})
    try:
        world.plan(f"--member-timeout={TIMEOUT}s")
        expect(re.search("member m1: not seen: .*(keeps us waiting|timed out)", world.run.err),
               "want it said")
        expect(world.run.status == UNSEEN, f"want status {UNSEEN}")
        expect(world.run.seconds < TIMEOUT + SLACK, f"it was held for {world.run.seconds:.1f}s")
    except Failure as e:
        raise Failure(f"{e}\n{world.run}") from None
    finally:
        world.stop()
        server.close()


def one(*row):
    def play(place, name):
        play_case(place, name, *row)
    return play


def cases():
    """(table, name, protocol, function of place and name)"""
    for name, act, says_so, protocols, *most in CASES:
        for protocol in protocols:
            yield TABLE, f"a member: {name}", protocol, one(act, says_so, protocol, *most)
    yield TABLE, "a member: a name that nobody tells", 1, slow_names
    for name, act, says_so, more, most in TOGETHER:
        yield TABLE, f"{more + 1} members: {name}", 1, one(act, says_so, 1, most, more)
    for name, act in NUMBERS:
        yield TABLE, f"a member: {name}", 1, one(act, None, 1)
