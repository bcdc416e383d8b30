# SPDX-License-Identifier: Apache-2.0
"""What changed between two looks at a real API server, and whose doing it is said to be."""
import json
import re
import time

import fleets
from cases_failover import add, lose
from cases_undo import specs, the_record
from harness import CHANGES, DONE, expect, expect_equal

READER = "ballast-dry-run"


def make_bindings(c):
    """Two that the run is to take from m1, and in m2 others, which it has nothing to do with."""
    fleets.make(c.plane, 0)
    for name in ("ours", "both"):
        add(c, name)
    for name in ("scheduled", "evicted", "byhand", "stays", "gone"):
        c.plane.create(fleets.BINDINGS, fleets.binding(name, {"m2": 2}, 2))


def change(c, name, **spec):
    c.plane.patch(f"{fleets.BINDINGS}/{name}", {"spec": spec})


def move_by_others(c):
    """As karmada-scheduler does, as Karmada's failover does, and as anybody might."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    at_m3 = [{"name": "m3", "replicas": 2}]
    change(c, "scheduled", clusters=at_m3)
    c.plane.patch(f"{fleets.BINDINGS}/scheduled/status", {"status": {"lastScheduledTime": now}})
    change(c, "evicted", clusters=at_m3, gracefulEvictionTasks=[
        {"fromCluster": "m2", "producer": "TaintManager", "reason": "TaintUntolerated"}])
    change(c, "byhand", clusters=at_m3)
    expect_equal(fleets.splits(c.plane)["both"], {"m2": 1, "m3": 1}, "where the run took it")
    change(c, "both", clusters=at_m3)
    c.plane.delete(f"{fleets.BINDINGS}/gone")
    c.plane.create(fleets.BINDINGS, fleets.binding("came", {"m3": 1}, 1))


def authors(document):
    return {b["name"]: [a["who"] for a in b["by"]] for b in document["bindings"]}


def expect_told(c, document, record):
    """`record`: its id, where the command was given it."""
    expect_equal({b["name"]: b["change"] for b in document["bindings"]},
                 {**dict.fromkeys(("ours", "both", "scheduled", "evicted", "byhand"), "Changed"),
                  "gone": "Went", "came": "Came"}, "what changed")
    expect_equal(authors(document),
                 {"ours": ["Ballast"], "both": ["Ballast", "Other"], "scheduled": ["Scheduler"],
                  "evicted": ["Failover"], "byhand": ["Other"], "gone": [], "came": []}, "by whom")
    for thing in document["bindings"]:
        if thing["change"] == "Changed":
            split = {t["name"]: t["after"] for t in thing["clusters"] if t["after"]}
            expect_equal(split, fleets.splits(c.plane)[thing["name"]], f"{thing['name']}'s split")
        for author in thing["by"]:
            if author["who"] == "Ballast":
                expect_equal(author.get("record"), record, f"the record of {thing['name']}")
                expect(record or "ballast.io/last-move" in author["proof"], f"{author}")
    health = {t["name"]: (t["before"]["health"], t["after"]["health"])
              for t in document["clusters"]}
    expect(len(set(health["m1"])) == 2, f"m1 is lost: {health}")


def timeless(part):
    """Without for how long a cluster has been lost: the two looks are some seconds apart."""
    return re.sub(r" since (\d+[hms])+", " since then", json.dumps(part))


def live_case_diff(c):
    """Two snapshots, and one and the fleet as it is, tell the same: what Ballast did by its record, and
    without one by what the bindings remember; what others did is not said to be Ballast's. It takes no
    more rights than a dry run, and nothing is written."""
    make_bindings(c)
    reader = c.config("reader", token=c.plane.service_account_token(READER))
    first, second = (c.plane.directory / f"look-{n}" for n in ("first", "second"))
    records = c.plane.directory / "diff-records"
    c.ballast("snapshot", first, config=reader).ended(DONE)
    same = c.ballast("diff", first, "live", "--detailed-exitcode", "-o", "json",
                     config=reader).ended(DONE).document
    expect_equal((same["summary"]["different"], same["bindings"]), (False, []), "at once")

    lose(c, "m1")
    c.ballast("run", f"--records={records}").ended(DONE)
    move_by_others(c)
    record = the_record(records)["id"]
    was = specs(c.plane)
    versions = {b["metadata"]["name"]: b["metadata"]["resourceVersion"]
                for b in c.plane.list(fleets.BINDINGS)}

    live = c.ballast("diff", first, "live", f"--records={records}", "--detailed-exitcode",
                     "-o", "json", config=reader).ended(CHANGES).document
    expect_told(c, live, record)
    expect_told(c, c.ballast("diff", first, "live", "-o", "json",
                             config=reader).ended(DONE).document, None)
    text = c.ballast("diff", first, "live", f"--records={records}", config=reader).ended(DONE).out
    expect(f"by Ballast (record {record}, " in text, text)

    c.ballast("snapshot", second, config=reader).ended(DONE)
    files = c.ballast("diff", first, second, f"--records={records}", "-o", "json", config=False,
                      live=("--sources=none",)).ended(DONE).document
    for part in ("bindings", "clusters", "summary"):
        expect_equal(timeless(files[part]), timeless(live[part]), f"{part} of two snapshots")
    expect_equal(specs(c.plane), was, "after five looks")
    expect_equal({b["metadata"]["name"]: b["metadata"]["resourceVersion"]
                  for b in c.plane.list(fleets.BINDINGS)}, versions, "versions after five looks")
