# SPDX-License-Identifier: Apache-2.0
"""One row of the tables as a case: a run against a server that misbehaves, what must hold of every
such run, and the run after it, against a server that behaves."""
import json
import os
import re
import secrets
import subprocess
import threading
import time

from rows import DONE, EVERYTHING, NOTHING_WRITTEN, UNSEEN
from server import Fault, Server
from store import IN_ORDER, LEASE, Store

# What a run may take beyond its deadline on a busy machine: far less than a request's time-out.
SLACK = 15
ALWAYS = ("--sources=none", "--page-size=2", "--kube-api-qps=5000", "--kube-api-burst=5000",
          "--concurrency=2", "-o", "json")
DEFAULTS = {"--deadline": "60s", "--request-timeout": "20s"}
DOUBT = "it is not known whether it was carried out"


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


class Peak:
    """The most memory that a process was seen to have in use. What wait4() says would be that of
    whoever forked it, if that was more."""

    def __init__(self, pid):
        self.bytes, self.is_over = 0, threading.Event()
        self.thread = threading.Thread(target=self.look, args=(pid,), daemon=True)
        self.thread.start()

    def look(self, pid):
        while not self.is_over.wait(0.01):
            try:
                with open(f"/proc/{pid}/status", encoding="ascii") as file:
                    found = re.search(r"VmHWM:\s+(\d+) kB", file.read())
            except OSError:
                return
            self.bytes = int(found[1]) << 10 if found else self.bytes

    def stop(self):
        self.is_over.set()
        self.thread.join()
        return self.bytes


class Run:
    """Ballast, to its end; `started` is told of the process."""

    def __init__(self, program, directory, config, arguments, started=None, environment=()):
        self.line = " ".join(arguments)
        kept = {k: v for k, v in os.environ.items()
                if not k.startswith("KUBE") and not k.lower().endswith("_proxy")}
        begin = time.monotonic()
        # a file, not a pipe: what is printed must not wait for us
        with open(config.with_suffix(".out"), "w+b") as out, \
                open(config.with_suffix(".err"), "w+b") as err:
            popen = subprocess.Popen([program, *arguments, f"--kubeconfig={config}"], stdout=out,
                                     stderr=err, stdin=subprocess.DEVNULL,
                                     env={**kept, "HOME": str(directory), **dict(environment)})
            if started is not None:
                started(popen)
            peak = Peak(popen.pid)
            try:
                self.status = popen.wait(deadline_of(self) + SLACK)
            except subprocess.TimeoutExpired:
                popen.kill()
                popen.wait()
                self.status = None
            self.seconds = time.monotonic() - begin
            self.peak = peak.stop()
            out.seek(0)
            err.seek(0)
            self.out = out.read().decode("utf-8", "replace")
            self.err = err.read().decode("utf-8", "replace")

    @property
    def items(self):
        """Of the report, when there is one: {path's end: item}."""
        if not self.out:
            return {}
        document = json.loads(self.out)
        return {f"{i['namespace']}/{i['name']}" if i.get("namespace") else i["name"]: i
                for i in document["items"]}

    def __str__(self):
        return f"ballast {self.line}: status {self.status} after {self.seconds:.1f}s\n{self.err}"


def name_of(path):
    """As Run.items has it."""
    found = re.search(r"/namespaces/([^/]+)/.*/([^/]+)$", path)
    return f"{found[1]}/{found[2]}" if found else path.rpartition("/")[2]


class Place:
    """What the cases share: the program, certificates, a directory."""

    def __init__(self, program, directory, certificates):
        self.program, self.directory, self.certificates = program, directory, certificates

    def kubeconfig(self, name, server, token, cluster=(), user=()):
        path = self.directory / f"{name}.json"
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "x",
            "contexts": [{"name": "x", "context": {"cluster": "x", "user": "x"}}],
            "clusters": [{"name": "x", "cluster": {
                "server": server, "certificate-authority": str(self.certificates["ca"][0]),
                **dict(cluster)}}],
            "users": [{"name": "x", "user": {**({"token": token} if token else {}),
                                             **dict(user)}}]}))
        return path

    def run(self, config, command, flags, started=None, environment=()):
        given = {flag.partition("=")[0] for flag in flags}
        defaults = [f"{k}={v}" for k, v in DEFAULTS.items() if k not in given]
        kept = [flag for flag in ALWAYS if flag.partition("=")[0] not in given]
        return Run(self.program, self.directory, config,
                   [*command.split(), *kept, *defaults, *flags], started, environment)


def deadline_of(run):
    return float(re.search(r"--deadline=(\d+)s", run.line)[1])


def expect_in_time(run):
    expect(run.status is not None, "it did not end inside its deadline")


def expect_no_secret(run, secret):
    expect(secret not in run.out + run.err, "the token is in what was printed")


def expect_whole(store, before):
    """No wrong sum, ever; and no write that was none of ours to make."""
    expect(not store.wrongs, "; ".join(store.wrongs))
    replicas = store.replicas()
    for path, split in store.splits().items():
        expect(split == before.get(path) or sum(split.values()) == replicas[path],
               f"{path} is {split}: not as before, and not {replicas[path]} replicas")


def expect_truth(run, store, before):
    """What the report and the status say of each write is what the server knows of it."""
    written = {path for path, _, _ in store.writes}
    now = store.splits()
    for path in before:
        write = run.items.get(name_of(path), {}).get("write")
        if write is None:
            continue
        if write["status"] == "Done":
            expect(path in written or now[path] != before[path],
                   f"{path} is said to be written, and was not")
        elif DOUBT not in write["message"]:
            expect(path not in written, f"{path} was written, and is said not to be: {write}")
    if run.status in (DONE, UNSEEN) and "dry-run" not in run.line and "plan" not in run.line:
        lacking = [path for path, split in now.items()
                   if sum(split.values()) != store.replicas()[path]]
        # an object that cannot be read is skipped, and the run goes on
        expect(len(lacking) <= run.err.count("] skipped "),
               f"status 0, but something was not written: {lacking}")


def expect_ending(run, row):
    if row.ends is not None:
        expect(run.status == row.ends, f"want status {row.ends}")
    said = run.err + "".join(i["write"]["message"] + "\n" for i in run.items.values()
                             if i.get("write"))
    expect(re.search(row.says, said), f"want a message with {row.says!r}, got: {said}")
    if run.status not in (DONE, UNSEEN, 75) and "skipped" not in run.err:
        expect(re.search(r"(GET|PATCH|POST|PUT) https://127\.0\.0\.1:\d+/", said),
               f"want a message that names method and URL, got: {said}")


def expect_written(row, store, before):
    written = {path for path, _, _ in store.writes}
    in_need = {path for path, split in before.items() if split != IN_ORDER}
    now = store.splits()
    if row.written == NOTHING_WRITTEN:
        expect(not written, f"written although nothing was to be: {written}")
    if row.written == EVERYTHING:
        expect(all(now[p] != before[p] for p in in_need), f"not all is written: {now}")
    if row.same_plan:
        for path in written:
            expect(now[path] == IN_ORDER, f"{path} is {now[path]}, planned was {IN_ORDER}")
    if row.command != "run":
        touched = {r.method for r in store.requests} - {"GET"}
        expect(not touched, f"{row.command} sent {touched}")


def expect_mended(place, config, server, row):
    """The server behaves again: the next run does what is left to do."""
    store = server.store
    before = store.splits()
    server.faults.clear()
    if not row.lease_is_free:
        store.objects.pop(LEASE, None)
    if server.socket.fileno() < 0:
        server.start()
    run = place.run(config, "run", ())
    expect(run.status == DONE, f"the run after it, without a fault: {run}")
    replicas = store.replicas()
    for path, split in store.splits().items():
        expect(sum(split.values()) == replicas[path], f"{path} is {split} in the end")
        expect(not row.same_plan or split == IN_ORDER, f"{path} is {split} in the end")
        expect(sum(before[path].values()) != replicas[path] or before[path] == split,
               f"{path} was in order and was changed from {before[path]} to {split}")
    expect(not store.lease_holder(), "the Lease was not given back in the end")


def with_patience(play_once, place, name, row, protocol):
    """What failed with little time gets more once: on a busy machine a short deadline may pass
    before there is anything to see."""
    try:
        play_once(place, name, row, protocol, row.flags)
    except Failure:
        longer = tuple(re.sub(r"(?<=--deadline=)\d+", lambda s: str(5 * int(s[0])), flag)
                       for flag in row.flags)
        if longer == row.flags:
            raise
        play_once(place, name, row, protocol, longer)


def play(place, name, row, protocol):
    """Raises Failure, with what there is to know."""
    with_patience(play_once, place, name, row, protocol)


def play_once(place, name, row, protocol, flags):
    token = secrets.token_hex(16)
    store = Store(token)
    faults = [Fault(hit.on, hit.act, hit.times, hit.after) for hit in row.hits]
    server = Server(store, place.certificates, protocol, faults)
    before = store.splits()
    run = None
    try:
        config = place.kubeconfig(name, server.url, token)
        run = place.run(config, row.command, flags)
        expect_in_time(run)
        expect_no_secret(run, token)
        expect_whole(store, before)
        expect_ending(run, row)
        expect_truth(run, store, before)
        expect_written(row, store, before)
        for hit, fault in zip(row.hits, faults):
            expect((fault.hits > 0) == hit.wanted, f"{fault.hits} times a fault of {hit.on}")
        expect(not row.lease_is_free or not store.lease_holder(), "the Lease was not given back")
        expect_mended(place, config, server, row)
    except Failure as e:
        raise Failure(f"{e}\n{run}{run.out[:1500] if run else ''}") from None
    finally:
        server.stop()
