"""Programs that `tilerace exec` does not start, with the shim in CUDA_INJECTION64_PATH, on a driver that
is not ours and a CUPTI that tells what the program says.

    test_injection.py BUILD
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).parents[2]
SHIM = str(BUILD / "capture" / "libtilerace-preload.so")
CUPTI = str(BUILD / "tests" / "libcupti.so.13")

KERNEL = """#include <tile.h>
tile_kernel void kernel(float *x, long n)
{
    x[tile_bid(0) % 4] = 1.0f;
}
"""
PROGRAM = """
import ctypes, os, struct, sys
driver = ctypes.CDLL("libcuda.so.1")
assert driver.cuInit(0) == 0
cupti = ctypes.CDLL(os.environ.get("TILERACE_CUPTI") or None)
tells = hasattr(cupti, "fake_cupti_tell")
P, I = ctypes.c_void_p, ctypes.c_uint
IDS, name = {}, ctypes.c_char_p()
while tells and cupti.cuptiGetCallbackName(1, len(IDS) + 1, ctypes.byref(name)) == 0:
    IDS[name.value.decode()] = len(IDS) + 1

def call(name, *arguments):
    class Parameters(ctypes.Structure):
        _fields_ = [("p%d" % i, type(a)) for i, a in enumerate(arguments)]
    parameters, result = Parameters(*arguments), ctypes.c_int(0)
    if tells:
        cupti.fake_cupti_tell(0, IDS[name], ctypes.byref(parameters), None)
    result.value = getattr(driver, name)(*arguments)
    if tells:
        cupti.fake_cupti_tell(1, IDS[name], ctypes.byref(parameters), ctypes.byref(result))
    return result.value

handle, kernel, array, count = P(), P(), ctypes.c_uint64(), ctypes.c_int64(64)
assert driver.cuCtxCreate_v2(ctypes.byref(handle), 0, 0) == 0
image = ctypes.create_string_buffer(open("kernel.tilebc", "rb").read())
assert call("cuModuleLoadData", P(ctypes.addressof(handle)), P(ctypes.addressof(image))) == 0
name = ctypes.create_string_buffer(b"kernel")
assert call("cuModuleGetFunction", P(ctypes.addressof(kernel)), handle,
            P(ctypes.addressof(name))) == 0
assert call("cuMemAlloc_v2", P(ctypes.addressof(array)), ctypes.c_size_t(4096)) == 0
words = (P * 2)(ctypes.addressof(array), ctypes.addressof(count))
of_kernel, words = words, P(ctypes.addressof(words))

class Config(ctypes.Structure):
    _fields_ = [("shape", I * 7), ("stream", P), ("attributes", P), ("n", I)]

class Node(ctypes.Structure):
    _fields_ = [("function", P), ("shape", I * 7), ("words", P), ("extra", P), ("kernel", P),
                ("context", P)]

def config(grid):
    return P(ctypes.addressof(keep(Config((I * 7)(grid, 1, 1, 1, 1, 1, 0)))))

def node(grid):
    graph, added = keep(P()), keep(P())
    assert driver.cuGraphCreate(ctypes.byref(graph), 0) == 0
    of = keep(Node(kernel, (I * 7)(grid, 1, 1, 1, 1, 1, 0), words))
    return (P(ctypes.addressof(added)), graph, P(), ctypes.c_size_t(0), P(ctypes.addressof(of)))

kept = []  # what is pointed at lives until the end
def keep(thing):
    kept.append(thing)
    return thing

def shape(grid):
    return (kernel, I(grid), I(1), I(1), I(1), I(1), I(1), I(0), P())

# The arguments of each function that launches, for a grid.
LAUNCHES = {
    "cuLaunchKernel": lambda grid: (*shape(grid), words, P()),
    "cuLaunchKernelEx": lambda grid: (config(grid), kernel, words, P()),
    "cuLaunchCooperativeKernel": lambda grid: (*shape(grid), words),
    "cuGraphAddKernelNode": node,
    "cuGraphAddKernelNode_v2": node,
}
for launch in sys.argv[1:]:
    name, grid = launch.split(":") if ":" in launch else ("cuLaunchKernel", launch)
    arguments = LAUNCHES.get(name.removesuffix("_ptsz"))
    if not arguments:
        sys.exit(f"LAUNCHES of test_injection.py lacks the arguments of {name}")
    assert call(name, *arguments(int(grid))) == 0
if tells:
    assert cupti.fake_cupti_enabled() in (0, len(IDS) - 2), "those that matter"
print("launched")
"""


class Injection(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)
        (self.folder / "kernel.c").write_text(KERNEL)
        subprocess.run([BUILD / "tilerace", "compile", "kernel.c", "-o", "kernel.tilebc"],
                       cwd=self.folder, check=True)
        self.socket = self.folder / "socket"

    def serve(self, *options, **environment):
        server = subprocess.Popen([BUILD / "tilerace", "serve", "--listen", self.socket, *options],
                                  stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, **environment})
        self.addCleanup(server.wait)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.terminate)  # of a test that fails; else it has ended
        until = time.monotonic() + 30
        while not self.socket.exists() and server.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        return server

    def end(self, server, code):
        server.send_signal(signal.SIGTERM)
        said = server.stderr.read()
        self.assertEqual(server.wait(30), code, said)
        self.assertFalse(self.socket.exists())
        return said

    def run_program(self, *grids, cupti=CUPTI, **environment):
        env = {"LD_LIBRARY_PATH": str(BUILD / "tests" / "silent_driver"),
               "CUDA_INJECTION64_PATH": SHIM, "TILERACE_CAPTURE": str(self.socket),
               "TILERACE_CUPTI": cupti, **environment}
        run = subprocess.run([sys.executable, "-c", PROGRAM, *grids], cwd=self.folder,
                             capture_output=True, text=True, check=False, timeout=60,
                             env={**os.environ, **env})
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "launched\n", ""))

    def test_launches(self):
        server = self.serve()
        self.run_program("4")
        self.run_program("4", "8", "8")
        said = self.end(server, 1)
        self.assertIn(f"TILERACE_CAPTURE={self.socket}\nCUDA_INJECTION64_PATH={SHIM}\n", said)
        self.assertIn("different tile blocks write the same elements", said)
        self.assertIn("1 kernel seen in 1 module, 1 launched, 0 launched but never seen\n", said)
        self.assertIn("1 racy, 0 not decided; different launches: 2 held, 1 raced", said)

    def test_each_function_that_launches(self):
        """Their parameters are read as the driver has them."""
        table = (ROOT / "capture/preload/injected.def").read_text()
        functions = re.findall(r"^ROW\((cu\w+), BEFORE", table, re.M)
        self.assertIn("cuLaunchKernel", functions)
        for function in functions:
            with self.subTest(function):
                self.socket = self.folder / function
                server = self.serve()
                self.run_program(f"{function}:8")
                self.assertIn("0 held, 1 raced", self.end(server, 1))

    def test_clean(self):
        server = self.serve()
        self.run_program("4")
        self.assertIn("1 held", self.end(server, 0))

    def test_nobody_listens(self):
        self.run_program("8")
        self.run_program("8", TILERACE_CAPTURE="")

    def test_no_cupti(self):
        """Nothing that was not looked at passes."""
        server = self.serve()
        program = """
            import ctypes
            assert ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
        """
        subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, timeout=60,
                       env={**os.environ, "CUDA_INJECTION64_PATH": SHIM,
                            "LD_LIBRARY_PATH": str(BUILD / "tests" / "silent_driver"),
                            "TILERACE_CAPTURE": str(self.socket),
                            "TILERACE_CUPTI": "/nowhere/libcupti.so"})
        said = self.end(server, 2)
        self.assertIn("libcupti, by which CUDA_INJECTION64_PATH sees calls, cannot be opened", said)

    def test_launches_cannot_be_stopped(self):
        server = self.serve(TILERACE="error")
        self.run_program("8", "8")
        said = self.end(server, 2)
        self.assertIn("CUDA_INJECTION64_PATH gives no way to do that", said)
        self.assertIn("1 raced", said)

    def test_preloaded_too(self):
        """Then CUPTI is left alone."""
        server = self.serve()
        self.run_program("8", LD_PRELOAD=SHIM)
        self.assertIn("0 held, 1 raced", self.end(server, 1))

    def test_socket_that_cannot_be(self):
        server = self.serve()
        again = self.serve()
        self.assertIn("the checker cannot listen at", again.stderr.read())
        self.assertEqual(again.wait(30), 2)
        self.end(server, 0)


if __name__ == "__main__":
    unittest.main()
