# SPDX-License-Identifier: Apache-2.0
"""Ballast as a process, and what a case says about it."""
import contextlib
import json
import os
import random
import signal
import subprocess
import threading
import time

import fleets
from control_plane import ApiError, wait_for

FAST = ["--kube-api-qps=5000", "--kube-api-burst=5000"]
# one write after the other, 20 a second
ONE_BY_ONE = ("--sources=none", "--kube-api-qps=20", "--kube-api-burst=1", "--concurrency=1")
LEASE = "/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/ballast"
DONE, ERROR, CHANGES, REFUSED, UNSEEN, USAGE, BUSY, STOPPED = 0, 1, 2, 3, 4, 64, 75, 143


class Failure(Exception):
    pass


class DoesNotApply(Exception):
    """Raised by a case about something that the release under test does not have."""


def expect(condition, message):
    if not condition:
        raise Failure(message)


def expect_equal(got, want, what):
    if got != want:
        raise Failure(f"{what}: got {shorten(got)}, want {shorten(want)}")


def shorten(thing):
    text = repr(thing)
    return text if len(text) < 600 else text[:600] + "..."


class Run:
    """A finished run."""

    def __init__(self, arguments, status, out, err, seconds):
        self.arguments, self.status, self.out, self.err = arguments, status, out, err
        self.seconds = seconds

    def ended(self, *statuses):
        if self.status not in statuses:
            raise Failure(f"ballast {' '.join(self.arguments)}: ended with {self.status}, want "
                          f"{statuses}\n{self.err[-1500:]}")
        return self

    @property
    def planned(self):
        """The report but for which fleet it is about."""
        return self.out[self.out.index('"summary"'):]

    @property
    def document(self):
        return json.loads(self.out)


class Process:
    def __init__(self, program, arguments, environment, prefix=()):
        self.arguments, self.begin = arguments, time.monotonic()
        self.popen = subprocess.Popen(
            [*prefix, program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, stdin=subprocess.DEVNULL, env=environment)

    def wait(self, seconds=300):
        try:
            out, err = self.popen.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            _, err = self.popen.communicate()
            raise Failure(f"ballast {' '.join(self.arguments)}: still there after {seconds}s\n"
                          f"{err[-1500:]}") from None
        return Run(self.arguments, self.popen.returncode, out, err,
                   time.monotonic() - self.begin)

    def kill(self, number=signal.SIGKILL):
        self.popen.send_signal(number)

    @property
    def running(self):
        return self.popen.poll() is None

    @contextlib.contextmanager
    def held(self):
        """It stands still meanwhile, wherever it is."""
        expect(self.running, f"ballast {' '.join(self.arguments)} was over too soon")
        self.kill(signal.SIGSTOP)
        try:
            yield
        finally:
            self.kill(signal.SIGCONT)


class Context:
    """What a case is given."""

    def __init__(self, program, binaries, plane, seed):
        self.program, self.binaries, self.plane = program, binaries, plane
        self.random = random.Random(seed)
        self.started = []
        self.ballast_token = None
        self.members = self.host = None

    def ready(self):
        """The shipped identities and roles, as installed, and a real token of Ballast's."""
        self.ballast_token = self.plane.service_account_token("ballast")

    def federation(self):
        """Three members; started when a case wants them first."""
        if self.members is None:
            from federation import Federation  # which builds on this file
            self.members = Federation(self)
        return self.members

    def kubefed(self):
        """A KubeFed host with the same three members; likewise."""
        if self.host is None:
            from kubefed import KubeFed
            self.host = KubeFed(self)
        return self.host

    def config(self, name="ballast", **user):
        return self.plane.kubeconfig(name, user or {"token": self.ballast_token})

    def environment(self, **more):
        mine = {k: v for k, v in os.environ.items()
                if not k.startswith("KUBE") and k.lower() != "https_proxy"}
        return {**mine, "HOME": str(self.plane.directory / "home"), **more}

    def start(self, *arguments, config=None, live=("--sources=none", *FAST), environment=None,
              prefix=()):
        """`config` False: none is named. `prefix`: a command that runs it."""
        if config is not False:
            arguments = (*arguments, f"--kubeconfig={config or self.config()}")
        process = Process(self.program, [*arguments, *live], environment or self.environment(),
                          prefix)
        self.started.append(process)
        return process

    def ballast(self, *arguments, **how):
        return self.start(*arguments, **how).wait()

    def stop_all(self):
        for process in self.started:
            if process.running:
                process.kill()
                process.popen.communicate()
        self.started.clear()

    def planned(self, **how):
        """The splits before and after, by name, as `plan` says them."""
        items = self.ballast("plan", "--show-all", "-o", "json", **how).ended(DONE).document["items"]

        def side(which):
            return {i["name"]: {t["name"]: t["replicas"] for t in i[which] if t["replicas"]}
                    for i in items}
        return side("before"), side("after")

    def expect_nothing_to_do(self):
        self.ballast("plan", "--detailed-exitcode").ended(DONE)

    def expect_whole(self, before, after):
        """Every binding is either as before or as planned; returns how many are as planned."""
        written = 0
        for name, split in fleets.splits(self.plane).items():
            expect(split in (before.get(name), after.get(name)),
                   f"{name} is {split}: neither as before, {before.get(name)}, nor as planned, "
                   f"{after.get(name)}")
            written += split == after[name] and split != before[name]
        return written

    def finish(self, *flags, tries=1):
        """The next run does the rest and keeps what the last one wrote. (What it plans for the rest
        may differ: what was written takes room.) With more `tries` it may lose its own Lease to a
        server that is too busy to renew it."""
        was = fleets.splits(self.plane)
        wanted = {b["metadata"]["name"]: b["spec"]["replicas"]
                  for b in self.plane.list(fleets.BINDINGS)}
        run = self.ballast("run", *flags)
        while run.status == BUSY and tries > 1:
            tries -= 1
            run = self.ballast("run", *flags)
        run.ended(DONE)
        for name, split in fleets.splits(self.plane).items():
            expect_equal(fleets.total(split), wanted[name], f"replicas of {name}, {split}")
            expect(fleets.total(was[name]) != wanted[name] or split == was[name],
                   f"{name} was in order as {was[name]}, and became {split}")
        self.expect_nothing_to_do()

    def wait_for_writes(self, before, count=1, seconds=120):
        """Until a run that is under way has written so many. It writes them by name, as they are all
        of the same urgency."""
        name = sorted(before)[count - 1]

        def enough():
            return fleets.split_of(self.plane.get(f"{fleets.BINDINGS}/{name}")) != before[name]
        wait_for(f"{count} writes", enough, seconds, 0.02)


class Meanwhile:
    """Does something again and again in the background."""

    def __init__(self, action, pause=0.0):
        self.stop, self.count, self.error = threading.Event(), 0, None
        self.thread = threading.Thread(target=self.loop, args=(action, pause), daemon=True)

    def loop(self, action, pause):
        while not self.stop.wait(pause):
            try:
                action(self.count)
            except ApiError as e:
                self.error = e
                return
            self.count += 1

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()


