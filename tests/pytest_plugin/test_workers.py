"""pytest --tilerace under pytest-xdist: one checker, one summary.

    test_workers.py BUILD PYTHON [Class.test]
"""
from common import TOLD, Case, main

MANY = """
@pytest.mark.parametrize("n", range(3))
@pytest.mark.parametrize("kernel", [clean, racy], ids=["clean", "racy"])
def test_many(kernel, n):
    launch(kernel)
"""


class Workers(Case):
    def test_two_workers(self):
        for name in "a", "b", "c":
            self.write("test_%s.py" % name, MANY)
        for how in ([], ["--dist", "loadfile"], ["--dist", "each"]):
            times = 2 if "each" in how else 1
            ran = self.counts(self.pytest("-n", "2", "-v", *how, status=1), passed=9 * times,
                              failed=9 * times)
            self.assertIn("FAILED test_b.py::test_many[racy-2]", ran.out)
            self.assertNotIn("FAILED test_b.py::test_many[clean", ran.out)
            self.assertEqual(ran.out.count(TOLD), 9 * times)
            # Both workers compile both kernels, which are told by the bytes and names of a module.
            self.assertIn("2 kernels seen, 2 launched, 0 launched but never seen: 1 proved, "
                          "0 conditional, 1 racy, 0 unknown\n", ran.section)
            self.assertEqual(ran.section.count("kernels seen"), 1)

    def test_clean(self):
        self.write("test_a.py", MANY)
        ran = self.counts(self.pytest("-n", "2", "-k", "clean", status=0), passed=3)
        self.assertIn("1 kernel seen, 1 launched", ran.section)

    def test_ini(self):
        self.write("test_a.py", MANY)
        self.write("pytest.ini", "[pytest]\ntilerace = check\n")
        self.counts(self.pytest("-n", "2", mode=None, status=1), passed=3, failed=3)
        self.counts(self.pytest(mode=None, status=1), passed=3, failed=3)

    def test_import(self):
        self.write("test_a.py", "launch(racy)\ndef test_one():\n    pass\n")
        self.write("test_b.py", "launch(clean)\ndef test_two():\n    pass\n")
        ran = self.counts(self.pytest("-n", "2", status=1), passed=1, error=1)
        self.assertIn("ERROR collecting test_a.py", ran.out)
        self.counts(self.pytest("-n", "2", "test_b.py", status=0), passed=1)

    def test_conftest(self):
        self.write("test_a.py", "def test_one():\n    pass\n")
        self.write("conftest.py", """
import kernels, os
if "PYTEST_XDIST_WORKER" in os.environ:
    kernels.launch(kernels.racy)
""")
        ran = self.counts(self.pytest("-n", "2", status=1), passed=1)
        self.assertIn(TOLD, ran.section)
        self.assertIn("error: launches that no test makes", ran.section)

    def test_fixtures_and_processes(self):
        self.write("test_a.py", """
import multiprocessing
@pytest.fixture(scope="session", params=[clean, racy])
def made(request):
    return launch(request.param)
@pytest.mark.parametrize("n", range(4))
def test_fixture(made, n):
    pass
def at_work(kernel):
    launch(globals()[kernel])
@pytest.mark.parametrize("kernel", ["clean", "racy"])
@pytest.mark.parametrize("how", ["spawn", "fork"])
def test_process(kernel, how):
    process = multiprocessing.get_context(how).Process(target=at_work, args=(kernel,))
    process.start()
    process.join()
""")
        # A later Python warns of a fork among threads, which xdist has.
        ran = self.pytest("-n", "2", "-W", "ignore::DeprecationWarning", status=1)
        self.counts(ran, passed=6, error=4, failed=2)

    def test_a_worker_that_crashes(self):
        """Its test fails, as xdist has it; the summary is there all the same."""
        self.write("test_a.py", MANY + """
import os
def test_crash():
    launch(clean)
    os._exit(3)
""")
        ran = self.pytest("-n", "2", status=1)
        self.assertEqual((ran.counts["passed"], ran.counts["failed"]), (3, 4), ran.out)
        self.assertIn("2 kernels seen", ran.section)

    def test_a_worker_elsewhere(self):
        """Nothing passes in a worker that the checker does not see."""
        self.write("test_a.py", MANY)
        self.write("conftest.py", """
import os
def pytest_configure_node(node):
    node.workerinput["tilerace"] = "/elsewhere"
""")
        ran = self.counts(self.pytest("-n", "1", status=1), error=6)
        self.assertIn("not checked: this worker does not run on the machine", ran.out)
        self.write("conftest.py", """
import os, sys
if "PYTEST_XDIST_WORKER" in os.environ:  # as if Python had been started without sitecustomize
    sys.meta_path[:] = [f for f in sys.meta_path if not hasattr(f, "is_of_tilerace")]
""")
        ran = self.counts(self.pytest("-n", "1", status=1), error=6)
        self.assertIn("not checked: the Python of this worker was started without the hooks", ran.out)


if __name__ == "__main__":
    main()
