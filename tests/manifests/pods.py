# SPDX-License-Identifier: Apache-2.0
"""What must hold of every pod that is shipped."""

# PodSecurity's `restricted` allows these volumes alone.
VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim",
           "projected", "secret"}
HOST = ("hostNetwork", "hostPID", "hostIPC")
LONGEST_TOKEN = 3600  # seconds


def templates(objects):
    """(what it is of, the pod's spec)"""
    for thing in objects:
        spec = thing.get("spec", {})
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        if "template" in spec:
            yield f"{thing['kind']} {thing['metadata']['name']}", spec["template"]["spec"]


def tokens(pod):
    """The service account tokens that are projected into it."""
    return [source["serviceAccountToken"] for volume in pod.get("volumes", [])
            for source in volume.get("projected", {}).get("sources", [])
            if "serviceAccountToken" in source]


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


def image_faults(image, version):
    """An image is named by the version that this is, or by its digest."""
    name, _, digest = image.partition("@")
    tag = name.rpartition("/")[2].partition(":")[2]
    if not digest.startswith("sha256:") and tag != version:
        yield f"image {image}, not of {version}"


def token_faults(pod):
    """None that nobody asked for, and none that lasts."""
    if pod.get("automountServiceAccountToken") is not False:
        yield "the service account's token is mounted"
    for token in tokens(pod):
        if token.get("expirationSeconds", LONGEST_TOKEN + 1) > LONGEST_TOKEN:
            yield f"a token that lasts: {token}"


def faults(pod, version):
    """What PodSecurity's level `restricted` would say, and some words of our own."""
    found = [f"{name} is set" for name in HOST if pod.get(name)]
    found += ["sysctls"] if pod.get("securityContext", {}).get("sysctls") else []
    for volume in pod.get("volumes", []):
        found += [f"volume {kind}" for kind in set(volume) - {"name"} - VOLUMES]
    for container in pod.get("initContainers", []) + pod["containers"]:
        found += container_faults(container, pod)
        found += image_faults(container["image"], version)
    found += token_faults(pod)
    return found


def spoiling(what):
    def mark(function):
        function.__doc__ = what
        return function
    return mark


SPOILED = [
    spoiling("the host's network")(lambda pod: pod.update(hostNetwork=True)),
    spoiling("a volume of the host's")(lambda pod: pod["volumes"].append(
        {"name": "x", "hostPath": {"path": "/"}})),
    spoiling("a user that may be root")(lambda pod: pod["securityContext"].pop("runAsNonRoot")),
    spoiling("root")(lambda pod: pod["securityContext"].update(runAsUser=0)),
    spoiling("no seccomp profile")(lambda pod: pod["securityContext"].pop("seccompProfile")),
    spoiling("no security context")(lambda pod: pod["containers"][0].pop("securityContext")),
    spoiling("a capability")(lambda pod: pod["containers"][0]["securityContext"]["capabilities"]
                             .update(add=["SYS_ADMIN"])),
    spoiling("another container")(lambda pod: pod["containers"].append(
        {"name": "y", "image": "z:0.1.0"})),
    spoiling("an image of any version")(lambda pod: pod["containers"][0].update(
        image="registry.example.com:5000/ballast")),
    spoiling("the latest image")(lambda pod: pod["containers"][0].update(image="ballast:latest")),
    spoiling("a token that nobody asked for")(
        lambda pod: pod.pop("automountServiceAccountToken")),
    spoiling("a token that lasts a day")(
        lambda pod: tokens(pod)[0].update(expirationSeconds=86400)),
    spoiling("a token without an end")(lambda pod: tokens(pod)[0].pop("expirationSeconds")),
]
