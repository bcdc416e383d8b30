# SPDX-License-Identifier: Apache-2.0
"""WorkloadRebalancers on a real API server: made by `ballast rebalance`, heeded by a plan."""
import fleets
from control_plane import ADMIN
from harness import DONE, ERROR, expect, expect_equal
from karmada_kinds import path_of

REBALANCERS = path_of("WorkloadRebalancer")


def asked_by(run):
    return {i["name"]: f["message"] for i in run.document["items"] for f in i["findings"]
            if f["type"] == "RescheduleRequested"}


def live_case_rebalance(c):
    """What it makes names the workload as its binding does, and plans heed it until its controller
    has heard; dry runs leave nothing, and the CronJob's identity may read such objects alone."""
    name, other = fleets.make(c.plane, 2, in_need=0)
    admin = c.config("admin", token=ADMIN)
    bound = c.plane.get(f"{fleets.BINDINGS}/{name}")["spec"]["resource"]
    for binding in (name, other):
        c.plane.patch(f"{fleets.BINDINGS}/{binding}/status",
                      {"status": {"lastScheduledTime": "2020-01-01T00:00:00Z"}})
    asked = f"{bound['namespace']}/{bound['name']}"

    shown = c.ballast("rebalance", asked, "--dry-run", config=admin).ended(DONE)
    expect("generateName: ballast-" in shown.out, shown.out)
    c.ballast("rebalance", asked, "--server-dry-run", config=admin).ended(DONE)
    c.ballast("rebalance", asked).ended(ERROR)
    expect_equal(c.plane.list(REBALANCERS), [], "after dry runs and a refusal")
    made = c.ballast("rebalance", asked, "--ttl=1h", config=admin).ended(DONE)

    rebalancer, = c.plane.list(REBALANCERS)
    expect(rebalancer["metadata"]["name"] in made.out, made.out)
    expect_equal(rebalancer["spec"], {
        "workloads": [{k: bound[k] for k in ("apiVersion", "kind", "namespace", "name")}],
        "ttlSecondsAfterFinished": 3600}, "what is asked for")
    wanted = asked_by(c.ballast("plan", "--show-all", "-o", "json").ended(DONE))
    expect_equal(list(wanted), [name], "what is divided anew")
    expect(rebalancer["metadata"]["name"] in wanted[name], wanted[name])

    path = f"{REBALANCERS}/{rebalancer['metadata']['name']}"
    c.plane.patch(f"{path}/status", {"status": {"observedWorkloads": [
        {"workload": rebalancer["spec"]["workloads"][0], "result": "Successful"}]}})
    expect_equal(asked_by(c.ballast("plan", "--show-all", "-o", "json").ended(DONE)), {},
                 "once its controller has heard")
    c.plane.delete(path)
