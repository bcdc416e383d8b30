# SPDX-License-Identifier: Apache-2.0
"""The HTTP/2 side of the server: python3-h2 for what is right, raw frames for what is wrong."""
import struct
import time

import h2.config
import h2.connection
import h2.events
import h2.exceptions

from server import ALL, HEADERS, NOTHING, STATUS, Exchange, Over, body_length_at, reset
from store import Request

FRAME_MAX = 16384
GOAWAY = 7  # a frame's type


def frame(kind, flags, stream, payload=b"", length=None):
    """`length` may lie."""
    size = struct.pack(">I", len(payload) if length is None else length)[1:]
    return size + struct.pack(">BBI", kind, flags, stream) + payload


class Exchange2(Exchange):
    protocol = 2

    def __init__(self, server, request, link, stream):
        super().__init__(server, request)
        self.link, self.stream = link, stream

    def send(self, answer, until=ALL, length=None, end=True):
        if until in (NOTHING, STATUS):
            return
        headers = [(":status", str(answer.status)), *answer.headers]
        if length is not False:
            headers.append(("content-length", str(len(answer.body) if length is None else length)))
        h2 = self.link.h2
        h2.send_headers(self.stream, headers)
        if until == HEADERS:
            head = h2.data_to_send()
            self.link.sock.sendall(head[:len(head) // 2])
            return
        body = answer.body[:body_length_at(until, answer.body)]
        for begin in range(0, len(body), FRAME_MAX):
            h2.send_data(self.stream, body[begin:begin + FRAME_MAX])
        if until == ALL and end:
            h2.end_stream(self.stream)
        self.link.flush()

    def send_bytes(self, data):
        """More of a body."""
        for begin in range(0, len(data), FRAME_MAX):
            self.link.h2.send_data(self.stream, data[begin:begin + FRAME_MAX])
        self.link.flush()

    def finish(self):
        self.link.h2.end_stream(self.stream)
        self.link.flush()

    def room(self):
        return self.link.h2.local_flow_control_window(self.stream)

    def send_frame(self, *what, **how):
        self.link.sock.sendall(frame(*what, **how))

    def reset_stream(self, code):
        self.link.h2.reset_stream(self.stream, error_code=code)
        self.link.flush()

    def go_away(self, last, code=0):
        """The client may still wait for streams up to `last`."""
        self.send_frame(GOAWAY, 0, 0, struct.pack(">II", last, code))

    def reset(self):
        reset(self.link.sock)
        raise Over

    def close(self):
        self.link.sock.close()
        raise Over

    def end_orderly(self):
        try:
            self.link.sock.unwrap()
        except OSError:
            pass
        self.close()


class Link:
    """One connection: frames in, Requests out, and the exchanges that wait for their time."""

    def __init__(self, server, sock):
        self.server, self.sock = server, sock
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.requests = {}  # by stream, under way in
        self.waiting = []   # (when, stream, generator)
        self.h2.initiate_connection()
        fault = server.fault_on("settings")
        if fault:
            fault.act(self)
        self.flush()

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.sock.sendall(data)

    def begin(self, stream, headers):
        # a header that came twice, as Impersonate-Group does, is in all_headers twice
        pairs = [(n, v) for n, v in headers if not n.startswith(":")]
        pseudo = dict(headers)
        self.requests[stream] = Request(pseudo[":method"], pseudo[":path"], dict(pairs), pairs)

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.begin(event.stream_id, [(n.decode(), v.decode()) if isinstance(n, bytes)
                                         else (n, v) for n, v in event.headers])
        elif isinstance(event, h2.events.DataReceived):
            self.requests[event.stream_id].body += event.data
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            exchange = Exchange2(self.server, self.requests.pop(event.stream_id), self,
                                 event.stream_id)
            self.go_on(event.stream_id, self.server.answer(exchange))
        elif isinstance(event, h2.events.StreamReset):
            self.waiting = [w for w in self.waiting if w[1] != event.stream_id]
        elif isinstance(event, h2.events.ConnectionTerminated):
            raise Over

    def go_on(self, stream, generator):
        pause = next(generator, None)
        if pause is not None:
            self.waiting.append((time.monotonic() + pause, stream, generator))

    def serve(self):
        while True:
            now = time.monotonic()
            due = [w for w in self.waiting if w[0] <= now]
            self.waiting = [w for w in self.waiting if w[0] > now]
            for _, stream, generator in due:
                self.go_on(stream, generator)
            next_due = min((w[0] for w in self.waiting), default=now + 60)
            self.sock.settimeout(max(0.001, next_due - time.monotonic()))
            try:
                data = self.sock.recv(65536)
            except TimeoutError:
                continue
            finally:
                self.sock.settimeout(None)
            if not data:
                raise Over
            for event in self.h2.receive_data(data):
                self.handle(event)
            self.flush()


def serve_http2(server, sock):
    try:
        Link(server, sock).serve()
    except h2.exceptions.ProtocolError:
        pass  # the streams that a fault has spoilt
