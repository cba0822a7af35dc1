#!/usr/bin/env bash
# Times `tilerace check`: each shipped kernel against clang's own reading of the file, then with
# growing grids and growing kernels. Tables to read, and build/bench.json.
set -euo pipefail
cd "$(dirname "$0")/.."

ci/setup.sh
cmake --preset default >build/default.configure.log 2>&1 || { cat build/default.configure.log; exit 2; }
cmake --build --preset default >build/default.build.log 2>&1 || { tail -60 build/default.build.log; exit 2; }
build/python/bin/python3 tests/bench/bench.py build/default/tilerace build/bench kernels/*.c
