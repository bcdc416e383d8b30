# SPDX-License-Identifier: Apache-2.0
"""Members whose estimators are asked: with the shipped Role, over mTLS."""
import contextlib

import kustomize
from cases_install import CRONJOB, RBAC, answers, apply, may
from cases_members import STUCK, expect_unstuck, items_of, stuck_fleet
from estimators import REAL, Estimators
from harness import DONE, UNSEEN, expect, expect_equal

ROLE = "karmada/estimators"
ALONE = "--sources=estimator,status"
INSTEAD = "--sources=pods,nodes,estimator,status"
NEVER = [(verb, "services", "") for verb in ("get", "watch", "create", "update", "patch", "delete")]


def remove_role(c):
    for thing in kustomize.render(CRONJOB / ROLE):
        path = (f"/apis/{RBAC}/v1/namespaces/{thing['metadata']['namespace']}/"
                f"{thing['kind'].lower()}s/{thing['metadata']['name']}")
        if c.plane.exists(path):
            c.plane.delete(path)


@contextlib.contextmanager
def estimators(c, mutual=False):
    """Of all members; to be asked by whoever has the Role."""
    there = Estimators(c.federation(), mutual)
    try:
        yield there
    finally:
        there.stop()
        remove_role(c)


def granted():
    return {(verb, resource, "") for thing in kustomize.render(CRONJOB / ROLE)
            for rule in thing.get("rules", []) for verb in rule["verbs"]
            for resource in rule["resources"]}


def expect_refused(c, f, there):
    """Without the Role: said, nobody asked, nothing moved; and no such run is green."""
    before = f.splits()
    run = f.ballast("run", ALONE, *there.flags).ended(UNSEEN)
    expect("services is forbidden" in run.err, f"it says why nobody was asked: {run.err}")
    expect_equal(f.splits(), before, "splits of a run that finds no estimator")
    expect(REAL or not any(there.asked(name) for name in f.members), "some were asked")


def expect_least_rights(c, since):
    """Whoever has the Role used all of it, and nothing that no role gives."""
    found = answers(c.plane.audit(since)[0])
    expect_equal({what for what, statuses in found.items() if 403 in statuses}, set(), "refused")
    used = {what for what in found if what[1] == "services"}
    expect_equal(used, granted(), "rights used")
    reader = c.plane.service_account_token("ballast-dry-run")
    for who, token in (("ballast", c.ballast_token), ("ballast-dry-run", reader)):
        for wanted, questions in ((True, granted()), (False, NEVER)):
            for question in questions:
                expect_equal(may(c, token, *question), wanted, f"{who} {question}")
        expect(not may(c, token, "list", "services", "", namespace="default"),
               f"{who} may list Services elsewhere")


def found_stuck(run):
    return {name: [(x["cluster"], x["replicas"]) for x in item["findings"]]
            for name, item in items_of(run).items()}


def expect_alike(f, there):
    """What estimators tell is what pods and nodes tell, also of a member that cannot be read: that one
    was not seen all the same, since no estimator tells what fails."""
    show = ("plan", "-o", "json", *there.flags)
    pods = f.ballast(*show).ended(DONE)
    expect_equal(sorted(found_stuck(pods)), STUCK, "what pods tell")
    expect_equal(found_stuck(f.ballast(*show, ALONE).ended(DONE)), found_stuck(pods), "estimators")
    f.front.faults["m1"] = 500
    instead = f.ballast(*show, INSTEAD)
    f.front.release()
    expect_equal(found_stuck(instead.ended(UNSEEN)), found_stuck(pods), "m1 by its estimator")
    if not REAL:
        there.servers["m2"].asked.clear()
        f.ballast(*show, INSTEAD).ended(DONE)
        expect_equal(there.asked("m2"), [], "questions where pods and nodes tell")


def live_case_estimators_least_rights(c):
    """Twenty bindings are stuck: estimators find them, as pods do, and one run moves exactly those.
    It is the shipped Role that lets them be found, and all of it is used; without it nothing moves."""
    f = stuck_fleet(c)
    remove_role(c)
    with estimators(c, mutual=True) as there:
        expect_refused(c, f, there)
        apply(c, ROLE)
        expect_alike(f, there)
        before = f.splits()
        _, since = c.plane.audit()
        run = f.ballast("run", ALONE, *there.flags).ended(DONE)
        expect_least_rights(c, since)
        expect_unstuck(f, run, before, ALONE, *there.flags)


def live_case_estimators_wrong(c):
    """One that is dead, and one that is another cluster's, are told by name, and their members were
    not seen; the others' answers count."""
    f = stuck_fleet(c)
    with estimators(c) as there:
        apply(c, ROLE)
        there.servers["m3"].stop()
        there.publish("m2", there.servers["m1"].port)
        before = f.splits()
        run = f.ballast("run", ALONE).ended(UNSEEN)
        for word in ("member m2: its estimator does not tell: ", "cluster name does not match",
                     "member m3: its estimator does not tell: "):
            expect(word in run.err, f"{word!r} is not in {run.err}")
        expect("member m1" not in run.err, run.err)
        after = f.splits()
        expect_equal(sorted(n for n in after if after[n] != before[n]), STUCK, "moved")
