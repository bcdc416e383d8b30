# SPDX-License-Identifier: Apache-2.0
"""What Karmada's aggregated API server does for clusters/NAME/proxy: asks the control plane who
may, and forwards to the member with Karmada's own credential, as the one who asked. Everything else
goes on to the control plane's API server. It counts, and it fails when it is told to."""
import email.utils
import http.client
import json
import re
import socket
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROXY = re.compile(r"/apis/cluster\.karmada\.io/v1alpha1/clusters/([^/]+)/proxy(/[^?]*)(?:\?(.*))?")
REVIEW = "/apis/authentication.k8s.io/v1/tokenreviews"
ACCESS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
PASSED_ON = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent", "If-None-Match")
PASSED_BACK = ("Content-Type", "Content-Encoding", "Date", "Etag", "Warning", "Retry-After",
               "Audit-Id")


class Entry:
    """A request to a member ("" is the control plane)."""

    def __init__(self, member, method, path, query):
        self.member, self.method, self.path, self.query = member, method, path, query or ""
        self.begin, self.end, self.status, self.bytes = time.monotonic(), None, None, 0


def failure(code, reason, message):
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": code,
            "reason": reason, "message": message}


class Front:
    """`faults` is {member: an HTTP status, "hang" or "refuse", or {path: one of these}}; `skew`
    {member: seconds} is added to its Date; `published` {path: document} is answered by itself."""

    def __init__(self, plane, members):
        self.plane, self.members = plane, members
        self.faults, self.skew, self.published, self.log = {}, {}, {}, []
        self.released = threading.Event()
        self.users, self.local = {}, threading.local()
        server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        server.daemon_threads = True
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*plane.certificates.server("front"))
        server.socket = tls.wrap_socket(server.socket, server_side=True,
                                        do_handshake_on_connect=False)
        self.server = server
        self.url = f"https://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def stop(self):
        self.release()
        self.server.shutdown()
        self.server.server_close()

    def release(self):
        """Whatever hangs is let go; nothing fails any more."""
        self.faults.clear()
        self.skew.clear()
        self.released.set()
        self.released = threading.Event()

    def asked(self, since=0, member=None):
        """Requests from this one on: of one member, or of all members."""
        return [e for e in self.log[since:] if (e.member == member if member else e.member)]

    # --- who asks ---

    def user_of(self, authorization):
        """The user that a token is of, when he may use the proxy; asked once."""
        if authorization not in self.users:
            token = (authorization or "").removeprefix("Bearer ")
            review = self.plane.create(REVIEW, {
                "apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview",
                "spec": {"token": token}})["status"]
            user = review.get("user") if review.get("authenticated") else None
            self.users[authorization] = user and (user, self.may_proxy(token))
        return self.users[authorization]

    def may_proxy(self, token):
        return self.plane.request("POST", ACCESS, {
            "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": {"verb": "get", "group": "cluster.karmada.io",
                                            "resource": "clusters", "subresource": "proxy"}}},
            token=token)["status"].get("allowed", False)

    # --- forwarding ---

    def connection(self, server):
        """One for each thread and server."""
        kept = self.local.__dict__.setdefault("connections", {})
        if server not in kept:
            kept[server] = http.client.HTTPSConnection("127.0.0.1", server.port,
                                                       context=server.tls, timeout=120)
        return kept[server]

    def forward(self, server, method, target, body, headers):
        """(status, headers, body); once more where a kept connection was closed meanwhile.
        `headers` are pairs: names may repeat."""
        for again in (True, False):
            connection = self.connection(server)
            fresh = connection.sock is None
            try:
                connection.putrequest(method, target, skip_accept_encoding=True)
                for key, value in headers:
                    connection.putheader(key, value)
                if body:
                    connection.putheader("Content-Length", str(len(body)))
                connection.endheaders(body)
                answer = connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                if fresh or not again:
                    raise
        return None

    def answer_member(self, found, method, body, headers):
        name, path, query = found.groups()
        user = self.user_of(headers["Authorization"])
        if user is None:
            return plain(401, "Unauthorized", "Unauthorized")
        if not user[1]:
            return plain(403, "Forbidden", f"clusters.cluster.karmada.io \"{name}\" is forbidden: "
                         f"User \"{user[0]['username']}\" cannot get clusters/proxy")
        if name not in self.members:
            return plain(404, "NotFound", f'clusters.cluster.karmada.io "{name}" not found')
        fault = self.faults.get(name)
        if isinstance(fault, dict):
            fault = fault.get(path)
        if fault == "hang":
            self.released.wait()
        if fault in ("hang", "refuse"):
            return None
        if fault:
            return plain(fault, "NotFound" if fault == 404 else "InternalError",
                         f"{name} was told to answer {fault}")
        return self.ask_member(self.members[name], method, path + (f"?{query}" if query else ""),
                               body, headers, user[0])

    def ask_member(self, member, method, target, body, headers, user):
        passed = [(key, headers[key]) for key in PASSED_ON if headers[key]]
        passed += [("Authorization", f"Bearer {member.token}"),
                   ("Impersonate-User", user["username"])]
        passed += [("Impersonate-Group", group) for group in user.get("groups", [])]
        try:
            return self.forward(member, method, target, body, passed)
        except (OSError, http.client.HTTPException) as e:
            return plain(500, "InternalError", f"error dialing backend: {e}")

    def answer(self, method, path, body, headers):
        """(status, headers, body), or None: no answer at all"""
        found = PROXY.fullmatch(path)
        where, _, query = path.partition("?")
        entry = Entry(*(found[1], method, found[2], found[3]) if found
                      else ("", method, where, query))
        self.log.append(entry)
        if found:
            answer = self.answer_member(found, method, body, headers)
        elif where in self.published:
            answer = document(200, self.published[where])
        else:
            passed = [(k, v) for k, v in headers.items()
                      if k.lower() not in ("host", "connection", "content-length")]
            answer = self.forward(self.plane, method, path, body, passed)
        entry.end = time.monotonic()
        if answer is not None:
            entry.status, entry.bytes = answer[0], len(answer[2])
        return answer

    def skewed(self, member, headers):
        """The headers to pass back, with the time that the member is told to have."""
        passed = {k: headers[k] for k in PASSED_BACK if headers[k]}
        if self.skew.get(member):
            passed["Date"] = email.utils.formatdate(time.time() + self.skew[member], usegmt=True)
        return passed

    def handler(self):
        front = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16
            disable_nagle_algorithm = True

            def pass_on(self):
                length = int(self.headers["Content-Length"] or 0)
                body = self.rfile.read(length) if length else None
                try:
                    answer = front.answer(self.command, self.path, body, self.headers)
                except (OSError, http.client.HTTPException):
                    answer = None
                if answer is None:
                    self.close_connection = True
                    try:
                        self.connection.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass
                    return
                found = PROXY.fullmatch(self.path)
                status, headers, data = answer
                self.send_response_only(status)
                for key, value in front.skewed(found[1] if found else "", headers).items():
                    self.send_header(key, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on  # noqa: N815

            def handle(self):
                try:
                    super().handle()
                except OSError:  # hung up
                    pass

            def log_message(self, *arguments):
                pass

        return Handler


def document(code, body):
    headers = http.client.HTTPMessage()
    headers["Content-Type"] = "application/json"
    headers["Date"] = email.utils.formatdate(usegmt=True)
    return code, headers, json.dumps(body).encode()


def plain(code, reason, message):
    return document(code, failure(code, reason, message))
