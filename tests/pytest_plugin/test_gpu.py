"""pytest --tilerace on a machine with a GPU, as far as the front end sees one (tests/tools/as_gpu.py).

    test_gpu.py BUILD PYTHON [Class.test]
"""
import sys

from common import BUILD, KERNELS, PYTHON, ROOT, TILERACE, TOLD, Case, main

sys.path.insert(0, str(ROOT / "tests" / "tools"))
import as_gpu


class Gpu(Case):
    def setUp(self):
        super().setUp()
        before, _, after = KERNELS.partition("def launch(")
        self.write("kernels.py", before + "def launch(" + after.replace("(x, *more)",
                                                                        "(OnDevice(x), *more)")
                   + as_gpu.ON_DEVICE)
        self.machine = as_gpu.environment(self.folder, PYTHON, TILERACE,
                                          BUILD / "capture" / "stand_in")
        self.write("test_a.py", """
import multiprocessing
@pytest.mark.parametrize("kernel", [clean, racy], ids=["clean", "racy"])
def test_own(kernel):
    launch(kernel)
def at_work(kernel):
    launch(globals()[kernel])
@pytest.mark.parametrize("kernel", ["clean", "racy"])
def test_process(kernel):
    process = multiprocessing.get_context("spawn").Process(target=at_work, args=(kernel,))
    process.start()
    process.join()
    assert process.exitcode == 0
""")

    def test_check(self):
        """Launches of this process go through the library that is loaded late, those of workers and
        other processes through the one that is preloaded."""
        for workers in (), ("-n", "2"):
            ran = self.counts(self.pytest("-v", "-W", "ignore", *workers, status=1, **self.machine), passed=2,
                              failed=2)
            self.assertNotIn("there is no GPU", ran.out)
            self.assertIn("FAILED test_a.py::test_own[racy]", ran.out)
            self.assertIn("FAILED test_a.py::test_process[racy]", ran.out)
            self.assertEqual(ran.out.count(TOLD), 2)
            self.assertIn("2 kernels seen, 2 launched, 0 launched but never seen: 1 proved, ",
                          ran.section)

    def test_tables(self):
        """What a proof asks of a table is looked at, although it lies on the GPU."""
        self.write("test_a.py", """
def rows(n):
    values, address = np.arange(64, dtype=np.int32) % n, ctypes.c_uint64()
    driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(values.nbytes))
    driver.cuMemcpyHtoD_v2(address, values.ctypes.data_as(ctypes.c_void_p),
                           ctypes.c_size_t(values.nbytes))
    on_device = OnDevice(values)
    on_device.__cuda_array_interface__["data"] = (address.value, False)
    return on_device
def test_unique():
    launch(scatter, rows(64))
def test_twice():
    launch(scatter, rows(20))
""")
        ran = self.counts(self.pytest("-W", "ignore", status=1, **self.machine), passed=1, failed=1)
        self.assertIn("FAILED test_a.py::test_twice", ran.out)
        self.assertIn("different launches: 1 held, ", ran.section)
        self.assertIn(", 0 not checked\n", ran.section)

    def test_a_driver_that_is_not_seen(self):
        """Launches that do not reach the recorder do not pass: here a driver tells them itself, as
        it believes, and knows nothing of the machine code."""
        path = self.folder / "kernels.py"
        path.write_text(path.read_text().replace('os.environ.pop("TILERACE_CAPTURE", None)', "None"))
        for workers in (), ("-n", "2"):
            ran = self.pytest("-k", "own", "-W", "ignore", *workers, status=1, **self.machine)
            self.assertIn("error: 2 launches made by tests, and none was seen by the checker\n",
                          ran.section)

    def test_interpret(self):
        """The GPU is left alone, and that is said."""
        ran = self.counts(self.pytest("-v", mode="interpret", status=1, **self.machine), passed=2,
                          failed=2)
        self.assertIn("tilerace: interpret: launches are executed on the interpreter, not on a GPU\n",
                      ran.out)
        self.assertIn("4 interpreted, 0 not interpreted", ran.section)


if __name__ == "__main__":
    main()
