#!/usr/bin/env python3
"""A solver between the checker and Z3 that tells a lie.

    lying_solver.py LOG LIE NUMBERS Z3...

Each `sat`, `unsat` and `unknown` of Z3 is an answer, numbered from 1 over all processes that share
LOG, which gets a line for each: its number and what Z3 said. Those with the NUMBERS (`3`, `3-6`, or
`all`) are passed on as LIE says:

    none     the truth
    sat, unsat, unknown   this, whatever the truth
    flip     sat for unsat and unsat for sat
    garbage  a line that is no answer
    silent   nothing: no answer, and the marker behind it comes all the same
    cut      half of the answer, and the end of the process
    dead     the end of the process without a word
    killed   ... by a signal
    model    sat, and every number of the model that is asked for next is another one
"""

import fcntl
import os
import re
import signal
import subprocess
import sys
import threading

ANSWERS = ("sat", "unsat", "unknown")


def number_of(log, said):
    """The number of this answer, over all processes."""
    with open(log, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        number = len(file.readlines()) + 1
        file.write(f"{number} {said}\n")
    return number


def main():
    log, lie = sys.argv[1:3]
    first, _, last = sys.argv[3].partition("-")
    first, last = (1, 1 << 30) if first == "all" else (int(first), int(last or first))
    solver = subprocess.Popen(sys.argv[4:] + (["-smt2", "-in"] if len(sys.argv) == 5 else []),
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def forward():
        while piece := os.read(0, 1 << 16):
            solver.stdin.write(piece)
        solver.stdin.close()

    threading.Thread(target=forward, daemon=True).start()
    change_model = False

    def end(how=0):
        solver.kill()
        if how:
            os.kill(os.getpid(), how)
        os._exit(3)

    def say(text):
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()

    for raw in solver.stdout:
        line = raw.decode()
        word = line.strip()
        if word not in ANSWERS:
            if change_model and line.startswith("(("):
                line = re.sub(r"\b\d+\b", lambda m: str(int(m[0]) + 1), line)
                change_model = False
            say(line)
            continue
        number = number_of(log, word)
        if lie == "none" or not first <= number <= last:
            say(line)
        elif lie in ANSWERS:
            say(lie + "\n")
        elif lie == "flip":
            say({"sat": "unsat", "unsat": "sat"}.get(word, word) + "\n")
        elif lie == "garbage":
            say("unsat?\n")
        elif lie == "silent":
            pass
        elif lie == "cut":
            say(word[:2])
            end()
        elif lie == "dead":
            end()
        elif lie == "killed":
            end(signal.SIGKILL)
        elif lie == "model":
            change_model = True
            say(line)
        else:
            sys.exit(f"no lie is called {lie}")
    sys.exit(solver.wait())


if __name__ == "__main__":
    main()
