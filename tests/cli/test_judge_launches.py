"""tilerace judge: which launches are tried, and that its limits are none of the clock.

    test_judge_launches.py TILERACE
"""

import contextlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"

ADD = """#include <tile.h>

tile_kernel void add(const float *a, const float *b, float *c, int n, int m)
{
    tile_grid(tile_cdiv(n * m, 64));
    tile_assume(n > 0);
    tile_assume(m > 0);
    tile_extent(a, n * m);
    tile_extent(b, n * m);
    tile_extent(c, n * m);
    tile_view in_a = tile_partition(tile_tensor(a, n * m), 64);
    tile_view in_b = tile_partition(tile_tensor(b, n * m), 64);
    tile_view out = tile_partition(tile_tensor(c, n * m), 64);
    int i = tile_bid(0);
    float factor = 1.0f;
%s
}
"""
RIGHT = "    tile_store(out, tile_load(in_a, i) * factor + tile_load(in_b, i), i);"
WRONG = "        tile_store(out, tile_load(in_a, i), i);"
LAUNCH = {"args": [{}, {}, {}, {"min": 1, "max": 20000}, {"min": 1, "max": 4}]}

# Right everywhere but at few sizes, which no list of usual ones has.
RARELY_WRONG = {
    "one size": "    if (n == 3001)\n" + WRONG + "\n    else\n    " + RIGHT,
    "a range of sizes": "    if (n > 5000 && n < 5010)\n" + WRONG + "\n    else\n    " + RIGHT,
    "an equation of two": "    if (n == 37 * m + 911)\n" + WRONG + "\n    else\n    " + RIGHT,
    "one tile block of one size": "    if (i * 7 + 1605 == n)\n" + WRONG + "\n    else\n    " + RIGHT,
    "a value alone": "    factor = n == 777 ? 2.0f : 1.0f;\n" + RIGHT,
    "a value among other numbers": "    factor = m == 300 ? 3.0f : n == 777 ? 2.0f : n == 0 - 999 ? 4.0f : 1.0f;\n" + RIGHT,
    "a remainder": "    if (n % 1999 == 1444)\n" + WRONG + "\n    else\n    " + RIGHT,
}


def judge(context, *words, **more):
    run = subprocess.run([TILERACE, "judge", "--format", "json", *words, "-"], input=json.dumps(context),
                         capture_output=True, text=True, check=True, **more)
    return json.loads(run.stdout)["tilerace"]


def adding(body, **more):
    return {"kernel": {"source": ADD % body}, "reference": {"source": ADD % RIGHT}, "launch": LAUNCH, **more}


class Launches(unittest.TestCase):
    def test_right(self):
        own = judge(adding(RIGHT))
        self.assertEqual((own["class"], own["score"]), ("passed", 1))

    def test_wrong_at_few_sizes(self):
        """By launches that the solver gives: where what decides over a store is just so, and where a
        parameter is a number of the code."""
        for name, body in RARELY_WRONG.items():
            for seed in (1, 2):
                with self.subTest(name, seed=seed):
                    own = judge(adding(body, seed=seed))
                    self.assertEqual(own["class"], "wrong-result", own["feedback"])
                    self.assertEqual(own, judge(adding(body, seed=seed)))

    def test_tile_blocks_on_every_axis(self):
        """Which block takes which part shows only where an axis has several, and atomics race with none."""
        kernel = pathlib.Path(__file__).parents[2] / "kernels" / "matmul_split_k.c"
        right = kernel.read_text()
        for seed, axis in ((1, 0), (1, 1), (2, 1)):
            wrong = right.replace("tile_bid(%d)" % axis, "(tile_bid(%d) / 2)" % axis)
            with self.subTest(axis=axis, seed=seed):
                own = judge({"kernel": {"source": wrong}, "reference": str(kernel), "seed": seed})
                self.assertEqual(own["class"], "wrong-result", own["feedback"])
        self.assertEqual(judge({"kernel": {"source": right}, "reference": str(kernel)})["class"], "passed")

    def test_outside_of_the_context(self):
        """What is wrong at sizes that the context excludes is not looked for there."""
        launch = {"args": [{}, {}, {}, {"min": 1, "max": 3000}, {"value": 1}]}
        self.assertEqual(judge(adding(RARELY_WRONG["one size"], launch=launch))["class"], "passed")

    def test_without_a_solver_for_them(self):
        """A bare kernel of which nothing is stated is tried at no launch, so none is looked for."""
        source = ("#include <tile.h>\n\ntile_kernel void copy(const float *a, float *b, int n)\n{\n"
                  "    tile_store(tile_partition(tile_tensor(b, n), 64), "
                  "tile_load(tile_partition(tile_tensor(a, n), 64), tile_bid(0)), tile_bid(0));\n}\n")
        stages = {of["stage"]: of["state"] for of in judge({"kernel": {"source": source}})["stages"]}
        self.assertEqual(stages["agrees"], "not-asked")


class Worst(unittest.TestCase):
    """--worst-launches: those of the solver, for who has the reference."""

    def ask(self, context, *words):
        run = subprocess.run([TILERACE, "judge", "--worst-launches", *words, "-"], input=json.dumps(context),
                             capture_output=True, text=True, check=True)
        return json.loads(run.stdout)

    def holds(self, values):
        return 1 <= values["n"] <= 20000 and 1 <= values["m"] <= 4

    def test_launches(self):
        at = {"one size": lambda n, m: n == 3001, "a range of sizes": lambda n, m: n in range(5001, 5010),
              "an equation of two": lambda n, m: n == 37 * m + 911, "a value alone": lambda n, m: n == 777,
              "a remainder": lambda n, m: n % 1999 == 1444,
              "one tile block of one size": lambda n, m: n >= 1605 and (n - 1605) % 7 == 0}
        for name, is_wrong in at.items():
            with self.subTest(name):
                answer = self.ask(adding(RARELY_WRONG[name]))
                self.assertEqual(set(answer), {"launches"})
                launches = answer["launches"]
                self.assertTrue(any(is_wrong(**of["values"]) for of in launches), launches)
                self.assertTrue(all(self.holds(of["values"]) for of in launches), launches)
                self.assertEqual({of["kernel"] for of in launches}, {"add"})
                self.assertLessEqual(len(launches), 8)
                self.assertEqual(len({json.dumps(of["values"]) for of in launches}), len(launches))
                self.assertEqual(answer, self.ask(adding(RARELY_WRONG[name])))

    def test_tuning_values(self):
        """Of each combination; the first of all of them come first."""
        body = RARELY_WRONG["one size"].replace("3001", "SIZE")
        launches = self.ask(adding(body, tune={"SIZE": [3001, 4007, 5003]}))["launches"]
        self.assertLessEqual({3001, 4007, 5003}, {of["values"]["n"] for of in launches})
        self.assertLessEqual({3001, 4007, 5003}, {of["values"]["n"] for of in launches[:12]})

    def test_none(self):
        for context, why in (({"kernel": {"source": ADD % "x"}}, "undeclared identifier"),
                             ({"kernel": "candidate.py"}, "cuTile Python"),
                             ({**adding(RIGHT), "stages": ["races"]}, None)):
            answer = self.ask(context)
            self.assertEqual(answer["launches"], [])
            self.assertIn(why or "", answer.get("why", ""))
            self.assertEqual("why" in answer, why is not None)

    def test_with_the_guard_of_a_harness(self):
        run = subprocess.run([TILERACE, "judge", "--worst-launches", "--api-mode"], input="{}", capture_output=True,
                             text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("--worst-launches judges nothing", run.stderr)


@contextlib.contextmanager
def others(n):
    """So many processes that use the processor of this one all the while, and for two minutes at most."""
    code = "import time\nuntil = time.monotonic() + 120\nwhile time.monotonic() < until: pass"
    # Sessions share a processor evenly, whatever is in each.
    running = [subprocess.Popen([sys.executable, "-c", code], start_new_session=True) for _ in range(n)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


class Clock(unittest.TestCase):
    """Clang's preprocessor makes 4^9 words of it: some of a second, which no step counts."""
    LONG = (ADD % RIGHT + "#define A0 0 +\n" + "".join(
        "#define A%d A%d A%d A%d A%d\n" % (i + 1, i, i, i, i) for i in range(20)))

    def long(self, level):
        return {"kernel": {"source": self.LONG + "#if A%d 0\n#endif\n" % level}, "stages": ["compiles"]}

    def measured(self, context, *words):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        own = judge(context, *words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return own, time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_a_busy_machine(self):
        """A limit is one of processor time: whoever else uses the machine changes no class."""
        allowed = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, allowed)
        os.sched_setaffinity(0, {min(allowed)})
        level = 6
        while True:
            own, _, used = self.measured(self.long(level))
            self.assertEqual(own["class"], "passed", own)
            if used > 0.4 or level == 12:
                break
            level += 1
        limit = 2.5 * used
        with others(7):
            own, took, _ = self.measured({**self.long(level), "limits": {"seconds": limit}})
        self.assertEqual(own["class"], "passed", own)
        self.assertGreater(took, 1.2 * limit, "the machine was not busy")

    def test_what_does_not_end(self):
        """It is ended by the processor time that it used, and not much later."""
        own, _, used = self.measured({**self.long(20), "limits": {"seconds": 1}})
        self.assertEqual(own["class"], "limit", own)
        self.assertIn("takes more than 1 s", own["feedback"])
        self.assertLess(used, 4)

    def test_what_waits(self):
        """It uses nothing, so the clock ends it: a header that is a pipe that nobody writes to."""
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(pathlib.Path(folder) / "waits.h")
            source = pathlib.Path(folder) / "add.c"
            source.write_text('#include "waits.h"\n' + ADD % RIGHT)
            own, took, _ = self.measured({"kernel": str(source), "limits": {"seconds": 1}})
            self.assertNotEqual(own["class"], "passed", own)
            self.assertLess(took, 30)


if __name__ == "__main__":
    unittest.main()
