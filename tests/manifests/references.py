# SPDX-License-Identifier: Apache-2.0
"""What objects name of each other: service accounts, roles, ConfigMaps, Secrets, volumes, and the
files that the arguments of a container name."""
import copy
import re

import pods
from kustomize import WITHOUT_NAMESPACE

# Made by others: (kind, name): the keys it has.
OF_OTHERS = {
    ("ConfigMap", "kube-root-ca.crt"): {"ca.crt"},  # Kubernetes, in every namespace
    # Karmada's installers, for karmada-descheduler
    ("Secret", "karmada-descheduler-scheduler-estimator-client-cert"): {"ca.crt", "tls.crt",
                                                                        "tls.key"},
}


def promised(*documents):
    """{(kind, name): keys} of what the documentation has the reader make."""
    text = "".join(document.read_text() for document in documents).replace("\\\n", " ")
    made = re.findall(r"create secret generic (\S+)\s+--from-file=(\w+)=", text)
    return {("Secret", name): {key} for name, key in made}


def overrides(thing):
    """(path, value) of what a ClusterOverridePolicy adds in the members."""
    for rule in thing.get("spec", {}).get("overrideRules", []):
        for override in rule["overriders"]["plaintext"]:
            if override["operator"] != "add":
                raise ValueError(f"{override['operator']} is not known here")
            yield override["path"], override["value"]


def subjects_of(thing):
    yield from thing.get("subjects", [])
    for path, value in overrides(thing):
        yield from value if path == "/subjects" else ()


def carried(objects):
    """What Karmada brings to every member of these objects."""
    def chosen(kind):
        return [(selector["kind"], selector["name"], policy) for policy in objects
                if policy["kind"] == kind for selector in policy["spec"]["resourceSelectors"]]
    found = []
    for kind, name, _ in chosen("ClusterPropagationPolicy"):
        thing, = (copy.deepcopy(o) for o in objects
                  if (o["kind"], o["metadata"]["name"]) == (kind, name))
        for policy in (p for k, n, p in chosen("ClusterOverridePolicy") if (k, n) == (kind, name)):
            for path, value in overrides(policy):
                thing[path.strip("/")] = copy.deepcopy(value)
        found.append(thing)
    return found


def roles_named(thing):
    if "roleRef" in thing:
        yield thing["roleRef"]["kind"], thing["roleRef"]["name"], ()
    for subject in subjects_of(thing):
        yield subject["kind"], subject["name"], ()


def selected(thing):
    """By a policy of Karmada's: what it carries to the members."""
    for selector in thing.get("spec", {}).get("resourceSelectors", []):
        yield selector["kind"], selector["name"], ()


def volume_source_named(source):
    for word, kind in (("configMap", "ConfigMap"), ("secret", "Secret")):
        if word in source:
            keys = {item["key"] for item in source[word].get("items", [])}
            yield kind, source[word].get("secretName", source[word].get("name")), keys
    if "persistentVolumeClaim" in source:
        yield "PersistentVolumeClaim", source["persistentVolumeClaim"]["claimName"], ()


def named_by_pod(pod):
    yield "ServiceAccount", pod["serviceAccountName"], ()
    for volume in pod.get("volumes", []):
        for source in [volume, *volume.get("projected", {}).get("sources", [])]:
            yield from volume_source_named(source)


def named(thing):
    """(kind, name, keys) of what an object names."""
    yield from roles_named(thing)
    yield from selected(thing)
    for _, pod in pods.templates([thing]):
        yield from named_by_pod(pod)


def files_of(volume, there):
    """The paths of the files in a volume."""
    for source in [volume, *volume.get("projected", {}).get("sources", [])]:
        for word, kind in (("configMap", "ConfigMap"), ("secret", "Secret")):
            if word in source:
                name = source[word].get("secretName", source[word].get("name"))
                items = source[word].get("items")
                yield from ([i["path"] for i in items] if items
                            else there.get((kind, name), ()))
        if "serviceAccountToken" in source:
            yield source["serviceAccountToken"]["path"]
        for item in source.get("downwardAPI", {}).get("items", []):
            yield item["path"]


def seen_of(mount, files):
    """Of a volume's files those that a container sees there. One directory for each index: what is
    in all of them."""
    if "subPathExpr" not in mount:
        return set(files)
    directories = {}
    for file in files:
        directory, _, name = file.partition("/")
        directories.setdefault(directory, set()).add(name)
    return set.intersection(*directories.values()) if directories else set()


def is_writable(path, container, volumes):
    """It may be made there: in a volume that lasts, and is not mounted to be read alone."""
    return any(path.startswith(m["mountPath"] + "/") and not m.get("readOnly") and
               "persistentVolumeClaim" in volumes.get(m["name"], {})
               for m in container.get("volumeMounts", []))


def mount_faults(pod, there):
    """Volumes and mounts belong together, and files that arguments name are in them."""
    volumes = {v["name"]: v for v in pod.get("volumes", [])}
    for container in pod["containers"]:
        mounts = {m["name"]: m["mountPath"] for m in container.get("volumeMounts", [])}
        for name in set(mounts) ^ set(volumes):
            yield f"volume {name} is only mounted, or not at all"
        files = {f"{m['mountPath']}/{file}" for m in container.get("volumeMounts", [])
                 if m["name"] in volumes
                 for file in seen_of(m, files_of(volumes[m["name"]], there))}
        for argument in container.get("args", []):
            value = argument.partition("=")[2]
            if value.startswith("/") and value not in files and not is_writable(value, container,
                                                                                volumes):
                yield f"{argument}: there is no such file, only {sorted(files)}"


NAMESPACES = [{"karmada-system"}, {"kube-federation-system"}]


def namespace_faults(objects):
    """A role is bound where it is, for service accounts of the one namespace there is: that of
    Karmada's control plane, or of KubeFed's."""
    spaces = {t["metadata"]["namespace"] for t in objects if "namespace" in t["metadata"]}
    own = spaces.pop() if spaces in NAMESPACES else "karmada-system"
    for thing in objects:
        for subject in subjects_of(thing):
            if subject.get("namespace") != own:
                yield f"{thing['metadata']['name']}: {subject} of no namespace that we know"
        if thing["kind"] not in WITHOUT_NAMESPACE and thing["metadata"].get("namespace") != own:
            yield f"{thing['kind']} {thing['metadata']['name']} is not in {own}"


def faults(objects, promised_too):
    there = {**OF_OTHERS, **promised_too}
    for thing in objects:
        there[thing["kind"], thing["metadata"]["name"]] = set(thing.get("data", {}))
    found = list(namespace_faults(objects))
    for thing in objects:
        label = f"{thing['kind']} {thing['metadata']['name']}"
        for kind, name, keys in named(thing):
            if (kind, name) not in there:
                found.append(f"{label}: there is no {kind} {name}")
            elif set(keys) - there[kind, name]:
                found.append(f"{label}: {kind} {name} has no {sorted(keys)}")
        for _, pod in pods.templates([thing]):
            found += [f"{label}: {why}" for why in mount_faults(pod, there)]
    return found


SPOILED = [
    pods.spoiling("a service account that does not exist")(
        lambda pod: pod.update(serviceAccountName="ballast-dry")),
    pods.spoiling("a volume that is not mounted")(
        lambda pod: pod["containers"][0]["volumeMounts"].pop()),
    pods.spoiling("a mount without its volume")(lambda pod: pod["volumes"].pop()),
    pods.spoiling("a configuration that is elsewhere")(
        lambda pod: pod["containers"][0]["args"].append("--config=/etc/ballast/balast.yaml")),
    pods.spoiling("a key that the Secret does not have")(
        lambda pod: next(v for v in pod["volumes"] if "secret" in v)["secret"].update(
            items=[{"key": "config", "path": "kubeconfig"}])),
]
