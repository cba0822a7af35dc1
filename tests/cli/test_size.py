"""Sizes: kernels far larger than any that people write are decided or given up within the budget and
1 GB of memory, and twice the kernel is about twice the work.

    test_size.py TILERACE

Time is processor time of the checker and its solver, so that a busy machine fails nothing.
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
BUDGET_MS = 5000
MOST_KB = 1 << 20
LEAST_MS = 600  # growth is not measured below that: what is there is the start of the program


def kernel(body, parameters="float *restrict x, float *restrict y, int n"):
    return f"#include <tile.h>\ntile_kernel void k({parameters})\n{{\n    int i = tile_bid(0);\n{body}}}\n"


def lines(n, line):
    return "".join("    " + line(j) + "\n" for j in range(n))


# ---- Section: Generated kernels, each by its size ----


def squarings(n):
    return kernel("    int a0 = i;\n" + lines(n, lambda j: f"int a{j + 1} = a{j} * a{j};") + f"    x[a{n}] = 1;\n")


def shifted_squarings(n):
    return kernel("    int a0 = i;\n" + lines(n, lambda j: f"int a{j + 1} = a{j} * a{j} + n;") + f"    x[a{n}] = 1;\n")


def product_of_sums(n):
    parameters = "float *restrict x, " + ", ".join(f"int p{j}" for j in range(n))
    return kernel("    int a = 1;\n" + lines(n, lambda j: f"a = a * (p{j} + i);") + "    x[a] = 1;\n", parameters)


def additions(n):
    return kernel("    int a = i, b = n;\n" + lines(n // 2, lambda j: f"a = a + b; b = b + {j};") + "    x[a] = 1;\n")


def mixed(n):
    ops = ("a = a + b", "b = b * a", "a = a / 3", "b = b % 7", "a = a ^ b", "b = b & a",
           "a = a < b ? a : b", "b = a - b", "a = (int)(short)a", "b = b >> 1")
    return kernel("    int a = i, b = n;\n" + lines(n, lambda j: ops[j % len(ops)] + ";") + "    x[a] = 1;\n")


def branches(n):
    return kernel(
        "    int a = i, b = n;\n" + lines(n // 2, lambda j: f"if (b > {j}) a = a + b; else b = b + a;") + "    x[a] = 1;\n"
    )


def choices(n):
    return kernel(
        "    int a = i, b = n;\n"
        + lines(n // 2, lambda j: f"a = a < b ? a * 2 : b + {j}; b = b > a ? b - a : a - b;")
        + "    x[a] = 1;\n"
    )


def float_operations(n):
    head = "    tile t = tile_load(tile_partition(tile_tensor(y, n), 64), i);\n"
    tail = "    tile_store(tile_partition(tile_tensor(x, n), 64), t, i);\n"
    return kernel(head + lines(n, lambda j: f"t = t + {j}.0f;") + tail)


def loads(n):
    return kernel("    float s = 0;\n" + lines(n, lambda j: f"s = s + y[i + {j}];") + "    x[i] = s;\n")


def look_ups(n):
    parameters = "float *restrict x, const int *restrict f"
    return kernel(lines(n, lambda j: "i = f[i];") + "    x[i] = 1;\n", parameters)


def equal_stores(n):
    return kernel(lines(n, lambda j: "x[i] = 1;"))


def apart_stores(n):
    return kernel(lines(n, lambda j: f"x[i * {n} + {j}] = 1;"))


def branch_stores(n):
    return kernel("    if (n > 3) {\n" + lines(n, lambda j: f"x[i * {n} + {j}] = 1;") + "    }\n")


def conditional_stores(n):
    return kernel(lines(n, lambda j: f"if (n == {j}) x[i] = 1;"))


def loop_stores(n):
    return kernel("    for (int t = 0; t < n; t++) {\n" + lines(n, lambda j: f"x[i * {n} + {j}] = 1;") + "    }\n")


def updates(n):
    return kernel(lines(n, lambda j: f"x[i * {n} + {j}] = x[i * {n} + {j * 7 % n}] + 1;"))


def racy_stores(n):
    return kernel(lines(n, lambda j: f"x[i + {j}] = 1;"))


def nested(n):
    head = lines(n, lambda j: f"for (int l{j} = 0; l{j} < n; l{j}++) {{")
    return kernel("    int s = 0;\n" + head + "    x[i] = 1; s = s + l0;\n" + "}" * n + "\n    y[i] = s;\n")


def nested_carried(n):
    head = lines(n, lambda j: f"for (int l{j} = 0; l{j} < n; l{j}++) {{ t = t + s; s = s * t + l{j};")
    return kernel("    int s = 0, t = i;\n" + head + "    x[t] = 1;\n" + "}" * n + "\n    y[i] = s;\n")


def nested_while(n):
    head = lines(n, lambda j: f"int c{j} = 0; while (c{j} < n) {{ c{j} = c{j} + 1; s = s + c{j};")
    return kernel("    int s = 0;\n" + head + "    x[i] = 1;\n" + "}" * n + "\n    y[i] = s;\n")


def nested_stepped(n):
    """Every level passes on what the level inside it has made of the value."""
    head = lines(n, lambda j: f"for (int l{j} = 0; l{j} < n; l{j}++) {{ s = s + t; t = u; u = u + l{j};")
    return kernel("    int s = 0, t = i, u = n;\n" + head + "    x[s] = 1;\n" + "}" * n + "\n    y[u] = s;\n")


def nested_branches(n):
    head = lines(n, lambda j: f"if (i + n > {j}) {{ i = i + n;")
    return kernel(head + "    x[i] = 1;" + "}" * n + "\n")


# What each size must end in; None: any verdict.
SIZES = (
    (squarings, 60, None),
    (shifted_squarings, 60, None),
    (product_of_sums, 40, None),
    (additions, 10000, None),
    (mixed, 10000, None),
    (branches, 10000, None),
    (choices, 10000, None),
    (float_operations, 10000, "race-free"),
    (loads, 10000, "race-free"),
    (look_ups, 2000, None),
    (equal_stores, 2000, "race-free"),
    (apart_stores, 2000, "race-free"),
    (branch_stores, 2000, "race-free"),
    (conditional_stores, 2000, None),
    (loop_stores, 2000, None),
    (updates, 2000, "race-free"),
    (racy_stores, 2000, "race"),
    (nested, 20, None),
    (nested_carried, 20, None),
    (nested_while, 20, None),
    (nested_stepped, 20, None),
    (nested_branches, 200, None),
)

# The summary alone: twice the operations are at most three times the time.
GROWTH = (
    (shifted_squarings, 500),
    (additions, 10000),
    (mixed, 5000),
    (branches, 4000),
    (choices, 2000),
    (apart_stores, 4000),
    (conditional_stores, 2000),
    (look_ups, 2000),
)


class Sizes(unittest.TestCase):
    def measure(self, text, *command):
        """Exit code, output, processor time in ms and most memory in KB."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kernel.c"
            path.write_text(text)
            out = pathlib.Path(folder) / "out"
            with open(out, "w", encoding="utf-8") as sink:
                limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
                run = subprocess.Popen([TILERACE, *command, str(path)], stdout=sink, stderr=sink, preexec_fn=limit)
                _, status, used = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
            ms = 1000 * (used.ru_utime + used.ru_stime)
            return run.returncode, out.read_text(), ms, used.ru_maxrss

    def check(self, make, n, verdict):
        code, text, ms, kb = self.measure(make(n), "check", "--budget", str(BUDGET_MS))
        with self.subTest(kernel=make.__name__, size=n):
            self.assertIn(code, (0, 1, 3), text[-500:] or signal.Signals(-code).name)
            self.assertLess(kb, MOST_KB)
            # 10 % or 100 ms over, and what the front end takes before the budget starts
            self.assertLess(ms, BUDGET_MS * 1.1 + 1000)
            if verdict:
                self.assertRegex(text, f": {verdict}: 'k'")

    def test_sizes(self):
        for make, n, verdict in SIZES:
            self.check(make, n, verdict)

    def test_growth(self):
        for make, n in GROWTH:
            code, text, once, kb = self.measure(make(n), "dump", "--accesses")
            code2, _, twice, kb2 = self.measure(make(2 * n), "dump", "--accesses")
            with self.subTest(kernel=make.__name__, size=n):
                self.assertEqual((code, code2), (0, 0), text[-500:])
                self.assertLess(twice, 3 * max(once, LEAST_MS))
                self.assertLess(kb2, max(3 * kb, MOST_KB // 2))

    def test_bytecode(self):
        """The same through modules: the reader and its summary are as linear."""
        with tempfile.TemporaryDirectory() as folder:
            for make, n in ((equal_stores, 2000), (squarings, 60), (additions, 10000)):
                source, module = pathlib.Path(folder) / "k.c", pathlib.Path(folder) / "k.tilebc"
                source.write_text(make(n))
                subprocess.run([TILERACE, "compile", str(source), "-o", str(module)], check=True)
                command = [TILERACE, "check", "--budget", str(BUDGET_MS), str(module)]
                run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                _, status, used = os.wait4(run.pid, 0)
                run.returncode = os.waitstatus_to_exitcode(status)
                with self.subTest(kernel=make.__name__):
                    self.assertIn(run.returncode, (0, 1, 3))
                    self.assertLess(used.ru_maxrss, MOST_KB)


if __name__ == "__main__":
    unittest.main(verbosity=2)
