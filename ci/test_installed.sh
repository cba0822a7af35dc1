#!/usr/bin/env bash
# The action and the hooks for pre-commit as users get them: pip installs a wheel into an
# environment of their own.
#
#   ci/test_installed.sh WHEEL [--source]     --source also builds this commit, as both can; minutes
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e "${1:-}" ] && [ -x build/review/bin/pre-commit ] || {
    echo "ci/test_installed.sh: needs a wheel (packaging/build_wheel.sh makes one), and ci/setup.sh" >&2
    exit 2
}
wheel=$(realpath "$1")
shift
exec build/review/bin/python3 tests/cli/test_installed.py "$wheel" build/review/bin/pre-commit "$@"
