#!/usr/bin/env bash
# Installs what tilerace needs to be built, run and tested: packages of Debian 12, and the pinned
# solver, schema checker and cuTile Python of Python's package index into build/. Runs again at no cost.
#
#   ci/setup.sh          what building, running and testing need
#   ci/setup.sh --long   also the official SARIF schema, Microsoft's validator (needs npm), a schema of
#                       JUnit XML, Ray, a second solver, and harnesses that judge kernels, for ci/test.sh --long
set -euo pipefail
cd "$(dirname "$0")/.."

z3_version=5.4.0.0
jsonschema_version=4.26.0
sarif_version=5.7.0
cuda_tile_version=1.7.0
numpy_version=2.4.6
pre_commit_version=4.7.0
check_jsonschema_version=0.39.0
xmlschema_version=4.3.2
pytest_version=9.0.1
pygls_version=2.1.1
mcp_version=2.3.0
ray_version=2.60.0
fsspec_version=2026.9.0
moto_version=5.2.5
flashinfer_bench_version=0.1.2
verl_version=0.9.1
kernelguard_version=0.3.2
cvc5_version=1.4.2

fail() {
    echo "ci/setup.sh: $*" >&2
    exit 2
}

# Each tool or file, and the Debian package that brings it.
needs=(
    "gcc:gcc" "g++:g++" "clang-19:clang-19" "clang-format-19:clang-format-19" "cmake:cmake" "ninja:ninja-build"
    "git:git" "pkg-config:pkg-config"
    "/usr/lib/llvm-19/include/clang-c/Index.h:libclang-19-dev"
    "/usr/lib/llvm-19/include/llvm/Support/Registry.h:llvm-19-dev"
    "/usr/include/cjson/cJSON.h:libcjson-dev" "/usr/include/cmocka.h:libcmocka-dev"
    "/usr/include/stb/stb_ds.h:libstb-dev" "/usr/include/xxhash.h:libxxhash-dev"
    "/usr/include/toml++/toml.h:libtomlplusplus-dev" "/usr/include/sodium.h:libsodium-dev" "/usr/include/zstd.h:libzstd-dev" "/usr/include/lz4.h:liblz4-dev"
    "/usr/include/stdio.h:libc6-dev" "/usr/bin/python3:python3"
    "nvim:neovim" "node:nodejs"
    # What tests complete words in and read manual pages with.
    "zsh:zsh" "fish:fish" "/usr/share/bash-completion/bash_completion:bash-completion" "mandoc:mandoc" "man:man-db"
    # What sees each call of a check (tests/cli/test_never.py).
    "strace:strace"
    # What opens our pages: any Chromium will do.
    "chromium:chromium"
)

# packaging/build_wheel.sh, packaging/test_package.sh
[ "${1:-}" != --long ] || needs+=("dpkg-source:dpkg-dev" "/usr/sbin/debootstrap:debootstrap")

is_there() {
    case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

missing=()
for need in "${needs[@]}"; do
    is_there "${need%%:*}" || missing+=("${need#*:}")
done
/usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)

if [ ${#missing[@]} -gt 0 ]; then
    as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            fail "these packages are missing and neither root nor sudo is at hand: ${missing[*]}"
        as_root=(sudo)
    fi
    command -v apt-get >/dev/null || fail "apt-get is missing; install by hand: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    "${as_root[@]}" apt-get -qq update || fail "apt-get update failed: is the network there?"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null ||
        fail "apt-get install failed for: ${missing[*]}"
fi

mkdir -p build

# A virtual environment build/NAME that holds the packages given, made anew when they change.
python_environment() {
    local folder=build/$1
    shift
    if [ "$(cat "$folder/.holds" 2>/dev/null)" = "$*" ]; then
        return
    fi
    rm -rf "$folder"
    /usr/bin/python3 -m venv "$folder" || fail "a Python environment cannot be made in $folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" ||
        fail "pip cannot install $* into $folder: is the network there?"
    echo "$*" >"$folder/.holds"
}

python_environment solver "z3-solver==$z3_version"
[ -x build/solver/bin/z3 ] || fail "z3-solver $z3_version brought no bin/z3 for this machine"
python_environment python "jsonschema==$jsonschema_version"
# Python programs that are recorded. Without its assembler, cuda-tile is small.
python_environment capture "cuda-tile==$cuda_tile_version" typing_extensions==4.16.0 \
    "numpy==$numpy_version" "pytest==$pytest_version" pytest-xdist==3.8.0
# What reads our reports, hooks and workflows.
python_environment review "pre-commit==$pre_commit_version" \
    "check-jsonschema==$check_jsonschema_version" "xmlschema==$xmlschema_version"
# Clients of `tilerace lsp`.
python_environment editor "pygls==$pygls_version" lsprotocol==2025.0.0
# A client of `tilerace mcp`.
python_environment agents "mcp==$mcp_version" "jsonschema==$jsonschema_version"
# What uses the Python package: types, and notebooks.
python_environment notebook mypy==2.4.1 nbclient==0.11.0 ipykernel==7.4.0
# The documentation site (ci/docs.sh).
mapfile -t docs_packages < <(grep -v '^#' ci/docs-requirements.txt)
python_environment docs "${docs_packages[@]}"
if [ "${1:-}" = --long ]; then
    # Sweeps by Ray, with results in an object store: a server of our own stands for S3. Large.
    python_environment ray "cuda-tile==$cuda_tile_version" typing_extensions==4.16.0 "numpy==$numpy_version" \
        "ray==$ray_version" "fsspec==$fsspec_version" "s3fs==$fsspec_version" "moto[server]==$moto_version"
    # Harnesses that our adapters are for, by their own code, without what they need GPUs for.
    python_environment harnesses --no-deps "flashinfer-bench==$flashinfer_bench_version" "verl==$verl_version" \
        "kernelguard==$kernelguard_version" pydantic==2.13.4 pydantic-core==2.46.4 annotated-types==0.8.0 \
        typing-inspection==0.4.2 docstring-parser==0.18.0 "cuda-tile==$cuda_tile_version" typing_extensions==4.16.0 "numpy==$numpy_version"
fi
# What is asked beside Z3 (tests/tools/ask_cvc5.py).
[ "${1:-}" != --long ] || python_environment cvc5 "cvc5==$cvc5_version"

if [ "${1:-}" = --long ] && [ ! -x build/sarif/package/Sarif.Multitool ]; then
    command -v npm >/dev/null || fail "--long needs npm, for the official SARIF schema and validator"
    mkdir -p build/sarif
    (cd build/sarif && npm pack --silent "@microsoft/sarif-multitool-linux@$sarif_version" >/dev/null &&
        tar xzf ./*.tgz package/sarif-2.1.0.json package/Sarif.Multitool && rm -f ./*.tgz &&
        chmod +x package/Sarif.Multitool) ||
        fail "the official SARIF schema and validator cannot be fetched with npm"
fi

# The schema of JUnit XML that Jenkins' plugin publishes lies among the tests of pytest.
if [ "${1:-}" = --long ] && [ ! -e build/junit/junit-10.xsd ]; then
    mkdir -p build/junit
    (cd build/junit && ../review/bin/pip download --quiet --disable-pip-version-check --no-deps \
        --no-binary :all: "pytest==$pytest_version" &&
        tar xzf pytest-*.tar.gz --strip-components=3 --wildcards '*/testing/example_scripts/junit-10.xsd' &&
        rm -f pytest-*.tar.gz) ||
        fail "the schema of JUnit XML cannot be fetched with pip"
fi
