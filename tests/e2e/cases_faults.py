# SPDX-License-Identifier: Apache-2.0
"""What goes wrong meanwhile: conflicts, refusals, a server that dies, a run that is killed."""
import base64
import datetime
import json
import os
import signal
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import fleets
from control_plane import ApiError, wait_for
from harness import BUSY, DONE, ERROR, LEASE, ONE_BY_ONE, STOPPED, expect, expect_equal

FULL = os.environ.get("E2E_SCALE") == "full"
KILLS = int(os.environ.get("E2E_KILLS", 100 if FULL else 5))
WRITES = int(os.environ.get("E2E_WRITES", 1000 if FULL else 200))


def slow_run(c, count):
    """A run that has just begun to write, one binding after the other: (names, before, after,
    process)."""
    names = fleets.make(c.plane, count)
    before, after = c.planned()
    process = c.start("run", live=ONE_BY_ONE)
    c.wait_for_writes(before)
    return names, before, after, process


def live_case_conflict(c):
    """Bindings that change between the list and their patch: read, diagnosed and planned again."""
    _, since = c.plane.audit()
    names, before, after, process = slow_run(c, 60)
    touched, mended, gone, wants_more = names[-1], names[-2], names[-3], names[-4]
    with process.held():
        c.plane.patch(f"{fleets.BINDINGS}/{touched}", {"metadata": {"labels": {"touched": "yes"}}})
        c.plane.patch(f"{fleets.BINDINGS}/{mended}",
                      {"spec": {"clusters": [{"name": "m3", "replicas": 6}]}})
        c.plane.delete(f"{fleets.BINDINGS}/{gone}")
        c.plane.patch(f"{fleets.BINDINGS}/{wants_more}", {"spec": {"replicas": 9}})
    run = process.wait()
    now = fleets.splits(c.plane)
    expect_equal(fleets.total(now[touched]), 6, f"{touched} touched: {now[touched]}, {run.err}")
    expect_equal(now[mended], {"m3": 6}, f"{mended}, mended by somebody else")
    expect_equal(fleets.total(now[wants_more]), 9, f"{wants_more}, which wants 9 by now")
    expect(gone not in now, f"{gone} came back")
    for name in names[:-4]:
        expect_equal(now[name], after[name], name)
    expect(run.status in (DONE, ERROR), f"status {run.status}: {run.err}")
    answers = [e.get("responseStatus", {}).get("code") for e in c.plane.audit(since)[0]
               if e["verb"] == "patch" and e["objectRef"]["resource"] == "resourcebindings"]
    expect(answers.count(409) >= 3, f"{answers.count(409)} conflicts: the case shows nothing")
    expect_equal(answers.count(404), 1, "patches of what is gone")
    c.expect_nothing_to_do()


def live_case_conflict_for_ever(c):
    """A binding that somebody changes all the time: given up after some tries, the others done."""
    names = fleets.make(c.plane, 5)
    _, after = c.planned()
    stop = threading.Event()

    def disturb():
        step = 0
        while not stop.is_set():
            step += 1
            c.plane.patch(f"{fleets.BINDINGS}/{names[0]}",
                          {"metadata": {"annotations": {"step": str(step)}}})

    threads = [threading.Thread(target=disturb) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        run = c.ballast("run")
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    now = fleets.splits(c.plane)
    for name in names[1:]:
        expect_equal(now[name], after[name], name)
    expect(fleets.total(now[names[0]]) in (4, 6), f"{names[0]} is {now[names[0]]}")
    expect((run.status == DONE) == (fleets.total(now[names[0]]) == 6),
           f"status {run.status}, but {names[0]} is {now[names[0]]}")


class Admission:
    """A validating webhook that denies patches of bindings whose name ends in 9; `probe` is one."""

    def __init__(self, plane, probe):
        self.plane, self.probe = plane, probe

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):  # noqa: N802 (the library's name)
                review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                request = review["request"]
                denied = request["name"].endswith("9")
                answer = {"uid": request["uid"], "allowed": not denied}
                if denied:
                    answer["status"] = {"code": 403, "message": "quota of the moon is used up"}
                data = json.dumps({"apiVersion": review["apiVersion"], "kind": review["kind"],
                                   "response": answer}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(*plane.certificates.server("admission"))
        self.server.socket = tls.wrap_socket(self.server.socket, server_side=True,
                                             do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    PATH = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"

    def __enter__(self):
        ca = base64.b64encode(self.plane.certificates.ca.read_bytes()).decode()
        self.plane.create(self.PATH, {"metadata": {"name": "e2e"}, "webhooks": [{
            "name": "e2e.ballast.io", "sideEffects": "None", "failurePolicy": "Fail",
            "admissionReviewVersions": ["v1"],
            "clientConfig": {"url": f"https://127.0.0.1:{self.server.server_address[1]}/",
                             "caBundle": ca},
            "rules": [{"apiGroups": ["work.karmada.io"], "apiVersions": ["*"],
                       "operations": ["UPDATE"], "resources": ["resourcebindings"]}]}]})
        self.wait_until(denied=True)
        return self

    def wait_until(self, denied):
        """The server learns of it by a watch."""
        def is_so():
            try:
                self.plane.patch(f"{fleets.BINDINGS}/{self.probe}?dryRun=All",
                                 {"metadata": {"labels": {"probe": "yes"}}})
                return not denied
            except ApiError as e:
                return denied and e.status == 403
        wait_for("the webhook", is_so)

    def __exit__(self, *_):
        self.plane.delete(self.PATH + "/e2e")
        self.wait_until(denied=False)
        self.server.shutdown()
        self.server.server_close()


def live_case_admission_says_no(c):
    """Some bindings are denied: their reason is shown, the others are written, status 1."""
    names = fleets.make(c.plane, 20)
    before, after = c.planned()
    with Admission(c.plane, names[9]):
        run = c.ballast("run", "-o", "json").ended(ERROR)
        now = fleets.splits(c.plane)
        for name in names:
            expect_equal(now[name], (before if name.endswith("9") else after)[name], name)
        expect("quota of the moon" in run.out + run.err, f"the webhook's message: {run.err}")
        dry = c.ballast("run", "--server-dry-run", "-o", "json")
        expect("quota of the moon" in dry.out + dry.err, f"asked without writing: {dry.err}")
    c.finish()


def outlive_kill(c, kill, restart):
    """A server is killed in the middle of a run and comes back, at once or later: the run ends
    inside its deadline with a truthful status, no binding is half written, and the next run
    finishes."""
    for pause in (0, 3):
        fleets.make(c.plane, 200)
        before, after = c.planned()
        process = c.start("run", "--deadline=90s", live=(
            "--sources=none", "--kube-api-qps=40", "--kube-api-burst=1"))
        c.wait_for_writes(before, 10)
        with process.held():
            kill()
        time.sleep(pause)
        restart()
        run = process.wait(120)
        # BUSY: the server was away for so long that the Lease could not be kept
        expect(run.status in (DONE, ERROR, BUSY), f"status {run.status}: {run.err}")
        expect(run.seconds < 100, f"it took {run.seconds}s")
        written = c.expect_whole(before, after)
        expect(run.status != DONE or written == len(before), f"{written} written, but status 0")
        c.finish("--lock-wait=60s")


def live_case_server_killed(c):
    """The API server is killed in the middle of a run and comes back."""
    outlive_kill(c, c.plane.kill_apiserver, c.plane.start_apiserver)


def live_case_server_gone(c):
    """No server at all: the end comes with the deadline, and says so."""
    c.plane.kill_apiserver()
    try:
        run = c.ballast("run", "--deadline=5s").ended(ERROR)
        expect(run.seconds < 15, f"it took {run.seconds}s")
        expect(c.plane.url.split("//")[1] in run.err or "connect" in run.err.lower(), run.err)
    finally:
        c.plane.start_apiserver()


def live_case_deadline(c):
    """A run that has not enough time stops at a write boundary and gives the Lease back."""
    fleets.make(c.plane, 200)
    before, after = c.planned()
    run = c.ballast("run", "--deadline=5s", live=ONE_BY_ONE)
    expect(run.status != DONE, "200 writes at 20 a second within 5 seconds")
    expect(run.seconds < 30, f"it took {run.seconds}s")
    c.expect_whole(before, after)
    c.finish()  # without waiting: the Lease is free


def live_case_terminated(c):
    """SIGTERM and SIGINT: status 143, nothing half written, the Lease given back."""
    for number in (signal.SIGTERM, signal.SIGINT):
        _, before, after, process = slow_run(c, 100)
        process.kill(number)
        run = process.wait(20).ended(STOPPED)
        expect(run.out, "there is no report")
        written = c.expect_whole(before, after)
        expect(0 < written < 100, f"{written} of 100 written")
        c.finish()


def live_case_lease_taken(c):
    """A run that loses its Lease stops writing."""
    _, before, after, process = slow_run(c, 400)
    with process.held():
        c.plane.patch(LEASE, {"spec": {"holderIdentity": "somebody-else", "leaseTransitions": 99,
                                       "leaseDurationSeconds": 1}})
    run = process.wait().ended(BUSY)
    written = c.expect_whole(before, after)
    expect(written < 300, f"{written} of 400 written: it did not notice")
    expect_equal(c.plane.get(LEASE)["spec"]["holderIdentity"], "somebody-else", "holder")
    c.finish("--lock-wait=60s")


def writing_time(c):
    """When a run that is not disturbed begins and ends to write, in seconds from its start."""
    _, since = c.plane.audit()
    begin = datetime.datetime.now(datetime.timezone.utc)
    c.ballast("run").ended(DONE)
    writes = [datetime.datetime.fromisoformat(e["requestReceivedTimestamp"].replace("Z", "+00:00"))
              for e in c.plane.audit(since)[0]
              if e["verb"] == "patch" and e["objectRef"]["resource"] == "resourcebindings"]
    return [(when - begin).total_seconds() for when in (min(writes), max(writes))]


def live_case_killed(c):
    """kill -9 at random moments: every binding as before or as planned, the Lease frees itself, and
    the next run finishes the work."""
    names = fleets.make(c.plane, WRITES)
    first, last = writing_time(c)
    interrupted = 0
    for i in range(KILLS):
        replicas = 7 + i
        c.plane.each(lambda name, r=replicas: c.plane.patch(
            f"{fleets.BINDINGS}/{name}", {"spec": {"replicas": r}}), names)
        before, after = c.planned()
        process = c.start("run", "--lease-duration=3s")
        time.sleep(c.random.uniform(0.8 * first, last))
        process.kill()
        process.popen.communicate()
        written = c.expect_whole(before, after)
        interrupted += 0 < written < WRITES
        c.finish("--lock-wait=60s", tries=3)
        if i % 10 == 9:
            print(f"    {i + 1} kills, {interrupted} in the midst of writing", flush=True)
    print(f"    {KILLS} kills of {WRITES} writes, {interrupted} in the midst of writing")
    expect(interrupted or not FULL, "no run was killed in the midst of writing")


