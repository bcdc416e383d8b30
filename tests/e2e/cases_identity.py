# SPDX-License-Identifier: Apache-2.0
"""Who Ballast is to the server: certificates, tokens that rotate, plugins, impersonation."""
import base64
import json
import os
import shutil
import stat
import subprocess
import time

import fleets
from control_plane import BALLAST, GROUPS, ApiError
from harness import DONE, ERROR, USAGE, Failure, expect, expect_equal

PLUGIN = """#!/bin/sh
echo run >> {count}
{before}
cat {credential}
"""


def expect_writes(c, **how):
    fleets.make(c.plane, 3)
    _, after = c.planned()
    run = c.ballast("run", **how).ended(DONE)
    expect_equal(fleets.splits(c.plane), after, "splits after the run")
    return run


def live_case_client_certificate(c):
    """As files and as data; a certificate of nobody is refused with the server's word."""
    certificate, key = c.plane.certificates.client("ballast", BALLAST, GROUPS)
    expect_writes(c, config=c.config("files", **{"client-certificate": str(certificate),
                                                 "client-key": str(key)}))
    data = {"client-certificate-data": base64.b64encode(certificate.read_bytes()).decode(),
            "client-key-data": base64.b64encode(key.read_bytes()).decode()}
    expect_writes(c, config=c.config("data", **data))
    certificate, key = c.plane.certificates.client("stranger", "stranger", ["strangers"])
    run = c.ballast("run", config=c.config("stranger", **{"client-certificate": str(certificate),
                                                          "client-key": str(key)})).ended(ERROR)
    expect("stranger" in run.err, f"the server's message: {run.err}")


def live_case_wrong_authority(c):
    """A server that the kubeconfig's CA did not sign is not spoken to; the token stays here."""
    config = c.config("wrong-ca")
    text = json.loads(config.read_text())
    other = c.plane.directory / "other"
    other.mkdir(exist_ok=True)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=other",
                    "-keyout", other / "ca.key", "-out", other / "ca.crt"], check=True,
                   stderr=subprocess.DEVNULL)
    text["clusters"][0]["cluster"]["certificate-authority"] = str(other / "ca.crt")
    config.write_text(json.dumps(text))
    _, since = c.plane.audit()
    run = c.ballast("plan", config=config).ended(USAGE)
    expect("certificate" in run.err.lower() or "ssl" in run.err.lower(), run.err)
    expect_equal(c.plane.audit(since)[0], [], "requests that got through")
    expect(c.ballast_token not in run.err + run.out, "the token is in the output")


def live_case_token_refused(c):
    """A token that nobody gave out: a short end, and the token in no message."""
    run = c.ballast("plan", "-v", "10", config=c.config("bad", token="s3cr3t-and-wrong"))
    run.ended(ERROR)
    expect("nauthorized" in run.err or "401" in run.err, run.err)
    expect("s3cr3t-and-wrong" not in run.err + run.out, "the token is in the output")


def bound_token(c, secret):
    c.plane.create("/api/v1/namespaces/karmada-system/secrets",
                   {"metadata": {"name": secret}, "type": "Opaque"})
    return c.plane.service_account_token("ballast", bound_to=secret)


def live_case_token_rotation(c):
    """A token file that changes during a run, while the old token dies: the run goes on."""
    fleets.make(c.plane, 300)
    before, after = c.planned()
    path = c.plane.directory / "rotating-token"
    old = bound_token(c, "old")
    path.write_text(old)
    run = c.start("run", config=c.config("rotating", tokenFile=str(path)),
                  live=("--sources=none", "--kube-api-qps=20", "--kube-api-burst=1"))
    c.wait_for_writes(before)
    fresh = c.plane.directory / "fresh-token"
    fresh.write_text(c.ballast_token)
    fresh.replace(path)
    c.plane.delete("/api/v1/namespaces/karmada-system/secrets/old")
    expect(run.wait().ended(DONE).seconds > 12, "over before the server forgot the old token")
    expect_equal(fleets.splits(c.plane), after, "splits after the run")
    try:
        c.plane.request("GET", "/api", token=old)
    except ApiError as e:
        expect_equal(e.status, 401, "the old token's answer")
    else:
        raise Failure("the old token still works")


def credential(version, token, seconds=None):
    status = {"token": token}
    if seconds is not None:
        status["expirationTimestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ",
                                                      time.gmtime(time.time() + seconds))
    return {"apiVersion": f"client.authentication.k8s.io/{version}", "kind": "ExecCredential",
            "status": status}


def plugin(c, name, version, answer, before=""):
    """(kubeconfig, the file that grows by a line with each call)"""
    directory = c.plane.directory / f"plugin-{name}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    count, program = directory / "count", directory / "plugin"
    (directory / "credential").write_text(json.dumps(answer))
    program.write_text(PLUGIN.format(count=count, before=before,
                                     credential=directory / "credential"))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    spec = {"apiVersion": f"client.authentication.k8s.io/{version}", "command": str(program),
            "env": [{"name": "E2E_WORD", "value": "from-kubeconfig"}],
            "interactiveMode": "Never", "provideClusterInfo": True}
    return c.config(name, exec=spec), count


def live_case_exec_plugin(c):
    """Both versions; the plugin sees its environment and the cluster; once a run, for all of its
    clients (the Lease's, the run's, the Events')."""
    for version in ("v1", "v1beta1"):
        check = ('[ "$E2E_WORD" = from-kubeconfig ] || exit 3\n'
                 f'case $KUBERNETES_EXEC_INFO in *"{c.plane.url}"*) ;; *) exit 4 ;; esac\n'
                 # what reads our answer may leave no core
                 'grep -Eq "^Max core file size +0 +0 " /proc/$PPID/limits || exit 5')
        config, count = plugin(c, f"exec-{version}", version,
                               credential(version, c.ballast_token, 600), check)
        expect_writes(c, config=config)
        calls = len(count.read_text().splitlines())
        expect(calls == 1, f"{version}: {calls} calls of the plugin")


def live_case_exec_plugin_again(c):
    """On a 401 the plugin is asked again, and what it says then is used."""
    config, count = plugin(c, "again", "v1", credential("v1", "not-this-one"))
    directory = c.plane.directory / "plugin-again"
    (directory / "good").write_text(json.dumps(credential("v1", c.ballast_token)))
    program = directory / "plugin"
    program.write_text(f'#!/bin/sh\necho run >> {count}\n'
                       f'[ "$(wc -l < {count})" -gt 1 ] && exec cat {directory}/good\n'
                       f'exec cat {directory}/credential\n')
    expect_writes(c, config=config)
    expect(len(count.read_text().splitlines()) >= 2, "the plugin was asked only once")


def live_case_exec_plugin_fails(c):
    """One that fails, says nonsense or is not there: its name and no success, in little time."""
    answers = {"nonsense": "no JSON", "fails": credential("v1", "x"), "gone": credential("v1", "x")}
    for name, answer in answers.items():
        config, _ = plugin(c, name, "v1", answer, "exit 7" if name == "fails" else "")
        if name == "gone":
            (c.plane.directory / "plugin-gone" / "plugin").unlink()
        run = c.ballast("plan", config=config)
        expect(run.status in (ERROR, USAGE), f"{name}: status {run.status}")
        expect("plugin" in run.err, f"{name}: {run.err}")
        expect(run.seconds < 20, f"{name}: it took {run.seconds}s")


def live_case_impersonation(c):
    """`as` of a kubeconfig: the rights are those of whom it names."""
    token = {"token": "admin-token"}
    expect_writes(c, config=c.config("as-ballast", **token, **{
        "as": BALLAST, "as-groups": GROUPS + ["system:authenticated"]}))
    run = c.ballast("run", config=c.config("as-nobody", **token, **{"as": "nobody"})).ended(ERROR)
    expect("nobody" in run.err, run.err)


def live_case_kubeconfig_from_environment(c):
    """$KUBECONFIG, ~/.kube/config, and --context."""
    fleets.make(c.plane, 1)
    config = c.config()
    c.ballast("plan", config=False,
              environment=c.environment(KUBECONFIG=f"/nonexistent:{config}")).ended(DONE)
    kube = c.plane.directory / "home" / ".kube"
    kube.mkdir(exist_ok=True)
    (kube / "config").write_text(config.read_text())
    c.ballast("plan", config=False).ended(DONE)
    c.ballast("plan", "--context=e2e", config=False).ended(DONE)
    run = c.ballast("plan", "--context=nothing", config=False)
    expect(run.status != DONE and "nothing" in run.err, f"{run.status}: {run.err}")
    shutil.rmtree(kube)


def live_case_in_cluster(c):
    """As in a pod: token, CA and address where the kubelet puts them. Needs a mount namespace."""
    fleets.make(c.plane, 3)
    _, after = c.planned()
    account = c.plane.directory / "account"
    account.mkdir(exist_ok=True)
    (account / "token").write_text(c.ballast_token)
    (account / "namespace").write_text("karmada-system")
    shutil.copy(c.plane.certificates.ca, account / "ca.crt")
    script = ("mount -t tmpfs none /run && mkdir -p /run/secrets/kubernetes.io && "
              f"ln -s {account} /run/secrets/kubernetes.io/serviceaccount && exec \"$@\"")
    inside = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh",
              "-c", script, "sh"]
    if subprocess.run([*inside, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("    no mount namespaces here: not tried")
        return
    environment = c.environment(KUBERNETES_SERVICE_HOST="127.0.0.1",
                                KUBERNETES_SERVICE_PORT=str(c.plane.port))
    done = subprocess.run([*inside, c.program, "run", "--sources=none"], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          timeout=120)
    expect_equal((done.returncode, done.stderr if done.returncode else ""), (DONE, ""), "the run")
    expect_equal(fleets.splits(c.plane), after, "splits after the run")
