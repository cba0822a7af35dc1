"""tilerace judge: candidates of CUDA Tile C++ with macros and tuning values, each combination compiled.

    test_judge_cuda.py TILERACE DOCS [NVCC]

A script stands in for nvcc: by its -D options it hands out a module that is there already, or fails. With the path of
nvcc, that compiles some, too.
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
NVCC = pathlib.Path(os.path.abspath(sys.argv.pop(1))) if len(sys.argv) > 1 and "/" in sys.argv[1] else None
# What compiles maps less than a sanitizer does.
SANITIZED = os.path.isfile(TILERACE) and b"__asan_init" in pathlib.Path(TILERACE).read_bytes()

STAND_IN = """#!/bin/sh
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
        (self.folder / "nvcc").write_text(STAND_IN)
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


# A grid of cdiv(n, 256) tile blocks is right for one TILE; WIDTH, of the tiles that it takes them in, changes nothing.
REAL = """#include <cuda_tile.h>

namespace ct = cuda::tiles;

static_assert(TILE % WIDTH == 0, "WIDTH does not divide TILE");

__tile_global__ void add(const float *a, const float *b, float *c, int n)
{
    auto tiles = [n](auto *data) {
        return ct::partition_view{ct::tensor_span{data, ct::extents{n}}, ct::shape<WIDTH>{}};
    };
    auto first = ct::bid().x * 256 / TILE * (TILE / WIDTH);
    for (int k = 0; k < TILE / WIDTH && (first + k) * WIDTH < n; k++)
        tiles(c).store_masked(tiles(a).load_masked(first + k) + tiles(b).load_masked(first + k), first + k);
}
"""
PLAIN = """#include <tile.h>

tile_kernel void plain(const float *a, const float *b, float *c, int n)
{
    tile_grid(tile_cdiv(n, 64));
    tile_extent(a, n);
    tile_extent(b, n);
    tile_extent(c, n);
    tile_view in_a = tile_partition(tile_tensor(a, n), 64), in_b = tile_partition(tile_tensor(b, n), 64);
    tile_store(tile_partition(tile_tensor(c, n), 64), tile_load(in_a, tile_bid(0)) + tile_load(in_b, tile_bid(0)),
               tile_bid(0));
}
"""


@unittest.skipUnless(NVCC, "no nvcc was named")
@unittest.skipIf(SANITIZED, "a sanitizer maps more than the process that compiles may have")
class Nvcc(unittest.TestCase):
    """nvcc itself, which takes a second or two for each combination."""
    LAUNCH = {"grid": ["cdiv(n, 256)"], "args": [{"name": "a", "elements": "n"}, {"name": "b", "elements": "n"},
                                                 {"name": "c", "elements": "n"}, {"name": "n", "min": 1, "max": 100000}]}

    def judge(self, *words, source=REAL, **more):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("add.cu", source), ("plain.c", PLAIN), ("context.json", json.dumps(
                    {"kernel": "add.cu", "launch": self.LAUNCH, "reference": "plain.c", **more}))):
                (pathlib.Path(folder) / name).write_text(text)
            run = subprocess.run([TILERACE, "judge", "--format", "json", *words, "context.json"], cwd=folder,
                                 capture_output=True, text=True, check=False,
                                 env={**os.environ, "PATH": f"{NVCC.parent}:/usr/bin:/bin"})
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_tuning_values(self):
        own = self.judge(tune={"TILE": [256, 512, 128], "WIDTH": [64, 3, 256]})["tilerace"]
        classes = {tuple(row["values"]): row["class"] for row in own["tuning"]["combinations"]}
        # 3 divides none of them, and 256 does not divide 128, which the static_assert says.
        self.assertEqual(classes, {
            (256, 64): "passed", (256, 3): "wrong-tuning-value", (256, 256): "passed",
            (512, 64): "race", (512, 3): "wrong-tuning-value", (512, 256): "race",
            (128, 64): "incomplete", (128, 3): "wrong-tuning-value", (128, 256): "wrong-tuning-value"})
        self.assertEqual(own["class"], "race")
        self.assertIn("WIDTH does not divide TILE", own["feedback"])
        self.assertEqual({fault["rule"] for fault in own["faults"]}, {"TR001"})
        self.assertEqual(own["faults"][0]["line"], 14)

    def test_what_only_nvcc_refuses(self):
        """A tile whose extent is no power of two."""
        source = REAL.replace("static_assert", "// ")
        own = self.judge(source=source, tune={"TILE": [256], "WIDTH": [128, 96, 32]})["tilerace"]
        self.assertEqual([row["class"] for row in own["tuning"]["combinations"]],
                         ["passed", "wrong-tuning-value", "passed"], own["feedback"])
        own = self.judge(source=source, tune={"TILE": [256], "WIDTH": [96, 0]})["tilerace"]
        self.assertEqual(own["class"], "does-not-compile")

    def test_macros(self):
        for tile, class_ in ((256, "passed"), (512, "race"), (64, "incomplete")):
            kernel = {"file": "add.cu", "defines": {"TILE": tile, "WIDTH": 32}}
            self.assertEqual(self.judge(kernel=kernel)["tilerace"]["class"], class_)

    def test_launches_of_the_solver(self):
        """Also those of what nvcc made."""
        source = REAL.replace("tiles(b).load_masked(first + k)", "tiles(b).load_masked(n == 53 * 53 ? first : first + k)")
        tune = {"TILE": [256], "WIDTH": [64]}
        launches = self.judge("--worst-launches", source=source, tune=tune)["launches"]
        self.assertTrue(any(of["values"]["n"] == 53 * 53 for of in launches), launches)
        self.assertEqual(self.judge(source=source, tune=tune)["tilerace"]["class"], "wrong-result")


if __name__ == "__main__":
    unittest.main()
