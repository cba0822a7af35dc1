#!/usr/bin/env bash
# Holds what tilerace prints, writes and compiles to NVIDIA's own tools, on every kernel in the
# repository.
#
#   ci/test_toolchain.sh [TILERACE [FOLDER [MODULES...]]]
#
# TILERACE is build/ci/tilerace where none is named; FOLDER has tileiras and tileirdisasm and is
# that of ci/build_modules.sh where none is named. No GPU is needed. A few minutes. With MODULES
# (files or folders, of anybody's) only texts and places are compared, on these.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    echo "ci/test_toolchain.sh: $*" >&2
    exit 2
}

tilerace=${1:-build/ci/tilerace}
[ -x "$tilerace" ] || fail "$tilerace is not there: ci/test.sh builds it"
folder=${2:-}
if [ -z "$folder" ]; then
    shopt -s nullglob
    folders=(build/toolchain/lib/python3*/site-packages/nvidia/cu*/bin)
    folder=${folders[0]:-}
    [ -n "$folder" ] || fail "build/toolchain is not there: ci/build_modules.sh makes it"
fi
for program in tileiras tileirdisasm; do
    [ -x "$folder/$program" ] || fail "$folder has no $program"
done

if [ $# -gt 2 ]; then
    exec python3 tests/modules/toolchain.py "$folder" "$tilerace" --texts "${@:3}"
fi
mapfile -t files < <(
    git ls-files 'kernels/*.c' 'kernels/*.tilebc' 'fixtures/races/*.tilebc'
    printf '%s\n' build/fixtures/races/*.c
)
python3 tests/modules/toolchain.py "$folder" "$tilerace" "${files[@]}"

# Modules with some bytes changed: both read them and print the same, or both refuse them. How often not,
# and in which ways, is printed (docs/robustness.md says who is right); a crash of ours fails.
python3 tests/tools/dump_differently.py "$folder/tileirdisasm" "$tilerace" --tries "${MUTATED_MODULES:-500}"

# Compilers and the assembler themselves, with ours before them or in their place.
build=$(dirname "$tilerace")
export CUDA_HOME=${folder%/bin}
if [ -x "$folder/nvcc" ]; then
    python3 tests/compilers/test_nvcc.py "$build" "$folder/nvcc" Nvcc
    python3 tests/compilers/test_recorded.py "$build" "$folder/nvcc" Nvcc
    python3 tests/cli/test_judge_cuda.py "$tilerace" docs "$folder/nvcc" Nvcc
fi
python3 tests/compilers/test_tileiras.py "$build" "$folder/tileiras"
