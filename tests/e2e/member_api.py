# SPDX-License-Identifier: Apache-2.0
"""What Karmada's aggregated API server does: serves Clusters, and the members' objects under
clusters/NAME/proxy. A real kube-apiserver asks it, after it has authenticated and authorized."""
import json
import re
import ssl
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from control_plane import wait_for

GROUP = "/apis/cluster.karmada.io/v1alpha1"
KINDS = {
    "/api/v1/pods": ("v1", "PodList"),
    "/api/v1/nodes": ("v1", "NodeList"),
    "/apis/apps/v1/replicasets": ("apps/v1", "ReplicaSetList"),
    "/apis/apps/v1/deployments": ("apps/v1", "DeploymentList"),
    "/apis/apps/v1/statefulsets": ("apps/v1", "StatefulSetList"),
    "/apis/batch/v1/jobs": ("batch/v1", "JobList"),
    "/apis/autoscaling/v2/horizontalpodautoscalers":
        ("autoscaling/v2", "HorizontalPodAutoscalerList"),
}
DISCOVERY = {
    "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "cluster.karmada.io/v1alpha1",
    "resources": [
        {"name": "clusters", "singularName": "cluster", "namespaced": False, "kind": "Cluster",
         "verbs": ["get", "list"]},
        {"name": "clusters/proxy", "singularName": "", "namespaced": False,
         "kind": "ClusterProxyOptions", "verbs": ["get"]},
    ],
}


def is_selected(thing, query):
    """By `labelSelector` and `fieldSelector`, of one term each: KEY=VALUE or KEY!=VALUE."""
    labels = thing["metadata"].get("labels", {})
    for selector, value_of in (("labelSelector", labels.get),
                               ("fieldSelector", lambda key: field_of(thing, key))):
        if selector in query:
            key, differs, value = re.fullmatch(r"([^!=]+)(!?)=(.*)", query[selector]).groups()
            if (value_of(key) == value) == bool(differs):
                return False
    return True


def field_of(thing, key):
    for step in key.split("."):
        thing = thing.get(step, {})
    return thing or ""


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """Who asked may have been killed."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class MemberApi:
    """`members` is {name: {path: [object]}}; one that is in `down` does not answer."""

    def __init__(self, certificates):
        self.clusters, self.members, self.down = [], {}, set()
        self.pages = 0
        server = Server(("127.0.0.1", 0), self.handler())
        server.daemon_threads = True
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*certificates.server("member-api"))
        server.socket = tls.wrap_socket(server.socket, server_side=True,
                                        do_handshake_on_connect=False)
        self.port = server.server_address[1]
        self.server = server
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def register(self, plane):
        """As Karmada does it: an APIService, and a Service that is another name."""
        plane.ensure_namespace("karmada-system")
        plane.create("/api/v1/namespaces/karmada-system/services", {
            "metadata": {"name": "karmada-aggregated-apiserver"},
            "spec": {"type": "ExternalName", "externalName": "localhost"}})
        plane.create("/apis/apiregistration.k8s.io/v1/apiservices", {
            "metadata": {"name": "v1alpha1.cluster.karmada.io"},
            "spec": {"group": "cluster.karmada.io", "version": "v1alpha1",
                     "groupPriorityMinimum": 2000, "versionPriority": 10,
                     "insecureSkipTLSVerify": True,
                     "service": {"name": "karmada-aggregated-apiserver",
                                 "namespace": "karmada-system", "port": self.port}}})

        def served():
            try:
                return plane.get(GROUP + "/clusters")["kind"] == "ClusterList"
            except Exception:  # noqa: BLE001 (503 until it was found available)
                return False
        wait_for("the aggregated API", served)

    def answer(self, path, query):
        """(status, object)"""
        if path == GROUP:
            return 200, DISCOVERY
        if path == GROUP + "/clusters":
            return 200, {"kind": "ClusterList", "apiVersion": "cluster.karmada.io/v1alpha1",
                         "metadata": {"resourceVersion": "1"}, "items": self.clusters}
        found = re.fullmatch(GROUP + r"/clusters/([^/]+)/proxy(/.+)", path)
        if found:
            return self.answer_member(*found.groups(), query)
        return 404, failure(404, "NotFound", f"{path} is not here")

    def answer_member(self, name, path, query):
        if name in self.down:
            return 503, failure(503, "ServiceUnavailable", f"{name} does not answer")
        namespace = re.search("/namespaces/([^/]+)", path)
        path = path.replace(namespace.group(0), "", 1) if namespace else path
        if name not in self.members or path not in KINDS:
            return 404, failure(404, "NotFound", f"{path} is not in {name}")
        items = [i for i in self.members[name].get(path, [])
                 if (namespace is None or i["metadata"].get("namespace") == namespace.group(1))
                 and is_selected(i, query)]
        begin, limit = int(query.get("continue", 0) or 0), int(query.get("limit", 0) or 0)
        end = begin + limit if limit else len(items)
        metadata = {"resourceVersion": "1"}
        if end < len(items):
            metadata["continue"] = str(end)
            self.pages += 1
        api_version, kind = KINDS[path]
        return 200, {"kind": kind, "apiVersion": api_version, "metadata": metadata,
                     "items": items[begin:end]}

    def handler(self):
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):  # noqa: N802 (the library's name)
                url = urllib.parse.urlsplit(self.path)
                status, body = api.answer(url.path, dict(urllib.parse.parse_qsl(url.query)))
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments):
                pass

        return Handler


def failure(code, reason, message):
    return {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code,
            "reason": reason, "message": message}
