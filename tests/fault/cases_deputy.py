# SPDX-License-Identifier: Apache-2.0
"""Who is sent a credential, and who is not. We may read Secrets that whoever writes a Cluster may
not: so a Cluster must not be able to have one sent where it likes. And the environment must not
have what we send written down, or sent elsewhere."""
import base64
import json
import re
import secrets

import proxy as p
from cases import Failure, expect, expect_in_time, expect_no_secret
from rows import BOTH, DONE, HTTP1, UNSEEN, USAGE
from server import Fault, Server
from store import CLUSTERS, Answer, Store, failure

FLAGS = ("--sources=pods,nodes", "--member-timeout=5s", "-o", "json")
KARMADAS_OWN = "karmada-cluster"


def secret_path(namespace, name):
    return f"/api/v1/namespaces/{namespace}/secrets/{name}"


class Member(Store):
    """A member's own API server; `heads` are the headers of all that it was asked."""

    def __init__(self, token):
        super().__init__(token)
        self.heads = []

    def carry_out(self, request):
        self.heads.append(request.headers)
        if not self.knows(request):
            return failure(401, "Unauthorized", "Unauthorized")
        return self.list_member(request, "m1", request.path)


class World:
    """m1 has an endpoint of its own; there is no proxy for it. The Secret `secret` in `namespace`
    has its token."""

    def __init__(self, place, name, protocol, spec=None, namespace=KARMADAS_OWN, ca="ca",
                 shows="right", is_plain=False, fault=None):
        self.place, self.name = place, name
        self.token, self.member_token = secrets.token_hex(16), secrets.token_hex(16)
        self.store, self.member_store = Store(self.token), Member(self.member_token)
        self.member = Server(self.member_store, place.certificates, protocol, is_plain=is_plain,
                             faults=[fault] if fault else [])
        self.member.certificate = place.certificates[shows]
        self.server = Server(self.store, place.certificates, protocol,
                             [Fault("member", self.has_no_proxy)])
        self.store.put(secret_path(namespace, "m1"), {"metadata": {"name": "m1"}, "data": {
            "token": base64.b64encode(self.member_token.encode()).decode(),
            "caBundle": base64.b64encode(place.certificates[ca][0].read_bytes()).decode()}})
        self.store.touch(f"{CLUSTERS}/m1", {"spec": {
            "apiEndpoint": f"{'http' if is_plain else 'https'}://127.0.0.1:{self.member.port}",
            "secretRef": {"namespace": namespace, "name": "m1"}, **(spec or {})}})
        self.config = place.kubeconfig(name, self.server.url, self.token)
        self.run = None

    @staticmethod
    def has_no_proxy(x):
        if f"{CLUSTERS}/m1/" in x.request.path:
            x.send(failure(404, "NotFound", "the server could not find the requested resource"))
        else:
            x.send(x.carry_out())

    def plan(self, *flags, environment=()):
        self.run = self.place.run(self.config, "plan", (*FLAGS, *flags), None, environment)
        expect_in_time(self.run)
        for secret in (self.token, self.member_token):
            expect_no_secret(self.run, secret)
        return self.run

    def was_sent(self):
        return any(self.member_token in head.get("authorization", "")
                   for head in self.member_store.heads)

    def stop(self):
        self.server.stop()
        self.member.stop()


def expect_seen(world):
    expect(world.run.status == DONE, f"want status {DONE}")
    expect("member m1: not seen" not in world.run.err, "m1 was not seen")
    expect(world.was_sent(), "the member was not asked")


def expect_refused(world, says, is_read=False):
    """Said why; nothing of the Secret went out, nor was it read where it is not ours to use."""
    expect(world.run.status == UNSEEN, f"want status {UNSEEN}")
    found = re.search("member m1: not seen: .*", world.run.err)
    expect(found and re.search(says, found[0]), f"want {says!r}")
    expect(not world.was_sent(), "the Secret's token was sent")
    expect(is_read or not any("/secrets/" in r.path for r in world.store.requests),
           "the Secret was read")


# --- who is sent the Secret ---------------------------------------------------------------------

INSECURE = {"insecureSkipTLSVerification": True}


def refused(says, *flags, is_read=False, **how):
    def play(place, name, protocol):
        world = World(place, name, protocol, **how)
        try:
            world.plan(*flags)
            expect_refused(world, says, is_read)
        except Failure as e:
            raise Failure(f"{e}\n{world.run}") from None
        finally:
            world.stop()
    return play


def seen(*flags, **how):
    def play(place, name, protocol):
        world = World(place, name, protocol, **how)
        try:
            world.plan(*flags)
            expect_seen(world)
        except Failure as e:
            raise Failure(f"{e}\n{world.run}") from None
        finally:
            world.stop()
    return play


def by_configuration(place, name, protocol):
    """The flags' keys in the configuration file do the same; a flag wins over them."""
    world = World(place, name, protocol, INSECURE, namespace="tenant", shows="unknown-ca")
    file = place.directory / f"{name}.yaml"
    file.write_text("apiVersion: ballast.io/v1beta1\nkind: BallastConfiguration\n"
                    "memberSecretNamespaces: [tenant]\nallowInsecureMembers: true\n")
    try:
        world.plan(f"--config={file}", "--allow-insecure-members=false")
        expect_refused(world, "insecureSkipTLSVerification")
        world.plan(f"--config={file}", "--member-secret-namespaces=a,b")
        expect_refused(world, r"tenant/m1, which is not in --member-secret-namespaces \(a, b\)")
        world.plan(f"--config={file}")
        expect_seen(world)
    except Failure as e:
        raise Failure(f"{e}\n{world.run}") from None
    finally:
        world.stop()


def through_a_proxy(place, name, protocol):
    """The Cluster's proxy sees no more than where it goes."""
    way = p.Proxy("http")
    world = World(place, name, protocol, {"proxyURL": f"http://127.0.0.1:{way.port}",
                                          "proxyHeader": {"x-mine": "here"}})
    try:
        world.plan()
        expect_seen(world)
        expect(way.heads, "the proxy was not asked")
        expect(all("authorization" not in str(head).lower() for head in way.heads),
               f"the proxy was sent a credential: {way.heads}")
    except Failure as e:
        raise Failure(f"{e}\n{world.run}") from None
    finally:
        world.stop()
        way.stop()


def in_clear_text_through_a_proxy(place, name, protocol):
    way = p.Proxy("http")
    world = World(place, name, protocol, {"proxyURL": f"http://127.0.0.1:{way.port}"},
                  is_plain=True)
    try:
        world.plan()
        expect_refused(world, "in clear text")
        world.plan("--allow-insecure-members")
        expect_refused(world, "without encryption", is_read=True)
        expect(not way.asked, f"the proxy was asked for {way.asked}")
    except Failure as e:
        raise Failure(f"{e}\n{world.run}") from None
    finally:
        world.stop()
        way.stop()


def redirects(place, name, protocol):
    """The member's own server may not pass the credential on either."""
    other = Member("")
    elsewhere = Server(other, place.certificates, protocol)

    def act(x):
        x.server.store.heads.append(x.request.headers)
        x.send(Answer(307).has(location=elsewhere.url + x.request.target))

    world = World(place, name, protocol, fault=Fault("other", act))
    try:
        run = world.plan()
        expect(run.status == UNSEEN and "redirects are not followed" in run.err, "want it said")
        expect(not other.heads, f"the redirect was followed: {other.heads}")
    except Failure as e:
        raise Failure(f"{e}\n{world.run}") from None
    finally:
        world.stop()
        elsewhere.stop()


def plugin_is_left_alone(place, name, protocol):
    """A member that says 401 through the control plane says nothing about who we are there: it does
    not have the exec plugin run."""
    token = secrets.token_hex(16)
    store = Store(token)
    server = Server(store, place.certificates, protocol, [Fault("member", lambda x: x.send(
        failure(401, "Unauthorized", "Unauthorized")))])
    runs = place.directory / f"{name}.runs"
    plugin = place.directory / f"{name}.sh"
    plugin.write_text(f"#!/bin/sh\necho x >> '{runs}'\n" + "echo '" + json.dumps({
        "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
        "status": {"token": token}}) + "'\n")
    plugin.chmod(0o700)
    config = place.kubeconfig(name, server.url, None, user={"exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "command": str(plugin),
        "interactiveMode": "Never"}})
    run = None
    try:
        run = place.run(config, "plan", FLAGS)
        expect(run.status == UNSEEN, f"want status {UNSEEN}")
        expect("member m1: not seen" in run.err, "want it said that m1 is not seen")
        count = runs.read_text().count("x")
        expect(count == 1, f"the plugin was run {count} times")
    except Failure as e:
        raise Failure(f"{e}\n{run}") from None
    finally:
        server.stop()


CASES = [
    ("a Secret of another namespace",
     refused(r"Secret tenant/m1, which is not in --member-secret-namespaces \(karmada-cluster\)",
             namespace="tenant"), BOTH),
    ("a Secret of another namespace, with --member-access=direct",
     refused("tenant/m1, which is not in --member-secret-namespaces", "--member-access=direct",
             namespace="tenant"), HTTP1),
    ("a Secret of a namespace that is allowed",
     seen("--member-secret-namespaces=other,tenant", namespace="tenant"), BOTH),
    ("an endpoint that nobody verifies",
     refused("insecureSkipTLSVerification", spec=INSECURE, shows="unknown-ca"), BOTH),
    ("an endpoint that nobody verifies, in both ways",
     refused("could not find the requested resource; and directly: .*insecureSkipTLSVerification",
             spec=INSECURE), HTTP1),
    ("an endpoint that nobody verifies and that is allowed",
     seen("--allow-insecure-members", spec=INSECURE, shows="unknown-ca"), BOTH),
    ("an endpoint that is verified", seen(), BOTH),
    ("an endpoint that shows another certificate",
     refused("certificate", shows="unknown-ca", is_read=True), BOTH),
    ("an endpoint of another name",
     refused("subject name", shows="wrong-host", is_read=True), HTTP1),
    ("an endpoint in clear text", refused("in clear text", is_plain=True), HTTP1),
    ("an endpoint in clear text, in capitals",
     refused("in clear text", is_plain=True, spec={"apiEndpoint": "HTTP://127.0.0.1:1"}), HTTP1),
    ("an endpoint of another scheme",
     refused("want a URL|server", spec={"apiEndpoint": "ftp://127.0.0.1:1"}, is_read=True), HTTP1),
    ("what the configuration file says", by_configuration, HTTP1),
    ("a proxy of the Cluster's", through_a_proxy, BOTH),
    ("a proxy of the Cluster's to clear text", in_clear_text_through_a_proxy, HTTP1),
    ("an endpoint that redirects", redirects, BOTH),
    ("401 through the control plane", plugin_is_left_alone, BOTH),
]


# --- the environment ----------------------------------------------------------------------------

def keys_are_not_logged(place, name, protocol):
    log = place.directory / f"{name}.keys"
    world = World(place, name, protocol)
    try:
        world.plan(environment={"SSLKEYLOGFILE": str(log)})
        expect_seen(world)
        expect(not log.exists(), "the keys of our connections were written down")
    except Failure as e:
        raise Failure(f"{e}\n{world.run}") from None
    finally:
        world.stop()


def proxies_are_not_taken(place, name, protocol):
    nobody = "http://127.0.0.1:1"
    world = World(place, name, protocol)
    try:
        world.plan(environment={k: nobody for k in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY",
                                                    "http_proxy", "ALL_PROXY", "all_proxy")})
        expect_seen(world)
    except Failure as e:
        raise Failure(f"{e}\n{world.run}") from None
    finally:
        world.stop()


def certificates_are_not_trusted(place, name, protocol):
    """Who is trusted is for the kubeconfig to say; without a word there, the system's are."""
    world = World(place, name, protocol)
    ca = str(place.certificates["ca"][0])
    world.config = place.kubeconfig(name, world.server.url, world.token,
                                    cluster={"certificate-authority": None})
    try:
        run = world.plan(environment={"SSL_CERT_FILE": ca, "CURL_CA_BUNDLE": ca,
                                      "SSL_CERT_DIR": str(place.directory)})
        expect(run.status == USAGE and "certificate" in run.err, "a certificate was trusted")
        expect(not world.store.requests, "the server was asked")
    except Failure as e:
        raise Failure(f"{e}\n{world.run}") from None
    finally:
        world.stop()


ENVIRONMENT = [
    ("SSLKEYLOGFILE", keys_are_not_logged, BOTH),
    ("HTTPS_PROXY and its like", proxies_are_not_taken, HTTP1),
    ("SSL_CERT_FILE and CURL_CA_BUNDLE", certificates_are_not_trusted, HTTP1),
]


def one(act, protocol):
    return lambda place, name: act(place, name, protocol)


def cases():
    """(table, name, protocol, function of place and name)"""
    for title, table, before in (("Who is sent a credential", CASES, "a Cluster with "),
                                 ("The environment", ENVIRONMENT, "the environment's ")):
        for name, act, protocols in table:
            for protocol in protocols:
                yield title, before + name, protocol, one(act, protocol)
