# SPDX-License-Identifier: Apache-2.0
"""An HTTPS server that answers as the store does, but for the requests that a fault is on.

A connection is served by one thread. What a fault does to a request is a function of an Exchange,
which hides whether that is HTTP/1.1 or HTTP/2; where it waits it is a generator that yields
seconds."""
import gzip
import inspect
import re
import socket
import ssl
import struct
import threading
import traceback

from store import (BINDINGS, CLUSTER_API, CLUSTER_BINDINGS, CLUSTERS, CORE_EVENTS, EVENTS_GROUP,
                   LEASE, LEASES, Request)

# How far an answer gets before something happens to it, in the order of its bytes.
NOTHING, STATUS, HEADERS, HEAD, FIRST, MIDDLE, LAST, ALL = PLACES = (
    "before the status line", "within the status line", "within the headers",
    "between headers and body", "after the body's first byte", "in the middle of the body",
    "before the body's last byte", "after the body")


class Over(Exception):
    """Nothing more goes over this connection."""


def body_length_at(place, body):
    return {FIRST: min(1, len(body)), MIDDLE: len(body) // 2, LAST: max(0, len(body) - 1),
            ALL: len(body)}.get(place, 0)


def reset(sock):
    """TCP's RST instead of an orderly end."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def kind_of(request):
    """What faults call a request."""
    path, query = request.path, request.query
    if request.method == "PATCH":
        return "patch"
    if path in (BINDINGS, CLUSTER_BINDINGS, CLUSTERS):
        if "continue" in query:
            return "next page"
        return "list of bindings" if path == BINDINGS else "list"
    if path in (LEASE, LEASES):
        return "lease read" if request.method == "GET" else "lease"
    if path.startswith(EVENTS_GROUP) or re.fullmatch(CORE_EVENTS, path):
        return "event"
    if path == "/apis":
        return "groups"
    if path == CLUSTER_API:
        return "discovery"
    if re.search(r"/clusters/[^/]+/proxy/", path):
        return "member"
    if "/configmaps" in request.path:
        return "ConfigMap"
    return "read again" if "bindings/" in path else "other"


class Exchange:
    """One request and what is done about it. Only what carry_out() was called for is done."""

    def __init__(self, server, request):
        self.server, self.request = server, request
        self.answer = None

    def carry_out(self):
        if self.answer is None:
            self.answer = self.server.store.carry_out(self.request)
        return self.answer

    def hang(self):
        """Until the client has had enough."""
        while True:
            yield 0.2


class Exchange1(Exchange):
    """HTTP/1.1."""

    protocol = 1

    def __init__(self, server, request, sock):
        super().__init__(server, request)
        self.sock = sock

    @staticmethod
    def head(answer, length=None):
        """`length` False: none is told."""
        lines = [f"HTTP/1.1 {answer.status} {'OK' if answer.status < 300 else 'No'}"]
        lines += [f"{name}: {value}" for name, value in answer.headers]
        if length is not False:
            lines.append(f"content-length: {len(answer.body) if length is None else length}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def send(self, answer, until=ALL, length=None):
        head = self.head(answer, length)
        end = {NOTHING: 0, STATUS: 5, HEADERS: len(head) // 2}.get(until, len(head))
        self.sock.sendall(head[:end] + answer.body[:body_length_at(until, answer.body)])

    def send_bytes(self, data):
        """More of a body, or anything at all."""
        self.sock.sendall(data)

    def finish(self):
        """The body that was sent in pieces is whole."""

    def reset(self):
        reset(self.sock)
        raise Over

    def close(self):
        """As a process that died: TCP ends, TLS does not say so."""
        self.sock.close()
        raise Over

    def end_orderly(self):
        """TLS ends as well: nothing tells this from the end of an answer without a length."""
        try:
            self.sock.unwrap()
        except OSError:
            pass
        self.close()


def read_request(sock, buffer):
    while b"\r\n\r\n" not in buffer:
        more = sock.recv(65536)
        if not more:
            raise Over
        buffer += more
    head, _, rest = bytes(buffer).partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ")
    if target.startswith("http://"):  # as for a proxy
        target = "/" + target.removeprefix("http://").partition("/")[2]
    pairs = [(n.lower(), v.strip()) for n, _, v in (line.partition(":") for line in lines[1:])]
    request = Request(method, target, dict(pairs), pairs)
    length = int(request.headers.get("content-length", 0))
    while len(rest) < length:
        more = sock.recv(65536)
        if not more:
            raise Over
        rest += more
    request.body = rest[:length]
    buffer[:] = rest[length:]
    return request


def wait(sock, buffer, seconds):
    """Ends the connection when the client does."""
    sock.settimeout(max(0.001, seconds))
    try:
        more = sock.recv(65536)
        if not more:
            raise Over
        buffer += more
    except TimeoutError:
        pass
    finally:
        sock.settimeout(None)


def serve_http1(server, sock):
    buffer = bytearray()
    while True:
        exchange = Exchange1(server, read_request(sock, buffer), sock)
        for pause in server.answer(exchange):
            wait(sock, buffer, pause)


class Server:
    """`faults` is a list of Fault; the first that is on a request has it. `protocol` is 1 or 2."""

    def __init__(self, store, certificates, protocol, faults=(), is_plain=False):
        self.store, self.protocol, self.faults = store, protocol, list(faults)
        self.is_plain = is_plain  # HTTP/1.1 without TLS
        self.certificates, self.certificate = certificates, certificates["right"]
        self.connections = set()
        self.port = 0
        self.start()
        self.url = f"https://127.0.0.1:{self.port}"

    def start(self):
        self.socket = socket.create_server(("127.0.0.1", self.port), backlog=64)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.socket,), daemon=True).start()

    def stop(self):
        """Neither it nor its connections are there any more."""
        for sock in [self.socket, *self.connections]:
            try:
                sock.shutdown(socket.SHUT_RDWR)  # wakes who waits for it
            except OSError:
                pass
        self.socket.close()

    def accept(self, listener):
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def tls(self, certificate):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        context.set_alpn_protocols(["h2", "http/1.1"] if self.protocol == 2 else ["http/1.1"])
        return context

    def serve(self, sock):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            fault = self.fault_on("connection")
            if fault:
                fault.act(self, sock)
                return
            if self.is_plain:
                serve_http1(self, sock)
                return
            fault = self.fault_on("certificate")
            certificate = fault.act(self) if fault else self.certificate
            sock = self.tls(certificate).wrap_socket(sock, server_side=True)
            self.connections.add(sock)
            if sock.selected_alpn_protocol() == "h2":
                from http2 import serve_http2  # python3-h2 is only wanted here
                serve_http2(self, sock)
            else:
                serve_http1(self, sock)
        except (Over, OSError):
            pass  # the client has gone, or was made to
        except Exception:  # noqa: BLE001 (a fault that is faulty itself shows nothing)
            self.store.wrongs.append(traceback.format_exc())
        finally:
            self.connections.discard(sock)
            sock.close()

    def fault_on(self, kind):
        return next((f for f in self.faults if f.takes(kind)), None)

    def answer(self, exchange):
        """Yields where it waits."""
        if self.socket.fileno() < 0:
            raise Over  # it died while this came in
        fault = self.fault_on(kind_of(exchange.request))
        if fault is None:
            answer = exchange.carry_out()
            if "gzip" in exchange.request.headers.get("accept-encoding", "") and answer.body:
                zipped = answer.has(content_encoding="gzip")
                zipped.body = gzip.compress(answer.body, 1)
                answer = zipped
            exchange.send(answer)
            return
        done = fault.act(exchange)
        if inspect.isgenerator(done):
            yield from done


class Fault:
    """`act` on the requests of that kind: `times` of them, or all (None), but for the first
    `after`."""

    def __init__(self, on, act, times=None, after=0):
        self.on, self.act, self.times, self.after = on, act, times, after
        self.lock = threading.Lock()
        self.hits = 0

    def takes(self, kind):
        with self.lock:
            if kind != self.on and (kind, self.on) != ("list of bindings", "list"):
                return False
            if self.after > 0:
                self.after -= 1
                return False
            if self.times is not None and self.hits >= self.times:
                return False
            self.hits += 1
            return True
