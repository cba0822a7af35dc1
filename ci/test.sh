#!/usr/bin/env bash
# Installs, builds and passes all tests. Runs again at no cost but the tests'.
#
#   ci/test.sh          everything but tests that are labelled `long`; unit tests, idioms and what reads input also under the sanitizers
#   ci/test.sh --quick  without the sanitizers
#   ci/test.sh --long   also those tests, SARIF against the official schema and validator, JUnit
#                       XML against a published schema, 10,000 random kernels and as many
#                       that synchronise, all kernels of the exhaustive grammar, true facts about
#                       all kernels, questions of all kernels by a second solver, mutants of
#                       the shipped ones and of the checker itself, all
#                       tests under the sanitizers, the wheel in empty environments, and NVIDIA's
#                       public tool chain: kernels compiled anew, texts and modules compared.
#                       RANDOM_KERNELS is another number than 10,000.
#
# No part runs until a time is up: how much each one does is fixed, how long it takes is not.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-}
case $mode in
'' | --quick | --long) ;;
*)
    echo "ci/test.sh: unknown option '$mode': --quick or --long" >&2
    exit 2
    ;;
esac
jobs=$(nproc)
random_total=${RANDOM_KERNELS:-10000}
export CTEST_OUTPUT_ON_FAILURE=1
export TILERACE_SOLVER=${TILERACE_SOLVER:-$PWD/build/solver/bin/z3}

passed=0 failed=0
count() { # adds up a ctest log
    local total bad
    total=$(sed -nE 's/.*tests failed out of ([0-9]+)$/\1/p' "$1" | tail -1)
    bad=$(sed -nE 's/.*, ([0-9]+) tests? failed out of.*/\1/p' "$1" | tail -1)
    [ -n "$total" ] || bad=1 # ctest did not come to its end: no test of it counts as passed
    failed=$((failed + ${bad:-0}))
    [ -z "$total" ] || passed=$((passed + total - ${bad:-0}))
}

one_check() { # name, command...
    local name=$1
    shift
    local begun=$SECONDS
    echo "-- $name"
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $name"
        failed=$((failed + 1))
    fi
    echo "   $((SECONDS - begun)) s"
}

random_kernels() { # words...: one slice of the seeds for each processor
    local size=$(((random_total + jobs - 1) / jobs)) slices=() i wrong=0
    for ((i = 0; i < jobs; i++)); do
        build/ci/tests/random_kernels "$@" -n "$size" -seed $((10000 + i * size)) &
        slices+=($!)
    done
    for i in "${slices[@]}"; do wait "$i" || wrong=1; done
    return $wrong
}

wheel() { # of this machine, by itself and as pre-commit and the action install it
    rm -rf build/dist
    packaging/build_wheel.sh "$(uname -m)" && packaging/test_wheel.sh build/dist/*.whl &&
        ci/test_installed.sh build/dist/*.whl --source
}

exhaustive() { # every kernel of the grammar, the same share for each processor
    local slices=() i wrong=0
    for ((i = 0; i < jobs; i++)); do
        build/ci/tests/exhaustive -stride "$jobs" -from "$i" &
        slices+=($!)
    done
    for i in "${slices[@]}"; do wait "$i" || wrong=1; done
    return $wrong
}

test_preset() { # preset, ctest words...
    local preset=$1
    shift
    cmake --preset "$preset" >"build/$preset.configure.log" 2>&1 || { cat "build/$preset.configure.log"; exit 2; }
    cmake --build --preset "$preset" -- -j "$jobs" >"build/$preset.build.log" 2>&1 || { tail -60 "build/$preset.build.log"; exit 2; }
    ctest --preset "$preset" -j "$jobs" "$@" 2>&1 | tee "build/$preset.test.log" || true
    count "build/$preset.test.log"
}

if [ "$mode" = --long ]; then ci/setup.sh --long; else ci/setup.sh; fi
one_check "include matrix" ci/check_includes.sh
one_check "text" ci/check_text.sh
one_check "documentation" ci/docs.sh
if [ "$mode" = --long ]; then test_preset ci; else test_preset ci -LE long; fi
if [ "$mode" = --long ]; then
    one_check "SARIF, official schema and validator" ci/test_sarif.sh build/ci
    one_check "JUnit XML, published schema" build/review/bin/xmlschema-validate \
        --schema build/junit/junit-10.xsd tests/golden/report/example{,.failing}.junit.xml
    one_check "$random_total random synchronising kernels" random_kernels -sync
    one_check "$random_total random kernels" random_kernels
    one_check "all kernels of a small grammar" exhaustive
    one_check "true facts about kernels and fixtures" build/ci/tests/true_facts -facts 12 -pairs 12 \
        -random 300 kernels/*.c build/fixtures/races/*.c
    one_check "preconditions left out one by one" build/python/bin/python3 tests/tools/minimal.py \
        build/ci/tilerace $(ls tests/preconditions/*.c | grep -vE '/(buffer_|update_)') \
        tests/idioms/*.c kernels/*.c build/fixtures/races/*.c
    one_check "questions of all kernels, asked of cvc5 and Z3" build/python/bin/python3 \
        tests/tools/ask_cvc5.py build/ci/tilerace build/cvc5/bin/python3 --every 50 --least 1000
    one_check "mutants of the checker" ci/mutate.sh
    one_check "mutants of the synchronising kernels" \
        build/ci/tests/mutants $(grep -lE 'TILE_(ACQ|REL)' kernels/*.c)
    one_check "page of a run in a browser" ci/test_page.sh build/ci
    one_check "kernels compiled anew" ci/build_modules.sh
    one_check "NVIDIA's tools" ci/test_toolchain.sh
    one_check "the wheel: built, its Pythons, hooks and the action" wheel
    one_check "the Debian package, in an empty Debian 12" packaging/test_package.sh
    test_preset asan
elif [ "$mode" != --quick ]; then
    # What reads input, every unit test and every idiom; --long runs all tests under the sanitizers.
    test_preset asan -R '^([a-z_]+/test_|fuzz/|idioms/|compilers/|cli/(command_line|bytecode|compile|requires|notes|judge)$)'
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
