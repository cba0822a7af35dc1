"""What --keep-obligations keeps: the same questions however many workers there are and however seldom they
get a processor, and answers that are true of the text beside them, by Z3 alone, which is asked each.

    test_kept_questions.py TILERACE
"""

import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLVER = os.environ.get("TILERACE_SOLVER", str(ROOT / "build/solver/bin/z3"))
# Bit operations that arithmetic cannot state: with constants, of two unknowns, of negative numbers.
BITS = """tests/idioms/bit_loops.c tests/idioms/bit_maps.c tests/idioms/cut_bits.c tests/idioms/launch_shifts.c
tests/idioms/small_grids.c tests/idioms/xor_operands.c tests/preconditions/wrapping_offsets.c
tests/undefined/truncated.c""".split()
OTHERS = "tests/preconditions/negated_tables.c kernels/scan_look_back.c".split()
MOST = 50000  # of Z3's steps for one question
STATUS = re.compile(r"^\(set-info :status (\w+)\)\n", re.MULTILINE)


def keep(folder, *words, around=subprocess.run):
    """Names of the kept questions to their texts."""
    around([TILERACE, "check", "--no-cache", f"--keep-obligations={folder}", *words], cwd=ROOT,
           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    return {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}


def family(root):
    """A process and all that it started, whatever groups they are in."""
    parents = collections.defaultdict(list)
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.read_text().rpartition(")")[2].split()[1])].append(int(stat.parent.name))
        except OSError:
            continue
    found = [root]
    for process in found:
        found += parents[process]
    return found


def seldom(words, **more):
    """Runs them as on a machine with much else to do: a sixth of the time."""
    more.pop("check")
    with subprocess.Popen(words, **more) as run:
        while run.poll() is None:
            for signal_, pause in ((signal.SIGSTOP, 0.1), (signal.SIGCONT, 0.02)):
                for process in family(run.pid):
                    try:
                        os.kill(process, signal_)
                    except ProcessLookupError:
                        pass
                time.sleep(pause)


def answers(texts):
    """What Z3 says of each, not told what is expected."""
    script = "".join(f"(reset)\n(set-option :rlimit {MOST})\n{STATUS.sub('', text)}\n(echo \"next\")\n" for text in texts)
    done = subprocess.run([SOLVER, "-smt2", "-in"], input=script, capture_output=True, text=True, check=False)
    said = [part.strip() for part in done.stdout.split("next\n")[:-1]]
    assert len(said) == len(texts), (done.stdout[-300:], done.stderr[-300:])
    return said


class Kept(unittest.TestCase):
    def test_answers_are_true_of_the_texts(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = keep(folder, *BITS, *OTHERS)
        agreed, of_bits = collections.Counter(), collections.Counter()
        names = sorted(kept)
        for name, said in zip(names, answers([kept[name] for name in names])):
            status = STATUS.search(kept[name])[1]
            self.assertIn(said, ("sat", "unsat", "unknown"), name)
            if "unknown" not in (status, said):
                self.assertEqual(status, said, f"{name}\n{kept[name]}")
                agreed[said] += 1
                of_bits[said] += "(define-fun bits." in kept[name]
            self.assertNotIn("(declare-fun bits.", kept[name])
        print(dict(agreed), "of bit operations", dict(of_bits), file=sys.stderr)
        for said in ("sat", "unsat"):
            self.assertGreater(agreed[said], 100)
            self.assertGreater(of_bits[said], 3)

    def test_none_is_lost(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [*BITS[-3:], *OTHERS]
            alone = keep(f"{folder}/1", "-j1", *files)
            self.assertGreater(len(alone), 300)
            for name, words, around in (("2", ["-j2"], subprocess.run), ("seldom", ["-j2"], seldom)):
                other = keep(f"{folder}/{name}", *words, *files, around=around)
                self.assertEqual(sorted(alone.keys() ^ other.keys()), [], name)
                self.assertEqual([one for one in alone if alone[one] != other[one]], [], name)


if __name__ == "__main__":
    unittest.main()
