# SPDX-License-Identifier: Apache-2.0
"""What is shipped in cronjob/: accepted by the server, and the least that works."""
import json
import pathlib
import re
import subprocess

import fleets
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


def kustomize(c, directory):
    done = subprocess.run([c.binaries / "kubectl", "kustomize", CRONJOB / directory],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"kubectl kustomize {directory}: {done.stderr}")
    return done.stdout


def for_this_server(c, text):
    """CronJob is in batch/v1 since Kubernetes 1.21, suspended Jobs too: on the older server that the
    tests build themselves, the same objects without these."""
    resources = [r["name"] for r in c.plane.get("/apis/batch/v1")["resources"]]
    if "cronjobs" in resources:
        return text
    documents = re.split(r"^---\n", text, flags=re.M)
    for i, document in enumerate(documents):
        if re.search(r"^kind: CronJob$", document, re.M):
            documents[i] = document.replace("apiVersion: batch/v1\n", "apiVersion: batch/v1beta1\n")
        documents[i] = re.sub(r"^  suspend: true\n", "", documents[i], flags=re.M)
    return "---\n".join(documents)


def apply(c, directory, *flags):
    done = c.plane.kubectl("apply", *flags, "-f", "-",
                           stdin=for_this_server(c, kustomize(c, directory)))
    expect(done.returncode == 0, f"kubectl apply {directory}: {done.stdout}")
    return done.stdout


def case_manifests_accepted(c):
    """The server takes everything that is shipped; nothing is defaulted by a warning."""
    directories = [".", "overlays/host-cluster", "overlays/same-cluster", "karmada"]
    version = c.plane.get("/version")
    if int(version["minor"].rstrip("+")) >= 26:
        directories.append("overlays/pod-failure-policy")
    for directory in directories:
        said = apply(c, directory, "--dry-run=server")
        expect("warning" not in said.lower(), f"{directory}: {said}")
        expect("ballast" in said, f"{directory}: {said}")
    kustomize(c, "overlays/pod-failure-policy")


def case_deadlines_fit(c):
    """--lock-wait and --deadline fit into activeDeadlineSeconds, and that into the period."""
    text = kustomize(c, ".")
    job, = re.findall(r"activeDeadlineSeconds: 110", text)
    seconds = dict(re.findall(r"- --(deadline|lock-wait)=(\d+)s", text))
    expect(int(seconds["deadline"]) + int(seconds["lock-wait"]) <= 110 < 120, f"{seconds} {job}")
    expect("schedule: '*/2 * * * *'" in text, "the schedule is not every two minutes")


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


