#!/usr/bin/env bash
# Builds the Debian package from a plain release tree, installs it into an empty root folder of Debian
# 12, and has it tell a racy kernel from a race-free one, by the Z3 that it brings.
#
#   packaging/test_package.sh [PACKAGE.deb]     needs root, debootstrap and ci/setup.sh
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d)
clean_up() {
    ! mountpoint -q "$work/system/proc" || umount "$work/system/proc"
    rm -rf "$work"
}
trap clean_up EXIT

if [ $# -gt 0 ]; then
    package=$(realpath "$1")
else
    cmake -S . -B "$work/release" -DCMAKE_BUILD_TYPE=Release -DTILERACE_WERROR=OFF -DBUILD_TESTING=OFF \
        -DTILERACE_BUNDLED_SOLVER="$PWD/build/solver/bin/z3" >"$work/log" 2>&1 &&
        cmake --build "$work/release" -- -j "$(nproc)" >>"$work/log" 2>&1 &&
        (cd "$work/release" && cpack -G DEB >>"$work/log" 2>&1) || {
        tail -20 "$work/log" >&2
        exit 1
    }
    package=$(echo "$work"/release/*.deb)
fi

# What it holds: nothing of where it was built.
dpkg-deb -x "$package" "$work/content"
if grep -rlaF -e "$here/" -e "$work/" "$work/content"; then
    echo "these files name a path of the build" >&2
    exit 1
fi

mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -1)
[ -n "$mirror" ] || mirror=$(awk '/^deb /{print $2; exit}' /etc/apt/sources.list)
debootstrap --variant=minbase bookworm "$work/system" "$mirror" >"$work/log" 2>&1 || {
    tail -5 "$work/log" >&2
    exit 1
}
cp /etc/resolv.conf "$work/system/etc/" 2>/dev/null || true
cp "$package" "$work/system/tilerace.deb"
fixtures/apply_edits.py
cp kernels/vector_add.c build/fixtures/races/vector_add_half_index.c "$work/system/"
mount -t proc proc "$work/system/proc"
inside=(chroot "$work/system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
    DEBIAN_FRONTEND=noninteractive)
"${inside[@]}" apt-get -qq install -y /tilerace.deb >"$work/log" 2>&1 || {
    tail -5 "$work/log" >&2
    exit 1
}
"${inside[@]}" tilerace --version | tee "$work/said"
grep -q '/usr/lib/tilerace/z3' "$work/said"
"${inside[@]}" tilerace selftest
"${inside[@]}" tilerace check /vector_add.c
code=0
"${inside[@]}" tilerace check /vector_add_half_index.c >"$work/said" || code=$?
[ "$code" = 1 ] && grep -q 'TR001' "$work/said"
"${inside[@]}" apt-get -qq remove -y tilerace >"$work/log" 2>&1
[ ! -e "$work/system/usr/lib/tilerace" ] || {
    echo "the package leaves files behind" >&2
    exit 1
}
echo "the package tells the two kernels apart, and leaves nothing behind"
