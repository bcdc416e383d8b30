# SPDX-License-Identifier: Apache-2.0
"""Custom resources as a newer Kubernetes serves them: an apiextensions-apiserver behind the aggregator
of a control plane's kube-apiserver, in the same etcd. get-binaries.sh makes it with KUBERNETES=1.36.

The kube-apiserver authenticates, authorizes and audits; both keep RBAC in one place, because the
apiextensions-apiserver asks the kube-apiserver about each request and remembers no answer."""
import http.client
import json
import ssl
import time

PROGRAM = "apiextensions-apiserver"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices"
NAMESPACE, SERVICE = "kube-system", "custom-resources"
FRONT = "front-proxy"
# kinds of its own configuration that a kube-apiserver 1.20 does not serve
UNKNOWN = "ValidatingAdmissionPolicy,MutatingAdmissionPolicy"
# flags of a kube-apiserver that are about custom resources, too
SHARED = ("--watch-cache",)


class CustomResources:
    def __init__(self, plane, port):
        self.plane, self.port = plane, port
        self.process = self.version = None
        certificates = plane.certificates
        self.front = certificates.client(FRONT, FRONT, ())
        self.tls = ssl.create_default_context(cafile=str(certificates.ca))
        self.tls.load_cert_chain(*certificates.client("definer", "definer", ["system:masters"]))
        self.registered, self.kinds = set(), {}

    def front_flags(self):
        """With which a kube-apiserver passes on who asks."""
        certificate, key = self.front
        return [*self.header_flags(), f"--proxy-client-cert-file={certificate}",
                f"--proxy-client-key-file={key}"]

    def header_flags(self):
        return [f"--requestheader-client-ca-file={self.plane.certificates.ca}",
                f"--requestheader-allowed-names={FRONT}",
                "--requestheader-username-headers=X-Remote-User",
                "--requestheader-group-headers=X-Remote-Group",
                "--requestheader-extra-headers-prefix=X-Remote-Extra-"]

    def start(self, config, *more):
        """`config`: a kubeconfig of the kube-apiserver, which may still be starting."""
        d, (certificate, key) = self.plane.directory, self.plane.server_pair
        self.process = self.plane.spawn(
            PROGRAM, f"--etcd-servers=http://127.0.0.1:{self.plane.etcd_port}",
            f"--etcd-prefix={self.plane.prefix}-custom", "--bind-address=127.0.0.1",
            f"--secure-port={self.port}", f"--cert-dir={d}", f"--tls-cert-file={certificate}",
            f"--tls-private-key-file={key}", f"--client-ca-file={self.plane.certificates.ca}",
            *self.header_flags(), f"--kubeconfig={config}", f"--authentication-kubeconfig={config}",
            f"--authorization-kubeconfig={config}", "--authentication-skip-lookup=true",
            "--authorization-webhook-cache-authorized-ttl=0s",
            "--authorization-webhook-cache-unauthorized-ttl=0s",
            "--enable-priority-and-fairness=false", f"--disable-admission-plugins={UNKNOWN}",
            "--shutdown-delay-duration=0s", *more)

    def kill(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def is_ready(self):
        """Itself, and, by way of the kube-apiserver, each kind: after a start their watch caches are
        filled when they are asked first, and until then the answer is 429."""
        if self.process.poll() is not None:
            log = (self.plane.directory / f"{PROGRAM}.log").read_text(errors="replace")
            raise RuntimeError(f"{PROGRAM} ended:\n" + log[-2000:])
        try:
            self.ask("GET", "/readyz")
            self.version = json.loads(self.ask("GET", "/version"))["gitVersion"]
        except (OSError, http.client.HTTPException, Refused):
            return False
        return all(self.plane.answers(path) for path in self.kinds.values())

    def ask(self, method, path, body=None, **headers):
        """Itself, and not by way of the kube-apiserver. Returns bytes."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.tls,
                                                 timeout=60)
        try:
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if answer.status >= 300:
            raise Refused(f"{method} {path}: {answer.status}: {text[:300]}")
        return text

    # --- kinds ---

    def define(self, definition):
        """A CustomResourceDefinition, and the API it belongs to."""
        self.ask("POST", DEFINITIONS, definition)
        self.kinds[definition["metadata"]["name"]] = list_of(definition)
        for api in apis_of(definition):
            if api not in self.registered:
                self.register(*api.split("/"))
                self.registered.add(api)

    def register(self, group, version):
        """As Karmada registers its aggregated API: a Service that is another name for localhost."""
        services = f"/api/v1/namespaces/{NAMESPACE}/services"
        self.plane.ensure_namespace(NAMESPACE)
        if not self.plane.exists(f"{services}/{SERVICE}"):
            self.plane.create(services, {"metadata": {"name": SERVICE}, "spec": {
                "type": "ExternalName", "externalName": "localhost"}})
        self.plane.create(SERVICES, {
            "metadata": {"name": f"{version}.{group}"},
            "spec": {"group": group, "version": version, "groupPriorityMinimum": 1000,
                     "versionPriority": 100, "insecureSkipTLSVerify": True,
                     "service": {"name": SERVICE, "namespace": NAMESPACE, "port": self.port}}})

    def remove(self, name):
        """A CustomResourceDefinition, and its API where no other one belongs to that."""
        definition = json.loads(self.ask("GET", f"{DEFINITIONS}/{name}"))
        self.ask("DELETE", f"{DEFINITIONS}/{name}")
        del self.kinds[name]
        deadline = time.monotonic() + 60
        while name in (left := self.definitions()) and time.monotonic() < deadline:
            time.sleep(0.05)
        used = {api for other in left.values() for api in apis_of(other)}
        for api in apis_of(definition) - used:
            group, version = api.split("/")
            self.plane.delete(f"{SERVICES}/{version}.{group}")
            self.registered.discard(api)

    def definitions(self):
        """By name."""
        return {d["metadata"]["name"]: d
                for d in json.loads(self.ask("GET", DEFINITIONS))["items"]}


class Refused(Exception):
    pass


def list_of(definition):
    spec = definition["spec"]
    version = next(v["name"] for v in spec["versions"] if v["served"])
    return f"/apis/{spec['group']}/{version}/{spec['names']['plural']}?limit=1"


def apis_of(definition):
    spec = definition["spec"]
    return {f"{spec['group']}/{v['name']}" for v in spec["versions"] if v["served"]}
