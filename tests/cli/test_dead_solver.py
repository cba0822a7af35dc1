"""A solver that dies at its first question: kernels that race, or that need a race precondition, are
never race-free by what strategies and runs find alone.

    test_dead_solver.py TILERACE [FOLDER or FILE ...]"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
GIVEN = sys.argv[1:]
del sys.argv[1:]
KERNEL = re.compile(r"^// EXPECT kernel (\w+)", re.M)
VERDICT = re.compile(r"^// EXPECT verdict ([\w-]+)", re.M)


def expected(path):
    """{kernel: verdict} of a file with sections; of one without them the key is None."""
    parts = KERNEL.split(path.read_text())
    result = {}
    for name, text in [(None, parts[0]), *zip(parts[1::2], parts[2::2])]:
        verdict = VERDICT.search(text)
        if verdict:
            result[name] = verdict[1]
    return result


class DeadSolver(unittest.TestCase):
    def test_no_race_is_called_free(self):
        given = [pathlib.Path(name) for name in GIVEN] or sorted(
            (ROOT / "tests/preconditions").glob("wrapping*.c"))
        done = subprocess.run([TILERACE, "check", "--no-cache", "--solver", "/bin/false", "--format", "json",
                               *map(str, given)], capture_output=True, text=True, check=False, timeout=550)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        compared, free = 0, []
        for one in json.loads(done.stdout)["inputs"]:
            expect = expected(pathlib.Path(one["file"]))
            for kernel in one["kernels"]:
                meant = expect.get(kernel["kernel"], expect.get(None) if len(expect) == 1 else None)
                if meant in ("race", "conditional"):
                    compared += 1
                    if kernel["verdict"] == "race-free":
                        free.append(f"{one['file']}: {kernel['kernel']} ({meant})")
        self.assertGreater(compared, 0)
        self.assertEqual(free, [])


if __name__ == "__main__":
    unittest.main()
