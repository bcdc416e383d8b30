# SPDX-License-Identifier: Apache-2.0
"""A stand-in for KubeFed's controllers (v0.10.0): the one that probes clusters, and the one that
carries federated objects into them. They do as upstream's do, mistakes included; but nothing happens
by itself: a test says when they look. Every write in a member is kept with what it was for."""
import base64
import collections
import copy
import hashlib
import http.client
import json
import ssl
import urllib.parse
from datetime import datetime, timedelta, timezone

from control_plane import ApiError
from kubefed_kinds import KFNS, path_of

MANAGED = "kubefed.io/managed"
REPLICAS = "/spec/replicas"
STAMP = "%Y-%m-%dT%H:%M:%SZ"
UNREACHABLE = (OSError, http.client.HTTPException)


def stamp(ahead=0):
    return (datetime.now(timezone.utc) + timedelta(seconds=ahead)).strftime(STAMP)


def later(text, seconds):
    """That time, so many seconds later."""
    return (datetime.strptime(text, STAMP) + timedelta(seconds=seconds)).strftime(STAMP)


def condition(kind, status, reason, message):
    now = stamp()
    return {"type": kind, "status": status, "reason": reason, "message": message,
            "lastProbeTime": now, "lastTransitionTime": now}


def is_ready(status):
    return any(c["type"] == "Ready" and c["status"] == "True"
               for c in status.get("conditions", []))


# --- clusters ---

class Known:
    """What the controller remembers of a cluster; upstream has it in memory, too."""

    def __init__(self):
        self.status, self.run = None, 0


class Health:
    """The cluster controller."""

    def __init__(self, host):
        self.host, self.known = host, collections.defaultdict(Known)

    def restart(self):
        """It forgets; the next probe sets all times anew."""
        self.known.clear()

    def probe(self, times=1):
        """So many rounds over all clusters."""
        config = self.host.get(f"{path_of('KubeFedConfig', KFNS)}/kubefed")["spec"]
        for _ in range(times):
            for cluster in self.host.list(path_of("KubeFedCluster", KFNS)):
                name = cluster["metadata"]["name"]
                status = adjusted(self.look(cluster), self.known[name],
                                  config["clusterHealthCheck"])
                self.known[name].status = copy.deepcopy(status)
                self.write(name, status)

    def write(self, name, status):
        """All of it: a merge would keep what is no longer said."""
        path = f"{path_of('KubeFedCluster', KFNS)}/{name}"
        cluster = self.host.get(path)
        self.host.request("PUT", path + "/status", {**cluster, "status": status})

    def set_back(self, name, transition=0, probe=0):
        """As if that had happened so many seconds earlier."""
        status = self.known[name].status
        for c in status["conditions"]:
            c["lastTransitionTime"] = later(c["lastTransitionTime"], -transition)
            c["lastProbeTime"] = later(c["lastProbeTime"], -probe)
        self.write(name, status)

    def look(self, cluster):
        """What one probe makes of it."""
        try:
            ask = self.client(cluster["spec"])
        except (ApiError, ValueError, KeyError):
            return {"conditions": [condition("ConfigMalformed", "True", "ClusterConfigMalformed",
                                             "cluster's configuration may be malformed")]}
        try:
            body = ask("/healthz")
        except (ApiError, *UNREACHABLE) as e:
            return {"conditions": [condition("Offline", "True", "ClusterNotReachable",
                                             f"cluster is not reachable: {e}")]}
        if body.lower() != b"ok":
            return {"conditions": [
                condition("Ready", "False", "ClusterNotReady", "/healthz responded without ok"),
                condition("Offline", "False", "ClusterReachable", "cluster is reachable")]}
        return {"conditions": [condition("Ready", "True", "ClusterReady",
                                         "/healthz responded with ok")],
                "kubernetesVersion": json.loads(ask("/version"))["gitVersion"]}

    def client(self, spec):
        """A function that gets a path with what the host has for that cluster."""
        name = spec["secretRef"]["name"]
        secret = self.host.get(f"/api/v1/namespaces/{KFNS}/secrets/{name}")
        token = base64.b64decode(secret.get("data", {})["token"]).decode()
        authority = base64.b64decode(spec["caBundle"]).decode()
        if not token:
            raise ValueError("no token")
        url = spec["apiEndpoint"]
        server = urllib.parse.urlsplit(url if "//" in url else f"https://{url}")
        tls = ssl.create_default_context(cadata=authority)

        def ask(path):
            connection = http.client.HTTPSConnection(server.hostname, server.port or 443,
                                                     context=tls, timeout=3)
            try:
                connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                body = answer.read()
            finally:
                connection.close()
            if answer.status >= 300:
                raise ApiError(answer.status, body.decode(errors="replace"))
            return body
        return ask


def adjusted(status, known, check):
    """Below the threshold the old conditions stand. What is counted is how often the state that
    stands was seen, also while all was well: the third of three failures decides right after a start
    or a change, and the first one after that."""
    old = known.status
    if old is None:
        known.run = 1
        return status
    threshold = check["successThreshold" if is_ready(status) else "failureThreshold"]
    if known.run < threshold:
        probed = status["conditions"][0]["lastProbeTime"]
        status["conditions"] = [{**c, "lastProbeTime": probed} for c in old["conditions"]]
    elif is_ready(status) == is_ready(old):
        since = old["conditions"][0]["lastTransitionTime"]
        status["conditions"] = [{**c, "lastTransitionTime": since} for c in status["conditions"]]
    known.run = known.run + 1 if is_ready(status) == is_ready(old) else 1
    return status


# --- placement and overrides ---

def expression_holds(term, labels):
    key, values = term["key"], term.get("values") or []
    return {"In": labels.get(key) in values,
            "NotIn": labels.get(key) not in values,
            "Exists": key in labels,
            "DoesNotExist": key not in labels}[term["operator"]]


def matches(selector, labels):
    """An absent selector matches nothing, an empty one everything."""
    if selector is None:
        return False
    return (all(labels.get(k) == v for k, v in (selector.get("matchLabels") or {}).items())
            and all(expression_holds(t, labels) for t in selector.get("matchExpressions") or []))


def placed(thing, clusters):
    """The names that its placement selects of these clusters."""
    where = thing["spec"].get("placement") or {}
    if where.get("clusters") is not None:
        listed = {c["name"] for c in where["clusters"]}
        return {c["metadata"]["name"] for c in clusters} & listed
    return {c["metadata"]["name"] for c in clusters
            if matches(where.get("clusterSelector"), c["metadata"].get("labels") or {})}


def overrides_of(thing):
    """By cluster; what upstream refuses is a ValueError."""
    found = {}
    for item in thing["spec"].get("overrides") or []:
        name, given = item.get("clusterName", ""), item.get("clusterOverrides") or []
        paths = [o["path"] for o in given]
        bad = {"/kind", "/metadata/name", "/metadata/namespace",
               "/metadata/generateName"} & set(paths)
        if name in found or bad or len(set(paths)) < len(paths):
            raise ValueError(f"overrides of {name}: {bad or 'more than once'}")
        found[name] = given
    return found


def patch_json(document, path, op, value):
    """As the library does it that upstream uses: to replace what is not there sets it."""
    *parents, last = [s.replace("~1", "/").replace("~0", "~") for s in path.split("/")[1:]]
    for step in parents:
        document = document[int(step) if isinstance(document, list) else step]
    if not isinstance(document, list):
        if op == "remove":
            del document[last]
        else:
            document[last] = value
    elif op == "remove":
        del document[int(last)]
    elif op == "add":
        document.insert(len(document) if last == "-" else int(last), value)
    else:
        document[int(last)] = value


def digest(thing):
    return hashlib.md5(json.dumps(thing, sort_keys=True).encode()).hexdigest()


def versions_of(thing):
    """The hashes that decide whether anything is written: of the template, and of the overrides in
    the order in which they stand."""
    listed = [{"clusterName": i.get("clusterName", ""), "clusterOverrides": [
                  {k: o[k] for k in ("op", "path", "value") if o.get(k) not in (None, "")}
                  for o in i.get("clusterOverrides") or []]}
              for i in thing["spec"].get("overrides") or []]
    return digest(thing["spec"].get("template")), digest(listed)


def version(thing):
    metadata = thing["metadata"]
    if metadata.get("generation"):
        return f"gen:{metadata['generation']}"
    return f"rv:{metadata['resourceVersion']}"


def same_metadata(a, b):
    return all((a["metadata"].get(k) or {}) == (b["metadata"].get(k) or {})
               for k in ("name", "namespace", "labels", "annotations"))


# --- federated objects ---

# What was written in a member. `why`: new, replicas (the cluster's own number is another one),
# beside (another cluster's is: upstream's hash is one for all clusters), content (the template or
# another override), drift (somebody else changed the member), gone (no longer placed there),
# needless. `took`: it is another object now.
Write = collections.namedtuple("Write", "cluster verb key why was wanted took")


class Content:
    """What an object asks of its clusters, in no order."""

    def __init__(self, thing, given):
        default = thing["spec"].get("template", {}).get("spec", {}).get("replicas", 1)
        self.numbers, others = {}, {}
        for name in given:
            self.numbers[name] = default
            others[name] = [o for o in given[name] if o["path"] != REPLICAS]
            for o in given[name]:
                if o["path"] == REPLICAS:
                    self.numbers[name] = o.get("value")
        self.default = default
        self.rest = digest([thing["spec"].get("template"),
                            {n: o for n, o in others.items() if o}])

    def wanted(self, name):
        return self.numbers.get(name, self.default)

    def why(self, name, before):
        """Why the cluster is written to, when it was brought to `before` the last time."""
        if before is None:
            return "new"
        if self.rest != before.rest:
            return "content"
        if self.wanted(name) != before.wanted(name):
            return "replicas"
        names = self.numbers.keys() | before.numbers.keys()
        return "beside" if any(self.wanted(n) != before.wanted(n) for n in names) else "needless"


class Round:
    """One object on its way into the clusters."""

    def __init__(self, kind, thing, given):
        metadata = thing["metadata"]
        self.kind, self.thing, self.given = kind, thing, given
        self.key = f"{metadata['namespace']}/{metadata['name']}"
        self.content, self.hashes = Content(thing, given), versions_of(thing)
        self.written, self.told, self.updated = {}, {}, False


class Sync:
    """The sync controller; `members` by name, and no cluster without one."""

    def __init__(self, host, members):
        self.host, self.members = host, members
        self.versions, self.brought, self.writes = {}, {}, []

    def sync(self):
        """All federated objects once. Returns how many writes there were in members."""
        begin = len(self.writes)
        clusters = self.host.list(path_of("KubeFedCluster", KFNS))
        config = self.host.get(f"{path_of('KubeFedConfig', KFNS)}/kubefed")["spec"]
        namespaces = {n["metadata"]["name"]: n for n in self.host.list(path_of("FederatedNamespace"))
                      if n["metadata"]["name"] == n["metadata"]["namespace"]}
        for kind in self.host.list(path_of("FederatedTypeConfig", KFNS)):
            target = kind["spec"]["targetType"]
            if kind["spec"]["propagation"] == "Enabled" and target["kind"] != "Namespace":
                for thing in self.host.list(path_of(kind["spec"]["federatedType"]["kind"])):
                    home = namespaces.get(thing["metadata"]["namespace"])
                    self.reconcile(target, thing, home, clusters, config)
        return len(self.writes) - begin

    def settle(self):
        """Until there is nothing left to write. Returns the writes."""
        begin = len(self.writes)
        for _ in range(5):
            if self.sync() == 0:
                return self.writes[begin:]
        raise TimeoutError(f"sync does not come to rest: {self.writes[begin:]}")

    def reconcile(self, target, thing, home, clusters, config):
        try:
            given = overrides_of(thing)
        except ValueError:
            given = None  # told by each cluster that is written to, as upstream does
        work = Round(target, thing, given or {})
        selected = placed(thing, clusters)
        if home is not None:
            selected &= placed(home, clusters)
        elif config["scope"] != "Namespaced":
            selected = set()
        for cluster in clusters:
            name = cluster["metadata"]["name"]
            if not is_ready(cluster.get("status") or {}):
                if name in selected:
                    work.told[name] = "ClusterNotReady"
                continue
            try:
                self.bring(work, name, name in selected, given is None, config)
            except UNREACHABLE:
                if name in selected:
                    work.told[name] = "ClientRetrievalFailed"
        self.keep_versions(work, selected)
        self.tell(work, home, config)

    def bring(self, work, name, selected, broken, config):
        """One cluster in line with the object."""
        path = self.path(work)
        there = self.managed(name, path)
        if not selected:
            if there is not None and "deletionTimestamp" not in there["metadata"]:
                work.told[name] = self.delete(work, name, there)
            elif there is not None:
                work.told[name] = "WaitingForRemoval"
            return
        if broken:
            work.told[name] = "ApplyOverridesFailed"
        elif there is None:
            work.told[name] = self.create(work, name, config)
        else:
            work.told[name] = self.update(work, name, there)

    def path(self, work):
        target, metadata = work.kind, work.thing["metadata"]
        group = f"apis/{target['group']}" if target.get("group") else "api"
        return (f"/{group}/{target['version']}/namespaces/{metadata['namespace']}/"
                f"{target['pluralName']}/{metadata['name']}")

    def managed(self, name, path):
        """What its cache would hold: only what bears the label."""
        there = self.get(name, path)
        if there is None or there["metadata"].get("labels", {}).get(MANAGED) != "true":
            return None
        return there

    def get(self, name, path):
        try:
            return self.members[name].get(path)
        except ApiError as e:
            if e.status != 404:
                raise
            return None

    def made(self, work, name, there=None):
        """The object for that cluster: template, what is retained of it there, overrides, label."""
        target, metadata = work.kind, work.thing["metadata"]
        thing = copy.deepcopy(work.thing["spec"].get("template") or {})
        mine = thing.setdefault("metadata", {})
        mine.pop("annotations", None)
        mine.pop("finalizers", None)
        mine.update(name=metadata["name"], namespace=metadata["namespace"])
        thing["kind"] = target["kind"]
        thing.setdefault("apiVersion", f"{target['group']}/{target['version']}")
        if there is not None:
            mine.update({k: there["metadata"][k] for k in ("resourceVersion", "annotations",
                                                           "finalizers") if k in there["metadata"]})
            if work.thing["spec"].get("retainReplicas") and "replicas" in there["spec"]:
                thing.setdefault("spec", {})["replicas"] = there["spec"]["replicas"]
        for o in work.given.get(name, []):
            patch_json(thing, o["path"], o.get("op"), copy.deepcopy(o.get("value")))
        mine.setdefault("labels", {})[MANAGED] = "true"
        return thing

    def create(self, work, name, config):
        path = self.path(work)
        try:
            thing = self.made(work, name)
        except (KeyError, IndexError, ValueError, TypeError):
            return "ApplyOverridesFailed"
        try:
            there = self.members[name].create(path.rsplit("/", 1)[0], thing)
        except ApiError as e:
            if e.status != 409:
                return "CreationFailed"
            if config.get("syncController", {}).get("adoptResources") == "Disabled":
                return "AlreadyExists"
            return self.update(work, name, self.members[name].get(path))
        self.note(work, name, "create", None, there, "new")
        return ""

    def update(self, work, name, there):
        if there["metadata"].get("labels", {}).get(MANAGED) == "false":
            return "ManagedLabelFalse"
        try:
            thing = self.made(work, name, there)
        except (KeyError, IndexError, ValueError, TypeError):
            return "ApplyOverridesFailed"
        known = self.version_of(work, name)
        if known == version(there) and same_metadata(thing, there):
            self.brought[work.kind["kind"], work.key, name] = work.content
            return ""
        try:
            now = self.members[name].request("PUT", self.path(work), thing)
        except ApiError:
            return "UpdateFailed"
        before = self.brought.get((work.kind["kind"], work.key, name))
        self.note(work, name, "update", there, now,
                  "drift" if known else work.content.why(name, before))
        work.updated = True
        return ""

    def delete(self, work, name, there):
        try:
            self.members[name].delete(self.path(work))
        except ApiError as e:
            if e.status != 404:
                return "DeletionFailed"
        self.note(work, name, "delete", there, None, "gone")
        return "WaitingForRemoval"

    def note(self, work, name, verb, before, after, why):
        """`before`, `after`: the object in the member, if it is there."""
        who = (work.kind["kind"], work.key, name)
        was, wanted = [thing and thing["spec"].get("replicas") for thing in (before, after)]
        took = before is None or after is None or version(before) != version(after)
        self.writes.append(Write(name, verb, work.key, why, was, wanted, took))
        self.brought.pop(who, None)
        if after is not None:
            self.brought[who] = work.content
            work.written[name] = version(after)

    # --- what it remembers, and what it says ---

    def version_of(self, work, name):
        """None: nothing is known for this template and these overrides."""
        hashes, known = self.versions.get((work.kind["kind"], work.key), (None, {}))
        return known.get(name) if hashes == work.hashes else None

    def keep_versions(self, work, selected):
        """Upstream's PropagatedVersion."""
        who = (work.kind["kind"], work.key)
        hashes, known = self.versions.get(who, (None, {}))
        kept = {n: v for n, v in known.items() if n in selected} if hashes == work.hashes else {}
        self.versions[who] = work.hashes, {**kept, **work.written}

    def tell(self, work, home, config):
        """status of the federated object; written where upstream would write it."""
        metadata, old = work.thing["metadata"], work.thing.get("status") or {}
        reason = ""
        if any(work.told.values()):
            reason = "CheckClusters"
        elif home is None and config["scope"] != "Namespaced":
            reason = "NamespaceNotFederated"
        clusters = old.get("clusters") or []
        changed = {c["name"]: c.get("status", "") for c in clusters} != work.told
        if changed:
            clusters = [{"name": n, **({"status": s} if s else {})}
                        for n, s in sorted(work.told.items())]
        now = stamp()
        told = next((dict(c) for c in old.get("conditions", []) if c["type"] == "Propagation"), None)
        new = {"type": "Propagation", "status": "False" if reason else "True",
               **({"reason": reason} if reason else {})}
        turned = told is None or {k: told[k] for k in ("type", "status", "reason")
                                  if told.get(k)} != new
        if not (turned or changed or old.get("observedGeneration") != metadata["generation"]):
            return
        since = now if turned else told["lastTransitionTime"]
        updated = now if turned or changed else told.get("lastUpdateTime", now)
        self.say(work, {"observedGeneration": metadata["generation"], "clusters": clusters,
                        "conditions": [{**new, "lastTransitionTime": since,
                                        "lastUpdateTime": updated}]})

    def say(self, work, status):
        thing = work.thing
        path = f"{path_of(thing['kind'], thing['metadata']['namespace'])}/{thing['metadata']['name']}"
        for _ in range(5):
            try:
                self.host.request("PUT", path + "/status", {**thing, "status": status})
                return
            except ApiError as e:
                if e.status == 404:
                    return
                if e.status != 409:
                    raise
                thing = self.host.get(path)
