"""python -m tilerace: the program, whatever folder of programs this environment has. `judge` also takes
candidates of cuTile Python, which this Python compiles."""
import os
import subprocess
import sys

from tilerace import _program


def main() -> None:
    given = None
    if sys.argv[1:2] == ["judge"]:
        from tilerace import _judge_command
        code, given = _judge_command.run(sys.argv[2:])
        if code is not None:
            sys.exit(code)
    try:
        program = _program.find()
    except FileNotFoundError as why:
        sys.exit(f"tilerace: {why}")
    if given is not None:  # what it would have read is read
        sys.exit(subprocess.run([program, *sys.argv[1:]], input=given, text=True, check=False).returncode)
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
