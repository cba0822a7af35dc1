#!/usr/bin/env bash
# The same bytes in every run: the whole repository, ten times with -j1 and ten times with -j2, half
# of the runs idle and half under a load of 6 busy processes (tests/tools/same.py). Takes an hour of
# two processors; with RUNS = 2 each of the four is run once.
#
#   ci/test_same.sh [RUNS]     needs build/ci, as ci/test.sh makes it
set -euo pipefail
cd "$(dirname "$0")/.."
export TILERACE_SOLVER=${TILERACE_SOLVER:-$PWD/build/solver/bin/z3}
exec build/python/bin/python3 tests/tools/same.py build/ci/tilerace --full --runs "${1:-10}"
