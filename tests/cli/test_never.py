"""What a check never does, whatever it checks, as the system sees it: no program is started but the solver
and its guard, no socket is made, nothing is written but the report and the cache (docs/security.md).

    test_never.py TILERACE
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLVER = os.environ.get("TILERACE_SOLVER", str(ROOT / "build/solver/bin/z3"))
STRACE = shutil.which("strace")
ASKS = ROOT / "tests/preconditions/negated_tables.c"  # whose proof asks the solver
CHANGES = "creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,chmod," \
          "fchmodat,chown,fchownat,truncate,mknod,mknodat,utimensat,setxattr"
# A repository of somebody who would like to have something run or written.
RUNS = "touch {marker}"
REPOSITORY = {
    "tilerace.toml": 'exclude = ["gone"]\n[kernels]\nk = { x = "f32[1]" }\n',
    "Makefile": f"all:\n\t{RUNS}\n",
    "conftest.py": "import os; os.system('{marker}')\n",
    "program.py": "open('{marker}', 'w')\n",
    # What --build would compile.
    "kernels.py": "import cuda.tile as ct\nopen('{marker}', 'w')\n@ct.kernel\ndef k(x): pass\n",
    "kernels.cu": "#include <cuda_tile.h>\n__tile_global__ void k();\n", "kernels.rs": "use cutile;\n",
    "build.rs": "use cutile; fn main() {}\n", "Cargo.toml": '[package]\nname = "k"\nversion = "0.1.0"\n',
    "python3": f"#!/bin/sh\n{RUNS}\n", "nvcc": f"#!/bin/sh\n{RUNS}\n", "cargo": f"#!/bin/sh\n{RUNS}\n",
    ".git/hooks/pre-commit": f"#!/bin/sh\n{RUNS}\n",
    ".git/config": f"[core]\n\tfsmonitor = {RUNS}\n\tpager = {RUNS}\n",
    "z3": f"#!/bin/sh\n{RUNS}\n", "tileiras": f"#!/bin/sh\n{RUNS}\n", "clang": f"#!/bin/sh\n{RUNS}\n",
    "libclang.so": "not one\n",
    "compile_commands.json": json.dumps([
        {"directory": ".", "file": "k.c", "arguments": ["sh", "-c", RUNS, *words, "k.c"]}
        for words in (["-Xclang", "-load", "-Xclang", "./plugin.so"], ["-fplugin=./plugin.so"], ["-Wp,-MD,{marker}"],
                      ["-MJ", "{marker}"], ["-o", "{marker}"], ["--write-dependencies", "-MF", "{marker}"],
                      ["-fmodules", "-fmodules-cache-path={marker}"], ["-Xclang", "-header-include-file", "{marker}"],
                      ["--config={marker}"], ["@{marker}"], ["-save-temps"], ["-ftime-trace={marker}"])]),
    "k.c": '#pragma clang diagnostic warning "-Wall"\n#pragma comment(lib, "x")\n#include <tile.h>\n'
           "tile_kernel void k(float *restrict x) { tile_grid(8); x[tile_bid(0)] = 1; }\n",
    "asm.c": '#include <tile.h>\n__asm__(".incbin \\"/etc/passwd\\"");\n'
             "tile_kernel void a(float *restrict x) { tile_grid(8); x[0] = 1; }\n",
    "http.c": '#include "http://127.0.0.1:9/x.h"\n#include <tile.h>\n',
    "m.launch.json": json.dumps({"version": 2, "launches": [{"kernel": "k", "args": [
        {"name": "x", "contents": {"file": "http://127.0.0.1:9/x"}}, {"name": "y", "contents": {"file": "|sh"}}]}]}),
}


def whole_lines(log):
    """The lines of strace, with calls in one piece: it tells a call in two where others come between."""
    begun = {}
    for line in log.read_text(errors="replace").splitlines():
        process = line.split(" ", 1)[0]
        first = re.fullmatch(r"(.*?) *<unfinished \.\.\.>", line)
        second = re.fullmatch(r"\d+ +<\.\.\. \w+ resumed>(.*)", line)
        if first:
            begun[process] = first[1]
        else:
            yield begun.pop(process, "") + second[1] if second else line


@unittest.skipIf(STRACE is None, "there is no strace")
class Never(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name).resolve()
        self.folder, self.out, self.cache = (self.top / name for name in ("repository", "out", "cache"))
        for folder in (self.folder, self.out, self.cache):
            folder.mkdir()
        self.marker = self.folder / "written"
        for name, text in REPOSITORY.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("{marker}", str(self.marker)))
            if text.startswith("#!"):
                path.chmod(0o755)
        shutil.copy(ASKS, self.folder / "asks.c")
        shutil.copy(ROOT / "kernels/python/softmax.tilebc", self.folder / "m.tilebc")
        self.before = self.files()

    def files(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def traced(self, *words):
        """The calls of the program and of all that it starts: what succeeded, as strace writes it."""
        log = self.top / "log"
        environment = {**os.environ, "TILERACE_SOLVER": SOLVER, "TILERACE_CACHE_DIR": str(self.cache), "HOME": str(self.cache),
                       "XDG_CACHE_HOME": str(self.cache), "PATH": f"{self.folder}:.::{os.environ['PATH']}"}
        done = subprocess.run(
            [STRACE, "-f", "-qq", "-o", str(log), "-e", f"trace=execve,execveat,socket,connect,open,openat,{CHANGES}",
             TILERACE, *words], cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=120,
            stdin=subprocess.DEVNULL)  # fmt: skip
        calls = re.findall(r"^\d+ +(\w+)\((.*)\) += (-?\d+)", "\n".join(whole_lines(log)), re.MULTILINE)
        self.assertTrue(any(call == "execve" for call, _, _ in calls), done.stderr)
        return done, [(call, arguments) for call, arguments, result in calls if int(result) >= 0]

    def hold(self, *words):
        done, calls = self.traced(*words)
        programs = {os.path.realpath(re.search(r'"([^"]*)"', arguments)[1]) for call, arguments in calls
                    if call.startswith("execve")}
        guard = str(pathlib.Path(TILERACE).with_name("tilerace-guard"))
        self.assertLessEqual(programs, {os.path.realpath(p) for p in (TILERACE, guard, SOLVER)}, words)
        self.assertEqual([c for c in calls if c[0] in ("socket", "connect")], [], words)
        for call, arguments in calls:
            if call in ("open", "openat") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", arguments):
                continue
            if call.startswith("execve"):
                continue
            for path in re.findall(r'"([^"]*)"', arguments):
                real = os.path.normpath(self.folder / path)
                own = real == "/dev/null" or re.match(r"/proc/(self|\d+)/", real)
                self.assertTrue(own or real.startswith((str(self.out), str(self.cache))), (words, call, arguments))
        self.assertEqual(self.files(), self.before, words)
        return done, programs

    def test_check(self):
        done, programs = self.hold("check", ".", "-o", f"json={self.out}/r.json", "-o", f"html={self.out}/r.html")
        self.assertIn(os.path.realpath(SOLVER), programs)  # so the proof was made
        verdicts = [k["verdict"] for i in json.loads((self.out / "r.json").read_text())["inputs"] for k in i["kernels"]]
        self.assertIn("race-free", verdicts, done.stderr)
        self.hold("check", ".")  # by results that were kept

    def test_others(self):
        for words in (["hook", *self.names()], ["scan", "."], ["config", "show", "k.c"], ["explain", "TR001"],
                      ["check", "-p", ".", "k.c", "asm.c", "http.c"], ["dump", "k.c"], ["contract", "k.c"],
                      ["check", "kernels.py", "kernels.cu", "kernels.rs"], ["check", "--launch", "m.launch.json", "k.c"], ["compile", "k.c", "-o", f"{self.out}/k.tilebc"],
                      ["run", "--device=cpu", "--repeat=1", "k.c"],
                      ["check", "k.c", "--", "-Xclang", "-load", "-Xclang", "./plugin.so", "-o", str(self.marker)]):
            with self.subTest(words):
                self.hold(*words)

    def names(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.iterdir() if path.is_file())


if __name__ == "__main__":
    unittest.main()
