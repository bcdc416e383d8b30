# SPDX-License-Identifier: Apache-2.0
"""Captures a fleet for tests/fleets: what the API servers show of it, in a directory. E2E_CAPTURE=DIR
has karmada-day end with it: three workloads beside that Karmada's programs, and a drained member."""
import json
import os
import pathlib
import time

import fleets
from karmada_kinds import INNER_KINDS, KINDS, path_of

DIRECTORY = os.environ.get("E2E_CAPTURE")
TEMPLATES = ("/apis/apps/v1/deployments",)
IN_MEMBERS = ("/api/v1/pods", "/api/v1/nodes", *TEMPLATES, "/apis/apps/v1/replicasets")
STUCK_FOR = 3
WORKLOADS = (("dynamic-1", 9, fleets.DYNAMIC), ("static-2", 6, fleets.static_weights(m1=1, m2=1, m3=1)),
             ("aggregated-3", 4, fleets.AGGREGATED))


def write_list(plane, path, directory):
    document = plane.get(path)
    for item in document["items"]:
        item["metadata"].pop("managedFields", None)
    name = path.rsplit("/", 1)[1]
    (directory / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")


def capture(plane, members, directory):
    directory = pathlib.Path(directory)
    (directory / "control-plane").mkdir(parents=True)
    for kind in KINDS + INNER_KINDS:
        write_list(plane, path_of(kind[2]), directory / "control-plane")
    for path in TEMPLATES:
        write_list(plane, path, directory / "control-plane")
    for name, member in members.items():
        (directory / "members" / name).mkdir(parents=True)
        for path in IN_MEMBERS:
            write_list(member, path, directory / "members" / name)
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    (directory / "captured-at").write_text(now + "\n")


def after_the_day(day):
    """m1 is drained, and what was there is stuck."""
    karmada = day.k
    for name in list(day.dice.workloads):
        day.dice.forget(name)
    with karmada.held("karmada-descheduler"):
        for name, replicas, placement in WORKLOADS:
            karmada.add(name, replicas, placement)
        for name, _, _ in WORKLOADS:
            karmada.wait_until("healthy", name, karmada.is_healthy)
        day.dice.drain("m1", 99)
        karmada.federation.wait_until_older(STUCK_FOR)
        for name, split in ((n, karmada.split(n)) for n, _, _ in WORKLOADS):
            if "m1" in split:
                karmada.wait_until("said to be unhealthy in m1", name,
                                   lambda n: karmada.health(n).get("m1") == "Unhealthy")
        capture(karmada.plane, karmada.federation.members, DIRECTORY)
