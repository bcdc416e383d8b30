# SPDX-License-Identifier: Apache-2.0
"""What is shipped in cronjob/: accepted by the server, and the least that works."""
import datetime
import json
import pathlib

import fleets
import karmada_kinds
import kustomize
from control_plane import ApiError
from documented import KARMADA, documented
from harness import DONE, ERROR, LEASE as LEASE_PATH, ONE_BY_ONE, Failure, expect, expect_equal

CRONJOB = pathlib.Path(__file__).resolve().parents[2] / "cronjob"
BINDINGS = "resourcebindings.work.karmada.io"
WIDE_BINDINGS = "clusterresourcebindings.work.karmada.io"
DESCHEDULER = "/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/karmada-descheduler"
RBAC = "rbac.authorization.k8s.io"
OWN = {"leases": "karmada-system", "services": "karmada-system"}  # where they make sense


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


def case_too_old(c):
    """What docs/installing.md says of a server that is too old: asked first, it refuses, and nothing
    is half there."""
    if "cronjobs" in [r["name"] for r in c.plane.get("/apis/batch/v1")["resources"]]:
        return
    objects = kustomize.render(CRONJOB / "overlays" / "same-cluster")
    for thing in objects:
        thing["metadata"]["name"] = "too-old-" + thing["metadata"]["name"].replace(":", "-")
    done = c.plane.kubectl("apply", "--dry-run=server", "-f", "-", stdin=json.dumps(
        {"apiVersion": "v1", "kind": "List", "items": objects}))
    expect(done.returncode != 0, "a server without batch/v1 CronJobs takes them")
    expect('unknown field "suspend"' in done.stdout or 'no matches for kind "CronJob"' in done.stdout,
           done.stdout)
    for thing in objects:
        if thing["kind"] in ("ConfigMap", "ServiceAccount", "ClusterRole", "Role"):
            there = c.plane.kubectl("get", thing["kind"], thing["metadata"]["name"], "-n",
                                    thing["metadata"].get("namespace", "default"))
            expect(there.returncode != 0, f"{thing['kind']} {thing['metadata']['name']} is there")


def may(c, token, verb, resource, subresource, namespace=None):
    """A SelfSubjectAccessReview, in the namespace in which the question makes sense."""
    resource, _, name = resource.partition("/")
    plural, _, group = resource.partition(".")
    attributes = {"verb": verb, "resource": plural, "group": group, "name": name,
                  "subresource": subresource, "namespace": namespace or OWN.get(plural, "e2e")}
    review = c.plane.request(
        "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
         "spec": {"resourceAttributes": attributes}}, token=token)
    return review["status"].get("allowed", False)


def refused(c, token, method, path, body=None):
    content_type = "application/merge-patch+json" if method == "PATCH" else "application/json"
    try:
        c.plane.request(method, path, body, content_type, token=token)
    except ApiError as e:
        expect_equal(e.status, 403, f"{method} {path}: {e}")
    else:
        raise Failure(f"{method} {path} was allowed")


def case_refused_in_earnest(c):
    """Not only the review says no: the requests are refused."""
    fleets.make(c.plane, 1)
    reader = c.plane.service_account_token("ballast-dry-run")
    namespace, binding = "/api/v1/namespaces/karmada-system", f"{fleets.BINDINGS}/app-00000"
    rbac = f"/apis/{RBAC}/v1"
    admin = {"metadata": {"name": "mine"}, "subjects": [
        {"kind": "ServiceAccount", "name": "ballast", "namespace": "karmada-system"}],
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": "cluster-admin"}}
    everything = {"rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]}
    never = [
        ("GET", f"{namespace}/secrets", None), ("GET", f"{namespace}/secrets/ballast-token", None),
        ("POST", f"{namespace}/pods/x/exec?command=id", None),
        ("GET", f"{namespace}/pods/x/exec?command=id", None),
        ("DELETE", binding, None), ("DELETE", fleets.BINDINGS, None), ("DELETE", LEASE_PATH, None),
        ("PUT", binding, c.plane.get(binding)),
        ("PATCH", f"{binding}/status", {"status": {}}),
        ("PATCH", "/apis/cluster.karmada.io/v1alpha1/clusters/m1", {"spec": {"taints": []}}),
        ("POST", f"{rbac}/clusterrolebindings", admin),
        ("POST", f"{rbac}/namespaces/karmada-system/rolebindings", admin),
        ("PATCH", f"{rbac}/clusterroles/ballast-writer", everything),
        ("POST", f"{namespace}/serviceaccounts/ballast/token", {"spec": {}}),
    ]
    event = {"metadata": {"name": "x", "namespace": "e2e"}, "reason": "x", "message": "x",
             "involvedObject": {"kind": "Pod", "name": "x", "namespace": "e2e"}}
    lease = {"metadata": {"name": "ballast"}, "spec": {"holderIdentity": "x"}}
    writing = [("PATCH", binding, {"spec": {"replicas": 1}}), ("GET", binding, None),
               ("POST", "/api/v1/namespaces/e2e/events", event),
               ("POST", LEASE_PATH.rsplit("/", 1)[0], lease), ("GET", LEASE_PATH, None)]
    before = c.plane.get(binding)
    for request in never:
        refused(c, c.ballast_token, *request)
    for request in never + writing:
        refused(c, reader, *request)
    expect_equal(c.plane.get(binding), before, "the binding after all this")


def asked(entry):
    """As in the lists above, but for names."""
    reference = entry.get("objectRef")
    if reference is None:
        return (entry["verb"], entry["requestURI"].split("?")[0])
    group = reference.get("apiGroup", "")
    return (entry["verb"], reference["resource"] + (group and f".{group}"),
            reference.get("subresource", ""))


def answers(entries):
    """{what was asked: the statuses that it was answered with}"""
    found = {}
    for entry in entries:
        status = entry.get("responseStatus", {}).get("code")
        found.setdefault(asked(entry), set()).add(status)
    return found


def wide_binding():
    """One without a namespace; the last to be written."""
    thing = fleets.binding("wide", {"m1": 1}, 3)
    thing["kind"] = "ClusterResourceBinding"
    thing["spec"]["schedulePriority"] = {"priority": -1}
    del thing["metadata"]["namespace"]
    return thing


def autoscaler_binding(api_version, kind):
    """One that brings an autoscaler to a member: only then the kind is listed."""
    thing = fleets.binding(kind.lower(), {"m1": 0}, 0)
    thing["spec"]["resource"].update(apiVersion=api_version, kind=kind)
    thing["spec"]["clusters"] = [{"name": "m1", "replicas": 0}]
    for field in ("replicas", "replicaRequirements"):
        thing["spec"].pop(field, None)
    return thing


def descheduler_lease():
    """As karmada-descheduler holds it."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return {"metadata": {"name": "karmada-descheduler"},
            "spec": {"holderIdentity": "descheduler-0", "leaseDurationSeconds": 15,
                     "acquireTime": now, "renewTime": now}}


def run_with_conflicts(c, names):
    """A run that finds what it writes last changed since it was read."""
    wide = f"{karmada_kinds.path_of('ClusterResourceBinding')}/wide"
    touched = {"metadata": {"labels": {"touched": "yes"}}}
    before = fleets.splits(c.plane)
    c.plane.create("/api/v1/namespaces/karmada-system/configmaps",
                   {"metadata": {"name": "ballast-records-1"}})  # others do not exist yet
    process = c.start("run", "--records=configmap:ballast-records", live=ONE_BY_ONE)
    c.wait_for_writes(before)
    with process.held():
        for path in (f"{fleets.BINDINGS}/{names[-1]}", wide):
            c.plane.patch(path, touched)
    run = process.wait().ended(DONE)
    expect_equal(fleets.total(fleets.split_of(c.plane.get(wide))), 3, "replicas of what is wide")
    return run


def live_case_least_rights(c):
    """A run with the shipped roles alone, where everything is there that a run may meet: the rare
    kinds, bindings of both sorts that change meanwhile, karmada-descheduler. It is refused nothing,
    asks for nothing beyond, and needs every right that it is given."""
    names = fleets.make(c.plane, 40)
    karmada_kinds.install(c.plane, kinds=karmada_kinds.RARE_KINDS)
    c.plane.create(karmada_kinds.path_of("ClusterResourceBinding"), wide_binding())
    for kind in (("autoscaling/v2", "HorizontalPodAutoscaler"), ("keda.sh/v1alpha1", "ScaledObject")):
        c.plane.create(fleets.BINDINGS, autoscaler_binding(*kind))
    c.plane.create(DESCHEDULER.rsplit("/", 1)[0], descheduler_lease())
    try:
        _, since = c.plane.audit()
        run = run_with_conflicts(c, names)
        expect("two writers fight" in run.err, f"karmada-descheduler's Lease: {run.err}")
        c.expect_nothing_to_do()
        found = answers(c.plane.audit(since)[0])
    finally:
        c.plane.delete(DESCHEDULER)
        c.plane.delete(karmada_kinds.path_of("ClusterResourceBinding") + "/wide")
        karmada_kinds.remove(c.plane, karmada_kinds.RARE_KINDS)
    expect_equal({what for what, statuses in found.items() if 403 in statuses}, set(), "refused")
    allowed = {(r.verb, r.resource, r.subresource) for r in documented(KARMADA)
               if r.who == "ballast" and not r.option}
    # --sources=none: neither they are read, nor what their nodes would refuse pods for
    unused = {("get", "clusters.cluster.karmada.io", "proxy"),
              *((verb, kind, "") for verb in ("get", "list")
                for kind in ("deployments.apps", "statefulsets.apps", "jobs.batch"))}
    used = {what for what in found if len(what) == 3}
    expect_equal(used - allowed, set(), "rights used and not granted")
    expect_equal(allowed - used, unused, "rights granted and not used")
    for what in allowed - unused:
        expect(found[what] & {200, 201}, f"{what} was answered with {found[what]}")
    for resource in (BINDINGS, WIDE_BINDINGS):
        expect(409 in found["patch", resource, ""], f"no conflict of {resource}: nothing shown")


def live_case_least_rights_events(c):
    """Where events.k8s.io/v1 is not served, Events go through core/v1, with the same roles."""
    names = fleets.make(c.plane, 2)
    c.plane.kill_apiserver()
    c.plane.start_apiserver("--runtime-config=events.k8s.io/v1=false")
    try:
        _, since = c.plane.audit()
        run = c.ballast("run").ended(DONE)
        found = answers(c.plane.audit(since)[0])
        expect_equal(found.get(("create", "events", "")), {201}, f"core Events, {run.err}")
        expect_equal({what for what, statuses in found.items() if 403 in statuses}, set(),
                     "refused")
        about = {e["involvedObject"]["name"]
                 for e in c.plane.list("/api/v1/namespaces/e2e/events")}
        expect_equal(about, set(names), "what the Events are about")
    finally:
        c.plane.kill_apiserver()
        c.plane.start_apiserver()


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


