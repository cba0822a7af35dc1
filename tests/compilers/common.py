"""What the tests of compilers share: kernels, a folder for each test, a compiler that stands for
nvcc, and recordings of launches."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Assemblers of the tests take no time, and a check may take a tenth of that (test_late.py).
os.environ.setdefault("TILERACE_WAIT", "300")

RACY = """#include <tile.h>
tile_kernel void halves(float *restrict y)
{
    tile_grid(8);
    y[tile_bid(0) / 2] = 1.0f;
}
"""
CLEAN = RACY.replace("tile_bid(0) / 2", "tile_bid(0)")
# How a solver of the tests begins that has something done to who asks it. In between is tilerace-guard,
# and no solver can send a signal to either where Landlock holds it: the test does what follows `outside`.
SOLVER = """#!/bin/sh
CHECKER=$PPID
read -r NAME </proc/$PPID/comm
[ "$NAME" != tilerace-guard ] || CHECKER=$(cut -d' ' -f4 /proc/$PPID/stat)
outside() {
    echo "$@" >new.$$ && mv new.$$ outside.$$
    while [ -e outside.$$ ]; do sleep 0.02; done
}
"""
# Whether it races depends on its launch, of which it states the sizes.
CONDITIONAL = """#include <tile.h>
tile_kernel void scatter(float *restrict y, const int *restrict place)
{
    tile_grid(8);
    tile_extent(place, 8);
    y[place[tile_bid(0)]] = 1.0f;
}
"""
# The same, and it states nothing.
OPEN = """#include <tile.h>
tile_kernel void scatter(float *restrict y, const int *restrict place)
{
    y[place[tile_bid(0)]] = 1.0f;
}
"""
# What needs a solver: with a source's own statements, and without.
NEEDS_SOLVER = (ROOT / "kernels/stream_k.c").read_text()
NEEDS_SOLVER_ALWAYS = (ROOT / "kernels/layer_norm.c").read_text()

# Stands for nvcc: notes its words, says something on both streams, and makes what -o names of the
# last source, which is in the dialect.
FAKE_NVCC = """#!/bin/sh
printf '%s\\n' "$@" > words.$$ && mv words.$$ words
echo to stdout; echo to stderr >&2
[ -z "$FAKE_SIGNAL" ] || kill -$FAKE_SIGNAL $$
[ -z "$FAKE_CODE" ] || exit $FAKE_CODE
out= source= bytecode=
while [ $# -gt 0 ]; do
    case $1 in
    -o) out=$2; shift ;;
    --tilebc) bytecode=1 ;;
    *.cu) source=$1 ;;
    esac
    shift
done
[ -n "$source" ] || exit 0
[ -n "$out" ] || out=$(basename "$source" .cu).o
[ "$out" = /dev/null ] && exit 0
cp "$source" "$out.c"
if [ -n "$bytecode" ]; then made=$out.tilebc; else made=$out.made.o; fi
TILERACE cc -Wno-race -c "$out.c" -o "$made" && mv "$made" "$out"
status=$?
rm -f "$out.c"
exit $status
"""

# Loads a module and launches a kernel of it: MODULE KERNEL GRID BUFFER..., each buffer as its
# number of bytes, or the 32-bit integers in it.
LAUNCHES = """import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
module, function, context = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
def call(name, *words):
    assert getattr(cuda, name)(*words) == 0, name
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), open(sys.argv[1], "rb").read())
call("cuModuleGetFunction", ctypes.byref(function), module, sys.argv[2].encode())
buffers = []
for word in sys.argv[4:]:
    values = [int(v) for v in word.split(",")] if "," in word else []
    size = 4 * len(values) or int(word)
    buffers.append(ctypes.c_uint64())
    call("cuMemAlloc_v2", ctypes.byref(buffers[-1]), ctypes.c_size_t(size))
    if values:
        array = (ctypes.c_int * len(values))(*values)
        call("cuMemcpyHtoD_v2", buffers[-1], array, ctypes.c_size_t(size))
pointers = (ctypes.c_void_p * len(buffers))(
    *[ctypes.cast(ctypes.byref(b), ctypes.c_void_p) for b in buffers])
call("cuLaunchKernel", function, int(sys.argv[3]), 1, 1, 1, 1, 1, 0, None, pointers, None)
"""


def is_sanitized(tilerace):
    """A Python that is not built with sanitizers cannot load a driver that is."""
    return b"__asan_init" in pathlib.Path(tilerace).read_bytes()


class Case(unittest.TestCase):
    """A folder of its own, and programs that run in it."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilerace-compilers-"))
        self.addCleanup(shutil.rmtree, self.folder)
        over = threading.Event()
        helper = threading.Thread(target=self.do_outside, args=(over,))
        helper.start()
        self.addCleanup(helper.join)
        self.addCleanup(over.set)

    def do_outside(self, over):
        """What solvers of the tests ask to have done (SOLVER)."""
        while not over.wait(0.02):
            for asked in self.folder.glob("outside.*"):
                subprocess.run(["sh", "-c", asked.read_text()], check=False)
                asked.unlink()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def write_nvcc(self, tilerace):
        program = self.write("bin/nvcc", FAKE_NVCC.replace("TILERACE", str(tilerace)))
        program.chmod(0o755)
        return program

    def write_killer(self):
        """A solver that kills the checker that asks it."""
        program = self.write("killer", SOLVER + "outside kill -ABRT $CHECKER\n")
        program.chmod(0o755)
        return str(program)

    def run_in(self, *words, stdin=None, **env):
        return subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True,
                              text=True, check=False, stdin=stdin, timeout=600,
                              env=dict(os.environ, **env))

    def record(self, tilerace, module, kernel, *words, recording=".tilerace"):
        """Launches the kernel on the stand-in driver under `tilerace exec`."""
        self.write("launches.py", LAUNCHES)
        run = self.run_in(tilerace, "exec", "--dry-run", "--recording", recording, "--",
                          sys.executable, "launches.py", module, kernel, *words)
        self.assertIn("1 launched, 0 launched but never seen", run.stderr)
