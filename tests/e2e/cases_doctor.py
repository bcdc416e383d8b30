# SPDX-License-Identifier: Apache-2.0
"""ballast doctor: on a healthy control plane, and on broken ones, each broken in one way."""
import datetime
import json

import fleets
from control_plane import free_ports
from harness import DONE, ERROR, LEASE, expect, expect_equal

RBAC = "/apis/rbac.authorization.k8s.io/v1"
STRANGER = {"token": "admin-token", "as": "stranger", "as-groups": ["system:authenticated"]}


def checkup(f, status, *flags, config=None):
    """(what the page says, the document's lines by check)"""
    run = f.context.ballast("doctor", "-o", "json", *flags, config=config or f.config(),
                            live=()).ended(status)
    page = f.context.ballast("doctor", *flags, config=config or f.config(), live=(),
                             environment=f.context.environment(LC_ALL="C.UTF-8")).ended(status)
    lines = {}
    for line in run.document["checks"]:
        lines.setdefault(line["check"], []).append(line)
    expect_equal(run.document["failed"],
                 sum(line["status"] == "failed" for line in run.document["checks"]), "failed")
    expect("admin-token" not in run.out + run.err + page.out + page.err, "a token is told")
    return page.out, lines


def expect_line(lines, check, status, *words):
    found = [line for line in lines.get(check, []) if line["status"] == status]
    text = json.dumps(found)
    expect(found and all(word in text for word in words),
           f"{check}: want {status} with {words}, got {lines.get(check)}")


def expect_failed(lines, *checks):
    expect_equal([name for name, of in lines.items() if any(line["status"] == "failed" for line in of)],
                 list(checks), "checks that failed")


def small_fleet(c):
    f = c.federation()
    f.make()
    f.add("one", {"m1": 1, "m2": 1})
    f.propagate()
    f.wait(m1=(1, 0), m2=(1, 0), m3=(0, 0))
    f.report()
    return f


def live_case_doctor_healthy(c):
    """With the shipped roles all is fine, and nothing is written."""
    f = small_fleet(c)
    versions = f.versions()
    _, lines = checkup(f, DONE)
    expect_failed(lines)
    expect_line(lines, "identity", "ok", "system:serviceaccount:karmada-system:ballast")
    expect_line(lines, "rights to run", "ok")
    expect_line(lines, "members", "ok", "3 of 3 seen by the control plane's proxy: m1, m2, m3")
    expect_line(lines, "failover", "ok")
    expect_equal(f.versions(), versions, "resourceVersions after a checkup")
    f.allow_secrets()
    _, lines = checkup(f, DONE, "--member-access=direct")
    expect_line(lines, "members", "ok", "3 of 3 seen directly: m1, m2, m3")
    _, lines = checkup(f, ERROR, "--member-access=direct",
                       "--member-secret-namespaces=karmada-cluster,elsewhere")
    expect_failed(lines, "rights to plan")
    expect_line(lines, "rights to plan", "failed", "get secrets in elsewhere")


def live_case_doctor_unreachable(c):
    """Nobody listens there: soon, and with the address."""
    f = c.federation()
    config = c.plane.kubeconfig("nowhere", {"token": c.ballast_token},
                                f"https://127.0.0.1:{free_ports(1)[0]}")
    _, lines = checkup(f, ERROR, config=config)
    expect_failed(lines, "API server")
    expect_line(lines, "not checked", "note", "identity", "members")


def live_case_doctor_token(c):
    """A token that nobody gave out."""
    f = c.federation()
    page, lines = checkup(f, ERROR, config=f.config("bad", token="s3cr3t-and-wrong"))
    expect_failed(lines, "identity")
    expect("s3cr3t-and-wrong" not in page, "the token is in the output")


def live_case_doctor_no_rights(c):
    """Whoever has no role is told which rights are missing, and what grants them: what it says, done,
    helps."""
    f = small_fleet(c)
    config = c.plane.kubeconfig("stranger", STRANGER, c.plane.url)
    page, lines = checkup(f, ERROR, config=config)
    expect_failed(lines, "rights to plan", "rights to run")
    expect_line(lines, "rights to plan", "failed", "list clusters.cluster.karmada.io",
                "apply -k cronjob/karmada/rbac", "--clusterrole=ballast-reader --user=stranger")
    commands = [word.strip() for line in page.splitlines() for word in [line.split("→ ", 1)[-1]]
                if "→ kubectl" in line and " create " in line]
    expect(len(commands) == 4, f"commands: {commands}")
    made = []
    try:
        for command in commands:
            arguments = command.split()[1:]
            done = c.plane.kubectl(*[a for i, a in enumerate(arguments)
                                     if not a.startswith("--context")
                                     and not a.startswith("--kubeconfig")
                                     and arguments[i - 1] not in ("--context", "--kubeconfig")])
            expect(done.returncode == 0, f"{command}: {done.stdout}")
            made.append(arguments)
        _, lines = checkup(f, DONE, "--sources=none", config=config)
        expect_line(lines, "identity", "ok", "stranger")
        expect_line(lines, "rights to run", "ok")
    finally:
        for name in ("ballast-reader-by-hand", "ballast-writer-by-hand"):
            if c.plane.exists(f"{RBAC}/clusterrolebindings/{name}"):
                c.plane.delete(f"{RBAC}/clusterrolebindings/{name}")
        for name in ("ballast-reader-by-hand", "ballast-lease-by-hand"):
            path = f"{RBAC}/namespaces/karmada-system/rolebindings/{name}"
            if c.plane.exists(path):
                c.plane.delete(path)


def live_case_doctor_reader(c):
    """The identity of dry runs lacks the rights to run, and needs none of them with --dry-run."""
    f = small_fleet(c)
    config = f.config("reader", token=c.plane.service_account_token("ballast-dry-run"))
    _, lines = checkup(f, ERROR, config=config)
    expect_failed(lines, "rights to run")
    checkup(f, DONE, "--dry-run", config=config)


def live_case_doctor_no_karmada(c):
    """A member's API server is no control plane."""
    f = c.federation()
    member = f.members["m1"]
    config = member.kubeconfig("member", {"token": member.token})
    _, lines = checkup(f, ERROR, config=config)
    expect_failed(lines, "platform")
    expect_line(lines, "platform", "failed", "cluster.karmada.io", "--kubeconfig")
    nobody = member.kubeconfig("nobody", {**STRANGER, "token": member.token})
    _, lines = checkup(f, ERROR, config=nobody)  # whom the server refuses even what it does not have
    expect_line(lines, "platform", "failed", "cluster.karmada.io", "--kubeconfig")
    member.ensure_namespace("karmada-cluster")
    try:
        _, lines = checkup(f, ERROR, config=config)
        expect_line(lines, "platform", "failed", "member")
    finally:
        member.delete("/api/v1/namespaces/karmada-cluster")


def live_case_doctor_member_out_of_reach(c):
    """One member does not answer; the others are seen."""
    f = small_fleet(c)
    f.front.faults["m2"] = 503
    _, lines = checkup(f, ERROR, "--member-timeout=3s")
    expect_failed(lines, "members")
    expect_line(lines, "members", "failed", "m2", "503", "clusters/m2/proxy")
    expect_line(lines, "members", "ok", "2 of 3", "m1, m3")
    f.front.release()


def live_case_doctor_dead_holder(c):
    """A Lease whose holder died long ago is a warning: the next run takes it over."""
    f = small_fleet(c)
    now = datetime.datetime.now(datetime.timezone.utc)
    if c.plane.exists(LEASE):
        c.plane.delete(LEASE)
    for age, status, word in ((11400, "warning", "for 3h"), (2, "ok", "under way")):
        at = f"{now - datetime.timedelta(seconds=age):%Y-%m-%dT%H:%M:%S.%f}Z"
        spec = {"holderIdentity": "pod_1_dead", "leaseDurationSeconds": 15, "acquireTime": at,
                "renewTime": at}
        if not c.plane.exists(LEASE):
            c.plane.create(LEASE.rsplit("/", 1)[0], {"metadata": {"name": "ballast"}, "spec": spec})
        else:
            spec["leaseDurationSeconds"] = 600
            c.plane.patch(LEASE, {"spec": spec})
        _, lines = checkup(f, DONE)
        expect_line(lines, "Lease", status, "pod_1_dead", word)
    c.plane.delete(LEASE)


def live_case_doctor_kubefed(c):
    """KubeFed's host: its own roles, its own namespace."""
    k = c.kubefed()
    k.make()
    k.add("one", {"m1": 1, "m2": 1})
    home = "--lease-namespace=kube-federation-system"
    run = c.ballast("doctor", home, "-o", "json", config=k.config(), live=()).ended(DONE)
    lines = {}
    for line in run.document["checks"]:
        lines.setdefault(line["check"], []).append(line)
    expect_line(lines, "platform", "ok", "KubeFed")
    expect_line(lines, "members", "ok", "3 of 3 seen directly")


def live_case_doctor_descheduler(c):
    """karmada-descheduler beside it has to go before a run; a dry run only hears of it."""
    f = small_fleet(c)
    path = LEASE.rsplit("/", 1)[0]
    at = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%dT%H:%M:%S.%f}Z"
    c.plane.create(path, {"metadata": {"name": "karmada-descheduler"},
                          "spec": {"holderIdentity": "x", "renewTime": at}})
    try:
        _, lines = checkup(f, ERROR)
        expect_failed(lines, "other writers")
        checkup(f, DONE, "--dry-run")
    finally:
        c.plane.delete(f"{path}/karmada-descheduler")
    fleets.clear(c.plane)
