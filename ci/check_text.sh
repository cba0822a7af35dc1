#!/usr/bin/env bash
# Checks what is committed as text: formatting of the C files, and that nothing names this machine's
# folders or a package registry, or was left undone.
set -euo pipefail
cd "$(dirname "$0")/.."
wrong=0

mapfile -t sources < <(git ls-files '*.c' '*.h' | grep -v -e '^kernels/' -e '^fixtures/' -e '^tests/golden/' -e '^tests/dialect/')
if ! clang-format-19 --dry-run --Werror "${sources[@]}" 2>build/format.log; then
    grep -E 'error:' build/format.log | cut -d: -f1 | sort | uniq -c | sed 's/$/: not formatted/'
    wrong=1
fi

# Each pattern is broken by [] so that this file does not match itself.
patterns='(^|[^A-Za-z0-9_./-])/(wor[k]|roo[t]|hom[e]/[a-z]+|tm[p]/[a-z])/
pypi\.or[g]|files\.pythonhosted\.or[g]|registry\.npmjs\.or[g]|crates\.i[o]|proxy\.golang\.or[g]
(^|[^A-Za-z])(TOD[O]|FIXM[E])([^A-Za-z]|$)'
while read -r pattern; do
    if git grep -nIE "$pattern" -- . ':!docs/hard-queries'; then
        echo "the lines above match $pattern"
        wrong=1
    fi
done <<<"$patterns"

if [ $wrong -gt 0 ]; then
    exit 1
fi
echo "${#sources[@]} C files are formatted; no stray names"
