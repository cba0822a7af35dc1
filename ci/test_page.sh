#!/usr/bin/env bash
# Opens pages of `tilerace run --format html` in Chromium and looks at what is there; installs it
# where it is missing (Debian's package). Part of ci/test.sh --long.
#
#   ci/test_page.sh [BUILD_FOLDER [SCREENSHOT_FOLDER]]     BUILD_FOLDER: build/ci
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/ci}

if ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get -qq update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends chromium >/dev/null
fi
[ -x "$build/tilerace" ] && [ -e "$build/tests/fake_cuda/libcuda.so.1" ] || {
    echo "ci/test_page.sh: $build holds no build of everything (ci/test.sh makes one)" >&2
    exit 2
}
exec python3 tests/tools/run_page.py "$build/tilerace" "$build/tests/fake_cuda" "${@:2}"
