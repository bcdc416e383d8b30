# SPDX-License-Identifier: Apache-2.0
"""Certificates: a CA, one that is right, and those that must be refused. All with openssl."""
import subprocess

RIGHT_HOST = "IP:127.0.0.1,DNS:localhost,DNS:api.test"
CONFIG = """[ca]
default_ca = only
[only]
database = index.txt
new_certs_dir = .
serial = serial
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""
# notBefore and notAfter: test machines' clocks are somewhere between.
NOW = ("20200101000000Z", "20491231000000Z")
PAST = ("20200101000000Z", "20200201000000Z")
FUTURE = ("20490101000000Z", "20491231000000Z")


def openssl(directory, *arguments):
    done = subprocess.run(["openssl", *arguments], stdout=subprocess.PIPE, cwd=directory,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stdout.decode())


def key_of(name):
    return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-subj", f"/CN={name}", "-keyout", f"{name}.key")


def make_ca(directory, name):
    openssl(directory, "req", "-x509", *key_of(name), "-days", "9000", "-out", f"{name}.crt")


def sign(directory, name, ca, host=RIGHT_HOST, good=NOW):
    (directory / f"{name}.ext").write_text(
        f"subjectAltName={host}\nextendedKeyUsage=serverAuth\n")
    openssl(directory, "req", *key_of(name), "-out", f"{name}.csr")
    openssl(directory, "ca", "-batch", "-notext", "-rand_serial", "-config", "ca.cnf",
            "-cert", f"{ca}.crt", "-keyfile", f"{ca}.key", "-in", f"{name}.csr",
            "-out", f"{name}.crt", "-extfile", f"{name}.ext", "-startdate", good[0],
            "-enddate", good[1])


def make(directory):
    """{name: (certificate, key)}; "ca" is what a client trusts."""
    (directory / "ca.cnf").write_text(CONFIG)
    (directory / "index.txt").write_text("")
    for ca in ("ca", "other-ca", "self-signed"):
        make_ca(directory, ca)
    sign(directory, "right", "ca")
    sign(directory, "expired", "ca", good=PAST)
    sign(directory, "not-yet", "ca", good=FUTURE)
    sign(directory, "wrong-host", "ca", host="DNS:elsewhere.test")
    sign(directory, "unknown-ca", "other-ca")
    return {name: (directory / f"{name}.crt", directory / f"{name}.key") for name in (
        "ca", "right", "expired", "not-yet", "wrong-host", "unknown-ca", "self-signed")}
