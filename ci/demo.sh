#!/usr/bin/env bash
# Installs, builds and checks every kernel and fixture of the repository: the kernels are proved, the
# races in the fixtures are shown.
set -euo pipefail
cd "$(dirname "$0")/.."

ci/setup.sh
cmake --preset default >build/default.configure.log 2>&1 || { cat build/default.configure.log; exit 2; }
cmake --build --preset default >build/default.build.log 2>&1 || { tail -60 build/default.build.log; exit 2; }
tilerace=build/default/tilerace

shown=(build/fixtures/races/permute_heads_paper.c build/fixtures/races/*.c)
if [ -e "${shown[0]}" ]; then
    echo "== $tilerace check ${shown[0]}"
    "$tilerace" check "${shown[0]}" || true
    echo
fi

echo "== $tilerace check kernels/*.c"
code=0
"$tilerace" check kernels/*.c || code=$?
echo
echo "== $tilerace check build/fixtures/races/*.c"
# Each fixture holds a race: here 1 is the right exit code.
found=0
"$tilerace" check build/fixtures/races/*.c >build/demo.fixtures.txt || found=$?
grep -E ': (error|warning): ' build/demo.fixtures.txt || true
tail -1 build/demo.fixtures.txt
echo "(in full: build/demo.fixtures.txt)"
[ $code = 0 ] && [ $found = 1 ]
