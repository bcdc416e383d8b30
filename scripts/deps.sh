#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# deps.sh [--install] [--arch ARCH] SET...: looks for what a SET of targets needs (make, build, test,
# lint, valgrind, coverage, fuzz, e2e, estimator, fault, monitoring, completion, browser, schema,
# package, optimum, chart, roots, image, image-root, static). What is missing is installed by apt with
# --install where that is allowed (root, or sudo without a password); else the apt line is shown and
# the status is 1. --arch: the compiler and the libraries are those for that Debian architecture.
set -eu

install=no
missing=
of_arch= # behind a package's name
triplet= # before a tool's name

command_from() { # command package
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

library_from() { # pkg-config-name package
    "${triplet}pkg-config" --exists "$1" 2>/dev/null || missing="$missing $2$of_arch"
}

look_for_compiler() {
    if [ -z "$of_arch" ]; then
        command_from gcc gcc
        header_from stdio.h libc6-dev
        command_from pkg-config pkg-config
    else
        command_from "${triplet}gcc" "crossbuild-essential-${of_arch#:}"
        command_from "${triplet}pkg-config" "pkgconf$of_arch"
    fi
}

header_from() { # path package
    [ -e "/usr/include/$1" ] || missing="$missing $2"
}

look_for() {
    case $1 in
    make) command_from make make ;;
    build)
        look_for_compiler
        library_from libcurl libcurl4-openssl-dev
        library_from libssl libssl-dev # what libcurl's TLS is made of
        library_from libcrypto libssl-dev
        library_from jansson libjansson-dev
        library_from yaml-0.1 libyaml-dev
        library_from libprotobuf-c libprotobuf-c-dev
        library_from zlib zlib1g-dev # which libcurl is made of, too
        command_from protoc-c protobuf-c-compiler
        ;;
    test)
        library_from cunit libcunit1-dev
        [ -z "$of_arch" ] || command_from "qemu-${triplet%%-*}-static" qemu-user-static
        header_from openssl/ssl.h libssl-dev
        command_from xz xz-utils
        command_from diff diffutils
        [ -e /etc/ssl/certs/ca-certificates.crt ] || missing="$missing ca-certificates"
        [ -x /usr/bin/python3 ] || missing="$missing python3"
        /usr/bin/python3 -c 'import yaml' 2>/dev/null || missing="$missing python3-yaml"
        ;;
    lint)
        command_from clang-format clang-format
        command_from clang-tidy clang-tidy
        command_from clang clang
        command_from clang-query clang-tools
        command_from cppcheck cppcheck
        command_from shellcheck shellcheck
        ;;
    valgrind) command_from valgrind valgrind ;;
    coverage) command_from gcovr gcovr ;;
    fuzz) command_from clang clang ;;
    e2e) # etcd, kubectl and Kubernetes itself: tests/e2e/get-binaries.sh
        command_from openssl openssl
        command_from faketime faketime
        command_from dpkg-source dpkg-dev
        command_from xz xz-utils
        /usr/bin/python3 -c 'import yaml' 2>/dev/null || missing="$missing python3-yaml"
        look_for estimator # the members have some
        look_for chart     # a current helm and kubectl
        ;;
    estimator)
        command_from openssl openssl
        command_from protoc protobuf-compiler
        /usr/bin/python3 -c 'import google.protobuf' 2>/dev/null || missing="$missing python3-protobuf"
        /usr/bin/python3 -c 'import grpc' 2>/dev/null || missing="$missing python3-grpcio"
        /usr/bin/python3 -c 'import h2' 2>/dev/null || missing="$missing python3-h2"
        ;;
    optimum) command_from cbc coinor-cbc ;;
    chart) # helm and kubectl: tests/tools/get-helm-kubectl.sh
        command_from npm npm
        command_from openssl openssl
        [ -x /usr/bin/python3 ] || missing="$missing python3"
        /usr/bin/python3 -c 'import yaml' 2>/dev/null || missing="$missing python3-yaml"
        ;;
    monitoring)
        command_from promtool prometheus
        command_from prometheus-pushgateway prometheus-pushgateway
        command_from openssl openssl
        [ -x /usr/bin/python3 ] || missing="$missing python3"
        ;;
    fault)
        command_from openssl openssl
        /usr/bin/python3 -c 'import h2' 2>/dev/null || missing="$missing python3-h2"
        ;;
    completion)
        command_from bash bash
        command_from zsh zsh
        command_from fish fish
        look_for chart # a current kubectl
        ;;
    browser)
        command_from chromium chromium
        command_from chromedriver chromium-driver
        [ -e /usr/share/fonts/truetype/dejavu ] || missing="$missing fonts-dejavu-core"
        [ -x /usr/bin/python3 ] || missing="$missing python3"
        /usr/bin/python3 -c 'import yaml' 2>/dev/null || missing="$missing python3-yaml"
        ;;
    schema)
        /usr/bin/python3 -c 'import jsonschema' 2>/dev/null || missing="$missing python3-jsonschema"
        /usr/bin/python3 -c 'import yaml' 2>/dev/null || missing="$missing python3-yaml"
        ;;
    package)
        command_from dpkg-buildpackage dpkg-dev
        command_from dh debhelper
        command_from lintian lintian
        command_from mandoc mandoc
        command_from man man-db
        /usr/bin/python3 -c 'import yaml' 2>/dev/null || missing="$missing python3-yaml"
        ;;
    static) # packaging/static-curl
        command_from dpkg-source dpkg-dev
        library_from libnghttp2 libnghttp2-dev
        ;;
    image-root)
        [ -e /etc/ssl/certs/ca-certificates.crt ] || missing="$missing ca-certificates"
        [ -e /etc/ssl/openssl.cnf ] || missing="$missing openssl"
        ;;
    image) command_from buildah buildah && look_for roots ;;
    roots)
        command_from debootstrap debootstrap
        command_from unshare util-linux
        [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || missing="$missing debian-archive-keyring"
        ;;
    *)
        echo "deps.sh: unknown set '$1'" >&2
        exit 64
        ;;
    esac
}

look() {
    missing=
    for set in "$@"; do
        look_for "$set"
    done
}

apt_install() { # packages
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root=sudo
    else
        return 1
    fi
    command -v apt-get >/dev/null 2>&1 || return 1
    echo "installing:$1" >&2
    [ -z "$of_arch" ] || $as_root dpkg --add-architecture "${of_arch#:}"
    $as_root apt-get -q update </dev/null >&2 || true
    # shellcheck disable=SC2086 # a list of packages
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q install -y --no-install-recommends $1 </dev/null >&2
}

if [ "${1:-}" = --install ]; then
    install=yes
    shift
fi
if [ "${1:-}" = --arch ]; then
    # the machine's own needs no names
    if [ -n "$2" ] && [ "$2" != "$(dpkg --print-architecture)" ]; then
        of_arch=:$2
        case $2 in
        amd64) triplet=x86_64-linux-gnu- ;;
        arm64) triplet=aarch64-linux-gnu- ;;
        *)
            echo "deps.sh: architecture '$2': amd64 and arm64 are known" >&2
            exit 64
            ;;
        esac
    fi
    shift 2
fi
look "$@"
if [ -n "$missing" ] && [ $install = yes ] && apt_install "$missing"; then
    look "$@"
fi
if [ -n "$missing" ]; then
    echo "Missing here:$missing" >&2
    echo "On Debian:    sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi
