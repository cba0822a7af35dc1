"""Runs `tilerace check` on all shipped sources at once and checks its reports as a whole.

    reports.py TILERACE REPORT_SCHEMA SARIF_SCHEMA FILE...

JSON and SARIF follow their schemas and do not depend on -j; every file and kernel is in both, and
both tell the findings apart that vanish when the token of a loop is read per name.
"""

import json
import re
import subprocess
import sys

from schemas import errors_of, load


def run(program, files, output_format, jobs):
    command = [program, "check", "--format", output_format, f"-j{jobs}", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return re.sub(r'("time_ms":\s*)[0-9.]+', r"\g<1>0", done.stdout)


def main():
    program, report_schema, sarif_schema, *files = sys.argv[1:]
    wrong = []
    texts = {}
    for output_format in ("json", "sarif"):
        one, two = (run(program, files, output_format, jobs) for jobs in (1, 2))
        if one != two:
            wrong.append(f"{output_format}: -j1 and -j2 differ")
        texts[output_format] = one
    report, sarif = json.loads(texts["json"]), json.loads(texts["sarif"])
    wrong += [f"json: {error}" for error in errors_of(load(report_schema), report)]
    wrong += [f"sarif: {error}" for error in errors_of(load(sarif_schema), sarif)]
    if [entry["file"] for entry in report["inputs"]] != files:
        wrong.append("json: the inputs are not the files of the command line in their order")
    n_findings = sum(
        len(kernel["findings"]) + (kernel["verdict"] == "unknown")
        for entry in report["inputs"]
        for kernel in entry["kernels"]
    ) + sum(entry["status"] == "error" for entry in report["inputs"])
    n_results = len(sarif["runs"][0]["results"])
    if n_results != n_findings:
        wrong.append(f"sarif: {n_results} results, but json has {n_findings} to report")
    told = sum(
        "read per name" in finding["message"]
        for entry in report["inputs"]
        for kernel in entry["kernels"]
        for finding in kernel["findings"]
    )
    marked = sum(
        result.get("properties", {}).get("vanishesPerName", False)
        for result in sarif["runs"][0]["results"]
    )
    if told != marked or not told:
        wrong.append(f"vanishing per name: {told} findings in json, {marked} results in sarif")
    for line in wrong:
        print(line)
    print(f"{len(files)} files, {n_results} results, {len(wrong)} errors")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
