# SPDX-License-Identifier: Apache-2.0
"""What runs did, by records in ConfigMaps of a real API server, with the rights of the shipped roles."""
import base64
import gzip
import json

import fleets
from cases_failover import add, lose
from control_plane import ADMIN
from harness import DONE, ERROR, USAGE, expect, expect_equal

MAPS = "/api/v1/namespaces/karmada-system/configmaps"
RECORD = "--records=configmap:ballast-records"
CONFIG = """apiVersion: ballast.io/v1beta1
kind: BallastConfiguration
thresholds: {unhealthyCluster: 2h}
"""


def records_in(plane, name):
    return {key: json.loads(gzip.decompress(base64.b64decode(text)))
            for key, text in plane.get(f"{MAPS}/{name}").get("binaryData", {}).items()}


def history(c, *arguments):
    return c.ballast("history", *arguments, "-o", "json", live=()).ended(DONE).document["runs"]


def live_case_history(c):
    """A cluster was lost and left in the night: the history says so, an undo by the run's id puts it
    back and stands in the history, too. Another writer of the ConfigMap loses nothing."""
    fleets.make(c.plane, 0)
    for kept in c.plane.list(MAPS):  # of cases before
        if kept["metadata"]["name"].startswith("ballast-records-"):
            c.plane.delete(f"{MAPS}/{kept['metadata']['name']}")
    add(c, "plain")
    before = c.plane.get(f"{fleets.BINDINGS}/plain")["spec"]["clusters"]
    expect_equal(history(c), [], "before any run")
    lose(c, "m1")
    c.ballast("run", RECORD).ended(DONE)
    first, = records_in(c.plane, "ballast-records-0")
    expect(first.endswith(".done.1-of-1"), first)
    run, = history(c, "--since=1h")
    expect_equal([d["cluster"] for d in run["down"]], ["m1"], "what was down")
    item, = run["items"]
    expect_equal((item["name"], item["before"]), ("plain", before), "what moved")
    expect_equal(item["reasons"][0]["code"], "UnhealthyCluster", "why")
    expect_equal(run["source"]["server"], c.plane.url, "of which fleet")
    told = c.ballast("explain", "e2e/plain").ended(DONE)
    expect(run["record"] in told.out and "ballast undo" in told.out, told.out)

    c.plane.patch(f"{MAPS}/ballast-records-0", {"data": {"theirs": "kept"}})
    c.plane.patch("/apis/cluster.karmada.io/v1alpha1/clusters/m1/status", {
        "status": fleets.cluster("m1")["status"]})
    c.ballast("undo", run["record"], "--yes").ended(DONE)
    expect_equal(c.plane.get(f"{fleets.BINDINGS}/plain")["spec"]["clusters"], before, "put back")
    undo, run = history(c, "e2e/plain")
    expect_equal((undo["command"], undo["undoes"]), ("undo", [run["record"]]), "the undo")
    expect_equal(run["items"][0]["undone"]["record"], undo["record"], "undone since")
    expect("takeBack" not in run, "what was taken back is offered again")
    expect_equal(c.plane.get(f"{MAPS}/ballast-records-0")["data"], {"theirs": "kept"}, "of others")
    c.ballast("undo", "20200101T000000Z-0000000000000000", "--yes").ended(ERROR)


def live_case_config_of_the_cronjob(c):
    """By hand with the CronJob's configuration: the plan is the CronJob's, and each value is told."""
    fleets.make(c.plane, 0)
    add(c, "plain")
    lose(c, "m1")
    c.plane.create(MAPS, {"metadata": {"name": "e2e-config"}, "data": {"ballast.yaml": CONFIG}})
    named = "--config=configmap:karmada-system/e2e-config"
    admin = c.config("admin", token=ADMIN)
    changed = [c.ballast("plan", *flags, "-o", "json", config=admin).ended(DONE)
               .document["summary"]["changed"] for flags in ((), (named,))]
    expect_equal(changed, [1, 0], "changes without and with the configuration")
    shown = c.ballast("config", "show", named, "--mode=Evict", "-o", "json", config=admin, live=())
    values = {i["path"]: (i["value"], i["from"]) for i in shown.ended(DONE).document["items"]}
    expect_equal(values["thresholds.unhealthyCluster"],
                 ("2h", f"{named.partition('=')[2]}:3"), "from the ConfigMap")
    expect_equal(values["mode"], ("Evict", "--mode"), "from a flag")
    expect_equal(values["thresholds.failed"], ("5m", "default"), "the default")
    missing = c.ballast("plan", "--config=configmap:karmada-system/none", config=admin)
    expect("configmap:karmada-system/none" in missing.ended(USAGE).err, missing.err)
    refused = c.ballast("plan", named).ended(USAGE)
    expect("403" in refused.err or "forbidden" in refused.err.lower(), refused.err)
