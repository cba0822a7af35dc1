#!/usr/bin/env bash
# Installs wheels into empty environments, and has each tell a racy kernel from a race-free one.
#
#   packaging/test_wheel.sh [-r SUITE] [-m MACHINE] WHEEL [PYTHON...]
#
# With PYTHONs (default: every python3.N on PATH, and pyenv's) an environment of each. With -r a
# root folder of another Debian (bullseye, bookworm, trixie, sid; needs root and debootstrap), made
# from this system's mirror; with -m arm64 one of another machine, under qemu.
set -euo pipefail
suite='' machine=''
while getopts r:m: option; do
    case $option in
    r) suite=$OPTARG ;;
    m) machine=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
wheel=$(realpath "$1")
shift
here=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap '! mountpoint -q "$work/system/proc" || umount "$work/system/proc"; rm -rf "$work"' EXIT

# What a person would type first, in an environment that has nothing else.
try_it() { # folder of programs, then a prefix of the command line
    local bin=$1
    shift
    "$@" "$bin/tilerace" --version
    "$@" "$bin/python3" -m tilerace selftest
    "$@" "$bin/python3" -c 'import tilerace'
}

if [ -n "$suite" ]; then
    root=$work/system
    mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -1)
    [ -n "$mirror" ] || mirror=$(awk '/^deb /{print $2; exit}' /etc/apt/sources.list)
    # --variant=minbase without questions; --foreign is not needed where qemu runs its programs.
    debootstrap --variant=minbase ${machine:+--arch="$machine"} --include=python3,python3-venv,ca-certificates \
        "$suite" "$root" "$mirror" >"$work/debootstrap.log" 2>&1 || {
        tail -5 "$work/debootstrap.log" >&2
        exit 1
    }
    cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
    [ -e /etc/pip.conf ] && cp /etc/pip.conf "$root/etc/"
    cp "$wheel" "$root/"
    environment=$(env | grep -iE '^(pip_|https?_proxy|no_proxy|ssl_cert|requests_ca)' || true)
    for file in $(echo "$environment" | sed -n 's/^[A-Z_]*=\(\/.*\.\(pem\|crt\)\)$/\1/p'); do
        mkdir -p "$root/$(dirname "$file")" && cp -L "$file" "$root/$file"
    done
    mount -t proc proc "$root/proc"
    inside=(chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root)
    # shellcheck disable=SC2086
    "${inside[@]}" $environment sh -c "ldd --version | head -1; python3 --version
        python3 -m venv /venv && /venv/bin/pip -q install --disable-pip-version-check '/$(basename "$wheel")[dialect]'"
    try_it /venv/bin "${inside[@]}"
    cp "$here/kernels/vector_add.c" "$root/"
    "${inside[@]}" /venv/bin/tilerace check /vector_add.c
    exit
fi

pythons=("$@")
if [ ${#pythons[@]} = 0 ]; then
    for python in /usr/bin/python3.[0-9]* "$HOME"/.pyenv/versions/3.*/bin/python3; do
        [ -x "$python" ] && "$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null &&
            pythons+=("$python")
    done
fi
for python in "${pythons[@]}"; do
    "$python" --version
    rm -rf "$work/venv"
    "$python" -m venv "$work/venv"
    "$work/venv/bin/pip" -q install --disable-pip-version-check "$wheel[dialect]"
    try_it "$work/venv/bin" env -i PATH=/usr/bin:/bin HOME="$work"
    env -i PATH=/usr/bin:/bin "$work/venv/bin/tilerace" check "$here/kernels/vector_add.c"
done
echo "${#pythons[@]} environments: each tells the two kernels apart"
