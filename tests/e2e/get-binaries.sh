#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# get-binaries.sh: prints a directory that holds etcd, kube-apiserver and kubectl, as links or as
# programs. Looked for in $KUBEBUILDER_ASSETS and on PATH first. What is missing comes from Debian
# alone, without root and without touching the system: packages are only unpacked, and
# kube-apiserver is built from the source package `kubernetes` (about five minutes on two idle
# cores, once). Everything is kept in ${XDG_CACHE_HOME:-$HOME/.cache}/ballast-e2e.
set -eu

cache=${XDG_CACHE_HOME:-$HOME/.cache}/ballast-e2e
bin=$cache/bin
work=$cache/work
root=$cache/root
log=$cache/build.log
suite=bookworm
kubernetes_version=v1.20.2
jobs=${E2E_BUILD_JOBS:-$(nproc)}

say() {
    echo "get-binaries: $*" >&2
}

# Debian's index under the cache, so that neither root nor deb-src lines on this machine are needed.
apt_prepare() {
    [ ! -e "$cache/apt/ready" ] || return 0
    # shellcheck disable=SC2016 # apt-get fills it in
    mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" 2>/dev/null | head -n 1)
    mirror=${mirror:-http://deb.debian.org/debian/}
    key=/usr/share/keyrings/debian-archive-keyring.gpg
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial" "$cache/apt/state"
    for type in deb deb-src; do
        echo "$type [signed-by=$key] $mirror $suite main"
    done >"$cache/apt/sources.list"
    cat >"$cache/apt/conf" <<END
Dir::Etc::SourceList "$cache/apt/sources.list";
Dir::Etc::SourceParts "-";
Dir::State "$cache/apt/state";
Dir::State::Lists "$cache/apt/lists";
Dir::Cache "$cache/apt/cache";
APT::Sandbox::User "";
APT::Get::List-Cleanup "false";
END
    : >"$cache/apt/state/status"
    say "reading Debian's index from $mirror"
    APT_CONFIG=$cache/apt/conf apt-get -q update >>"$log" 2>&1
    touch "$cache/apt/ready"
}

unpack() { # package...: without their dependencies
    apt_prepare
    mkdir -p "$cache/debs" "$root"
    for package in "$@"; do
        say "unpacking $package"
        (cd "$cache/debs" && APT_CONFIG=$cache/apt/conf apt-get -q download "$package" >>"$log" 2>&1)
        dpkg-deb -x "$cache/debs/$package"_*.deb "$root"
    done
}

find_program() { # name: the way to one that is here already
    if [ -n "${KUBEBUILDER_ASSETS:-}" ] && [ -x "$KUBEBUILDER_ASSETS/$1" ]; then
        echo "$KUBEBUILDER_ASSETS/$1"
    else
        command -v "$1" 2>/dev/null || true
    fi
}

get_etcd() {
    unpack etcd-server
    ln -sf "$root/usr/bin/etcd" "$bin/etcd"
}

# Unpacked only: Debian's kubernetes-client conflicts with other packages that bring a kubectl.
get_kubectl() {
    unpack kubernetes-client
    ln -sf "$root/usr/bin/kubectl" "$bin/kubectl"
}

get_source() { # into the GOPATH layout that the build wants
    tree=$work/src/k8s.io/kubernetes
    rm -rf "$work"
    mkdir -p "$work/download" "$work/src/k8s.io"
    say "getting the source package kubernetes"
    (cd "$work/download" &&
        APT_CONFIG=$cache/apt/conf apt-get -q source --download-only kubernetes >>"$log" 2>&1 &&
        dpkg-source --no-check -x kubernetes_*.dsc "$tree" >>"$log" 2>&1)
    # The vendored 1.0.1 reads a runtime layout that is gone since Go 1.18 and crashes at start.
    rm -rf "$tree/vendor/github.com/modern-go/reflect2"
    cp -r "$root/usr/share/gocode/src/github.com/modern-go/reflect2" \
        "$tree/vendor/github.com/modern-go/"
}

build_apiserver() (
    command -v make >/dev/null || { say "make is missing" && exit 1; }
    cd "$work/src/k8s.io/kubernetes"
    libraries=$(dirname "$(find "$root/usr/lib" -name 'libpopt.so.0' | head -n 1)")
    export GOROOT="$root/usr/lib/go-1.19" GOPATH="$work" GOCACHE="$work/gocache" GOFLAGS=-p="$jobs"
    export GO111MODULE=off GOTOOLCHAIN=local GOPROXY=off CGO_ENABLED=0 GOMAXPROCS="$jobs"
    export PATH="$GOROOT/bin:$root/usr/bin:$PATH"
    export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    export KUBE_GIT_VERSION=$kubernetes_version KUBE_GIT_TREE_STATE=archive
    export KUBE_GIT_MAJOR=1 KUBE_GIT_MINOR=20 KUBE_GIT_COMMIT=0000000000000000000000000000000000000000
    say "building kube-apiserver $kubernetes_version with $jobs jobs; the log is $log"
    make WHAT=cmd/kube-apiserver >>"$log" 2>&1
)

get_apiserver() {
    begin=$(date +%s)
    unpack golang-1.19-go golang-1.19-src rsync libpopt0 libxxhash0 \
        golang-github-modern-go-reflect2-dev
    get_source
    if ! build_apiserver; then
        tail -n 20 "$log" >&2
        say "kube-apiserver does not build"
        exit 1
    fi
    built=$(find "$work/src/k8s.io/kubernetes/_output" -type f -name kube-apiserver | head -n 1)
    cp "$built" "$bin/kube-apiserver.new"
    mv "$bin/kube-apiserver.new" "$bin/kube-apiserver"
    chmod -R u+w "$work"
    rm -rf "$work"
    say "kube-apiserver built in $(($(date +%s) - begin)) seconds"
}

get_program() { # name function
    [ -x "$bin/$1" ] && return
    found=$(find_program "$1")
    if [ -n "$found" ]; then
        ln -sf "$found" "$bin/$1"
    else
        "$2"
    fi
}

mkdir -p "$bin"
# Two runs at once would unpack over each other.
exec 9>"$cache/lock"
flock 9
get_program etcd get_etcd
get_program kubectl get_kubectl
get_program kube-apiserver get_apiserver
echo "$bin"
