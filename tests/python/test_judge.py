"""tilerace.judge(): candidates of cuTile Python, right ones, wrong ones, and ones that misbehave.

    test_judge.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

from common import BUILD, Case, main

import tilerace
from tilerace import _judge_process

os.environ["TILERACE_PROGRAM"] = str(BUILD / "tilerace")

SCALE = """
import cuda.tile as ct


@ct.kernel
def scale(x, y, s, BM: ct.Constant[int]):
    block = ct.bid(0)
    %s
"""
LOAD = "tile = ct.load(x, index=(block, 0), shape=(BM, 16), padding_mode=ct.PaddingMode.ZERO)\n    "
RIGHT = SCALE % (LOAD + "ct.store(y, index=(block, 0), tile=tile * s)")

WRONG = {
    "race": LOAD + "ct.store(y, index=(block // 2, 0), tile=tile * s)",
    "wrong-result": LOAD + "ct.store(y, index=(block, 0), tile=tile + s)",
    "incomplete": LOAD + "if block != 0:\n        ct.store(y, index=(block, 0), tile=tile * s)",
    "out-of-bounds": LOAD + "ct.store(y, index=(block + 1, 0), tile=tile * s)",
    "undefined-value": "tile = ct.load(y, index=(block, 0), shape=(BM, 16))\n    "
                       "ct.store(y, index=(block, 0), tile=tile * s)",
    "does-not-compile": LOAD + "ct.store(y, index=(block, 0, 0, 0), tile=tile * s)",
}

CONTEXT = {
    "sizes": {"n": {"min": 1, "max": 5000}},
    "arguments": [{"name": "x", "dtype": "float32", "shape": ["n", 16], "strided": True},
                  {"name": "y", "dtype": "float32", "shape": ["n", 16], "output": True},
                  {"name": "s", "value": 2.0}, {"name": "BM", "constant": 16}],
    "grid": ["cdiv(n, 16)"],
}


def twice(x, y, s, block):
    return x * s


class Judged(Case):
    def judge(self, source, reference=twice, **more):
        return tilerace.judge({"kernel": {"source": source}, **CONTEXT, **more}, reference=reference)

    def test_right(self):
        judgement = self.judge(RIGHT)
        self.assertEqual((judgement.class_, judgement.score), ("passed", 1), str(judgement))
        tried = {stage.name: stage.launches for stage in judgement.stages}
        self.assertIn(tried["agrees"], range(9, 17))  # 8 that are drawn, and those of the solver

    def test_wrong(self):
        for name, body in WRONG.items():
            with self.subTest(name):
                judgement = self.judge(SCALE % body)
                self.assertEqual(judgement.class_, name, str(judgement))
                self.assertTrue(judgement.should_filter)
                self.assertLess(judgement.score, 1)
                self.assertEqual(judgement.faults[0].file, "candidate.py")
                self.assertIn(judgement.faults[0].line, range(5, 10))

    def test_right_at_one_shape(self):
        body = LOAD + "if x.shape[0] == 128:\n        ct.store(y, index=(block, 0), tile=tile * s)"
        self.assertEqual(self.judge(SCALE % body).class_, "incomplete")

    def test_indices(self):
        """Rows that are scattered: the context says whether two of them may go to one place."""
        source = """
import cuda.tile as ct

@ct.kernel
def scatter(x, row, y):
    block = ct.bid(0)
    to = ct.load(row, index=(block,), shape=(1,))
    tile = ct.load(x, index=(block, 0), shape=(1, 16))
    ct.scatter(y, (to.reshape((1, 1)), ct.arange(16, dtype=ct.int32).reshape((1, 16))), tile)
"""
        def context(**row):
            return {"kernel": {"source": source}, "sizes": {"n": {"max": 300}}, "grid": ["n"],
                    "arguments": [{"name": "x", "dtype": "float32", "shape": ["n", 16]},
                                  {"name": "row", "dtype": "int32", "shape": ["n"], "min": 0,
                                   "max": "n - 1", **row},
                                  {"name": "y", "dtype": "float32", "shape": ["n", 16], "output": True}]}
        def reference(x, row, y):
            y[row] = x
        judgement = tilerace.judge(context(unique=True), reference=reference)
        self.assertEqual(judgement.class_, "passed", str(judgement))
        judgement = tilerace.judge(context())
        self.assertIn(judgement.class_, ("race", "conditional"), str(judgement))

    def test_outputs_without_a_reference(self):
        """What has to be written is judged though nobody says what it would be."""
        for name, state in (("right", "passed"), ("wrong-result", "passed"), ("incomplete", "failed")):
            with self.subTest(name):
                judgement = self.judge(RIGHT if name == "right" else SCALE % WRONG[name], reference=None)
                self.assertEqual(judgement.class_, "incomplete" if state == "failed" else "passed", str(judgement))
                states = {stage.name: stage.state for stage in judgement.stages}
                self.assertEqual((states["written-wholly"], states["agrees"]), (state, "not-asked"))
        # What also holds an input need not be written wholly.
        source = """
import cuda.tile as ct

@ct.kernel
def half(y):
    block = ct.bid(0)
    if block % 2 == 0:
        ct.store(y, index=(block,), tile=ct.load(y, index=(block,), shape=(16,)) * 2.0)
"""
        judgement = tilerace.judge({"kernel": {"source": source}, "sizes": {"n": {"max": 300}}, "grid": ["cdiv(n, 16)"],
                                    "arguments": [{"name": "y", "dtype": "float32", "shape": ["n"], "output": True,
                                                   "inout": True}]})
        self.assertEqual(judgement.class_, "passed", str(judgement))

    def test_increasing(self):
        """Segments that do not overlap where their bounds are in order: a fact for the proof, and the trials."""
        source = """
import cuda.tile as ct

@ct.kernel
def fill(bounds, y):
    block = ct.bid(0)
    first = ct.load(bounds, index=(block,), shape=(1,)).item()
    end = ct.load(bounds, index=(block + 1,), shape=(1,)).item()
    for k in range(first, end):
        ct.store(y, index=(k,), tile=ct.full((1,), 1.0, ct.float32))
"""
        def judged(**more):
            return tilerace.judge({"kernel": {"source": source}, "sizes": {"n": {"max": 30}}, "grid": ["n"],
                                   "stages": ["synchronisation", "races"],
                                   "arguments": [{"name": "bounds", "dtype": "int32", "shape": ["n + 1"], "min": 0,
                                                  "max": "n", **more},
                                                 {"name": "y", "dtype": "float32", "shape": ["n"], "output": True,
                                                  "inout": True}]})
        self.assertEqual(judged(increasing=True).class_, "passed")
        self.assertIn(judged().class_, ("race", "conditional"))

    def test_tuning(self):
        body = LOAD + "ct.store(y, index=(block // (BM // 16), 0), tile=tile * s)"
        arguments = CONTEXT["arguments"][:3] + [{"name": "BM", "constant": "BM"}]
        judgement = self.judge(SCALE % body, arguments=arguments, grid=["cdiv(n, BM)"],
                               tune={"BM": [16, 24, 32]})
        classes = {values["BM"]: class_ for values, class_ in judgement.tuning}
        self.assertEqual(classes, {16: "passed", 24: "wrong-tuning-value", 32: "race"}, str(judgement))
        self.assertEqual([judgement.is_safe(BM=bm) for bm in (16, 24, 32, 64)],
                         [True, False, False, False])
        self.assertIn("BM = 32: race", judgement.feedback)

    # ---- Files ----

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            write = lambda name, text: (pathlib.Path(folder) / name).write_text(text)
            write("kernel.py", SCALE % WRONG["race"])
            write("plain.py", "def twice(x, y, s, block):\n    y[:] = x * s\n")
            context = {**CONTEXT, "kernel": {"file": "kernel.py", "name": "scale"},
                       "reference": "plain.py:twice"}
            write("context.json", json.dumps(context))
            judgement = tilerace.judge(os.path.join(folder, "context.json"))
            self.assertEqual(judgement.class_, "race", str(judgement))
            self.assertEqual(judgement.faults[0].file, "kernel.py")
            write("kernel.py", RIGHT)
            self.assertEqual(tilerace.judge(os.path.join(folder, "context.json")).score, 1)

    # ---- Candidates that misbehave ----

    def expect(self, class_, source, **more):
        judgement = self.judge(source, **more)
        self.assertEqual(judgement.class_, class_, str(judgement))
        return judgement

    def test_that_prints_an_answer(self):
        lies = 'print(\'{"modules": [], "of": []}\', flush=True)\nimport sys\nsys.stderr.write("x" * 10**6)\n'
        self.expect("race", lies + SCALE % WRONG["race"])

    def test_that_ends(self):
        for words in ("import os\nos._exit(0)", "raise SystemExit(0)", "import os\nos.abort()",
                      "x = [0] * (1 << 40)", "def f(): f()\nf()"):
            with self.subTest(words):
                judgement = self.judge(words + "\n" + RIGHT)
                self.assertIn(judgement.class_, ("does-not-compile", "limit"))

    def test_that_does_not_end(self):
        began = time.monotonic()
        self.expect("limit", "while True: pass\n" + RIGHT, limits={"seconds": 3})
        self.assertLess(time.monotonic() - began, 60)

    def test_on_a_busy_machine(self):
        """Its seconds are of the processor: what others use of it changes no class."""
        use = "import time\nuntil = time.process_time() + 1\nwhile time.process_time() < until: pass\n"
        allowed = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, allowed)
        os.sched_setaffinity(0, {min(allowed)})
        busy = [subprocess.Popen([sys.executable, "-c", "import time\nuntil = time.monotonic() + 60\n"
                                  "while time.monotonic() < until: pass"], start_new_session=True)
                for _ in range(6)]  # sessions share a processor evenly, whatever is in each
        self.addCleanup(lambda: [(each.kill(), each.wait()) for each in busy])
        began = time.monotonic()
        judgement = self.judge(use + RIGHT, trusted=True, limits={"seconds": 3})
        self.assertEqual(judgement.class_, "passed", str(judgement))
        self.assertGreater(time.monotonic() - began, 4)

    def test_small_values(self):
        """A tolerance that nobody states is of the largest value where all are far below 1."""
        right = SCALE % (LOAD + "ct.store(y, index=(block, 0), tile=(tile * %r).astype(y.dtype))")
        for dtype, factor, wrong in (("float32", 1e-5, 0.0), ("float32", 1e-3, 1.01e-3), ("float32", 2e-3, 1.99e-3),
                                     ("float16", 1e-3, 0.0), ("float64", 1e-13, 0.0)):
            arguments = [{**of, **({"dtype": dtype} if "shape" in of else {})} for of in CONTEXT["arguments"]]
            for given in (factor, wrong):
                judgement = self.judge(right % given, lambda x, *_: (factor * x).astype(dtype), arguments=arguments)
                self.assertEqual(judgement.class_, "passed" if given == factor else "wrong-result",
                                 (dtype, factor, given, str(judgement)))

    def test_wrong_at_a_number_of_the_text(self):
        wrong = LOAD + "factor = 1.0 if x.shape[0] == 777 else s\n    ct.store(y, index=(block, 0), tile=tile * factor)"
        self.assertEqual(self.judge(SCALE % wrong).class_, "wrong-result")
        self.assertEqual(self.judge(SCALE % wrong, sizes={"n": {"max": 700}}).class_, "passed")

    def test_that_leaves_processes_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "alive"
            fork = """
import os, time
try:
    child = os.fork()
except PermissionError:  # where the system lets no process be confined with others
    child = 1
if child == 0:
    time.sleep(4)
    open(%r, "w").close()
    os._exit(0)
""" % str(file)
            self.expect("passed", fork + RIGHT)
            time.sleep(4.5)
            self.assertFalse(file.exists())

    def test_failures_of_the_judge_are_no_faults_of_candidates(self):
        """What goes wrong before any code of the candidate has run makes it unknown, whatever it is."""
        broken = self.folder / "broken"
        (broken / "tilerace").mkdir(parents=True)
        (broken / "tilerace/__init__.py").write_text("raise ImportError('half an installation')\n")
        code = _judge_process._CODE
        self.addCleanup(setattr, _judge_process, "_CODE", code)
        for changed in (code.replace(repr(_judge_process._ROOT), repr(str(broken))),
                        code.replace("_judge_child.main()", "sys.modules['cuda.tile'] = None; _judge_child.main()"),
                        code.replace("_judge_child.main()", "sys.modules['numpy'] = None; _judge_child.main()"),
                        code.replace("_judge_child.main()", "import os; os.abort()"),
                        code.replace("_judge_child.main()", "import time; time.sleep(100)")):
            self.assertNotEqual(changed, code)
            _judge_process._CODE = changed
            for source in (RIGHT, SCALE % WRONG["race"]):
                with self.subTest(changed):
                    judgement = self.judge(source, limits={"seconds": 5})
                    self.assertEqual(judgement.class_, "unknown", str(judgement))
                    self.assertFalse(judgement.should_filter)
                    self.assertLess(judgement.score, 0.05)
                    self.assertIn("unknown: reads: the judge", str(judgement))

    def test_that_has_no_kernel(self):
        self.expect("does-not-compile", "x = 1\nimport cuda.tile\n")
        judgement = self.expect("does-not-compile", "import cuda.tile\nx = \n" + RIGHT)
        self.assertEqual(judgement.faults[0].line, 2)

    # ---- What is wrong is the context, or the reference ----

    def test_wrong_references(self):
        def throws(*_):
            raise ValueError("no")
        for reference, words in ((throws, "ValueError: no"), (lambda *_: np.zeros(3), "shape"),
                                 (lambda *_: (1, 2), "gives 2 outputs")):
            with self.assertRaisesRegex(tilerace.InputError, words):
                self.judge(RIGHT, reference=reference)
        with tempfile.TemporaryDirectory() as folder:
            for text, words in (("def f(*_):\n    while True: pass\n", "seconds"),
                                ("def g(): pass\n", "no function 'f'"),
                                ("import os\nos.abort()\n", "signal 6")):
                path = pathlib.Path(folder) / "r.py"
                path.write_text(text)
                with self.assertRaisesRegex(tilerace.InputError, words):
                    tilerace.judge({"kernel": {"source": RIGHT}, **CONTEXT, "reference": "%s:f" % path,
                                    "limits": {"seconds": 10}})

    def test_wrong_contexts(self):
        for change, words in (({"sizes": {"n": 3}}, "sizes.n"), ({"grid": []}, "grid"),
                              ({"grid": ["cdiv(m, 16)"]}, "not an expression over sizes"),
                              ({"arguments": [{"name": "x", "shape": [1], "dtype": "float3"}]}, "dtype"),
                              ({"arguments": [{"name": "x"}]}, "a shape, a value or a constant"),
                              ({"grids": 3}, "grids is not a key")):
            with self.assertRaisesRegex(tilerace.InputError, words, msg=change):
                self.judge(RIGHT, **change)

    def test_files_from_outside(self):
        """A context and what it names pass the same door as in the program."""
        good = json.dumps({"kernel": "k.py", **CONTEXT})
        with tempfile.TemporaryDirectory() as folder:
            path, kernel = pathlib.Path(folder) / "c.json", pathlib.Path(folder) / "k.py"
            kernel.write_text(RIGHT)
            for text, words in ((good.replace('"grid": ', '"grid": [], "grid": '), "`grid` is there twice"),
                                (good.replace('"x"', '"x", "name": "x"', 1), "`name` is there twice"),
                                (good.replace("5000", "NaN"), "NaN is not a JSON number"),
                                (good.replace("5000", "-Infinity"), "Infinity is not a JSON number"),
                                (good.replace("2.0", "1e400"), "too large"),
                                (good.replace("5000", "5" * 30), "too large"),
                                (good.replace("k.py", "k\\u0000.py"), "has a NUL"),
                                (good.replace("k.py", "k\\ud800.py"), "lone surrogate"),
                                (good + "{}", "is not JSON"), ('{"a": ' * 100000, "is not JSON"),
                                (good.replace("k.py", "/dev/zero.py"), "cannot be read"),
                                (good.replace("k.py", "p.py"), "is not a file but a folder, a device or a pipe")):
                path.write_text(text)
                os.path.exists(path.with_name("p.py")) or os.mkfifo(path.with_name("p.py"))
                with self.assertRaisesRegex(tilerace.InputError, words, msg=text[:200]):
                    tilerace.judge(path, reference=twice)
            for other in (folder, "/dev/zero", path.with_name("p.py"), path.with_name("none.json")):
                with self.assertRaisesRegex(tilerace.InputError, "is not a file|cannot be read", msg=other):
                    tilerace.judge(other)

    def test_truth(self):
        with self.assertRaises(TypeError):
            bool(self.judge(RIGHT))


if __name__ == "__main__":
    main()
