# SPDX-License-Identifier: Apache-2.0
"""PodDisruptionBudgets of a real member, whose own controller says what they let go: a simulated drain
takes as much, step by step, and nothing that is ready where nobody may see them."""
import json

from control_plane import wait_for
from federation import NAMESPACE
from harness import DONE, UNSEEN, expect, expect_equal

BUDGETS = f"/apis/policy/v1/namespaces/{NAMESPACE}/poddisruptionbudgets"
OLDER = BUDGETS.replace("/v1/", "/v1beta1/")
READY = 4


def add_budget(member, path, name, **spec):
    member.create(path, {"metadata": {"name": name}, "spec": {
        **spec, "selector": {"matchLabels": {"app": name}}}})


def wait_allowed(member, path, name, pods, allowed):
    def is_said():
        budget = member.get(f"{path}/{name}")
        status = budget.get("status", {})
        return (status.get("observedGeneration") == budget["metadata"]["generation"] and
                status.get("expectedPods") == pods and status.get("disruptionsAllowed") == allowed)
    wait_for(f"{name}'s budget to let {allowed} of {pods} go", is_said)


def drain(f, ends):
    run = f.ballast("simulate", "--drain=m1", "-o", "json").ended(ends)
    return json.loads(run.out)["drain"]


def live_case_budgets(c):
    """Of calm one may be missing: all of it goes, in four steps. Of firm three have to be there, and
    three stay. The member's controller says so of each step."""
    f = c.federation()
    f.make()
    m1 = f.members["m1"]
    path = BUDGETS if int(m1.get("/version")["minor"].rstrip("+")) >= 21 else OLDER
    m1.delete(path)
    try:
        budgets(f, m1, path)
    finally:
        f.front.release()
        m1.delete(path)


def budgets(f, m1, path):
    for name in ("calm", "firm"):
        f.add(name, {"m1": READY})
    f.propagate()
    f.wait(m1=(2 * READY, 0), m2=(0, 0), m3=(0, 0))
    f.report()
    add_budget(m1, path, "calm", maxUnavailable=1)
    add_budget(m1, path, "firm", minAvailable=READY - 1)
    for name in ("calm", "firm"):
        wait_allowed(m1, path, name, READY, 1)
    told = drain(f, DONE)
    expect_equal({m["name"]: (m["stops"], m["lastWave"]) for m in told["moves"]},
                 {"calm": (READY, READY), "firm": (1, 1)}, "what goes, and in how many steps")
    expect_equal([(s["name"], s["replicas"], s["reason"]) for s in told["stays"]],
                 [("firm", READY - 1, "DisruptionBudget")], "what stays")
    for fault in (403, 404, 500, "refuse"):
        f.front.faults["m1"] = {BUDGETS: fault, OLDER: fault}
        told = drain(f, UNSEEN)
        f.front.release()
        expect_equal(told["moving"], 0, f"{fault}: what goes")
        expect(all("were not seen" in s["message"] for s in told["stays"]),
               f"{fault}: {told['stays']}")
    f.scale("firm", {"m1": READY - 1, "m2": 1})
    for left in reversed(range(READY)):
        f.scale("calm", {"m1": left, "m2": READY - left})
        f.propagate()
        f.wait(m1=(READY - 1 + left, 0), m2=(1 + READY - left, 0))
        wait_allowed(m1, path, "calm", left, 1 if left > 0 else 0)
    wait_allowed(m1, path, "firm", READY - 1, 0)
    f.report()
    told = drain(f, DONE)
    expect_equal((told["moving"], told["staying"]), (0, READY - 1), "what goes in the end")
