# SPDX-License-Identifier: Apache-2.0
"""What Ballast may do where it is installed is what docs/connecting.md says: every other verb on every
resource is refused."""
import kustomize
import references
import rights
from cases_install import CRONJOB, apply
from documented import HOST, KARMADA, KUBEFED_MEMBER, MEMBER, SHARD, documented
from harness import expect, expect_equal
from kubefed_kinds import KFNS

SPACES = ("karmada-system", "e2e")


def expect_documented(plane, account, wanted, namespaces=SPACES):
    count, faults = rights.faults(plane, account, wanted, namespaces)
    expect_equal(faults, [], f"{account}, of {count} questions")
    expect(count > 1000, f"only {count} questions")
    print(f"    {plane.directory.name}: {account}: {count} questions", flush=True)


def case_rights(c):
    """In Karmada's API server, as installed without any option."""
    wanted = documented(KARMADA)
    expect_equal({r.who for r in wanted}, {"ballast", "ballast-dry-run"}, "who has rights")
    for account in ("ballast", "ballast-dry-run"):
        expect_documented(c.plane, account, [r for r in wanted if not r.option])


def case_rights_found(c):
    """A right that no table has is found, whatever it is about."""
    path = "/apis/rbac.authorization.k8s.io/v1/clusterrole"
    more = {"metadata": {"name": "e2e-more"}}
    c.plane.create(f"{path}s", {**more, "rules": [
        {"apiGroups": [""], "resources": ["pods/log"], "verbs": ["get"]}]})
    c.plane.create(f"{path}bindings", {**more, "roleRef": {
        "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "e2e-more"},
        "subjects": [{"kind": "ServiceAccount", "name": "ballast", "namespace": "karmada-system"}]})
    try:
        _, faults = rights.faults(c.plane, "ballast", [r for r in documented(KARMADA)
                                                       if not r.option], SPACES)
        expect_equal(len(faults), len(SPACES), f"faults: {faults}")
        expect("subresource='log'" in faults[0], faults[0])
    finally:
        for what in ("s", "bindings"):
            c.plane.delete(f"{path}{what}/e2e-more")


def path_of(thing):
    kind = {"RoleBinding": "rolebindings", "Role": "roles", "ClusterRole": "clusterroles",
            "ClusterRoleBinding": "clusterrolebindings"}.get(thing["kind"])
    where = thing["metadata"].get("namespace")
    return kind and (f"/apis/rbac.authorization.k8s.io/v1/" +
                     (f"namespaces/{where}/" if where else "") + f"{kind}/{thing['metadata']['name']}")


def case_rights_options(c):
    """What an option adds, and what it does not."""
    wanted = documented(KARMADA)
    for option in sorted({r.option for r in wanted} - {None}):
        directory = option.removeprefix("cronjob/")
        apply(c, directory)
        try:
            # only what has to do with it: the rest stays as above
            about = {r.resource for r in wanted if r.option == option}
            mine = [r for r in wanted if r.option in (None, option) and r.resource in about]
            for account in ("ballast", "ballast-dry-run"):
                asked = [q for q in rights.questions(c.plane, mine, SPACES) if q.resource in about]
                for question in asked:
                    yes = rights.is_documented(question, [r for r in mine if r.who == account])
                    user = f"system:serviceaccount:karmada-system:{account}"
                    expect_equal(rights.may(c.plane, user, question), yes, f"{account} {question}")
        finally:
            for path in filter(None, map(path_of, kustomize.render(CRONJOB / directory))):
                c.plane.delete(path)


def case_rights_shards(c):
    """Whoever only looks into members may do nothing else in Karmada's API server."""
    apply(c, "karmada/shards")
    try:
        expect_documented(c.plane, "ballast-shard", documented(SHARD))
    finally:
        for path in filter(None, map(path_of, kustomize.render(CRONJOB / "karmada/shards"))):
            c.plane.delete(path)


def case_rights_members(c):
    """In a member, for the accounts as which Karmada's proxy asks there."""
    member = c.federation().members["m1"]
    wanted = documented(MEMBER)
    of_shards, = (t for t in references.carried(
        [t for name in ("members", "shards") for t in kustomize.render(CRONJOB / "karmada" / name)])
                  if t["metadata"]["name"] == "ballast-shard-member")
    member.create(path_of(of_shards).rpartition("/")[0], of_shards)
    try:
        for account in ("ballast", "ballast-dry-run", "ballast-shard"):
            expect_documented(member, account, wanted)
    finally:
        member.delete(path_of(of_shards))


def case_rights_kubefed(c):
    """In a KubeFed host, and in a member of it."""
    k, spaces = c.kubefed(), (KFNS, "e2e")
    for account in ("ballast", "ballast-dry-run"):
        expect_documented(k.host, account, documented(HOST), spaces)
    expect_documented(k.members["m1"], "ballast", documented(KUBEFED_MEMBER), spaces)


def case_rights_can_i(c):
    """kubectl says the same."""
    for who, verb, resource, yes in (
            ("ballast", "list", "clusters.cluster.karmada.io", True), ("ballast", "list", "pods", False),
            ("ballast", "patch", "resourcebindings.work.karmada.io", True),
            ("ballast-dry-run", "patch", "resourcebindings.work.karmada.io", False)):
        said = c.plane.kubectl("auth", "can-i", verb, resource, "-n", "e2e", "--as",
                               f"system:serviceaccount:karmada-system:{who}")
        expect_equal((said.returncode == 0, said.stdout.splitlines()[-1:]),
                     (yes, ["yes" if yes else "no"]), f"{who}: {verb} {resource}")
