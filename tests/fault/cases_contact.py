# SPDX-License-Identifier: Apache-2.0
"""The first contact: a server that is not there, is none of Karmada's, or would not take what we
have to show; as a person at a terminal sees it, and as the log of a CronJob does. And what a
terminal shows of long work.

By hand is: with a terminal. A pseudo-terminal is one."""
import os
import pty
import re
import secrets
import socket
import subprocess
import threading
import time

import faults as f
from cases import ALWAYS, SLACK, Place, expect
from rows import DONE, ERROR, UNSEEN, USAGE
from server import Fault, Server
from store import CLUSTER_API, LEASES, Store

# A person is told within 5 s. What is waited for here leaves room for a machine that is busy, and is
# still far from the deadline, which all of it took before.
DEADLINE, SOON = 60, 20
WAYS = ("plan", "run")


class Terminal:
    """Ballast with standard error on a terminal, to its end."""

    def __init__(self, place: Place, config, command, *flags, term="xterm"):
        kept = {k: v for k, v in os.environ.items()
                if not k.startswith("KUBE") and not k.lower().endswith("_proxy")}
        self.line = f"{command} {' '.join(flags)}"
        ours, theirs = pty.openpty()
        begin = time.monotonic()
        with open(config.with_suffix(".out"), "w+b") as out:
            popen = subprocess.Popen(
                [place.program, command, *ALWAYS, f"--deadline={DEADLINE}s", *flags,
                 f"--kubeconfig={config}"], stdin=subprocess.DEVNULL, stdout=out, stderr=theirs,
                env={**kept, "HOME": str(place.directory), "TERM": term})
            os.close(theirs)
            self.bytes = b""
            reader = threading.Thread(target=self.read, args=(ours,), daemon=True)
            reader.start()
            try:
                self.status = popen.wait(DEADLINE + SLACK)
            except subprocess.TimeoutExpired:
                popen.kill()
                popen.wait()
                self.status = None
            self.seconds = time.monotonic() - begin
            reader.join(5)
            out.seek(0)
            self.out = out.read().decode()
        os.close(ours)
        self.err = self.bytes.decode("utf-8", "replace")

    def read(self, terminal):
        while True:
            try:
                more = os.read(terminal, 65536)
            except OSError:  # the other end is closed
                return
            if not more:
                return
            self.bytes += more

    @property
    def shown(self):
        """What stood on the line of progress, one after the other."""
        return [text for text in re.findall(r"\r\x1b\[K([^\r\n\x1b]*)(?=\r\x1b|\Z)", self.err) if text]

    @property
    def lines(self):
        """What is left on the screen in the end."""
        return [line.rpartition("\x1b[K")[2] for line in self.err.replace("\r\n", "\n").split("\n")]

    def __str__(self):
        return f"ballast {self.line}: status {self.status} after {self.seconds:.1f}s\n{self.err!r}"


def two_contexts(place, name, server, token=None, user=()):
    """As Place.kubeconfig, with another context to choose."""
    path = place.kubeconfig(name, server, token, user=user)
    path.write_text(path.read_text().replace(
        '"contexts": [', '"contexts": [{"name": "other", "context": {"cluster": "x"}}, '))
    return path


# --- nobody there -------------------------------------------------------------------------------

class DeadPort:
    """Where nobody listens."""
    says = "Connection refused"

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as gone:
            self.url = f"https://127.0.0.1:{gone.getsockname()[1]}"

    def close(self):
        pass


class NoName(DeadPort):
    """RFC 2606 keeps .invalid free."""
    says = "Could not resolve host: nosuch.invalid"

    def __init__(self):
        super().__init__()
        self.url = "https://nosuch.invalid:6443"


class Silence(DeadPort):
    """Somebody listens, and never accepts: his queue is full. So a connection does not come
    about, as where a firewall drops all packets."""
    says = "Failed to connect|[Tt]imed? ?out|Timeout was reached"

    def __init__(self):
        super().__init__()
        self.sockets = [socket.create_server(("127.0.0.1", 0), backlog=0)]
        address = self.sockets[0].getsockname()
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(address)
            self.sockets.append(filler)
        self.url = f"https://127.0.0.1:{address[1]}"

    def close(self):
        for sock in self.sockets:
            sock.close()


class NoHandshake(DeadPort):
    """TCP is there, TLS never comes."""
    says = "SSL connection timeout|[Tt]imed? ?out|Timeout was reached"

    def __init__(self):
        super().__init__()
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.url = f"https://127.0.0.1:{self.socket.getsockname()[1]}"

    def close(self):
        self.socket.close()


def play_by_hand(place, name, nobody, command):
    where = nobody()
    try:
        run = Terminal(place, two_contexts(place, name, where.url), command)
    finally:
        where.close()
    expect(run.status == ERROR, f"want status {ERROR}: {run}")
    expect(run.seconds < SOON, f"a person waited for it: {run}")
    expect(re.search(f"not reached in .*{where.says}|not reached in .*({where.says})", run.err),
           f"want {where.says!r}: {run}")
    expect(f"nobody answers at {where.url}, the server of context \"x\" of " in run.err and
           "or choose another context with --context: other, x (current)" in run.err,
           f"want to be told what to do: {run}")
    expect("failed:" not in "\n".join(run.lines), f"each try is told, too: {run}")
    expect(not run.out, f"there is a report: {run.out}")


def play_in_a_pod(place, name, command):
    """No terminal: tries go on, each is logged, and the deadline ends them."""
    run = place.run(two_contexts(place, name, DeadPort().url), command, ("--deadline=12s",))
    expect(run.status == ERROR and run.seconds > 5, f"want tries until the deadline: {run}")
    told = [int(n) for n in re.findall(r"W.*: try (\d+) failed: .*Connection refused; the next one "
                                       r"in [0-9.]+m?s\n", run.err)]
    expect(len(told) >= 3 and told == list(range(1, len(told) + 1)), f"told are {told}: {run}")
    expect(re.search(rf"after {len(told) + 1} tries, at last: ", run.err), f"not each: {run}")
    expect("nobody answers at " in run.err, f"want to be told what to do: {run}")
    expect("\x1b" not in run.err, f"want a log without escapes: {run}")


def play_records(place, name, command):
    """The commands that only read records name the server, the context and other contexts."""
    url = DeadPort().url
    run = subprocess.run([place.program, *command.split(),
                          f"--kubeconfig={two_contexts(place, name, url)}"], check=False,
                         stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                         timeout=DEADLINE)
    expect(run.returncode == ERROR and not run.stdout, f"want status {ERROR}: {run}")
    expect(f"nobody answers at {url}, the server of context \"x\" of " in run.stderr and
           "(contexts for --context: other, x (current)): " in run.stderr and
           "Connection refused" in run.stderr, f"want to be told where: {run}")


# --- not what it should be ----------------------------------------------------------------------

def play_expired(place, name, command):
    """Nothing of it goes out: the server is not even connected to."""
    token = secrets.token_hex(16)
    server = Server(Store(token), place.certificates, 1)
    accepted = []
    server.faults.append(Fault("connection", lambda _, sock: accepted.append(sock)))
    certificate, key = (str(path) for path in place.certificates["expired"])
    try:
        config = two_contexts(place, name, server.url, user={
            "client-certificate": certificate, "client-key": key})
        for run in (Terminal(place, config, command), place.run(config, command, ())):
            expect(run.status == USAGE and run.seconds < SOON, f"want status {USAGE}: {run}")
            expect(f'context "x" of {config}: the client certificate {certificate} of user "x" '
                   "expired at 2020-02-01T00:00:00Z" in run.err and "renew it" in run.err and
                   "--context: other, x (current)" in run.err, f"want it said: {run}")
        expect(not accepted, "it was connected to")
    finally:
        server.stop()


def play_no_karmada(place, name, command):
    """It knows no kind of Karmada's, but has the Lease's namespace: nothing at all is written."""
    kind = "discovery" if command == "run" else "list"
    server = Server(Store(None), place.certificates, 1, [Fault(kind, f.reply(404))])
    try:
        run = place.run(two_contexts(place, name, server.url), command, ())
        expect(run.status == ERROR, f"want status {ERROR}: {run}")
        expect("ballast: this is no Karmada control plane: " in run.err and
               f"this run asked {server.url}, the server of context \"x\" of " in run.err and
               "--context: other, x (current)" in run.err, f"want it said: {run}")
        written = [r for r in server.store.requests if r.method != "GET"]
        expect(not written, f"something was written: {written}")
    finally:
        server.stop()


def play_refused(place, name, command, status):
    """What to do is said: whom the server does not know, or what he may not."""
    token = secrets.token_hex(16)
    fault = Fault("list" if command == "plan" else "lease", f.reply(status))
    server = Server(Store(token), place.certificates, 1, [fault])
    config = two_contexts(place, name, server.url, token)
    try:
        run = place.run(config, command, ())
    finally:
        server.stop()
    what = {"plan": "list clusters.cluster.karmada.io",
            "run": "create leases.coordination.k8s.io"}[command]
    where = {"plan": "", "run": " in karmada-system"}[command]
    wanted = {
        401: f'ballast: the token of user "x" is not accepted by {server.url}, the server of context '
             f'"x" of {config}: it has expired, or is of another cluster: renew it or log in again; '
             "or choose another context with --context: other, x (current)",
        403: f'ballast: user "x" may not {what}{where} at {server.url}, the server of context "x" of '
             f"{config}: ask: kubectl --kubeconfig {config} --context x auth can-i {what}"
             f"{where.replace(' in ', ' -n ')}; the roles in cronjob/karmada/rbac grant what "
             "Ballast needs; or choose another context with --context: other, x (current)",
    }[status]
    lines = run.err.splitlines()
    expect(run.status == ERROR and len(lines) == 2 and f"HTTP {status}" in lines[0] and
           lines[1] == wanted, f"want {wanted}: {run}")
    expect(token not in run.err, "the token is in what was printed")


def play_no_discovery(place, name, reply):
    """Whoever may not see which APIs there are, or not now, may run all the same."""
    token = secrets.token_hex(16)
    fault = Fault("discovery", reply)
    server = Server(Store(token), place.certificates, 1, [fault])
    try:
        run = place.run(place.kubeconfig(name, server.url, token), "run", ())
        expect(run.status == DONE and fault.hits == 1, f"want a run like any other: {run}")
        expect(server.store.writes, "nothing was written")
    finally:
        server.stop()


# --- long work ----------------------------------------------------------------------------------

def slow_server(place, token):
    def late(exchange):
        yield 0.7
        exchange.send(exchange.carry_out())

    return Server(Store(token), place.certificates, 1,
                  [Fault(kind, late) for kind in ("list", "next page", "patch")])


def play_progress(place, name, _):
    token = secrets.token_hex(16)
    server = slow_server(place, token)
    try:
        run = Terminal(place, place.kubeconfig(name, server.url, token), "run", "-v1")
    finally:
        server.stop()
    expect(run.status == DONE, f"{run}")
    for wanted in (r"listing resourcebindings \d of 5", r"writing \d+ of \d+"):
        expect(any(re.fullmatch(wanted, text) for text in run.shown), f"want {wanted}: {run.shown}")
    expect(len(run.shown) <= 10 * run.seconds + 1, f"too often in {run.seconds}s: {run.shown}")
    expect(any(line.startswith("written: 5 of 5") for line in run.lines), f"want the log: {run.lines}")
    expect(not any(re.search(r"listing .+ \d+ of \d+|writing \d+ of \d+", line) for line in run.lines),
           f"something is left of it: {run.lines}")


def play_no_progress(place, name, how):
    token = secrets.token_hex(16)
    server = slow_server(place, token)
    try:
        config = place.kubeconfig(name, server.url, token)
        run = {"a dumb terminal": lambda: Terminal(place, config, "plan", term="dumb"),
               "JSON lines": lambda: Terminal(place, config, "plan", "--logging-format=json"),
               "no terminal": lambda: place.run(config, "plan", ())}[how]()
    finally:
        server.stop()
    summary = '"msg":"run ended"' if how == "JSON lines" else None  # the one line that is always there
    told = [line for line in run.err.splitlines() if line and not (summary and summary in line)]
    expect(run.status == DONE and told == [], f"want nothing on standard error: {run}")


def counted(place, name, faults, status):
    """A run with -v1, and how many requests it says there were: control plane, members, Lease,
    Events."""
    token = secrets.token_hex(16)
    server = Server(Store(token), place.certificates, 1, faults)
    try:
        run = place.run(place.kubeconfig(name, server.url, token), "run", ("-v1",))
    finally:
        server.stop()
    expect(run.status == status, f"{run}")
    found = re.search(r"\] (\d+) requests \(control plane (\d+), members (\d+), Lease (\d+), "
                      r"Events (\d+)\), ", run.err)
    expect(found and run.err.count(found[0]) == 1, f"want the requests counted once: {run}")
    total, *parts = map(int, found.groups())
    expect(total == sum(parts), f"wrong sum: {found[0]}")
    return run, found, parts, server.store.requests


def play_counted(place, name, _):
    """Every request that the server saw, and what was read before anything is written."""
    run, found, parts, requests = counted(place, name, (), DONE)
    expect(sum(parts) == len(requests),
           f"told are {found[0]}, the server saw {len(requests)}: {run}")
    events = sum("/events" in r.path for r in requests)
    leases = sum(r.path == CLUSTER_API or r.path.startswith(LEASES) and
                 r.path.endswith(("/ballast", "/leases")) for r in requests)
    expect((parts[2], parts[3]) == (leases, events), f"want {leases}, {events}: {found[0]}")
    expect(0 < run.err.find("read from control plane: ") < run.err.find("] fleet: ") <
           run.err.find("written: ") < found.start(),
           f"want it in the order of things: {run}")


def play_counted_of_failed(place, name, kind):
    """Also where there is no report: here the server says no to some requests, which the store does
    not see."""
    faults = [Fault(kind, f.reply(403))]
    _, found, parts, requests = counted(place, name, faults, ERROR)
    expect(sum(parts) == len(requests) + faults[0].hits,
           f"told are {found[0]}, the server saw {len(requests)} and {faults[0].hits}")


def play_members_fail(place, name, _):
    """One line a member says it, however often it was tried."""
    token = secrets.token_hex(16)
    fault = Fault("member", f.reply(503))
    server = Server(Store(token), place.certificates, 1, [fault])
    try:
        config = place.kubeconfig(name, server.url, token)
        run = place.run(config, "plan", ("--sources=pods,nodes",))
        loud = place.run(config, "plan", ("--sources=pods,nodes", "-v1"))
    finally:
        server.stop()
    expect(run.status == UNSEEN and fault.hits == 2 * 3 * 2, f"{fault.hits} requests: {run}")
    for member in ("m1", "m2", "m3"):
        lines = [line for line in run.err.splitlines() if f"/{member}/" in line]
        expect(len(lines) == 1 and lines[0][0] == "W" and lines[0].count("https://") == 1 and
               f"] member {member}: not seen: pods" in lines[0] and
               "given up after 2 tries, at last: HTTP 503" in lines[0], f"want it once: {run}")
    expect(len(run.err.splitlines()) == 3, f"want three lines: {run}")
    tries = [line for line in loud.err.splitlines() if ": try 1 failed: HTTP 503" in line]
    expect(len(tries) == 3 and all(line[0] == "I" for line in tries), f"want the tries: {loud}")


def cases():
    """(table, name, protocol, function of place and name)"""
    def one(play, *how):
        return lambda place, name: play(place, name, *how)

    table = "First contact"
    for command in WAYS:
        for what, nobody in (("a dead port", DeadPort), ("a name that nobody knows", NoName),
                             ("an address that swallows everything", Silence),
                             ("TLS that never comes", NoHandshake)):
            yield table, f"{what}, {command} by hand", 1, one(play_by_hand, nobody, command)
        yield table, f"a dead port, {command} in a pod", 1, one(play_in_a_pod, command)
        yield table, f"an expired certificate, {command}", 1, one(play_expired, command)
        yield table, f"no Karmada, {command}", 1, one(play_no_karmada, command)
        for status in (401, 403):
            yield table, f"{status}, {command}", 1, one(play_refused, command, status)
    for command in ("history", "undo latest", "config show --config=configmap:a/b"):
        yield table, f"a dead port, {command}", 1, one(play_records, command)
    for status in (403, 503):
        yield table, f"no discovery, {status}", 1, one(play_no_discovery, f.reply(status))
    yield "Progress", "progress on a terminal", 1, one(play_progress, None)
    for how in ("a dumb terminal", "JSON lines", "no terminal"):
        yield "Progress", f"no progress on {how}", 1, one(play_no_progress, how)
    yield "Progress", "requests are counted", 1, one(play_counted, None)
    for kind in ("list", "lease read"):
        yield "Progress", f"requests are counted, {kind} forbidden", 1, one(
            play_counted_of_failed, kind)
    yield "Progress", "members that fail take a line each", 1, one(play_members_fail, None)
