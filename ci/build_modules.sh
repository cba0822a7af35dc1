#!/usr/bin/env bash
# Compiles the kernels in CUDA Tile C++, cuTile Python and cuTile Rust anew with the pinned public
# tool chain and compares each module bit by bit with the one beside its source.
#
#   ci/build_modules.sh            compare
#   ci/build_modules.sh --update   write the modules beside their sources
#
# Needs gcc, Python 3.10 or newer and, the first time, the network; no GPU. Kernels in Rust need
# cargo and libclang besides: without cargo they are left out, which is said. The default tests use
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
curand=nvidia-curand==10.4.5.25
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
sources+=(tests/undefined/*.py tests/idioms/*.py)
[ ${#sources[@]} -gt 0 ] || fail "no sources found"

rm -rf "$modules"
"$toolchain/bin/python" tests/modules/build.py "$toolchain" "$modules" "${sources[@]}"

# cutile-rs is built against a CUDA toolkit's headers. Those of the tool chain do, with curand's.
build_rust() {
    local rust=build/rust headers
    if [ "$(cat "$rust/.holds" 2>/dev/null)" != "$curand" ]; then
        rm -rf "$rust"
        "$toolchain/bin/pip" install --quiet --disable-pip-version-check --no-deps \
            --target "$rust/curand" "$curand" || fail "pip cannot install $curand"
        mkdir -p "$rust/cuda/include" "$rust/cuda/bin"
        headers=("$PWD/$toolchain"/lib/python3*/site-packages/nvidia/cu13)
        cp -rsf "${headers[0]}/include/." "$PWD/$rust/curand/nvidia/cu13/include/." \
            "$rust/cuda/include/"
        ln -sfn "${headers[0]}/lib" "$rust/cuda/lib64"
        echo "$curand" >"$rust/.holds"
    fi
    rm -rf "$rust/crate"
    cp -r tests/modules/rust "$rust/crate" # cargo writes beside the manifest
    CUDA_HOME=$PWD/$rust/cuda CUDA_TOOLKIT_PATH=$PWD/$rust/cuda CARGO_TARGET_DIR=$PWD/$rust/target \
        cargo run --quiet --manifest-path "$rust/crate/Cargo.toml" -- "$modules" ||
        fail "cargo cannot build the kernels in Rust"
}

languages=(cpp python)
if command -v cargo >/dev/null; then
    build_rust
    languages+=(rust)
else
    echo "ci/build_modules.sh: cargo is missing: the modules of cutile-rs are not built anew"
fi

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
checked_in=()
for language in "${languages[@]}"; do
    checked_in+=(kernels/"$language"/*.tilebc fixtures/races/"$language"/*.tilebc)
done
for module in "${checked_in[@]}"; do
    if [ ! -e "$modules/$module" ]; then
        echo "$module: no source"
        wrong=1
    elif [[ $module == */rust/* ]]; then # without debug records: no places
        cmp -s "$modules/$module" "$module" || {
            echo "$module: not what its source gives"
            wrong=1
        }
        "$assembler" --gpu-name=sm_90 "$modules/$module" -o "$modules/last.cubin" || wrong=1
    fi
done
if [ $wrong -gt 0 ]; then
    exit 1
fi
echo "${#checked_in[@]} modules are what their sources give, and assemble"
