# SPDX-License-Identifier: Apache-2.0
"""What is shipped in cronjob/: accepted by the server, and the least that works."""
import json
import pathlib

import fleets
import kustomize
from control_plane import ApiError
from harness import DONE, ERROR, Failure, expect, expect_equal

CRONJOB = pathlib.Path(__file__).resolve().parents[2] / "cronjob"
READ = [("list", "clusters.cluster.karmada.io", ""),
        ("get", "clusters.cluster.karmada.io", "proxy"),
        ("list", "resourcebindings.work.karmada.io", ""),
        ("list", "clusterresourcebindings.work.karmada.io", ""),
        ("list", "overridepolicies.policy.karmada.io", ""),
        ("list", "clusteroverridepolicies.policy.karmada.io", ""),
        ("list", "federatedhpas.autoscaling.karmada.io", ""),
        ("list", "cronfederatedhpas.autoscaling.karmada.io", ""),
        ("list", "horizontalpodautoscalers.autoscaling", "")]
WRITE = [("get", "resourcebindings.work.karmada.io", ""),
         ("patch", "resourcebindings.work.karmada.io", ""),
         ("patch", "clusterresourcebindings.work.karmada.io", ""),
         ("create", "events", ""), ("create", "events.events.k8s.io", "")]
LEASE = [("create", "leases.coordination.k8s.io", ""),
         ("get", "leases.coordination.k8s.io/ballast", ""),
         ("update", "leases.coordination.k8s.io/ballast", "")]
NEVER = [("get", "secrets", ""), ("list", "secrets", ""), ("create", "pods", ""),
         ("delete", "resourcebindings.work.karmada.io", ""),
         ("create", "resourcebindings.work.karmada.io", ""),
         ("update", "resourcebindings.work.karmada.io", ""),
         ("patch", "resourcebindings.work.karmada.io", "status"),
         ("patch", "clusters.cluster.karmada.io", ""),
         ("create", "clusters.cluster.karmada.io", "proxy"),
         ("delete", "clusters.cluster.karmada.io", ""),
         ("patch", "deployments.apps", ""), ("delete", "events", ""), ("patch", "events", ""),
         ("update", "leases.coordination.k8s.io/karmada-scheduler", ""),
         ("delete", "leases.coordination.k8s.io/ballast", ""),
         ("impersonate", "users", ""), ("create", "clusterrolebindings.rbac.authorization.k8s.io", "")]


def for_this_server(c, objects):
    """CronJob is in batch/v1 since Kubernetes 1.21, suspended Jobs too: on the older server that the
    tests build themselves, the same objects without these."""
    if "cronjobs" in [r["name"] for r in c.plane.get("/apis/batch/v1")["resources"]]:
        return objects
    for thing in objects:
        if thing["kind"] == "CronJob":
            thing["apiVersion"] = "batch/v1beta1"
        elif thing["kind"] == "Job":
            thing["spec"].pop("suspend")
    return objects


def apply(c, directory, *flags):
    """kubectl apply -k, also where kubectl's kustomize is too old."""
    objects = for_this_server(c, kustomize.render(CRONJOB / directory))
    done = c.plane.kubectl("apply", *flags, "-f", "-", stdin=json.dumps(
        {"apiVersion": "v1", "kind": "List", "items": objects}))
    expect(done.returncode == 0, f"kubectl apply {directory}: {done.stdout}")
    return done.stdout


def may(c, token, verb, resource, subresource):
    """A SelfSubjectAccessReview, in the namespace in which the question makes sense."""
    resource, _, name = resource.partition("/")
    plural, _, group = resource.partition(".")
    attributes = {"verb": verb, "resource": plural, "group": group, "name": name,
                  "subresource": subresource, "namespace": "e2e"}
    if plural == "leases":
        attributes["namespace"] = "karmada-system"
    review = c.plane.request(
        "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
         "spec": {"resourceAttributes": attributes}}, token=token)
    return review["status"].get("allowed", False)


def case_roles(c):
    """The shipped roles allow what is listed here and refuse what is not."""
    reader = c.plane.service_account_token("ballast-dry-run")
    questions = [("ballast", c.ballast_token, READ + WRITE + LEASE, NEVER),
                 ("ballast-dry-run", reader, READ, WRITE + LEASE + NEVER)]
    for who, token, yes, no in questions:
        for wanted, list_ in ((True, yes), (False, no)):
            for question in list_:
                expect_equal(may(c, token, *question), wanted, f"{who} {question}")


def case_refused_in_earnest(c):
    """Not only the review says no: the requests are refused."""
    fleets.make(c.plane, 1)
    reader = c.plane.service_account_token("ballast-dry-run")
    attempts = [(reader, "PATCH", f"{fleets.BINDINGS}/app-00000", {"spec": {"replicas": 1}}),
                (c.ballast_token, "DELETE", f"{fleets.BINDINGS}/app-00000", None),
                (c.ballast_token, "GET", "/api/v1/namespaces/karmada-system/secrets", None)]
    for token, method, path, body in attempts:
        try:
            c.plane.request(method, path, body, "application/merge-patch+json", token=token)
        except ApiError as e:
            expect_equal(e.status, 403, f"{method} {path}")
        else:
            raise Failure(f"{method} {path} was allowed")


def asked(entry):
    reference = entry.get("objectRef")
    if reference is None:
        return (entry["verb"], entry["requestURI"].split("?")[0])
    resource = reference["resource"]
    if reference.get("subresource"):
        resource += "/" + reference["subresource"]
    return (entry["verb"], reference.get("apiGroup", ""), resource)


def live_case_least_rights(c):
    """A run with the shipped roles is refused nothing, and needs every right they give."""
    fleets.make(c.plane, 4)
    _, since = c.plane.audit()
    c.ballast("run").ended(DONE)
    c.expect_nothing_to_do()
    entries, _ = c.plane.audit(since)
    refused = {asked(e) for e in entries if e.get("responseStatus", {}).get("code") == 403}
    expect_equal(refused, set(), "requests refused for lack of rights")
    used = {asked(e) for e in entries}
    needed = READ + [WRITE[1], WRITE[-1]] + LEASE
    for verb, resource, subresource in needed:
        plural, _, group = resource.partition("/")[0].partition(".")
        if subresource == "proxy":
            continue  # --members=none
        expect((verb, group, plural) in used, f"{verb} {resource} is granted, but not needed")
    allowed = {(v, r.partition("/")[0].partition(".")[2], r.partition("/")[0].partition(".")[0])
               for v, r, _ in READ + WRITE + LEASE}
    allowed |= {("get", "coordination.k8s.io", "leases"),
                ("list", "policy.karmada.io", "replicaschedulingpolicies"),
                ("list", "scheduling.kubefed.io", "replicaschedulingpreferences")}
    beyond = {u for u in used if len(u) == 3 and u not in allowed}
    expect_equal(beyond, set(), "requests that no role was written for")


def live_case_dry_run_reads_only(c):
    """With the reading role: plan and a dry run work, write nothing and take no Lease; run fails."""
    names = fleets.make(c.plane, 3)
    before = fleets.splits(c.plane)
    reader = c.config("reader", token=c.plane.service_account_token("ballast-dry-run"))
    _, since = c.plane.audit()
    c.ballast("plan", config=reader).ended(DONE)
    c.ballast("run", "--dry-run", config=reader).ended(DONE)
    entries, _ = c.plane.audit(since)
    expect_equal({e["verb"] for e in entries} - {"get", "list"}, set(), "verbs of a dry run")
    run = c.ballast("run", config=reader).ended(ERROR)
    expect("cannot" in run.err or "forbidden" in run.err.lower(), f"it says why: {run.err}")
    expect_equal(fleets.splits(c.plane), before, f"{len(names)} bindings after runs without rights")


def live_case_ballast_config_is_read(c):
    """The shipped configuration is a valid one."""
    fleets.make(c.plane, 1)
    c.ballast("plan", f"--config={CRONJOB / 'base' / 'ballast.yaml'}").ended(DONE)


def live_case_server_dry_run(c):
    """--server-dry-run asks the server about every patch and changes nothing."""
    fleets.make(c.plane, 3)
    before = fleets.splits(c.plane)
    _, since = c.plane.audit()
    c.ballast("run", "--server-dry-run").ended(DONE)
    expect_equal(fleets.splits(c.plane), before, "bindings after a server dry run")
    patches = [e for e in c.plane.audit(since)[0]
               if e["verb"] == "patch" and e["objectRef"]["resource"] == "resourcebindings"]
    expect_equal(len(patches), 3, "patches sent")
    expect(all("dryRun=All" in e["requestURI"] for e in patches), json.dumps(patches[0]))


