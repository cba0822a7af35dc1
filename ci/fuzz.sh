#!/usr/bin/env bash
# Fuzzes each target of tests/fuzz for SECONDS_EACH seconds (default 60) under the sanitizers, starting
# from the seeds, and says how many inputs it tried. What it finds lies in build/fuzz/found, the inputs
# that it keeps in build/fuzz/corpus. With --coverage it fuzzes nothing, and says how many lines of its
# reader (tests/fuzz/readers.txt) the seeds and those inputs reach, by target, and which functions none
# reaches; each file of it stands in build/fuzz-lines/TARGET.report. Needs clang-19, llvm-19 and Debian's libclang-rt-19-dev.
#
#   ci/fuzz.sh [SECONDS_EACH] | --coverage
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/fuzz
inputs_of() { # the folders of a target's inputs that are there
    local folders=(tests/fuzz/seeds/"$1" $build/corpus/"$1") folder
    [ "$1" != read_bytecode ] || folders+=(tests/unit/bytecode/data)
    [ "$1" != read_dialect ] || folders+=(tests/dialect/lowering tests/dialect/errors)
    for folder in "${folders[@]}"; do
        [ -z "$(ls -A "$folder" 2>/dev/null)" ] || echo "$folder"
    done
}

measure() {
    local lines=build/fuzz-lines target files profiles other
    cmake -S . -B $lines -G Ninja -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
        -DCMAKE_C_FLAGS="-fprofile-instr-generate -fcoverage-mapping" \
        -DCMAKE_CXX_FLAGS="-fprofile-instr-generate -fcoverage-mapping" >/dev/null
    while read -r target files; do
        case $target in '#' | '') continue ;; esac
        profiles=()
        for other in "$target" $([ "$target" != read_bytecode ] || echo write_bytecode); do
            ninja -C $lines "fuzz_${other}_inputs" >/dev/null
            mapfile -t folders < <(inputs_of "$other")
            LLVM_PROFILE_FILE=$lines/$other.raw $lines/tests/fuzz_"$other"_inputs "${folders[@]}" >/dev/null
            profiles+=("$lines/$other.raw")
        done
        llvm-profdata-19 merge -o "$lines/$target.data" "${profiles[@]}"
        llvm-cov-19 report $lines/tests/fuzz_"$target"_inputs -instr-profile="$lines/$target.data" >"$lines/$target.report"
        awk -v target="$target" -v files="$files" '
            BEGIN { n = split(files, wanted, " ") }
            {
                for (i = 1; i <= n; i++)
                    if (index("/" $1, "/" wanted[i]) > 0 && $1 ~ /[.]c(pp)?$/) {
                        lines += $8; missed += $9; functions += $5; never += $6
                        break
                    }
            }
            END { printf "%-16s %5d lines, %4.1f %% reached; %d of %d functions\n", target, lines,
                      100 * (lines - missed) / lines, functions - never, functions }' "$lines/$target.report"
        # shellcheck disable=SC2086 # files are words
        llvm-cov-19 export $lines/tests/fuzz_"$target"_inputs -instr-profile="$lines/$target.data" |
            python3 tests/tools/never_reached.py $files
    done <tests/fuzz/readers.txt
}

if [ "${1:-}" = --coverage ]; then
    measure
    exit
fi
seconds=${1:-60}
cmake -S . -B $build -G Ninja -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 -DTILERACE_FUZZ=ON -DTILERACE_SANITIZE=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
mkdir -p $build/found
wrong=0
for seeds in tests/fuzz/seeds/*/; do
    target=$(basename "$seeds")
    ninja -C $build "fuzz_$target" >/dev/null
    mkdir -p "$build/corpus/$target"
    mapfile -t folders < <(inputs_of "$target")
    words=()
    [ ! -e "tests/fuzz/$target.dict" ] || words=("-dict=tests/fuzz/$target.dict")
    log=$build/$target.log
    if ! $build/fuzz_"$target" "$build/corpus/$target" "${folders[@]}" "${words[@]}" -max_total_time="$seconds" -max_len=4096 \
        -timeout=60 -rss_limit_mb=2048 -artifact_prefix=$build/found/ >"$log" 2>&1; then
        tail -n 40 "$log"
        wrong=1
    fi
    echo "$target: $(grep -E '^(Done|#[0-9]+)' "$log" | tail -n 1)"
done
exit $wrong
