"""Programs that ask NVRTC for Tile IR, under `tilerace exec` on a driver that is not ours.

    test_nvrtc.py BUILD

With TILERACE_NVRTC in the environment, the path of NVIDIA's libnvrtc.so.13 of version 13.3 or newer
with its headers in ../include (as PyPI's nvidia-cuda-nvrtc, -runtime, -crt and -cccl have them
together), that library is tested, too.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PROGRAM = str(ROOT / "tests" / "capture" / "programs" / "nvrtc.py")

RACY = """#include <tile.h>
tile_kernel void kernel(float *x, long n)
{
    x[tile_bid(0) / 2] = 1.0f;
}
"""
CLEAN = RACY.replace("tile_bid(0) / 2", "tile_bid(0)")
CUDA = """#include <cuda_tile.h>
namespace ct = cuda::tiles;
extern "C" __tile_global__ void kernel(float *x, long n)
{
    auto tiles = ct::partition_view{ct::tensor_span{x, ct::extents{n}}, ct::shape<64>{}};
    tiles.store_masked(tiles.load_masked(ct::bid().x) + 1.0f, ct::bid().x / 2);
}
"""


class Nvrtc(unittest.TestCase):
    def launch(self, library, source, how, opened, code):
        with tempfile.TemporaryDirectory() as folder:
            if source is CUDA:
                program = pathlib.Path(folder) / "kernel.cu"
                program.write_text(source)
            else:
                (pathlib.Path(folder) / "kernel.c").write_text(source)
                program = pathlib.Path(folder) / "kernel.tilebc"
                subprocess.run([BUILD / "tilerace", "compile", "kernel.c", "-o", program],
                               cwd=folder, check=True)
            run = subprocess.run([BUILD / "tilerace", "exec", "--no-recording", "--",
                                  sys.executable, PROGRAM, library, program, how, opened],
                                 capture_output=True, text=True, check=False, timeout=120,
                                 env={**os.environ,
                                      "LD_LIBRARY_PATH": str(BUILD / "tests" / "silent_driver")})
        self.assertEqual((run.returncode, run.stdout), (code, "launched\n"), run.stderr)
        self.assertIn("1 kernel seen in 1 module, 1 launched, 0 launched but never seen",
                      run.stderr)
        return run.stderr

    def test_launches(self):
        library = str(BUILD / "tests" / "libnvrtc.so.13")
        for how in "loaded", "assembled":
            for opened in "local", "global":
                said = self.launch(library, RACY, how, opened, 1)
                self.assertIn("different tile blocks write the same elements", said)
                self.assertIn("1 held", self.launch(library, CLEAN, how, opened, 0))

    @unittest.skipUnless(os.environ.get("TILERACE_NVRTC"), "TILERACE_NVRTC names no NVRTC")
    def test_real(self):
        for how in "loaded", "assembled":
            for opened in "local", "global":
                said = self.launch(os.environ["TILERACE_NVRTC"], CUDA, how, opened, 1)
                self.assertIn("kernel.cu:6:", said)
                self.assertIn("different tile blocks write the same elements", said)


if __name__ == "__main__":
    unittest.main()
