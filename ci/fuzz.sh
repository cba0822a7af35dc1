#!/usr/bin/env bash
# Fuzzes each target of tests/fuzz for SECONDS_EACH seconds (default 60) under the sanitizers, starting
# from the seeds, and says how many inputs it tried. What it finds lies in build/fuzz/found.
#
#   ci/fuzz.sh [SECONDS_EACH]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
build=build/fuzz

cmake -S . -B $build -G Ninja -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DTILERACE_FUZZ=ON -DTILERACE_SANITIZE=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
mkdir -p $build/found
wrong=0
for seeds in tests/fuzz/seeds/*/; do
    target=$(basename "$seeds")
    ninja -C $build "fuzz_$target" >/dev/null
    mkdir -p "$build/corpus/$target"
    folders=("$build/corpus/$target" "$seeds")
    [ "$target" = read_bytecode ] && folders+=(tests/unit/bytecode/data)
    words=()
    [ -e "tests/fuzz/$target.dict" ] && words=("-dict=tests/fuzz/$target.dict")
    log=$build/$target.log
    if ! $build/fuzz_"$target" "${folders[@]}" "${words[@]}" -max_total_time="$seconds" -max_len=4096 -timeout=60 \
        -rss_limit_mb=2048 -artifact_prefix=$build/found/ >"$log" 2>&1; then
        tail -n 40 "$log"
        wrong=1
    fi
    echo "$target: $(grep -E '^(Done|#[0-9]+)' "$log" | tail -n 1)"
done
exit $wrong
