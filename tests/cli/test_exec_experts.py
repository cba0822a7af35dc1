"""tilerace exec: a mixture of experts, whose launches are too large for a solver to compare all
elements of their tables. Blocks take rows by a table that is padded for each expert, as far as
another one says.

    test_exec_experts.py BUILD_FOLDER
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = str(BUILD / "tilerace")
PYTHON = str(pathlib.Path(__file__).parents[2] / "build/capture/bin/python3")

# The host passes as many slots as there may be at most, which are no whole number of tiles. Blocks
# from the padded end on return before they read any.
PROGRAM = """import sys
import cuda.tile as ct
import numpy as np

BM, BN, BK, CHOICES = 128, 64, 64, 2

@ct.kernel
def experts_product(a, w, c, ids, expert_of, padded, slots: int, CHOICES: ct.Constant[int],
                    BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    if i * BM < ct.load(padded, (0,), shape=(1,)).item():
        slot = ct.gather(ids, i * BM + ct.arange(BM, dtype=ct.int32), check_bounds=False)
        expert = ct.load(expert_of, (i,), shape=(1,)).item()
        total = ct.zeros((BM, BN), dtype=ct.float32)
        for k in range(ct.cdiv(a.shape[1], BK)):
            inner = k * BK + ct.arange(BK, dtype=ct.int32)
            x = ct.gather(a, ((slot // CHOICES)[:, None], inner[None, :]))
            y = ct.load(w, (expert, k, j), shape=(1, BK, BN)).reshape((BK, BN))
            total = ct.mma(x, y, total)
        column = j * BN + ct.arange(BN, dtype=ct.int32)
        ct.scatter(c, (slot[:, None], column[None, :]), total, mask=(slot < slots)[:, None])

def launch(tokens, experts, N, K, change=lambda ids, end: None):
    slots, chosen = tokens * CHOICES, np.random.default_rng(1).integers(0, experts, tokens * CHOICES)
    most = slots + experts * (BM - 1)
    ids = np.full(most, slots, np.int32)
    expert_of = np.zeros(-(-most // BM), np.int32)
    end = 0
    for expert in range(experts):
        mine = np.flatnonzero(chosen == expert)
        ids[end:end + len(mine)] = mine
        tiles = -(-len(mine) // BM)
        expert_of[end // BM:end // BM + tiles] = expert
        end += tiles * BM
    change(ids, end)
    a, w = np.ones((tokens, K), np.float16), np.ones((experts, K, N), np.float16)
    c = np.zeros((slots, N), np.float32)
    ct.launch(None, (-(-most // BM), -(-N // BN)), experts_product,
              (a, w, c, ids, expert_of, np.array([end], np.int32), slots, CHOICES, BM, BN, BK))
    return most
"""


class Experts(unittest.TestCase):
    def run_launches(self, *lines, program=PROGRAM):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "program.py"
            script.write_text(program + "\n".join(lines) + "\n")
            return subprocess.run([TILERACE, "exec", "--dry-run", "--check-contents",
                                   "--no-recording", "--", PYTHON, str(script)],
                                  capture_output=True, text=True, check=False, timeout=300,
                                  env=os.environ)

    def expect(self, run, code, *said):
        self.assertEqual(run.returncode, code, run.stderr)
        for words in said:
            self.assertIn(words, run.stderr)

    def test_right_launches_are_held(self):
        """Of any size: the tables are looked at, and no solver is asked about their elements."""
        run = self.run_launches("assert launch(64, 8, 256, 128) == 1144",
                                "assert launch(256, 20, 1024, 1024) == 3052")
        self.expect(run, 0, "different launches: 2 held\n")

    def test_a_repeated_row_is_a_race(self):
        run = self.run_launches("def repeat(ids, end):\n    ids[640] = ids[3]\n    print(ids[3])",
                                "launch(64, 8, 256, 128, repeat)",
                                "launch(256, 20, 1024, 1024, repeat)")
        rows = run.stdout.split()
        self.expect(run, 1, "[TR001]", "with grid (9, 4, 1)", "with grid (24, 16, 1)", "2 raced",
                    *(f"reads ids[{i}] = {row} and stores" for row in rows for i in (3, 640)))

    def test_a_repeated_row_that_no_block_reads_is_none(self):
        """It lies behind the padded end. The proof for all launches asks for more."""
        run = self.run_launches("def repeat(ids, end):\n    ids[-1] = ids[0]",
                                "launch(64, 8, 256, 128, repeat)",
                                "launch(256, 20, 1024, 1024, repeat)",
                                program=PROGRAM.replace(", check_bounds=False", ""))
        self.expect(run, 0, "different launches: 2 held\n")

    def test_what_is_not_decided_is_not_told_as_broken(self):
        """The same with so many repeated rows that the launch is not decided by its elements."""
        run = self.run_launches("def repeat(ids, end):\n    ids[-100:] = np.arange(100)",
                                "launch(256, 20, 1024, 1024, repeat)",
                                program=PROGRAM.replace(", check_bounds=False", ""))
        self.assertIn("different launches: 0 held, 1 not decided\n", run.stderr)
        self.expect(run, 0, "breaks what the proof of 'experts_product' needs: no two elements")
        self.assertNotIn("error:", run.stderr)
        self.assertNotIn("[TR0", run.stderr)

    def test_a_row_repeated_in_one_tile_is_a_race(self):
        run = self.run_launches("def repeat(ids, end):\n    ids[4] = ids[3]",
                                "launch(256, 20, 1024, 1024, repeat)")
        self.expect(run, 1, "[TR004]", "reads ids[3] = ", "reads ids[4] = ", "1 raced")


if __name__ == "__main__":
    unittest.main()
