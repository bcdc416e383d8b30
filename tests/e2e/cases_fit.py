# SPDX-License-Identifier: Apache-2.0
"""What the nodes and the API server of a real member refuse pods for beside resources: read where a
workload in need has to do with it, and then given no more than the member's own scheduler places."""
import fleets
from cases_members import SLOTS, expect_snapshot_alike
from federation import NAMESPACE
from harness import DONE, expect, expect_equal

QUOTAS = f"/api/v1/namespaces/{NAMESPACE}/resourcequotas"
CLAIMS = f"/api/v1/namespaces/{NAMESPACE}/persistentvolumeclaims"
VOLUMES = "/api/v1/persistentvolumes"
BESIDE = ("resourcequotas", "limitranges", "persistentvolumeclaims", "persistentvolumes",
          "storageclasses", "csinodes")
DATA = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}
SIZE = {"storage": "1Gi"}
MANY = ["ReadWriteMany"]
ON_NODE_1 = {"required": {"nodeSelectorTerms": [{"matchExpressions": [
    {"key": "kubernetes.io/hostname", "operator": "In", "values": ["m3-node-1"]}]}]}}


def add_claim(member):
    """Bound to volume "pv", whether or not there is one. Nothing here binds claims but the test."""
    member.create(CLAIMS, {
        "metadata": {"name": "data", "annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
        "spec": {"accessModes": MANY, "volumeName": "pv", "storageClassName": "",
                 "resources": {"requests": SIZE}}})
    member.patch(f"{CLAIMS}/data/status", {"status": {"phase": "Bound", "accessModes": MANY,
                                                      "capacity": SIZE}})


def add_volume(member):
    claim = member.get(f"{CLAIMS}/data")["metadata"]
    member.create(VOLUMES, {
        "metadata": {"name": "pv"},
        "spec": {"capacity": SIZE, "accessModes": MANY, "nodeAffinity": ON_NODE_1,
                 "local": {"path": "/data"},
                 "claimRef": {"namespace": NAMESPACE, "name": "data", "uid": claim["uid"]}}})
    member.patch(f"{VOLUMES}/pv/status", {"status": {"phase": "Bound"}})


def add_quota(member, pods):
    member.create(QUOTAS, {"metadata": {"name": "few"}, "spec": {"hard": {"pods": str(pods)}}})
    member.patch(f"{QUOTAS}/few/status", {"status": {"hard": {"pods": str(pods)},
                                                     "used": {"pods": "0"}}})


def remove(f):
    """What no other case knows of."""
    def clean(member):
        for path in (f"{CLAIMS}/data", f"{VOLUMES}/pv"):
            if member.exists(path):
                member.patch(path, {"metadata": {"finalizers": None}})
                member.delete(path)
        member.delete(QUOTAS)
    f.each(clean)


def asked_beside(f, since):
    return sorted({(r.member, r.path.rpartition("/")[2]) for r in f.front.asked(since)
                   if r.path.rpartition("/")[2] in BESIDE})


def live_case_fit(c):
    """Data's volume is on one node of m3, and the one that its claim in m2 names is gone; in m2 a
    quota lets three pods in. Both workloads are stuck in m1. What is given fits, and runs."""
    f = c.federation()
    f.make()
    remove(f)
    try:
        fit(f)
    finally:
        remove(f)


def fit(f):
    m2, m3 = f.members["m2"], f.members["m3"]
    f.each(add_claim)  # of many nodes: else the workload would not leave a cluster that lives
    add_volume(m3)
    add_quota(m2, 3)
    f.add("data", {"m1": 20}, **DATA)
    f.add("app", {"m1": 6})
    only = {"clusterAffinity": {"clusterNames": ["m1", "m2"]}, **fleets.DYNAMIC}
    f.plane.patch(f"{fleets.BINDINGS}/app", {"spec": {"placement": only}})
    f.members["m1"].fill(SLOTS)
    f.propagate()
    f.wait(m1=(0, 26), m2=(0, 0), m3=(0, 0))
    f.wait_until_older()
    f.report()
    since = len(f.front.log)
    f.ballast("plan", "--triggers=UnhealthyCluster").ended(DONE)
    expect_equal(asked_beside(f, since), [], "asked where nothing is to be done")
    expect_snapshot_alike(f, least=2)
    since = len(f.front.log)
    run = f.ballast("run").ended(DONE)
    expect_equal(asked_beside(f, since),
                 sorted((m, kind) for m in f.members for kind in BESIDE),
                 "asked for what the two have to do with")
    expect_equal(f.splits(), {"app": {"m1": 3, "m2": 3}, "data": {"m1": 8, "m3": 12}},
                 f"what is given\n{run.out}")
    f.propagate()
    f.wait(m1=(0, 11), m2=(3, 0), m3=(12, 0))
    pods = m3.pods(NAMESPACE)
    expect({p["spec"]["nodeName"] for p in pods} == {"m3-node-1"}, "pods beside their volume")
