# SPDX-License-Identifier: Apache-2.0
"""ballast doctor where the server is away, is not the one that it should be, or answers nonsense: the
first check that fails names it, in time, and nothing is written."""
import json
import re
import secrets

import faults as f
from cases import Run, expect
from cases_contact import SOON, DeadPort, NoHandshake, NoName, Silence
from rows import ERROR
from server import Fault, Server
from store import Store


def expect_doctor(place, config, check, says, flags=("--deadline=60s",)):
    run = Run(place.program, place.directory, config,
              ["doctor", "-o", "json", "--sources=none", *flags])
    document = json.loads(run.out)
    failed = [line for line in document["checks"] if line["status"] == "failed"]
    expect(run.status == ERROR and failed, f"want status {ERROR}: {run}\n{run.out}")
    expect(failed[0]["check"] == check and re.search(says, failed[0]["message"]),
           f"want {check} to fail with {says!r}: {failed[0]}")
    expect(all(line["advice"] for line in failed), f"want to be told what to do: {failed}")
    expect(document["failed"] == len(failed), f"wrong count: {run.out}")
    expect(run.err == "", f"want all of it in the document: {run}")
    expect(run.seconds < SOON, f"a person waited for it: {run}")


def play_nobody(place, name, nobody):
    where = nobody()
    try:
        expect_doctor(place, place.kubeconfig(name, where.url, None), "API server", where.says)
    finally:
        where.close()


def play_fault(place, name, faults, check, says, *flags):
    token = secrets.token_hex(16)
    server = Server(Store(token), place.certificates, 1, faults())
    try:
        config = place.kubeconfig(name, server.url, token)
        expect_doctor(place, config, check, says, flags or ("--deadline=60s",))
        written = [r for r in server.store.requests
                   if r.method != "GET" and "/selfsubject" not in r.path]
        expect(not written, f"something was written: {written}")
    finally:
        server.stop()


def cases():
    """(table, name, protocol, function of place and name)"""
    def one(play, *how):
        return lambda place, name: play(place, name, *how)

    def nonsense(answer):
        return b'{"status": {"allowed": 7, "userInfo": []}, "items": {}, "spec": 1}' + answer[:0]

    table = "Doctor"
    for what, nobody in (("a dead port", DeadPort), ("a name that nobody knows", NoName),
                         ("an address that swallows everything", Silence),
                         ("TLS that never comes", NoHandshake)):
        yield table, f"doctor: {what}", 1, one(play_nobody, nobody)
    for what, faults, check, says, *flags in (
            ("another authority", lambda: [Fault("certificate", f.shows("unknown-ca"))], "API server",
             "certificate"),
            ("a server that hangs", lambda: [Fault("other", f.hangs)], "API server", "", "--deadline=3s"),
            ("lists that hang", lambda: [Fault("list", f.hangs)], "platform", "Clusters",
             "--deadline=3s"),
            ("401", lambda: [Fault("other", f.reply(401))], "identity", "is not accepted"),
            ("no Karmada", lambda: [Fault("list", f.reply(404))], "platform", "neither Karmada's"),
            ("no aggregated API server", lambda: [Fault("list", f.reply(503))], "platform", "503"),
            ("nonsense", lambda: [Fault(kind, f.body(nonsense)) for kind in ("other", "lease read")],
             "Lease", "does not exist")):
        yield table, f"doctor: {what}", 1, one(play_fault, faults, check, says, *flags)
