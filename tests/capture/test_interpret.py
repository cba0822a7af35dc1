"""tilerace.interpret() and TILERACE=interpret: launches of cuTile Python on the interpreter, and what is
said of them.

    test_interpret.py BUILD PYTHON

PYTHON has cuda-tile and numpy.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, PYTHON = (os.path.abspath(word) for word in sys.argv[1:3])
del sys.argv[1:3]
TILERACE = os.path.join(BUILD, "tilerace")

HEAD = """
import sys, threading
import cuda.tile as ct
import numpy as np
import tilerace

@ct.kernel
def add(a, b, c):
    i = ct.bid(0)
    x = ct.load(a, index=(i,), shape=(64,))  # load
    ct.store(c, index=(i,), tile=x + ct.load(b, index=(i,), shape=(64,)))  # store

@ct.kernel
def racy(x):
    ct.store(x, index=(ct.bid(0) // 2,), tile=ct.full((16,), 1 + ct.bid(0), ct.float32))

@ct.kernel
def totals(m, out):
    ct.store(out, index=(ct.bid(0),),
             tile=ct.sum(ct.load(m, index=(ct.bid(0), 0), shape=(1, 64)), 1))

@ct.kernel
def spin(flag):
    while ct.atomic_add(flag, (0,), 0) == 0:
        pass

@ct.kernel
def row_by_table(index, y):
    i = ct.bid(0)
    row = ct.load(index, index=(i // 2,), shape=(1,)).item()
    ct.store(y, index=(row,), tile=ct.full((16,), i, ct.int32))

def expect(error, launch, *words):
    try:
        launch()
    except Exception as raised:
        text = "%s: %s" % (type(raised).__name__, raised)
        assert isinstance(raised, error), text
        for word in words:
            assert word in text, (word, text)
        return text
    raise AssertionError("nothing was raised")

a, b = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
c = np.zeros(100, np.float32)

def launch_add(a=a, b=b, c=c, blocks=2):
    ct.launch(None, (blocks,), add, (a, b, c))
"""


def line_of(mark):
    [line] = [n for n, line in enumerate(HEAD.splitlines(), 1) if line.endswith("# " + mark)]
    return line


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def run_text(self, text, status=0, under=(), head=HEAD, **changes):
        script = self.folder / "program.py"
        script.write_text(head + textwrap.dedent(text))
        kept = {name: os.environ[name]
                for name in ("PATH", "HOME", "TMPDIR", "TILERACE_SOLVER", "LD_PRELOAD", "ASAN_OPTIONS")
                if name in os.environ}
        run = subprocess.run([*under, PYTHON, str(script)], cwd=self.folder, capture_output=True,
                             text=True, check=False, timeout=120,
                             env={**kept, "PYTHONPATH": str(ROOT / "python"),
                                  "TILERACE_PROGRAM": TILERACE, **changes})
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run


class Printing(Case):
    HEAD = HEAD + """
@ct.kernel
def shows(x, m):
    i = ct.bid(0)
    ct.printf("%d of %d: %5.1f|%-4d|%x 100%%\\n", i, ct.num_blocks(0), ct.load(x, (i,), (4,)), i, 255 - i)
    ct.print(ct.load(m, (0, 0), (2, 2)))

@ct.kernel
def reaches_out(x):
    ct.printf("%g\\n", ct.load(x, (0,), (4,)))
"""

    def test_tiles(self):
        """An equal launch prints again, though it changes nothing."""
        run = self.run_text("""
            with tilerace.interpret():
                for _ in 1, 2:
                    ct.launch(None, (2,), shows, (np.arange(8, dtype=np.float32) / 2,
                                                  np.arange(4, dtype=np.int32).reshape(2, 2) - 1))
        """, head=self.HEAD)
        once = ("0 of 2: [  0.0,   0.5,   1.0,   1.5]|0   |ff 100%\n[[-1, 0], [1, 2]]\n"
                "1 of 2: [  2.0,   2.5,   3.0,   3.5]|1   |fe 100%\n[[-1, 0], [1, 2]]\n")
        self.assertEqual(run.stdout, once * 2)

    def test_what_is_not_defined(self):
        run = self.run_text("""
            with tilerace.interpret():
                ct.launch(None, (1,), reaches_out, (np.ones(3, dtype=np.float32),))
        """, head=self.HEAD)
        self.assertEqual(run.stdout, "[1, 1, 1, ?]\n")

    def test_a_launch_that_does_not_happen(self):
        run = self.run_text("""
            @ct.kernel
            def races(x):
                ct.printf("no\\n")
                ct.store(x, index=(0,), tile=ct.full((16,), ct.bid(0), ct.float32))
            with tilerace.interpret():
                expect(tilerace.RaceError, lambda: ct.launch(None, (4,), races, (a,)), "TR001")
        """)
        self.assertEqual(run.stdout, "")


class Results(Case):
    def test_in_the_arrays(self):
        run = self.run_text("""
            with tilerace.interpret():
                launch_add()
                assert (c == a + b).all()
                wide = np.zeros(200, np.float32)
                launch_add(c=wide[::2])
                assert (wide[::2] == a + b).all() and not wide[1::2].any()

            @tilerace.interpret()
            def decorated():
                launch_add(b=2 * b)
            decorated()
            assert (c == a + 2 * b).all()
        """)
        self.assertEqual((run.stdout, run.stderr), ("", ""))

    def test_products(self):
        self.run_text("""
            @ct.kernel
            def matmul(a, b, c, t: ct.Constant[int]):
                i, j = ct.bid(0), ct.bid(1)
                zero = ct.PaddingMode.ZERO
                acc = ct.zeros((t, t), ct.float32)
                for k in range(ct.num_tiles(a, axis=1, shape=(t, t))):
                    x = ct.load(a, index=(i, k), shape=(t, t), padding_mode=zero)
                    y = ct.load(b, index=(k, j), shape=(t, t), padding_mode=zero)
                    acc = ct.mma(x, y, acc)
                ct.store(c, index=(i, j), tile=acc.astype(c.dtype))

            rng = np.random.default_rng(1)
            for kind, within in (np.float32, 1e-5), (np.float16, 2e-3):
                x, y = rng.random((100, 70)).astype(kind), rng.random((70, 90)).astype(kind)
                z = np.zeros((100, 90), kind)
                with tilerace.interpret(written_wholly=True):
                    ct.launch(None, (4, 3), matmul, (x, y, z, 32))
                np.testing.assert_allclose(z, x.astype(np.float64) @ y, rtol=within)
        """)

    def test_under_exec_and_after_import(self):
        text = """
            launch_add()
            assert (c == a + b).all()
            expect(RuntimeError, lambda: ct.launch(None, (4,), racy, (c,)), "RaceError: ", "[TR001]")
            assert (c == a + b).all()
            with tilerace.interpret(findings="warn"):
                launch_add(a=b)
            assert (c == 2 * b).all()
        """
        self.run_text(text, TILERACE="interpret")
        run = self.run_text(text, status=1, under=(TILERACE, "exec", "--no-recording", "--"),
                            TILERACE="interpret")
        self.assertIn("launches: 2 interpreted, 0 not interpreted", run.stderr)

    def test_largest_of_nans(self):
        """As on a GPU: a NaN gives way to a number, and not to the fold's identity."""
        self.run_text("""
            @ct.kernel
            def largest(x, y):
                ct.store(y, index=(0,), tile=ct.max(ct.load(x, index=(0, 0), shape=(2, 4)), 1))

            for kind in np.float32, np.float16:
                x, y = np.full((2, 4), np.nan, kind), np.zeros(2, kind)
                x[1, 2] = -3
                with tilerace.interpret():
                    ct.launch(None, (1,), largest, (x, y))
                assert np.isnan(y[0]) and y[1] == -3, y
        """)

    def test_threads(self):
        self.run_text("""
            def work(c):
                for _ in range(5):
                    c[:] = 0
                    launch_add(c=c)
                    assert (c == a + b).all()
                done.append(1)
            done = []
            with tilerace.interpret():
                threads = [threading.Thread(target=work, args=(np.zeros_like(a),)) for _ in range(4)]
                [t.start() for t in threads]
                [t.join() for t in threads]
            assert len(done) == 4
        """)


class Findings(Case):
    def test_race(self):
        """The launch does not happen, or is a warning and happens."""
        run = self.run_text("""
            with tilerace.interpret():
                expect(tilerace.RaceError, lambda: ct.launch(None, (4,), racy, (c,)), "[TR001]",
                       "x[0]")
                assert not c.any()
            with tilerace.interpret(findings="warn"):
                ct.launch(None, (4,), racy, (c,))
                assert c[:32].all()
        """)
        self.assertIn("RaceWarning: ", run.stderr)

    def test_race_of_the_run(self):
        """What no proof says, and the run does: rows that come from floats."""
        self.run_text("""
            @ct.kernel
            def row_by_float(index, y):
                i = ct.bid(0)
                row = ct.load(index, index=(i,), shape=(1,)).astype(ct.int32).item()
                ct.store(y, index=(row,), tile=ct.full((16,), 1 + i, ct.int32))

            y, index = np.zeros(64, np.int32), np.arange(4, dtype=np.float32)
            with tilerace.interpret():
                ct.launch(None, (4,), row_by_float, (index, y))
                assert (y[::16] == [1, 2, 3, 4]).all()
                y[:], index[3] = 0, 1
                expect(tilerace.RaceError,
                       lambda: ct.launch(None, (4,), row_by_float, (index, y)), "[TR001]",
                       "(1, 0, 0) stores y[16]", "(3, 0, 0) stores y[16]", "in this run")
                assert not y.any()
                index[3] = 4
                expect(tilerace.RaceError,
                       lambda: ct.launch(None, (4,), row_by_float, (index, y)), "[TR007]")
        """)
        self.run_text("""
            y, index = np.zeros(64, np.int32), np.arange(4, dtype=np.int32)
            with tilerace.interpret():
                expect(tilerace.RaceError,
                       lambda: ct.launch(None, (4,), row_by_table, (index, y)), "[TR001]")
            assert not y.any()
        """)

    def test_bounds(self):
        self.run_text("""
            with tilerace.interpret():
                expect(tilerace.RaceError, lambda: launch_add(blocks=3), "[TR007]")
            assert not c.any()
        """)

    def test_padding_without_a_value(self):
        """It may be loaded, and not be stored."""
        self.run_text("""
            m, out = np.ones((3, 50), np.float32), np.zeros(3, np.float32)
            with tilerace.interpret():
                launch_add()
                expect(tilerace.RaceError, lambda: ct.launch(None, (3,), totals, (m, out)),
                       "3 elements of 'out' get a value that is not defined", "out[0]",
                       "no padding mode gives the elements a value")
                assert not out.any()
                m = np.ones((3, 64), np.float32)
                ct.launch(None, (3,), totals, (m, out))
            assert (out == 64).all()
            with tilerace.interpret(findings="warn"):
                ct.launch(None, (3,), totals, (m[:, :50], out))
            assert np.isnan(out).all()
        """)

    def test_masked_lanes(self):
        """The front end gives them a padding value."""
        self.run_text("""
            @ct.kernel
            def take(x, y, n: ct.Constant[int]):
                i = ct.arange(64, dtype=ct.int32)
                ct.scatter(y, (i,), ct.gather(x, (i,), mask=i < n, padding_value=0))

            x, y = np.ones(64, np.float32), np.full(64, 7, np.float32)
            with tilerace.interpret():
                ct.launch(None, (1,), take, (x, y, 40))
            assert (y[:40] == 1).all() and not y[40:].any()
        """)

    def test_memory_that_nothing_wrote(self):
        """By the host or by a kernel; by the host to the last element."""
        self.run_text("""
            with tilerace.interpret():
                x = tilerace.empty(100, np.float32)
                expect(tilerace.RaceError, lambda: launch_add(a=x), "100 elements of 'c'",
                       "memory that nothing has written: a[0]")
                x[:99] = 1
                expect(tilerace.RaceError, lambda: launch_add(a=x), "1 element of 'c'", "c[99]",
                       "written: a[99]")
                assert not c.any()
                x[99] = 1
                launch_add(a=x)
                y = tilerace.empty(100, np.float32)
                launch_add(c=y, blocks=1)
                expect(tilerace.RaceError, lambda: launch_add(a=y), "36 elements of 'c'", "c[64]")
                launch_add(c=y)
                launch_add(a=y)
                assert (c == a + 2 * b).all()
                launch_add(a=np.empty(100, np.float32))  # the host says that it is written
                for kind in np.int8, np.float16, np.int64:
                    z = tilerace.empty(37, kind)
                    z[...] = 3
                    assert (z == 3).all()
            del x, y, z
        """)

    def test_an_address_that_is_not_defined(self):
        self.run_text("""
            with tilerace.interpret():
                y = np.zeros(64, np.int32)
                expect(tilerace.RaceError,
                       lambda: ct.launch(None, (2,), row_by_table,
                                         (tilerace.empty(4, np.int32), y)),
                       "not defined", "memory that nothing has written: index[0]")
        """)

    def test_elements_that_no_block_wrote(self):
        self.run_text("""
            with tilerace.interpret():
                launch_add(blocks=1)
            with tilerace.interpret(written_wholly=True):
                launch_add()
                expect(tilerace.RaceError, lambda: launch_add(blocks=1),
                       "36 of 100 elements of 'c' are stored by no tile block [TR012]", "c[64]")
        """)


class BadInput(Case):
    def test_arrays(self):
        """None of these passes in silence, and none changes anything."""
        self.run_text("""
            class Elsewhere:
                def __dlpack_device__(self):
                    return 2, 0
                def __dlpack__(self, **_):
                    raise AssertionError("not asked for")

            with tilerace.interpret():
                for bad, words in ((np.array([None] * 100), "type object"),
                                   (np.array(["a"] * 100), "type <U1"),
                                   (a.astype(">f4"), "byte order"),
                                   (Elsewhere(), "another device")):
                    expect(TypeError, lambda: launch_add(a=bad), words)
                expect(Exception, lambda: launch_add(a=a[::-1]))
                expect(Exception, lambda: launch_add(a="text"))
                c.flags.writeable = False
                expect(tilerace.InterpretError, launch_add, "read-only")
                assert not c.any()
                c.flags.writeable = True
                a.flags.writeable = False
                launch_add()  # it is only read
        """)

    def test_not_executed(self):
        """A launch without its results is an exception, in both modes."""
        for findings in "error", "warn":
            run = self.run_text("""
                with tilerace.interpret(findings="%s"):
                    expect(tilerace.InterpretError,
                           lambda: ct.launch(None, (1,), spin, (np.zeros(1, np.int32),)),
                           "'spin' is not executed", "waits for memory")
            """ % findings)
            self.assertIn("1 not interpreted", run.stderr)

    def test_outside_of_the_block(self):
        """It would not run, which is said; nothing is left over after an exception inside."""
        self.run_text("""
            class Mine(Exception):
                pass
            try:
                with tilerace.interpret():
                    with tilerace.interpret(findings="warn"):
                        pass
                    expect(tilerace.RaceError, lambda: ct.launch(None, (4,), racy, (c,)))
                    raise Mine
            except Mine:
                pass
            expect(RuntimeError, launch_add, "outside of `with tilerace.interpret():`")
            with tilerace.interpret():
                launch_add()
            expect(ValueError, lambda: tilerace.interpret(findings="loud"), "error or warn")
        """)

    def test_a_driver_that_is_open(self):
        """A front end opens one driver, once."""
        self.run_text("""
            import ctypes, types
            sys.modules["cuda.tile._load_libcuda"] = types.ModuleType("cuda.tile._load_libcuda")
            expect(RuntimeError, lambda: tilerace.interpret().__enter__(), "opened the driver")
            expect(RuntimeError, lambda: tilerace.interpret().__enter__(), "could not begin")
        """)

    def test_another_checker(self):
        text = 'expect(RuntimeError, lambda: tilerace.interpret().__enter__(), "%s")\n'
        self.run_text(text % "beside a checker that TILERACE has started", TILERACE="warn",
                      TILERACE_DRY_RUN="1")
        self.run_text(text % "without --interpret is",
                      under=(TILERACE, "exec", "--dry-run", "--no-recording", "--"))

    def test_no_checker(self):
        run = self.run_text("""
            import os, signal
            from tilerace import _beside
            with tilerace.interpret():
                launch_add()
                os.kill(_beside._checker.pid, signal.SIGKILL)
                _beside._checker.wait()
                expect(RuntimeError, lambda: launch_add(a=b), "")
        """)
        self.assertNotIn("Traceback", run.stderr)


if __name__ == "__main__":
    unittest.main()
