"""Kernels that grow: each is decided or unknown inside its limits, beside ordinary files of which all
results are there; the same bytes for each `-j`.

    test_bombs.py TILERACE [--whole]: sizes of the long run, more ordinary files
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

WHOLE = "--whole" in sys.argv
if WHOLE:
    sys.argv.remove("--whole")
TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ORDINARY = 100 if WHOLE else 20
HEAD = "#include <tile.h>\ntile_kernel void %s(float *restrict a, int n)\n{\n    tile_grid(8);\n"


def squarings(n):
    steps = "".join(f"    int x{i + 1} = x{i} * x{i};\n" for i in range(n))
    return HEAD % "squarings" + f"    int x0 = tile_bid(0) + n;\n{steps}    a[x{n}] = 1;\n}}\n"


def stores(n):
    return HEAD % "stores" + "".join(f"    a[tile_bid(0) * {n} + {i}] = {i};\n" for i in range(n)) + "}\n"


def loops(n):
    heads = "".join(f"    for (int i{i} = 0; i{i} < n; i{i}++)\n" for i in range(n))
    return HEAD % "loops" + heads + "    a[tile_bid(0) + " + " + ".join(f"i{i}" for i in range(n)) + "] = 1;\n}\n"


class Bombs(unittest.TestCase):
    def test_beside_ordinary_files(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            bombs = {"squarings": squarings(60), "stores": stores(2000 if WHOLE else 300), "loops": loops(20)}
            for kernel, text in bombs.items():
                (folder / f"m_{kernel}.c").write_text(text)
            for i in range(ORDINARY):
                text = HEAD % f"k{i}" + f"    a[tile_bid(0){' / 2' if i % 2 else ''}] = 1;\n}}\n"
                (folder / f"{'az'[i % 2]}{i:03}.c").write_text(text)
            files = sorted(path.name for path in folder.glob("*.c"))
            reports = []
            for jobs in ("-j1", "-j2"):
                # Steps are a clock that no machine changes; the memory of a worker is small on purpose.
                done = subprocess.run([TILERACE, "check", "--no-cache", jobs, "--steps", "1000000" if WHOLE else "50000",
                                       "--memory", "1000", "--format", "json", *files],
                                      cwd=folder, capture_output=True, text=True, check=False, timeout=1800)
                self.assertEqual((done.returncode, done.stderr), (1, ""))
                report = json.loads(done.stdout)
                for given in report["inputs"]:
                    for kernel in given["kernels"]:
                        del kernel["time_ms"]
                reports.append(report)
            self.assertEqual(reports[0], reports[1])
            verdicts = {given["file"]: given["kernels"][0] for given in reports[0]["inputs"]}
            self.assertEqual(sorted(verdicts), files)
            for file, kernel in verdicts.items():
                if file[0] != "m":
                    self.assertEqual(kernel["verdict"], "race" if file[0] == "z" else "race-free", file)
            self.assertEqual(verdicts["m_loops.c"]["verdict"], "unknown")
            self.assertEqual(verdicts["m_squarings.c"]["verdict"], "unknown")
            self.assertNotIn(verdicts["m_squarings.c"]["reason"]["kind"], ("budget", "memory", "worker-ended"))
            self.assertEqual(verdicts["m_stores.c"]["verdict"], "race-free")


if __name__ == "__main__":
    unittest.main()
