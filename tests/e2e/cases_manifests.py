# SPDX-License-Identifier: Apache-2.0
"""The manifests in cronjob/: what kustomize makes of them, and what must hold of every pod."""
import copy
import subprocess

import kustomize
import yaml
from cases_install import CRONJOB, apply
from harness import Failure, expect, expect_equal

PODS = [".", "overlays/host-cluster", "overlays/same-cluster", "overlays/pod-failure-policy"]
# PodSecurity's `restricted` allows these volumes alone.
VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim",
           "projected", "secret"}
HOST = ("hostNetwork", "hostPID", "hostIPC")


def minor_version(c):
    return int(c.plane.get("/version")["minor"].rstrip("+"))


def by_name(objects):
    return {(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]): o
            for o in objects if o}


def pod_templates(objects):
    """(what it is of, the pod's spec)"""
    for thing in objects:
        spec = thing.get("spec", {})
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        if "template" in spec:
            yield f"{thing['kind']} {thing['metadata']['name']}", spec["template"]["spec"]


def container_faults(container, pod):
    mine = container.get("securityContext", {})
    context = {**pod.get("securityContext", {}), **mine}
    capabilities = mine.get("capabilities", {})
    seccomp = context.get("seccompProfile", {}).get("type")
    yield from (why for why, wrong in {
        "privileged": mine.get("privileged"),
        "may gain privileges": mine.get("allowPrivilegeEscalation") is not False,
        "keeps capabilities": capabilities.get("drop") != ["ALL"],
        "adds capabilities": set(capabilities.get("add", [])) - {"NET_BIND_SERVICE"},
        "may be root": context.get("runAsNonRoot") is not True or context.get("runAsUser") == 0,
        "no seccomp profile": seccomp not in ("RuntimeDefault", "Localhost"),
        "unmasked /proc": mine.get("procMount", "Default") != "Default",
        "host ports": any("hostPort" in port for port in container.get("ports", [])),
        "options of SELinux or Windows": "seLinuxOptions" in context or "windowsOptions" in context,
        # what follows is ours
        "root file system to write to": mine.get("readOnlyRootFilesystem") is not True,
        "no requests": set(container.get("resources", {}).get("requests", {})) != {"cpu", "memory"},
    }.items() if wrong)


def pod_faults(pod):
    """What PodSecurity's level `restricted` would say, and two words of our own."""
    faults = [f"{name} is set" for name in HOST if pod.get(name)]
    faults += ["sysctls"] if pod.get("securityContext", {}).get("sysctls") else []
    for volume in pod.get("volumes", []):
        faults += [f"volume {kind}" for kind in set(volume) - {"name"} - VOLUMES]
    for container in pod.get("initContainers", []) + pod["containers"]:
        faults += container_faults(container, pod)
    return faults


SPOILED = [
    lambda pod: pod.update(hostNetwork=True),
    lambda pod: pod["volumes"].append({"name": "x", "hostPath": {"path": "/"}}),
    lambda pod: pod["securityContext"].pop("runAsNonRoot"),
    lambda pod: pod["securityContext"].update(runAsUser=0),
    lambda pod: pod["securityContext"].pop("seccompProfile"),
    lambda pod: pod["containers"][0].pop("securityContext"),
    lambda pod: pod["containers"][0]["securityContext"]["capabilities"].update(add=["SYS_ADMIN"]),
    lambda pod: pod["containers"].append({"name": "y", "image": "z"}),
]


def case_pod_security(c):
    """Every pod that is shipped meets PodSecurity `restricted`; with any of its words left out it
    would not."""
    for directory in PODS:
        pods = list(pod_templates(kustomize.render(CRONJOB / directory)))
        expect_equal([of for of, _ in pods], ["CronJob ballast", "Job ballast-once"], directory)
        for of, pod in pods:
            expect_equal(pod_faults(pod), [], f"{directory}: {of}")
            for i, spoil in enumerate(SPOILED):
                worse = copy.deepcopy(pod)
                spoil(worse)
                expect(pod_faults(worse), f"{directory}: {of} spoiled by number {i} is in order")


def case_labels(c):
    """The runbook finds Jobs and pods by their label: all that are made bear it."""
    label = {"app.kubernetes.io/name": "ballast"}
    for directory in PODS:
        for thing in kustomize.render(CRONJOB / directory):
            made = list(kustomize.templates(thing))
            if thing["kind"] in ("CronJob", "Job"):
                expect(made, f"{directory}: {thing['kind']} without a template")
            for one in [thing, *made]:
                expect_equal(one["metadata"].get("labels"), label, f"{directory}: {thing['kind']}")


def case_pod_failure_policy(c):
    """Only the overlay that is named after it, since older clusters do not know it."""
    for directory in PODS:
        for thing in kustomize.render(CRONJOB / directory):
            if thing["kind"] in ("CronJob", "Job"):
                spec = thing["spec"].get("jobTemplate", thing)["spec"]
                expect_equal("podFailurePolicy" in spec, "pod-failure-policy" in directory,
                             f"{directory}: {thing['kind']}")


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


def case_deadlines_fit(c):
    """--lock-wait and --deadline fit into activeDeadlineSeconds, and that into the period."""
    jobs = [o for o in kustomize.render(CRONJOB) if o["kind"] == "CronJob"]
    spec, = (job["spec"] for job in jobs)
    expect_equal(spec["schedule"], "*/2 * * * *", "schedule")
    job = spec["jobTemplate"]["spec"]
    arguments = job["template"]["spec"]["containers"][0]["args"]
    seconds = {name: int(value.rstrip("s")) for name, _, value in (
        a.partition("=") for a in arguments) if name in ("--deadline", "--lock-wait")}
    expect(sum(seconds.values()) <= job["activeDeadlineSeconds"] < 120, f"{seconds} of {job}")
