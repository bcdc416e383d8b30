# SPDX-License-Identifier: Apache-2.0
"""Debian's Prometheus and Pushgateway on loopback, each on a port of its own, until the test is over."""
import contextlib
import crypt
import json
import pathlib
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

PATIENCE = 30  # seconds that a service may take to begin


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(url, context=None, headers=None):
    """(status, body)."""
    request = urllib.request.Request(url, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=10, context=context) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


def wait_for(url, context=None):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            if get(url, context)[0] in (200, 401):
                return
        time.sleep(0.1)
    raise RuntimeError(f"{url} does not answer")


@contextlib.contextmanager
def service(arguments, log):
    with open(log, "wb") as out:
        process = subprocess.Popen(arguments, stdout=out, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def make_certificate(directory):
    """cert.pem and key.pem for 127.0.0.1, signed by themselves."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "30", "-subj", "/CN=pushgateway", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", "key.pem", "-out", "cert.pem"], cwd=directory, check=True, capture_output=True)


@contextlib.contextmanager
def pushgateway(directory, password=None):
    """Its URL; with a password (of the user "ballast") over TLS. `directory` has the certificate."""
    directory = pathlib.Path(directory)
    port = free_port()
    arguments = ["prometheus-pushgateway", f"--web.listen-address=127.0.0.1:{port}",
                 f"--persistence.file={directory / 'pushgateway.data'}"]
    scheme, context = "http", None
    if password is not None:
        make_certificate(directory)
        hashed = crypt.crypt(password, crypt.mksalt(crypt.METHOD_BLOWFISH, rounds=2 ** 4))
        (directory / "web.yaml").write_text(json.dumps({
            "tls_server_config": {"cert_file": str(directory / "cert.pem"),
                                  "key_file": str(directory / "key.pem")},
            "basic_auth_users": {"ballast": hashed}}))
        arguments.append(f"--web.config.file={directory / 'web.yaml'}")
        scheme, context = "https", ssl.create_default_context(cafile=directory / "cert.pem")
    with service(arguments, directory / "pushgateway.log"):
        url = f"{scheme}://127.0.0.1:{port}"
        wait_for(f"{url}/-/ready", context)
        yield url


@contextlib.contextmanager
def prometheus(directory, gateway, rules=None):
    """Its URL; it scrapes the gateway every second."""
    directory = pathlib.Path(directory)
    port = free_port()
    (directory / "prometheus.yaml").write_text(json.dumps({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(rules)] if rules else [],
        "scrape_configs": [{"job_name": "pushgateway", "honor_labels": True, "static_configs": [
            {"targets": [urllib.parse.urlsplit(gateway).netloc]}]}]}))
    with service(["prometheus", f"--config.file={directory / 'prometheus.yaml'}",
                  f"--storage.tsdb.path={directory / 'tsdb'}",
                  f"--web.listen-address=127.0.0.1:{port}"], directory / "prometheus.log"):
        url = f"http://127.0.0.1:{port}"
        wait_for(f"{url}/-/ready")
        yield url
