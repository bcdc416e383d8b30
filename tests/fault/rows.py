# SPDX-License-Identifier: Apache-2.0
"""The tables: what is wrong, with which requests, and what must come of it.

What must come of every row, whatever it says here, is in cases.py."""
import struct
from dataclasses import dataclass

import faults as f
from server import ALL, FIRST, HEAD, HEADERS, LAST, MIDDLE, NOTHING, STATUS
from store import IN_ORDER, answer, failure

DONE, ERROR, UNSEEN, USAGE, BUSY = 0, 1, 4, 64, 75
BOTH, HTTP1, HTTP2 = (1, 2), (1,), (2,)
EVERYTHING, NOTHING_WRITTEN, WHATEVER = "everything", "nothing", "whatever"
# For what will not get better: the deadline must hold although one request may take far longer.
SHORT = ("--deadline=2s", "--request-timeout=60s")
# For requests that hang once: the next try must come soon.
IMPATIENT = ("--request-timeout=1s",)


@dataclass
class Hit:
    """What is done to requests of a kind: to `times` of them (None: all) but the first `after`."""
    on: str
    act: object
    times: int = None
    after: int = 0
    wanted: bool = True  # a run must come to feel it; else it must not


@dataclass
class Row:
    name: str
    hits: list
    ends: int = DONE           # exit status
    says: str = ""             # a pattern that must be in the messages
    written: str = EVERYTHING
    flags: tuple = ()
    protocols: tuple = BOTH
    command: str = "run"
    lease_is_free: bool = True  # afterwards
    same_plan: bool = True      # what is written is what was planned at first



# --- the server says no -------------------------------------------------------------------------

def refusals():
    once = [
        ("429", f.reply(429)),
        ("429 with Retry-After: 1", f.reply(429, retry_after="1")),
        ("429 with Retry-After: 0", f.reply(429, retry_after="0")),
        ("429 with a date of the past",
         f.reply(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT")),
        ("429 with nonsense", f.reply(429, retry_after="soon")),
        ("500", f.reply(500)),
        ("502 of a load balancer", f.bare(502, b"<html>Bad Gateway</html>")),
        ("503 with Retry-After: 1", f.reply(503, retry_after="1")),
        ("504", f.bare(504)),
    ]
    for name, act in once:
        yield Row(f"{name}, once for a list, a page and a PATCH",
                  [Hit("list", act, 1), Hit("next page", act, 1), Hit("patch", act, 1)])
    yield Row("500, 502, 503, 504 in a row",
              [Hit(on, f.reply(status), 1) for on in ("list", "patch")
               for status in (500, 502, 503, 504)])
    for status in (500, 502, 504):
        yield Row(f"{status} for PATCHes that were carried out",
                  [Hit("patch", f.reply(status, carried_out=True), 3)])
    for name, act, says in [
            ("429", f.reply(429), "HTTP 429: the fault says so"),
            ("503", f.reply(503), "HTTP 503: the fault says so"),
            ("502 without a word", f.bare(502, b"<html>no</html>"), "HTTP 502")]:
        yield Row(f"{name} for every list", [Hit("list", act)], ERROR, says, NOTHING_WRITTEN, SHORT)
        yield Row(f"{name} for every next page", [Hit("next page", act)], ERROR, says,
                  NOTHING_WRITTEN, SHORT)
        yield Row(f"{name} for every PATCH", [Hit("patch", act)], ERROR, says, NOTHING_WRITTEN,
                  SHORT)
    yield Row("500 for every PATCH, all carried out",
              [Hit("patch", f.reply(500, carried_out=True))], ERROR,
              "HTTP 500: .*it is not known whether it was carried out", WHATEVER, SHORT)
    yield Row("500 for a PATCH that was carried out, then 503 for ever",
              [Hit("patch", f.reply(500, carried_out=True), 1), Hit("patch", f.reply(503))], ERROR,
              "it is not known whether it was carried out", WHATEVER, SHORT)
    yield Row("a PATCH is carried out and its answer lost, and then nothing can be read again",
              [Hit("patch", f.cut(NOTHING, f.closes), 2), Hit("read again", f.reply(503))], ERROR,
              "it is not known whether it was carried out", WHATEVER, SHORT)
    yield Row("429 that asks for more time than there is",
              [Hit("patch", f.reply(429, retry_after="3600"))], ERROR,
              "no time is left.*HTTP 429", NOTHING_WRITTEN, ("--deadline=20s",))
    yield Row("429 until a date that is too far",
              [Hit("list", f.reply(429, retry_after="Fri, 31 Dec 2100 23:59:59 GMT"))], ERROR,
              "no time is left.*HTTP 429", NOTHING_WRITTEN, ("--deadline=20s",))
    yield Row("403 for lists", [Hit("list", f.reply(403, message="you may not list"))], ERROR,
              "HTTP 403: you may not list", NOTHING_WRITTEN)
    yield Row("403 for one PATCH", [Hit("patch", f.reply(403, message="a webhook says no"), 1)],
              ERROR, "HTTP 403: a webhook says no", WHATEVER)
    # An API server that has just started refuses what it allows: its roles are not read yet.
    started = f.reply(403, message='resourcebindings.work.karmada.io "x" is forbidden: User '
                      '"system:serviceaccount:karmada-system:ballast" cannot patch resource '
                      '"resourcebindings" in API group "work.karmada.io" in the namespace "shop"')
    yield Row("403 after a restart, for PATCHes and a page",
              [Hit("next page", started, 2), Hit("patch", started, 3, after=2)],
              flags=("--concurrency=1",))
    yield Row("403 after a restart that does not pass",
              [Hit("patch", started, after=2)], ERROR, "HTTP 403: resourcebindings.*is forbidden",
              WHATEVER, SHORT + ("--concurrency=1",))
    yield Row("403 for every PATCH, from the first on",
              [Hit("patch", started)], ERROR, "HTTP 403: resourcebindings.*is forbidden",
              NOTHING_WRITTEN, ("--deadline=60s",))
    yield Row("422 for one PATCH", [Hit("patch", f.reply(422, message="quota"), 1)], ERROR,
              "HTTP 422: quota", WHATEVER)
    yield Row("401 for ever", [Hit("list", f.reply(401, message="Unauthorized"))], ERROR,
              "HTTP 401: Unauthorized", NOTHING_WRITTEN)
    for status in (301, 302, 303, 307, 308):
        act = f.bare(status, location="https://127.0.0.1:1/elsewhere")
        yield Row(f"{status} for a list", [Hit("list", act)], USAGE,
                  f"HTTP {status}: redirected to https://127.0.0.1:1/elsewhere", NOTHING_WRITTEN)
        yield Row(f"{status} for a PATCH", [Hit("patch", act)], ERROR,
                  f"HTTP {status}: redirected to", NOTHING_WRITTEN)


# --- the answer does not come to its end --------------------------------------------------------

def broken_off():
    places = [(p, e) for p in (NOTHING, STATUS, HEADERS, HEAD, FIRST, MIDDLE, LAST, ALL)
              for e in ("reset", "close")]
    ends = {"reset": f.resets, "close": f.closes}
    for place, end in places:
        act = f.cut(place, ends[end])
        protocols = HTTP1 if place == STATUS else BOTH  # HTTP/2 has no status line
        yield Row(f"{end} {place}, of a list and a page",
                  [Hit("list", act, 1), Hit("next page", act, 1)], protocols=protocols)
        yield Row(f"{end} {place}, of PATCHes that were carried out", [Hit("patch", act, 3)],
                  protocols=protocols)
    for end in ends:
        yield Row(f"{end} instead of carrying out PATCHes",
                  [Hit("patch", f.cut(NOTHING, ends[end], carried_out=False), 3)])
        yield Row(f"{end} instead of every list", [Hit("list", f.cut(NOTHING, ends[end]))], ERROR,
                  "at last: .*(reset|clos|eof|EOF|pipe|Empty reply)", NOTHING_WRITTEN,
                  SHORT)
        yield Row(f"{end} in the middle of every page",
                  [Hit("next page", f.cut(MIDDLE, ends[end]))], ERROR,
                  "the answer broke off: |reset|pipe", NOTHING_WRITTEN, SHORT)
        yield Row(f"{end} instead of every answer to a PATCH, all carried out",
                  [Hit("patch", f.cut(NOTHING, ends[end]))],
                  ERROR, "it is not known whether it was carried out", WHATEVER, SHORT)
        yield Row(f"{end} instead of carrying out any PATCH",
                  [Hit("patch", f.cut(NOTHING, ends[end], carried_out=False))], ERROR,
                  "it is not known whether it was carried out", NOTHING_WRITTEN, SHORT)


# RFC 9113, 7.
CODES = {"NO_ERROR": 0, "PROTOCOL_ERROR": 1, "INTERNAL_ERROR": 2, "REFUSED_STREAM": 7, "CANCEL": 8,
         "ENHANCE_YOUR_CALM": 11, "HTTP_1_1_REQUIRED": 13}


def broken_streams():
    for name, code in CODES.items():
        act = f.cut(NOTHING, f.resets_stream(code), carried_out=name != "REFUSED_STREAM")
        yield Row(f"RST_STREAM({name}) instead of an answer", [
            Hit("list", act, 1), Hit("next page", act, 1), Hit("patch", act, 2)], protocols=HTTP2)
    for place in (HEAD, FIRST, MIDDLE, LAST):
        act = f.cut(place, f.resets_stream(2))
        yield Row(f"RST_STREAM(INTERNAL_ERROR) {place}", [
            Hit("list", act, 1), Hit("next page", act, 1), Hit("patch", act, 2)], protocols=HTTP2)
    for place in (NOTHING, HEAD, MIDDLE):
        act = f.cut(place, f.goes_away)
        yield Row(f"GOAWAY {place}", [
            Hit("list", act, 1), Hit("next page", act, 1), Hit("patch", act, 2)], protocols=HTTP2)
    yield Row("GOAWAY with a last answer", [
        Hit("list", f.last_answer, 2), Hit("patch", f.last_answer, 2)], protocols=HTTP2)
    yield Row("RST_STREAM for every list", [Hit("list", f.cut(NOTHING, f.resets_stream(2)))], ERROR,
              "HTTP/2 stream .* was not closed cleanly: INTERNAL_ERROR", NOTHING_WRITTEN, SHORT,
              HTTP2)
    yield Row("RST_STREAM for every PATCH, none carried out",
              [Hit("patch", f.cut(NOTHING, f.resets_stream(2), carried_out=False))], ERROR,
              "it is not known whether it was carried out", NOTHING_WRITTEN, SHORT, HTTP2)
    yield Row("GOAWAY for every list", [Hit("list", f.cut(NOTHING, f.goes_away))], ERROR, "",
              NOTHING_WRITTEN, SHORT, HTTP2)


def wrong_frames():
    table = [
        ("DATA of no stream", f.wrong_frame(0, 0, b"x", stream=0)),
        ("DATA before HEADERS", f.wrong_frame(0, 1, b"{}")),
        ("DATA of a stream that was never opened", f.wrong_frame(0, 0, b"x", stream=99)),
        ("a frame longer than was agreed", f.wrong_frame(0, 0, b"x" * 20000)),
        ("HEADERS that do not unpack", f.wrong_frame(1, 4, b"\xff\xff\xff\xff\xff\xff\x00")),
        ("HEADERS without a status", f.wrong_frame(1, 5, b"")),
        ("SETTINGS of a wrong length", f.wrong_frame(4, 0, b"12345", stream=0)),
        ("SETTINGS with a window that cannot be",
         f.wrong_frame(4, 0, struct.pack(">HI", 4, 0xFFFFFFFF), stream=0)),
        ("WINDOW_UPDATE of nothing", f.wrong_frame(8, 0, struct.pack(">I", 0), stream=0)),
        ("WINDOW_UPDATE beyond the end",
         f.wrong_frame(8, 0, struct.pack(">I", 0x7FFFFFFF), stream=0)),
        ("PUSH_PROMISE", f.wrong_frame(5, 4, struct.pack(">I", 2) + b"\x88")),
        ("CONTINUATION of nothing", f.wrong_frame(9, 4, b"\x88")),
        ("a frame that breaks off", f.raw(struct.pack(">I", 100)[1:] + b"\x00\x00")),
        ("no HTTP/2 at all", f.raw(b"HTTP/1.1 200 OK\r\n\r\n")),
    ]
    for name, act in table:
        yield Row(name, [Hit("list", act, 1), Hit("patch", act, 2)], flags=IMPATIENT,
                  protocols=HTTP2)
    yield Row("a wrong frame for every list", [Hit("list", table[0][1])], ERROR, "at last: ",
              NOTHING_WRITTEN, SHORT, HTTP2)
    yield Row("streams one at a time", [Hit("settings", f.settings(max_concurrent_streams=1))],
              protocols=HTTP2)
    yield Row("a connection that grants no stream",
              [Hit("settings", f.settings(max_concurrent_streams=0), 1)], flags=IMPATIENT,
              protocols=HTTP2, lease_is_free=False)
    yield Row("a window of a few bytes", [Hit("settings", f.settings(initial_window_size=16))],
              protocols=HTTP2)
    yield Row("bodies that no window is granted for",
              [Hit("settings", f.settings(initial_window_size=0))], ERROR, "", NOTHING_WRITTEN,
              SHORT, HTTP2, lease_is_free=False)


# --- slow, silent or without end ----------------------------------------------------------------

def slow():
    yield Row("lists and PATCHes in slow bytes", [
        Hit("list", f.slowly(20, 0.02), 2), Hit("patch", f.slowly(20, 0.02), 2)])
    yield Row("slow headers", [Hit("list", f.slow_headers(0.01), 1),
                               Hit("patch", f.slow_headers(0.01), 1)], protocols=HTTP1)
    yield Row("lists in bytes too slow for the request's time-out",
              [Hit("list", f.slowly(1000, 0.1))], ERROR, "at last: .*([Tt]imed out|timeout)",
              NOTHING_WRITTEN, ("--deadline=3s", "--request-timeout=1s"))
    yield Row("lists in bytes too slow for the deadline", [Hit("list", f.slowly(1000, 0.1))], ERROR,
              "the deadline has passed|timed out", NOTHING_WRITTEN, SHORT)
    for place in (NOTHING, HEAD, MIDDLE, LAST):
        act = f.cut(place, f.stalls)
        yield Row(f"silence {place}, once",
                  [Hit("list", act, 1), Hit("next page", act, 1), Hit("patch", act, 1)],
                  flags=IMPATIENT)
    yield Row("a connection that goes dead under a list", [Hit("list", f.dead_connection, 1)],
              flags=IMPATIENT)
    yield Row("a connection that goes dead under a PATCH", [Hit("patch", f.dead_connection, 1)],
              flags=IMPATIENT)
    yield Row("PATCHes that hang and are not carried out", [Hit("patch", f.hangs, 2)],
              flags=IMPATIENT)
    yield Row("lists that hang for ever", [Hit("list", f.hangs)], ERROR,
              "the deadline has passed|timed out", NOTHING_WRITTEN, SHORT)
    yield Row("PATCHes that hang for ever", [Hit("patch", f.hangs)], ERROR,
              "it is not known whether it was carried out", NOTHING_WRITTEN, SHORT)
    yield Row("PATCHes that are carried out and hang for ever", [Hit("patch", f.done_and_hangs)],
              ERROR, "it is not known whether it was carried out", WHATEVER, SHORT)
    yield Row("a list that never ends", [Hit("list", f.endless(b'{"items":[', b"{}," * 20000))],
              ERROR, "timed out|the deadline has passed|larger than", NOTHING_WRITTEN,
              ("--deadline=5s", "--request-timeout=60s"))
    yield Row("an answer to PATCH that never ends", [Hit("patch", f.endless(b"{", b" " * 60000))],
              ERROR, "it is not known whether it was carried out", WHATEVER,
              ("--deadline=5s", "--request-timeout=60s"))
    yield Row("headers that never end", [Hit("list", f.endless_headers)], ERROR,
              "[Hh]eader|the deadline has passed", NOTHING_WRITTEN, SHORT, HTTP1)
    yield Row("a small answer that unpacks to 300 MB", [Hit("list", f.bomb(300 << 20))], ERROR,
              "the answer is larger than", NOTHING_WRITTEN, ("--deadline=30s",))


# --- a wrong length, wrong coding ---------------------------------------------------------------

def wrong_bodies():
    for off in (-1, -200, 1, 1000):
        yield Row(f"Content-Length off by {off:+}", [
            Hit("list", f.length(off), 1), Hit("next page", f.length(off), 1),
            Hit("patch", f.length(off), 2)], flags=IMPATIENT)
        yield Row(f"Content-Length off by {off:+} for every list", [Hit("list", f.length(off))],
                  ERROR, "", NOTHING_WRITTEN, SHORT)
    for text in ("-5", "many", "99999999999999999999"):
        yield Row(f"Content-Length: {text}", [Hit("list", f.length(text), 1),
                                              Hit("patch", f.length(text), 1)],
                  flags=IMPATIENT, protocols=HTTP1)
    for place in (HEAD, FIRST, MIDDLE, LAST):
        yield Row(f"no Content-Length, and the end {place}", [
            Hit("list", f.no_length(place), 1), Hit("next page", f.no_length(place), 1),
            Hit("patch", f.no_length(place), 2)], protocols=HTTP1)
    yield Row("no Content-Length, and all of the body", [
        Hit("list", f.no_length(ALL)), Hit("next page", f.no_length(ALL)),
        Hit("patch", f.no_length(ALL))], protocols=HTTP1)
    for name, parts, orderly in [
            ("without the last one", [b""], True), ("and a reset", [b""], False),
            ("of a size that is none", [b"xyz\r\n"], True),
            ("of a size beyond reason", [b"ffffffffffffffffff\r\nabc"], True),
            ("of a negative size", [b"-1\r\n"], True)]:
        act = f.chunks(*parts, orderly=orderly)
        yield Row(f"chunks {name}", [Hit("list", act, 1), Hit("patch", act, 1)], protocols=HTTP1)
    for name, make in [("with a wrong bit", f.flipped), ("with a wrong check sum", f.wrong_sum),
                       ("that breaks off", f.unpacked_early),
                       ("that is none", lambda text: text)]:
        act = f.body(make, content_encoding="gzip")
        yield Row(f"gzip {name}", [Hit("list", act, 1), Hit("next page", act, 1),
                                   Hit("patch", act, 2)])
        yield Row(f"gzip {name}, for every list", [Hit("list", act)], ERROR, "broke off|not whole",
                  NOTHING_WRITTEN, SHORT)
    yield Row("a coding that was not asked for",
              [Hit("list", f.body(lambda text: text, content_encoding="br"))], ERROR,
              "broke off|encoding", NOTHING_WRITTEN, SHORT)


# --- a body that is not what it should be -------------------------------------------------------

def body_of(make, **headers):
    return f.body(lambda text: make if isinstance(make, bytes) else make(text), **headers)


def same_again(page):
    """The next page begins where the list does."""
    metadata = page["metadata"]
    return {**page, "metadata": {**metadata, "continue": metadata["resourceVersion"] + "-0"}}


def wrong_contents():
    page = body_of(b"<html>please log in</html>", content_type="text/html")
    for on, ends in (("list", ERROR), ("next page", ERROR)):
        yield Row(f"a login page for a {on}", [Hit(on, page)], ends,
                  "want application/json, got text/html", NOTHING_WRITTEN)
    yield Row("a login page for a PATCH that was carried out", [Hit("patch", page)], ERROR,
              "want application/json, got text/html", EVERYTHING)
    yield Row("a list as text/plain",
              [Hit("list", body_of(lambda t: t, content_type="text/plain"))], ERROR,
              "want application/json, got text/plain", NOTHING_WRITTEN)
    yield Row("a list as protobuf",
              [Hit("list", body_of(b"k8s\0", content_type="application/vnd.kubernetes.protobuf"))],
              ERROR, "want application/json, got application/vnd", NOTHING_WRITTEN)
    for name, text in [
            ("nothing at all", b""), ("a word", b"hello"), ("an open object", b'{"items":[{"a":1'),
            ("HTML under a wrong name", b"<html></html>")]:
        yield Row(f"{name} for a list, once", [Hit("list", body_of(text), 1)])
        yield Row(f"{name} for every list", [Hit("list", body_of(text))], ERROR, "not whole",
                  NOTHING_WRITTEN, SHORT)
        yield Row(f"{name} for PATCHes that were carried out", [Hit("patch", body_of(text), 2)])
    for name, text in [
            ("null", b"null"), ("a number", b"7"), ("a string", b'"x"'),
            ("a list of lists", b"[[]]"),
            ("no list", b'{"kind":"Status","apiVersion":"v1","status":"Success"}'),
            ("an object", b'{"kind":"Cluster","metadata":{"name":"m1"}}'),
            ("JSON with a comma too much", b'{"kind":"ClusterList","items":[,]}'),
            ("bytes that are no UTF-8", b'{"kind":"\xff\xfe","items":[]}'),
            ("depth without reason", b'{"items":[' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"]}"),
            ("items that are an object", b'{"kind":"ClusterList","items":{"a":1}}'),
            ("items that are numbers", b'{"kind":"ClusterList","items":[1,2]}')]:
        yield Row(f"{name} for a list", [Hit("list", body_of(text))], ERROR, "", NOTHING_WRITTEN,
                  SHORT)

    def put(**spec):
        return lambda item: item["spec"].update(spec)

    def of(**metadata):
        return lambda item: item["metadata"].update(metadata)

    for name, change in [
            ("replicas as a word", put(replicas="six")),
            ("replicas below nothing", put(replicas=-6)),
            ("replicas beyond reason", put(replicas=1 << 40)),
            ("half a replica", put(replicas=6.5)),
            ("clusters that are a text", put(clusters="m1")),
            ("a cluster without a name", put(clusters=[{"replicas": 6}])),
            ("a cluster with replicas below nothing",
             put(clusters=[{"name": "m1", "replicas": -1}])),
            ("a placement that is a list", put(placement=[])),
            ("a name that is a number", of(name=7)), ("no name", of(name=None)),
            ("a resourceVersion that is a number", of(resourceVersion=7))]:
        yield Row(f"{name}, in the list of bindings",
                  [Hit("list of bindings", f.last_item(change), 1)], DONE,
                  "skipped ResourceBinding", WHATEVER)

    yield Row("a name with a line end, in the list of bindings",
              [Hit("list of bindings", f.last_item(of(name="a\nb")), 1)], ERROR, "", WHATEVER)

    def head(**metadata):
        return f.changed(lambda thing: {**thing, "metadata": {**thing["metadata"], **metadata}})

    for name, change in [("a number to go on with", head(**{"continue": 7})),
                         ("a list to go on with", head(**{"continue": ["x"]}))]:
        yield Row(name, [Hit("list", change)], ERROR, "", NOTHING_WRITTEN, SHORT)
    yield Row("a list of which every page says to go on",
              [Hit("next page", f.changed(same_again))], ERROR, "deadline|no time", NOTHING_WRITTEN,
              ("--deadline=3s",))
    yield Row("pages of different states, once",
              [Hit("next page", head(resourceVersion="77"), 1)])
    yield Row("pages of different states, always", [Hit("next page", head(resourceVersion="77"))],
              ERROR, "changed while it was read: .*different resourceVersions", NOTHING_WRITTEN)


# --- lists that have expired --------------------------------------------------------------------

def gone(x):
    x.send(failure(410, "Expired", "The provided continue parameter is too old"))


def gone_with_token(x):
    """As a kube-apiserver does: with a token for the rest of the list, of another state."""
    version, _, begin = x.request.query["continue"].partition("-")
    status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 410,
              "reason": "Expired", "message": "The provided continue parameter is too old",
              "metadata": {"continue": f"{version}-{begin}"}}
    x.send(answer(410, status))


def expired():
    for name, act in [("410", gone), ("410 with a fresh token", gone_with_token)]:
        yield Row(f"{name} for a page, once", [Hit("next page", act, 1)])
        yield Row(f"{name} for a page, three times", [Hit("next page", act, 3)])
        yield Row(f"{name} for every page", [Hit("next page", act)], ERROR,
                  "changed while it was read: .*HTTP 410", NOTHING_WRITTEN, ("--deadline=20s",))


# --- lists out of the server's cache ------------------------------------------------------------

def is_old(x):
    """It serves nothing that came with Kubernetes 1.34."""
    x.send(answer(200, {"kind": "APIGroupList", "groups": [
        {"name": "apps", "versions": [{"groupVersion": "apps/v1", "version": "v1"}]}]}))


def stale(page):
    """As it was a while ago: every write based on it is a conflict."""
    for item in page["items"]:
        item["metadata"]["resourceVersion"] = "1"
    return page


def cached():
    old = Hit("groups", is_old)
    all_at_once = Hit("next page", f.reply(500), wanted=False, after=1)  # but for the Clusters'
    yield Row("from the cache, all at once", [old, all_at_once])
    yield Row("from the cache, older than what is written",
              [old, Hit("list of bindings", f.changed(stale), 1)])
    yield Row("from the cache, 503 once",
              [old, all_at_once, Hit("list of bindings", f.reply(503), 1)])
    for place in (NOTHING, HEADERS, HEAD, FIRST, MIDDLE, LAST, ALL):
        for end, act in (("reset", f.resets), ("close", f.closes)):
            yield Row(f"from the cache, {end} {place}, once",
                      [old, Hit("list of bindings", f.cut(place, act), 1)])
    yield Row("from the cache, close in the middle, always",
              [old, Hit("list of bindings", f.cut(MIDDLE, f.closes))], ERROR,
              "the answer broke off: ", NOTHING_WRITTEN, SHORT)
    yield Row("from the cache, a stall in the middle, once",
              [old, Hit("list of bindings", f.cut(MIDDLE, f.stalls), 1)], flags=IMPATIENT)
    yield Row("from the cache, a stall in the middle, always",
              [old, Hit("list of bindings", f.cut(MIDDLE, f.stalls))], ERROR, "", NOTHING_WRITTEN,
              SHORT)


# --- getting through to the server --------------------------------------------------------------

def connections():
    ends = [("reset", f.sock_reset), ("close", f.sock_close), ("silence", f.sock_hang)]
    for name, end in ends:
        for place, wrap in [("before TLS", f.before_tls), ("in the handshake", f.in_handshake),
                            ("after the handshake", f.after_handshake)]:
            act = wrap(end)
            yield Row(f"{name} {place}, once", [Hit("connection", act, 2)],
                      flags=IMPATIENT if name == "silence" else ())
            yield Row(f"{name} {place}, always", [Hit("connection", act)], ERROR, "",
                      NOTHING_WRITTEN, SHORT, lease_is_free=False)
    for name, data in [("HTTP instead of TLS", b"HTTP/1.1 400 Bad Request\r\n\r\n"),
                       ("a TLS alert", b"\x15\x03\x03\x00\x02\x02\x28"),
                       ("noise instead of TLS", bytes(range(256)))]:
        yield Row(f"{name}, once", [Hit("connection", f.before_tls(f.sock_says(data)), 1)])
        yield Row(f"{name}, always", [Hit("connection", f.before_tls(f.sock_says(data)))], ERROR,
                  "SSL|TLS|ssl|tls", NOTHING_WRITTEN, SHORT, lease_is_free=False)
    for name, says in [("expired", "certificate has expired"),
                       ("not-yet", "certificate is not yet valid"),
                       ("wrong-host", "no alternative certificate subject name matches"),
                       ("unknown-ca", "unable to get local issuer certificate"),
                       ("self-signed", "self.signed certificate")]:
        yield Row(f"a certificate that is {name}", [Hit("certificate", f.shows(name))], USAGE, says,
                  NOTHING_WRITTEN, lease_is_free=False)


# --- the world changes while we write -----------------------------------------------------------

def with_metadata(change):
    return lambda item: {**item, "metadata": {**item["metadata"], **change}}


def conflicts():
    yield Row("others touch a binding before our PATCH",
              [Hit("patch", f.meanwhile({"metadata": {"labels": {"touched": "yes"}}}), 3)])
    yield Row("others touch every binding before every PATCH",
              [Hit("patch", f.meanwhile({"metadata": {"labels": {"touched": "yes"}}}))], ERROR,
              "HTTP 409: the object has been modified", NOTHING_WRITTEN)
    yield Row("others mend a binding before our PATCH",
              [Hit("patch", f.meanwhile({"spec": {"clusters": [
                  {"name": n, "replicas": r} for n, r in IN_ORDER.items()]}}), 2)])
    yield Row("others scale a binding before our PATCH",
              [Hit("patch", f.meanwhile({"spec": {"replicas": 9}}), 2)], same_plan=False)
    for name, change, says in [
            ("of another name", {"name": "other"}, "it is another object: .*other"),
            ("of another namespace", {"namespace": "other"}, "it is another object: other/"),
            ("of another uid", {"uid": "other"}, "deleted and created anew")]:
        yield Row(f"others touch a binding, and one {name} is read again",
                  [Hit("patch", f.meanwhile({"metadata": {"labels": {"touched": "yes"}}}), 1),
                   Hit("read again", f.changed(with_metadata(change)), 1)], ERROR, says, WHATEVER)
    yield Row("others touch a binding, and one of another kind is read again",
              [Hit("patch", f.meanwhile({"metadata": {"labels": {"touched": "yes"}}}), 1),
               Hit("read again", f.changed(lambda o: {**o, "kind": "Deployment"}), 1)], ERROR,
              "it is no (Cluster)?ResourceBinding but another object: Deployment", WHATEVER)
    yield Row("a binding is deleted before our PATCH", [Hit("patch", f.deleted, 1)], None,
              "HTTP 404", WHATEVER, same_plan=False)
    yield Row("the server dies with a PATCH and is back at once",
              [Hit("patch", f.dies(back_after=0.0), 1)])
    yield Row("the server dies having carried out a PATCH, and is back soon",
              [Hit("patch", f.dies(back_after=1.0, carried_out=True), 1)])
    # every PATCH: one that comes in beside the first may have been carried out before the end
    yield Row("the server dies between list and PATCH, for good",
              [Hit("patch", f.dies())], ERROR,
              "it is not known whether it was carried out|connect", NOTHING_WRITTEN, SHORT,
              lease_is_free=False)
    yield Row("the server dies having carried out a PATCH, for good",
              [Hit("patch", f.dies(carried_out=True), 1)], ERROR,
              "it is not known whether it was carried out", WHATEVER, SHORT, lease_is_free=False)


# --- only the Lease, only Events, only a member -------------------------------------------------

def apart():
    for name, act in [("429", f.reply(429)), ("503", f.reply(503)),
                      ("a reset", f.cut(NOTHING, f.resets)),
                      ("half an answer", f.cut(MIDDLE, f.closes))]:
        yield Row(f"{name} for reading the Lease, once", [Hit("lease read", act, 1)])
        yield Row(f"{name} for writing the Lease, once", [Hit("lease", act, 1)])
        yield Row(f"{name} for Events, once", [Hit("event", act, 2)])
        if name != "half an answer":  # half of "not found" says all there is to know
            yield Row(f"{name} for every reading of the Lease", [Hit("lease read", act)], ERROR,
                      "Lease karmada-system/ballast: GET https://", NOTHING_WRITTEN, SHORT)
        # half of an answer says that it is written
        yield Row(f"{name} for Events, always", [Hit("event", act)],
                  says="" if name == "half an answer" else "Events were not written",
                  flags=("--deadline=5s",))
    yield Row("the answer to taking the Lease is lost",
              [Hit("lease", f.cut(NOTHING, f.closes), 1)])
    yield Row("a Lease that asks for an hour's patience",
              [Hit("lease read", f.reply(429, retry_after="3600"))], ERROR, "HTTP 429",
              NOTHING_WRITTEN, SHORT)
    yield Row("reading the Lease hangs", [Hit("lease read", f.hangs)], ERROR,
              "Lease karmada-system/ballast: GET https://", NOTHING_WRITTEN, SHORT)
    yield Row("taking the Lease hangs", [Hit("lease", f.hangs)], ERROR,
              "Lease karmada-system/ballast: POST https://", NOTHING_WRITTEN, SHORT)
    yield Row("taking the Lease is carried out and hangs", [Hit("lease", f.done_and_hangs)], ERROR,
              "Lease karmada-system/ballast: POST https://", NOTHING_WRITTEN, SHORT,
              lease_is_free=False)
    yield Row("the Lease is forbidden", [Hit("lease", f.reply(403, message="no Lease for you"))],
              ERROR, "Lease karmada-system/ballast: POST https://.*HTTP 403: no Lease for you",
              NOTHING_WRITTEN)
    yield Row("the Lease is nonsense", [Hit("lease read", body_of(b'{"spec":[]}'))], None, "",
              WHATEVER, SHORT, lease_is_free=False)
    yield Row("giving up the Lease fails", [Hit("lease", f.reply(503), after=1)],
              lease_is_free=False)
    yield Row("giving up the Lease is told to wait for an hour",
              [Hit("lease", f.reply(429, retry_after="3600"), after=1)],
              flags=("--lease-duration=4s",), lease_is_free=False)
    yield Row("giving up the Lease hangs", [Hit("lease", f.hangs, after=1)],
              flags=("--lease-duration=4s",), lease_is_free=False)
    yield Row("the Lease cannot be renewed while PATCHes are slow",
              [Hit("lease", f.reply(503), after=1), Hit("patch", f.slowly(40, 0.1))], BUSY,
              "the Lease karmada-system/ballast was lost", WHATEVER,
              ("--lease-duration=1s", "--concurrency=1"), lease_is_free=False)
    yield Row("Events hang", [Hit("event", f.hangs)], says="Events were not written",
              flags=("--deadline=4s", "--request-timeout=60s"))
    yield Row("Events are forbidden",
              [Hit("event", f.reply(403, message="no Events for you"))],
              says="Events were not written: .*no Events for you")
    through = ("--sources=pods,nodes",)
    for name, act in [("503", f.reply(503)), ("a reset", f.cut(NOTHING, f.resets)),
                      ("half an answer", f.cut(MIDDLE, f.closes)),
                      ("a login page", body_of(b"<html>", content_type="text/html")),
                      ("no list", body_of(b'{"kind":"Status"}'))]:
        is_tried_again = name not in ("a login page", "no list")
        yield Row(f"{name} for a member, once", [Hit("member", act, 1)],
                  DONE if is_tried_again else UNSEEN, flags=through)
        yield Row(f"{name} for every member", [Hit("member", act)], UNSEEN, "member m1: not seen",
                  flags=(*through, "--deadline=30s"))
    yield Row("members hang", [Hit("member", f.hangs)], UNSEEN, "member m1: not seen",
              flags=(*through, "--deadline=6s"))


# --- plan and dry run ---------------------------------------------------------------------------

def without_writing():
    for command in ("plan", "run --dry-run"):
        yield Row(f"{command}: 503 for a list, once", [Hit("list", f.reply(503), 1)],
                  written=NOTHING_WRITTEN, command=command)
        yield Row(f"{command}: a reset in the middle of a page",
                  [Hit("next page", f.cut(MIDDLE, f.resets), 1)], written=NOTHING_WRITTEN,
                  command=command)
        yield Row(f"{command}: 410 for a page", [Hit("next page", gone, 1)],
                  written=NOTHING_WRITTEN, command=command)
        yield Row(f"{command}: lists that hang", [Hit("list", f.hangs)], ERROR,
                  "the deadline has passed|timed out", NOTHING_WRITTEN, SHORT, command=command)
        yield Row(f"{command}: 403 for lists", [Hit("list", f.reply(403))], ERROR, "HTTP 403",
                  NOTHING_WRITTEN, command=command)
        yield Row(f"{command}: a read-only server", [
            Hit(on, f.reply(403), wanted=False)
            for on in ("lease", "lease read", "event", "patch")],
                  written=NOTHING_WRITTEN, command=command)
        yield Row(f"{command}: a certificate of another CA",
                  [Hit("certificate", f.shows("unknown-ca"))], USAGE, "issuer certificate",
                  NOTHING_WRITTEN, command=command)


TABLES = {
    "The server says no": refusals,
    "The answer does not come to its end": broken_off,
    "HTTP/2 streams break": broken_streams,
    "HTTP/2 frames are wrong": wrong_frames,
    "Slow, silent or without end": slow,
    "A wrong length, a wrong coding": wrong_bodies,
    "Not what it should be": wrong_contents,
    "Lists that have expired": expired,
    "Lists out of the cache": cached,
    "Getting through": connections,
    "The world changes meanwhile": conflicts,
    "Only the Lease, the Events, the members": apart,
    "plan and dry run": without_writing,
}
