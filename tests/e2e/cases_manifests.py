# SPDX-License-Identifier: Apache-2.0
"""The manifests in cronjob/: what kubectl makes of them, and what a server says to that. What needs
neither is in tests/manifests."""
import subprocess

import kustomize
import yaml
from cases_install import CRONJOB, apply
from harness import Failure, expect, expect_equal

PODS = [".", "overlays/host-cluster", "overlays/same-cluster", "overlays/pod-failure-policy"]


def minor_version(c):
    return int(c.plane.get("/version")["minor"].rstrip("+"))


def by_name(objects):
    return {(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]): o
            for o in objects if o}


def case_kustomize(c):
    """What kubectl makes of the directories is what the other cases look at."""
    said = c.plane.kubectl("version", "--client", "-o", "yaml").stdout
    version = yaml.safe_load(said).get("kustomizeVersion", "v0")
    if int(version.lstrip("v").split(".")[0]) < 5:
        print("    kubectl's kustomize is too old for cronjob/: not compared")
        return
    for directory in [*PODS, "karmada"]:
        done = subprocess.run([c.binaries / "kubectl", "kustomize", CRONJOB / directory],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise Failure(f"kubectl kustomize {directory}: {done.stderr.decode()}")
        want = by_name(yaml.safe_load_all(done.stdout))
        got = by_name(kustomize.render(CRONJOB / directory))
        expect_equal(sorted(got), sorted(want), directory)
        for name, thing in want.items():
            expect_equal(got[name], thing, f"{directory}: {name}")


def case_manifests_accepted(c):
    """The server takes everything that is shipped; nothing is defaulted by a warning."""
    for directory in [*PODS, "karmada"]:
        if directory.endswith("pod-failure-policy") and minor_version(c) < 26:
            continue
        said = apply(c, directory, "--dry-run=server")
        expect("warning" not in said.lower(), f"{directory}: {said}")
        expect("ballast" in said, f"{directory}: {said}")
