"""Validates what `tilerace run --format json` prints against its schema.

    run_schema.py TILERACE SCHEMA FILE...

Each file is run on the interpreter. Exit code 0: all are valid, 1: not.
"""

import json
import subprocess
import sys

from schemas import errors_of, load


def main():
    program, schema, *files = sys.argv[1:]
    schema, wrong = load(schema), 0
    for file in files:
        command = [program, "run", "--device", "cpu", "--repeat", "2", "--format", "json", file]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            errors = list(errors_of(schema, json.loads(done.stdout)))
        except json.JSONDecodeError as error:
            errors = [f"no JSON: {error}: {done.stderr}"]
        for error in errors:
            print(f"{file}: {error[:400]}")
        wrong += len(errors)
    print(f"{len(files)} files, {wrong} errors")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
