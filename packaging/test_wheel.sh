#!/usr/bin/env bash
# Installs wheels into empty environments, and has each tell a racy kernel from a race-free one, by
# the program and, where cuTile Python has a wheel for that Python, by pytest.
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
handler=''
clean_up() {
    ! mountpoint -q "$work/system/proc" || umount "$work/system/proc"
    [ -z "$handler" ] || echo -1 >"$handler"
    rm -rf "$work"
}
trap clean_up EXIT

# Has the kernel start programs of another machine by qemu, for as long as this script runs: tilerace
# starts itself and its solver. F: qemu is opened now, so it is found in a root folder, too.
run_foreign() { # machine, as Debian names it
    local formats=/proc/sys/fs/binfmt_misc qemu bytes
    case $1 in
    arm64) qemu=qemu-aarch64-static bytes='\xb7\x00' ;;
    *)
        echo "packaging/test_wheel.sh: there is no way to run programs of $1" >&2
        exit 2
        ;;
    esac
    grep -qs "$qemu" $formats/qemu-* && return
    command -v "$qemu" >/dev/null || {
        echo "packaging/test_wheel.sh: needs $qemu (Debian: qemu-user-static)" >&2
        exit 2
    }
    [ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats
    printf ':%s:M:0:%s:%s:%s:F' tilerace-test \
        '\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00'"$bytes" \
        '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff' \
        "$(command -v "$qemu")" >$formats/register
    handler=$formats/tilerace-test
}

# What a person would type first, in an environment that has nothing else.
try_it() { # folder of programs, then a prefix of the command line
    local bin=$1
    shift
    "$@" "$bin/tilerace" --version
    "$@" "$bin/python3" -m tilerace selftest
    "$@" "$bin/python3" -c 'import tilerace'
}

# The plugin is there by the installation alone: the test of docs/pytest.md fails by its race, and
# passes without it.
write_tests() { # folder
    mkdir -p "$1"
    awk '/^```python/ && !n++ { inside = 1; next } /^```/ { inside = 0 } inside' \
        "$here/docs/pytest.md" >"$1/test_racy.py"
    sed 's|ct.bid(0) // 2|ct.bid(0)|' "$1/test_racy.py" >"$1/test_clean.py"
    ! cmp -s "$1/test_racy.py" "$1/test_clean.py"
}

try_pytest() { # folder of programs, folder of tests, then a prefix of the command line
    local bin=$1 tests=$2 said code=0
    shift 2
    if ! "$@" "$bin/pip" -q install --only-binary :all: cuda-tile numpy pytest >"$work/pip.log" 2>&1; then
        grep -q 'No matching distribution found for cuda-tile' "$work/pip.log" || {
            tail -5 "$work/pip.log" >&2
            exit 1
        }
        echo "pytest   skipped: cuda-tile has no wheel for this Python"
        return
    fi
    "$@" "$bin/pytest" -q -p no:cacheprovider --tilerace=interpret "$tests/test_clean.py" >"$work/clean.log" 2>&1 || {
        cat "$work/clean.log" >&2
        exit 1
    }
    said=$("$@" "$bin/pytest" -q -p no:cacheprovider --tilerace=interpret "$tests/test_racy.py" 2>&1) || code=$?
    [ "$code" = 1 ] && grep -q 'error: different tile blocks write.*TR001' <<<"$said" &&
        grep -q '^1 failed, 1 passed' <<<"$said" || {
        echo "$said" >&2
        exit 1
    }
    echo "pytest   a test fails by its race, and passes without it"
}

# A wheel for another machine, a newer glibc or another system is refused by a sentence of pip's.
try_others() { # folder of programs
    local tags name said
    name=$(basename "$wheel")
    for tags in py3-none-manylinux_2_28_s390x "py3-none-manylinux_2_99_$(uname -m)" py39-none-win_amd64; do
        cp "$wheel" "$work/${name%%-py3-*}-$tags.whl"
        said=$("$1/pip" install --no-deps "$work/${name%%-py3-*}-$tags.whl" 2>&1) &&
            { echo "pip takes a wheel for $tags" >&2; exit 1; }
        grep -q 'is not a supported wheel on this platform' <<<"$said" || { echo "$said" >&2; exit 1; }
    done
    echo "others   wheels for other machines and systems are refused"
}

if [ -n "$suite" ]; then
    [ -z "$machine" ] || run_foreign "$machine"
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
    # shellcheck disable=SC2206
    inside=(chroot "$root" /usr/bin/env -i $environment PATH=/usr/bin:/bin HOME=/root)
    "${inside[@]}" sh -c "ldd --version | head -1; python3 --version
        python3 -m venv /venv && /venv/bin/pip -q install --disable-pip-version-check '/$(basename "$wheel")[dialect]'"
    try_it /venv/bin "${inside[@]}"
    cp "$here/kernels/vector_add.c" "$root/"
    "${inside[@]}" /venv/bin/tilerace check /vector_add.c
    write_tests "$root/tests"
    try_pytest /venv/bin /tests "${inside[@]}"
    exit
fi

pythons=("$@")
if [ ${#pythons[@]} = 0 ]; then
    for python in /usr/bin/python3.{9,[1-9][0-9]} "$HOME"/.pyenv/versions/3.*/bin/python3; do
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
    write_tests "$work/tests"
    try_pytest "$work/venv/bin" "$work/tests" env -u PYTHONPATH
done
try_others "$work/venv/bin"
echo "${#pythons[@]} environments: each tells the two kernels apart"
