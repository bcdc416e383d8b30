# SPDX-License-Identifier: Apache-2.0
"""As much of kustomize as cronjob/ and the overlays in the documentation use: Debian's kubectl
brings one that is too old for it. Where kubectl knows more, the two are compared. What is not known
here is an error, and so is what kustomize would refuse: a patch without its target, one object
twice."""
import copy

import yaml

KNOWN = {"apiVersion", "kind", "namespace", "labels", "resources", "components", "patches",
         "configMapGenerator", "images"}
MERGE_KEYS = {"containers": "name", "volumes": "name", "volumeMounts": "mountPath"}
WITHOUT_NAMESPACE = {"ClusterRole", "ClusterRoleBinding", "ClusterOverridePolicy",
                     "ClusterPropagationPolicy"}


def render(directory):
    """The objects that `kubectl apply -k DIRECTORY` would send."""
    return build(directory, None)


def build(directory, objects):
    """Of a component, `objects` and what it adds, with all that it does to them; of a kustomization
    (`objects` None) what it consists of."""
    file, = read((directory / "kustomization.yaml").read_text())
    unknown = set(file) - KNOWN
    if unknown:
        raise ValueError(f"{directory}: {unknown} is not known here")
    wanted = "Component" if objects is not None else "Kustomization"
    if file["kind"] != wanted:
        raise ValueError(f"{directory}: a {file['kind']} where a {wanted} is wanted")
    mine = list(objects or [])
    for name in file.get("resources", []):
        path = directory / name
        mine += build(path, None) if path.is_dir() else load(path)
    for generator in file.get("configMapGenerator", []):
        generate(directory, generator, mine)
    for name in file.get("components", []):
        mine = build(directory / name, mine)
    for entry in file.get("patches", []):
        patch(directory, entry, mine)
    for entry in file.get("images", []):
        set_image(mine, **entry)
    for thing in mine:
        for label in file.get("labels", []):
            add_labels(thing, **label)
        if "namespace" in file and thing["kind"] not in WITHOUT_NAMESPACE:
            thing["metadata"]["namespace"] = file["namespace"]
    expect_once(directory, mine)
    complete_subjects(mine)
    return mine


def expect_once(directory, objects):
    seen = set()
    for thing in objects:
        key = thing["kind"], thing["metadata"].get("namespace"), thing["metadata"]["name"]
        if key in seen:
            raise ValueError(f"{directory}: {key} is there twice")
        seen.add(key)


def complete_subjects(objects):
    """A service account without a namespace is the one beside the object that names it."""
    there = {(o["metadata"].get("namespace"), o["metadata"]["name"])
             for o in objects if o["kind"] == "ServiceAccount"}
    for thing in objects:
        mine = thing["metadata"].get("namespace")
        for subject in thing.get("subjects", []):
            if "namespace" not in subject and (mine, subject["name"]) in there:
                subject["namespace"] = mine


def add_labels(thing, pairs, includeTemplates=False):  # noqa: N803 (kustomize's word)
    thing["metadata"].setdefault("labels", {}).update(pairs)
    if includeTemplates:
        for template in templates(thing):
            template.setdefault("metadata", {}).setdefault("labels", {}).update(pairs)


def templates(thing):
    """Of a Job or CronJob: what is made from it, Jobs and their pods."""
    spec = thing.get("spec", {})
    for name in ("jobTemplate", "template"):
        if name in spec:
            yield spec[name]
            yield from templates(spec[name])


def read(text):
    """The documents of a YAML file; libyaml, where it is there, takes a tenth of the time."""
    return yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def load(path):
    return [thing for thing in read(path.read_text()) if thing]


def generate(directory, generator, objects):
    """A ConfigMap, or more of one that is there."""
    options = dict(generator.get("options", {}))
    labels = options.pop("labels", None)
    if options != {"disableNameSuffixHash": True}:
        raise ValueError(f"{directory}: a name with a hash is not known here")
    metadata = {k: generator[k] for k in ("name", "namespace") if k in generator}
    if labels is not None:
        metadata["labels"] = dict(labels)
    data = {name: (directory / name).read_text() for name in generator["files"]}
    behavior = generator.get("behavior", "create")
    if behavior == "create":
        objects.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata,
                        "data": data})
    elif behavior == "merge":
        found = find(objects, "ConfigMap", generator["name"])
        if found["metadata"].get("namespace") != metadata.get("namespace"):
            raise ValueError(f"{directory}: no ConfigMap {metadata} to merge with")
        found["data"].update(data)
    else:
        raise ValueError(f"{directory}: behavior {behavior} is not known here")


def set_image(objects, name, newName=None, newTag=None, digest=None):  # noqa: N803
    """Of all containers; without its tag an image's name is what is before the last colon."""
    count = 0
    for thing in objects:
        for template in templates(thing):
            for container in template.get("spec", {}).get("containers", []):
                old, _, tag = container["image"].partition(":")
                if old == name:
                    count += 1
                    container["image"] = (newName or old) + (
                        f"@{digest}" if digest else f":{newTag or tag}")
    if count == 0:
        raise ValueError(f"no container has the image {name}")


def patch(directory, entry, objects):
    if "target" in entry:
        target = entry["target"]
        for operation in next(read(entry["patch"])):
            change(find(objects, target["kind"], target["name"]), operation)
    else:
        for merged in load(directory / entry["path"]):
            merge(find(objects, merged["kind"], merged["metadata"]["name"]), merged)


def find(objects, kind, name):
    found = [o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name]
    if len(found) != 1:
        raise ValueError(f"{len(found)} objects are {kind} {name}")
    return found[0]


def change(thing, operation):
    """One operation of a JSON patch."""
    *way, last = operation["path"].strip("/").split("/")
    for step in way:
        thing = thing[int(step) if isinstance(thing, list) else step]
    if operation["op"] == "add" and last == "-":
        thing.append(operation["value"])
    elif operation["op"] in ("add", "replace") and isinstance(thing, dict):
        thing[last] = operation["value"]
    else:
        raise ValueError(f"{operation} is not known here")


def merge(thing, more):
    """A strategic merge: of lists, those with a merge key are merged, the others replaced; null
    takes away."""
    for key, value in more.items():
        if value is None:
            thing.pop(key, None)
        elif isinstance(value, dict) and isinstance(thing.get(key), dict):
            merge(thing[key], value)
        elif key in MERGE_KEYS and key in thing:
            merge_lists(thing[key], value, MERGE_KEYS[key])
        else:
            thing[key] = copy.deepcopy(value)


def merge_lists(items, more, name):
    """What the patch names comes first, in its order."""
    first = []
    for item in more:
        same = [i for i in items if i[name] == item[name]]
        if same:
            merge(same[0], item)
        first.append(same[0] if same else copy.deepcopy(item))
    named = [item[name] for item in first]
    items[:] = first + [i for i in items if i[name] not in named]
