"""tilerace scan: the same verdicts as over the bytecode that went in.

    test_scan.py TILERACE
"""

import json
import os
import shutil
import subprocess
import sys
import unittest

import common
from common import RACY, ROOT

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
MODULES = ["kernels/cpp/aligned_copy.tilebc", "kernels/cpp/matmul_swizzle.tilebc",
           "kernels/python/softmax.tilebc"]


class Scan(common.Case):
    def setUp(self):
        super().setUp()
        self.modules = [ROOT / m for m in MODULES if (ROOT / m).exists()]
        self.assertGreaterEqual(len(self.modules), 2)

    def report(self, *words, code=0):
        run = self.run_in(TILERACE, *words, "--format", "json")
        self.assertEqual(run.returncode, code, run.stderr)
        return json.loads(run.stdout)["inputs"], run.stderr

    @staticmethod
    def verdicts(inputs):
        return [(k["kernel"], k["verdict"], [r["text"] for r in k["requires"]],
                 [f["message"] for f in k["findings"]]) for i in inputs for k in i["kernels"]]

    def object(self, name, module):
        """An object of the host with the module's bytes in its data."""
        bytes_ = ", ".join(str(b) for b in module.read_bytes())
        (self.folder / f"{name}.c").write_text(
            f"const unsigned char {name}[] = {{{bytes_}}};\n")
        subprocess.run(["gcc", "-c", f"{name}.c", "-o", f"{name}.o"], cwd=self.folder, check=True)
        return f"{name}.o"

    def test_same_verdicts(self):
        shutil.copytree(ROOT / "kernels", self.folder / "k")  # without their launch contracts
        for path in (self.folder / "k").rglob("*.launch.json"):
            path.unlink()
        modules = [self.folder / "k" / m.relative_to(ROOT / "kernels") for m in self.modules]
        objects = [self.object(f"m{i}", m) for i, m in enumerate(modules)]
        plain = self.verdicts(self.report("check", *modules)[0])
        self.assertEqual(self.verdicts(self.report("scan", *objects)[0]), plain)
        self.assertEqual(self.verdicts(self.report("scan", *modules)[0]), plain)
        (self.folder / "main.c").write_text("int main(void) { return 0; }\n")
        subprocess.run(["gcc", "main.c", *objects, "-o", "program"], cwd=self.folder, check=True)
        inputs, _ = self.report("scan", "program")
        self.assertEqual(sorted(self.verdicts(inputs)), sorted(plain))
        self.assertEqual([i["file"] for i in inputs],
                         [f"program[{i + 1}]" for i in range(len(modules))])
        subprocess.run(["gcc", "-shared", "-fPIC", *objects, "-o", "libk.so"], cwd=self.folder,
                       check=True)
        self.assertEqual(sorted(self.verdicts(self.report("scan", "libk.so")[0])), sorted(plain))
        subprocess.run(["ar", "rc", "libk.a", *objects], cwd=self.folder, check=True)
        inputs, _ = self.report("scan", "libk.a")
        self.assertEqual(self.verdicts(inputs), plain)
        self.assertEqual([i["file"] for i in inputs], [f"libk.a({o})" for o in objects])

    def test_race(self):
        (self.folder / "k.c").write_text(RACY)
        self.run_in(TILERACE, "cc", "-c", "k.c", "-o", "k.o", "-Wno-race")
        run = self.run_in(TILERACE, "scan", "k.o")
        self.assertEqual(run.returncode, 1)
        self.assertIn("k.c:5:5: error: ", run.stdout)
        self.assertIn("[TR001]", run.stdout)

    def test_nothing_there(self):
        (self.folder / "text.o").write_text("no kernel")
        run = self.run_in(TILERACE, "scan", "text.o", self.modules[0])
        self.assertEqual(run.returncode, 0)
        self.assertIn("text.o: note: there is no Tile IR in it\n", run.stderr)
        run = self.run_in(TILERACE, "scan", "text.o")
        self.assertEqual(run.returncode, 2)
        self.assertIn("no Tile IR was found", run.stderr)

    def test_ourselves(self):
        """The program knows the magic number, and carries the two kernels of `selftest`."""
        inputs, said = self.report("scan", TILERACE, code=1)
        self.assertEqual([k["verdict"] for i in inputs for k in i["kernels"]],
                         ["race", "race-free"])
        self.assertEqual(said, "")

    def test_what_is_no_file(self):
        (self.folder / "empty").write_text("")
        os.mkfifo(self.folder / "fifo")
        for name, why in (("gone", "No such file"), ("empty", "is empty"), ("fifo", "is no file"),
                          (".", "is no file"), ("/dev/zero", "is no file")):
            run = self.run_in(TILERACE, "scan", name, self.modules[0])
            self.assertEqual(run.returncode, 2, name)
            self.assertIn(f"{name}: error: ", run.stderr)
            self.assertIn(why, run.stderr)
            self.assertIn("1 kernel", run.stdout)  # the other one is checked

    def test_damaged(self):
        data = self.modules[0].read_bytes()
        (self.folder / "cut.o").write_bytes(b"x" * 100 + data[:len(data) // 2])
        run = self.run_in(TILERACE, "scan", "cut.o", self.modules[1])
        self.assertEqual(run.returncode, 2)
        self.assertIn("cut.o: error: the Tile IR at byte 100 cannot be read: ", run.stderr)


if __name__ == "__main__":
    unittest.main()
