"""python -m tilerace: the program, whatever folder of programs this environment has."""
import os
import sys

from tilerace import _program


def main() -> None:
    try:
        program = _program.find()
    except FileNotFoundError as why:
        sys.exit(f"tilerace: {why}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
