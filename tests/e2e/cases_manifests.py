# SPDX-License-Identifier: Apache-2.0
"""The manifests in cronjob/ and the chart: what a current kubectl and a current helm make of them, and
what a server says to that. What needs no server is in tests/manifests and tests/chart."""
import os
import pathlib
import subprocess

import cases_rights
import fleets
import kustomize
import yaml
from cases_install import CRONJOB, apply
from control_plane import ADMIN
from harness import DONE, expect, expect_equal

ROOT = CRONJOB.parent
PODS = [".", "overlays/host-cluster", "overlays/same-cluster", "overlays/pod-failure-policy"]
RIGHTS = ["karmada", "karmada/estimators", "karmada/labels", "karmada/shards"]


def minor_version(c):
    return int(c.plane.get("/version")["minor"].rstrip("+"))


def by_name(objects):
    return {(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]): o
            for o in objects if o}


def current(c, program, *arguments):
    """What a helm or kubectl of today says: (exit status, output)."""
    found = subprocess.run([ROOT / "tests/tools/get-helm-kubectl.sh"], stdout=subprocess.PIPE,
                           text=True, check=False)
    expect(found.returncode == 0, "there is no current helm and kubectl")
    config = c.plane.kubeconfig("current", {"token": ADMIN})
    done = subprocess.run([pathlib.Path(found.stdout.strip()) / program, *map(str, arguments),
                           f"--kubeconfig={config}"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "HOME": str(c.plane.directory)})
    return done.returncode, done.stdout


def case_kustomize(c):
    """What kubectl makes of the directories is what the other cases look at."""
    for directory in [*PODS, *RIGHTS, "overlays/kubefed", "kubefed/members"]:
        status, said = current(c, "kubectl", "kustomize", CRONJOB / directory)
        expect_equal(status, 0, f"kubectl kustomize {directory}: {said}")
        want = by_name(yaml.safe_load_all(said))
        got = by_name(kustomize.render(CRONJOB / directory))
        expect_equal(sorted(got, key=str), sorted(want, key=str), directory)
        for name, thing in want.items():
            expect_equal(got[name], thing, f"{directory}: {name}")


def case_manifests_accepted(c):
    """The server takes everything that is shipped; nothing is defaulted by a warning."""
    for directory in [*PODS, *RIGHTS]:
        if directory.endswith("pod-failure-policy") and minor_version(c) < 26:
            continue
        said = apply(c, directory, "--dry-run=server")
        expect("warning" not in said.lower(), f"{directory}: {said}")
        expect("ballast" in said, f"{directory}: {said}")


def case_manifests_current_kubectl(c):
    """A current kubectl applies the directories as they are, and finds no difference then; what the
    server is too old for is refused as a whole."""
    for directory in [*RIGHTS, *PODS]:
        status, said = current(c, "kubectl", "apply", "--dry-run=server", "-k", CRONJOB / directory)
        if directory in PODS and minor_version(c) < 22:
            expect(status != 0 and 'no matches for kind "CronJob" in version "batch/v1"' in said,
                   f"{directory} on a server without it: {said}")
            continue
        if directory.endswith("pod-failure-policy") and minor_version(c) < 26:
            continue
        expect_equal(status, 0, f"kubectl apply -k {directory}: {said}")
        expect("warning" not in said.lower(), f"{directory}: {said}")
    status, said = current(c, "kubectl", "apply", "-k", CRONJOB / "karmada")
    expect_equal(status, 0, said)
    status, said = current(c, "kubectl", "diff", "-k", CRONJOB / "karmada")
    expect_equal((status, said), (0, ""), "kubectl diff of what was applied")


def helm(c, command, *arguments):
    status, said = current(c, "helm", command, "ballast", *arguments, "--namespace=karmada-system")
    expect_equal(status, 0, f"helm {command} {arguments}: {said}")
    return said


def are_there(c, directory):
    """Those of its objects that are roles or bindings."""
    paths = filter(None, map(cases_rights.path_of, kustomize.render(CRONJOB / directory)))
    return {c.plane.exists(path) for path in paths}


def live_case_helm(c):
    """The chart takes over what kubectl applied, adds and removes an option, works, and goes without a
    trace; kubectl's way works again afterwards."""
    chart, karmada = ROOT / "charts" / "ballast", "--set=mode=karmada"
    try:
        helm(c, "install", chart, karmada, "--take-ownership")
        c.ready()
        fleets.make(c.plane, 2)
        c.ballast("run").ended(DONE)
        for wanted in (True, False):
            helm(c, "upgrade", chart, karmada, f"--set=components.labels={str(wanted).lower()}")
            expect_equal(are_there(c, "karmada/labels"), {wanted}, "the option labels")
        expect_equal(are_there(c, "karmada"), {True}, "roles")
        helm(c, "uninstall")
        expect_equal(are_there(c, "karmada"), {False}, "roles that are left")
    finally:
        apply(c, "karmada")
        c.ready()
    expect_equal(are_there(c, "karmada"), {True}, "roles that kubectl brought back")
