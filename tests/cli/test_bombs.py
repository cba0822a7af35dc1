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
MOST_SECONDS = 150 if WHOLE else 20  # of processor time, for one chain of products
HEAD = "#include <tile.h>\ntile_kernel void %s(float *restrict a, int n)\n{\n    tile_grid(8);\n"


def squarings(n):
    steps = "".join(f"    int x{i + 1} = x{i} * x{i};\n" for i in range(n))
    return HEAD % "squarings" + f"    int x0 = tile_bid(0) + n;\n{steps}    a[x{n}] = 1;\n}}\n"


def chain(start, step, use="a[{x}] = 1;", kind="int"):
    """A kernel that makes one value of the one before, so many times."""
    def kernel(n):
        steps = "".join(f"    {kind} x{i + 1} = {step.format(x=f'x{i}', before=f'x{max(i - 1, 0)}')};\n" for i in range(n))
        return HEAD % "chain" + f"    {kind} x0 = {start};\n{steps}    {use.format(x=f'x{n}')}\n}}\n"
    return kernel


def carried(n):
    return HEAD % "chain" + f"    int x = tile_bid(0) + n;\n    for (int i = 0; i < {n}; i++) x = x * x;\n    a[x] = 1;\n}}\n"


CHAINS = {
    "ids": chain("tile_bid(0)", "{x} * {x}"),
    "sums": chain("tile_bid(0) + n", "{x} * {x}"),
    "products": chain("tile_bid(0) + n", "({x} + 1) * ({x} + 2)"),
    "cubes": chain("tile_bid(0) + n", "{x} * {x} * {x}"),
    "long": chain("(long)tile_bid(0) + n", "{x} * {x}", kind="long"),
    "carried": carried,
}
if WHOLE:
    CHAINS |= {
        "mixed": chain("tile_bid(0) + 1", "{x} * ({x} + n)"),
        "alternating": chain("tile_bid(0) + n", "{x} * {before}"),
        "condition": chain("tile_bid(0) + n", "{x} * {x}", "if ({x} > 3) a[tile_bid(0) / 2] = 1;"),
        "quotient": chain("tile_bid(0) + n", "{x} * {x}", "a[{x} / 2 + tile_bid(0)] = 1;"),
        "loop": chain("tile_bid(0) + n", "{x} * {x}", "for (int i = 0; i < n; i++) a[{x} + i] = 1;"),
        "extent": chain("n", "{x} * {x}", "a[tile_bid(0) * {x}] = 1;"),
        "unsigned": chain("(unsigned)(tile_bid(0) + n)", "{x} * {x}", kind="unsigned"),
        "wrapping": chain("(unsigned)(tile_bid(0) + n)", "{x} * {x} + 12345u", "a[{x} & 1023] = 1;", "unsigned"),
        "unsigned long": chain("(unsigned long)(tile_bid(0) + n)", "{x} * {x}", "a[{x} % 1024] = 1;", "unsigned long"),
        "remainders": chain("tile_bid(0) + n", "({x} * {x}) % 1000"),
        "choices": chain("tile_bid(0) + n", "({x} > 5 ? {x} * {x} : {x} + 1)"),
        "minima": chain("tile_bid(0) + n", "(({x} * {x} < {before} * n) ? {x} * {x} : {before} * n)"),
    }


def stores(n):
    return HEAD % "stores" + "".join(f"    a[tile_bid(0) * {n} + {i}] = {i};\n" for i in range(n)) + "}\n"


def loops(n):
    heads = "".join(f"    for (int i{i} = 0; i{i} < n; i{i}++)\n" for i in range(n))
    return HEAD % "loops" + heads + "    a[tile_bid(0) + " + " + ".join(f"i{i}" for i in range(n)) + "] = 1;\n}\n"


class Bombs(unittest.TestCase):
    def test_chains_of_products(self):
        """Whatever is multiplied, how often, and what it is for: an answer in time that follows the steps. Time is
        processor time of all that was started and has been waited for, so that a busy machine fails nothing."""
        for name, make in CHAINS.items():
            for n in (10, 20, 30, 60) if WHOLE else (10, 60):
                few = not WHOLE and (name, n) != ("ids", 10)  # which the steps of a check decide at once
                options = ["--steps", "100000", "--memory", "1000"] if few else ["--timeout", "3000000" if WHOLE else "60000"]
                with tempfile.TemporaryDirectory() as folder, self.subTest((name, n)):
                    path = pathlib.Path(folder) / "chain.c"
                    path.write_text(make(n))
                    with open(pathlib.Path(folder) / "out", "w+", encoding="utf-8") as out:
                        run = subprocess.Popen([TILERACE, "check", "--no-cache", *options, str(path)],
                                               stdout=out, stderr=out)
                        _, status, used = os.wait4(run.pid, 0)
                        run.returncode = os.waitstatus_to_exitcode(status)
                        out.seek(0)
                        said = out.read()
                    self.assertIn(run.returncode, (0, 1), said)
                    self.assertRegex(said, "1 kernel: ")
                    self.assertNotRegex(said, "used more|ended by signal|was not checked|did not end within")
                    self.assertLess(used.ru_utime + used.ru_stime, MOST_SECONDS)

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
