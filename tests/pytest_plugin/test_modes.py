"""pytest --tilerace=interpret and --tilerace=record, and the plugin as pip installs it.

    test_modes.py BUILD PYTHON [Class.test]
"""
import re
import subprocess

from common import BUILD, PYTHON, ROOT, TILERACE, TOLD, Case, main

KINDS = """
@ct.kernel
def outside(x, first: ct.Constant[int]):
    index = ct.arange(16, dtype=ct.int32) + ct.bid(0) * 16 + first
    ct.scatter(x, index, ct.full((16,), 1.0, ct.float32), check_bounds=False)
@ct.kernel
def copy(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)))
def copied(n):
    x, y = np.ones(n, np.float32), np.zeros(64, np.float32)
    ct.launch(0, (4,), copy, (x, y))
    return y.sum()
"""


class Interpret(Case):
    def test_outcomes(self):
        """Results are there, and the test's own checks of them decide, beside what is found."""
        self.write("test_a.py", KINDS + """
def test_clean():
    assert launch(clean).sum() == 64
def test_wrong():
    assert launch(clean).sum() == 65
def test_racy():
    assert launch(racy).sum() == 16
def test_outside():
    launch(outside, 8)
def test_inside():
    assert launch(outside, 0).sum() == 64
def test_defined():
    assert copied(64) == 64
""")
        for workers in ([], ["-n", "2"]):
            ran = self.counts(self.pytest("-v", *workers, mode="interpret", status=1), passed=3,
                              failed=3)
            for test in "wrong", "racy", "outside":
                self.assertIn("FAILED test_a.py::test_" + test, ran.out)
            self.assertEqual(ran.out.count(TOLD), 1)
            self.assertIn("leaves 'x', which has 64 elements [TR008]", ran.out)
            self.assertRegex(ran.section, "launches: 5 interpreted, 1 not interpreted\n")

    def test_undefined(self):
        """A value that is not defined reaches an output."""
        self.write("test_a.py", KINDS + """
def test_padding():
    copied(60)
def test_padding_and_wrong():
    assert copied(60) == 0
@pytest.mark.tilerace(allow="undefined-value", reason="nobody reads the padding")
def test_allowed():
    copied(60)
@pytest.mark.tilerace(allow="TR008", reason="something else")
def test_not_allowed():
    copied(60)
def test_defined():
    assert copied(64) == 64
""")
        ran = self.counts(self.pytest("-v", mode="interpret", status=1), passed=2, failed=3)
        told = "test_a.py:%d:" % (3 + KINDS.partition("ct.store(y")[0].count("\n"))
        self.assertIn("\n" + told, ran.out)
        self.assertIn("4 elements of 'y' get a value that is not defined [undefined-value]", ran.out)
        self.assertIn("test_a.py::test_allowed: allowed (nobody reads the padding): ", ran.section)
        self.assertIn("assert copied(60) == 0", ran.out)
        self.assertIn("5 interpreted, 0 not interpreted, 4 with an error that the run shows\n",
                      ran.section)

    def test_not_executed(self):
        self.write("test_a.py", """
@ct.kernel
def wait(flag, out):
    while ct.atomic_or(flag, (0,), 0) == 0:
        pass
    ct.store(out, index=(0,), tile=ct.full((1,), 1, ct.int32))
def test_wait():
    ct.launch(0, (1,), wait, (np.zeros(1, np.int32), np.zeros(1, np.int32)))
def test_clean():
    launch(clean)
""")
        ran = self.counts(self.pytest("-v", mode="interpret", status=1), passed=1, failed=1)
        self.assertIn("FAILED test_a.py::test_wait", ran.out)
        self.assertIn("is not executed: every block that has not ended waits for memory that no "
                      "block will change\n", ran.out)
        self.assertIn("error: 1 launch not executed\n", ran.section)

    def test_inside_of_a_test(self):
        """A test that asks for the interpreter itself."""
        self.write("test_a.py", """
import tilerace
@pytest.mark.parametrize("kernel, sum", [(clean, 64), (racy, 16)])
def test_block(kernel, sum):
    with tilerace.interpret():
        assert launch(kernel).sum() == sum
def test_expected():
    with pytest.raises(tilerace.RaceError), tilerace.interpret():
        launch(racy)
""")
        ran = self.counts(self.pytest("-v", mode="interpret", status=1), passed=2, failed=1)
        self.assertIn("RaceError: ", ran.out)
        self.counts(self.pytest(mode=None, status=1), passed=2, failed=1)

    def test_clean(self):
        self.write("test_a.py", "def test_a():\n    assert launch(clean).sum() == 64\n")
        ran = self.counts(self.pytest(mode="interpret", status=0), passed=1)
        self.assertIn("launches: 1 interpreted, 0 not interpreted\n", ran.section)
        self.counts(self.pytest(mode="check", status=1), failed=1)  # no kernel has run

    def test_processes(self):
        self.write("test_a.py", """
import multiprocessing
def at_work(kernel, sum):
    assert launch(globals()[kernel]).sum() == sum
@pytest.mark.parametrize("kernel, sum", [("clean", 64), ("racy", 16)])
def test_spawn(kernel, sum):
    process = multiprocessing.get_context("spawn").Process(target=at_work, args=(kernel, sum))
    process.start()
    process.join()
    assert process.exitcode == 0
""")
        ran = self.counts(self.pytest(mode="interpret", status=1), passed=1, failed=1)
        self.assertIn(TOLD, ran.out)


class Record(Case):
    def check(self, *words):
        return subprocess.run([TILERACE, "check", *words], capture_output=True, text=True,
                              check=False, cwd=self.folder, env=self.environment())

    def test_record(self):
        """No verdict: the recording has it, of all workers."""
        for name in "a", "b":
            self.write("test_%s.py" % name, """
@pytest.mark.parametrize("kernel", [racy, clean], ids=["racy", "clean"])
def test_many(kernel):
    launch(kernel)
""")
        for workers in ([], ["-n", "2", "--dist", "loadfile"]):
            ran = self.counts(self.pytest(*workers, mode="record", status=0), passed=4)
            self.assertNotIn("TR001", ran.out)
            self.assertEqual(ran.section.split("===")[1].strip(), "")
            self.assertIn("\n2 kernels seen, 2 launched, 0 launched but never seen\n"
                          "recorded in .tilerace: `tilerace check .tilerace` checks it\n", ran.section)
            found = self.check(".tilerace")
            self.assertEqual(found.returncode, 1, found.stderr)
            self.assertIn("different tile blocks write the same elements of 'x'", found.stdout)
            self.assertIn("launched at: ", found.stdout)

    def test_folder(self):
        self.write("test_a.py", "def test_a():\n    launch(clean)\n")
        ran = self.pytest("--tilerace-recording=kept here", mode="record", status=0)
        self.assertIn("recorded in kept here: ", ran.section)
        self.assertEqual(self.check("kept here").returncode, 0)
        self.assertFalse((self.folder / ".tilerace").exists())
        ran = self.pytest("--tilerace-recording=/proc/none", mode="record", status=1)
        self.assertIn("the recording lacks 1 module or launch: /proc/none cannot be written", ran.section)
        self.assertIn("error: 1 module or launch not recorded", ran.section)
        self.assertNotIn("recorded in", ran.section)

    def test_check_records_nothing(self):
        self.write("test_a.py", "def test_a():\n    launch(clean)\n")
        self.pytest(status=0)
        self.assertFalse((self.folder / ".tilerace").exists())


class Installed(Case):
    """By its entry point, as in an environment that pip has installed it into."""

    def setUp(self):
        super().setUp()
        site = self.folder.parent / "site"
        info = site / "tilerace-1.dist-info"
        info.mkdir(parents=True)
        for name in "tilerace", "pytest_tilerace":
            (site / name).symlink_to(ROOT / "python" / name)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tilerace\nVersion: 1\n")
        project = (ROOT / "pyproject.toml").read_text()
        _, _, rest = project.partition("[project.entry-points.pytest11]\n")
        self.assertTrue(rest, "pyproject.toml names the plugin")
        (info / "entry_points.txt").write_text("[pytest11]\n" +
                                               rest.splitlines()[0].replace('"', "") + "\n")
        self.site = site

    def test_entry_point(self):
        self.write("test_a.py", """
@pytest.mark.parametrize("kernel", [racy, clean])
def test_many(kernel):
    launch(kernel)
""")
        for twice in ((), ("-p", "pytest_tilerace")):
            for workers in ((), ("-n", "2")):
                run = subprocess.run(
                    [PYTHON, "-m", "pytest", *twice, *workers, "--strict-markers", "--tilerace=check"],
                    cwd=self.folder, capture_output=True, text=True, check=False, timeout=240,
                    env=self.environment(PYTHONPATH=str(self.site)))
                self.assertIn("1 failed, 1 passed", run.stdout, run.stderr)
                self.assertEqual(run.stdout.count("kernels seen"), 1)

    def test_prefix(self):
        """As `cmake --install` puts it below a prefix, where it finds the program by itself."""
        prefix = self.folder.parent / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        [package] = prefix.glob("lib*/**/pytest_tilerace")
        self.write("test_a.py", """
@pytest.mark.tilerace(allow="TR001", reason="allowed")
@pytest.mark.parametrize("kernel", [racy, clean])
def test_allowed(kernel):
    launch(kernel)
def test_racy():
    launch(racy)
""")
        environment = self.environment(PYTHONPATH=str(package.parent))
        del environment["TILERACE_PROGRAM"], environment["TILERACE_LIBRARY"]
        for workers in (), ("-n", "2"):
            run = subprocess.run(
                [PYTHON, "-m", "pytest", "-p", "pytest_tilerace", *workers, "--tilerace=check"],
                cwd=self.folder, capture_output=True, text=True, check=False, timeout=240,
                env=environment)
            self.assertIn("1 failed, 2 passed", run.stdout, run.stderr)

    def test_help(self):
        run = subprocess.run([PYTHON, "-m", "pytest", "--help"], cwd=self.folder, capture_output=True,
                             text=True, check=True, env=self.environment(PYTHONPATH=str(self.site)))
        self.assertIn("--tilerace={check,interpret,record}", run.stdout)
        run = subprocess.run([PYTHON, "-m", "pytest", "--markers"], cwd=self.folder, text=True,
                             capture_output=True, check=True,
                             env=self.environment(PYTHONPATH=str(self.site)))
        self.assertIn('@pytest.mark.tilerace(allow="TR001", reason="..."): ', run.stdout)


class Page(Case):
    """docs/pytest.md shows what it says."""

    def test_example(self):
        page = (ROOT / "docs" / "pytest.md").read_text()
        program, shown = re.findall(r"```(?:python|console)\n(.*?)```", page, re.DOTALL)[:2]
        (self.folder / "test_scale.py").write_text(program)
        run = subprocess.run(
            [PYTHON, "-m", "pytest", "-p", "pytest_tilerace", "-p", "no:cacheprovider",
             "-p", "no:xdist", *shown.splitlines()[0].split()[2:]],
            cwd=self.folder, capture_output=True, text=True, check=False, timeout=240,
            env=self.environment(COLUMNS="80"))
        time = re.compile(r"in \d+\.\d+s$", re.MULTILINE)
        self.assertEqual(time.sub("in", run.stdout), time.sub("in", shown.partition("\n")[2]))


if __name__ == "__main__":
    main()
