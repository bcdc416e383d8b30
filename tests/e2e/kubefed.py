# SPDX-License-Identifier: Apache-2.0
"""A KubeFed host: an API server of its own with KubeFed's kinds, three real members joined to it,
stand-ins of KubeFed's controllers, and what Ballast may do there."""
import base64
import collections
import json
import subprocess
import threading
import time
import types

import cases_install
import kubefed_kinds as kinds
import kustomize
from cases_install import CRONJOB
from control_plane import ApiError, ControlPlane
from federation import LOCAL, NAMESPACE, SOON, parallel
from harness import FAST
from kubefed_kinds import KFNS, path_of
from kubefed_sync import UNREACHABLE, Health, Sync
from member_cluster import audit_policy, is_ready, workload

ACCOUNT = f"system:serviceaccount:{KFNS}:ballast"
HOUR = 3600
ROLES = {"ServiceAccount": "/api/v1/namespaces/{}/serviceaccounts",
         "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
         "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"}
ISSUER = "https://ballast-e2e"


class Host(ControlPlane):
    def write_files(self):
        super().write_files()
        (self.directory / "audit-policy").write_text(json.dumps(audit_policy([ACCOUNT])))

    def grant(self):
        """What is shipped for a host. Returns a token of Ballast's account there."""
        cases_install.apply(types.SimpleNamespace(plane=self), "overlays/kubefed")
        return self.account_token("ballast")

    def account_token(self, name):
        path = f"/api/v1/namespaces/{KFNS}/serviceaccounts/{name}/token"
        return self.create(path, {
            "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
            "spec": {"expirationSeconds": 86400, "audiences": None}})["status"]["token"]


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def account_token(member, seconds):
    """A token of the account that is shipped for members, as that server would sign it, which
    expires then."""
    uid = member.get(f"/api/v1/namespaces/{KFNS}/serviceaccounts/ballast")["metadata"]["uid"]
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": [ISSUER], "sub": ACCOUNT, "iat": now - 7200,
              "nbf": now - 7200, "exp": now + seconds,
              "kubernetes.io": {"namespace": KFNS,
                                "serviceaccount": {"name": "ballast", "uid": uid}}}
    text = ".".join(encoded(json.dumps(part).encode())
                    for part in ({"alg": "RS256", "typ": "JWT"}, claims))
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", member.directory / "sa.key"], input=text.encode(),
        stdout=subprocess.PIPE, check=True).stdout
    return f"{text}.{encoded(signature)}"


def grant_in_member(member):
    """What is shipped for members, but for the Secret that a controller would fill."""
    member.ensure_namespace(KFNS)
    for thing in kustomize.render(CRONJOB / "kubefed" / "members"):
        if thing["kind"] in ROLES:
            member.create(ROLES[thing["kind"]].format(KFNS), thing)


class KubeFed:
    def __init__(self, context):
        self.context = context
        self.members = context.federation().members
        directory = context.plane.directory / "kubefed"
        directory.mkdir()
        self.host = Host(context.plane.binaries, directory, context.plane, "/kubefed")
        kinds.install(self.host)
        for name in (KFNS, NAMESPACE):
            self.host.ensure_namespace(name)
        self.token = self.host.grant()
        self.each(grant_in_member)
        self.tokens = {n: account_token(m, 86400) for n, m in self.members.items()}
        self.health, self.sync = Health(self.host), Sync(self.host, self.members)

    def stop(self):
        self.host.stop()

    def each(self, function):
        """function(member) for all of them, side by side."""
        return parallel(function, self.members.values())

    # --- Ballast ---

    def config(self, name="kubefed", **user):
        return self.host.kubeconfig(name, user or {"token": self.token})

    def settings(self, text):
        """A flag that names a configuration file of that text."""
        path = self.host.directory / "ballast.yaml"
        path.write_text("apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
                        f"{text}\n")
        return f"--config={path}"

    def start(self, *arguments, live=FAST, config=None, soon=SOON, **how):
        command, *flags = arguments
        where = ["--platform=kubefed"]
        if command in ("run", "undo"):
            where.append(f"--lease-namespace={KFNS}")
        return self.context.start(command, *where, *soon, *flags, config=config or self.config(),
                                  live=live, **how)

    def ballast(self, *arguments, **how):
        return self.start(*arguments, **how).wait()

    # --- the host ---

    def make(self, nodes=4, slots=12, gates=None, labels=None, **config):
        """Empty members of equal size, all Ready. The upstream scheduler is switched off unless
        `gates` says something else."""
        for kind in kinds.KINDS:
            for thing in self.host.list(path_of(kind[2])):
                metadata = thing["metadata"]
                self.host.delete(f"{path_of(kind[2], metadata['namespace'])}/{metadata['name']}")

        def prepare(member):
            member.revive()
            member.clear(NAMESPACE, LOCAL)
            member.add_nodes(nodes, slots)
        self.each(prepare)
        gates = {"SchedulerPreferences": "Disabled"} if gates is None else gates
        kinds.create(self.host, kinds.config(gates, **config))
        for row in kinds.TYPES:
            kinds.create(self.host, kinds.type_config(*row))
        for name in self.members:
            self.join(name, (labels or {}).get(name))
        self.bound(list(self.members))
        self.health, self.sync = Health(self.host), Sync(self.host, self.members)
        self.health.probe()
        for name in self.members:  # a cluster that is only just Ready is not relied upon
            self.health.set_back(name, HOUR)

    def join(self, name, labels=None):
        member = self.members[name]
        kinds.create(self.host, kinds.cluster(name, member.url, member.certificates.ca.read_bytes(),
                                              labels))
        self.give_token(name, self.tokens[name])

    def give_token(self, name, token):
        path = f"/api/v1/namespaces/{KFNS}/secrets"
        if self.host.exists(f"{path}/{kinds.secret_name(name)}"):
            self.host.delete(f"{path}/{kinds.secret_name(name)}")
        self.host.create(path, kinds.secret(name, token))

    def bound(self, clusters):
        """What the FederatedNamespace allows."""
        where = kinds.placement(clusters)
        path = f"{path_of('FederatedNamespace', NAMESPACE)}/{NAMESPACE}"
        if self.host.exists(path):
            self.host.patch(path, {"spec": {"placement": where}})
        else:
            kinds.create(self.host, kinds.federated_namespace(NAMESPACE, where))

    def gate(self, value):
        """What SchedulerPreferences is."""
        self.host.patch(f"{path_of('KubeFedConfig', KFNS)}/kubefed", {"spec": kinds.config(
            {"SchedulerPreferences": value})["spec"]})

    # --- workloads ---

    def add(self, name, split, total=None, preference=True, retain=None, **template):
        """A FederatedDeployment with a split, and its preference; `preference` may be what its
        clusters say. In the members only after carry()."""
        made = workload("Deployment", name, 1, **template)
        thing = kinds.federated_object(
            "FederatedDeployment", name, NAMESPACE,
            {"metadata": {"labels": {"app": name}}, "spec": made["spec"]},
            kinds.placement(sorted(split)), kinds.replicas_overrides(split))
        if retain is not None:
            thing["spec"]["retainReplicas"] = retain
        kinds.create(self.host, thing)
        if preference:
            given = {} if preference is True else {"clusters": preference}
            kinds.create(self.host, kinds.preference(
                name, NAMESPACE, sum(split.values()) if total is None else total, **given))

    def path(self, name):
        return f"{path_of('FederatedDeployment', NAMESPACE)}/{name}"

    def preference(self, name):
        return f"{path_of('ReplicaSchedulingPreference', NAMESPACE)}/{name}"

    def set(self, name, split):
        """As if somebody had written it: placement and overrides."""
        self.host.patch(self.path(name), {"spec": {
            "placement": kinds.placement(sorted(split)),
            "overrides": kinds.replicas_overrides(split)}})

    def total(self, name, replicas):
        self.host.patch(self.preference(name), {"spec": {"totalReplicas": replicas}})

    def splits(self):
        return {d["metadata"]["name"]: kinds.split_of(d)
                for d in self.host.list(path_of("FederatedDeployment", NAMESPACE))}

    def versions(self):
        """Of everything that Ballast may write."""
        return {(k, d["metadata"]["name"]): d["metadata"]["resourceVersion"]
                for k in ("FederatedDeployment", "ReplicaSchedulingPreference")
                for d in self.host.list(path_of(k, NAMESPACE))}

    def carry(self):
        """Probes and syncs until nothing is left to write. Returns the writes."""
        self.health.probe()
        return self.sync.settle()

    # --- the members ---

    def wait(self, **want):
        """Until each of these members has (ready, stuck) or (ready, stuck, other) pods."""
        parallel(lambda name: self.members[name].wait_for_pods(NAMESPACE, *want[name]), want)

    def wait_until_older(self, seconds=2):
        self.each(lambda m: m.apiserver.poll() is None and m.wait_until_older(NAMESPACE, seconds))

    def deployment(self, cluster, name):
        path = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/{name}"
        member = self.members[cluster]
        return member.get(path) if member.exists(path) else None

    def cordon(self, cluster, value=True, nodes=4):
        for i in range(nodes):
            self.members[cluster].patch(f"/api/v1/nodes/{cluster}-node-{i}",
                                        {"spec": {"unschedulable": value}})


class ReadyPods:
    """The pods that are ready, as often as one looks; those of a member that is dead run on."""

    def __init__(self, kubefed):
        self.kubefed, self.last = kubefed, {}
        self.fewest, self.died, self.looks = None, collections.Counter(), 0
        self.lock = threading.Lock()

    def look(self, _=0):
        with self.lock:
            for name in self.kubefed.members:
                now = self.seen(name)
                if now is not None:
                    self.died[name] += len(self.last.get(name, set()) - now)
                    self.last[name] = now
            count = sum(map(len, self.last.values()))
            self.fewest = count if self.fewest is None else min(self.fewest, count)
            self.looks += 1

    def seen(self, name):
        """None: its server is dead, or is about to be or to come back."""
        try:
            pods = self.kubefed.members[name].pods(NAMESPACE)
        except UNREACHABLE:
            return None
        except ApiError as e:
            if e.status < 500:
                raise
            return None
        return {p["metadata"]["uid"] for p in pods
                if is_ready(p) and "deletionTimestamp" not in p["metadata"]}
