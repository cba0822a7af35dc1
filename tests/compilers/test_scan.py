"""tilerace scan: the same verdicts as over the bytecode that went in.

    test_scan.py TILERACE
"""

import json
import os
import shutil
import struct
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
        for name, why in (("gone", "No such file"), ("empty", "is empty"), ("fifo", "is not a regular file"),
                          ("/dev/zero", "is not a regular file")):
            run = self.run_in(TILERACE, "scan", name, self.modules[0])
            self.assertEqual(run.returncode, 2, name)
            self.assertIn(f"{name}: error: ", run.stderr)
            self.assertIn(why, run.stderr)
            self.assertIn("1 kernel", run.stdout)  # the other one is checked

    def verdicts_of(self, name, data):
        """Of bytes that may be damaged: it ends well, or says what is wrong."""
        (self.folder / name).write_bytes(data)
        run = self.run_in(TILERACE, "scan", name, "--format", "json")
        self.assertIn(run.returncode, (0, 1, 2), run.stderr)
        self.assertTrue(run.returncode != 2 or run.stderr, name)
        return self.verdicts(json.loads(run.stdout)["inputs"]) if run.stdout else []

    def test_object_that_is_cut(self):
        """Anywhere: what is whole in it is found, and nothing else is told."""
        self.object("m", self.modules[0])
        data = (self.folder / "m.o").read_bytes()
        start = data.index(self.modules[0].read_bytes()[:64])
        end = start + self.modules[0].stat().st_size
        whole = self.verdicts_of("whole.o", data)
        self.assertEqual(len(whole), 1)
        for at in (*range(0, len(data), len(data) // 24), start + 1, end - 1, end, len(data) - 1):
            self.assertEqual(self.verdicts_of("cut.o", data[:at]), whole if at >= end else [], at)

    def test_tables_that_lie(self):
        """Sections that overlap, are as large as they can be, or lie outside: the same verdict."""
        self.object("m", self.modules[0])
        data = bytearray((self.folder / "m.o").read_bytes())
        whole = self.verdicts_of("whole.o", bytes(data))
        table, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        for offset, length in ((0, len(data)), (0, 2 ** 64 - 1), (2 ** 63, 8), (len(data) - 1, 9)):
            lying = bytearray(data)
            for i in range(count):
                struct.pack_into("<QQ", lying, table + i * size + 24, offset, length)
            self.assertEqual(self.verdicts_of("lying.o", bytes(lying)), whole)
        for at in (40, 58, 60, 62):  # of the header: where the table is, and how large
            lying = bytearray(data)
            struct.pack_into("<H", lying, at, 0xffff)
            self.assertEqual(self.verdicts_of("lying.o", bytes(lying)), whole)

    def test_archive_that_lies(self):
        self.object("m", self.modules[0])
        subprocess.run(["ar", "rc", "libm.a", "m.o"], cwd=self.folder, check=True)
        data = (self.folder / "libm.a").read_bytes()
        whole = self.verdicts_of("whole.a", data)
        at = data.index(b"`\n", data.index(b"m.o/")) - 10  # the member's size
        for size in (b"0         ", b"9999999999", b"-1        ", b"x         "):
            self.assertEqual(self.verdicts_of("lying.a", data[:at] + size + data[at + 10:]), whole)

    def test_fat_binaries(self):
        """As a module is, and in frames of LZ4 and Zstandard, for two GPUs, behind machine code."""
        data = self.modules[0].read_bytes()
        n = len(data)
        lz4 = b"\xf0" + b"\xff" * ((n - 15) // 255) + bytes([(n - 15) % 255]) + data
        zstd = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", n) + \
            struct.pack("<I", n << 3 | 1)[:3] + data

        def entry(kind, gpu, bytes_, flags, unpacked):
            head = struct.pack("<HHIQIIIIQQQQQ", kind, 0, 72, -(-len(bytes_) // 8) * 8,
                               len(bytes_) if flags else 0, 0, 0, gpu, 0, flags | 0x11, 0,
                               unpacked if flags else 0, 0)
            return head + bytes_.ljust(-(-len(bytes_) // 8) * 8, b"\0")

        whole = self.verdicts_of("whole", data)
        self.assertEqual(len(whole), 1)
        for flags, image in ((0, data), (0x2000, lz4), (0x8000, zstd)):
            entries = entry(2, 90, b"machine code", 0, 0) + entry(0x80, 90, image, flags, n) + \
                entry(0x80, 100, image, flags, n)
            fatbin = struct.pack("<IHHQ", 0xba55ed50, 1, 16, len(entries)) + entries
            self.assertEqual(self.verdicts_of("k.o", b"noise" * 21 + fatbin + b"noise"), whole)
        bad = fatbin[:16 + 88 + 72 + 4] + b"\xff" * 9 + fatbin[16 + 88 + 72 + 13:]
        (self.folder / "bad.o").write_bytes(bad)
        run = self.run_in(TILERACE, "scan", "bad.o")
        self.assertEqual(run.returncode, 2)
        self.assertIn("bad.o[1]: error: the Tile IR at byte 104 cannot be read: ", run.stderr)

    def test_large(self):
        """A program of 100 MB, and a module of that size in it that is none."""
        data = self.modules[0].read_bytes()
        with (self.folder / "large").open("wb") as file:
            file.seek(100 << 20)
            file.write(data)
        self.assertEqual(len(self.report("scan", "large")[0]), 1)
        with (self.folder / "cut").open("wb") as file:
            file.write(data[:len(data) // 2])
            file.truncate(100 << 20)
        run = self.run_in(TILERACE, "scan", "cut")
        self.assertEqual(run.returncode, 2)
        self.assertIn("cut: error: ", run.stdout + run.stderr)

    def test_damaged(self):
        data = self.modules[0].read_bytes()
        (self.folder / "cut.o").write_bytes(b"x" * 100 + data[:len(data) // 2])
        run = self.run_in(TILERACE, "scan", "cut.o", self.modules[1])
        self.assertEqual(run.returncode, 2)
        self.assertIn("cut.o: error: the Tile IR at byte 100 cannot be read: ", run.stderr)


if __name__ == "__main__":
    unittest.main()
