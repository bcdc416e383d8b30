# SPDX-License-Identifier: Apache-2.0
"""`proxy-url` and impersonation: that requests go that way and as that user, what is said where the
proxy fails, and that its password is nowhere to be read."""
import base64
import re
import secrets
import urllib.parse
from dataclasses import dataclass

import proxy as p
from cases import Failure, expect, expect_in_time, expect_mended, expect_no_secret, expect_truth, \
    expect_whole, with_patience
from rows import DONE, ERROR, HTTP1, SHORT, USAGE, BOTH, Row
from server import Server
from store import Store

IMPATIENT = ("--deadline=60s", "--request-timeout=2s")


@dataclass
class ProxyRow:
    name: str
    scheme: str              # of proxy-url
    password: str = None     # that the proxy wants
    given: str = None        # that proxy-url has; None: the same
    fault: object = None     # of the proxy
    times: int = None        # how often
    ends: int = DONE
    says: str = ""
    flags: tuple = ("-v", "10")
    protocols: tuple = BOTH
    is_gone: bool = False    # nobody listens there
    is_plain: bool = False   # the server speaks HTTP without TLS


def proxy_rows():
    for scheme in ("http", "socks5", "socks5h"):
        yield ProxyRow(f"through {scheme}://", scheme)
        yield ProxyRow(f"through {scheme}:// with a password", scheme, "user:pa ss/w%rd")
        yield ProxyRow(f"through {scheme}:// with a wrong password", scheme, "user:right",
                       "user:wr0ng-one", ends=USAGE, says="proxy")
        yield ProxyRow(f"through {scheme}:// without the password it wants", scheme, "user:right",
                       "", ends=USAGE, says="[Pp]roxy|SOCKS")
        yield ProxyRow(f"through {scheme}:// that is not there", scheme, given="user:hush-hush",
                       is_gone=True, ends=ERROR, says="[Cc]onnect.*127.0.0.1.*refused",
                       flags=SHORT)
        yield ProxyRow(f"through {scheme}:// that hangs", scheme, given="user:hush-hush",
                       fault=p.hangs, ends=ERROR, says="[Tt]imed? ?out|deadline|[Pp]roxy",
                       flags=SHORT)
        yield ProxyRow(f"through {scheme}:// that hangs once", scheme, fault=p.hangs, times=1,
                       flags=IMPATIENT)
        yield ProxyRow(f"through {scheme}:// that resets once", scheme, fault=p.resets, times=1)
        yield ProxyRow(f"through {scheme}:// that always resets", scheme, given="user:hush-hush",
                       fault=p.resets, ends=ERROR, says="[Pp]roxy|reset|SOCKS", flags=SHORT)
        yield ProxyRow(f"through {scheme}:// that speaks something else", scheme,
                       given="user:hush-hush", fault=p.says(b"220 mail.example ESMTP\r\n"),
                       ends=None, says="[Pp]roxy|SOCKS|HTTP/0.9|CONNECT|[Ww]eird|nvalid",
                       flags=SHORT)
    for status, ends in ((403, USAGE), (407, USAGE), (502, ERROR), (503, ERROR)):
        no = f"HTTP/1.1 {status} No\r\nContent-Length: 5\r\n\r\nhello".encode()
        yield ProxyRow(f"through http:// that answers {status}", "http", given="user:hush-hush",
                       fault=p.says(no), ends=ends, says=f"[Pp]roxy.*{status}", flags=SHORT)
    yield ProxyRow("through http:// that answers 502 once", "http", times=1,
                   fault=p.says(b"HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n"))
    for code, what in ((1, "general failure"), (2, "not allowed"), (5, "refused")):
        yield ProxyRow(f"through socks5:// that says: {what}", "socks5", given="user:hush-hush",
                       fault=p.socks_says(code), ends=ERROR, says="[Pp]roxy|SOCKS", flags=SHORT)
    yield ProxyRow("through http:// whose tunnel breaks in the handshake", "http", times=1,
                   fault=p.breaks(100))
    yield ProxyRow("through http:// whose tunnel breaks later", "http", times=1,
                   fault=p.breaks(1500))
    yield ProxyRow("a plain server through http://", "http", "user:hush-hush", is_plain=True,
                   protocols=HTTP1)


def url_of(row, port):
    given = row.password if row.given is None else row.given
    user, _, password = (given or "").partition(":")
    at = f"{urllib.parse.quote(user)}:{urllib.parse.quote(password, safe='')}@" if given else ""
    return f"{row.scheme}://{at}127.0.0.1:{port}", password


def expect_through(row, way, server, token):
    """All that the server has seen came through the proxy, by a name that only the proxy knows; and
    the proxy has seen nothing that is for the server alone."""
    where = f"api.test:{server.port}"
    expect(all(where in asked for asked in way.asked), f"the proxy was asked for {way.asked}")
    expect(row.fault or row.ends != DONE or way.asked, "the proxy was not asked for anything")
    if not row.is_plain:
        expect(not any(token in head for head in way.heads),
               f"the proxy saw the token: {way.heads}")
    if row.ends not in (DONE, None):
        expect(not server.store.requests, "the server was reached all the same")


def play_proxy(place, name, row, protocol):
    with_patience(play_proxy_once, place, name, row, protocol)


def play_proxy_once(place, name, row, protocol, flags):
    token = None if row.is_plain else secrets.token_hex(16)
    server = Server(Store(token), place.certificates, protocol, is_plain=row.is_plain)
    before = server.store.splits()
    way = p.Proxy("http" if row.scheme == "http" else "socks5", row.password, row.fault, row.times)
    url, password = url_of(row, way.port)
    if row.is_gone:
        way.stop()
    run = None
    try:
        scheme = "http" if row.is_plain else "https"
        config = place.kubeconfig(name, f"{scheme}://api.test:{server.port}", token,
                                  cluster={"proxy-url": url})
        run = place.run(config, "run", flags)
        expect_in_time(run)
        for secret in (token, password, urllib.parse.quote(password, safe=""),
                       base64.b64encode(f"user:{password}".encode()).decode()):
            expect_no_secret(run, secret or token or "hush-hush")
        expect_whole(server.store, before)
        expect(row.ends in (None, run.status), f"want status {row.ends}")
        expect(re.search(row.says, run.err), f"want a message with {row.says!r}")
        if run.status != DONE:
            expect(re.search(r"GET https?://api\.test:\d+/", run.err), "no URL in the message")
        expect_truth(run, server.store, before)
        expect_through(row, way, server, token or "no token")
        expect(row.fault is None or way.faults > 0, "the fault did not come to pass")
        if not row.is_gone:
            way.fault, way.password = None, None
            expect_mended(place, config, server, Row("", []))
    except Failure as e:
        raise Failure(f"{e}\n{url}\n{run}") from None
    finally:
        way.stop()
        server.stop()


# --- impersonation ------------------------------------------------------------------------------

USER = {"as": "jane", "as-uid": "7", "as-groups": ["ops", "dev team"],
        "as-user-extra": {"scopes": ["view", "edit"], "example.com/why %": ["night shift"]}}
SENT = [("impersonate-user", "jane"), ("impersonate-uid", "7"), ("impersonate-group", "ops"),
        ("impersonate-group", "dev team"), ("impersonate-extra-scopes", "view"),
        ("impersonate-extra-scopes", "edit"),
        ("impersonate-extra-example.com%2fwhy%20%25", "night shift")]


def play_impersonation(place, name, row, protocol):
    """Every request of a run says whom it is for: those for the Lease and for Events, too."""
    token = secrets.token_hex(16)
    server = Server(Store(token), place.certificates, protocol)
    try:
        config = place.kubeconfig(name, server.url, token, user=row)
        run = place.run(config, "run", ())
        expect(run.status == DONE, f"{run}")
        kinds = {request.method for request in server.store.requests}
        expect(kinds == {"GET", "POST", "PUT", "PATCH"}, f"requests: {kinds}")
        for request in server.store.requests:
            said = [(n.lower(), v) for n, v in request.all_headers
                    if n.lower().startswith("impersonate-")]
            expect(sorted(said) == sorted(SENT), f"{request.method} {request.path}: {said}")
    finally:
        server.stop()


def cases():
    """(table, name, function of place and name)"""
    def one(play, row, protocol):
        return lambda place, name: play(place, name, row, protocol)

    for row in proxy_rows():
        for protocol in row.protocols:
            yield "Through a proxy", row.name, protocol, one(play_proxy, row, protocol)
    for protocol in BOTH:
        yield ("As somebody else", "impersonation with groups and extra fields", protocol,
               one(play_impersonation, USER, protocol))
