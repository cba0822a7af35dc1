"""The assembler's place does not wait long for a check that takes longer than the assembler.

    test_late.py BUILD
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock

import common
from common import NEEDS_SOLVER_ALWAYS

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
WRAPPER = BUILD / "assembler/tileiras"
SLOW = 3  # seconds until the solver reads, the first time; SLOW_SECONDS may say others
SLOW_SOLVER = """#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int ends[2];
    char byte;
    if ((argc < 2 || argv[1][1] != 'v') && open(MARK, O_CREAT | O_EXCL, 0600) >= 0 && !pipe(ends)) {
        if (fork() == 0) {
            sleep(getenv("SLOW_SECONDS") ? atoi(getenv("SLOW_SECONDS")) : SECONDS);
            close(ends[0]);
            while (read(0, &byte, 1) == 1 && write(ends[1], &byte, 1) == 1)
                continue;
            return 0;
        }
        dup2(ends[0], 0);
        close(ends[0]);
        close(ends[1]);
    }
    argv[0] = getenv("REAL_SOLVER");
    execv(argv[0], argv);
    return 1;
}
"""
GOES_ON = "remark: the check of this kernel takes longer than its compilation and goes on"


def processes(text):
    """Those that have the text in their environment or command line."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
            if text in words.decode(errors="replace"):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def is_keeper(process):
    try:
        return pathlib.Path("/proc", str(process), "stat").read_text().split()[1:3] == ["(tilerace-late)", "S"]
    except OSError:
        return False  # it has ended


class Late(common.Case):
    def setUp(self):
        super().setUp()
        real = os.environ.get("TILERACE_SOLVER") or shutil.which("z3")
        self.solver = self.folder / "z3"
        source = self.write("solver.c", SLOW_SOLVER)
        self.mark = self.folder / "was slow"
        subprocess.run(["cc", f'-DMARK="{self.mark}"', f"-DSECONDS={SLOW}", source, "-o", self.solver], check=True)
        os.environ["REAL_SOLVER"] = os.path.realpath(real)
        self.real = self.write("real/tileiras", """#!/bin/sh
echo assembling; sleep ${ASSEMBLING:-0}; exit ${FAKE_CODE:-0}
""")
        self.real.chmod(0o755)
        self.env = {"TILERACE_CACHE_DIR": str(self.folder / "kept"), "TILERACE_WAIT": "0",
                    "TILERACE_SOLVER": str(self.solver), "TILERACE_TILEIRAS": str(self.real),
                    "XDG_CACHE_HOME": str(self.folder / "home")}
        self.log = self.folder / "log"
        self.addCleanup(self.wait_for_keepers)
        self.write("k.c", NEEDS_SOLVER_ALWAYS)
        subprocess.run([BUILD / "tilerace", "compile", "k.c", "-o", "k.tilebc"], cwd=self.folder,
                       check=True)
        (self.folder / "k.tilebc").rename(self.folder / "k.bc")

    def wait_for_keepers(self):
        for _ in range(600):
            if not processes(str(self.folder)):
                return
            time.sleep(0.1)
        self.fail("a keeper is still there")

    def wait_for_solvers(self):
        """They are ended at once, long before they would have read anything."""
        begun = time.monotonic()
        while processes(str(self.solver)):
            time.sleep(0.05)
            self.assertLess(time.monotonic() - begun, 30)

    def assemble(self, code=0, **env):
        """What is said, and the seconds it took. Pipes are read to their end."""
        self.mark.unlink(missing_ok=True)
        begun = time.monotonic()
        run = self.run_in(WRAPPER, "k.bc", "-o", "k.cubin", **{**self.env, **env})
        self.assertEqual((run.returncode, run.stdout), (code, "assembling\n"), run.stderr)
        return run.stderr, time.monotonic() - begun

    def test_left_and_told_later(self):
        said, _ = self.assemble(TILERACE_LOG=str(self.log))
        self.assertRegex(said, rf"^tilerace: {GOES_ON}.* again, and stands in '.*log' \[-Rrace\]\n$")
        self.wait_for_keepers()
        begun = time.monotonic()
        while not self.log.exists() and time.monotonic() - begun < 30:
            time.sleep(0.1)
        told = self.log.read_text()
        self.assertRegex(told, r"warning: .* \[-Wrace\]\n")
        self.log.unlink()
        said, _ = self.assemble(TILERACE_LOG=str(self.log), TILERACE_WAIT="300")
        self.assertFalse(self.mark.exists())  # it was kept: no solver was asked
        self.assertEqual((said, self.log.read_text()), (told, told))

    def test_a_tenth(self):
        """Without another word a check may take a tenth of the time that the assembler took."""
        del self.env["TILERACE_WAIT"]
        with unittest.mock.patch.dict(os.environ):
            del os.environ["TILERACE_WAIT"]
            said, _ = self.assemble(ASSEMBLING="1")
        self.assertIn(GOES_ON, said)

    def test_who_waits(self):
        """Where the verdict decides, where nothing is kept, and where it was asked for. What a
        script runs is not known, so nothing is kept of what such a solver says."""
        script = self.write("script/z3", f"#!/bin/sh\nexec {self.solver} \"$@\"\n")
        script.chmod(0o755)
        for env in ({"TILERACE": "error"}, {"TILERACE_CACHE_DIR": ""}, {"TILERACE_WAIT": "300"},
                    {"TILERACE_SOLVER": str(script)}):
            shutil.rmtree(self.folder / "kept", ignore_errors=True)
            said, seconds = self.assemble(**env)
            self.assertGreater(seconds, SLOW)
            self.assertIn("warning: ", said)
        shutil.rmtree(self.folder / "kept", ignore_errors=True)
        said, _ = self.assemble(code=1, TILERACE="strict")
        self.assertIn("error: ", said)

    def test_bounded(self):
        """A program that compiles many kernels does not fill the machine with checks."""
        most, left = 2 * os.cpu_count(), 0
        for i in range(most + 3):
            left += GOES_ON in self.assemble(TILERACE_CACHE_DIR=f"{self.folder}/kept{i}")[0]
            self.assertLessEqual(sum(map(is_keeper, processes(str(self.folder)))), most)
        self.assertGreater(left, 0)

    def test_killed(self):
        """A compiler that is killed leaves no check behind."""
        for number in (signal.SIGKILL, signal.SIGTERM):
            run = subprocess.Popen([WRAPPER, "k.bc", "-o", "k.cubin"], cwd=self.folder,
                                   env={**os.environ, **self.env, "ASSEMBLING": "1",
                                        "SLOW_SECONDS": "60"},
                                   stdout=subprocess.DEVNULL)
            time.sleep(0.5)
            run.send_signal(number)
            run.wait()
            self.wait_for_solvers()

    def test_assembler_fails(self):
        said, _ = self.assemble(code=3, FAKE_CODE="3", SLOW_SECONDS="60")
        self.assertEqual(said, "")
        self.wait_for_solvers()

    def test_checker_that_dies(self):
        self.env["TILERACE_SOLVER"] = self.write_killer()
        said, _ = self.assemble(TILERACE_LOG=str(self.log))
        if GOES_ON in said:
            self.wait_for_keepers()
            said = self.log.read_text()
        self.assertIn("warning: kernels were not checked for races: the checker died", said)

    def test_words(self):
        for word in ("soon", "-1", "1e99", "nan", "1 s"):
            run = self.run_in(WRAPPER, "k.bc", **{**self.env, "TILERACE_WAIT": word})
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertIn(f"TILERACE_WAIT is a number of seconds up to 1000000, not '{word}'",
                          re.sub(r"\s+", " ", run.stderr))


if __name__ == "__main__":
    unittest.main()
