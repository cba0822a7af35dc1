"""The hook of cuTile Python: what a program under it tells, and that the program notices nothing.

    test_python.py TILERACE STAND_IN PYTHON

STAND_IN is the folder of the stand-in driver, PYTHON has cuda-tile, numpy and pytest. With
TILERACE_TORCH_PYTHON in the environment, a Python that has PyTorch too, what PyTorch's device
"cuda" becomes is tested as well: PyTorch is too large for every run.
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tools"))
from capture_server import CaptureServer, entries_read_by  # noqa: E402

TILERACE, STAND_IN, PYTHON = (os.path.abspath(word) for word in sys.argv[1:4])
del sys.argv[1:4]
HOOK = str(ROOT / "capture" / "python")
PROGRAMS = ROOT / "tests" / "capture" / "programs"

SAID = "Failed to launch cuTile kernel: invalid argument\ndone\n"  # by launches.py


def environment(**changes):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "LD_LIBRARY_PATH": STAND_IN, **changes}


def hooked(server, dry=True, **changes):
    ours = {"TILERACE_CAPTURE": server.path, "PYTHONPATH": HOOK,
            "TILERACE_RECORDER": os.path.join(STAND_IN, "libcuda.so.1")}
    return environment(**{**ours, **({"TILERACE_DRY_RUN": "1"} if dry else {}), **changes})


class Hook(unittest.TestCase):
    maxDiff = None

    def python(self, *words, env, cwd=PROGRAMS, status=0):
        run = subprocess.run([PYTHON, *words], env=env, cwd=cwd, capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run

    def run_hooked(self, *words, dry=True, status=0, env=None, **keywords):
        """(finished process, server) of a program with the hook."""
        server = CaptureServer(entries_of=entries_read_by(TILERACE))
        with server:
            run = self.python(*words, env=hooked(server, dry, **(env or {})), status=status,
                              **keywords)
        self.assertEqual(server.errors, [])
        self.expect_fitting_names(server)
        return run, server

    def expect_fitting_names(self, server):
        """The checker drops the names of a module's parameters unless they fit each of its kernels."""
        for module in server.of_kind("MODULE"):
            named = len(json.loads(module.names)["parameters"]) if module.names else 0
            for symbol, parameters in (module.entries or {}).items() if named else ():
                self.assertEqual(named, len(parameters), f"the hook of {module.front_end!r} names {named} "
                                 f"parameters of {symbol}, which has {len(parameters)}: the checker "
                                 "would drop these names")

    def launches_by_mark(self, program, server):
        """{mark: launch} of the lines of a program."""
        text = (PROGRAMS / program).read_text().splitlines()
        by_mark = {}
        for launch in server.of_kind("LAUNCH"):
            self.assertEqual(launch.file, str(PROGRAMS / program))
            by_mark[text[launch.line - 1].rpartition("# ")[2]] = launch
        return by_mark

    # ---- What is told ----

    def test_launches(self):
        run, server = self.run_hooked("launches.py")
        self.assertEqual((run.stdout, run.stderr), (SAID, ""))
        self.assertEqual(server.remarks(), [("stand-in", "")])
        modules = {m.number: json.loads(m.names) for m in server.of_kind("MODULE")}
        self.assertEqual({m.front_end for m in server.of_kind("MODULE")}, {"cutile-python"})
        by_mark = self.launches_by_mark("launches.py", server)
        function = {mark: modules[launch.module]["function"] for mark, launch in by_mark.items()}
        self.assertEqual(function, {
            "early": "add", "views": "add", "scalars": "scale", "tuple": "add_pair",
            "list": "sum_list", "halves": "transpose", "pdl": "waits", "read-only": "add",
            "foreign": "sum_list", "replaced": "add"})
        for mark, launch in by_mark.items():
            self.assertEqual(len(launch.arguments), len(modules[launch.module]["parameters"]), mark)
        self.assertEqual(by_mark["early"].grid, (4, 1, 1))
        self.assertEqual(by_mark["halves"].grid, (2, 3, 1))
        self.assertEqual({mark for mark, launch in by_mark.items() if launch.flags}, {"pdl"})

    def names_of(self, server, function):
        [names] = {m.names for m in server.of_kind("MODULE")
                   if json.loads(m.names)["function"] == function}
        return json.loads(names)

    def test_names(self):
        _, server = self.run_hooked("launches.py")
        scale = self.names_of(server, "scale")
        self.assertEqual(scale["file"], str(PROGRAMS / "kernels.py"))
        text = (PROGRAMS / "kernels.py").read_text().splitlines()
        self.assertIn("def scale", text[scale["line"]])
        self.assertEqual(scale["parameters"], [
            {"name": "data", "part": "pointer", "dtype": "f32", "shape": [None], "strides": [1]},
            {"name": "data", "part": "extent", "axis": 0},
            {"name": "data", "part": "stride", "axis": 0},
            {"name": "by"}, {"name": "count"}])
        self.assertEqual([(p["name"], p.get("part")) for p in
                          self.names_of(server, "add_pair")["parameters"][:4]],
                         [("pair[0]", "pointer"), ("pair[0]", "extent"), ("pair[0]", "stride"),
                          ("pair[1]", "pointer")])
        self.assertEqual(self.names_of(server, "sum_list")["parameters"][:2], [
            {"name": "arrays", "part": "table", "rank": 1, "dtype": "f32"},
            {"name": "arrays", "part": "length"}])
        self.assertEqual([(p["dtype"], p["strides"]) for p in
                          self.names_of(server, "transpose")["parameters"] if "dtype" in p],
                         [("f16", [None, 1]), ("f16", [None, 1])])

    def test_arguments(self):
        _, server = self.run_hooked("launches.py")
        launches = self.launches_by_mark("launches.py", server)
        values = [a["value"] for a in launches["scalars"].arguments]
        self.assertEqual(struct.unpack("<i", values[1]), (64,))
        self.assertEqual(struct.unpack("<fi", values[3] + values[4]), (0.5, 3))
        numbers = [int.from_bytes(a["value"], "little") for a in launches["views"].arguments]
        self.assertEqual(numbers[1:3] + numbers[4:6] + numbers[7:], [32, 2, 32, 1, 32, 1])
        whole = [int.from_bytes(a["value"], "little") for a in launches["early"].arguments]
        self.assertEqual([numbers[0] - whole[0], numbers[3] - whole[3], numbers[6] - whole[6]],
                         [0, 32 * 4, 0])

    def test_arrays(self):
        run, server = self.run_hooked("dtypes.py")
        self.assertEqual([line.split()[0] for line in run.stdout.splitlines()],
                         ["complex64", "longdouble", "datetime64[s]"])
        modules = {m.number: json.loads(m.names)["parameters"] for m in server.of_kind("MODULE")}
        launches = server.of_kind("LAUNCH")
        dtypes = [modules[launch.module][0]["dtype"] for launch in launches[:12]]
        self.assertEqual(dtypes, ["i1", "i8", "i8", "i16", "i16", "i32", "i32", "i64", "i64", "f16",
                                  "f32", "f64"])
        shapes = [[int.from_bytes(a["value"], "little") for a in launch.arguments[1:]]
                  for launch in launches[12:]]
        self.assertEqual(shapes, [[4, 3, 6, 2], [4, 2, 3, 1, 12, 4]])

    def test_made_up_file(self):
        """A launch in code of no file is at the line that runs this code."""
        _, server = self.run_hooked("-c", textwrap.dedent("""
            import numpy as np, cuda.tile as ct
            from kernels import add
            a = np.zeros(16, np.float32)
            ct.launch(None, (1,), add, (a, a, a, 16))
        """))
        [launch] = server.of_kind("LAUNCH")
        self.assertEqual((launch.file, launch.line), ("<string>", 5))

    def test_kernels_without_a_file(self):
        run, server = self.run_hooked("made_up.py")
        self.assertIn("<source in memory> launched", run.stdout)
        self.assertIn("<no source> ", run.stdout)
        [module] = server.of_kind("MODULE")
        self.assertEqual(json.loads(module.names)["file"], "<source in memory>")

    def test_hostile_names(self):
        """Names of files with a line's end, a quote and, where the front end can bear it, bytes of
        no text."""
        launches = textwrap.dedent("""
            import numpy as np
            import cuda.tile as ct
            a = np.zeros(16, np.float32)
            ct.launch(None, (1,), add, (a, a, a, 16))
        """)
        kernels = (PROGRAMS / "kernels.py").read_text()
        path = HOOK + os.pathsep + str(PROGRAMS)
        for name, text in [(b"a\n\"b' \xff.py", "from kernels import add\n" + launches),
                           (b"a\n\"b' \\.py", kernels + launches)]:
            with tempfile.TemporaryDirectory() as folder:
                program = os.path.join(os.fsencode(folder), name)
                with open(program, "w", encoding="utf-8") as file:
                    file.write(text)
                _, server = self.run_hooked(os.fsdecode(program), env={"PYTHONPATH": path})
            [launch] = server.of_kind("LAUNCH")
            self.assertEqual(os.fsencode(launch.file), program)
        [module] = server.of_kind("MODULE")
        self.assertEqual(os.fsencode(json.loads(module.names)["file"]), program)

    def test_children(self):
        _, server = self.run_hooked("children.py")
        launches = server.of_kind("LAUNCH")
        text = (PROGRAMS / "children.py").read_text().splitlines()
        marks = [text[launch.line - 1].rpartition("# ")[2] for launch in launches]
        self.assertEqual(sorted(set(marks)), ["fork", "forkserver", "parent", "spawn", "subprocess",
                                              "thread"])
        self.assertEqual(marks.count("subprocess"), 2)
        processes = {launch.process for launch in launches}
        self.assertEqual(len(processes), 6)
        self.assertTrue(all(launch.module for launch in launches))
        self.assertLessEqual(processes, {hello.pid for hello in server.of_kind("HELLO")})

    def test_workers(self):
        run, server = self.run_hooked("-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider",
                                      "test_with_workers.py")
        self.assertIn("6 passed", run.stdout)
        launches = server.of_kind("LAUNCH")
        self.assertEqual(len(launches), 6)
        self.assertEqual(len({launch.process for launch in launches}), 2)
        self.assertEqual({launch.file for launch in launches},
                         {str(PROGRAMS / "test_with_workers.py")})

    def test_tuner(self):
        _, server = self.run_hooked("tunes.py")
        launches = server.of_kind("LAUNCH")
        self.assertEqual({launch.grid for launch in launches}, {(4, 1, 1), (2, 1, 1)})
        self.assertEqual({launch.file for launch in launches}, {str(PROGRAMS / "tunes.py")})
        self.assertNotIn(0, {launch.module for launch in launches})

    def test_export(self):
        run, server = self.run_hooked("exports.py")
        self.assertEqual(run.stdout, "True\nTrue\n")
        names = [json.loads(module.names) for module in server.of_kind("MODULE")]
        # The entries of the second differ in what is fixed, so nothing may be said of both.
        self.assertEqual([(n["function"], len(n["parameters"])) for n in names],
                         [("add", 9), ("add", 0)])

    @unittest.skipUnless("TILERACE_TORCH_PYTHON" in os.environ, "TILERACE_TORCH_PYTHON is not set")
    def test_torch(self):
        python, of_torch = PYTHON, os.environ["TILERACE_TORCH_PYTHON"]
        try:
            globals()["PYTHON"] = of_torch
            run, server = self.run_hooked("torches.py")
        finally:
            globals()["PYTHON"] = python
        self.assertEqual((run.stdout, run.stderr), ("done\n", ""))
        self.assertEqual(server.remarks(), [("stand-in", "")])
        self.assertEqual(len(server.of_kind("LAUNCH")), 4)
        self.assertTrue(all(launch.module for launch in server.of_kind("LAUNCH")))

    def test_functions_of_torch(self):
        """torch._dynamo has rules for functions by their identity: no two names share one."""
        run = self.python("-c", "import types\n"
                          "from tilerace_capture import pytorch\n"
                          "get = lambda: 3\n"
                          "pytorch.torch = types.SimpleNamespace(get_rng_state=get)\n"
                          "cuda = types.SimpleNamespace(nvtx=types.SimpleNamespace())\n"
                          "pytorch._set_cuda(cuda)\n"
                          "names = {**vars(cuda), **vars(cuda.nvtx)}.items()\n"
                          "functions = [f for _, f in names if isinstance(f, types.FunctionType)]\n"
                          "print(len(functions) > 20, len(functions) - len(set(functions)),\n"
                          "      cuda.get_rng_state('cuda'), get in functions)\n",
                          env={"PYTHONPATH": HOOK})
        self.assertEqual(run.stdout, "True 0 3 False\n")

    def test_unknown_torch(self):
        """A PyTorch that lacks what the hook needs runs without it."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "torch" / "__init__.py"
            path.parent.mkdir()
            path.write_text("__version__ = '99.0'\n")
            with CaptureServer() as server:
                run = self.python("-c", "import torch; print(torch.__version__)",
                                  env=hooked(server, PYTHONPATH=HOOK + os.pathsep + folder))
            self.assertEqual((run.stdout, run.stderr), ("99.0\n", ""))
            [(remark, about)] = server.remarks()
            self.assertEqual((remark, about[:13]), ("front end lost", "pytorch 99.0:"))

    def test_driver_api(self):
        """A launch that the program makes at the driver is at no line that is known, also after
        one by the front end; what it exported keeps its names."""
        _, server = self.run_hooked("driver_api.py")
        first, second = server.of_kind("LAUNCH")
        self.assertEqual((first.file, first.line > 0), (str(PROGRAMS / "driver_api.py"), True))
        self.assertEqual((second.file, second.line, second.symbol), ("", 0, "exported"))
        names = {m.number: json.loads(m.names) for m in server.of_kind("MODULE")}
        self.assertEqual(len(names[second.module]["parameters"]), 9)

    # ---- Remarks ----

    def test_token_order(self):
        name = "CUDA_TILE_TESTING_DISABLE_TOKEN_ORDER"
        _, server = self.run_hooked("launches.py", env={name: "1"})
        self.assertEqual([r for r in server.remarks() if r[0] == "tokens off"],
                         [("tokens off", name)])

    def with_assembler(self, text, cwd=PROGRAMS, **env):
        """A program with the real compilation path and an assembler that answers as `text` says
        when it is not only asked for its version."""
        with tempfile.TemporaryDirectory() as folder:
            assembler = pathlib.Path(folder) / "tileiras"
            assembler.write_text("#!/bin/sh\ncase \"$*\" in\n"
                                 "*probe*) exec cp /bin/true \"$3\" ;;\n"
                                 "*--version*) echo 1 ;;\n*) " + text + " ;;\nesac\n")
            assembler.chmod(0o755)
            path = folder + os.pathsep + os.environ.get("PATH", "")
            return self.run_hooked(str(PROGRAMS / "compiles.py"), dry=False, cwd=cwd,
                                   env={"PATH": path, "CUDA_TILE_CACHE_DIR": "0", **env})

    def test_assembler_fails(self):
        run, server = self.with_assembler("echo 'error: out of luck' >&2; exit 3")
        self.assertIn("out of luck", run.stdout)
        [_, (remark, about)] = server.remarks()
        self.assertEqual((remark, about), ("assembler failed", "Return code 3\nout of luck"))
        kinds = [m.kind for m in server.messages]
        self.assertLess(kinds.index("MODULE"), len(kinds) - kinds[::-1].index("REMARK") - 1)

    def test_assembler_crashes(self):
        _, server = self.with_assembler("kill -SEGV $$")
        self.assertIn(("assembler failed", "Return code -11\n"), server.remarks())

    def test_crash_dump(self):
        """The bytecode that the front end makes anew for a crash dump is no further kernel."""
        with tempfile.TemporaryDirectory() as folder:
            run, server = self.with_assembler("exit 3", cwd=folder, CUDA_TILE_ENABLE_CRASH_DUMP="1")
        self.assertIn("Dumping crash artifacts", run.stderr)
        self.assertEqual(len(server.of_kind("MODULE")), 1)

    def test_assembler_takes_all(self):
        """The module was told before the assembler started."""
        with self.assertRaises(AssertionError):
            self.with_assembler("kill -KILL $PPID")

    def test_machine_code(self):
        """What the driver loads is known to be made from the Tile IR that was told."""
        run, server = self.with_assembler("cp /bin/true \"$3\"; echo \"\" >> \"$3\"")
        self.assertEqual(run.stdout, "launched\n")
        [launch] = server.of_kind("LAUNCH")
        [module] = server.of_kind("MODULE")
        self.assertEqual(launch.module, module.number)
        self.assertEqual(json.loads(module.names)["function"], "add")
        self.assertEqual(len(launch.arguments), 9)

    def stub(self, folder, name, text):
        path = pathlib.Path(folder) / "cuda" / "tile" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_unknown_version(self):
        """A front end that lacks what the hook needs runs without it."""
        with tempfile.TemporaryDirectory() as folder:
            self.stub(folder, "_cext.py", "def launch(*words, **names):\n    print(words, names)\n")
            self.stub(folder, "_compile.py", "def compile_tile(kernel):\n    return kernel\n")
            self.stub(folder, "_version.py", "__version__ = '99.0'\n")
            self.stub(folder, "__init__.py", "from cuda.tile._version import __version__\n"
                      "from cuda.tile._cext import launch\n"
                      "from cuda.tile._compile import compile_tile\n")
            program = "import cuda.tile as ct; ct.launch(None, (1,), a=2); print(ct.compile_tile(7))"
            with CaptureServer() as server:
                env = hooked(server, PYTHONPATH=HOOK + os.pathsep + folder)
                run = self.python("-c", program, env=env)
            self.assertEqual(run.stdout, "(None, (1,)) {'a': 2}\n7\n")
            self.assertEqual(run.stderr, "")
            self.assertEqual(server.remarks(), [
                ("front end lost", "cutile-python 99.0: cuda.tile._compile has no "
                                   "_create_kernel_parameters")])

    def test_hook_fails(self):
        """A front end whose hook raises, or is missing, runs without it, and the checker is told."""
        with tempfile.TemporaryDirectory() as folder:
            hook = pathlib.Path(folder) / "hook"
            shutil.copytree(HOOK, hook)
            finder = hook / "sitecustomize.py"
            finder.write_text(finder.read_text().replace(
                "FRONT_ENDS = {\n", 'FRONT_ENDS = {\n    "hookless": "hookless",\n'))
            (pathlib.Path(folder) / "hookless.py").write_text("launch = 7\n")
            compiler = pathlib.Path(folder) / "triton" / "compiler" / "compiler.py"
            compiler.parent.mkdir(parents=True)
            compiler.write_text("version = 99\n")
            program = ("import hookless, triton.compiler.compiler as compiler\n"
                       "print(hookless.launch, compiler.version)")
            with CaptureServer() as server:
                path = os.pathsep.join((str(hook), folder))
                run = self.python("-c", program, env=hooked(server, PYTHONPATH=path))
        self.assertEqual((run.stdout, run.stderr), ("7 99\n", ""))
        self.assertEqual({remark for remark, _ in server.remarks()}, {"front end lost"})
        missing, raising = (about for _, about in server.remarks())
        self.assertEqual(missing, "hookless: ModuleNotFoundError: No module named "
                                  "'tilerace_capture.hookless'")
        self.assertRegex(raising, "^triton: AttributeError: .* has no attribute 'compile'")

    def test_error_of_the_hook(self):
        """An error inside the hook is told, and the program goes on."""
        program = textwrap.dedent("""
            import cuda.tile as ct, numpy as np
            import sys
            from kernels import add
            hook = sys.modules["tilerace_capture.cutile_python"]
            hook.names.parameters = hook.names.describe = None
            hook.Places.here = None
            a = np.zeros(16, np.float32)
            ct.launch(0, (1,), add, (a, a, a, 16))
        """)
        run, server = self.run_hooked("-c", program, status=1)
        self.assertIn("NumPy only", run.stderr)  # NumPy's, since nothing wraps its arrays now
        self.assertEqual(sorted(remark for remark, _ in server.remarks()), ["lost", "stand-in"])
        program = program.replace("hook.Places.here = None", "")
        run, server = self.run_hooked("-c", program)
        self.assertEqual(sorted({remark for remark, _ in server.remarks()}), ["lost", "stand-in"])
        self.assertEqual(len(server.of_kind("LAUNCH")), 1)

    # ---- What the program notices ----

    def test_errors(self):
        """The front end's own messages, word for word."""
        plain = self.python("errors.py", env=environment())
        run, server = self.run_hooked("errors.py")
        self.assertEqual(run.stdout, plain.stdout)
        self.assertEqual(run.stderr, plain.stderr)
        self.assertNotIn("lost", [remark for remark, _ in server.remarks()])
        self.assertGreater(plain.stdout.count("\n"), 20)

    def test_unchanged_without_a_dry_run(self):
        """Before a real driver, host arrays and the stream None are refused as ever."""
        for words in "None", "0":
            program = ("import cuda.tile as ct, numpy as np\nfrom kernels import add\n"
                       "a = np.zeros(16, np.float32)\n"
                       "try: ct.launch(%s, (1,), add, (a, a, a, 16))\n"
                       "except Exception as error: print(type(error), error)\n" % words)
            plain = self.python("-c", program, env=environment())
            run, _ = self.run_hooked("-c", program, dry=False)
            self.assertEqual(run.stdout, plain.stdout)
            self.assertIn("Error", run.stdout)

    def test_builtin(self):
        """`launch` stays what a builtin is: pickled by name, no method of a class, printed so."""
        run, _ = self.run_hooked("-c", textwrap.dedent("""
            import inspect, pickle
            import cuda.tile as ct
            print(pickle.loads(pickle.dumps(ct.launch)) is ct.launch, ct.launch,
                  hasattr(type(ct.launch), "__get__"), ct.launch.__module__)
            from cuda.tile._compile import compile_tile
            print(compile_tile.__name__, "return_cubin" in inspect.signature(compile_tile).parameters)
        """))
        self.assertEqual(run.stdout, "True <built-in function launch> False cuda.tile._cext\n"
                                     "compile_tile True\n")

    def test_other_program(self):
        plain = self.python("imports.py", env=environment())
        run, server = self.run_hooked("imports.py")
        self.assertEqual(run.stdout, plain.stdout)
        self.assertEqual(server.messages, [])

    def test_sitecustomize(self):
        """That of the system, the environment or the program runs as if ours was not there."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sitecustomize.py"
            path.write_text("import builtins\nbuiltins.customized = __name__\n")
            with CaptureServer() as server:
                env = hooked(server, PYTHONPATH=HOOK + os.pathsep + folder)
                run = self.python("imports.py", env=env)
                self.assertEqual(json.loads(run.stdout)["sitecustomize"], str(path))
                run = self.python("-c", "print(customized)", env=env)
                self.assertEqual(run.stdout, "sitecustomize\n")
                path.write_text("raise RuntimeError('on purpose')\n")
                hidden = self.python("-c", "", env=environment(PYTHONPATH=folder))
                run = self.python("-c", "", env=env)
                self.assertEqual(run.stderr, hidden.stderr)
                self.assertIn("on purpose", run.stderr)

    def test_no_checker(self):
        """The variables are left over: nobody listens."""
        env = environment(TILERACE_CAPTURE="/nowhere/socket", TILERACE_DRY_RUN="1",
                          TILERACE_RECORDER=os.path.join(STAND_IN, "libcuda.so.1"), PYTHONPATH=HOOK)
        run = self.python("launches.py", env=env)
        self.assertEqual((run.stdout, run.stderr), (SAID, ""))
        env["TILERACE_RECORDER"] = "/nowhere/library.so"
        self.python("-c", "import cuda.tile", env=env)


if __name__ == "__main__":
    unittest.main()
