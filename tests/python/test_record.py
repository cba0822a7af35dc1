"""tilerace.record: launches of a with-block.

    test_record.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy. Programs run under `tilerace exec --dry-run`, on the
stand-in driver: on another one they would launch nothing here.
"""
import json
import os
import subprocess
import sys

from common import BUILD, PACKAGE, Case, main

import tilerace

PROGRAM = """
import sys, threading
import numpy as np
import cuda.tile as ct
from cuda.tile import launch as early
import tilerace
from tilerace import record

@ct.kernel
def fill(x, STEP: ct.Constant[int]):
    ct.store(x, index=(ct.bid(0) // STEP,), tile=ct.full((16,), ct.bid(0), ct.float32))

@ct.kernel
def scatter(x, row, y):
    i = ct.bid(0)
    ct.scatter(y, ct.load(row, index=(i,), shape=(1,)), ct.load(x, index=(i,), shape=(1,)))

x = np.zeros(64, np.float32)
def go(grid=4, step=1, launch=None, **more):
    (launch or ct.launch)(0, (grid,), fill, (x, step), **more)  # @launch
def verdicts(recording):
    return [kernel.verdict.value for kernel in recording.check().kernels]
"""


class Record(Case):
    def run_program(self, text, *under, status=0):
        path = self.folder / "program.py"
        path.write_text(PROGRAM + text)
        run = subprocess.run(
            [*under, sys.executable, path], capture_output=True, text=True, check=False,
            timeout=120, cwd=self.folder, env={
                **os.environ, "PYTHONPATH": str(PACKAGE), "TMPDIR": str(self.folder)})
        if status is not None:
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run

    def launched(self, text, status=0):
        return self.run_program(text, str(BUILD / "tilerace"), "exec", "--dry-run",
                                "--no-recording", "--", status=status).stdout

    def test_clean_and_racy(self):
        said = self.launched("""
with record() as clean:
    go()
go(step=2)
with record() as racy:
    go(step=2)
    go(grid=1, step=2)
go(step=2)
print(verdicts(clean), sorted(verdicts(racy)), clean.launches, racy.launches)
place = racy.check().kernels[0].launched_at
print(place.file, place.line)
""", status=1)
        line = [n for n, text in enumerate(PROGRAM.splitlines(), 1) if text.endswith("# @launch")]
        self.assertEqual(said.splitlines(), ["['race-free'] ['race', 'race-free'] 1 2",
                                             "%s %d" % (self.folder / "program.py", *line)])

    def test_lines_under_exec(self):
        """The hook of `exec` sees through what stands in the place of launch."""
        run = self.run_program("with record() as r:\n    go(step=2)\n", str(BUILD / "tilerace"),
                               "exec", "--dry-run", "--no-recording", "--", status=1)
        self.assertRegex(run.stderr, r"program.py:\d+: note: launched here")
        self.assertNotIn("_record.py", run.stderr)

    def test_folder(self):
        self.launched("with record('a recording') as r:\n    go()\n    go()\n    go(grid=2)\n"
                      "assert r.folder == 'a recording' and r.launches == 3\n")
        run = subprocess.run([BUILD / "tilerace", "check", "--format", "json", "a recording"],
                             capture_output=True, text=True, check=True, cwd=self.folder)
        [module] = json.loads(run.stdout)["inputs"]
        self.assertEqual([k["verdict"] for k in module["kernels"]], ["race-free"] * 2)

    def test_a_recording_of_exec(self):
        self.run_program("go()\ngo(step=2)\n", str(BUILD / "tilerace"), "exec", "--dry-run",
                         "--recording", "seen", "--", status=1)
        folder = self.folder / "seen"
        result = tilerace.check(folder)
        self.assertEqual(sorted(k.verdict.value for k in result.kernels), ["race", "race-free"])
        self.assertTrue(all(k.launched_at.line > 1 for k in result.kernels))
        self.assertIn("TR001", result._repr_html_())

        def wrong(part):
            with self.assertRaisesRegex(tilerace.InputError, part) as caught:
                tilerace.check(folder)
            self.assertTrue(caught.exception.file.startswith(str(folder)))

        launch = next((folder / "launches").glob("*.json"))
        text = launch.read_text()
        launch.write_text(text[:40])
        wrong("is cut or was edited")
        launch.write_text(text)
        module = next((folder / "modules").glob("*.tilebc"))
        whole = module.read_bytes()
        module.write_bytes(whole[:60])
        wrong(".")
        module.unlink()
        wrong(".")
        module.write_bytes(whole)
        self.assertEqual(len(tilerace.check(folder).kernels), 2)
        (folder / "index.json").write_text('{"tilerace": 99}')
        wrong(".")

    def test_a_temporary_folder_goes(self):
        """With the recording; where that is a global, the front end may keep it to the end."""
        said = self.launched("""
import os
def short():
    with record() as r:
        go()
    print(os.path.isdir(r.folder), verdicts(r))
    return r.folder
print(os.path.isdir(short()))
with record() as long:
    go()
print(os.path.isdir(long.folder))
""")
        self.assertEqual(said, "True ['race-free']\nFalse\nTrue\n")
        self.assertEqual(list(self.folder.glob("tilerace-*")), [])

    def test_nothing_stays_exchanged(self):
        said = self.launched("""
before = ct.launch, early
try:
    with record() as r:
        assert ct.launch is not before[0] and early is ct.launch
        from cuda.tile import launch as inside
        go(launch=early)
        1 / 0
except ZeroDivisionError:
    pass
assert (ct.launch, early) == before and inside is before[0]
print(verdicts(r))
with record() as outer:
    go()
    with record() as inner:
        go(grid=2)
    go(grid=3)
print(outer.launches, inner.launches)
""")
        self.assertEqual(said, "['race-free']\n3 1\n")

    def test_contents(self):
        said = self.launched("""
row = np.array([3, 1, 0, 2], np.int32)
source, target = np.zeros(4, np.float32), np.zeros(8, np.float32)
with record() as r:
    ct.launch(0, (4,), scatter, (source, row, target))
    row[2] = 1
    ct.launch(0, (4,), scatter, (source, row, target))
print(sorted(verdicts(r)))
""", status=1)
        self.assertEqual(said, "['race', 'race-free']\n")

    def test_missed(self):
        """What is not recorded does not pass."""
        said = self.launched("""
with record() as r:
    go()
    go(programmatic_dependent_launch=True)
print(len(r.missed), r.missed[0].line, r.missed[0].text)
try:
    r.check()
except tilerace.InputError as error:
    print(error)
with record() as r:
    pass
try:
    r.check()
except tilerace.InputError as error:
    print(error.text)
""", status=None)
        lines = said.splitlines()
        self.assertRegex(lines[0], r"1 \d+ this launch was not recorded: it has programmatic_")
        self.assertRegex(lines[1], r"program.py:\d+: this launch was not recorded")
        self.assertEqual(lines[2], "no launch was recorded")

    def test_threads(self):
        said = self.launched("""
with record() as r:
    threads = [threading.Thread(target=go, args=(n, 1)) for n in (1, 2, 3, 4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print(r.launches, verdicts(r))
""")
        self.assertEqual(said, "4 %s\n" % (["race-free"] * 4))

    def test_a_folder_that_cannot_be(self):
        said = self.launched("""
with record("/dev/null/folder") as r:
    go()
print(r.launches, len(r.missed), "/dev/null" in str(r.missed[0]))
for folder in 3, b"a", None:
    try:
        with record(folder):
            print("entered", folder)
    except TypeError as error:
        print(error)
try:
    record("a\\0b").__enter__()
except tilerace.InputError as error:
    print(error.text[:10])
""")
        self.assertEqual(said.splitlines()[0], "0 1 True")
        self.assertIn("the folder of the recording is a str or a path, not int", said)

    def test_without_a_driver(self):
        """The front end's own error passes, and nothing counts as recorded."""
        run = self.run_program("""
with record() as r:
    try:
        go()
    except OSError as error:
        print("libcuda" in str(error))
print(r.launches, r.missed)
""")
        self.assertEqual(run.stdout, "True\n0 ()\n")


if __name__ == "__main__":
    main()
