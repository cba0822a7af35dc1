#!/usr/bin/env bash
# Mutation test of the checker's trusted files: lemmas, simplifier, strategies, memory model, ranges,
# second checks, preconditions. One build holds all mutants; the environment chooses one. docs/mutation.md has the
# figures and the survivors.
#
#   ci/mutate.sh [-n SAMPLE] [-seed S] [-area AREA] [-again]   goes on where the last run stopped
#   ci/mutate.sh -file order/flag [-again]                     all places of one file
#   ci/mutate.sh table                                         what docs/mutation.md holds
#
# -again: survivors once more, after tests were added. Everything is under build/mutants.
set -euo pipefail
cd "$(dirname "$0")/.."
work=build/mutants tool=tests/checker_mutants/mutate.py
export TILERACE_SOLVER=${TILERACE_SOLVER:-$PWD/build/solver/bin/z3}
mkdir -p "$work"
if [ "${1:-}" = table ]; then
    shift
    exec python3 "$tool" table "$work/tree" "$@"
fi
python3 "$tool" tree "$work/tree"
cmake -S "$work/tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTILERACE_MUTANTS=ON \
    -DTILERACE_ASSERT=ON -DTILERACE_WERROR=OFF -DCMAKE_C_FLAGS="-w -g0" >"$work/configure.log"
targets=$(ninja -C "$work/build" -t targets all |
    sed -nE 's/^(unit_(terms|goal|solver|strategies|model|question|order|precondition|rules|contract|index_space|interp_test_litmus|bytecode_test_arrays)[a-z_0-9]*): phony$/\1/p')
# shellcheck disable=SC2086
ninja -j "${MUTATE_JOBS:-$(nproc)}" -C "$work/build" checker_probe exhaustive $targets >"$work/build.log"
exec python3 "$tool" run "$work/tree" "$work/build" "$@"
