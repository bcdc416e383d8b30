# SPDX-License-Identifier: Apache-2.0
"""What the client makes of estimators that are well, ill, wrong, or dead."""
import json
import signal
import socket
import ssl
import struct
import threading
import time

import h2.errors
import h2.settings

from servers import (OK_HEADERS, ChildServer, Http2Server, RawServer, frame, grpc, number,
                     reply)


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


def expect_equal(got, want, what):
    expect(got == want, f"{what}: got {got!r:.800}, want {want!r:.800}")


def only(result):
    """The one outcome that all calls have."""
    expect_equal(len(result["outcomes"]), 1, f"outcomes in {result}")
    return result["outcomes"][0]


def expect_all_matched(result, count):
    expect_equal((result["matched"], result["failures"]), (count, 0), f"matched in {result}"[:800])


def expect_failed(result, grpc_code, *words, code=None):
    """All calls failed alike, with these words in the message."""
    outcome = only(result)
    expect_equal(outcome["grpc"], grpc_code, f"gRPC status in {outcome}")
    if code is not None:
        expect_equal(outcome["code"], code, f"code in {outcome}")
    for word in words:
        expect(word in outcome["message"], f"{word!r} is not in {outcome['message']!r}")
    return outcome


# ---- grpcio ----

def case_one_call(context):
    server = context.grpc()
    expect_all_matched(context.ask(server.target), 1)


def many_calls(context, server, *options):
    result = context.ask("--calls", 10000, *options, server.target)
    expect_all_matched(result, 10000)
    expect_equal((result["requests"], result["connections"]), (10000, 1), "requests, connections")
    expect_equal((server.calls, len(server.peers)), (10000, 1), "the server's calls, connections")
    return f"{10000 / result['ms'] * 1000:.0f} calls/s; of the client, {result['cpu_ms'] / 10:.0f} " \
           f"us CPU a call, {result['rss_kb'] / 1024:.0f} MB"


def case_10000_calls_on_one_clear_connection(context):
    return many_calls(context, context.grpc())


def case_10000_calls_on_one_mtls_connection(context):
    server = context.grpc(tls=context.certificates, client_ca="ca.crt")
    return many_calls(context, server, *context.certificates.client())


def case_rounds_share_the_connection(context):
    server = context.grpc()
    result = context.ask("--calls", 50, "--rounds", 4, server.target)
    expect_all_matched(result, 50)
    expect_equal((result["connections"], len(server.peers)), (1, 1), "connections")


def case_100_addresses_at_once(context):
    server = context.grpc(ports=100)
    result = context.ask("--calls", 20, *(f"m{i}=127.0.0.1:{port}"
                                          for i, port in enumerate(server.ports)))
    expect_all_matched(result, 2000)
    # (two connections to different ports may come from the same one)
    expect_equal((result["connections"], len(server.peers) > 90), (100, True), "connections")
    return f"{result['ms']:.0f} ms; of the client, {result['cpu_ms']:.0f} ms CPU, " \
           f"{result['rss_kb'] / 1024:.0f} MB"


def case_100_mtls_addresses_at_once(context):
    server = context.grpc(ports=100, tls=context.certificates, client_ca="ca.crt")
    result = context.ask("--calls", 20, *context.certificates.client(),
                         *(f"m{i}=127.0.0.1:{port}" for i, port in enumerate(server.ports)))
    expect_all_matched(result, 2000)
    expect_equal(result["connections"], 100, "connections")
    return f"{result['ms']:.0f} ms; of the client, {result['cpu_ms']:.0f} ms CPU, " \
           f"{result['rss_kb'] / 1024:.0f} MB"


def case_every_grpc_error(context):
    codes = {1: "temporarily unavailable", 2: "input/output error", 3: "invalid object",
             4: "temporarily unavailable", 5: "not found", 7: "forbidden",
             8: "a limit was exceeded", 12: "not found", 13: "input/output error",
             14: "temporarily unavailable", 16: "forbidden"}
    server = context.grpc()
    names = {code.value[0]: code.name for code in grpc.StatusCode}
    for status in range(1, 17):
        result = context.ask("--calls", 3, "--name", f"status-{status}", server.target)
        expect_failed(result, status, f"estimator of m1 at 127.0.0.1:{server.ports[0]}: ",
                      f"GetUnschedulableReplicas: {names[status]}: ",
                      "what went wrong: 100 % and \u00e9", code=codes.get(status))
        expect_equal(only(result)["tries"], 1, "tries")


def case_negative_is_an_abstention(context):
    server = context.grpc()
    outcome = only(context.ask("--name", "negative", server.target))
    expect_equal((outcome["code"], outcome["abstains"], outcome["answer"]), ("", True, -1),
                 "outcome")


def case_garbage_is_no_message(context):
    expect_failed(context.ask("--calls", 2, "--name", "garbage", context.grpc().target), 13,
                  "INTERNAL: the answer of 11 bytes is no GetUnschedulableReplicas reply",
                  code="malformed input")


def case_a_reply_that_is_too_large(context):
    server = context.grpc()
    expect_failed(context.ask("--calls", 5, "--max", 100000, "--name", "large", server.target), 8,
                  "the answer of 2097155 bytes is larger than 100000 bytes",
                  code="a limit was exceeded")
    # the same is read where it is allowed: its one field is not ours
    expect_equal(only(context.ask("--name", "large", "--max", 4 << 20, server.target))["code"], "",
                 "code")
    # how many connections that takes is libcurl's: one on which the rest of such an answer still
    # comes it may take for dead
    # an answer has a few bytes: what 2,000 calls may hold at once is bounded by default
    expect_failed(context.ask("--calls", 5, "--name", "large", server.target), 8,
                  "the answer of 2097155 bytes is larger than 16384 bytes",
                  code="a limit was exceeded")


def case_compression_is_not_asked_for(context):
    """grpcio compresses only for those who say that they understand it."""
    server = context.grpc(compression=grpc.Compression.Gzip)
    expect_all_matched(context.ask("--calls", 20, server.target), 20)


def case_one_slow_call_harms_no_other(context):
    """Late alone: the connection stays, the others are answered."""
    server = context.grpc()
    result = context.ask("--calls", 200, "--timeout", 3000, "--name", "slowstart-9000",
                         server.target)
    expect_equal((result["matched"], result["failures"], result["connections"]), (199, 1, 1),
                 "matched, failures, connections")
    late = [o for o in result["outcomes"] if o["code"]]
    expect("DEADLINE_EXCEEDED" in late[0]["message"], f"{late}")
    expect_equal(len(server.peers), 1, "connections")


def case_an_estimator_that_is_always_late(context):
    """It costs one time limit, however many calls there are."""
    server = context.grpc(threads=8)
    result = context.ask("--calls", 5000, "--timeout", 700, "--name", "wait", server.target)
    expect_equal((result["matched"], result["failures"]), (0, 5000), "matched, failures")
    for outcome in result["outcomes"]:
        expect("DEADLINE_EXCEEDED" in outcome["message"], f"{outcome}")
    expect(result["ms"] < 30000, f"it took {result['ms']} ms")
    expect(result["requests"] < 10, f"{result['requests']} requests were sent")


def case_an_estimator_that_is_slow_for_ever(context):
    """Each answer in time, but late: it does not hold the others up, who are asked again later."""
    slow, quick = context.grpc(threads=64), context.grpc()
    result = context.ask("--calls", 400, "--rounds", 2, "--timeout", 2500, "--patience", 3000,
                         "--name", "delay-900", slow.target,
                         quick.target.replace("m1=", "m2="))
    by_cluster = {c: [o for o in result["outcomes"] if o["cluster"] == c] for c in ("m1", "m2")}
    expect(any("it has kept us waiting for longer than 3 s" in o["message"]
               for o in by_cluster["m1"]), f"{by_cluster['m1'][-3:]}")
    expect(result["ms"] < 12000, f"it took {result['ms']} ms")


def case_a_slow_estimator_is_not_buried(context):
    """One call at a time, 20 ms each: with all at once, most would be late."""
    server = context.grpc(threads=1)
    result = context.ask("--calls", 200, "--timeout", 3000, "--name", "delay-20", server.target)
    expect_all_matched(result, 200)


# ---- what is sent ----

BINDING = {
    "apiVersion": "work.karmada.io/v1alpha2", "kind": "ResourceBinding",
    "metadata": {"namespace": "shop", "name": "web-deployment"},
    "spec": {
        "resource": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop",
                     "name": "w\u00e9b"},
        "replicas": 3,
        "replicaRequirements": {
            "namespace": "shop", "priorityClassName": "high",
            "resourceRequest": {"cpu": "1500m", "memory": "1Gi", "nvidia.com/gpu": "2",
                                "ephemeral-storage": "0"},
            "nodeClaim": {
                "nodeSelector": {"disk": "ssd", "empty": ""},
                "hardNodeAffinity": {"nodeSelectorTerms": [
                    {"matchExpressions": [
                        {"key": "zone", "operator": "In", "values": ["a", "b"]},
                        {"key": "gpu", "operator": "Exists"}],
                     "matchFields": [
                         {"key": "metadata.name", "operator": "NotIn", "values": ["n1"]}]},
                    {}]},
                "tolerations": [
                    {"key": "dedicated", "operator": "Equal", "value": "x",
                     "effect": "NoSchedule"},
                    {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
                    {"key": "zero", "tolerationSeconds": 0}]}},
        "components": [
            {"name": "jobmanager", "replicas": 1,
             "replicaRequirements": {"priorityClassName": "low",
                                     "resourceRequest": {"cpu": "1"}}},
            {"name": "taskmanager", "replicas": 4}],
    },
}


def write_binding(context, binding):
    path = context.directory / "binding.json"
    path.write_text(json.dumps(binding))
    return path


def claim_texts(context, claim):
    """A NodeClaim of the wire: its old and new fields say the same, byte for byte."""
    k8s = context.kubernetes
    new = [k8s.Toleration.FromString(b) for b in claim.tolerationsBytes]
    expect_equal(list(claim.tolerations), new, "tolerations, old and new")
    expect_equal(claim.nodeAffinity, k8s.NodeSelector.FromString(claim.nodeAffinityBytes),
                 "node affinity, old and new")
    return [(t.key, t.operator, t.value, t.effect,
             t.tolerationSeconds if t.HasField("tolerationSeconds") else None) for t in new]


def expect_requests(context, requirements, want):
    old = {name: q.string for name, q in requirements.resourceRequest.items()}
    new = {name: context.kubernetes.Quantity.FromString(b).string
           for name, b in requirements.resourceRequestBytes.items()}
    expect_equal((old, new), (want, want), "resource requests, old and new")


def case_what_max_available_replicas_sends(context):
    server = context.grpc()
    outcome = only(context.ask("--method", "replicas", "--binding",
                               write_binding(context, BINDING), server.target))
    expect_equal((outcome["code"], outcome["answer"]), ("", 7), "outcome")
    (method, request, metadata), = server.requests
    requirements = request.replicaRequirements
    expect_equal((method, request.cluster, requirements.namespace,
                  requirements.priorityClassName), ("replicas", "m1", "shop", "high"), "request")
    expect_requests(context, requirements, {"cpu": "1500m", "memory": "1073741824",
                                            "nvidia.com/gpu": "2", "ephemeral-storage": "0"})
    claim = requirements.nodeClaim
    expect_equal(dict(claim.nodeSelector), {"disk": "ssd", "empty": ""}, "node selector")
    expect_equal(claim_texts(context, claim), [
        ("dedicated", "Equal", "x", "NoSchedule", None), ("", "Exists", "", "NoExecute", 300),
        ("zero", "", "", "", 0)], "tolerations")
    first, empty = claim.nodeAffinity.nodeSelectorTerms
    expect_equal([(e.key, e.operator, list(e.values)) for e in first.matchExpressions],
                 [("zone", "In", ["a", "b"]), ("gpu", "Exists", [])], "match expressions")
    expect_equal([(e.key, e.operator, list(e.values)) for e in first.matchFields],
                 [("metadata.name", "NotIn", ["n1"])], "match fields")
    expect_equal(empty.ByteSize(), 0, "size of an empty term")
    # upstream's marshaller writes texts that are empty, too
    expect_equal(claim.tolerationsBytes[2], b"\x0a\x04zero\x12\x00\x1a\x00\x22\x00\x28\x00",
                 "bytes of a toleration")
    expect_equal(requirements.resourceRequestBytes["cpu"], b"\x0a\x051500m", "bytes of a quantity")
    expect_equal(metadata["object"], "kind=Deployment, name=default/ok-0??x: y", "metadata")
    expect_equal(metadata["user-agent"], "ballast", "user agent")
    assumed, = request.assumedWorkloads
    expect_equal((assumed.namespace, len(assumed.components)), ("assumed", 2), "assumed")


def case_what_max_available_component_sets_sends(context):
    server = context.grpc()
    server.answer = 2**31 - 1
    outcome = only(context.ask("--method", "sets", "--binding", write_binding(context, BINDING),
                               server.target))
    expect_equal((outcome["code"], outcome["answer"]), ("", 2**31 - 1), "outcome")
    (_, request, _), = server.requests
    expect_equal((request.cluster, request.namespace), ("m1", "shop"), "request")
    first, second = request.components
    expect_equal((first.name, first.replicas, second.name, second.replicas),
                 ("jobmanager", 1, "taskmanager", 4), "components")
    expect_requests(context, first.replicaRequirements, {"cpu": "1"})
    expect_equal(first.replicaRequirements.priorityClassName, "low", "priority class")
    expect(not first.replicaRequirements.HasField("nodeClaim"), "a node claim came up")
    expect(not second.HasField("replicaRequirements"), "requirements came up")


def case_absent_and_empty_requirements_differ(context):
    server = context.grpc()
    for given, has_it, has_claim in ((None, False, False), ({}, True, False),
                                     ({"nodeClaim": {}}, True, True)):
        binding = json.loads(json.dumps(BINDING))
        del binding["spec"]["components"]
        binding["spec"]["replicaRequirements"] = given
        if given is None:
            del binding["spec"]["replicaRequirements"]
        only(context.ask("--method", "replicas", "--binding", write_binding(context, binding),
                         server.target))
        request = server.requests[-1][1]
        expect_equal((request.HasField("replicaRequirements"),
                      request.replicaRequirements.HasField("nodeClaim")), (has_it, has_claim),
                     f"with {given}")


def case_large_requests(context):
    server = context.grpc()
    binding = json.loads(json.dumps(BINDING))
    term = binding["spec"]["replicaRequirements"]["nodeClaim"]["hardNodeAffinity"]
    term["nodeSelectorTerms"][0]["matchExpressions"][0]["values"] = [
        f"zone-{i:06}" for i in range(20000)]
    result = context.ask("--calls", 20, "--method", "replicas", "--binding",
                         write_binding(context, binding), server.target)
    expect_equal((only(result)["code"], result["connections"]), ("", 1), "outcome")
    values = server.requests[0][1].replicaRequirements.nodeClaim.nodeAffinity \
        .nodeSelectorTerms[0].matchExpressions[0].values
    expect_equal(len(values), 20000, "values")


# ---- TLS ----

def case_tls_without_client_certificate(context):
    server = context.grpc(tls=context.certificates)
    expect_all_matched(context.ask("--calls", 5, "--ca", context.certificates.path("ca.crt"),
                                   server.target), 5)


def case_tls_unverified(context):
    server = context.grpc(tls=context.certificates)
    expect_all_matched(context.ask("--calls", 5, "--insecure", 1, server.target), 5)


def case_a_certificate_of_another_authority(context):
    server = context.grpc(tls=context.certificates)
    result = context.ask("--calls", 5, "--ca", context.certificates.path("other-ca.crt"),
                         server.target)
    expect_failed(result, -1, "certificate", code="bad configuration")
    expect_equal(result["requests"], 0, "requests")


def case_a_certificate_for_another_name(context):
    """It is for 127.0.0.1; all of 127.0.0.0/8 comes to this machine."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(context.certificates.path("server.crt"),
                        context.certificates.path("server.key"))
    server = context.start(RawServer(
        lambda connection: tls.wrap_socket(connection, server_side=True).recv(1),
        address="127.0.0.2"))
    expect_failed(context.ask("--calls", 5, "--ca", context.certificates.path("ca.crt"),
                              server.target), -1, "127.0.0.2", code="bad configuration")


def case_a_client_certificate_is_wanted(context):
    server = context.grpc(tls=context.certificates, client_ca="ca.crt")
    expect_failed(context.ask("--calls", 500, "--ca", context.certificates.path("ca.crt"),
                              server.target), -1, "the estimator may want a client certificate",
                  code="temporarily unavailable")


def case_a_client_certificate_is_refused(context):
    server = context.grpc(tls=context.certificates, client_ca="ca.crt")
    expect_failed(context.ask("--calls", 500, *context.certificates.client("stranger"),
                              server.target), -1, "may have refused the client certificate",
                  code="temporarily unavailable")


def case_clear_text_to_tls(context):
    server = context.grpc(tls=context.certificates)
    expect_failed(context.ask("--calls", 50, server.target), -1, "the estimator may want TLS")


def case_tls_to_clear_text(context):
    server = context.grpc()
    expect_failed(context.ask("--calls", 50, *context.certificates.client(), server.target), -1,
                  "the estimator may speak without TLS")


def case_tls_that_speaks_http1_only(context):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(context.certificates.path("server.crt"),
                        context.certificates.path("server.key"))

    def serve(connection):
        with tls.wrap_socket(connection, server_side=True) as stream:
            stream.recv(65536)
            stream.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")

    server = context.start(RawServer(serve))
    expect_failed(context.ask("--calls", 50, "--ca", context.certificates.path("ca.crt"),
                              server.target), -1, "HTTP/1.1, not gRPC", code="bad configuration")
    expect_equal(server.connections, 1, "connections")


# ---- byte by byte ----

def case_wrong_answers(context):
    """Whatever one call is told, the next one on the same connection gets its answer."""
    gzip = OK_HEADERS + [("grpc-encoding", "gzip")]
    said = [("grpc-status", "5"), ("grpc-message", "a%20b%zz%0Ac%E2%82%AC%00d")]
    wrong = [
        ("a length that is too long", frame(number(1), length=100), {}, 13,
         "the message ends early: 2 of 100 bytes came"),
        ("a length that is too short", frame(number(300), length=1), {}, 13,
         "more than one message came"),
        ("a length beyond all bounds", frame(number(1), length=0xffffffff), {}, 8,
         "the answer of 4294967295 bytes is larger than 16384 bytes"),
        ("half a prefix", b"\x00\x00", {}, 13, "the message ends early"),
        ("no message", b"", {}, 13, "no message came"),
        ("two messages", frame(number(1)) + frame(number(2)), {}, 13, "more than one message"),
        ("compressed", frame(b"\x1f\x8b\x08\x00", flag=1), {"headers": gzip}, 13,
         "the answer is compressed, which was not asked for (grpc-encoding gzip)"),
        ("a flag that does not exist", frame(number(1), flag=0x80), {}, 13,
         "a gRPC frame begins with 0x80"),
        ("no protobuf", frame(b"\x08"), {}, 13, "is no GetUnschedulableReplicas reply"),
        ("a wrong wire type", frame(b"\x0a\x05ab"), {}, 13, "is no GetUnschedulableReplicas"),
        ("a status that is no number", frame(number(1)), {"trailers": [("grpc-status", "-0")]}, 2,
         "UNKNOWN"),
        ("a status that does not exist", None,
         {"headers": OK_HEADERS + [("grpc-status", "99")]}, 2, "UNKNOWN"),
        ("trailers only", None, {"headers": OK_HEADERS + said}, 5,
         "NOT_FOUND: a b%zz c\u20acd"),
        ("trailers behind a message", frame(number(1)), {"trailers": said}, 5, "NOT_FOUND: a b"),
        ("HTTP 503", b"<html>", {"headers": [(":status", "503")], "trailers": None}, 14,
         "UNAVAILABLE: HTTP 503"),
        ("HTTP 404", None, {"headers": [(":status", "404")]}, 12, "UNIMPLEMENTED: HTTP 404"),
        ("a redirect", None, {"headers": [(":status", "302"), ("location", "http://127.0.0.1:1")]},
         2, "UNKNOWN: HTTP 302"),
        ("a web page", b"<html>", {"headers": [(":status", "200"), ("content-type", "text/html")],
                                   "trailers": None}, 2, "no gRPC"),
        ("control characters", None,
         {"headers": OK_HEADERS + [("grpc-status", "9"), ("grpc-message", "%1b[31mred%07")]}, 9,
         "FAILED_PRECONDITION: \\u001B[31mred\\u0007"),
    ]
    for name, body, parts, status, words in wrong:
        def answer(protocol, stream, seen):
            if seen % 2 == 1:
                reply(protocol, stream, body, **parts)
            else:
                reply(protocol, stream, frame(number(1)))

        server = context.start(Http2Server(answer))
        result = context.ask("--calls", 2, "--concurrency", 1, server.target)
        failed = [o for o in result["outcomes"] if o["code"]]
        expect_equal(len(failed), 1, f"failures with {name} in {result}")
        expect_equal(failed[0]["grpc"], status, f"status with {name}: {failed}")
        expect(words in failed[0]["message"], f"with {name}: {failed[0]['message']}")
        expect_equal((result["matched"], server.connections), (1, 1),
                     f"matched, connections with {name}")


def case_headers_without_end(context):
    """After them nobody is waited for: neither is there a message nor an end to hope for."""
    many = [(f"x-{i}", "y" * 1000) for i in range(12)]

    def answer(protocol, stream, _):
        for _ in range(8):
            protocol.send_headers(stream, [(":status", "103"), *many])
        reply(protocol, stream, frame(number(1)))

    server = context.start(Http2Server(answer))
    result = context.ask("--calls", 3, server.target)
    expect_equal(result["failures"], 3, f"failures in {result}")


def case_no_status_at_all(context):
    """It is asked again: libcurl loses the trailers of a connection that ends with them."""
    server = context.start(Http2Server(
        lambda protocol, stream, _: reply(protocol, stream, frame(number(0)), trailers=None)))
    expect_failed(context.ask("--calls", 3, server.target), 13, "given up after 3 tries",
                  "INTERNAL: the answer ended without grpc-status", code="input/output error")
    expect_equal((server.connections, server.ends), (1, []), "connections")


def case_answers_in_odd_pieces(context):
    """One byte a DATA frame, an empty message, a 1xx before, unknown fields, 64-bit numbers."""
    def answer(protocol, stream, seen):
        body = [frame(b"\x12\x03abc" + number(0)), frame(b""),
                frame(b"\x08\x80\x80\x80\x80\xf0\xff\xff\xff\xff\x01")][seen % 3]
        protocol.send_headers(stream, [(":status", "103"), ("grpc-status", "7")])
        protocol.send_headers(stream, OK_HEADERS)
        for byte in body:
            protocol.send_data(stream, bytes([byte]))
            protocol.send_data(stream, b"")
        protocol.send_headers(stream, [("Grpc-Status".lower(), "0")], end_stream=True)

    server = context.start(Http2Server(answer))
    outcome = only(context.ask("--calls", 1, server.target))
    expect_equal((outcome["code"], outcome["answer"]), ("", 0), "outcome")
    result = context.ask("--calls", 6, "--rounds", 2, server.target)
    expect_equal(result["failures"], 0, f"failures in {result}")


def case_streams_that_are_reset(context):
    """Each call's first try is reset: the second is answered, on the same connection."""
    tried = {}

    def answer(protocol, stream, seen):
        tried[seen] = stream
        if seen % 2 == 1:
            protocol.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        else:
            reply(protocol, stream, frame(number(0)))

    server = context.start(Http2Server(answer))
    result = context.ask("--calls", 1, "--rounds", 3, server.target)
    expect_equal((only(result)["code"], only(result)["tries"], server.connections), ("", 2, 1),
                 "code, tries, connections")
    server = context.start(Http2Server(lambda protocol, stream, _: protocol.reset_stream(stream)))
    expect_failed(context.ask("--calls", 4, server.target), -1, "given up after 3 tries",
                  code="temporarily unavailable")


def case_few_streams_allowed(context):
    server = context.start(Http2Server(
        lambda protocol, stream, _: reply(protocol, stream, frame(number(0))),
        settings={h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: 10}))
    result = context.ask("--calls", 500, server.target)
    expect_equal((result["failures"], server.connections, server.ends), (0, 1, []),
                 "failures, connections")
    expect(4 < server.most_streams <= 10, f"{server.most_streams} streams at once")


def case_connections_that_end_after_some_answers(context):
    """As with a proxy that lets a connection live for so many requests."""
    for graceful in (True, False):
        def answer(protocol, stream, seen):
            reply(protocol, stream, frame(number(0)))
            if seen % 50 == 0:
                if graceful:
                    protocol.close_connection(last_stream_id=stream)
                return False
            return None

        server = context.start(Http2Server(answer))
        result = context.ask("--calls", 500, server.target)
        expect_equal(result["failures"], 0, f"failures in {result}")
        expect(10 <= server.connections <= 30, f"{server.connections} connections")


def case_garbage_instead_of_http2(context):
    for data in (b"\xff" * 100, b"HTTP/1.1 400 Bad Request\r\n\r\n", struct.pack(">I", 7) * 9,
                 b"\x00\x00\x04\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00"):
        def serve(connection):
            connection.recv(65536)
            connection.sendall(data)

        server = context.start(RawServer(serve))
        outcome = expect_failed(context.ask("--calls", 200, "--timeout", 1000, server.target), -1,
                                "UNAVAILABLE: ", "the estimator may want TLS",
                                code="temporarily unavailable")
        expect_equal(server.connections, 2, f"connections ({outcome})")


# ---- death ----

def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def case_nobody_listens(context):
    port = closed_port()
    result = context.ask("--calls", 10000, f"m1=127.0.0.1:{port}")
    expect_failed(result, -1, f"estimator of m1 at 127.0.0.1:{port}: ", "Connection refused",
                  code="temporarily unavailable")
    expect_equal(result["requests"], 0, "requests")


def case_a_name_that_does_not_exist(context):
    result = context.ask("--calls", 10, "m1=no-such-host.invalid:10352,other.invalid:10352")
    expect_failed(result, -1, "other.invalid", "no-such-host.invalid:10352: ")


def case_the_second_name_works(context):
    server = context.grpc()
    result = context.ask("--calls", 100,
                         f"m1=127.0.0.1:{closed_port()},127.0.0.1:{server.ports[0]}")
    expect_all_matched(result, 100)
    expect_equal(len(server.peers), 1, "connections")


def case_one_that_takes_connections_and_says_nothing(context):
    """It costs its time limit once; another estimator's answers do not wait for it."""
    silent = context.start(RawServer(lambda connection: connection.recv(1 << 20)
                                     and threading.Event().wait(30)))
    well = context.grpc()
    result = context.ask("--calls", 1000, "--timeout", 3000, silent.target,
                         f"m2=127.0.0.1:{well.ports[0]}")
    by_cluster = {o["cluster"]: o for o in result["outcomes"] if o["cluster"] == "m1"}
    expect("DEADLINE_EXCEEDED" in by_cluster["m1"]["message"], f"{by_cluster}")
    # (numbers of m2 start at 0 again, so that all of its answers match)
    expect_equal((result["matched"], result["failures"], by_cluster["m1"]["count"]),
                 (1000, 1000, 1000), "matched, failures")
    expect(result["ms"] < 30000, f"it took {result['ms']} ms")
    expect_equal(silent.connections, 1, "connections")


def case_one_that_never_ends_its_tls_handshake(context):
    silent = context.start(RawServer(lambda connection: threading.Event().wait(30)))
    result = context.ask("--calls", 1000, "--dial", 500, "--insecure", 1, silent.target)
    expect_failed(result, -1, "UNAVAILABLE: ", code="temporarily unavailable")
    expect(result["ms"] < 30000, f"it took {result['ms']} ms")


def case_death_outlives_the_round(context):
    port = closed_port()
    process = context.begin("--calls", 5, "--rounds", 3, f"m1=127.0.0.1:{port}")
    lines = process.communicate(timeout=60)[0].splitlines()
    expect_equal([json.loads(line)["failures"] for line in lines], [5, 10, 15], "failures")


def wait_until(condition, what):
    end = time.monotonic() + 30
    while not condition():
        expect(time.monotonic() < end, f"{what} did not come about")
        time.sleep(0.01)


def case_killed_with_calls_under_way(context):
    child = context.start(ChildServer())
    process = context.begin("--calls", 5000, "--timeout", 20000, "--name", "wait", child.target)
    time.sleep(0.5)
    child.signal(signal.SIGKILL)
    result = json.loads(process.communicate(timeout=60)[0])
    expect_equal((result["failures"], result["matched"]), (5000, 0), "failures")
    expect(result["ms"] < 30000, f"it took {result['ms']} ms")
    for outcome in result["outcomes"]:
        expect_equal(outcome["code"], "temporarily unavailable", f"{outcome}")


def case_killed_and_back(context):
    """Calls that were under way are asked again where it comes back at the same address."""
    lock = threading.Lock()
    state = {"kill": 60}

    def answer(protocol, stream, seen):
        with lock:
            if seen == state["kill"]:
                return False
        reply(protocol, stream, frame(number(0)))
        return None

    server = context.start(Http2Server(answer))
    result = context.ask("--calls", 400, server.target)
    expect_equal((result["failures"], server.connections), (0, 2), f"in {result}"[:500])


def case_frozen_with_calls_under_way(context):
    child = context.start(ChildServer())
    process = context.begin("--calls", 200000, "--timeout", 2000, child.target)
    time.sleep(1.5)
    child.signal(signal.SIGSTOP)
    result = json.loads(process.communicate(timeout=60)[0])
    child.signal(signal.SIGCONT)
    expect(result["matched"] > 0, "nothing was answered before")
    expect_equal(result["matched"] + result["failures"], 200000, "answers")
    expect(result["ms"] < 30000, f"it took {result['ms']} ms")


def case_the_deadline_of_the_run(context):
    server = context.grpc()
    result = context.ask("--calls", 500, "--timeout", 20000, "--deadline", 600, "--name", "wait",
                         server.target)
    expect_failed(result, -1, "the deadline has passed", code="the deadline has passed")
    expect(result["ms"] < 30000, f"it took {result['ms']} ms")


def case_stopped_by_a_signal(context):
    server = context.grpc()
    process = context.begin("--calls", 500, "--timeout", 20000, "--name", "wait", server.target)
    wait_until(lambda: server.calls > 0, "the first call")
    process.send_signal(signal.SIGTERM)
    result = json.loads(process.communicate(timeout=60)[0])
    expect_failed(result, -1, "stopped by a signal", code="stopped by a signal")


def case_files_that_are_no_pem(context):
    good = context.certificates
    for options, words in ((["--ca", "/nonexistent"], "--scheduler-estimator-ca-file"),
                           (["--ca", good.path("ca.crt"), "--cert", good.path("client.crt")],
                            "need each other"),
                           (["--ca", good.path("server.ext")], "this is no PEM")):
        try:
            context.ask(*options, "m1=127.0.0.1:1")
        except Failure as e:
            expect(words in str(e), f"{e}")
        else:
            raise Failure(f"{options} were taken")
