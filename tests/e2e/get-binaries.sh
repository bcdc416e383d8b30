#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# get-binaries.sh [PROGRAM...]: prints a directory that holds etcd, kubectl, kube-apiserver,
# kube-scheduler and kube-controller-manager (or only those that are named), as links or as programs.
# Looked for in $KUBEBUILDER_ASSETS and on PATH first. What is missing comes from Debian alone,
# without root and without touching the system: packages are only unpacked, and Kubernetes' programs
# are built from the source package `kubernetes` (about four minutes on two idle cores and 3 GB of
# disk, once). They are kept in ${XDG_CACHE_HOME:-$HOME/.cache}/ballast-e2e/bin, where a program
# appears only when it is whole; everything on the way to it lies in work/, which each time begins
# empty.
#
# With KUBERNETES=1.36 the directory is another one, bin-1.36. Its etcd and apiextensions-apiserver,
# the server of custom resources, come from Debian sid (newer.sh builds the latter); the other
# programs are those of bin.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ballast-e2e
bin=$cache/bin
work=$cache/work
root=$work/root
log=$cache/build.log
suite=bookworm
source=kubernetes
version=v1.20.2
release=${KUBERNETES:-1.20}
jobs=${E2E_BUILD_JOBS:-$(nproc)}

say() {
    echo "get-binaries: $*" >&2
}

# what command...: its output goes to the log, and is shown where it fails
try() {
    what=$1
    shift
    if ! "$@" >>"$log" 2>&1; then
        tail -n 20 "$log" >&2
        say "failed: $what (the log is $log)"
        exit 1
    fi
}

find_mirror() { # the one that this machine uses
    # shellcheck disable=SC2016 # apt-get fills it in
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
        'Label: Debian' 2>/dev/null | grep . || echo http://deb.debian.org/debian/
}

# Debian's index of that suite in work/, so that neither root nor lines of sources on this machine
# are needed, and nothing counts as installed.
use_index() { # suite type...
    of=$1
    apt=$work/apt-$of
    shift
    mirror=$(find_mirror | head -n 1)
    export APT_CONFIG="$apt/conf"
    [ ! -e "$apt/ready" ] || return 0
    key=/usr/share/keyrings/debian-archive-keyring.gpg
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/state"
    : >"$apt/state/installed"
    for type in "$@"; do
        echo "$type [signed-by=$key] $mirror $of main"
    done >"$apt/sources.list"
    cat >"$apt/conf" <<END
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "-";
Dir::State "$apt/state";
Dir::State::Status "$apt/state/installed";
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt/cache";
APT::Sandbox::User "";
APT::Get::List-Cleanup "false";
APT::Update::Error-Mode "any";
Acquire::Retries "3";
END
    say "reading Debian's index of $of from $mirror"
    try "reading the index of $of from $mirror" apt-get -q update
    touch "$apt/ready"
}

unpack() { # package...: without their dependencies
    use_index $suite deb deb-src
    mkdir -p "$root"
    for package in "$@"; do
        say "unpacking $package"
        mkdir -p "$work/debs/$package"
        cd "$work/debs/$package"
        try "getting the package $package from $mirror" apt-get -q download "$package"
        try "unpacking the package $package" dpkg-deb -x "$package"_*.deb "$root"
        cd /
    done
}

keep() { # file name [directory]: whole or not at all
    cp "$1" "$work/$2.new"
    chmod 755 "$work/$2.new"
    mv -f "$work/$2.new" "${3:-$bin}/$2"
}

find_program() { # name: the way to one that is here already
    if [ -n "${KUBEBUILDER_ASSETS:-}" ] && [ -x "$KUBEBUILDER_ASSETS/$1" ]; then
        echo "$KUBEBUILDER_ASSETS/$1"
    else
        command -v "$1" 2>/dev/null || true
    fi
}

# Unpacked only: Debian's etcd-server would start a server, and its kubernetes-client conflicts with
# other packages that bring a kubectl.
from_package() { # package name
    unpack "$1"
    keep "$root/usr/bin/$2" "$2"
}

get_source() { # into the GOPATH layout that the build wants
    tree=$work/src/k8s.io/kubernetes
    mkdir -p "$work/download" "$work/src/k8s.io"
    say "getting the source package $source"
    cd "$work/download"
    try "getting the source package $source from $mirror (has it sources?)" \
        apt-get -q source --download-only "$source"
    try "unpacking the source package $source" dpkg-source --no-check -x "$source"_*.dsc "$tree"
    cd /
    # The vendored 1.0.1 reads a runtime layout that is gone since Go 1.18 and crashes at start.
    rm -rf "$tree/vendor/github.com/modern-go/reflect2"
    cp -r "$root/usr/share/gocode/src/github.com/modern-go/reflect2" \
        "$tree/vendor/github.com/modern-go/"
}

make_programs() ( # name...
    cd "$work/src/k8s.io/kubernetes"
    libraries=$(dirname "$(find "$root/usr/lib" -name 'libpopt.so.0' | head -n 1)")
    unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL # of a make that runs this
    export GOROOT="$root/usr/lib/go-1.19" GOPATH="$work" GOCACHE="$work/gocache" GOFLAGS=-p="$jobs"
    export GO111MODULE=off GOTOOLCHAIN=local GOPROXY=off GOENV=off CGO_ENABLED=0 GOMAXPROCS="$jobs"
    export PATH="$GOROOT/bin:$root/usr/bin:$PATH"
    export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    export KUBE_GIT_VERSION=$version KUBE_GIT_TREE_STATE=archive
    export KUBE_GIT_MAJOR=1 KUBE_GIT_MINOR=20 KUBE_GIT_COMMIT=0000000000000000000000000000000000000000
    # the compiler may use more memory and so less time, and nobody debugs these
    GOGC=400 make GOLDFLAGS='-s -w' WHAT="$(printf 'cmd/%s ' "$@")"
)

build() { # name...
    begin=$(date +%s)
    for tool in make dpkg-source xz; do
        command -v $tool >/dev/null || { say "$tool is missing: scripts/deps.sh e2e" && exit 1; }
    done
    unpack golang-1.19-go golang-1.19-src rsync libpopt0 libxxhash0 \
        golang-github-modern-go-reflect2-dev
    get_source
    say "building $* $version with $jobs jobs; the log is $log"
    try "building $*" make_programs "$@"
    for name in "$@"; do
        keep "$work/src/k8s.io/kubernetes/_output/bin/$name" "$name"
    done
    say "built in $(($(date +%s) - begin)) seconds"
}

is_here() { # name
    [ -f "$bin/$1" ] && [ -x "$bin/$1" ]
}

get_programs() { # name...
    missing=
    for name in "$@"; do
        found=$(find_program "$name")
        if is_here "$name"; then
            continue
        elif [ -n "$found" ]; then
            ln -s "$found" "$work/$name.new"
            mv -fT "$work/$name.new" "$bin/$name"
        else
            case $name in
            etcd) from_package etcd-server etcd ;;
            kubectl) from_package kubernetes-client kubectl ;;
            *) missing="$missing $name" ;;
            esac
        fi
    done
    # shellcheck disable=SC2086 # a list of names
    [ -z "$missing" ] || build $missing
}

clean() {
    chmod -R u+w "$work" 2>/dev/null || true
    rm -rf "$work"
}

are_here() { # name...
    for name in "$@"; do
        is_here "$name" || return 1
    done
    [ "$release" = 1.20 ] || newer_is_here "$@"
}

# shellcheck disable=SC1091 # it is checked by itself
. "$here/newer.sh"
case $release in
1.20) target=$bin ;;
1.36) target=$cache/bin-$release ;;
*) say "KUBERNETES=$release: there are 1.20 and 1.36" && exit 64 ;;
esac
[ $# -gt 0 ] || set -- etcd kubectl kube-apiserver kube-scheduler kube-controller-manager
if are_here "$@"; then
    echo "$target"
    exit
fi

mkdir -p "$bin"
# Two runs at once would build the same.
exec 9>"$cache/lock"
flock -n 9 || { say "another one is at it: waiting" && flock 9; }
clean
mkdir "$work"
trap clean EXIT
trap 'exit 143' TERM INT HUP
: >"$log"
get_programs "$@"
[ "$release" = 1.20 ] || newer_is_here "$@" || newer_get "$@"
echo "$target"
