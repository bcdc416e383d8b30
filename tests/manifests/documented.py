# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/connecting.md that say what Ballast may do, and what roles grant."""
import collections
import pathlib
import re

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "connecting.md"
# The lines before the tables.
KARMADA = "In Karmada's API server:"
SHARD = "In Karmada's API server, the account of shards:"
MEMBER = "In each member of Karmada:"
SUMMARIES = "In the cluster where the pods run, with the component `shards`:"
HOST = "In a KubeFed host:"
KUBEFED_MEMBER = "In each member of KubeFed:"

# `option`: a directory of cronjob/ without which it is not there.
Right = collections.namedtuple("Right", "who verb resource subresource name namespace option")


def ticked(text):
    return re.findall(r"`([^`]+)`", text)


def after(word, text):
    found = re.search(rf"\b{word} `([^`]+)`", text)
    return found and found[1]


def named(text):
    """The names after "named": one, all from one number to another, or None."""
    found = re.search(r"\bnamed `([^`]+?)(\d*)`(?: to `[^`]*?(\d+)`)?", text)
    if not found:
        return [None]
    stem, first, last = found.groups()
    return [f"{stem}{n}" for n in range(int(first), int(last) + 1)] if last else [stem + first]


def rows_of(title):
    """The rows of the table under that line, as cells; first the head."""
    text = DOCUMENT.read_text().partition("## Rights\n")[2].partition("\n## ")[0]
    _, found, table = text.partition(f"{title}\n\n")
    if not found:
        raise ValueError(f"docs/connecting.md has no table {title!r}")
    lines = table.partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines
            if not line.startswith("|---")]


def documented(title):
    """The rights of a table: a column for each account, or for several; `besides` adds to the one before."""
    head, *rows = rows_of(title)
    found = []
    for cells in rows:
        which = cells[head.index("which")] if "which" in head else ""
        for resource in ticked(cells[0]):
            before = []
            for column, cell in zip(head[1:], cells[1:]):
                if column == "which":
                    continue
                verbs = [v for v in cell.split(", ") if v]
                before = verbs if "besides" not in column else [*before, *verbs]
                found += [Right(who, verb, *split(resource), name,
                                after("in", which), after("only with", which))
                          for who in ticked(column) for verb in before for name in named(which)]
    return found


def split(resource):
    name, _, subresource = resource.partition("/")
    return name, subresource


def granted(objects, option=None):
    """The rights of every service account by the roles and bindings among these objects."""
    roles = {(o["kind"], o["metadata"]["name"]): o["rules"] for o in objects if "rules" in o}
    for binding in (o for o in objects if "roleRef" in o):
        for rule in roles[binding["roleRef"]["kind"], binding["roleRef"]["name"]]:
            for subject in binding.get("subjects", []):
                yield from rights_of(rule, subject["name"], binding["metadata"].get("namespace"), option)


def rights_of(rule, who, namespace, option):
    for group in rule["apiGroups"]:
        for resource in rule["resources"]:
            name, subresource = split(resource)
            for verb in rule["verbs"]:
                for named in rule.get("resourceNames", [None]):
                    yield Right(who, verb, name + (group and f".{group}"), subresource, named,
                                namespace, option)
