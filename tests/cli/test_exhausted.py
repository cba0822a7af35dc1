"""A disk that is full, a file that may not grow, memory that ends: each is named as what it is.

    test_exhausted.py TILERACE
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
RACY = str(ROOT / "build/fixtures/races/matmul_counted_relaxed_unlock.c")
MODULE = str(ROOT / "kernels/python/matmul_grouped.tilebc")
# Programs built with a sanitizer reserve terabytes.
SANITIZED = b"__asan_init" in pathlib.Path(TILERACE).read_bytes()


class Exhausted(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_with(self, *words, limit=None, **options):
        def set_limit():
            if limit:
                resource.setrlimit(limit[0], (limit[1], limit[1]))
        return subprocess.run([TILERACE, *words], capture_output=True, text=True, check=False, timeout=120,
                              preexec_fn=set_limit, **options)

    def test_files_that_may_not_grow(self):
        small = (resource.RLIMIT_FSIZE, 64)
        done = self.run_with("check", RACY, "-o", str(self.folder / "report"), limit=small)
        self.assertEqual(done.returncode, 2)
        self.assertIn("report cannot be written: File too large", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])
        done = self.run_with("check", "--keep-obligations", str(self.folder / "kept"), RACY, limit=small)
        self.assertEqual(done.returncode, 2)
        self.assertIn(".smt2 cannot be written: File too large", done.stderr)
        self.assertIn("1 racy", done.stdout)
        self.assertEqual(list((self.folder / "kept").iterdir()), [])

    def test_full_disk(self):
        """/dev/full, and a file where a folder is to be."""
        done = self.run_with("check", RACY, "-o", "/dev/full")
        self.assertEqual(done.returncode, 2)
        self.assertIn("No space left on device", done.stderr)
        with open("/dev/full", "w") as full:
            done = subprocess.run([TILERACE, "check", RACY], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the output cannot be written: No space left on device", done.stderr)
        kernel = shutil.copy(RACY, self.folder / "k.c")
        for words in (["--keep-obligations", kernel], ["--keep-obligations", f"{kernel}/x"], ["-o", kernel]):
            before = pathlib.Path(kernel).read_bytes()
            done = self.run_with("check", *words, kernel)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(pathlib.Path(kernel).read_bytes(), before)

    @unittest.skipIf(SANITIZED, "a sanitizer reserves more memory than there is")
    def test_memory(self):
        """Whatever the limit is, there is an answer or a word, and no other cause is named."""
        answers = 0
        for megabytes in (50, 60, 300, 488, 1200):
            for name in (RACY, MODULE):
                with self.subTest((megabytes, name)):
                    done = self.run_with("check", name, limit=(resource.RLIMIT_AS, megabytes << 20))
                    said = done.stdout + done.stderr
                    self.assertNotIn("not found", said)
                    known = done.returncode in (0, 1) and "1 kernel:" in said
                    named = "memory" in said
                    self.assertTrue(known or named, (done.returncode, said[-300:]))
                    answers += known
        self.assertGreater(answers, 1)


if __name__ == "__main__":
    unittest.main()
