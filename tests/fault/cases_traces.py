# SPDX-License-Identifier: Apache-2.0
"""A run's trace at a collector (OTLP/HTTP in JSON): what it says is what the API server knows to be
true. And collectors that are slow, refuse, or are none: the run's status and report are those of a
run without any, and it takes no longer than it may."""
import collections
import functools
import http.server
import json
import os
import re
import secrets
import signal
import ssl
import threading
import time
import urllib.parse

import faults as f
from cases import Place, expect, expect_no_secret
from cases_contact import DeadPort, NoHandshake, NoName, Silence
from cases_deputy import World
from rows import BOTH, DONE, HTTP1
from server import Fault, Server
from store import CLUSTERS, Store

SLACK = 3        # of a busy machine, seconds
DEFAULT = 2      # seconds, where OTEL_EXPORTER_OTLP_TIMEOUT is not given
NOW = "--now=2026-03-01T12:00:00Z"
INTERNAL, CLIENT, FAILED = 1, 3, 2
ROOT = "ballast run"
# "survey" twice: before the diagnosis, and before the plan.
PHASES = ["diagnose", "events", "lock", "plan", "read", "report", "survey", "survey", "write"]
# The fields of a span of opentelemetry-proto that we send.
FIELDS = {"traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano",
          "endTimeUnixNano", "attributes", "status"}


class Collector(http.server.ThreadingHTTPServer):
    """`answer` gets the handler, once the request is there."""
    daemon_threads = True

    def __init__(self, answer, certificate=None):
        self.answer, self.taken, self.over = answer, [], threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)
        self.scheme = "http"
        if certificate:
            self.scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True,
                                              do_handshake_on_connect=False)
        self.url = f"{self.scheme}://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, _request, _address):
        pass  # whoever does not trust us goes away

    def close(self):
        self.over.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):  # noqa: N802 (so http.server wants it)
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.taken.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        self.server.answer(self)

    def log_message(self, *_arguments):
        pass


def says(status, body=b"{}", **headers):
    def answer(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
    return answer


def hangs(handler):
    handler.server.over.wait(60)


def drips(handler):
    """Something always comes, and never all of it."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    while not handler.server.over.wait(0.1):
        handler.wfile.write(b" ")


def floods(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while not handler.server.over.is_set():
        handler.wfile.write(b" " * 65536)


def goes_away(handler):
    handler.connection.close()


# --- what a trace is ----------------------------------------------------------------------------

def plain(value):
    """An AnyValue, as far as we send any: 64-bit numbers are texts in OTLP's JSON."""
    (kind, held), = value.items()
    expect(kind in ("stringValue", "intValue") and isinstance(held, str), f"a value is {value}")
    return int(held) if kind == "intValue" else held


def attributes(thing):
    keys = [a["key"] for a in thing["attributes"]]
    expect(len(keys) == len(set(keys)), f"a key is there twice: {keys}")
    return {a["key"]: plain(a["value"]) for a in thing["attributes"]}


class Trace:
    """One request to a collector, of which all holds that must hold of any."""

    def __init__(self, taken, root=ROOT):
        self.path, self.headers, self.body = taken
        expect(self.headers["content-type"] == "application/json", f"headers: {self.headers}")
        (resource,), = json.loads(self.body).values()
        (scope,) = resource["scopeSpans"]
        self.resource, self.spans = attributes(resource["resource"]), scope["spans"]
        self.ids = {s["spanId"]: s for s in self.spans}
        expect(scope["scope"]["name"] == "ballast", f"scope: {scope['scope']}")
        expect(len(self.ids) == len(self.spans), "ids are there twice")
        for span in self.spans:
            self.check_span(span)
        (self.root,) = [s for s in self.spans if s["name"] == root]
        for span in self.spans:
            self.check_place(span)

    def check_span(self, span):
        expect(set(span) <= FIELDS, f"fields: {span}")
        expect(re.fullmatch("(?!0{32})[0-9a-f]{32}", span["traceId"]), f"trace: {span}")
        expect(re.fullmatch("(?!0{16})[0-9a-f]{16}", span["spanId"]), f"id: {span}")
        expect(span["traceId"] == self.spans[0]["traceId"], "two traces")
        expect(span["kind"] in (INTERNAL, CLIENT), f"kind: {span}")
        for name in ("startTimeUnixNano", "endTimeUnixNano"):
            expect(isinstance(span[name], str) and span[name].isdigit(), f"{name}: {span}")
        expect(int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]), f"ends early: {span}")
        expect(span["status"] == {} or (span["status"]["code"] == FAILED
                                        and span["status"]["message"]), f"status: {span}")
        expect(span["status"] == {} or "error.type" in attributes(span), f"no error.type: {span}")

    def check_place(self, span):
        parent = self.ids.get(span.get("parentSpanId"))
        expect(span is self.root or parent is not None, f"its parent is not there: {span}")
        for holder in filter(None, (parent, self.root)):
            expect(int(holder["startTimeUnixNano"]) <= int(span["startTimeUnixNano"]),
                   f"{span} begins before {holder}")
        expect(int(span["endTimeUnixNano"]) <= int(self.root["endTimeUnixNano"]), "the root is over")

    @property
    def phases(self):
        """They follow one another, and are the command's."""
        phases = [s for s in self.spans if s["kind"] == INTERNAL and s is not self.root]
        for before, after in zip(phases, phases[1:]):
            expect(int(before["endTimeUnixNano"]) <= int(after["startTimeUnixNano"]),
                   f"{before} and {after} at the same time")
        expect({s["parentSpanId"] for s in phases} == {self.root["spanId"]}, "a phase in a phase")
        return phases

    @property
    def requests(self):
        return [s for s in self.spans if s["kind"] == CLIENT]


def path_of(span):
    return urllib.parse.unquote(urllib.parse.urlsplit(attributes(span)["url.full"]).path)


def template_of(path):
    path = re.sub("/namespaces/[^/]+", "/namespaces/{namespace}", path)
    path = re.sub("/clusters/[^/]+/proxy", "/clusters/{name}/proxy", path)
    return re.sub("(bindings|leases|clusters)/[^/{]+$", r"\1/{name}", path)


class Fixture:
    """A server, and a run that was told of a collector."""

    def __init__(self, place: Place, name, protocol=1, faults=()):
        self.place, self.token = place, secrets.token_hex(16)
        self.store = Store(self.token)
        self.server = Server(self.store, place.certificates, protocol, faults)
        self.config = place.kubeconfig(name, self.server.url, self.token)

    def run(self, command, *flags, started=None, **environment):
        self.store.requests.clear()
        run = self.place.run(self.config, command, flags, started, environment)
        expect_no_secret(run, self.token)
        return run


def warnings_of(run):
    return [line for line in run.err.splitlines() if "traces: " in line]


def collected(collector, run):
    expect(run.status == DONE, f"{run}")
    expect(not warnings_of(run), f"{run}")
    expect(len(collector.taken) == 1, f"{len(collector.taken)} requests to the collector\n{run}")
    return Trace(collector.taken[0])


# --- what is told -------------------------------------------------------------------------------

def play_whole(place, name, protocol):
    fixture, collector = Fixture(place, name, protocol), Collector(says(200))
    try:
        run = fixture.run("run", "--members=pods,nodes", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url)
        trace = collected(collector, run)
        expect(trace.path == "/v1/traces", f"sent to {trace.path}")
        expect(fixture.token not in trace.body.decode(), "the token is in the trace")
        expect(sorted(s["name"] for s in trace.phases) == PHASES,
               f"phases: {[s['name'] for s in trace.phases]}")
        told = collections.Counter((attributes(s)["http.request.method"], path_of(s))
                                   for s in trace.requests)
        known = collections.Counter((r.method, r.path) for r in fixture.store.requests)
        expect(told == known, f"told and not known: {told - known}, known, not told: {known - told}")
        expect(known[("GET", f"{CLUSTERS}/m1/proxy/api/v1/pods")] == 1, f"no member: {known}")
        for span in trace.requests:
            check_request(fixture, trace, span)
        expect(attributes(trace.root) | {"process.pid": 0} == {
            "process.executable.name": "ballast", "process.pid": 0, "process.exit.code": 0},
            f"the root: {trace.root}")
        expect(trace.root["status"] == {} and "parentSpanId" not in trace.root, f"{trace.root}")
        expect(trace.resource == {"service.name": "ballast"}, f"resource: {trace.resource}")
    finally:
        collector.close()
        fixture.server.stop()


def check_request(fixture, trace, span):
    told, path = attributes(span), path_of(span)
    expect(told["url.full"].startswith(fixture.server.url + "/"), f"{span}")
    expect(told["server.address"] == "127.0.0.1" and told["server.port"] == fixture.server.port,
           f"{span}")
    expect(told["url.template"] == template_of(path), f"{span}: want {template_of(path)}")
    expect(span["name"] == f"{told['http.request.method']} {told['url.template']}", f"{span}")
    member = re.match(CLUSTERS + "/([^/]+)/proxy/", path)
    expect(told.get("k8s.cluster.name") == (member and member[1]), f"{span}")
    expect("http.request.resend_count" not in told, f"{span}")
    status = told["http.response.status_code"]
    expect((span["status"] != {}) == (status >= 400), f"{span}")
    expect(status < 400 or told["error.type"] == str(status), f"{span}")
    phase = trace.ids[span["parentSpanId"]]["name"]
    wanted = {"PATCH": "write", "POST": "lock|write|events", "PUT": "lock|write|ballast run"}
    expect(re.fullmatch(wanted.get(told["http.request.method"], ".*"), phase),
           f"{span['name']} in {phase}")


def play_again(place, name, protocol):
    """Tries that fail are spans, too."""
    fixture = Fixture(place, name, protocol, [Fault("list of bindings", f.reply(503), times=2)])
    collector = Collector(says(200))
    try:
        run = fixture.run("plan", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=f"{collector.url}/here")
        expect(run.status == DONE and len(collector.taken) == 1, f"{run}")
        trace = Trace(collector.taken[0], "ballast plan")
        expect(trace.path == "/here", f"sent to {trace.path}")
        failed = [s for s in trace.requests if attributes(s).get("error.type") == "503"]
        expect([attributes(s)["http.response.status_code"] for s in failed] == [503, 503],
               f"failed: {failed}")
        expect("the fault says so" in failed[0]["status"]["message"], f"{failed[0]}")
        again = [s for s in trace.requests if "http.request.resend_count" in attributes(s)]
        expect(len(again) == 2, f"sent again: {again}")
    finally:
        collector.close()
        fixture.server.stop()


def play_direct(place, name, protocol):
    """A member that is asked without a proxy, with a token of its own."""
    world, collector = World(place, name, protocol), Collector(says(200))
    try:
        run = world.plan(environment={"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url})
        expect(run.status == DONE and len(collector.taken) == 1, f"{run}")
        trace = Trace(collector.taken[0], "ballast plan")
        for secret in (world.token, world.member_token):
            expect(secret not in trace.body.decode(), "a token is in the trace")
        of_member = [s for s in trace.requests
                     if attributes(s)["server.port"] == world.member.port]
        expect({attributes(s)["k8s.cluster.name"] for s in of_member} == {"m1"}, f"{of_member}")
        expect(len(of_member) == len(world.member_store.heads) > 0, f"{of_member}")
    finally:
        collector.close()
        world.stop()


def late(seconds):
    def act(x):
        yield seconds
        x.send(x.carry_out())
    return act


def play_renewals(place, name, protocol):
    """The Lease is renewed in another thread, each seventh of its time."""
    fixture = Fixture(place, name, protocol, [Fault("list of bindings", late(3.5), times=1)])
    collector = Collector(says(200))
    try:
        run = fixture.run("run", "--lease-duration=7s", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url)
        trace = collected(collector, run)
        renewals = [s for s in trace.requests if s["name"].startswith("PUT ")
                    and trace.ids[s["parentSpanId"]]["name"] == "read"]
        expect(len(renewals) >= 2, f"renewals: {[s['name'] for s in trace.requests]}\n{run}")
        told = collections.Counter(attributes(s)["http.request.method"] for s in trace.requests)
        known = collections.Counter(r.method for r in fixture.store.requests)
        expect(told == known, f"told {told}, known {known}")
    finally:
        collector.close()
        fixture.server.stop()


def play_failed(place, name, _protocol):
    """Of a run that fails, too, and of one whose server is not there."""
    nobody, collector = DeadPort(), Collector(says(200))
    try:
        config = place.kubeconfig(name, nobody.url, None)
        run = place.run(config, "run", ("--deadline=1s",), environment={
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url})
        expect(run.status == 1 and len(collector.taken) == 1, f"{run}")
        trace = Trace(collector.taken[0])
        expect(attributes(trace.root)["process.exit.code"] == 1, f"{trace.root}")
        expect(trace.root["status"].get("code") == FAILED, f"{trace.root}")
        expect(trace.requests and all(s["status"] for s in trace.requests), f"{trace.requests}")
        expect(not any("http.response.status_code" in attributes(s) for s in trace.requests),
               f"{trace.requests}")
    finally:
        collector.close()


# --- what the environment says ------------------------------------------------------------------

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def play_environment(place, name, _protocol):
    fixture, collector = Fixture(place, name), Collector(says(200))
    secret = secrets.token_hex(8)
    try:
        run = fixture.run(
            "run", "-v=2", OTEL_EXPORTER_OTLP_ENDPOINT=collector.url + "/base/",
            OTEL_EXPORTER_OTLP_HEADERS=f"authorization=Bearer%20{secret}, x-scope = a%2Cb",
            OTEL_SERVICE_NAME="rebalance", TRACEPARENT=PARENT,
            OTEL_RESOURCE_ATTRIBUTES="deployment.environment.name=prod,service.name=no,x=%C3%A4")
        trace = collected(collector, run)
        expect_no_secret(run, secret)
        expect(trace.path == "/base/v1/traces", f"sent to {trace.path}")
        expect(trace.headers["authorization"] == f"Bearer {secret}", f"{trace.headers}")
        expect(trace.headers["x-scope"] == "a,b", f"{trace.headers}")
        expect(trace.resource == {"service.name": "rebalance", "x": "ä",
                                  "deployment.environment.name": "prod"}, f"{trace.resource}")
        expect([trace.root["traceId"], trace.root["parentSpanId"]] == PARENT.split("-")[1:3],
               f"{trace.root}")
        expect(f"trace {PARENT.split('-')[1]}: sent to {collector.url}" in run.err, f"{run}")
    finally:
        collector.close()
        fixture.server.stop()


OFF = {
    "OTEL_SDK_DISABLED": "true",
    "OTEL_TRACES_EXPORTER": "none",
    "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
    "TRACEPARENT": PARENT[:-1] + "0",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "localhost:4318",
}


def play_off(place, name, _protocol):
    fixture, collector = Fixture(place, name), Collector(says(200))
    try:
        for variable, value in OFF.items():
            run = fixture.run("plan", **{"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
                                         variable: value})
            expect(run.status == DONE and not collector.taken, f"{variable}={value}: {run}")
            expect(len(warnings_of(run)) == (value in ("grpc", "localhost:4318")), f"{run}")
    finally:
        collector.close()
        fixture.server.stop()


# --- collectors that are none -------------------------------------------------------------------

def at(answer, certificate=None):
    return lambda place: Collector(answer, certificate and place.certificates[certificate])


def nobody(where):
    return lambda _place: where()


# name, what is there, what is said of it (None: nothing), how long it may take, by whose word
# (None: nobody's; "CA": with the authority that is to be trusted)
COLLECTORS = [
    ("that is in order", at(says(200)), None, None),
    ("that is not there", nobody(DeadPort), "Connection refused", None),
    ("that has no address", nobody(NoName), "Could not resolve host|timed out", 700),
    ("that is silent", nobody(Silence), "[Tt]imed? ?out|Timeout was reached", 700),
    ("that knows no TLS", nobody(NoHandshake), "[Tt]imed? ?out|Timeout was reached", 700),
    ("that hangs", at(hangs), "[Tt]imed? ?out", None),
    ("that drips", at(drips), "[Tt]imed? ?out", 700),
    ("that floods", at(floods), "[Tt]imed? ?out", 700),
    ("that goes away", at(goes_away), "[Ee]mpty reply", None),
    ("that says 500", at(says(500, b"so <b>sorry\x1b[2J")), r"HTTP 500: so <b>sorry\\u001B", None),
    ("that says 404", at(says(404)), "HTTP 404", None),
    ("that is elsewhere", at(says(307, location="http://127.0.0.1:1/")), "HTTP 307", None),
    ("with TLS", at(says(200), "right"), None, "CA"),
    ("with TLS of nobody's", at(says(200), "right"), "certificate", None),
    ("with an old certificate", at(says(200), "expired"), "certificate", "CA"),
    ("with another's name", at(says(200), "wrong-host"), "certificate|host", "CA"),
]


def play_collector(place, name, _protocol, make, wanted, how):
    fixture, collector = Fixture(place, name), make(place)
    more = {"OTEL_EXPORTER_OTLP_CERTIFICATE": str(place.certificates["ca"][0])} if how == "CA" else \
        {"OTEL_EXPORTER_OTLP_TIMEOUT": str(how)} if how else {}
    limit = how / 1000 if isinstance(how, int) else DEFAULT
    try:
        for command in ("plan", "run"):
            fixture.store.__init__(fixture.token)
            flags = (NOW,) if command == "plan" else ()
            bare = fixture.run(command, *flags)
            fixture.store.__init__(fixture.token)
            run = fixture.run(command, *flags, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, **more)
            expect(run.status == bare.status == DONE, f"{bare}\n{run}")
            expect(timeless(run.out) == timeless(bare.out), f"another report:\n{bare.out}\n{run.out}")
            expect(run.seconds < bare.seconds + limit + SLACK,
                   f"{bare.seconds:.1f}s without, {run.seconds:.1f}s with it")
            said = warnings_of(run)
            expect(len(said) == (wanted is not None), f"{run}")
            expect(wanted is None or re.search(wanted, said[0]), f"want {wanted!r}: {said}")
    finally:
        collector.close()
        fixture.server.stop()


def timeless(report):
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z|resourceVersion\W+\d+", "", report)


def play_signal(place, name, _protocol):
    """Who wants the end of it gets that, and the status of what was done."""
    process = []

    def answer(handler):
        os.kill(process[0].pid, signal.SIGTERM)
        hangs(handler)

    fixture, collector = Fixture(place, name), Collector(answer)
    begin = time.monotonic()
    try:
        run = fixture.run("run", started=process.append, OTEL_EXPORTER_OTLP_TIMEOUT="60000",
                          OTEL_EXPORTER_OTLP_ENDPOINT=collector.url)
        expect(run.status == DONE, f"{run}")
        expect(len(collector.taken) == 1 and len(warnings_of(run)) == 1, f"{run}")
        expect("stopped by a signal" in warnings_of(run)[0], f"{run}")
        expect(time.monotonic() - begin < 6, f"{run}")
    finally:
        collector.close()
        fixture.server.stop()


def cases():
    title = "traces"
    for protocol in BOTH:
        yield title, "a trace, whole", protocol, functools.partial(play_whole, protocol=protocol)
        yield title, "a trace of tries", protocol, functools.partial(play_again, protocol=protocol)
        yield title, "a trace of a member", protocol, functools.partial(play_direct,
                                                                        protocol=protocol)
        yield title, "a trace of renewals", protocol, functools.partial(play_renewals,
                                                                        protocol=protocol)
    for name, play in (("a trace of a run that fails", play_failed),
                       ("a trace as the environment wants it", play_environment),
                       ("no trace as the environment wants it", play_off),
                       ("a signal while a trace is sent", play_signal)):
        yield title, name, HTTP1[0], functools.partial(play, _protocol=1)
    for name, make, wanted, how in COLLECTORS:
        yield title, f"a collector {name}", HTTP1[0], functools.partial(
            play_collector, _protocol=1, make=make, wanted=wanted, how=how)
