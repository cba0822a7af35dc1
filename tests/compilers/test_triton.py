"""Triton's Tile IR backend under the assembler of ours and under `tilerace exec`.

    test_triton.py BUILD

The backend is in no package that can be installed, so a stand-in of ours does what its driver code
does around a compilation: how it finds the assembler, the words, files and environment that it calls
it with, what it leaves in its cache, and that a failure may end in another backend. Both ways in which
its versions call the assembler are here. Modules come from `tilerace compile`.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = str(BUILD / "tilerace")
ASSEMBLER = BUILD / "assembler"
KERNELS = """#include <tile.h>
tile_kernel void halves(float *restrict y)
{
    y[tile_bid(0) / 2] = 1.0f;
}
"""
CLEAN = KERNELS.replace("tile_bid(0) / 2", "tile_bid(0)")

CONF = """
    import os, shutil, triton
    class TileIREnvConf:
        @staticmethod
        def get_tileiras_path():
            named = os.getenv("TRITON_TILEIRAS_PATH")
            if named is not None:
                return os.path.join(named, "tileiras")
            bundled = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia",
                                   "tileir_cuda", "bin", "tileiras")
            return bundled if os.access(bundled, os.X_OK) else shutil.which("tileiras")
"""
BACKEND = """
    import os, subprocess, tempfile
    from triton.backends.tileir.conf import TileIREnvConf

    def write_bytecode(src):
        if src.fails:
            raise RuntimeError("an op cannot be converted")
        with open(src.module, "rb") as module:
            return module.read()

    def run(command, log, **more):
        try:
            subprocess.run(command, check=True, close_fds=False, stderr=log, **more)
        except subprocess.CalledProcessError as error:
            raise RuntimeError("`tileiras` failed with error code %d" % error.returncode)

    # The bytecode is in the cache, machine code in a temporary file, CUDA_HOME for this call alone.
    def call_tileiras(src, folder):
        tileiras = TileIREnvConf.get_tileiras_path()
        command = [tileiras, "--gpu-name=sm_100", "--opt-level=3"]
        kept = os.path.join(folder, src.name + ".bytecode")
        with open(kept + ".tmp", "wb") as out:
            out.write(write_bytecode(src))
        os.replace(kept + ".tmp", kept)
        home = os.path.dirname(os.path.dirname(tileiras))
        with tempfile.NamedTemporaryFile(mode="w", suffix=".log") as log, \\
                tempfile.NamedTemporaryFile(suffix=".cubin") as code:
            run(command + [kept, "-o", code.name], log, env={**os.environ, "CUDA_HOME": home})
            with open(code.name, "rb") as made:
                return made.read()
"""
# The earlier way: all files are temporary, and none is kept.
EARLIER = BACKEND[:BACKEND.index("    # The bytecode")] + """
    def call_tileiras(src, folder):
        command = [TileIREnvConf.get_tileiras_path(), "--gpu-name=sm_100", "--opt-level=3"]
        with tempfile.NamedTemporaryFile(delete=False, mode="r", suffix=".log") as log, \\
                tempfile.NamedTemporaryFile(delete=False, mode="wb", suffix=".bytecode") as module:
            module.write(write_bytecode(src))
            module.flush()
            code = module.name + ".cubin"
            run(command + [module.name, "-o", code], log)
            os.remove(module.name)
        with open(code, "rb") as made:
            return made.read()
"""
COMPILER = """
    import collections, hashlib, json, os

    Target = collections.namedtuple("Target", "backend arch")

    class CompiledKernel:
        def __init__(self, src, group, hash):
            with open(group[src.name + ".json"]) as metadata:
                fields = json.load(metadata)
            self.metadata = collections.namedtuple("Metadata", "name target")(
                fields["name"], Target(*fields["target"]))
            self.metadata_group = group
            with open(group[src.name + ".cubin"], "rb") as code:
                self.kernel = code.read()

    def compile(src, target=None, options=None):
        from triton.backends.tileir.compiler import call_tileiras
        hash = hashlib.sha256((src.name + src.module).encode()).hexdigest()
        folder = os.path.join(os.environ["TRITON_CACHE_DIR"], hash)
        group = {src.name + end: os.path.join(folder, src.name + end)
                 for end in (".json", ".cubin")}
        if not os.path.exists(group[src.name + ".json"]):
            os.makedirs(folder, exist_ok=True)
            code = call_tileiras(src, folder)
            with open(group[src.name + ".cubin"], "wb") as out:
                out.write(code)
            with open(group[src.name + ".json"], "w") as out:
                json.dump({"name": src.name, "target": ["tileir", 100]}, out)
        return CompiledKernel(src, group, hash)
"""
# What stands for machine code: a table of names, and a section that tells code of Tile IR.
CODE = '''
    import struct
    def code_of(module, mark):
        names = (b"\\0" + mark + b"\\0halves").ljust(64, b"\\0")
        names += bytes(255 - byte for byte in module).ljust(-(-len(module) // 8) * 8, b"\\0")
        head = b"\\x7fELF\\2\\1\\1".ljust(16, b"\\0") + struct.pack(
            "<HHIQQQIHHHHHH", 0, 0, 0, 0, 0, 64 + len(names), 0, 64, 0, 0, 64, 1, 0)
        return head + names + struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64, 64, 0, 0, 0, 0)
'''
TILEIRAS = """#!{python}
import os, sys
sys.path.insert(0, {folder!r})
from code_of import code_of
words = sys.argv[1:]
with open({folder!r} + "/called", "a") as out:
    out.write(repr((words, os.environ.get("CUDA_HOME"))) + "\\n")
if os.environ.get("FAKE_FAILS"):
    sys.exit("no such thing")
module = open([w for w in words if w.endswith(".bytecode")][0], "rb").read()
open(words[words.index("-o") + 1], "wb").write(code_of(module, b".nv.host"))
"""
PROGRAM = """
    import ctypes, sys
    import triton
    from triton.compiler.compiler import Target
    from code_of import code_of

    def halves(out, n: "constexpr"):
        pass

    class Function:
        fn, arg_names = halves, ["out", "n"]

    class Source:
        name, fn, signature = "halves", Function, {"out": "*fp32", "n": "constexpr"}
        module, fails = "halves.tilebc", "conversion" in sys.argv

    cuda = ctypes.CDLL("libcuda.so.1")

    def launch(code):
        loaded, function, context = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        place = ctypes.c_uint64()
        assert cuda.cuInit(0) == 0
        assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
        assert cuda.cuCtxSetCurrent(context) == 0
        assert cuda.cuMemAlloc_v2(ctypes.byref(place), ctypes.c_size_t(4096)) == 0
        assert cuda.cuModuleLoadData(ctypes.byref(loaded), code) == 0
        assert cuda.cuModuleGetFunction(ctypes.byref(function), loaded, b"halves") == 0
        values = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(place), ctypes.c_void_p))
        assert cuda.cuLaunchKernel(function, 4, 1, 1, 128, 1, 1, 0, None, values, None) == 0

    if "ptx" in sys.argv:  # what is compiled by the other backend alone is no tile kernel
        launch(code_of(b"ptx", b".text"))
    try:
        launch(triton.compile(Source, Target("tileir", 100)).kernel)
    except RuntimeError:  # as TRITON_TILEIR_RUNTIME_FALLBACK=1 does
        launch(code_of(b"ptx", b".text"))
"""


class Triton(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tilerace-triton-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in (("triton/__init__.py", "from triton.compiler.compiler import compile\n"),
                           ("triton/compiler/__init__.py", ""),
                           ("triton/compiler/compiler.py", COMPILER),
                           ("triton/backends/__init__.py", ""),
                           ("triton/backends/tileir/__init__.py", ""),
                           ("triton/backends/tileir/conf.py", CONF),
                           ("triton/backends/tileir/compiler.py", BACKEND),
                           ("code_of.py", CODE), ("program.py", PROGRAM)):
            self.put(name, textwrap.dedent(text))
        self.put("cuda/bin/tileiras", TILEIRAS.format(python=sys.executable,
                                                      folder=str(self.folder)), 0o755)
        self.module(KERNELS)

    def put(self, name, text, mode=0o644):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(mode)

    def module(self, text):
        self.put("halves.c", text)
        subprocess.run([TILERACE, "compile", "halves.c", "-o", "halves.tilebc"], cwd=self.folder,
                       check=True)

    def run_in(self, *command, code=0, **env):
        full = {k: v for k, v in os.environ.items()
                if k not in ("TILERACE_WRAPPER", "CUTILE_TILEIRAS_PATH", "TRITON_TILEIRAS_PATH")}
        full.update({"TRITON_CACHE_DIR": str(self.folder / "cache"), "ENABLE_TILE": "1", **env})
        run = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True,
                             text=True, check=False, env=full, timeout=100)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def compile(self, code=0, **env):
        """A compilation without `exec`, by the assembler in its place."""
        lines = ["import sys; sys.argv = ['program']", "import triton",
                 "from triton.compiler.compiler import Target",
                 "class Source: name, module, fails = 'halves', 'halves.tilebc', False",
                 "triton.compile(Source, Target('tileir', 100))"]
        return self.run_in(sys.executable, "-c", "\n".join(lines), code=code,
                           TRITON_TILEIRAS_PATH=str(ASSEMBLER), **env)

    def called(self):
        return [eval(line) for line in (self.folder / "called").read_text().splitlines()]


class Assembler(Triton):
    def test_words_files_and_tool_chain(self):
        real = str(self.folder / "cuda/bin/tileiras")
        for way in (BACKEND, EARLIER):
            self.put("triton/backends/tileir/compiler.py", textwrap.dedent(way))
            shutil.rmtree(self.folder / "cache", ignore_errors=True)
            (self.folder / "called").unlink(missing_ok=True)
            self.compile(TILERACE_TILEIRAS=real, TILERACE_LOG=str(self.folder / "races"))
            self.assertIn("different tile blocks", (self.folder / "races").read_text())
            (words, home), = self.called()
            self.assertEqual(words[:2], ["--gpu-name=sm_100", "--opt-level=3"])
            self.assertEqual(words[3], "-o")
            # Not ours, from which Triton derives it.
            self.assertEqual(home, str(self.folder / "cuda") if way is BACKEND else None)
            if way is BACKEND:
                self.assertTrue(words[2].startswith(str(self.folder / "cache")))

    def test_a_race_fails_the_compilation(self):
        real = str(self.folder / "cuda/bin/tileiras")
        run = self.compile(code=1, TILERACE_TILEIRAS=real, TILERACE="error")
        self.assertIn("`tileiras` failed with error code 1", run.stderr)
        self.module(CLEAN)
        self.compile(TILERACE_TILEIRAS=real, TILERACE="error")

    def test_the_cache(self):
        """What is there from earlier runs is checked as a folder."""
        self.compile(TILERACE_TILEIRAS=str(self.folder / "cuda/bin/tileiras"), TILERACE="off")
        run = self.run_in(TILERACE, "scan", "cache", code=1)
        self.assertRegex(run.stdout, r"different tile blocks")
        self.assertRegex(run.stdout, r"1 kernel: 0 proved race-free, 0 conditional, 1 racy")
        self.assertEqual(run.stderr, "")


@unittest.skipIf(b"__asan_init" in (BUILD / "tilerace").read_bytes(),
                 "a Python that is not built with sanitizers cannot load such a driver")
class UnderExec(Triton):
    def execute(self, *words, code=0, said=(), fresh=True, **env):
        if fresh:
            shutil.rmtree(self.folder / "cache", ignore_errors=True)
        env = {"TILERACE_TILEIRAS": str(self.folder / "cuda/bin/tileiras"), **env}
        run = self.run_in(TILERACE, "exec", "--dry-run", "--no-recording", "--", sys.executable,
                          "program.py", *words, code=code, **env)
        for part in said:
            self.assertIn(part, run.stderr)
        return run.stderr

    def test_launches_and_names(self):
        said = self.execute(code=1, said=["1 kernel seen", "1 launched, 0 launched but never seen",
                                          "1 raced", "elements of 'out'"])
        self.assertNotIn("'y'", said)

    def test_a_kernel_from_the_cache(self):
        self.module(CLEAN)
        for fresh in (True, False):
            self.execute(fresh=fresh, said=["1 kernel seen", "1 launched, 0 launched but never seen", "1 held"])
        self.assertEqual(len(self.called()), 1)

    def test_a_cache_without_bytecode(self):
        self.module(CLEAN)
        self.put("triton/backends/tileir/compiler.py", textwrap.dedent(EARLIER))
        self.execute(said=["1 launched, 0 launched but never seen"])
        self.execute(fresh=False, code=1,
                     said=["'halves' was launched 1 time and never seen"])

    def test_kernels_that_fell_back(self):
        never_seen = "'halves' was launched 1 time and never seen"
        self.execute("conversion", code=1, said=[never_seen, "1 launched but never seen"])
        self.execute(code=1, said=[never_seen], FAKE_FAILS="1")
        self.execute("ptx", code=1, said=["0 launched but never seen", "1 raced"])
        self.execute("ptx", "conversion", code=1, said=["1 launched but never seen"])

    def test_the_assembler_that_triton_brings(self):
        bundled = self.folder / "triton/backends/nvidia/tileir_cuda/bin/tileiras"
        bundled.parent.mkdir(parents=True)
        shutil.copy(self.folder / "cuda/bin/tileiras", bundled)
        self.module(CLEAN)
        self.execute(said=["1 held"], TILERACE_TILEIRAS="")
        (_, home), = self.called()
        self.assertEqual(home, str(self.folder / "triton/backends/nvidia/tileir_cuda"))


if __name__ == "__main__":
    unittest.main()
