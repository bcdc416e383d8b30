# SPDX-License-Identifier: Apache-2.0
"""What a server can do to a request: the verbs of the tables. Each makes a function of an Exchange
(or, where it says so, of a connection)."""
import functools
import gzip
import json
import ssl
import threading
import zlib

from server import HEAD, Over, reset
from store import Answer, failure

WORDS = {301: "MovedPermanently", 302: "Found", 307: "TemporaryRedirect", 308: "PermanentRedirect",
         403: "Forbidden", 409: "Conflict", 410: "Expired", 422: "Invalid", 429: "TooManyRequests",
         500: "InternalError", 502: "BadGateway", 503: "ServiceUnavailable", 504: "Timeout"}

# --- other answers ------------------------------------------------------------------------------


def reply(status, carried_out=False, message="the fault says so", **headers):
    """Some other answer than the right one; the request is carried out all the same, or not."""
    def act(x):
        if carried_out:
            x.carry_out()
        x.send(failure(status, WORDS.get(status, "Unknown"), message).has(**headers))
    return act


def bare(status, body=b"", **headers):
    """An answer as of a load balancer: no Status, no JSON."""
    def act(x):
        x.send(Answer(status, body, [("content-type", "text/html")]).has(**headers))
    return act


def changed(change):
    """The right answer with its JSON changed: `change` gets the parsed body and returns another."""
    def act(x):
        answer = x.carry_out()
        answer.body = json.dumps(change(json.loads(answer.body))).encode()
        x.send(answer)
    return act


def last_item(change):
    """The right page, but for its last item."""
    def edit(page):
        if page.get("items"):
            change(page["items"][-1])
        return page
    return changed(edit)


def body(make, **headers):
    """The right answer with other bytes for a body."""
    def act(x):
        answer = x.carry_out()
        answer.body = make(answer.body)
        x.send(answer.has(**headers))
    return act


# --- an answer that does not come to its end ----------------------------------------------------


def cut(place, end, carried_out=True):
    """The answer up to there, and then `end`."""
    def act(x):
        answer = x.carry_out() if carried_out else failure(500, "", "never seen in full")
        x.send(answer, until=place)
        return end(x)
    return act


def resets(x):
    x.reset()


def closes(x):
    x.close()


def stalls(x):
    return x.hang()


def resets_stream(code):
    """Who then speaks HTTP/1.1 finds its connection closed."""
    return lambda x: x.reset_stream(code) if x.protocol == 2 else x.close()


def goes_away(x):
    """This stream was not looked at, says GOAWAY."""
    x.go_away(0)
    x.close()


def last_answer(x):
    """An orderly farewell: this is the last stream that is answered."""
    x.go_away(x.stream)
    x.send(x.carry_out())
    yield 0.1
    x.close()


def hangs(x):
    return x.hang()


def done_and_hangs(x):
    x.carry_out()
    return x.hang()


def no_length(place):
    """HTTP/1.1: without Content-Length the end of the connection is the end of the body. TLS ends
    as well, so that only the JSON tells that something is missing."""
    def act(x):
        answer = x.carry_out().has(connection="close")
        x.send(answer, until=place, length=False)
        x.end_orderly()
    return act


def length(off):
    """A Content-Length that is wrong by so much; a text is sent as it is."""
    def act(x):
        answer = x.carry_out()
        wrong = off if isinstance(off, str) else max(0, len(answer.body) + off)
        x.send(answer, length=wrong)
        if x.protocol == 1:
            x.end_orderly()
    return act


def chunks(*parts, orderly=True):
    """HTTP/1.1: a chunked body whose chunks are `parts`, as they are; "" is the right body."""
    def act(x):
        answer = x.carry_out().has(transfer_encoding="chunked", connection="close")
        x.send(answer, until=HEAD, length=False)
        for part in parts:
            x.send_bytes(part or b"%x\r\n%b\r\n" % (len(answer.body), answer.body))
        if orderly:
            x.end_orderly()
        x.close()
    return act


# --- slow or without end ------------------------------------------------------------------------


def slowly(pieces, pause):
    def act(x):
        answer = x.carry_out()
        x.send(answer, until=HEAD)
        step = max(1, len(answer.body) // pieces)
        for at in range(0, len(answer.body), step):
            yield pause
            x.send_bytes(answer.body[at:at + step])
        x.finish()
    return act


def slow_headers(pause):
    """HTTP/1.1: the headers byte by byte."""
    def act(x):
        answer = x.carry_out()
        for byte in x.head(answer):
            x.send_bytes(bytes([byte]))
            yield pause
        x.send_bytes(answer.body)
    return act


def endless(start, piece):
    """A body that never ends, as fast as it is taken."""
    def act(x):
        answer = x.carry_out()
        x.send(Answer(200, start, answer.headers), until=HEAD, length=False)
        x.send_bytes(start)
        while True:
            if x.protocol == 1 or x.room() >= len(piece):
                x.send_bytes(piece)
                yield 0
            else:
                yield 0.01
    return act


def endless_headers(x):
    """HTTP/1.1."""
    x.send_bytes(b"HTTP/1.1 200 OK\r\n")
    while True:
        x.send_bytes(b"x-more: " + b"x" * 4000 + b"\r\n")
        yield 0


@functools.cache
def packed_spaces(size):
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    block = b" " * (1 << 20)
    return b"".join([packer.compress(b"{"), *(packer.compress(block) for _ in range(size >> 20)),
                     packer.compress(b"}"), packer.flush()])


def bomb(size):
    """A small answer that unpacks to `size` bytes."""
    return body(lambda _: packed_spaces(size), content_encoding="gzip")


# --- compressed and broken ----------------------------------------------------------------------


def flipped(text):
    """Packed, with one bit wrong in the middle."""
    packed = bytearray(gzip.compress(text))
    packed[len(packed) // 2] ^= 0x10
    return bytes(packed)


def wrong_sum(text):
    packed = bytearray(gzip.compress(text))
    packed[-6] ^= 1
    return bytes(packed)


def unpacked_early(text):
    packed = gzip.compress(text)
    return packed[:len(packed) * 2 // 3]


# --- HTTP/2's own -------------------------------------------------------------------------------


def wrong_frame(*what, **how):
    """A frame that does not belong here, instead of an answer."""
    def act(x):
        stream = x.stream if "stream" not in how else how["stream"]
        x.carry_out()
        x.send_frame(what[0], what[1], stream, *what[2:],
                     **{k: v for k, v in how.items() if k != "stream"})
    return act


def raw(data):
    """Bytes that are no HTTP."""
    def act(x):
        x.carry_out()
        (x.link.sock if x.protocol == 2 else x.sock).sendall(data)
        x.close()
    return act


def settings(**values):
    """Of a connection: SETTINGS after the first ones."""
    import h2.settings
    codes = {getattr(h2.settings.SettingCodes, k.upper()): v for k, v in values.items()}
    return lambda link: link.h2.update_settings(codes)


def dead_connection(x):
    """Nothing is heard of this connection any more; others are fine."""
    sock = x.sock if x.protocol == 1 else x.link.sock
    while sock.recv(65536):
        pass
    raise Over


# --- connections: functions of (server, socket) -------------------------------------------------


def before_tls(end):
    def act(_server, sock):
        end(sock)
    return act


def sock_reset(sock):
    reset(sock)


def sock_close(sock):
    sock.close()


def sock_hang(sock):
    """Until the client goes."""
    while sock.recv(65536):
        pass


def sock_says(data):
    """Something else than TLS."""
    def end(sock):
        sock.recv(65536)
        sock.sendall(data)
        sock.close()
    return end


def in_handshake(end):
    """After half of the server's first flight."""
    def act(server, sock):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = server.tls(server.certificate).wrap_bio(incoming, outgoing, server_side=True)
        incoming.write(sock.recv(65536))
        try:
            tls.do_handshake()
        except ssl.SSLWantReadError:
            pass
        flight = outgoing.read()
        sock.sendall(flight[:len(flight) // 2])
        end(sock)
    return act


def after_handshake(end):
    def act(server, sock):
        tls = server.tls(server.certificate).wrap_socket(sock, server_side=True)
        end(tls)
    return act


def shows(name):
    """Of a server: another certificate."""
    return lambda server: server.certificates[name]


# --- others at work, and a server's death -------------------------------------------------------


def meanwhile(patch):
    """Somebody else changes the object first."""
    def act(x):
        x.server.store.touch(x.request.path, patch)
        x.send(x.carry_out())
    return act


def deleted(x):
    x.server.store.objects.pop(x.request.path)
    x.send(x.carry_out())


def dies(back_after=None, carried_out=False):
    def act(x):
        if carried_out:
            x.carry_out()
        server = x.server
        server.stop()
        if back_after is not None:
            timer = threading.Timer(back_after, server.start)
            timer.daemon = True
            timer.start()
        x.close()
    return act
