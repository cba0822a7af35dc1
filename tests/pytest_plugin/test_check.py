"""pytest --tilerace=check: what launches do to the outcome of a test.

    test_check.py BUILD PYTHON [Class.test]
"""
import subprocess

from common import KERNELS, TILERACE, TOLD, Case, main


class Outcome(Case):
    def test_racy_and_clean(self):
        self.write("test_a.py", """
def test_clean():
    launch(clean)
def test_racy():
    launch(racy)
def test_without_launches():
    pass
""")
        ran = self.counts(self.pytest(status=1), passed=2, failed=1)
        self.assertIn("____ test_racy ____", ran.out)
        self.assertIn("FAILED test_a.py::test_racy - Failed: " + TOLD, self.pytest("-v", COLUMNS="200").out)
        self.assertIn(TOLD + ": the index does not depend on tile_bid(0) [TR001]\n", ran.out)
        self.assertIn("tile block (1, 0, 0) stores x[0]", ran.out, "the witness")
        line = KERNELS.split("ct.launch(")[0].count("\n") + 1
        self.assertIn("\nkernels.py:%d: note: launched here with grid (4, 1, 1)\n" % line, ran.out)
        self.assertIn("""
2 kernels seen, 2 launched, 0 launched but never seen: 1 proved, 0 conditional, 1 racy, 0 unknown
different launches: 1 held, 1 raced, 0 broke, 0 not checked
""", ran.section)

    def test_nothing_without_the_option(self):
        self.write("test_a.py", """
import sys
def test_nothing():
    assert not any(name.partition(".")[0] in ("tilerace", "tilerace_capture") for name in sys.modules)
    assert type(ct.launch).__name__ == "builtin_function_or_method"
@pytest.mark.tilerace(allow="TR001")
def test_marked():
    pass
""")
        ran = self.counts(self.pytest("--strict-markers", mode=None, status=0), passed=2)
        self.assertNotIn("= tilerace =", ran.out)

    def test_nothing_seen(self):
        self.write("test_a.py", "def test_a():\n    pass\n")
        for mode in "check", "interpret", "record":
            for workers in (), ("-n", "2"):
                ran = self.counts(self.pytest(*workers, mode=mode, status=0), passed=1)
                self.assertRegex(ran.section, "^=+\nnothing was seen: no tile kernel was compiled "
                                 "or launched\n=")

    def test_a_test_that_fails_by_itself(self):
        self.write("test_a.py", """
def test_wrong():
    launch(racy)
    assert 1 == 2
def test_wrong_and_clean():
    launch(clean)
    assert 1 == 3
""")
        ran = self.counts(self.pytest(status=1), failed=2)
        self.assertIn("assert 1 == 2\n", ran.out)
        self.assertIn("- Captured tilerace call -", ran.out)
        self.assertEqual(ran.out.count(TOLD), 1)

    def test_conditional_and_broken(self):
        """What a kernel asks of its launches fails only the test whose launch breaks it."""
        self.write("test_a.py", """
def rows(of):
    return np.arange(64, dtype=np.int32) % of
def test_conditional():
    launch(scatter, rows(64))
def test_broken():
    launch(scatter, rows(20))
""")
        ran = self.counts(self.pytest(status=1), passed=1, failed=1)
        self.assertIn("____ test_broken ____", ran.out)
        self.assertRegex(ran.section, "0 proved, (1 conditional, 0|0 conditional, 1) racy, 0 unknown")
        self.assertRegex(ran.section, "1 held, (1 raced, 0|0 raced, 1) broke, 0 not checked")
        ran = self.counts(self.pytest("-k", "conditional", status=0), passed=1, deselected=1)
        self.assertIn("0 proved, 1 conditional, 0 racy", ran.section)

    def test_equal_launches(self):
        """An equal launch, which the checker is asked of once, fails each test that makes it."""
        self.write("test_a.py", """
x = np.zeros(64, np.float32)
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("kernel", [clean, racy])
def test_many(kernel, times):
    for _ in range(times):
        ct.launch(0, (4,), kernel, (x,))
""")
        ran = self.counts(self.pytest("-v", status=1), passed=2, failed=2)
        for test in "test_many[kernel1-1] FAILED", "test_many[kernel1-3] FAILED":
            self.assertIn(test, ran.out)
        self.assertEqual(ran.out.count("(3 launches)"), 1)

    def test_skipped_and_expected(self):
        """A skip does not hide a race; a test that is expected to fail may fail by it."""
        self.write("test_a.py", """
def test_skip():
    launch(racy)
    pytest.skip("late")
def test_clean_skip():
    launch(clean)
    pytest.skip("late")
@pytest.mark.xfail(strict=True)
def test_xfail():
    launch(racy)
@pytest.mark.xfail(strict=True)
def test_xpass():
    launch(clean)
""")
        ran = self.counts(self.pytest("-v", status=1), failed=2, skipped=1, xfailed=1)
        self.assertIn("test_skip FAILED", ran.out)
        self.assertIn("test_xpass FAILED", ran.out)

    def test_unittest_and_threads(self):
        self.write("test_a.py", """
import threading, unittest
class Cases(unittest.TestCase):
    def test_racy(self):
        launch(racy)
    def test_clean(self):
        launch(clean)
@pytest.mark.parametrize("kernel", [clean, racy])
def test_threads(kernel):
    threads = [threading.Thread(target=launch, args=(kernel,)) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
""")
        ran = self.counts(self.pytest("-v", status=1), failed=2, passed=2)
        self.assertIn("Cases::test_racy FAILED", ran.out)
        self.assertIn("test_threads[kernel1] FAILED", ran.out)

    def test_another_folder(self):
        """Files are named from where the session was started."""
        self.write("test_a.py", """
def test_racy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    launch(racy)
""")
        self.assertIn("\n" + TOLD, self.counts(self.pytest(status=1), failed=1).out)

    def test_warnings_stay(self):
        """Findings are no warnings: what a test does with these makes no difference."""
        self.write("test_a.py", """
import warnings
def test_recwarn(recwarn):
    launch(racy)
    assert len(recwarn) == 0
def test_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        launch(racy)
def test_raises():
    with pytest.raises(ZeroDivisionError):
        launch(racy)
        1 / 0
def test_own(recwarn):
    launch(clean)
    warnings.warn("mine")
    assert [str(w.message) for w in recwarn] == ["mine"]
""")
        ran = self.counts(self.pytest("-W", "error", status=1), failed=3, passed=1)
        self.assertEqual(ran.out.count("1, 0, 0) stores x[0]"), 3)


class Elsewhere(Case):
    """Launches in fixtures, at import, between tests and in other processes."""

    def test_fixtures(self):
        self.write("test_a.py", """
@pytest.fixture(scope="module", params=[clean, racy, clean])
def made(request):
    return launch(request.param)
@pytest.fixture
def undone():
    yield
    launch(racy)
def test_one(made):
    pass
def test_two(made):
    pass
def test_after(undone):
    pass
def test_late(request):
    request.getfixturevalue("made_late")
def test_other():
    pass
@pytest.fixture(scope="session")
def made_late():
    return launch(racy)
def test_later(made_late):
    pass
""")
        ran = self.counts(self.pytest("-v", status=1), passed=6, failed=1, error=4)
        for test in ("test_one[made1] ERROR", "test_two[made1] ERROR", "test_after ERROR",
                     "test_late FAILED", "test_later ERROR", "test_one[made0] PASSED", "test_two[made2] PASSED",
                     "test_other PASSED"):
            self.assertIn(test, ran.out)
        self.assertIn("ERROR at teardown of test_after", ran.out)
        self.assertIn("ERROR at setup of test_two[made1]", ran.out)

    def test_import(self):
        self.write("test_a.py", "launch(racy)\ndef test_one():\n    pass\n")
        self.write("test_b.py", "launch(clean)\ndef test_two():\n    pass\n")
        ran = self.counts(self.pytest(status=2), error=1)
        self.assertIn("ERROR collecting test_a.py", ran.out)
        self.assertIn(TOLD, ran.out)
        self.counts(self.pytest("--continue-on-collection-errors", status=1), passed=1, error=1)
        self.counts(self.pytest("test_b.py", status=0), passed=1)

    def test_conftest(self):
        self.write("test_a.py", "def test_one():\n    pass\n")
        for kernel, status in ("racy", 1), ("clean", 0):
            self.write("conftest.py", "from kernels import *\nlaunch(%s)\n" % kernel)
            ran = self.counts(self.pytest(status=status), passed=1)
            self.assertEqual(TOLD in ran.section, status == 1)
            self.assertEqual("error: launches that no test makes" in ran.section, status == 1)

    def test_processes(self):
        self.write("program.py", "import sys, kernels\nkernels.launch(getattr(kernels, sys.argv[1]))\n")
        self.write("test_a.py", """
import multiprocessing, os, subprocess, sys
@pytest.mark.parametrize("kernel", ["clean", "racy"])
def test_subprocess(kernel):
    subprocess.run([sys.executable, "program.py", kernel], check=True)
@pytest.mark.parametrize("how", ["spawn", "fork", "forkserver"])
@pytest.mark.parametrize("kernel", ["clean", "racy"])
def test_multiprocessing(kernel, how):
    process = multiprocessing.get_context(how).Process(target=at_work, args=(kernel,))
    process.start()
    process.join()
    assert process.exitcode == 0
def at_work(kernel):
    launch(globals()[kernel])
""")
        ran = self.counts(self.pytest("-v", status=1), passed=4, failed=4)
        for how in "spawn", "fork", "forkserver":
            self.assertIn("test_multiprocessing[racy-%s] FAILED" % how, ran.out)
        self.assertIn("test_subprocess[racy] FAILED", ran.out)
        self.assertEqual(ran.out.count("(launched by process "), 4)

    def test_left_behind(self):
        """A thread launches after its test has ended."""
        self.write("test_a.py", """
import threading
go = threading.Event()
def test_start():
    global thread
    thread = threading.Thread(target=lambda: (go.wait(), launch(racy)))
    thread.start()
""")
        self.write("conftest.py", """
import test_a
def pytest_runtest_logfinish():
    test_a.go.set()
    test_a.thread.join()
""")
        ran = self.counts(self.pytest(status=1), passed=1)
        self.assertIn("after the last test:\n" + TOLD, ran.section)

    def test_other_programs(self):
        """Of a program that is no Python, or hides from the hooks, the test is not known."""
        self.write("kernel.c", """#include <tile.h>
tile_kernel void kernel(float *restrict y) { y[0] = (float)tile_bid(0); }
""")
        subprocess.run([TILERACE, "compile", "kernel.c", "-o", "kernel.tilebc"], cwd=self.folder,
                       check=True, capture_output=True)
        self.write("program.py", """
import ctypes, sys
driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
module, function, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
assert driver.cuInit(0) == 0
assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert driver.cuCtxSetCurrent(context) == 0
assert driver.cuModuleLoadData(ctypes.byref(module), open("kernel.tilebc", "rb").read()) == 0
assert driver.cuModuleGetFunction(ctypes.byref(function), module, b"kernel") == 0
assert driver.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64)) == 0
pointers = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
assert driver.cuLaunchKernel(function, int(sys.argv[1]), 1, 1, 1, 1, 1, 0, None, pointers, None) == 0
""")
        self.write("test_a.py", """
import subprocess, sys
@pytest.mark.parametrize("blocks", ["1", "4"])
def test_isolated(blocks):
    subprocess.run([sys.executable, "-I", "program.py", blocks], check=True)
""")
        ran = self.counts(self.pytest(status=1), passed=2)
        self.assertIn("different tile blocks write the same element", ran.section)
        self.assertIn("1 held, 1 raced", ran.section)
        self.assertIn("error: 1 launch of processes that are not Python, or hide from its hooks, "
                      "raced or broke\n", ran.section)
        self.counts(self.pytest("-k", "1", status=0), passed=1, deselected=1)


if __name__ == "__main__":
    main()
