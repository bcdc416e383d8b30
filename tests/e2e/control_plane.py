# SPDX-License-Identifier: Apache-2.0
"""A control plane for tests: etcd and a real kube-apiserver on loopback, and a client for them."""
import atexit
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import newer

ADMIN = "admin-token"
BALLAST = "system:serviceaccount:karmada-system:ballast"
DRY_RUN = "system:serviceaccount:karmada-system:ballast-dry-run"
GROUPS = ["system:serviceaccounts", "system:serviceaccounts:karmada-system"]

AUDIT_POLICY = {
    "apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
    "rules": [{"level": "Metadata", "users": [BALLAST, DRY_RUN]}, {"level": "None"}],
}


# Of the beta kinds only those that something asks for: they are half of what a start costs.
SERVED = ("--runtime-config=api/beta=false,batch/v1beta1=true,policy/v1beta1=true,"
          "flowcontrol.apiserver.k8s.io/v1beta1=true")
# Servers of a test live for minutes and have memory to spare: they collect garbage less often.
GARBAGE = {"GOGC": "300"}


class ApiError(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status}: {body[:300]}")
        self.status = status


given_ports = set()
ports_lock = threading.Lock()


def free_ports(count):
    """Ports that nobody listens at, each given once: servers are started side by side. None of those
    that the kernel gives to clients: a server that was killed wants its own again."""
    clients = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    end = int(clients[0]) if int(clients[0]) > 12000 else 65536
    found = []
    with ports_lock:
        while len(found) < count:
            port = random.randrange(10000, end)
            if port not in given_ports and is_free(port):
                given_ports.add(port)
                found.append(port)
    return found


def is_free(port):
    with socket.socket() as s:
        try:
            s.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def wait_for(what, condition, seconds=60, pause=0.05):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(pause)
    raise TimeoutError(f"waited {seconds}s for {what}")


def work_directory():
    """etcd syncs every write: on a RAM disk this costs nothing."""
    shm = pathlib.Path("/dev/shm")
    roomy = shm.is_dir() and os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > 1 << 30
    return pathlib.Path(tempfile.mkdtemp(prefix="ballast-e2e-", dir=shm if roomy else None))


class Certificates:
    """A CA, and what it signs."""

    def __init__(self, directory):
        self.directory = directory
        self.ca = directory / "ca.crt"
        self.run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-days", "2", "-subj", "/CN=ballast-e2e", "-keyout", directory / "ca.key",
                 "-out", self.ca)

    @staticmethod
    def run(*arguments):
        done = subprocess.run(["openssl", *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stdout.decode())

    def sign(self, name, subject, extension=""):
        key, request = self.directory / f"{name}.key", self.directory / f"{name}.csr"
        certificate, extensions = self.directory / f"{name}.crt", self.directory / f"{name}.ext"
        extensions.write_text(extension)
        self.run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                 subject, "-keyout", key, "-out", request)
        self.run("x509", "-req", "-in", request, "-CA", self.ca, "-CAkey",
                 self.directory / "ca.key", "-CAcreateserial", "-days", "2", "-out", certificate,
                 "-extfile", extensions)
        return certificate, key

    def server(self, name):
        return self.sign(name, f"/CN={name}", "subjectAltName=IP:127.0.0.1,DNS:localhost\n"
                                              "extendedKeyUsage=serverAuth\n")

    def client(self, name, user, groups):
        subject = "".join(f"/O={group}" for group in groups) + f"/CN={user}"
        return self.sign(name, subject, "extendedKeyUsage=clientAuth\n")


class ControlPlane:
    """`shared`: another one whose etcd it keeps its objects in, under `prefix`. Where there is an
    apiextensions-apiserver among the binaries, custom resources are that one's."""

    admission_off = "ServiceAccount"
    has_custom_resources = True

    def __init__(self, binaries, directory=None, shared=None, prefix="/registry"):
        self.binaries = pathlib.Path(binaries)
        self.directory = directory or work_directory()
        self.certificates = Certificates(self.directory)
        self.server_pair = self.certificates.server("apiserver")
        self.etcd_port, peer, self.port = free_ports(3)
        self.prefix = prefix
        self.url = f"https://127.0.0.1:{self.port}"
        self.audit_log = self.directory / "audit.log"
        self.etcd = self.apiserver = self.custom = None
        self.local = threading.local()
        self.tls = ssl.create_default_context(cafile=str(self.certificates.ca))
        self.keep = bool(os.environ.get("E2E_KEEP"))
        atexit.register(self.stop)  # whatever happens from here on
        self.write_files()
        if shared is None:
            self.start_etcd(peer)
        else:
            self.etcd_port = shared.etcd_port
        if self.has_custom_resources and (self.binaries / newer.PROGRAM).exists():
            self.custom = newer.CustomResources(self, free_ports(1)[0])
        self.start_apiserver()

    # --- processes ---

    def write_files(self):
        (self.directory / "tokens").write_text(f'{ADMIN},admin,admin,"system:masters"\n')
        (self.directory / "audit-policy").write_text(json.dumps(AUDIT_POLICY))
        Certificates.run("genrsa", "-out", self.directory / "sa.key", "2048")

    def spawn(self, name, *arguments):
        with open(self.directory / f"{name}.log", "ab") as log:
            return subprocess.Popen([self.binaries / name, *map(str, arguments)], stdout=log,
                                    stderr=log, stdin=subprocess.DEVNULL,
                                    env={**os.environ, **GARBAGE})

    def start_etcd(self, peer):
        client, peer = f"http://127.0.0.1:{self.etcd_port}", f"http://127.0.0.1:{peer}"
        self.etcd = self.spawn(
            "etcd", "--data-dir", self.directory / "etcd", "--listen-client-urls", client,
            "--advertise-client-urls", client, "--listen-peer-urls", peer,
            "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}",
            "--log-level", "error")

    def start_apiserver(self, *more):
        d = self.directory
        certificate, key = self.server_pair
        self.apiserver = self.spawn(
            "kube-apiserver", f"--etcd-servers=http://127.0.0.1:{self.etcd_port}",
            f"--etcd-prefix={self.prefix}",
            "--bind-address=127.0.0.1", "--advertise-address=192.0.2.1",
            f"--secure-port={self.port}", f"--cert-dir={d}", f"--tls-cert-file={certificate}",
            f"--tls-private-key-file={key}", f"--client-ca-file={self.certificates.ca}",
            f"--token-auth-file={d}/tokens", "--authorization-mode=RBAC",
            "--service-account-issuer=https://ballast-e2e", f"--service-account-key-file={d}/sa.key",
            f"--service-account-signing-key-file={d}/sa.key",
            f"--disable-admission-plugins={self.admission_off}", "--endpoint-reconciler-type=none",
            "--service-cluster-ip-range=10.0.0.0/24", f"--audit-policy-file={d}/audit-policy",
            f"--audit-log-path={self.audit_log}", "--shutdown-delay-duration=0s", SERVED,
            *(self.custom.front_flags() if self.custom is not None else ()), *more)
        if self.custom is not None:
            self.start_custom_resources(*(f for f in more if f.startswith(newer.SHARED)))
        wait_for("kube-apiserver", self.is_ready, 300, 0.2)

    def start_custom_resources(self, *more):
        """Their server; it is ready when is_ready() says so of both."""
        self.custom.start(self.kubeconfig("custom", {"token": ADMIN}), *more)

    def is_ready(self):
        if self.apiserver.poll() is not None:
            log = (self.directory / "kube-apiserver.log").read_text(errors="replace")
            raise RuntimeError("kube-apiserver ended:\n" + log[-2000:])
        try:
            return (self.request("GET", "/readyz", raw=True) == b"ok"
                    and (self.custom is None or self.custom.is_ready()))
        except (OSError, ApiError, http.client.HTTPException):
            return False

    def kill_apiserver(self):
        self.apiserver.send_signal(signal.SIGKILL)
        if self.custom is not None:
            self.custom.kill()
        self.apiserver.wait()

    def stop(self):
        if self.custom is not None:
            self.custom.kill()
        for process in (self.apiserver, self.etcd):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()
        if not self.keep:
            shutil.rmtree(self.directory, ignore_errors=True)

    def compact(self):
        """Makes every older resourceVersion, and the lists that go on from it, expire."""
        connection = http.client.HTTPConnection("127.0.0.1", self.etcd_port, timeout=10)
        connection.request("POST", "/v3/kv/range", json.dumps({"key": "AA=="}))
        revision = json.load(connection.getresponse())["header"]["revision"]
        connection.request("POST", "/v3/kv/compaction", json.dumps({"revision": revision}))
        connection.getresponse().read()
        connection.close()

    # --- the API ---

    def request(self, method, path, body=None, content_type="application/json", raw=False,
                token=ADMIN, accept="application/json"):
        headers = {"Authorization": f"Bearer {token}", "Content-Type": content_type,
                   "Accept": accept}
        data = None if body is None else json.dumps(body).encode()
        for again in (True, False):
            if getattr(self.local, "connection", None) is None:
                self.local.connection = http.client.HTTPSConnection(
                    "127.0.0.1", self.port, context=self.tls, timeout=60)
            try:
                self.local.connection.request(method, path, data, headers)
                answer = self.local.connection.getresponse()
                text = answer.read()
                break
            except (OSError, http.client.HTTPException):
                self.local.connection.close()
                self.local.connection = None
                if not again:
                    raise
        if answer.status >= 300:
            raise ApiError(answer.status, text.decode(errors="replace"))
        return text if raw else json.loads(text)

    def get(self, path):
        return self.request("GET", path)

    def list(self, path):
        items, token = [], ""
        while True:
            page = self.get(f"{path}?limit=1000&continue={token}")
            items += page["items"]
            token = page["metadata"].get("continue", "")
            if not token:
                return items

    def create(self, path, body):
        return self.request("POST", path, body)

    def patch(self, path, body):
        return self.request("PATCH", path, body, "application/merge-patch+json")

    def delete(self, path):
        return self.request("DELETE", path)

    def exists(self, path):
        try:
            self.get(path)
            return True
        except ApiError as e:
            if e.status != 404:
                raise
            return False

    def answers(self, path):
        """Whether it does; 404 and 503 come while it is being set up."""
        try:
            self.get(path)
            return True
        except (OSError, ApiError, http.client.HTTPException):
            return False

    def define(self, definition):
        """Serves the kind of a CustomResourceDefinition."""
        if self.custom is not None:
            self.custom.define(definition)
        else:
            self.create(newer.DEFINITIONS, definition)

    def undefine(self, name):
        if self.custom is not None:
            self.custom.remove(name)
        else:
            self.delete(f"{newer.DEFINITIONS}/{name}")

    def kubernetes(self):
        """Whose API this is, in words."""
        version = self.get("/version")["gitVersion"]
        if self.custom is None:
            return f"Kubernetes {version}"
        return f"Kubernetes {version} with custom resources of {self.custom.version}"

    def ensure_namespace(self, name):
        if not self.exists(f"/api/v1/namespaces/{name}"):
            self.create("/api/v1/namespaces", {"metadata": {"name": name}})

    def each(self, function, things, workers=8):
        """function(thing) for all of them, several at a time."""
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(function, things))

    def service_account_token(self, name, bound_to=None):
        """A real one, for a day; it dies with the Secret that it is bound to."""
        spec = {"expirationSeconds": 86400, "audiences": None}
        if bound_to is not None:
            spec["boundObjectRef"] = {"apiVersion": "v1", "kind": "Secret", "name": bound_to}
        path = f"/api/v1/namespaces/karmada-system/serviceaccounts/{name}/token"
        return self.create(path, {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
                                  "spec": spec})["status"]["token"]

    # --- ways in ---

    def kubeconfig(self, name, user, server=None):
        """A kubeconfig file (JSON is YAML) with these fields of a user. A run that was started a moment
        ago may be reading it: it is replaced as a whole."""
        path = self.directory / f"{name}.kubeconfig"
        fresh = path.with_suffix(f".{threading.get_ident()}")
        fresh.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "e2e",
            "clusters": [{"name": "e2e", "cluster": {
                "server": server or self.url, "certificate-authority": str(self.certificates.ca)}}],
            "users": [{"name": "e2e", "user": user}],
            "contexts": [{"name": "e2e", "context": {"cluster": "e2e", "user": "e2e"}}],
        }))
        fresh.replace(path)
        return path

    def kubectl(self, *arguments, user=None, stdin=None):
        config = self.kubeconfig("kubectl", {"token": user or ADMIN})
        return subprocess.run(
            [self.binaries / "kubectl", "--kubeconfig", config, *map(str, arguments)],
            input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            env={**os.environ, "HOME": str(self.directory)})

    # --- what was asked of it ---

    def audit(self, since=0):
        """Ballast's requests from this offset on, and the offset after them."""
        if not self.audit_log.exists():
            return [], 0
        with open(self.audit_log, "rb") as log:
            log.seek(since)
            data = log.read()
        complete = data[:data.rfind(b"\n") + 1]
        return [json.loads(line) for line in complete.splitlines()], since + len(complete)
