# SPDX-License-Identifier: Apache-2.0
"""Estimators to ask: one on grpcio, one that speaks HTTP/2 byte by byte and may do it wrong."""
import concurrent.futures
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # refused handshakes are what is tested

import grpc  # noqa: E402 (after the variable is set)
import h2.config  # noqa: E402
import h2.connection  # noqa: E402
import h2.events  # noqa: E402
import h2.exceptions  # noqa: E402
import h2.settings  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SERVICE = "github.com.karmada_io.karmada.pkg.estimator.service.Estimator"


def compile_messages(directory):
    """The messages of proto/, as a Python module."""
    subprocess.run(["protoc", f"--proto_path={HERE / 'proto'}", f"--python_out={directory}",
                    "kubernetes.proto", "estimator.proto"], check=True)
    sys.path.insert(0, str(directory))
    sys.dont_write_bytecode = True
    import estimator_pb2  # noqa: E402
    import kubernetes_pb2  # noqa: E402
    return estimator_pb2, kubernetes_pb2


class Certificates:
    """A CA, a server for 127.0.0.1 and localhost, a client; and another CA with its client."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self._authority("ca")
        self._authority("other-ca")
        self._signed("server", "ca", "subjectAltName=IP:127.0.0.1,DNS:localhost")
        self._signed("client", "ca", "extendedKeyUsage=clientAuth")
        self._signed("stranger", "other-ca", "extendedKeyUsage=clientAuth")

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, cwd=self.directory,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _authority(self, name):
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                      "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.crt", "-days", "2",
                      "-subj", f"/CN={name}")

    def _signed(self, name, authority, extension):
        (self.directory / f"{name}.ext").write_text(extension + "\n")
        self._openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                      "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj",
                      f"/CN={name}")
        self._openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.crt", "-CAkey",
                      f"{authority}.key", "-CAcreateserial", "-out", f"{name}.crt", "-days", "2",
                      "-extfile", f"{name}.ext")

    def path(self, name):
        return str(self.directory / name)

    def read(self, name):
        return (self.directory / name).read_bytes()

    def client(self, name="client"):
        return ["--ca", self.path("ca.crt"), "--cert", self.path(f"{name}.crt"), "--key",
                self.path(f"{name}.key")]


class GrpcServer:
    """On grpcio. What it does is in the name that is asked for: "status-5-7", "delay-300-0"."""

    def __init__(self, messages, ports=1, tls=None, client_ca=None, compression=None, threads=32):
        self.messages = messages
        self.peers = set()
        self.requests = []  # (method, request, metadata), of MaxAvailable...
        self.calls = 0
        self.lock = threading.Lock()
        self.answer = 7
        self.gate = threading.Event()
        self.server = grpc.server(
            concurrent.futures.ThreadPoolExecutor(threads),
            compression=compression or grpc.Compression.NoCompression,
            options=[("grpc.so_reuseport", 0), ("grpc.max_send_message_length", -1)])
        handlers = {}
        for method, request, function in (
                ("GetUnschedulableReplicas", messages.UnschedulableReplicasRequest,
                 self.unschedulable),
                ("MaxAvailableReplicas", messages.MaxAvailableReplicasRequest, self.max_replicas),
                ("MaxAvailableComponentSets", messages.MaxAvailableComponentSetsRequest,
                 self.max_sets)):
            handlers[method] = grpc.unary_unary_rpc_method_handler(
                function, request.FromString, lambda reply: reply if isinstance(reply, bytes)
                else reply.SerializeToString())
        self.server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, handlers),))
        self.ports = []
        for _ in range(ports):
            if tls:
                credentials = grpc.ssl_server_credentials(
                    [(tls.read("server.key"), tls.read("server.crt"))],
                    tls.read(client_ca) if client_ca else None, bool(client_ca))
                self.ports.append(self.server.add_secure_port("127.0.0.1:0", credentials))
            else:
                self.ports.append(self.server.add_insecure_port("127.0.0.1:0"))
        self.server.start()

    @property
    def target(self):
        return f"m1=127.0.0.1:{self.ports[0]}"

    def _saw(self, context):
        with self.lock:
            self.calls += 1
            self.peers.add(context.peer())

    def unschedulable(self, request, context):
        self._saw(context)
        word, *rest = request.resource.name.split("-")
        if word == "status":
            context.abort(_STATUS[int(rest[0])], "what went wrong: 100 %\nand \u00e9")
        if word == "delay":
            time.sleep(int(rest[0]) / 1000)
        if word == "slowstart" and self.calls == 1:
            time.sleep(int(rest[0]) / 1000)
        if word == "wait":
            self.gate.wait(20)
        if word == "negative":
            return self.messages.UnschedulableReplicasResponse(unschedulableReplicas=-1)
        if word == "large":
            return bytes([0x7a]) + b"\xff\xff\x7f" + bytes(0x1fffff)  # an unknown field
        if word == "garbage":
            return b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
        return self.messages.UnschedulableReplicasResponse(
            unschedulableReplicas=request.unschedulableThreshold)

    def max_replicas(self, request, context):
        self._saw(context)
        self.requests.append(("replicas", request, dict(context.invocation_metadata())))
        return self.messages.MaxAvailableReplicasResponse(maxReplicas=self.answer)

    def max_sets(self, request, context):
        self._saw(context)
        self.requests.append(("sets", request, dict(context.invocation_metadata())))
        return self.messages.MaxAvailableComponentSetsResponse(maxSets=self.answer)

    def stop(self):
        self.gate.set()
        self.server.stop(None).wait()


_STATUS = {code.value[0]: code for code in grpc.StatusCode}


class RawServer:
    """A TCP server; `serve(socket)` runs in a thread for each connection."""

    def __init__(self, serve, address="127.0.0.1"):
        self.serve = serve
        self.address = address
        self.connections = 0
        self.ends = []  # what was wrong, where something was
        self.sockets = []
        self.listener = socket.create_server((address, 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def target(self):
        return f"m1={self.address}:{self.port}"

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            self.sockets.append(connection)
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        try:
            self.serve(connection)
        except (OSError, ssl.SSLError, h2.exceptions.ProtocolError) as e:
            self.ends.append(repr(e))
        finally:
            connection.close()

    def stop(self):
        # close() alone leaves a blocked accept, and with it the port, alive
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.sockets:
            connection.close()


OK_HEADERS = [(":status", "200"), ("content-type", "application/grpc")]
OK_TRAILERS = [("grpc-status", "0"), ("grpc-message", "")]


def frame(message, flag=0, length=None):
    return bytes([flag]) + (len(message) if length is None else length).to_bytes(4, "big") + message


def number(value):
    """A reply with this number."""
    out = b"\x08"
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


class Http2Server(RawServer):
    """`answer(server, h2 connection, stream, number of the request)` says what goes back."""

    def __init__(self, answer, settings=None, tls=None):
        self.answer = answer
        self.settings = settings or {}
        self.tls = tls
        self.seen = 0
        self.most_streams = 0
        self.lock = threading.Lock()
        super().__init__(self._serve)

    def _serve(self, connection):
        if self.tls:
            connection = self.tls.wrap_socket(connection, server_side=True)
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8",
                                           validate_outbound_headers=False)
        protocol = h2.connection.H2Connection(config)
        protocol.local_settings = h2.settings.Settings(client=False, initial_values=self.settings)
        protocol.initiate_connection()
        connection.sendall(protocol.data_to_send())
        open_streams = set()
        while True:
            data = connection.recv(65536)
            if not data:
                return
            ended = []
            for event in protocol.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    open_streams.add(event.stream_id)
                    self.most_streams = max(self.most_streams, len(open_streams))
                if isinstance(event, h2.events.DataReceived):
                    protocol.acknowledge_received_data(event.flow_controlled_length,
                                                       event.stream_id)
                if isinstance(event, h2.events.StreamEnded):
                    ended.append(event.stream_id)
            for stream in ended:
                open_streams.discard(stream)
                if not self._answer(protocol, stream):
                    connection.sendall(protocol.data_to_send())
                    return
            connection.sendall(protocol.data_to_send())

    def _answer(self, protocol, stream):
        with self.lock:
            self.seen += 1
            seen = self.seen
        return self.answer(protocol, stream, seen) is not False


def reply(protocol, stream, body, headers=OK_HEADERS, trailers=OK_TRAILERS):
    protocol.send_headers(stream, headers, end_stream=body is None)
    if body is not None:
        for at in range(0, len(body), 16384):
            protocol.send_data(stream, body[at:at + 16384])
        if trailers is None:
            protocol.end_stream(stream)
        else:
            protocol.send_headers(stream, trailers, end_stream=True)


class ChildServer:
    """A GrpcServer in a process of its own, which can be stopped and killed."""

    def __init__(self, name="grpc"):
        self.process = subprocess.Popen([sys.executable, __file__, name], stdout=subprocess.PIPE,
                                        text=True)
        self.port = int(self.process.stdout.readline())

    @property
    def target(self):
        return f"m1=127.0.0.1:{self.port}"

    def signal(self, number):
        os.kill(self.process.pid, number)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def main():
    with tempfile.TemporaryDirectory() as directory:
        messages, _ = compile_messages(directory)
        server = GrpcServer(messages)
        print(server.ports[0], flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
