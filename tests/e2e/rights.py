# SPDX-License-Identifier: Apache-2.0
"""What a server says that Ballast may do, beside what is documented: every verb on every resource that
the server has."""
import collections

from documented import split

VERBS = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "bind",
         "escalate", "impersonate", "approve", "sign", "use", "*")
SUBJECTS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
# Of no server's discovery.
UNLISTED = ("*.*", "users", "groups", "userextras.authentication.k8s.io", "uids.authentication.k8s.io",
            "signers.certificates.k8s.io")
PATHS = ("/metrics", "/logs/", "/debug/pprof/", "/*")

Question = collections.namedtuple("Question", "verb resource subresource name namespace")


def served(plane):
    """{(resource.group, subresource): is it in namespaces} of all that a server has."""
    versions = {("", "v1"): "/api/v1"}
    for group in plane.get("/apis")["groups"]:
        for version in group["versions"]:
            versions[group["name"], version["version"]] = f"/apis/{version['groupVersion']}"
    found = {}
    for (group, _), path in versions.items():
        for thing in plane.get(path)["resources"]:
            name, subresource = split(thing["name"])
            found[name + (group and f".{group}"), subresource] = thing["namespaced"]
    return found


def questions(plane, rights, namespaces):
    """Each verb on all that there is, and on all that is documented, named and not."""
    things = {**{(r.resource, r.subresource): True for r in rights},
              **dict.fromkeys(((name, "") for name in UNLISTED), False), **served(plane)}
    for (resource, subresource), namespaced in sorted(things.items()):
        names = {r.name for r in rights if r.resource == resource and r.name}
        for name in ["", *sorted(names), *(["another"] if names else [])]:
            for namespace in namespaces if namespaced else [""]:
                for verb in VERBS:
                    yield Question(verb, resource, subresource, name, namespace)


def is_documented(question, rights):
    return any((r.verb, r.resource, r.subresource) == question[:3] and
               r.name in (None, question.name) and r.namespace in (None, question.namespace)
               for r in rights)


def review(plane, user, attributes):
    namespace = user.split(":")[2]
    answer = plane.create(SUBJECTS, {
        "apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
        "spec": {"user": user, "groups": ["system:serviceaccounts", "system:authenticated",
                                          f"system:serviceaccounts:{namespace}"], **attributes}})
    return answer["status"].get("allowed", False)


def may(plane, user, question):
    plural, _, group = question.resource.partition(".")
    return review(plane, user, {"resourceAttributes": {
        "verb": question.verb, "resource": plural, "group": group, "name": question.name,
        "subresource": question.subresource, "namespace": question.namespace}})


def faults(plane, account, rights, namespaces):
    """(how many questions, where the server and the table differ), for an account of the first
    namespace. What every account may is nobody's fault."""
    user = f"system:serviceaccount:{namespaces[0]}:{account}"
    stranger = f"system:serviceaccount:{namespaces[0]}:stranger"
    mine = [r for r in rights if r.who == account]
    asked = list(questions(plane, rights, namespaces))

    def wrong(question):
        wanted = is_documented(question, mine)
        if may(plane, user, question) == wanted or not wanted and may(plane, stranger, question):
            return None
        return f"{account} {'may not' if wanted else 'may'} {question}"

    def wrong_path(path):
        attributes = {"nonResourceAttributes": {"path": path, "verb": "get"}}
        return f"{account} may get {path}" if review(plane, user, attributes) else None
    found = [*plane.each(wrong, asked), *plane.each(wrong_path, PATHS)]
    return len(found), [fault for fault in found if fault]
