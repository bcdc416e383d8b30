# SPDX-License-Identifier: Apache-2.0
"""Undos against a server that misbehaves, others at work, and signals. A cluster was lost, a run left
it and a record of that, and the cluster came back. Whatever happens, what the undo's own record and
report say of a binding is what the server knows of it, no binding is anything but as the run left it
or as it was before it, and an undo without a fault does the rest."""
import copy
import datetime
import json
import os
import pathlib
import pty
import secrets
import signal
import subprocess
import threading
import time

import faults as f
from cases import ALWAYS, DEFAULTS, SLACK, Failure, expect, expect_in_time, expect_no_secret
from cases_lost import LAST_MOVE, LOST, make_store, say_ready
from rows import BOTH, BUSY, DONE, ERROR, USAGE
from server import Fault, Server
from store import IN_ORDER, LEASE, SHOP_BINDINGS, binding, failure

STOPPED = 143
WEB = f"{SHOP_BINDINGS}/web-1"
SOLO = f"{SHOP_BINDINGS}/solo"
MINE = {"spec": {"clusters": [{"name": "m2", "replicas": 6}]}}


def bindings(store):
    return {path: copy.deepcopy(thing) for path, thing in store.objects.items()
            if "bindings/" in path}


class Hand:
    """Ballast by hand: a terminal for standard input and error, at which `answer` is typed."""

    def __init__(self, place, config, flags, answer):
        ours, theirs = pty.openpty()
        self.err, self.line = b"", " ".join(flags)
        with open(config.with_suffix(".out"), "w+b") as out:
            popen = subprocess.Popen(
                [place.program, *flags, *ALWAYS, "--deadline=60s", f"--kubeconfig={config}"],
                stdin=theirs, stdout=out, stderr=theirs,
                env={"HOME": str(place.directory), "PATH": os.environ["PATH"], "TERM": "dumb"})
            os.close(theirs)
            reader = threading.Thread(target=self.read, args=(ours, answer), daemon=True)
            reader.start()
            try:
                self.status = popen.wait(60 + SLACK)
            except subprocess.TimeoutExpired:
                popen.kill()
                self.status = popen.wait() and None
            reader.join(5)
        os.close(ours)

    def read(self, terminal, answer):
        typed = False
        while True:
            try:
                more = os.read(terminal, 65536)
            except OSError:
                return
            if not more:
                return
            self.err += more
            if answer and not typed and b"[y/N" in self.err:
                typed = os.write(terminal, answer.encode() + b"\n") > 0

    def __str__(self):
        return f"ballast {self.line}: status {self.status}\n{self.err.decode('utf-8', 'replace')}"


class Story:
    """A server, the run whose record is to be taken back, and undos of it."""

    def __init__(self, place, name, protocol):
        self.place, self.token = place, secrets.token_hex(16)
        self.store = make_store(self.token)
        self.store.put(SOLO, binding("solo", {LOST: 6}))
        self.server = Server(self.store, place.certificates, protocol)
        self.config = place.kubeconfig(name, self.server.url, self.token)
        self.records, self.undos = (place.directory / f"{name}-{what}" for what in ("run", "undo"))
        policy = place.directory / f"{name}.yaml"
        policy.write_text("apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
                          "triggers: {UnhealthyCluster: true}\n")
        self.before = bindings(self.store)
        self.said = ""
        self.keep(place.run(self.config, "run", (f"--config={policy}", f"--records={self.records}")),
                  DONE)
        say_ready(self.store, "True")
        self.after = bindings(self.store)
        self.store.writes.clear()
        self.runs_events = list(self.store.events)
        self.store.events.clear()

    def keep(self, run, ends):
        self.said += f"{run}\n{run.out[:600]}\n"
        expect_in_time(run)
        expect_no_secret(run, self.token)
        expect(not self.store.wrongs, "; ".join(self.store.wrongs))
        expect(ends is None or run.status == ends, f"want status {ends}")
        return run

    def undo(self, *faults, ends=DONE, flags=(), what="latest", started=None):
        self.server.faults[:] = faults
        argument = what if what != "latest" else self.records
        run = self.place.run(self.config, f"undo {argument}",
                             (f"--records={self.undos}", *flags), started)
        self.keep(run, ends)
        self.expect_sane()
        return run

    # --- what must hold ---

    def expect_sane(self):
        for path, thing in bindings(self.store).items():
            split = thing["spec"]["clusters"]
            expect(split in (self.before[path]["spec"]["clusters"],
                                            self.after[path]["spec"]["clusters"],
                                            MINE["spec"]["clusters"]),
                   f"{path} is {split}: neither as before the run nor as it left it")

    def is_back(self, path):
        return (self.store.objects[path]["spec"]["clusters"] ==
                self.before[path]["spec"]["clusters"])

    def expect_back(self, but=()):
        """Byte for byte, and no task is left from where it is again."""
        for path, thing in bindings(self.store).items():
            if path in but:
                continue
            expect(json.dumps(thing["spec"]["clusters"]) ==
                   json.dumps(self.before[path]["spec"]["clusters"]), f"{path} is not back")
            tasks = [t["fromCluster"] for t in thing["spec"].get("gracefulEvictionTasks") or []]
            want = ["m2", "m3"] if path == SOLO else []
            expect(sorted(tasks) == want, f"{path} has tasks from {tasks}, want {want}")
            history = json.loads(thing["metadata"]["annotations"][LAST_MOVE])
            expect(history["reason"] == "Undo", f"{path}: {history}")

    def records_of_undos(self):
        return [json.loads(p.read_text()) for p in sorted(pathlib.Path(self.undos).glob("*.json"))]

    def expect_record(self, run):
        """The undo's own record says what the server knows, and names what it took back."""
        record = self.records_of_undos()[-1]
        expect(record["command"] == "undo" and len(record["undoes"]) == 1, f"{record}")
        written = {path.rpartition("/")[2] for path, _, _ in self.store.writes}
        for item in record["items"]:
            is_done = item["status"] == "Done"
            expect(is_done == (item["name"] in written), f"recorded {item}, written {written}")
            # what is not done says why: a record that nobody can read is none
            expect(is_done or item.get("message") or item["status"] == "Pending", f"{item}")
        for name, item in run.items.items():
            write = item.get("write")
            if write and write["status"] != "Skipped":
                recorded = [i for i in record["items"] if i["name"] == name.rpartition("/")[2]]
                expect(not recorded or recorded[0]["status"] == write["status"],
                       f"{name}: reported {write}, recorded {recorded}")
        return record

    def expect_mended(self):
        """What is left goes back with the next one, and then there is nothing to do."""
        self.store.objects.pop(LEASE, None)
        self.undo()
        self.expect_back()
        count = len(self.store.writes)
        again = self.undo()
        expect(len(self.store.writes) == count, "written once more")
        codes = {r["code"] for i in again.items.values() for r in i["reasons"]}
        expect(codes <= {"InPlace"}, f"nothing to do for {codes}")


# --- as it should be ----------------------------------------------------------------------------

def texts_of(events):
    """Those of cluster-wide objects are core Events."""
    return [e.get("note") or e["message"] for e in events]


def goes_back(story):
    record = json.loads(next(pathlib.Path(story.records).glob("*.json")).read_text())
    expect(len(record["items"]) == len(story.before), f"{len(record['items'])} are recorded")
    notes = texts_of(story.runs_events)
    expect(len(notes) >= len(story.before) and all(record["id"] in n for n in notes),
           f"an Event of the run does not say which record: {notes}")
    run = story.undo()
    story.expect_back()
    undone = story.expect_record(run)
    expect(undone["undoes"] == [record["id"]], f"{undone['undoes']} are undone")
    notes = texts_of(story.store.events)
    expect(len(notes) >= len(story.before) and
           all(record["id"] in n and undone["id"] in n for n in notes),
           f"an Event of the undo does not say which records: {notes}")
    expect(not story.store.lease_holder(), "the Lease was not given back")
    story.expect_mended()


def dry(story):
    story.store.requests.clear()
    run = story.undo(flags=("--dry-run",))
    expect(len(run.items) == len(story.before) and
           all(i["action"] == "Move" for i in run.items.values()), f"{run.items}")
    expect({r.method for r in story.store.requests} == {"GET"}, "a dry run sent more than GETs")
    expect(not story.undos.exists(), "a dry run left a record")
    story.undo(ends=2, flags=("--dry-run", "--detailed-exitcode"))
    story.expect_mended()


def undone_again(story):
    """The undo's own record is one like any other."""
    story.undo()
    story.undo(what=story.undos)
    for path, thing in bindings(story.store).items():
        expect(thing["spec"]["clusters"] == story.after[path]["spec"]["clusters"],
               f"{path} is not as the run left it")
    tasks = [t["fromCluster"] for t in story.store.objects[SOLO]["spec"]["gracefulEvictionTasks"]]
    expect(tasks == [LOST], f"tasks from {tasks}: the undo's own are to go, and where it leaves again"
           " nobody saw that nothing is ready")


# --- others at work -----------------------------------------------------------------------------

def now_text():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def lease_is_held(story):
    """By another, who renews it: nothing is read, and nothing written."""
    story.store.put(LEASE, {
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
        "metadata": {"name": "ballast", "namespace": "karmada-system"},
        "spec": {"holderIdentity": "another", "leaseDurationSeconds": 15,
                 "acquireTime": now_text(), "renewTime": now_text()}})

    def act(x):
        story.store.touch(LEASE, {"spec": {"renewTime": now_text()}})
        x.send(x.carry_out())

    run = story.undo(Fault("lease read", act), ends=BUSY)
    expect("another run is under way: another" in run.err, "who holds the Lease is not said")
    expect(not story.store.writes and not story.undos.exists(), "written without the Lease")
    story.expect_mended()


def lease_is_given_back(story):
    """It waits for a while (--lock-wait), and has the Lease when the other is done with it."""
    lease_is_held_for = 3
    looks = []
    story.store.put(LEASE, {
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
        "metadata": {"name": "ballast", "namespace": "karmada-system"},
        "spec": {"holderIdentity": "another", "leaseDurationSeconds": 15,
                 "acquireTime": now_text(), "renewTime": now_text()}})

    def act(x):
        looks.append(x)
        over = len(looks) > lease_is_held_for
        story.store.touch(LEASE, {"spec": {"renewTime": now_text(),
                                           "holderIdentity": "" if over else "another"}})
        x.send(x.carry_out())

    story.undo(Fault("lease read", act, times=lease_is_held_for + 1),
               flags=("--lock-wait=30s",))
    expect(len(looks) > lease_is_held_for, "it did not wait")
    story.expect_back()


def run_meets_undo(story):
    """A run that begins while an undo writes has no Lease."""
    second = []

    def act(x):
        other = story.config.with_stem(story.config.stem + "-second")
        other.write_text(story.config.read_text())
        second.append(story.place.run(other, "run", ()))
        x.send(x.carry_out())

    story.undo(Fault("patch", act, times=1))
    expect(second[0].status == BUSY, f"the run: {second[0]}")
    story.expect_back()


def annotated_between(story):
    """A conflict, but the split is the run's still: it goes back, and the annotation stays."""
    act = f.meanwhile({"metadata": {"annotations": {"mine": "yes"}}})
    fault = Fault("patch", act, times=3)
    story.undo(fault)
    expect(fault.hits == 3, "no conflict")
    story.expect_back()
    kept = [t for t in bindings(story.store).values() if t["metadata"]["annotations"].get("mine")]
    expect(len(kept) == 3, "what others annotated is gone")


def moved_between(story):
    """A conflict, and the split is not the run's any more: it stays as whoever changed it wants."""
    touched = []

    def act(x):
        touched.append(x.request.path)
        return f.meanwhile(MINE)(x)

    run = story.undo(Fault("patch", act, times=1), ends=ERROR)
    path = touched[0]
    expect(story.store.objects[path]["spec"]["clusters"] == MINE["spec"]["clusters"],
           f"{path} was changed by another, and by the undo after that")
    story.expect_back(but=(path,))
    expect("ChangedSince" in run.out, "it is not said why")
    story.expect_record(run)


def changed_before(story):
    story.store.touch(WEB, MINE)
    count = len(story.store.writes)
    run = story.undo(ends=ERROR)
    expect(story.store.objects[WEB]["spec"]["clusters"] == MINE["spec"]["clusters"], "overwritten")
    expect(len(story.store.writes) - count == len(story.before) - 1, "not all others are back")
    reasons = run.items["shop/web-1"]["reasons"]
    expect([r["code"] for r in reasons] == ["ChangedSince"] and "m2:6" in reasons[0]["message"],
           f"{reasons}")
    story.expect_back(but=(WEB,))


def deleted_between(story):
    gone = []

    def act(x):
        gone.append(x.request.path)
        return f.deleted(x)

    run = story.undo(Fault("patch", act, times=1), ends=None)
    expect(run.status in (DONE, ERROR), "it did not end by itself")
    expect(gone[0] not in story.store.objects, "made anew")
    story.expect_back()
    run = story.undo(ends=ERROR)
    expect("does not exist any more" in run.out + run.err, "it is not said that one is gone")


def another_server(story):
    record = next(pathlib.Path(story.records).glob("*.json"))
    record.write_text(record.read_text().replace(story.server.url, "https://elsewhere:6443"))
    run = story.undo(ends=USAGE)
    expect("of another fleet" in run.err and not story.store.writes, "it was taken")
    story.undo(flags=("--any-fleet",))
    story.expect_back()


# --- a server that misbehaves -------------------------------------------------------------------

def mends(*faults):
    """It is tried again, and goes through."""
    def play(story):
        ours = [Fault(*fault) for fault in faults]
        run = story.undo(*ours)
        expect(all(fault.hits > 0 for fault in ours), "a fault was not felt")
        story.expect_back()
        story.expect_record(run)
        story.expect_mended()
    return play


def fails(*faults, says, flags=()):
    """It is told; nothing is half done; the next one does the rest."""
    def play(story):
        run = story.undo(*(Fault(*fault) for fault in faults), ends=ERROR, flags=flags)
        said = run.err + run.out
        expect(says in said, f"want {says!r}")
        if story.records_of_undos():
            story.expect_record(run)
        story.expect_mended()
    return play


SHORT = ("--deadline=2s", "--request-timeout=60s")


# --- signals ------------------------------------------------------------------------------------

def signalled(number, after):
    """SIGTERM at the nth PATCH: that one is carried out, the rest is not, and the record says so."""
    def play(story):
        victims = []

        def act(x):
            victims[0].send_signal(number)
            time.sleep(0.3)  # it is to be known when this answer comes
            x.send(x.carry_out())

        run = story.undo(Fault("patch", act, times=1, after=after), ends=STOPPED,
                         started=victims.append)
        back = [path for path in story.before if story.is_back(path)]
        expect(after < len(back) < len(story.before), f"{len(back)} are back")
        record = story.expect_record(run)
        expect(len(record["items"]) == len(story.before), "the record has not all that was to be")
        left = [i for i in record["items"] if i["status"] != "Done"]
        expect(len(left) == len(story.before) - len(back), f"{left}")
        expect(not story.store.lease_holder(), "the Lease was not given back")
        story.expect_mended()
    return play


def killed(after, carried_out):
    """What it was about to write stands in its record, and an undo of that takes back what it did."""
    def play(story):
        victims = []

        def act(x):
            if carried_out:
                x.carry_out()
            victims[0].kill()
            x.close()

        run = story.undo(Fault("patch", act, times=1, after=after), ends=None,
                         started=victims.append)
        expect(run.status == -signal.SIGKILL, "it was not killed")
        record = story.records_of_undos()[-1]
        expect(len(record["items"]) == len(story.before) and
               {i["status"] for i in record["items"]} == {"Pending"}, f"{record}")
        story.store.objects.pop(LEASE, None)
        own = pathlib.Path(story.undos) / f"{record['id']}.json"
        story.undo(what=own)
        for path, thing in bindings(story.store).items():
            expect(thing["spec"]["clusters"] == story.after[path]["spec"]["clusters"],
                   f"{path} is not as the run left it")
        story.expect_mended()
    return play


# --- limits, and the question -------------------------------------------------------------------

def limited(story):
    n, most = len(story.before), 2
    for done in range(most, n + most, most):
        run = story.undo(flags=(f"--max-bindings-changed={most}",), ends=None)
        back = [path for path in story.before if story.is_back(path)]
        expect(len(back) == min(done, n), f"{len(back)} are back, of {n}")
        expect(run.status == (DONE if len(back) == n else ERROR), f"status {run.status}")
    story.expect_back()


def asked(story):
    flags = ["undo", str(story.records)]
    no = Hand(story.place, story.config, flags, "n")
    story.said += str(no)
    expect(b"This undo changes 7 bindings" in no.err and no.status == ERROR, f"{no}")
    expect(not story.store.writes, "written although the answer was no")
    expect(not story.store.lease_holder(), "the Lease was not given back")
    yes = Hand(story.place, story.config, flags, "y")
    story.said += str(yes)
    expect(yes.status == DONE, f"{yes}")
    story.expect_back()


def not_asked(story):
    hand = Hand(story.place, story.config, ["undo", str(story.records), "--yes"], "")
    story.said += str(hand)
    expect(hand.status == DONE and b"[y/N" not in hand.err, f"{hand}")
    story.expect_back()


CASES = [
    ("goes back, and once more there is nothing to do", goes_back),
    ("--dry-run", dry),
    ("undone again", undone_again),
    ("the Lease is held", lease_is_held),
    ("the Lease is given back meanwhile", lease_is_given_back),
    ("a run meets an undo", run_meets_undo),
    ("a binding is annotated in between", annotated_between),
    ("a binding is moved in between", moved_between),
    ("a binding was moved before", changed_before),
    ("a binding is deleted in between", deleted_between),
    ("a record of another server", another_server),
    ("500 once for a list, a page and PATCHes", mends(
        ("list", f.reply(500), 1), ("next page", f.reply(500), 1), ("patch", f.reply(500), 2))),
    ("429 with Retry-After for PATCHes", mends(("patch", f.reply(429, retry_after="1"), 2))),
    ("500 for PATCHes that were carried out", mends(("patch", f.reply(500, carried_out=True), 3))),
    ("answers to PATCHes are lost", mends(("patch", f.cut("nothing", f.closes), 2))),
    ("500 for every list", fails(("list", f.reply(500)), says="HTTP 500", flags=SHORT)),
    ("503 for every PATCH", fails(("patch", f.reply(503)), says="HTTP 503", flags=SHORT)),
    ("422 for one PATCH", fails(("patch", lambda x: x.send(failure(422, "Invalid", "not today")),
                                 1), says="not today")),
    ("403 for every PATCH", fails(("patch", f.reply(403)), says="HTTP 403")),
    *((f"SIGTERM at write {n + 1}", signalled(signal.SIGTERM, n)) for n in (0, 2)),
    ("SIGINT at write 2", signalled(signal.SIGINT, 1)),
    *((f"killed {'after' if done else 'before'} write {n + 1} was carried out", killed(n, done))
      for n in (0, 3) for done in (False, True)),
    ("limits", limited),
    ("asked by hand", asked),
    ("--yes by hand", not_asked),
]


def one(act, protocol):
    def play(place, name):
        story = Story(place, name, protocol)
        try:
            act(story)
        except Failure as e:
            raise Failure(f"{e}\n{story.said}") from None
        finally:
            story.server.stop()
    return play


def cases():
    """(table, name, protocol, function of place and name)"""
    for name, act in CASES:
        for protocol in BOTH:
            yield "Undo", f"undo: {name}", protocol, one(act, protocol)
