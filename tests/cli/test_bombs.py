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
FEW_STEPS, MANY_STEPS = "100000", "1000000"
# Processor time for one chain, a million steps being about 5 s: of few steps, of many, and of those of a check.
MOST_SECONDS = {FEW_STEPS: 20, MANY_STEPS: 20, None: 150}
HEAD = "#include <tile.h>\ntile_kernel void %s(float *restrict a, int n, int m, const int *restrict table)\n{\n    tile_grid(8);\n"


def squarings(n):
    steps = "".join(f"    int x{i + 1} = x{i} * x{i};\n" for i in range(n))
    return HEAD % "squarings" + f"    int x0 = tile_bid(0) + n;\n{steps}    a[x{n}] = 1;\n}}\n"


def chain(start, step, use="a[{x}] = 1;", kind="int"):
    """A kernel that makes one value of the one before, so many times."""
    return lines(start, f"{kind} {{next}} = {step};", use, kind)


def lines(start, step, use="a[{x}] = 1;", kind="int"):
    """The same by any statement, which names the next value {next}."""
    def kernel(n):
        steps = "".join("    " + step.format(x=f"x{i}", before=f"x{max(i - 1, 0)}", next=f"x{i + 1}", i=i) + "\n" for i in range(n))
        return HEAD % "chain" + f"    {kind} x0 = {start};\n{steps}    {use.format(x=f'x{n}')}\n}}\n"
    return kernel


def carried(body, times="{n}", before=""):
    """A value that a loop carries, which the statement makes anew."""
    def kernel(n):
        loop = f"    for (int i = 0; i < {times.format(n=n)}; i++) {{ {body} }}\n"
        return HEAD % "chain" + f"    int x = tile_bid(0) + n;\n{before}{loop}    a[x] = 1;\n}}\n"
    return kernel


def nested(head, most=20):
    """Heads of statements inside each other, then a store."""
    def kernel(n):
        heads = "".join("    " + head.format(i=i, k=i + 1) + "\n" for i in range(min(n, most)))
        return HEAD % "chain" + f"    int x = tile_bid(0) + n;\n{heads}    a[x] = 1;\n" + "    " + "}" * min(n, most) + "\n}\n"
    return kernel


def views(n):
    steps = "".join(f"    tile t{i} = tile_load(v, x{i}); tile_store(v, t{i} * 2.0f, x{i}); int x{i + 1} = x{i} * x{i} / (x{i} + 3);\n"
                    for i in range(n))
    return HEAD % "chain" + f"    tile_view v = tile_partition(tile_tensor(a, n), 16);\n    int x0 = tile_bid(0) + n;\n{steps}}}\n"


START = "tile_bid(0) + n"
CHAINS = {
    "ids": chain("tile_bid(0)", "{x} * {x}"),
    "sums": chain(START, "{x} * {x}"),
    "products": chain(START, "({x} + 1) * ({x} + 2)"),
    "cubes": chain(START, "{x} * {x} * {x}"),
    "long": chain("(long)tile_bid(0) + n", "{x} * {x}", kind="long"),
    "carried": carried("x = x * x;"),
    "quotients": chain(START, "{x} * {x} / ({x} + 3)"),
    "selects": chain(START, "({x} > 5 ? {x} + {before} : {x} - {before})"),
    "shifts": chain(START, "({x} << 1) + ({x} >> 3)"),
    "masks": chain(START, "({x} & 255) * ({before} & 15) + ({x} ^ m)"),
    "quotients and selects": chain(START, "({x} > 5 ? {x} / 3 : {x} % 7 + {before})"),
    "loop bounds": lines(START, "int {next} = {x} * {x}; for (int i{i} = 0; i{i} < {next}; i{i}++) a[i{i} + tile_bid(0)] = 1;"),
}
if WHOLE:
    CHAINS |= {
        "mixed": chain("tile_bid(0) + 1", "{x} * ({x} + n)"),
        "alternating": chain(START, "{x} * {before}"),
        "condition": chain(START, "{x} * {x}", "if ({x} > 3) a[tile_bid(0) / 2] = 1;"),
        "quotient": chain(START, "{x} * {x}", "a[{x} / 2 + tile_bid(0)] = 1;"),
        "loop": chain(START, "{x} * {x}", "for (int i = 0; i < n; i++) a[{x} + i] = 1;"),
        "extent": chain("n", "{x} * {x}", "a[tile_bid(0) * {x}] = 1;"),
        "unsigned": chain("(unsigned)(tile_bid(0) + n)", "{x} * {x}", kind="unsigned"),
        "wrapping": chain("(unsigned)(tile_bid(0) + n)", "{x} * {x} + 12345u", "a[{x} & 1023] = 1;", "unsigned"),
        "unsigned long": chain("(unsigned long)(tile_bid(0) + n)", "{x} * {x}", "a[{x} % 1024] = 1;", "unsigned long"),
        "remainders": chain(START, "({x} * {x}) % 1000"),
        "choices": chain(START, "({x} > 5 ? {x} * {x} : {x} + 1)"),
        "minima": chain(START, "(({x} * {x} < {before} * n) ? {x} * {x} : {before} * n)"),
        # Choices
        "selects by parameters": chain(START, "({x} > {before} ? {x} + n : {x} - m)"),
        "least and greatest": chain(START, "(({x} < {before} ? {x} : {before}) * ({x} > {before} ? {x} : {before}))"),
        "clamps": chain(START, "({x} < n ? ({x} > m ? {x} + 1 : m) : n) + {before}"),
        "two minima": chain(START, "({x} < n ? {x} : n) + ({x} < m ? {x} : m)"),
        "one of two": chain(START, "({x} * {before} > n ? {x} : m)"),
        "conditions": chain(START, "(({x} > n && {before} < m) || {x} == {before} ? {x} + 1 : {before})"),
        # Shifts and bits
        "shifts right by": chain(START, "({x} >> ({before} & 7)) + {before}"),
        "shifts left by": chain(START, "(1 << ({x} & 15)) + {before}"),
        "exclusive or": chain(START, "({x} ^ {before}) + n"),
        "hashes": chain("(unsigned)(tile_bid(0) + n)", "({x} ^ ({x} << 5)) * 3u", "a[{x} & 1023] = 1;", "unsigned"),
        "and or": chain(START, "(({x} & {before}) | n)"),
        # Divisions
        "quotients by parameters": chain(START, "{x} / n + {x} % m"),
        "selects of quotients": chain(START, "({x} > n ? {x} / ({before} + 1) : {x} % n)"),
        "halves": chain(START, "({x} + {before}) / 2"),
        "thirds": chain(START, "({x} * 7 + {before}) / 3 + ({x} % 5)"),
        "remainders by": chain(START, "({x} * {before} + n) % ({x} + 7)"),
        "divisors": chain(START, "n / ({x} < n ? {x} : n) + n / ({x} < m ? {x} : m)"),
        # Sums
        "fibonacci": chain(START, "{x} + {before}"),
        "scaled": chain(START, "3 * {x} - 2 * {before} + {i}"),
        # Memory
        "lookups": chain(START, "table[{x}]"),
        "two lookups": chain(START, "table[{x}] + table[{before}]"),
        "lookups of squares": chain(START, "table[{x} * {x}]"),
        "stores": lines(START, "int {next} = {x} * {x}; a[{next}] = 1;"),
        "stores of quotients": lines(START, "int {next} = {x} * {x} / ({x} + 3); a[{next}] = 1;"),
        "stores of selects": lines(START, "int {next} = {x} > 5 ? {x} + {before} : {x} - {before}; a[{next}] = 1;"),
        "views": views,
        # Loops and branches
        "bounds": lines(START, "for (int {next} = 0; {next} < {x} * {x} + n; {next}++)", "a[{x} + tile_bid(0)] = 2;"),
        "carried quotients": carried("int z = x * y / (x + 3); y = x; x = z > 5 ? z + y : z - y;", before="    int y = n;\n"),
        "carried by nests": nested("for (int i{i} = 0; i{i} < n; i{i}++) {{ x = x * x + i{i};"),
        "branches": nested("if (x * {k} > m) {{ x = x * x + n;", most=40),
        "loops": lines(START, "int {next} = {x}; for (int i{i} = 0; i{i} < n; i{i}++) {next} = {next} * {next} + i{i};"),
        "whiles": lines(START, "int {next} = {x}; while ({next} < m * {i}) {next} = {next} * {next} + {i};"),
    }


def stores(n):
    return HEAD % "stores" + "".join(f"    a[tile_bid(0) * {n} + {i}] = {i};\n" for i in range(n)) + "}\n"


def loops(n):
    heads = "".join(f"    for (int i{i} = 0; i{i} < n; i{i}++)\n" for i in range(n))
    return HEAD % "loops" + heads + "    a[tile_bid(0) + " + " + ".join(f"i{i}" for i in range(n)) + "] = 1;\n}\n"


class Bombs(unittest.TestCase):
    def test_chains(self):
        """Whatever is computed, how often, and what it is for: an answer in time that follows the steps. Time is
        processor time of all that was started and has been waited for, so that a busy machine fails nothing."""
        for name, make in CHAINS.items():
            for n in (10, 20, 30, 60) if WHOLE else (10, 60):
                steps = MANY_STEPS if WHOLE else FEW_STEPS
                if (name, n) == ("ids", 10) or WHOLE and (name, n) in (("sums", 60), ("selects", 60), ("quotients", 60)):
                    steps = None  # those of a check
                with self.subTest((name, n)):
                    self.check_in_time(make(n), steps)

    def check_in_time(self, text, steps):
        options = ["--memory", "1000", *(["--steps", steps] if steps else [])]
        with tempfile.TemporaryDirectory() as folder, open(pathlib.Path(folder) / "out", "w+", encoding="utf-8") as out:
            path = pathlib.Path(folder) / "chain.c"
            path.write_text(text)
            run = subprocess.Popen([TILERACE, "check", "--no-cache", *options, "--timeout", "3000000", str(path)],
                                   stdout=out, stderr=out)
            _, status, used = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            said = out.read()
        self.assertIn(run.returncode, (0, 1), said)
        self.assertRegex(said, "1 kernel: ")
        self.assertNotRegex(said, "used more|ended by signal|was not checked|did not end within")
        self.assertLess(used.ru_utime + used.ru_stime, MOST_SECONDS[steps])

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
