"""tilerace judge: candidates of CUDA Tile C++ with macros and tuning values, each combination compiled.

    test_judge_cuda.py TILERACE DOCS

A script stands in for nvcc: by its -D options it hands out a module that is there already, or fails.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "docs").resolve().parent
# What compiles maps less than a sanitizer does.
SANITIZED = os.path.isfile(TILERACE) and b"__asan_init" in pathlib.Path(TILERACE).read_bytes()

NVCC = """#!/bin/sh
module=right; size=
for word in "$@"; do
    case $word in
    -DHALF=1) module=racy ;;
    -DBM=*) size=${word#-DBM=} ;;
    -DSTAGES=9) size=broken ;;
    esac
done
case $size in
broken) echo "k.cu(1): error: too many stages" >&2; exit 2 ;;
3) echo "k.cu(2): error: 3 is no power of two" >&2; exit 2 ;;
256) module=racy ;;
512) module=junk ;;
esac
while [ $# -gt 0 ]; do case $1 in -o) cp "$MODULES/$module.tilebc" "$2" ;; esac; shift; done
"""


@unittest.skipIf(SANITIZED, "a sanitizer maps more than the process that compiles may have")
class Cuda(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "nvcc").write_text(NVCC)
        (self.folder / "nvcc").chmod(0o755)
        (self.folder / "k.cu").write_text("#include <cuda_tile.h>\n__tile_global__ void k();\n")
        racy = ROOT / "fixtures/races/cpp/vector_add_half_index"
        (self.folder / "racy.tilebc").write_bytes(racy.with_suffix(".tilebc").read_bytes())
        (self.folder / "right.tilebc").write_bytes((ROOT / "kernels/cpp/vector_add.tilebc").read_bytes())
        (self.folder / "junk.tilebc").write_bytes(b"junk")
        launch = json.loads(racy.with_suffix(".launch.json").read_text())["launches"][0]
        self.launch = {key: of for key, of in launch.items() if key != "kernel"}

    def judge(self, kernel="k.cu", **more):
        (self.folder / "context.json").write_text(json.dumps({"kernel": kernel, "launch": self.launch, **more}))
        run = subprocess.run([TILERACE, "judge", self.folder / "context.json", "--format", "json"], capture_output=True,
                             text=True, check=False, env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin",
                                                          "MODULES": str(self.folder)})
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)["tilerace"]

    def combinations(self, own):
        return {tuple(row["values"]): row["class"] for row in own["tuning"]["combinations"]}

    def test_macros(self):
        self.assertEqual(self.judge()["class"], "passed")
        self.assertEqual(self.judge({"file": "k.cu", "defines": {"HALF": 1}})["class"], "race")
        self.assertEqual(self.judge({"file": "k.cu", "defines": {"HALF": 2}})["class"], "passed")

    def test_tuning_values(self):
        """Each combination is compiled and judged by itself."""
        own = self.judge(tune={"BM": [64, 256, 3, 128]})
        self.assertEqual(self.combinations(own), {(64,): "passed", (256,): "race", (3,): "wrong-tuning-value",
                                                  (128,): "passed"})
        self.assertEqual(own["class"], "race")
        own = self.judge(tune={"BM": [64, 512], "STAGES": [1, 9]})
        self.assertEqual(self.combinations(own), {
            (64, 1): "passed", (64, 9): "wrong-tuning-value",
            (512, 1): "unknown",  # what nvcc made is no bytecode: nobody knows whose fault that is
            (512, 9): "wrong-tuning-value"})
        self.assertEqual(own["class"], "unknown")
        own = self.judge({"file": "k.cu", "defines": {"HALF": 1}}, tune={"BM": [64, 128]})
        self.assertEqual(set(self.combinations(own).values()), {"race"})

    def test_none_of_them_compiles(self):
        own = self.judge(tune={"STAGES": [9, 9]})
        self.assertEqual(own["class"], "does-not-compile")
        self.assertIn("too many stages", own["feedback"])

    def test_more_than_are_compiled(self):
        own = self.judge(tune={"BM": {"from": 1, "to": 300}})
        self.assertEqual(own["class"], "unknown")
        self.assertIn("300 combinations of tuning values; at most 256", own["feedback"])


if __name__ == "__main__":
    unittest.main()
