#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""pushing.py BUILD: what --metrics-push leaves in a real Pushgateway, and what a run makes of one that
is not there, does not answer, or refuses."""
import base64
import contextlib
import http.server
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

import services

TOP = pathlib.Path(__file__).resolve().parents[2]
BALLAST = pathlib.Path(sys.argv[1]).resolve() / "ballast"
PASSWORD = "pass:word-not-to-be-told"
SAMPLE = re.compile(r'^(\w+)\{([^}]*)\} (\S+)$', re.M)


def run(work, *arguments, fleet="fleet", command="run"):
    """(status, what it said, seconds) of a run on a copy of the example."""
    if not (work / "fleet").exists():
        shutil.copytree(TOP / "examples/fleet", work / "fleet")
    begun = time.monotonic()
    done = subprocess.run([BALLAST, command, "--fleet", fleet, "-o", "table", *arguments], cwd=work,
                          capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stderr, time.monotonic() - begun


def samples(url, work=None):
    """{(metric, labels): value} of what the gateway has of ours."""
    context = ssl.create_default_context(cafile=work / "cert.pem") if work else None
    word = base64.b64encode(f"ballast:{PASSWORD}".encode()).decode()
    status, text = services.get(f"{url}/metrics", context, {"Authorization": f"Basic {word}"})
    assert status == 200, text
    return {(name, frozenset(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels))): float(value)
            for name, labels, value in SAMPLE.findall(text) if "job=\"ballast\"" in labels}


def one(found, name, **labels):
    fitting = [value for (got, has), value in found.items()
               if got == name and set(labels.items()) <= has]
    assert len(fitting) == 1, f"{name} {labels}: {len(fitting)} of them"
    return fitting[0]


def names(found, **labels):
    return {name for (name, has) in found if set(labels.items()) <= has}


def write_auth(work, text, mode=0o600):
    path = work / "auth"
    path.write_text(text)
    path.chmod(mode)
    return path


@contextlib.contextmanager
def server(answer):
    """A gateway of ours: `answer` is called with each request."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_PUT(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            answer(self)

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listening.server_address[1]}"
        finally:
            listening.shutdown()


# ---- a real Pushgateway ----

def case_groups(work):
    """A run that fails takes nothing of the last success away, and leaves nothing of the last plan."""
    with services.pushgateway(work) as url:
        assert run(work, "--metrics-push", url, "--metrics-control-plane", "prod")[:2] == (0, "")
        found = samples(url)
        first = one(found, "ballast_last_success_timestamp_seconds", control_plane="prod")
        assert one(found, "ballast_last_run_status", command="run") == 0
        assert one(found, "ballast_replicas_moved", command="run") == 7
        status, said, _ = run(work, "--metrics-push", url + "/", "--metrics-control-plane", "prod",
                              fleet="nowhere")
        assert status == 1 and "metrics" not in said, said
        found = samples(url)
        assert one(found, "ballast_last_success_timestamp_seconds") == first
        assert one(found, "ballast_last_run_status") == 1
        assert "ballast_replicas_moved" not in names(found)
        assert run(work, "--metrics-push", url, "--metrics-control-plane", "prod")[0] == 0
        found = samples(url)
        assert one(found, "ballast_last_success_timestamp_seconds") > first
        assert one(found, "ballast_replicas_moved") == 0


def case_side_by_side(work):
    """Control planes and commands do not take each other's place, whatever they are called."""
    odd = 'a/b "c"\\ +%'
    with services.pushgateway(work) as url:
        for name in ("prod", odd, ".."):
            assert run(work, "--metrics-push", url, "--metrics-control-plane", name)[:2] == (0, "")
        assert run(work, "--metrics-push", url, command="plan")[:2] == (0, "")
        found = samples(url)
        for name in ("prod", odd.replace("\\", "\\\\").replace('"', '\\"'), ".."):
            one(found, "ballast_last_success_timestamp_seconds", control_plane=name, command="run")
            one(found, "ballast_last_run_status", control_plane=name, command="run")
        one(found, "ballast_last_success_timestamp_seconds", control_plane="fleet", command="plan")
        one(found, "ballast_last_run_status", control_plane="fleet", command="plan")


def case_nameless(work):
    """Of a run that does not know what it is about nothing stays there for ever."""
    with services.pushgateway(work) as url:
        done = subprocess.run([BALLAST, "run", "--kubeconfig", "nowhere", "--metrics-push", url],
                              cwd=work, capture_output=True, text=True, check=False)
        assert done.returncode != 0 and "(--metrics-control-plane)" in done.stderr, done.stderr
        assert not samples(url)


def case_tls_and_auth(work):
    """TLS by an authority of its own, and a user with a password that is told nowhere."""
    config = work / "config.yaml"
    with services.pushgateway(work, PASSWORD) as url:
        auth = write_auth(work, f"ballast:{PASSWORD}\n")
        config.write_text("apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
                          f"metrics: {{push: {{url: '{url}', authFile: {auth}, caFile: cert.pem}}}}\n")
        status, said, _ = run(work, "--config", str(config), "-v", "10")
        assert status == 0 and "W" not in re.sub(r"(?m)^[^W].*\n", "", said), said
        assert PASSWORD not in said
        assert one(samples(url, work), "ballast_last_run_status") == 0
        for arguments, complaint in (
                (["--metrics-push-auth-file", str(auth)], "certificate"),
                (["--metrics-push-ca-file", "cert.pem"], "HTTP 401: it wants a user and password"),
                (["--metrics-push-ca-file", "auth", "--metrics-push-auth-file", str(auth)], "certificate"),
        ):
            status, said, _ = run(work, "--metrics-push", url, *arguments)
            assert status == 0 and complaint in said and PASSWORD not in said, said
        for text, mode, complaint in (("ballast:other", 0o600, "does not take the user and password"),
                                      (PASSWORD.replace(":", ""), 0o600, "USER:PASSWORD"),
                                      (f"ballast:{PASSWORD}", 0o644, "anybody may read"),
                                      (f"ballast:{PASSWORD}" + "x" * 5000, 0o600, "4096 bytes")):
            write_auth(work, text, mode)
            status, said, _ = run(work, "--metrics-push", url, "--metrics-push-ca-file", "cert.pem",
                                  "--metrics-push-auth-file", str(auth))
            assert status == 0 and complaint in said and PASSWORD not in said, said


# ---- one that is none ----

def warns(work, url, *complaints, seconds=3.0):
    """The run is as it would be without; it says what is wrong, and is over in time."""
    status, said, took = run(work, "--metrics-push", url, "--metrics-push-timeout", "1s",
                             "--metrics-control-plane", "prod")
    assert status == 0, said
    assert said.count("\n") == 1 and said.startswith("W"), said
    assert all(complaint in said for complaint in complaints), said
    assert took < seconds, f"{took:.1f} s"


def case_refused(work):
    """Nobody listens there, or it has no address."""
    warns(work, f"http://127.0.0.1:{services.free_port()}", "Connection refused", seconds=1.0)
    warns(work, "http://pushgateway.invalid:9091", "resolve", seconds=3.0)


def case_silent(work):
    """One that takes the connection and says nothing, and one that drips."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        warns(work, f"http://127.0.0.1:{silent.getsockname()[1]}", "1", seconds=2.5)
        warns(work, f"https://127.0.0.1:{silent.getsockname()[1]}", "1", seconds=2.5)

    def drip(request):
        with contextlib.suppress(OSError):
            for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1000:
                request.wfile.write(bytes([byte]))
                time.sleep(0.05)
    with server(drip) as url:
        warns(work, url, "1", seconds=2.5)


def case_answers(work):
    """What it says is told in a line, as far as it is short, and nobody follows it elsewhere."""
    visited = []

    def elsewhere(request):
        visited.append(1)
        request.send_response(204)
        request.end_headers()

    def send(status, body, **headers):
        def answer(request):
            request.send_response(status)
            for name, value in headers.items():
                request.send_header(name, value)
            request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            with contextlib.suppress(OSError):
                request.wfile.write(body)
        return answer

    with server(send(400, b"pushed metrics are \x1b[31minvalid\n")) as url:
        warns(work, url, "HTTP 400: pushed metrics are \\u001B[31minvalid")
    with server(send(500, b"x" * 10_000_000)) as url:
        warns(work, url, "HTTP 500: xxx")
    with server(elsewhere) as other, server(send(307, b"", Location=other)) as url:
        warns(work, url, "HTTP 307", "not followed")
        assert not visited


def case_signal(work):
    """A run that is told to end does not wait for the answer."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with subprocess.Popen([BALLAST, "plan", "--fleet", "fleet", "--metrics-push", url,
                               "--metrics-push-timeout", "30s"], cwd=work, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            silent.settimeout(10)
            with silent.accept()[0]:
                begun = time.monotonic()
                process.terminate()
                said = process.communicate(timeout=20)[1]
            assert time.monotonic() - begun < 2, said
            assert process.returncode == 0 and "stopped by a signal" in said, said


def main():
    cases = {name: case for name, case in globals().items() if name.startswith("case_")}
    failed = 0
    for name, case in cases.items():
        with tempfile.TemporaryDirectory() as directory:
            work = pathlib.Path(directory)
            shutil.copytree(TOP / "examples/fleet", work / "fleet")
            try:
                case(work)
            except Exception as complaint:  # the others are still to be tried
                failed += 1
                print(f"FAILED: {name}: {type(complaint).__name__}: {complaint}")
                if os.environ.get("MONITORING_VERBOSE"):
                    raise
    print(f"pushing: {len(cases) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
