"""TILERACE=warn, error, off: what is found of launches of cuTile Python, as warnings and exceptions.

    test_warnings.py BUILD PYTHON

PYTHON has cuda-tile, numpy and pytest.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tools"))
import as_gpu  # noqa: E402

BUILD, PYTHON = (os.path.abspath(word) for word in sys.argv[1:3])
del sys.argv[1:3]
TILERACE = os.path.join(BUILD, "tilerace")
STAND_IN = os.path.join(BUILD, "capture", "stand_in")
RACING = ROOT / "tests" / "capture" / "programs" / "racing.py"
PREFIX = "tilerace: no GPU with a driver was found: programs get a stand-in driver, and kernels are not run "


def line_of(mark):
    [line] = [n for n, line in enumerate(RACING.read_text().splitlines(), 1)
              if line.endswith("# " + mark)]
    return line


TOLD = "different tile blocks write the same elements of 'x' [TR001]"
RACY = f"racing.py:{line_of('racy')}: RaceWarning: "
BROKEN = f"racing.py:{line_of('broken')}: RaceWarning: "


class Case(unittest.TestCase):
    maxDiff = None

    def run_python(self, *words, mode, status=0, under=(), cwd=None, **changes):
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "TILERACE_SOLVER")
                if name in os.environ}
        asked = {} if mode is None else {"TILERACE": mode}
        run = subprocess.run([*under, PYTHON, *words], cwd=cwd, capture_output=True, text=True,
                             check=False, timeout=120, env={**kept, **asked, **changes})
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run

    def exec(self, *words, mode, options=(), **more):
        return self.run_python(*words, mode=mode, **more,
                               under=(TILERACE, "exec", "--dry-run", "--no-recording", *options,
                                      "--"))

    def beside(self, *words, mode, **more):
        """A program that `exec` does not start: it imports tilerace."""
        return self.run_python(*words, mode=mode, PYTHONPATH=str(ROOT / "python"),
                               TILERACE_PROGRAM=TILERACE, TILERACE_DRY_RUN="1", **more)


class Under(Case):
    """Under `tilerace exec`, by programs that know nothing of it."""

    def test_warn(self):
        run = self.exec(RACING, "clean", "racy", mode="warn", status=1)
        self.assertEqual(run.stdout, "after clean\nafter racy\n")
        self.assertIn(RACY, run.stderr)
        self.assertIn(f"racing.py:{line_of('store')}:5: error: " + TOLD, run.stderr)
        self.assertIn("tile block (1, 0, 0) stores x[0]", run.stderr)
        self.assertEqual(run.stderr.count(TOLD), 1, "it is told once, by Python")
        self.assertIn("1 held, 1 raced\ntilerace: exit code 1 is the checker's", run.stderr)

    def test_clean(self):
        for mode in "warn", "error", "off", None:
            run = self.exec(RACING, "clean", "promised", mode=mode)
            self.assertEqual(run.stdout, "after clean\nafter promised\n")
            self.assertNotIn("Warning", run.stderr)

    def test_error(self):
        run = self.exec(RACING, "clean", "caught", "racy", mode="error", status=1)
        self.assertIn("after clean\ncaught RuntimeError", run.stdout)
        self.assertIn(TOLD + "\nafter caught\n", run.stdout)
        self.assertIn("tilerace.RaceError: ", run.stderr)
        self.assertIn("exit code 1 is the program's own", run.stderr)

    def test_a_refused_launch_does_not_happen(self):
        words = RACING, "caught", "written", "clean", "written"
        run = self.exec(*words, mode="error", options=("--interpret",), status=1)
        self.assertIn("after caught\nwritten 0\n", run.stdout)
        self.assertIn("after clean\nwritten 64\n", run.stdout)
        run = self.exec(RACING, "racy", "written", mode="warn", options=("--interpret",), status=1)
        self.assertIn("after racy\nwritten 128\n", run.stdout)

    def test_a_launch_that_is_not_checked(self):
        """The process that checks its module has died."""
        told = "the launch of 'half"
        run = self.exec(RACING, "clean", "killing", "again", mode="warn", status=2)
        self.assertIn(f"racing.py:{line_of('again')}: RuntimeWarning: {RACING}:{line_of('again')}: "
                      "error: " + told, run.stderr)
        self.assertIn("is not checked: its process died", run.stderr)
        run = self.exec(RACING, "clean", "killing", "again", mode="error", status=1)
        self.assertIn(f"RuntimeError: {RACING}:{line_of('again')}: error: " + told, run.stderr)
        self.assertNotIn("after again", run.stdout)

    def test_off(self):
        for mode in "off", None, "":
            run = self.exec(RACING, "racy", "patched", mode=mode, status=1)
            self.assertNotIn("RaceWarning", run.stderr)
            self.assertIn(TOLD, run.stderr)

    def test_contents(self):
        run = self.exec(RACING, "promised", "broken", mode="warn", status=1)
        self.assertIn(BROKEN, run.stderr)
        self.assertEqual(run.stderr.count("RaceWarning"), 1)

    def test_equal_launches_are_told_each_time(self):
        run = self.exec(RACING, "always", "racy", "racy", "racy", "racy", "racy", "broken",
                        "promised", "broken", "broken", mode="warn", status=1)
        self.assertEqual((run.stderr.count(RACY), run.stderr.count(BROKEN)), (5, 3))
        run = self.exec(RACING, "caught", "caught", "caught", "caught", "caught", mode="error",
                        status=1)
        self.assertEqual(run.stdout.count("\ncaught") + 1, 5)

    def test_filters(self):
        run = self.exec(RACING, "ignoring", "racy", mode="warn", status=1)
        self.assertNotIn(TOLD, run.stderr)
        self.assertIn("1 raced", run.stderr, "the checker's own summary knows of it")
        run = self.exec(RACING, "raising", "racy", mode="warn", status=1)
        self.assertEqual(run.stdout, "after raising\n")
        self.assertIn("tilerace.RaceWarning: ", run.stderr)
        run = self.exec("-W", "error::tilerace.RaceWarning", RACING, "racy", mode="warn", status=1)
        self.assertEqual(run.stdout, "")
        self.assertIn("tilerace.RaceWarning: ", run.stderr)

    def test_threads(self):
        run = self.exec(RACING, "threads", mode="error", status=1)
        self.assertIn("[((1, 'RaceError'), 20), ((3, 'RaceError'), 20)]", run.stdout)

    def test_nonsense(self):
        run = self.exec(RACING, "racy", mode="wran", status=2)
        self.assertEqual((run.stdout, run.stderr), (
            "", "tilerace: error: TILERACE is warn, error, strict, interpret or off, not 'wran'\n"))

    def test_import_changes_nothing(self):
        for mode in "warn", "off":
            run = self.exec(RACING, "early", "racy", mode=mode, status=1)
            self.assertEqual(run.stderr.count(TOLD), 1)

    def test_path_taken_away(self):
        """The classes are found in a program that has cleared its path."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "racing.py"
            program.write_text("import sys\nsys.path = [p for p in sys.path if 'python3' in p]\n" +
                               RACING.read_text())
            run = self.exec(program, "racy", mode="warn", status=1)
        self.assertIn("RaceWarning", run.stderr)


class Beside(Case):
    """After `import tilerace`, in a program that was started as always."""

    def test_warn(self):
        for when in "early", "late":
            run = self.beside(RACING, when, "clean", "promised", "racy", "broken", mode="warn")
            self.assertEqual(run.stdout.split(), "after clean after promised after racy after "
                             "broken".split())
            self.assertIn(RACY, run.stderr)
            self.assertIn(BROKEN, run.stderr)
            self.assertEqual(run.stderr.count("RaceWarning"), 2)
            self.assertNotIn("tilerace:", run.stderr)

    def test_clean_says_nothing(self):
        for mode in "warn", "error":
            run = self.beside(RACING, "early", "clean", "promised", mode=mode)
            self.assertEqual(run.stderr, "")

    def test_error(self):
        for mode in "error", "strict":
            run = self.beside(RACING, "late", "clean", "caught", "racy", mode=mode, status=1)
            self.assertIn("after clean\ncaught RuntimeError", run.stdout)
            self.assertIn("tilerace.RaceError: ", run.stderr)

    def test_nothing_is_patched_unless_asked_for(self):
        for mode in "off", "", None:
            for when in "early", "late":
                run = self.beside(RACING, when, "patched", mode=mode)
                self.assertEqual(run.stdout.splitlines()[0],
                                 "patched builtin_function_or_method builtin_function_or_method "
                                 "[] []")
        run = self.beside(RACING, "late", "patched", mode="warn")
        self.assertEqual(run.stdout.splitlines()[0],
                         "patched Launcher Launcher [] ['Finder']")

    def test_threads(self):
        run = self.beside(RACING, "early", "threads", mode="error")
        self.assertIn("[((1, 'RaceError'), 20), ((3, 'RaceError'), 20)]", run.stdout)

    def test_fork(self):
        run = self.beside(RACING, "early", "clean", "forked", mode="warn")
        self.assertEqual(run.stderr.count(RACY), 1)

    def test_filters(self):
        run = self.beside(RACING, "early", "ignoring", "racy", mode="warn")
        self.assertEqual(run.stderr, "")
        run = self.beside(RACING, "early", "raising", "racy", mode="warn", status=1)
        self.assertIn("tilerace.RaceWarning: ", run.stderr)

    def test_pytest(self):
        test = textwrap.dedent(f"""
            import runpy, sys
            import pytest
            import tilerace

            @pytest.fixture
            def racing(monkeypatch):
                monkeypatch.setattr(sys, "argv", ["racing.py"])
                return runpy.run_path({str(RACING)!r})

            def test_clean(racing):
                racing["clean"]()

            def test_racy(racing):
                racing["racy"]()

            def test_known(racing):
                with pytest.warns(tilerace.RaceWarning, match="TR001"):
                    racing["racy"]()

            def test_recorded(racing, recwarn):
                racing["racy"]()
                assert issubclass(recwarn.pop(UserWarning).category, tilerace.RaceWarning)

            @pytest.mark.filterwarnings("ignore::tilerace.RaceWarning")
            def test_ignored(racing):
                racing["racy"]()
        """)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_it.py").write_text(test)
            run = self.beside("-m", "pytest", "-q", "-p", "no:cacheprovider", mode="warn", cwd=folder)
            self.assertIn("5 passed, 1 warning", run.stdout)
            self.assertIn("RaceWarning: ", run.stdout)
            run = self.beside("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W",
                              "error::tilerace.RaceWarning", mode="warn", cwd=folder, status=1)
            self.assertIn("FAILED test_it.py::test_racy", run.stdout)
            self.assertIn("1 failed, 4 passed", run.stdout)

    def test_nonsense(self):
        run = self.beside(RACING, "early", mode="wran", status=1)
        self.assertIn("ValueError: TILERACE is warn, error, strict, interpret or off, not 'wran'", run.stderr)

    def test_no_program(self):
        run = self.run_python("-c", "import tilerace", mode="warn", status=1, PATH="",
                              PYTHONPATH=str(ROOT / "python"))
        self.assertIn("FileNotFoundError: the program tilerace is not there", run.stderr)
        run = self.run_python("-c", "import tilerace", mode="warn", status=1,
                              PYTHONPATH=str(ROOT / "python"), TILERACE_PROGRAM="/bin/true")
        self.assertIn("RuntimeError: the checker could not be started", run.stderr)

    def test_without_gpu(self):
        """As under `exec`, it is said."""
        run = self.run_python(RACING, "early", "racy", mode="warn", TILERACE_PROGRAM=TILERACE,
                              PYTHONPATH=str(ROOT / "python"))
        if PREFIX not in run.stderr:
            self.skipTest("there is a GPU")
        self.assertIn(RACY, run.stderr)

    def test_too_late(self):
        text = "import cuda.tile, cuda.tile._load_libcuda\nimport tilerace\nprint('imported')\n"
        run = self.beside("-c", text, mode="warn", LD_LIBRARY_PATH=STAND_IN)
        self.assertIn("<string>:2: RuntimeWarning: cuTile Python has opened the driver already",
                      run.stderr)
        self.assertIn("imported", run.stdout)
        run = self.beside("-c", text, mode="error", LD_LIBRARY_PATH=STAND_IN, status=1)
        self.assertIn("RuntimeError: cuTile Python has opened the driver already", run.stderr)

    def test_checker_dies(self):
        run = self.beside(RACING, "early", "clean", "killed", "racy", "racy", mode="warn")
        self.assertEqual(run.stderr.count("RuntimeWarning: this launch was not looked at: the "
                                          "checker has stopped"), 1)
        self.assertIn("after racy\nafter racy\n", run.stdout)
        run = self.beside(RACING, "early", "clean", "killed", "racy", mode="error", status=1)
        self.assertIn("RuntimeError: this launch was not looked at", run.stderr)
        self.assertEqual(run.stdout, "after clean\nafter killed\n")

    # ---- On a driver that is not ours ----

    DEVICE = as_gpu.ON_DEVICE + """
launch_it, host = launch, x
launch = lambda stream, grid, kernel, a: launch_it(stream, grid, kernel, (OnDevice(host), a[1]))
"""

    def test_real_driver(self):
        """Through the library that `exec` preloads, which is loaded late. The stand-in driver plays
        the real one, and an assembler of ours NVIDIA's."""
        before, after = RACING.read_text().split("\nfor word in")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "racing.py").write_text(
                before + self.DEVICE + "\nfor word in" + after)
            machine = as_gpu.environment(folder, PYTHON, TILERACE, STAND_IN)
            for when in "early", "late":
                for mode, said, status in (("warn", "RaceWarning: ", 0), ("error", "RaceError: ", 1),
                                           ("off", None, 0)):
                    run = self.run_python("racing.py", when, "clean", "racy", mode=mode, cwd=folder,
                                          status=status, TILERACE_PROGRAM=TILERACE,
                                          PYTHONPATH=str(ROOT / "python"), **machine)
                    self.assertIn("after clean", run.stdout)
                    self.assertEqual("after racy" in run.stdout, mode != "error")
                    if said:
                        self.assertIn(said, run.stderr)
                        self.assertIn(TOLD, run.stderr)
                    else:
                        self.assertNotIn("Race", run.stderr)


if __name__ == "__main__":
    unittest.main()
