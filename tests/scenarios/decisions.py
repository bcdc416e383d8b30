#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a plan (-o json --all) with the decisions that a scenario's author expected.

    decisions.py DECISIONS PLAN.json

A line a binding: its name, the action, what it has afterwards (cluster=replicas, sorted), then the
findings in brackets and, in parentheses, reason codes that must be among those given:

    shop/web Move berlin=2 paris=4 [UnschedulableReplicas:berlin:2] (NoRoom)

Bindings that are not listed must be action None without a finding. Lines with # are comments.
"""
import json
import re
import sys


def show(item):
    split = " ".join(f"{t['name']}={t['replicas']}" for t in item["after"])
    findings = ",".join(sorted(f"{f['type']}:{f.get('cluster') or '-'}:{f.get('replicas', 0)}"
                               for f in item["findings"]))
    return f"{item['action']} {split}".strip() + (f" [{findings}]" if findings else "")


def key(item):
    return f"{item['namespace']}/{item['resource']['name']}"


def expected(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            parts = re.fullmatch(r"([^\s#]\S*) ([^(#]*)(?:\(([^)]*)\))?\s*(?:#.*)?", line.strip())
            if parts:
                yield parts[1], parts[2].strip(), (parts[3] or "").split()


def main():
    with open(sys.argv[2], encoding="utf-8") as text:
        plan = json.load(text)
    items = {key(item): item for item in plan["items"]}
    wrong = []
    for name, want, codes in expected(sys.argv[1]):
        item = items.pop(name, None)
        if item is None:
            wrong.append(f"{name}: not in the plan")
            continue
        if show(item) != want:
            wrong.append(f"{name}:\n  want {want}\n  got  {show(item)}")
        given = {r["code"] for r in item.get("reasons", [])}
        missing = [c for c in codes if c not in given]
        if missing:
            wrong.append(f"{name}: no reason {' '.join(missing)} among {' '.join(sorted(given))}")
    wrong += [f"{name}: not expected: {show(item)}" for name, item in items.items()
              if item["action"] != "None" or item["findings"]]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()
