#!/usr/bin/env bash
# Compiles the kernels in CUDA Tile C++ and cuTile Python anew with the pinned public tool chain
# and compares each module bit by bit with the one beside its source.
#
#   ci/build_modules.sh            compare
#   ci/build_modules.sh --update   write the modules beside their sources
#
# Needs gcc, Python 3.10 or newer and, the first time, the network; no GPU. The default tests use
# the modules that are checked in, so they need none of this.
set -euo pipefail
cd "$(dirname "$0")/.."

# nvcc and what it is made of must be of one minor version: a newer compiler behind an older nvcc
# writes bytecode that neither of them announces. The assembler and disassembler read all versions.
packages=(
    cuda-tile==1.7.0 typing_extensions==4.16.0
    nvidia-cuda-nvcc==13.4.92 nvidia-nvvm==13.4.92 nvidia-cuda-crt==13.4.92
    nvidia-cuda-runtime==13.4.92 nvidia-cuda-cccl==13.3.5.0.6
    nvidia-cuda-tileiras==13.5.37 nvidia-nvjitlink==13.5.37
)
toolchain=build/toolchain
modules=build/modules

fail() {
    echo "ci/build_modules.sh: $*" >&2
    exit 2
}

if [ "$(cat "$toolchain/.holds" 2>/dev/null)" != "${packages[*]}" ]; then
    rm -rf "$toolchain"
    python=$(command -v python3) || fail "python3 is missing"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
        fail "cuda-tile needs Python 3.10 or newer"
    "$python" -m venv "$toolchain" || fail "a Python environment cannot be made in $toolchain"
    "$toolchain/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" ||
        fail "pip cannot install the tool chain into $toolchain: is the network there?"
    echo "${packages[*]}" >"$toolchain/.holds"
fi

shopt -s nullglob
folders=(kernels fixtures/races)
sources=()
for folder in "${folders[@]}"; do
    sources+=("$folder"/cpp/*.cu "$folder"/python/*.py)
done
[ ${#sources[@]} -gt 0 ] || fail "no sources found"

rm -rf "$modules"
"$toolchain/bin/python" tests/modules/build.py "$toolchain" "$modules" "${sources[@]}"

if [ "${1:-}" = --update ]; then
    cp -r "$modules/." .
fi

binaries=("$toolchain"/lib/python3*/site-packages/nvidia/cu13/bin)
disassembler=${binaries[0]}/tileirdisasm
assembler=${binaries[0]}/tileiras
wrong=0
for source in "${sources[@]}"; do
    module=${source%.*}.tilebc
    if ! cmp -s "$modules/$module" "$module"; then
        echo "$module: not what $source gives"
        wrong=1
    fi
    "$toolchain/bin/python" tests/modules/places.py "$disassembler" "$modules/$module" "$source" ||
        wrong=1
    if ! "$assembler" --gpu-name=sm_90 "$modules/$module" -o "$modules/last.cubin"; then
        echo "$module: tileiras refuses it"
        wrong=1
    fi
done
for folder in "${folders[@]}"; do
    for module in "$folder"/{cpp,python}/*.tilebc; do
        if [ ! -e "$modules/$module" ]; then
            echo "$module: no source"
            wrong=1
        fi
    done
done
if [ $wrong -gt 0 ]; then
    exit 1
fi
echo "${#sources[@]} modules are what their sources give, and assemble"
