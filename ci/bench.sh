#!/usr/bin/env bash
# Times `tilerace check`. Tables to read, and JSON files in build/.
#
#   ci/bench.sh                    all of the below, on the kernels of this repository
#   ci/bench.sh sources            dialect kernels against clang's own reading of the file, then
#                                  growing grids and growing kernels
#   ci/bench.sh modules [FOLDER..] Tile IR bytecode (of this repository, or of the folders) against
#                                  `tileiras` assembling the same module: needs ci/build_modules.sh
#   ci/bench.sh guards             launches held against their proof, through the shared library
#   ci/bench.sh exec               launches of cuTile Python under `tilerace exec --dry-run`
#   ci/bench.sh compilers          what the check adds to nvcc, and to cuTile Python's front end with
#                                  `tileiras`: needs ci/build_modules.sh
#   ci/bench.sh folders            looking for kernels in a folder, and for configurations
#
# REPEAT=N: runs of each module, 3 where it is not set.
set -euo pipefail
cd "$(dirname "$0")/.."

what=${1:-all}
case $what in
all | sources | modules | guards | exec | compilers | folders) ;;
*)
    echo "ci/bench.sh: unknown word '$what': sources, modules, guards, exec, compilers or folders" >&2
    exit 2
    ;;
esac
[ $# -eq 0 ] || shift

ci/setup.sh
export TILERACE_SOLVER=${TILERACE_SOLVER:-$PWD/build/solver/bin/z3}
cmake --preset default >build/default.configure.log 2>&1 || { cat build/default.configure.log; exit 2; }
cmake --build --preset default --target tilerace libtilerace stand_in preload >build/default.build.log 2>&1 || { tail -60 build/default.build.log; exit 2; }

if [ "$what" = all ] || [ "$what" = guards ]; then
    build/python/bin/python3 tests/bench/guards.py build/default/lib/libtilerace.so.2 \
        kernels/matmul.c kernels/layer_norm.c kernels/stream_k.c \
        kernels/python/unsort_experts.tilebc tests/preconditions/wrapping_grid.c
fi
if [ "$what" = all ] || [ "$what" = exec ]; then
    build/python/bin/python3 tests/bench/exec.py build/default build/capture/bin/python3 10000
fi
if [ "$what" = all ] || [ "$what" = sources ]; then
    build/python/bin/python3 tests/bench/bench.py build/default/tilerace build/bench kernels/*.c
fi
if [ "$what" = all ] || [ "$what" = folders ]; then
    build/python/bin/python3 tests/bench/folders.py build/default/tilerace kernels
fi
if [ "$what" = all ] || [ "$what" = modules ]; then
    shopt -s nullglob
    tileiras=(build/toolchain/lib/python3*/site-packages/nvidia/cu*/bin/tileiras)
    if [ ${#tileiras[@]} -eq 0 ]; then
        echo "ci/bench.sh: build/toolchain has no tileiras: ci/build_modules.sh installs it" >&2
        exit 2
    fi
    [ $# -gt 0 ] || set -- kernels/cpp kernels/python
    build/python/bin/python3 tests/bench/modules.py build/default/tilerace "${tileiras[0]}" \
        build/bench_modules.json --repeat "${REPEAT:-3}" "$@"
fi
if [ "$what" = compilers ]; then
    if [ ! -x build/toolchain/bin/python ]; then
        echo "ci/bench.sh: build/toolchain is missing: ci/build_modules.sh installs it" >&2
        exit 2
    fi
    cmake --build --preset default >build/default.build.log 2>&1 || { tail -60 build/default.build.log; exit 2; }
    build/toolchain/bin/python tests/bench/compilers.py build/default build/toolchain \
        build/bench_compilers.json --repeat "${REPEAT:-3}" --nvcc 3 "$@"
fi
