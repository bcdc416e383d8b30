# SPDX-License-Identifier: Apache-2.0
"""A proxy: HTTP (CONNECT, and plain requests) or SOCKS5, with or without a password. It knows the
name api.test, which nobody else does, and notes what it was asked for."""
import base64
import ipaddress
import socket
import struct
import threading

from server import Over, reset

HOSTS = {"api.test": "127.0.0.1"}


def read_exactly(sock, count):
    data = b""
    while len(data) < count:
        more = sock.recv(count - len(data))
        if not more:
            raise Over
        data += more
    return data


def read_head(sock):
    data = b""
    while b"\r\n\r\n" not in data:
        data += read_exactly(sock, 1)
    return data


def pump(source, sink):
    """One way of a tunnel, to its end."""
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for sock in (source, sink):
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Proxy:
    """`password` is "user:password"; `fault`, a function of a connection, stands for the whole
    conversation, `times` times. `asked` is what was asked for: "api.test:443", or a URL; `heads`
    are the HTTP heads it was sent."""

    def __init__(self, kind, password=None, fault=None, times=None):
        self.talk = {"http": self.http, "socks5": self.socks}[kind]
        self.password, self.fault, self.times = password, fault, times
        self.asked, self.heads, self.faults = [], [], 0
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def stop(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()

    def accept(self):
        while True:
            try:
                sock, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        try:
            if self.fault and (self.times is None or self.faults < self.times):
                self.faults += 1
                self.fault(self, sock)
            else:
                self.talk(sock)
        except (Over, OSError):
            pass
        finally:
            sock.close()

    def connect(self, host, port):
        return socket.create_connection((HOSTS.get(host, host), int(port)), timeout=10)

    def tunnel(self, sock, there):
        there.settimeout(None)
        thread = threading.Thread(target=pump, args=(there, sock), daemon=True)
        thread.start()
        pump(sock, there)
        thread.join()
        there.close()

    def http(self, sock):
        head = read_head(sock)
        self.heads.append(head.decode("latin-1"))
        want = b"basic " + base64.b64encode((self.password or "").encode())
        if self.password and want.lower() not in head.lower():
            sock.sendall(b"HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=x\r\n"
                         b"Content-Length: 0\r\n\r\n")
            return
        method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
        self.asked.append(target)
        if method == "CONNECT":
            there = self.connect(*target.rsplit(":", 1))
            sock.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:  # "GET http://host:port/path", as a server has to understand it, too
            host = target.removeprefix("http://").partition("/")[0]
            there = self.connect(*host.rsplit(":", 1))
            there.sendall(head)
        self.tunnel(sock, there)

    def socks(self, sock):
        _, count = read_exactly(sock, 2)
        offered = read_exactly(sock, count)
        method = 2 if self.password else 0
        if method not in offered:
            sock.sendall(b"\x05\xff")
            return
        sock.sendall(bytes([5, method]))
        if method == 2:
            user = read_exactly(sock, read_exactly(sock, 2)[1])
            password = read_exactly(sock, read_exactly(sock, 1)[0])
            is_right = (user + b":" + password).decode() == self.password
            sock.sendall(b"\x01\x00" if is_right else b"\x01\x01")
            if not is_right:
                return
        kind = read_exactly(sock, 4)[3]
        host = (read_exactly(sock, read_exactly(sock, 1)[0]).decode() if kind == 3 else
                str(ipaddress.ip_address(read_exactly(sock, 4 if kind == 1 else 16))))
        port = struct.unpack(">H", read_exactly(sock, 2))[0]
        self.asked.append(f"{host}:{port}")
        there = self.connect(host, port)
        sock.sendall(b"\x05\x00\x00\x01" + bytes(6))
        self.tunnel(sock, there)


# --- what a proxy can do wrong -------------------------------------------------------------------


def says(answer):
    """To whatever it is asked."""
    def act(_proxy, sock):
        sock.recv(65536)
        sock.sendall(answer)
    return act


def socks_says(code):
    """A SOCKS5 failure of RFC 1928, 6, once it was asked for a host."""
    def act(_proxy, sock):
        sock.recv(65536)
        sock.sendall(b"\x05\x00")
        sock.recv(65536)
        sock.sendall(bytes([5, code, 0, 1]) + bytes(6))
    return act


def hangs(_proxy, sock):
    while sock.recv(65536):
        pass


def resets(_proxy, sock):
    sock.recv(65536)
    reset(sock)


def breaks(after):
    """The tunnel, after so many bytes from the server."""
    def act(proxy, sock):
        head = read_head(sock).split(b" ")
        there = proxy.connect(*head[1].decode().rsplit(":", 1))
        sock.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        threading.Thread(target=pump, args=(sock, there), daemon=True).start()
        sock.sendall(read_exactly(there, after))
        reset(sock)
    return act
