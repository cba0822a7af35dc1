"""The package's types, as mypy sees them from inside and from a program that uses it.

    test_types.py BUILD_FOLDER PYTHON PYTEST_PYTHON

PYTHON has mypy, PYTEST_PYTHON has pytest.
"""
import os
import subprocess
import sys
import tempfile

PYTEST_PYTHON = os.path.abspath(sys.argv.pop(3))
PYTHON = os.path.abspath(sys.argv.pop(2))

from common import PACKAGE, Case, main

GOOD = """
import tilerace
from typing import List, Optional
result: tilerace.Result = tilerace.check(b"", {"version": 2}, strict=True)
names: List[str] = [kernel.name for kernel in result.kernels]
line: int = result.findings[0].place.line
grid: Optional[tuple[int, int, int]] = result.findings[0].witness.grid \\
    if result.findings[0].witness else None
text: str = tilerace.explain("TR001").text + tilerace.version()
answer: tilerace.Answer = tilerace.guard(result).check((4, 1), {"n": 3})
holds: bool = answer.holds
with_kernel = tilerace.check(object(), tilerace.Launch(4, [1, 2.5]))
reveal = result.verdict is tilerace.Verdict.RACE
"""
BAD = """
import tilerace
tilerace.check(b"", launch=3)  # arg-type
tilerace.check(b"").verdicts  # attr-defined
tilerace.explain(1)  # arg-type
tilerace.Launch("4", [])  # arg-type
x: str = tilerace.check(b"").verdict  # assignment
"""


class Types(Case):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.cache = holder.name

    def mypy(self, *words, status=0):
        run = subprocess.run([PYTHON, "-m", "mypy", "--strict", "--cache-dir", self.cache, *words],
                             capture_output=True, text=True, check=False, timeout=300,
                             cwd=self.folder, env={**os.environ, "MYPYPATH": str(PACKAGE)})
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run.stdout

    def test_package(self):
        for version in "3.10", "3.14":
            self.mypy("--python-version", version, PACKAGE / "tilerace")

    def test_plugin(self):
        for version in "3.10", "3.14":
            self.mypy("--python-version", version, "--python-executable", PYTEST_PYTHON,
                      PACKAGE / "pytest_tilerace")

    def test_programs(self):
        (self.folder / "good.py").write_text(GOOD)
        self.mypy("good.py")
        (self.folder / "bad.py").write_text(BAD)
        said = self.mypy("bad.py", status=1)
        for line, text in enumerate(BAD.splitlines(), 1):
            if "#" in text:
                self.assertRegex(said, r"bad.py:%d: error: .*\[%s\]" % (line, text.split("# ")[1]))

    def test_marked(self):
        self.assertTrue((PACKAGE / "tilerace" / "py.typed").exists())


if __name__ == "__main__":
    main()
