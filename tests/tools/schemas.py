"""Validates JSON files against a schema.

    schemas.py SCHEMA FILE...
"""

import json
import pathlib
import sys

import jsonschema


def load(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def errors_of(schema, value):
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    for error in validator_class(schema).iter_errors(value):
        yield f"{'/'.join(str(part) for part in error.absolute_path)}: {error.message}"


def main():
    schema, files = load(sys.argv[1]), sys.argv[2:]
    wrong = 0
    for path in files:
        for error in errors_of(schema, load(path)):
            print(f"{path}: {error}")
            wrong += 1
    print(f"{len(files)} files, {wrong} errors")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
