# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154 # get-binaries.sh reads this file and sets these variables
#
# apiextensions-apiserver, the server of custom resources, of the Kubernetes release that Debian sid
# has the libraries of; and the etcd of sid, because watch caches of that release need etcd 3.5.
# The packages are only unpacked: 400 MB to read, 2.8 GB of disk, and four minutes to build on two
# idle cores, once. $target/built-of has the checksum of this recipe and all packages' versions. A
# change of the recipe builds anew; a change in sid does not: for that, remove $target.

newer_of="golang-k8s-apiextensions-apiserver-dev golang-go etcd-server kubectl"
newer_programs="etcd kubectl apiextensions-apiserver"

newer_recipe() {
    sha256sum "$here/newer.sh" | cut -d ' ' -f 1
}

newer_is_here() { # name...
    for name in "$@" $newer_programs; do
        [ -x "$target/$name" ] || return 1
    done
    [ "$(head -n 1 "$target/built-of" 2>/dev/null)" = "$(newer_recipe)" ]
}

newer_resolve() { # the packages with their versions, a line each
    # shellcheck disable=SC2086 # a list of names
    apt-get -qq install --no-install-recommends --print-uris $newer_of |
        sed -n "s/^'[^']*' \([^ _]*\)_\([^ _]*\)_[^ ]*\.deb .*/\1 \2/p" | sed 's/%3a/:/' |
        grep -E '^(golang-|etcd-server |kubectl )' | sort >"$work/newer-packages"
    [ -s "$work/newer-packages" ]
}

newer_unpack() {
    mkdir -p "$work/newer-debs" "$work/newer-root"
    cd "$work/newer-debs" || exit
    # shellcheck disable=SC2046 # a list of names
    try "getting packages of sid from $mirror" apt-get -q download \
        $(cut -d ' ' -f 1 "$work/newer-packages")
    for deb in *.deb; do
        try "unpacking $deb" dpkg-deb -x "$deb" "$work/newer-root"
        rm "$deb"
    done
    cd /
}

newer_version() { # v1.36.4, of the libraries' 0.36.4-1
    sed -n 's/^golang-k8s-apiextensions-apiserver-dev 0\.\([0-9.]*\).*/v1.\1/p' \
        "$work/newer-packages"
}

newer_make() { # version
    root=$work/newer-root
    goroot=$(readlink -f "$root/usr/lib/go")
    number=${1#v1.}
    name=k8s.io/component-base/version
    mkdir "$work/newer-own"
    env GOROOT="$goroot" GOPATH="$work/newer-own:$root/usr/share/gocode" GO111MODULE=off \
        GOCACHE="$work/newer-gocache" GOTOOLCHAIN=local GOPROXY=off GOENV=off CGO_ENABLED=0 \
        GOFLAGS=-p="$jobs" GOMAXPROCS="$jobs" GOGC=400 "$goroot/bin/go" build -trimpath \
        -o "$work/apiextensions-apiserver" -ldflags "-s -w -X $name.gitVersion=$1 \
            -X $name.gitMajor=1 -X $name.gitMinor=${number%%.*}" k8s.io/apiextensions-apiserver
}

newer_try() { # name: sid's C library may be too new for what is installed here
    "$work/newer-root/usr/bin/$1" --help
}

newer_get() { # name...: those of $bin are linked beside what sid brings
    begin=$(date +%s)
    mkdir -p "$target"
    rm -f "$target/built-of"
    for name in "$@"; do
        ln -sfT "$bin/$name" "$target/$name"
    done
    for name in $newer_programs; do
        rm -f "$target/$name"
    done
    use_index sid deb
    try "finding what sid has of: $newer_of" newer_resolve
    say "unpacking $(wc -l <"$work/newer-packages") packages of sid"
    newer_unpack
    made=$(newer_version)
    case $made in
    "v$release".*) ;;
    *) say "Debian sid has $made by now, and not $release: this is what is tested" ;;
    esac
    say "building apiextensions-apiserver $made with $jobs jobs; the log is $log"
    try "building apiextensions-apiserver" newer_make "$made"
    mv "$work/apiextensions-apiserver" "$work/newer-root/usr/bin/"
    for name in $newer_programs; do
        try "running sid's $name on this machine" newer_try "$name"
        keep "$work/newer-root/usr/bin/$name" "$name" "$target"
    done
    newer_recipe | cat - "$work/newer-packages" >"$work/built-of"
    mv -f "$work/built-of" "$target/built-of"
    say "built in $(($(date +%s) - begin)) seconds"
}
