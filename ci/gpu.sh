#!/usr/bin/env bash
# Runs the shipped kernels and their racy twins on a GPU and writes down what was seen.
#
#   ci/gpu.sh bundles FOLDER [TILERACE]   compiles them (needs tileiras, no GPU): a bundle each, of
#                                         the modules of other compilers too
#   ci/gpu.sh run FOLDER [RUNS [GLOB]]    runs the bundles (needs a GPU and its driver, nothing
#                                         else): FOLDER/results.tsv and, where compute-sanitizer is
#                                         there, FOLDER/sanitizer.tsv; RUNS: 100; GLOB: those whose
#                                         names match, their results added to what is there
#   ci/gpu.sh report FOLDER               writes docs/gpu-results.md from them
#
# The interpreter against the GPU, op by op and type by type:
#
#   ci/gpu.sh values FOLDER [TILERACE]    bundles of kernels that only compute (tests/values)
#   ci/gpu.sh run-values FOLDER           runs them: FOLDER/values.tsv
#   ci/gpu.sh report-values FOLDER        writes docs/gpu-values.md
#
# TILERACE is build/ci/tilerace where none is named. Each step may run on a machine of its own.
set -euo pipefail

usage() {
    sed -n '2,/^set/p' "$0" | sed '/^set/d; s/^# \{0,1\}//'
    exit 2
}

[ $# -ge 2 ] || usage
step=$1
folder=$2

# Of a kernel also a small one, with what the interpreter makes of the same inputs.
bundle_of() {
    local tilerace=$1 folder=$2 source=$3 name
    name=${source%.*}
    name=${name#build/}
    name=${name//\//__}
    "$tilerace" run "$source" --bundle "$folder/$name" 2>"$folder/$name.log" ||
        echo "$source: $(tail -n 1 "$folder/$name.log")"
    [[ $source != kernels/* ]] ||
        "$tilerace" run "$source" --against-interpreter --bundle "$folder/small__$name" \
            2>"$folder/small__$name.log" || echo "$source: $(tail -n 1 "$folder/small__$name.log")"
}

bundles() {
    cd "$(dirname "$0")/.."
    local tilerace=${1:-build/ci/tilerace}
    mkdir -p "$folder"
    export -f bundle_of
    printf '%s\n' {kernels,build/fixtures/races}/*.c {kernels,fixtures/races}/*/*.tilebc |
        xargs -P "$(nproc)" -I{} bash -c 'bundle_of "$@"' - "$tilerace" "$folder" {} |
        tee "$folder/failed.txt"
    echo "$(find "$folder" -name plan.txt | wc -l) bundles, $(wc -l <"$folder/failed.txt") could not be made"
    [ ! -s "$folder/failed.txt" ]
}

versions() {
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed 's/^/GPU and driver: /'
}

# What NVIDIA's own tools say of the same binary: hazards or errors, or nothing where the tool ends
# otherwise.
sanitize() {
    local tool=$1 bundle=$2
    timeout 120 compute-sanitizer --tool "$tool" "$bundle/tilerace-runner" --tsv --repeat 1 "$bundle" \
        2>&1 | grep -oE '[0-9]+ (error|hazard)' | grep -oE '^[0-9]+' | head -n 1 || true
}

sanitize_both() {
    printf '%s\t%s\t%s\n' "${1##*/}" "$(sanitize racecheck "$1")" "$(sanitize memcheck "$1")"
}

run_one() {
    local line
    line=$(timeout 300 "$1/tilerace-runner" --tsv --repeat "$2" "$1" 2>&1 | tail -n 1) || true
    printf '%s\t%s\n' "${1##*/}" "$line"
}

run() {
    local runs=${1:-100} glob=${2:-}
    [ -n "$glob" ] || rm -f "$folder"/{results,sanitizer}.tsv
    export -f run_one sanitize sanitize_both
    find "$folder" -mindepth 1 -maxdepth 1 -type d -name "${glob:-*}" | sort |
        xargs -P "${JOBS:-1}" -I{} bash -c 'run_one {} "$1"' - "$runs" >>"$folder/results.tsv"
    if command -v compute-sanitizer >/dev/null && [ "${SANITIZE:-1}" = 1 ]; then
        find "$folder" -mindepth 1 -maxdepth 1 -type d -name "${glob:-*}" -name 'fixtures__*' | sort |
            xargs -P "$(nproc)" -I{} bash -c 'sanitize_both {}' >>"$folder/sanitizer.tsv"
    fi
    {
        versions
        compute-sanitizer --version 2>/dev/null | grep -i version | sed 's/^/compute-sanitizer: /' ||
            true # it may not be there
    } >"$folder/versions.txt"
    cut -f3 "$folder/results.tsv" | sort | uniq -c
}

values() {
    cd "$(dirname "$0")/.."
    local tilerace=${1:-build/ci/tilerace}
    python3 tests/tools/value_bundles.py "$(dirname "$tilerace")/tests/value_kernels" "$tilerace" "$folder"
}

run_values() {
    local bundle
    : >"$folder/values.tsv"
    for bundle in "$folder"/values__*/; do # 0 and 1: it ran
        timeout 120 "$bundle/tilerace-runner" --buffers --repeat 2 "${bundle%/}" >>"$folder/values.tsv" ||
            [ $? = 1 ] || echo "$bundle did not run"
    done
    versions >"$folder/versions.txt"
    wc -l <"$folder/values.tsv"
}

case $step in
bundles) bundles "${@:3}" ;;
run) run "${@:3}" ;;
report) exec python3 "$(dirname "$0")/../tests/tools/gpu_report.py" "$folder" ;;
values) values "${@:3}" ;;
run-values) run_values ;;
report-values) exec python3 "$(dirname "$0")/../tests/tools/value_report.py" "$folder" ;;
*) usage ;;
esac
