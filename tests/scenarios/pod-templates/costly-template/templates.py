# SPDX-License-Identifier: Apache-2.0
import json


def deployment(name, terms, values):
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchExpressions": [
        {"key": "app", "operator": "In", "values": [f"other-{i}" for i in range(values)]}]}}
    template = {"metadata": {"labels": {"app": name}}, "spec": {
        "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}],
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term] * terms}}}}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"namespace": "shop", "name": name},
            "spec": {"template": template}}


items = [deployment("heavy", 20, 1000), deployment("light", 1, 20), deployment("plain", 0, 0)]
print(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
