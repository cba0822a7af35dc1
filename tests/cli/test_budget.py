"""--budget is kept, says where it cut, and decides nothing by itself; limits are steps.

    test_budget.py TILERACE
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
HEAD = "#include <tile.h>\ntile_kernel void k("
TRIES = 12  # the load of the machine changes faster than it is measured: one try in time is enough
START_MS = 60  # what the program takes from its start to its end with nothing to do


def stores(index, n=2000):
    return f"{HEAD}float *restrict x)\n{{\n" + f"    x[{index}] = 1.0f;\n" * n + "}\n"


def squares(n):
    lines = [f"    int v{i + 1} = v{i} * v{i};" for i in range(n)]
    return (
        f"{HEAD}float *restrict x, int v0)\n{{\n"
        + "\n".join(lines)
        + f"\n    x[v{n} + tile_bid(0)] = 1.0f;\n}}\n"
    )


def loops(depth):
    heads = [f"    for (int i{d} = 0; i{d} < n; i{d}++)\n" for d in range(depth)]
    index = " + ".join(f"i{d}" for d in range(depth))
    return f"{HEAD}float *restrict x, int n)\n{{\n{''.join(heads)}        x[tile_bid(0) + {index}] = 1.0f;\n}}\n"


def additions(n):
    return (
        f"{HEAD}float *restrict x, int n)\n{{\n    int b = tile_bid(0);\n"
        + "    b = b + n;\n" * n
        + "    x[b] = 1.0f;\n}\n"
    )


HOSTILE = {
    "2,000 equal stores": stores("tile_bid(0)"),
    "2,000 equal stores that race": stores("tile_bid(0) / 2"),
    "2,000 stores in a loop": stores("tile_bid(0) * 2000 + i", 1).replace(
        "    x[", "    for (int i = 0; i < 2000; i++)\n    x["
    ),
    "16 squares": squares(16),
    "60 squares": squares(60),
    "20 loops": loops(20),
    "8,000 additions": additions(8000),
    # The search for what a launch has to guarantee: five symbolic factors, two divisions.
    "a large search": HEAD
    + """float *restrict x, int a, int b, int c, int d, int e)
{
    int p = tile_bid(0), q = tile_bid(1), r = tile_bid(2);
    for (int i = 0; i < c; i++)
        for (int j = 0; j < d; j++)
            x[((p * b + i) * e + j) * a + (q * d + r) / (c + 1) + (p % (b + 1)) * j] = 1.0f;
}
""",
}
REPOSITORY = ["kernels/python/unsort_experts.tilebc", "kernels/matmul_swizzle.c"]


def children_ms():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def check(*words):
    """The entry of the report, and the milliseconds: by the clock, but on a machine that has more to
    run than processors those of processor time, as the clock runs for others too."""
    command = [TILERACE, "check", "--format", "json", *words]
    begin, worked = time.monotonic(), children_ms()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    ms, worked = (time.monotonic() - begin) * 1000, children_ms() - worked
    busy = os.getloadavg()[0] > (os.cpu_count() or 1)
    return json.loads(done.stdout)["inputs"][0], min(ms, worked) if busy else ms


class Budget(unittest.TestCase):
    def kept(self, path, budget):
        most = budget + max(budget / 10, 100) + START_MS
        took = []
        for _ in range(TRIES):
            entry, ms = check("--budget", str(budget), path)
            self.assertEqual(entry["status"], "checked", entry["error"])
            took.append(ms)
            if ms <= most:
                return entry["kernels"][0]
        self.fail(f"a budget of {budget} ms took {min(took):.0f} ms at best")

    def test_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in HOSTILE.items():
                path = pathlib.Path(folder) / (re.sub(r"\W", "_", name) + ".c")
                path.write_text(text)
                for budget in (1, 200):
                    with self.subTest(f"{name}, {budget} ms"):
                        kernel = self.kept(str(path), budget)
                        if budget == 1:
                            self.assertEqual(kernel["verdict"], "unknown")
                        if kernel["verdict"] == "unknown":
                            self.assertIn(kernel["reason"]["kind"], ("budget", "steps"))

    def test_says_so(self):
        for path in REPOSITORY:
            with self.subTest(path):
                kernel = self.kept(path, 1)
                self.assertEqual(kernel["verdict"], "unknown")
                self.assertEqual(kernel["reason"]["kind"], "budget")
                self.assertIn("--budget", kernel["reason"]["text"])

    def test_enough_of_it_changes_nothing(self):
        free, _ = check(REPOSITORY[1])
        guarded, _ = check("--budget", "600000", REPOSITORY[1])
        for entry in (free, guarded):
            entry["kernels"][0].pop("time_ms")
        self.assertEqual(free, guarded)


class Steps(unittest.TestCase):
    def test_few(self):
        entry, _ = check("--steps", "1000", REPOSITORY[0])
        kernel = entry["kernels"][0]
        self.assertEqual(kernel["verdict"], "unknown")
        self.assertIn(kernel["reason"]["kind"], ("steps", "data-dependent"))


    ENOUGH = {"tests/preconditions/transposed_stride.c": 125000}

    def test_enough(self):
        for path, steps in self.ENOUGH.items():
            entry, _ = check("--steps", str(steps), path)
            with self.subTest(path):
                self.assertNotIn("unknown", [kernel["verdict"] for kernel in entry["kernels"]])

    # That a divisor is positive is doubted by a second check of the kernel, which ends at once where
    # no launch that breaks it is defined.
    MOST_ASKED = {"kernels/python/layer_norm_backward_tiles.tilebc": 1250}

    def test_questions(self):
        for path, most in self.MOST_ASKED.items():
            with self.subTest(path), tempfile.TemporaryDirectory() as folder:
                check("--keep-obligations", folder, path)
                self.assertIn(len(os.listdir(folder)), range(1, most))


class Clocks(unittest.TestCase):
    """Verdict code reads no clock: it measures effort by steps."""

    # A solver that hangs is ended; its version is asked for; a report names the time that it took.
    MAY = {
        "smt/solver/process.c",
        "smt/solver/find_solver.c",
        "analyzer/rules/check_once.c",
    }

    def test_none_is_read(self):
        read = re.compile(r"\b(tr_now_ms|tr_now_fine_ms|tr_process_worked_ms|clock_gettime|clock|time)\s*\(")
        for folder in ("smt/terms", "smt/goal", "smt/solver", "smt/strategies", "analyzer/question", "analyzer/order", "analyzer/precondition", "analyzer/witness",
                       "analyzer/rules", "analyzer/index_space", "analyzer/contract"):
            for path in sorted(pathlib.Path(folder).glob("*.[ch]")):
                if str(path) in self.MAY:
                    continue
                found = read.search(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S))
                self.assertIsNone(found, f"{path}: {found and found.group(0)}")


if __name__ == "__main__":
    unittest.main()
