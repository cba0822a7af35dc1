#!/usr/bin/env bash
# Holds SARIF reports, one of them with a result of every rule, to the official schema and to
# Microsoft's validator with GitHub's rules: no error and no warning. Part of ci/test.sh --long;
# ci/setup.sh --long fetches both.
#
#   ci/test_sarif.sh [BUILD_FOLDER]     BUILD_FOLDER: build/ci
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/ci}
python=build/python/bin/python3
validator=build/sarif/package/Sarif.Multitool
[ -x "$validator" ] && [ -x "$build/tilerace" ] || {
    echo "ci/test_sarif.sh: needs a build in $build, and ci/setup.sh --long" >&2
    exit 2
}
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1

validate() { # file: what the validator has against it, one a line. Its exit code says nothing
    local log=build/sarif/log.sarif
    rm -f "$log"
    "$validator" validate "$1" --rule-kind 'Sarif;Gh' -o "$log" --log ForceOverwrite >build/sarif/said.txt 2>&1 || true
    "$python" - "$log" <<'END'
import json, sys
runs = json.load(open(sys.argv[1], encoding="utf-8-sig"))["runs"]
for result in [result for run in runs for result in run.get("results", [])]:
    if result.get("level", "warning") in ("error", "warning"):
        print(result["ruleId"], result["message"])
END
}

every=build/sarif/every_rule.sarif
"$python" tests/tools/every_rule.py "$build/tilerace" docs/sarif.subset.schema.json "$every"
"$python" tests/tools/schemas.py build/sarif/package/sarif-2.1.0.json "$every" tests/golden/report/example.sarif
wrong=0
for file in "$every" tests/golden/report/example.sarif; do
    if ! said=$(validate "$file") || [ -n "$said" ]; then
        echo "$file: $said"
        wrong=1
    fi
done

# A validator that finds nothing here would find nothing at all.
sed '0,/"informationUri"/s//"downloadUri"/' "$every" >build/sarif/broken.sarif
[ -n "$(validate build/sarif/broken.sarif)" ] || {
    echo "the validator does not see that a report lacks informationUri"
    wrong=1
}
[ "$wrong" = 0 ] && echo "the validator accepts both reports"
exit $wrong
