"""tilerace check --build: sources of other compilers, compiled and checked.

    test_build.py TILERACE CAPTURE_PYTHON [NVCC]

CAPTURE_PYTHON is a Python with cuda-tile. Without NVCC one of ours stands for nvcc, which hands out a
module that is there already; so does one for cargo, and where cargo is installed it is used as well.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

TILERACE = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "tilerace"
PYTHON = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else sys.executable
NVCC = os.path.abspath(sys.argv.pop(3)) if len(sys.argv) > 3 and "/" in sys.argv[3] else None
del sys.argv[1:3]
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

from folder_case import FolderCase  # noqa: E402
from formats import FORMATS  # noqa: E402

RACY_C = (ROOT / "build/fixtures/races/vector_add_unread_axis.c").read_text()
HEAD = "import cuda.tile as ct\n"
KERNEL = """

@ct.kernel
def {name}(x, y):
    block = ct.bid(0)
    tile = ct.load(x, index=(block,), shape=(16,))
    ct.store(y, index=({index},), tile=tile * 2.0)
"""
RACE = KERNEL.format(name="scale", index="block // 2")
SOUND = KERNEL.format(name="scale", index="block")
TABLE = '[tilerace.kernels]\nscale = { x = "f32[1]", y = "f32[1]" }\n'
CUDA = "#include <cuda_tile.h>\n__tile_global__ void k();\n"
RUST = (ROOT / "tests/compilers/rust/src/lib.rs").read_text()
RUST_MODULE = (ROOT / "tests/compilers/rust/add_halves.tilebc").read_bytes()
# Stands for nvcc: wants all of $MUST among its words, and nothing evil.
FAKE_NVCC = """#!/bin/sh
for word in $MUST; do case " $* " in *" $word "*) ;; *) echo "error: no $word in $*" >&2; exit 5 ;; esac; done
case "$*" in *evil*) echo "error: $*" >&2; exit 6 ;; esac
for word in "$@"; do source=$word; done
case $source in *bad.cu) echo "bad.cu(1): error: this is no C++" >&2; echo "1 error" >&2; exit 2 ;; esac
while [ $# -gt 0 ]; do case $1 in -o) cp "$MODULE" "$2" ;; esac; shift; done
"""
FAKE_CARGO = """#!/bin/sh
printf '%s\\n' "$PWD: $*" >>"$NOTES/cargo"
case "$*" in
*--no-run*) [ -z "$CARGO_FAILS" ] || { echo "error[E0425]: cannot find value" >&2; exit 101; } ;;
*) [ -n "$NO_KERNEL" ] || "$CUTILE_TILEIRAS_PATH" --gpu-name sm_90 -o "$TMPDIR/k.cubin" "$MODULE" || exit 9
   ls "$TMPDIR/k.cubin" >/dev/null || exit 8
   exit 101 ;; # a test of values, on a driver that computes nothing
esac
"""


class Build(FolderCase):
    tilerace = TILERACE

    def setUp(self):
        super().setUp()
        (self.folder / ".git").mkdir()
        self.bin = self.top / "bin"
        self.notes = self.top / "notes"
        self.temporary = self.top / "tmp"
        for folder in (self.bin, self.notes, self.temporary):
            folder.mkdir()
        self.program("python3", f'#!/bin/sh\nexec {PYTHON} "$@"\n')
        self.program("nvcc", FAKE_NVCC)
        self.program("cargo", FAKE_CARGO)
        self.environment = {
            **os.environ, "PATH": f"{self.bin}:/usr/bin:/bin", "NOTES": str(self.notes), "TMPDIR": str(self.temporary),
            "MODULE": str(ROOT / "fixtures/races/cpp/vector_add_half_index.tilebc"), "TILERACE_CACHE_DIR": ""}

    def tearDown(self):
        self.assertEqual(list(self.temporary.iterdir()), [], "what was written on the way is removed")

    def program(self, name, text):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def build(self, *words, code=0, **more):
        return self.check("--build", *words, code=code, env={**self.environment, **more.pop("env", {})}, **more)

    def inputs(self, *words, code=0, **more):
        """Of each input its file, and (kernel, verdict) or the errors."""
        report = json.loads(self.build("--format=json", *words, code=code, **more).stdout)
        skipped = {s["reason"]: s["files"] for s in report.get("skipped", [])}
        found = [(i["file"], [(k["kernel"], k["verdict"]) for k in i["kernels"]] or re.sub(r"(?m)^[^ ]*: ", "", i["error"]).split("\n"))
                 for i in report["inputs"]]
        return found, skipped


class Python(Build):
    def test_table(self):
        self.write("k/scale.py", HEAD + RACE)
        self.write("tilerace.toml", TABLE)
        said = self.build(".", code=1).stdout
        self.assertRegex(said, r"^k/scale\.py:8:5: error: different tile blocks .* \[TR001\]\n")
        self.assertIn("x of shape (", said)
        self.write("k/scale.py", HEAD + SOUND)
        self.assertEqual(self.inputs("."), ([("k/scale.py", [("scale", "race-free")])], {}))
        self.assertEqual(self.inputs("k/scale.py"), self.inputs("."))
        self.assertEqual(self.inputs("scale.py", where="k")[0], [("scale.py", [("scale", "race-free")])])

    def test_table_of_pyproject_and_by_file(self):
        self.write("a.py", HEAD + RACE)
        self.write("b/a.py", HEAD + SOUND)
        self.write("pyproject.toml", '[tool.tilerace.kernels]\n"a.py:scale" = [{ x = "f32[1]", y = "f32[1]" }]\n')
        found, _ = self.inputs(".", code=2)
        self.assertEqual(found[0], ("a.py", [("scale", "race")]))
        self.assertIn("nothing states a signature", found[1][1][0])

    def test_decorator_and_several_signatures(self):
        self.write("k.py", "import tilerace\n" + HEAD + KERNEL.format(name="scale", index="block").replace(" * 2.0", ".astype(y.dtype)").replace(
            "@ct.kernel", '@tilerace.signature(x="f32[1]", y="f16[1]")\n@tilerace.signature(x="i32[1]", y="i32[1] strided")\n'
            "@ct.kernel"))
        self.write("tilerace.toml", TABLE)
        self.assertEqual(self.inputs(".")[0], [("k.py", [("scale", "race-free")])] * 3)
        self.write("tilerace.toml", TABLE.replace('y = "f32[1]"', 'y = "f16[1]"'))  # the same as one of them
        self.assertEqual(len(self.inputs(".")[0]), 2)

    def test_every_kind_of_parameter(self):
        self.write("k.py", HEAD + """
@ct.kernel
def all_of(x, xs, n, f, TILE: ct.Constant[int], FLAG: ct.Constant[bool]):
    i = ct.bid(0)
    if FLAG:
        ct.store(x, index=(i, 0), tile=ct.load(xs[n], index=(i, 0), shape=(TILE, TILE)) + f)
""")
        row = 'all_of = {{ x = "f32[2] aligned", xs = "{}", n = "i32", f = "f32", TILE = {}, FLAG = true }}\n'
        self.write("tilerace.toml", "[kernels]\n" + row.format("list f32[2]", 16))
        self.assertNotEqual(self.inputs(".")[0][0][1][0][1], "race")
        for value, tile, said in (("f32", 16, "all_of"), ("f33[2]", 16, "there is no type 'f33'"),
                                  ("list f32[2] wide", 16, "there is no word 'wide'"), ("list", 16, "is not a type of a parameter"),
                                  ("list f32[2]", 17, "cannot be compiled for")):
            self.write("tilerace.toml", "[kernels]\n" + row.format(value, tile))
            with self.subTest(value):
                self.assertIn(said, self.inputs(".", code=2)[0][0][1][0])
        self.write("tilerace.toml", '[kernels]\nall_of = { x = "f32[2]", z = 1 }\n')
        self.assertIn("it has no parameter 'z'", self.inputs(".", code=2)[0][0][1][0])
        self.write("tilerace.toml", '[kernels]\nall_of = { x = "f32[2]" }\n')
        self.assertIn("it does not state the parameter 'xs'", self.inputs(".", code=2)[0][0][1][0])

    def test_what_is_not_compiled_is_said_with_its_line(self):
        inner = "\ndef make():\n    @ct.kernel\n    def inner(x): pass\n    return inner\n"
        for name, text, said in (
                ("no signature", HEAD + KERNEL.format(name="other", index="block"), r"k\.py:4:1: error: 'other' is not compiled: "
                 r"nothing states a signature of it; \[tilerace\.kernels\] does, as other = \{ x = "),
                ("inside a function", HEAD + inner, r"k\.py:5:1: error: 'inner' is not compiled: "),
                ("throws", HEAD + "\n1 / 0\n", r"k\.py:3:1: error: .* ZeroDivisionError: division by zero"),
                ("exits", HEAD + "import sys\nsys.exit(0)\n", r"k\.py:3:1: error: .* SystemExit: 0"),
                ("not Python", HEAD + "def (:\n", r"k\.py:2:1: error: cannot be compiled: SyntaxError"),
                ("not compiled by cuTile", HEAD + RACE.replace("* 2.0", "* open('x')"), r"k\.py:8:50: error: 'scale' cannot be "),
                ("NUL", HEAD + "\0", r"k\.py: error: cannot be compiled: .*null bytes")):
            self.write("k.py", text)
            self.write("tilerace.toml", TABLE)
            with self.subTest(name):
                done = self.build(".", code=2)
                self.assertRegex(done.stdout, "(?m)^" + said)
                self.assertIn("1 file not checked", done.stdout)

    def test_what_can_be_compiled_is_checked_all_the_same(self):
        self.write("k.py", HEAD + RACE + KERNEL.format(name="other", index="block"))
        self.write("tilerace.toml", TABLE)
        found, _ = self.inputs(".", code=2)
        self.assertEqual(found[0], ("k.py", [("scale", "race")]))
        self.assertEqual(found[1][0], "k.py")

    def test_packages_and_modules_beside(self):
        self.write("p/__init__.py", "SIZE = 16\n")
        self.write("p/q/__init__.py")
        self.write("p/q/helper.py", "from .. import SIZE\n")
        self.write("p/q/k.py", HEAD + "from .helper import SIZE\nimport p.q.helper\n" + RACE.replace("16", "SIZE"))
        self.write("beside.py", "from lib import *\n" + HEAD + SOUND.replace("16", "SIZE"))
        self.write("lib.py", "SIZE = 16\n")
        self.write("tilerace.toml", TABLE)
        self.assertEqual(self.inputs(".", code=1)[0], [("beside.py", [("scale", "race-free")]), ("p/q/k.py", [("scale", "race")])])

    def test_names_of_the_standard_library(self):
        """A module of a repository that is called as one that compiling needs does not take its place."""
        for name in ("json", "ast", "traceback", "importlib", "tilerace", "typing"):
            self.write(f"{name}.py", "raise SystemError\n")
        self.write("k.py", HEAD + SOUND)
        self.write("tilerace.toml", TABLE)
        self.assertEqual(self.inputs(".")[0], [("k.py", [("scale", "race-free")])])

    def test_kernels_of_classes_and_of_other_files(self):
        self.write("lib.py", HEAD + SOUND)
        self.write("k.py", HEAD + "from lib import scale\n\nclass K:\n    @ct.kernel\n    def member(x, y):\n"
                   "        ct.store(y, index=(0,), tile=ct.load(x, index=(0,), shape=(16,)))\n")
        self.write("tilerace.toml", TABLE + 'member = { x = "f32[1]", y = "f32[1]" }\n')
        self.assertEqual([(file, kernels[0][0]) for file, kernels in self.inputs(".")[0]], [("k.py", "member"), ("lib.py", "scale")])
        self.write("k.py", HEAD + "from lib import scale\n")
        found, skipped = self.inputs(".")
        self.assertEqual(([file for file, _ in found], skipped), (["lib.py"], {"no-kernel": ["k.py"]}))
        self.assertIn("holds no kernel", self.inputs("k.py", code=2)[0][0][1][0])

    def test_launch_contract_beside(self):
        self.write("k.py", HEAD + RACE)
        self.write("tilerace.toml", TABLE)
        self.write("k.launch.json", json.dumps({"version": 2, "launches": [{"kernel": "scale", "grid": [1]}]}))
        self.assertEqual(self.inputs(".")[0], [("k.py", [("scale", "race-free")])])
        self.write("k.launch.json", json.dumps({"version": 2, "launches": [{"kernel": "scal", "grid": [1]}]}))
        self.assertIn("scal", self.inputs(".", code=2)[0][0][1][0])

    def test_no_front_end(self):
        self.write("k.py", HEAD + SOUND)
        self.program("python3", '#!/bin/sh\nexec /usr/bin/python3 -S "$@"\n')
        self.assertIn("cuTile Python is not there for /usr/bin/python3", self.inputs(".", code=2)[0][0][1][0])
        (self.bin / "python3").unlink()
        found = self.inputs(".", code=2, env={"PATH": str(self.bin)})[0]
        self.assertIn("is not compiled: python3 is not on PATH", found[0][1][0])


class Signatures(Build):
    """Which one of several signatures of a kernel a finding, or a verdict, is of."""

    # Tile blocks overlap unless the tile is as long as the step.
    STEPS = HEAD + """

@ct.kernel
def fill(y, STEP: ct.Constant[int], TILE: ct.Constant[int]):
    at = ct.bid(0) * STEP + ct.arange(TILE, dtype=ct.int32)
    ct.scatter(y, at, ct.full((TILE,), 1.0, dtype=y.dtype))
"""
    ROW = '{{ y = "{}", STEP = 16, TILE = {} }}'

    def state(self, *rows):
        self.write("k.py", self.STEPS)
        self.write("tilerace.toml", "[tilerace.kernels]\nfill = [" + ", ".join(self.ROW.format(*row) for row in rows) + "]\n")

    def kernels(self, *words, code=1):
        report = json.loads(self.build("k.py", "--format=json", *words, code=code).stdout)
        return [kernel for one in report["inputs"] for kernel in one["kernels"]]

    def test_json(self):
        self.state(("f32[1]", 16), ("f32[1]", 32), ("f16[1]  aligned", 16))
        of = self.kernels()
        self.assertEqual([k["verdict"] for k in of], ["race-free", "race", "race-free"])
        self.assertEqual([k["signature"] for k in of], [{"y": y, "STEP": 16, "TILE": tile} for y, tile in (
            ("f32[1]", 16), ("f32[1]", 32), ("f16[1] aligned", 16))])
        self.assertEqual([k["compilation"] for k in of], [{"number": n, "of": 3, "text": f'y = "{y}", STEP = 16, TILE = {tile}'}
                                                          for n, y, tile in ((1, "f32[1]", 16), (2, "f32[1]", 32), (3, "f16[1] aligned", 16))])
        self.state(("f32[1]", 32))
        self.assertEqual([(k["signature"], "compilation" in k) for k in self.kernels()], [({"y": "f32[1]", "STEP": 16, "TILE": 32}, False)])

    def test_reports_keep_to_their_schemas(self):
        self.state(("f32[1]", 16), ("f32[1]", 32), ("f16[1]", 32))
        for form, schema in (("json", "report"), ("sarif", "sarif.subset")):
            path = self.write(f"out.{form}", self.build("k.py", "--format", form, code=1).stdout)
            done = subprocess.run([sys.executable, ROOT / "tests/tools/schemas.py", ROOT / f"docs/{schema}.schema.json", path],
                                  capture_output=True, text=True, check=False)  # fmt: skip
            if "No module named 'jsonschema'" in done.stderr:
                self.skipTest("this Python has no jsonschema; ctest takes build/python")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_format(self):
        self.state(("f32[1]", 16), ("f32[1]", 32), ("f16[1]", 32))
        for form in set(FORMATS) - {"json"}:  # whose fields are tested above
            said = self.build("k.py", "--format", form, code=1).stdout
            with self.subTest(form):
                for quoted in ('\\"', '"', "&quot;", "%22"):
                    said = said.replace(quoted, "'")
                found = re.findall(r"y = '(f..\[1\])', STEP = 16, TILE = (\d+)", said.replace("\\[", "[").replace("\\]", "]"))
                self.assertEqual(set(found) - {("f32[1]", "16")}, {("f32[1]", "32"), ("f16[1]", "32")})
                self.assertGreaterEqual(len(found), 2)
        text = self.build("k.py", code=1).stdout
        self.assertRegex(text, r'(?s)error: .*\[TR001\].*\n    compiled for: y = "f32\[1\]", STEP = 16, TILE = 32\n    witness: .*'
                               r"race: 'fill' races.*\n    compiled for: y = .f32\[1\]., STEP = 16, TILE = 32\n")
        self.assertIn("compiled for: ", self.build("k.py", "-q", code=1).stdout)
        results = json.loads(self.build("k.py", "--format=sarif", code=1).stdout)["runs"][0]["results"]
        self.assertEqual([r["properties"]["compiledFor"] for r in results],
                         [f'y = "{y}", STEP = 16, TILE = 32' for y in ("f32[1]", "f16[1]")])
        self.state(("f32[1]", 32))
        for form in set(FORMATS) - {"json"}:  # whose fields are tested above
            said = self.build("k.py", "--format", form, code=1).stdout
            self.assertNotIn("STEP = 16", said.replace("&quot;", '"'), form)
            self.assertNotIn("ompiled", re.sub(r'"help".*|"text".*', "", said) if form == "sarif" else said, form)

    def test_fingerprints(self):
        """They are those of the kernel while it has one signature, and then each signature has its own."""
        prints = lambda: [[f["fingerprint"] for f in k["findings"]] for k in self.kernels()]  # noqa: E731
        self.state(("f32[1]", 32))
        alone = prints()
        self.state(("f16[1]", 32))
        self.assertEqual(prints(), alone)
        self.state(("f32[1]", 32), ("f16[1]", 32))
        both = prints()
        self.assertEqual(len({one for of in (*alone, *both) for one in of}), 3)
        self.assertEqual({one[16:] for of in (*alone, *both) for one in of}, {alone[0][0][16:]})
        self.state(("f16[1]", 32), ("f32[1]", 32))
        self.assertEqual(prints(), both[::-1])
        self.state(("f32[1]", 32), ("f33[1]", 16), ("f16[1]", 32))
        self.assertEqual([[f["fingerprint"] for f in k["findings"]] for k in self.kernels(code=2)], both)
        self.state(("f32[1]", 32), ("f32[1]", 17))  # cuTile does not compile it
        self.assertEqual([[f["fingerprint"] for f in k["findings"]] for k in self.kernels(code=2)], both[:1])

    def test_baseline_and_diff(self):
        """A race that one signature is known to have hides none of another one."""
        self.state(("f32[1]", 16), ("f32[1]", 32))
        self.build("k.py", "--baseline=base.json", "--write-baseline")
        self.assertIn("compiled for: y = ", (self.folder / "base.json").read_text())
        self.build("k.py", "--baseline=base.json")
        self.build("k.py", "-o", "json=old.json", code=1)
        self.state(("f32[1]", 16), ("f32[1]", 32), ("f16[1]", 32))
        said = self.build("k.py", "--baseline=base.json", code=1).stdout
        self.assertRegex(said, r"(?s)error: .*compiled for: y = .f16\[1\].*findings: 1 error, 0 warnings, 1 in the baseline")
        self.assertNotRegex(said, r"(?s)error: .*compiled for: y = .f32\[1\].*witness")
        self.build("k.py", "-o", "json=new.json", code=1)
        said = self.run_tool("diff", "old.json", "new.json", code=1).stdout
        self.assertIn("new: ", said)
        self.assertIn("note: in kernel 'fill', compiled for: y = \"f16[1]\", STEP = 16, TILE = 32\n", said)
        self.assertIn("findings: 1 new, 0 fixed, 1 unchanged", said)
        self.state(("f16[1]", 32), ("f32[1]", 16))  # the race of one signature is corrected, and another one races
        self.build("k.py", "--baseline=base.json", code=1)

    def test_kernels_of_one_name(self):
        """Two kernels that are called alike are two kernels, not signatures of one."""
        member = "    @ct.kernel\n    def member(x, y):\n        ct.store(y, index=(ct.bid(0) // 2,), tile=ct.load(x, index=(0,), shape=(16,)))\n"
        self.write("k.py", HEAD + "\nclass K:\n" + member + "\nclass L:\n" + member)
        self.write("tilerace.toml", '[kernels]\nmember = { x = "f32[1]", y = "f32[1]" }\n')
        self.assertEqual([(k["verdict"], "compilation" in k) for k in self.kernels()], [("race", False)] * 2)

    def test_undecided(self):
        self.state(("f32[1]", 16), ("f32[1]", 32))
        self.write("k.py", self.STEPS.replace("ct.bid(0) * STEP", "ct.load(y, index=(ct.bid(0),), shape=(1,)).astype(ct.int32).item() * STEP"))
        for form in ("sarif", "github", "gitlab", "text"):
            said = self.build("k.py", "--format", form, "--steps=1", code=0).stdout
            if "is not decided" in said:
                self.assertRegex(said, r"'fill' \(y = .*STEP = 16, TILE = \d+\) is not decided", form)

    def test_hook_and_cache(self):
        self.state(("f32[1]", 32))
        cache = ("--cache-dir", str(self.top / "cache"))
        one = self.build("k.py", *cache, code=1).stdout
        self.assertNotIn("compiled for", one)
        self.state(("f16[1]", 32), ("f32[1]", 32))
        for _ in range(2):
            self.assertEqual(self.build("k.py", *cache, code=1).stdout.count("compiled for"), 4)
        self.assertIn("2 of 2 results came from the cache", self.build("k.py", "-v", *cache, code=1).stderr)
        self.assertEqual(self.run_tool("hook", "--build", "k.py", code=1, env=self.environment).stdout.count("compiled for"), 4)
        self.state(("f32[1]", 32))
        self.assertEqual(self.build("k.py", *cache, code=1).stdout, one)

    def test_crate(self):
        """Of a crate nobody states what its kernels were compiled for: they are numbered."""
        Others.crate(self)
        once = json.loads(self.build(".", "--format=json", code=1).stdout)
        self.assertNotIn("compilation", once["inputs"][0]["kernels"][0])
        other = self.top / "other.tilebc"
        self.run_tool("compile", self.environment["MODULE"], "-o", str(other))
        self.assertNotEqual(other.read_bytes(), RUST_MODULE)
        self.program("cargo", FAKE_CARGO.replace('"$MODULE" ||', f'"$MODULE" && "$CUTILE_TILEIRAS_PATH" -o "$TMPDIR/k.cubin" {other} ||'))
        said = self.build(".", code=1).stdout
        self.assertEqual(re.findall(r"compilation: (.*)", said), ["1 of 2", "1 of 2", "2 of 2", "2 of 2"])
        of = [kernel for one in json.loads(self.build(".", "--format=json", code=1).stdout)["inputs"] for kernel in one["kernels"]]
        self.assertEqual([(k["compilation"]["number"], "signature" in k) for k in of], [(1, False), (2, False)])
        self.assertLessEqual({f["fingerprint"] for k in once["inputs"][0]["kernels"] for f in k["findings"]},
                             {f["fingerprint"] for k in of for f in k["findings"]})


class Others(Build):
    def test_cuda(self):
        self.write("a.cu", CUDA)
        self.write("bad.cu", CUDA)
        self.write("h.cuh", CUDA)
        must = {"MUST": "--tilebc --tile-only -lineinfo -std=c++20 -DX=1"}
        found, skipped = self.inputs(".", "--", "-DX=1", "-I", "inc", code=2, env=must)
        self.assertEqual([file for file, _ in found], ["a.cu", "bad.cu"])
        self.assertEqual(found[0][1][0][1], "race")
        self.assertEqual(found[1][1], ["cannot be compiled: nvcc ended with 2: bad.cu(1): error: this is no C++"])
        self.assertEqual(skipped, {"header": ["h.cuh"]})
        self.build("a.cu", "--", "-ccbin", "evil", code=2, out="'-ccbin' is not an option")
        self.build("h.cuh", code=0, out="not checked: 1 headers")

    def test_options_of_a_build(self):
        """Those that say what a source means; none that names a program, loads or writes."""
        self.write("a.cu", CUDA)
        evil = ["-ccbin", "./evil", "-Xcompiler", "-fplugin=./evil.so", "--compiler-bindir=./evil", "-o", "evil.o",
                "--keep", "-Xcicc", "x", "-optf", "evil.txt", "@evil.rsp", "-dumpdir", "x"]
        self.write("evil.rsp", "-ccbin ./evil -fplugin=./evil.so -o evil.o")
        self.write("compile_commands.json", json.dumps([{"directory": str(self.folder), "file": "a.cu", "arguments": [
            "./evil-nvcc", "-DY=2", "-std=c++23", *evil, "-c", "a.cu"]}]))
        found = self.inputs(".", code=1, env={"MUST": "-DY=2 -std=c++23"})[0]
        self.assertEqual(found[0][1][0][1], "race")
        found = self.inputs(".", code=2, env={"MUST": "-std=c++20"})[0]  # so it is not given besides
        self.assertIn("no -std=c++20 in", found[0][1][0])

    def test_no_module(self):
        self.write("a.cu", CUDA)
        for what, said in (("/dev/null", "not Tile IR bytecode"), (__file__, "not Tile IR bytecode"), ("/gone", "No such file or directory")):
            self.assertIn(said, self.inputs(".", code=2, env={"MODULE": what})[0][0][1][0])
        cut = self.write("cut.bin", pathlib.Path(self.environment["MODULE"]).read_bytes()[:100])
        self.inputs("a.cu", code=2, env={"MODULE": str(cut)})

    def crate(self, below=""):
        self.write(below + "Cargo.toml", '[package]\nname = "halves"\nversion = "0.1.0"\nedition = "2021"\n')
        self.write(below + "src/lib.rs", RUST)
        module = self.top / "module.bc"
        module.write_bytes(RUST_MODULE)
        self.environment["MODULE"] = str(module)

    def test_rust(self):
        self.crate("crates/k/")
        self.write("crates/k/src/more/other.rs", "// cutile\n")
        self.write("lone/x.rs", "use cutile;\n")
        said = self.build("crates", code=1).stdout
        self.assertRegex(said, r"(?m)^crates/k/src/lib\.rs:18:18: error: different tile blocks write .* 'y'")
        self.assertEqual([file for file, _ in self.inputs("crates", code=1)[0]], ["crates/k/Cargo.toml"])
        notes = (self.notes / "cargo").read_text().split("\n")[:2]
        self.assertEqual(notes, [f"{self.folder}/crates/k: test --no-run --quiet",
                                 f"{self.folder}/crates/k: test --no-fail-fast --quiet"])
        self.build("crates/k/src/lib.rs", code=1, out="crates/k/src/lib.rs:18:18: error")
        self.build("lib.rs", where="crates/k/src", code=1, out="lib.rs:18:18: error")
        self.build("lone", code=2, err="lone/x.rs: error: is not compiled: there is no Cargo.toml")

    def test_rust_that_is_not_compiled(self):
        self.crate()
        found = self.inputs(".", code=2, env={"CARGO_FAILS": "1"})[0]
        self.assertEqual(found, [("Cargo.toml", ["cannot be compiled: cargo ended with 101: error[E0425]: cannot find value"])])
        found = self.inputs(".", code=2, env={"NO_KERNEL": "1"})[0]
        self.assertEqual(found, [("Cargo.toml", ["'add_halves' is not compiled: no test of the crate compiles it"])])
        self.write("src/more.rs", RUST.replace("add_halves", "other") + "// #[cutile::entry()] fn not_one()\n")
        found = self.inputs(".", code=2)[0]
        self.assertEqual(found[1], ("Cargo.toml", ["'other' is not compiled: no test of the crate compiles it"]))

    @unittest.skipIf(shutil.which("cargo") is None, "there is no cargo")
    def test_rust_by_cargo(self):
        """A crate without dependencies, whose test does what cuTile Rust does."""
        self.crate("k/")
        self.write("k/src/lib.rs", f"""// The words of cutile.
#[test]
fn compiles() {{
    let tileiras = std::env::var("CUTILE_TILEIRAS_PATH").unwrap();
    let out = std::env::temp_dir().join("k.cubin");
    let status = std::process::Command::new(tileiras).arg("-o").arg(&out)
        .arg("{self.environment['MODULE']}").status().unwrap();
    assert!(status.success() && out.exists());
    std::fs::remove_file(out).unwrap();
}}
""")
        (self.bin / "cargo").unlink()
        env = {"PATH": f"{os.path.dirname(shutil.which('cargo'))}:{self.environment['PATH']}"}
        found = self.inputs("k", code=1, env=env)[0]
        self.assertEqual(found, [("k/Cargo.toml", [("add_halves_entry", "race")])])
        self.write("k/src/lib.rs", "// cutile\nfn broken() -> i32 {}\n")
        self.assertRegex(self.inputs("k", code=2, env=env)[0][0][1][0], r"cargo ended with 101: error\[E0308\]: mismatched types")


class Together(Build):
    def test_order_is_that_of_names_for_any_j(self):
        for name in ("b", "d", "f"):
            self.write(f"{name}.py", HEAD + RACE)
        for name in ("a", "e"):
            self.write(f"{name}.cu", CUDA)
        self.write("c.c", RACY_C)
        self.write("tilerace.toml", TABLE)
        texts = {jobs: re.sub("[0-9.]+ s", "", self.build(".", f"-j{jobs}", code=1).stdout) for jobs in (1, 2, 5)}
        self.assertEqual(texts[1], texts[2])
        self.assertEqual(texts[1], texts[5])
        self.assertEqual([file for file, _ in self.inputs(".", code=1)[0]], ["c.c", "a.cu", "b.py", "d.py", "e.cu", "f.py"])

    def test_exclude_and_gitignore_and_links(self):
        mark = self.top / "mark"
        evil = HEAD + f"open({str(mark)!r}, 'w')\n" + RACE
        outside = self.top / "outside"
        outside.mkdir()
        (outside / "k.py").write_text(evil)
        self.write("a/x.py", evil)
        self.write("b/y.py", evil)
        self.write(".gitignore", "/b\n")
        (self.folder / "link.py").symlink_to(outside / "k.py")
        (self.folder / "linked").symlink_to(outside)
        found, skipped = self.inputs(".", "--exclude", "a/")
        self.assertEqual(found, [])
        self.assertEqual(skipped, {"excluded": ["a"], "ignored-by-git": ["b"], "link-out": ["link.py", "linked"]})
        self.assertEqual(self.inputs("a/x.py", "--exclude", "a/", code=2)[0][0][0], "a/x.py")  # it is named

    def test_suppressions_and_baseline(self):
        self.write("tilerace.toml", TABLE)
        allow = "  # tilerace: allow(TR001): either will do"
        self.write("k.py", HEAD + RACE.replace("* 2.0)", "* 2.0)" + allow))
        self.assertIn("1 allowed", self.build(".", code=0).stdout)
        self.write("k.py", HEAD + SOUND.replace("* 2.0)", "* 2.0)" + allow))
        self.build(".", out="[TR902]")
        self.write("k.py", HEAD + SOUND.replace("* 2.0)", "* 2.0)" + allow) + KERNEL.format(name="other", index="block"))
        self.assertNotIn("[TR902]", self.build(".", code=2).stdout)  # what the other one has is not known
        self.write("k.py", HEAD + RACE)
        self.build(".", "--baseline", "b.json", "--write-baseline", code=0)
        self.build(".", "--baseline", "b.json", code=0, out="1 in the baseline")
        self.write("k.py", HEAD + "# moved\n" + RACE)
        self.build(".", "--baseline", "b.json", code=0, out="1 in the baseline")
        self.write("k.py", HEAD + KERNEL.format(name="scale", index="block // 3"))
        self.build(".", "--baseline", "b.json", code=1)
        self.build(".", "--ignore", "TR001", code=0, out="1 not selected")

    def test_cache(self):
        """The result is kept; what the compiler makes is not, since nobody sees what it reads."""
        self.write("k.py", HEAD + "from lib import INDEX\n" + KERNEL.format(name="scale", index="INDEX(block)"))
        self.write("lib.py", "def INDEX(block):\n    return block\n")
        self.write("tilerace.toml", TABLE)
        env = {"TILERACE_CACHE_DIR": str(self.top / "cache")}
        self.build("-v", ".", env=env, err="0 of 1 results came from the cache")
        self.build("-v", ".", env=env, err="1 of 1 results came from the cache")
        self.write("lib.py", "def INDEX(block):\n    return block // 2\n")
        self.build("-v", ".", env=env, code=1, err="0 of 1 results came from the cache")

    def test_recordings(self):
        """What was recorded of the source as it is now is checked as well; of an earlier one, no more."""
        self.write("k.py", HEAD + SOUND + "\nimport numpy as np\nif __name__ == '__main__':\n"
                   "    ct.launch(0, (4,), scale, (np.ones(64, np.float32), np.ones(64, np.float32)))\n")
        self.write("tilerace.toml", TABLE)
        self.run_tool("exec", "--dry-run", "--", str(self.bin / "python3"), "k.py", env=self.environment)
        found = self.inputs(".")[0]
        self.assertEqual(len(found), 2)
        self.assertIn(("k.py", [("scale", "race-free")]), found)
        self.write("k.py", HEAD + RACE)
        found, skipped = self.inputs(".", code=1)
        self.assertEqual((found, skipped), ([("k.py", [("scale", "race")])], {}))

    def test_comments_under_exec(self):
        """What is wrong with a comment is said of a program, too; that it is unused is not known there."""
        launch = ("\nimport numpy as np\nif __name__ == '__main__':\n"
                  "    ct.launch(0, (4,), scale, (np.ones(64, np.float32), np.ones(64, np.float32)))\n"
                  "    ct.launch(0, (4,), scale, (np.ones(64, np.float16), np.ones(64, np.float16)))\n")
        sound = SOUND.replace(" * 2.0", "")
        words = ("exec", "--dry-run", "--no-recording", "--fail-on", "warning", "--", str(self.bin / "python3"), "k.py")
        self.write("k.py", HEAD + "# tilerace: allow(TR001)\n# tilerace: allow(TR0O1): so\n" + sound + launch)
        said = self.run_tool(*words, code=1, env=self.environment).stderr
        self.assertEqual(re.findall(r"(?m)^k\.py:(\d+):\d+: warning: .* \[TR903\]$", said), ["2", "3"])
        self.write("k.py", HEAD + "# tilerace: allow(TR001): either will do\n" + sound + launch)
        said = self.run_tool(*words, env=self.environment).stderr
        self.assertNotIn("[TR90", said)

    def test_diff_base(self):
        """All that is compiled counts as affected."""
        shutil.rmtree(self.folder / ".git")
        self.write("k.py", HEAD + RACE)
        self.write("racy.c", RACY_C)
        self.write("tilerace.toml", TABLE)
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "m"]):
            subprocess.run(["git", *words], cwd=self.folder, check=True)
        done = self.build(".", "--diff-base", "HEAD", code=1, out="k.py:8:5: error: ")
        self.assertNotIn("racy.c:", done.stdout)
        self.assertIn("not affected by the change since HEAD: 1 kernel", done.stdout)

    def test_hook(self):
        self.write("k.py", HEAD + RACE)
        self.write("setup.py", "import os\n")
        self.write("tilerace.toml", TABLE)
        self.run_tool("hook", "--build", "k.py", "setup.py", code=1, out="k.py:8:5: error: ", env=self.environment)

    def test_other_formats(self):
        self.write("k.py", HEAD + RACE + KERNEL.format(name="other", index="block"))
        self.write("tilerace.toml", TABLE)
        for form in ("sarif", "junit", "github", "gitlab", "markdown", "html"):
            with self.subTest(form):
                text = self.build(".", "--format", form, code=2).stdout
                self.assertIn("k.py", text)
                self.assertIn("nothing states a signature", text + self.build(".", "--format", form, code=2).stderr)

    def test_build_with(self):
        self.write("k.py", HEAD + SOUND)
        self.write("tilerace.toml", TABLE)
        (self.bin / "python3").unlink()
        self.program("snake", f'#!/bin/sh\nexec {PYTHON} "$@"\n')
        for name in (str(self.bin / "snake"), "snake", "../bin/snake"):
            self.assertEqual(self.inputs(".", f"--build-with=python3={name}")[0], [("k.py", [("scale", "race-free")])])
        self.assertIn("'gone'", self.inputs(".", "--build-with", "python3=gone", code=2)[0][0][1][0])
        self.build(".", "--build-with", "perl=perl", code=2, err="not 'perl=perl'")
        self.check(".", "--build-with", "python3=x", code=2, err="--build is not given")


class Hostile(Build):
    """Repositories of somebody who would like to have something run, or taken for ours."""

    def test_nothing_names_a_program(self):
        mark = self.top / "mark"
        runs = f"#!/bin/sh\ntouch {mark}\n"
        for name in ("python3", "nvcc", "cargo", "evil", "bin/python3"):
            self.write(name, runs).chmod(0o755)
        self.write("k.py", HEAD + SOUND)
        for text, said in ((TABLE + "[tilerace]\nbuild = true\n", "'build' belongs on the command line"),
                           (TABLE + '[tilerace]\nbuild-with = ["python3=./evil"]\n', "'build-with' belongs on the command line"),
                           ('build-with = "python3=./evil"\n', "'build-with' belongs on the command line"),
                           (TABLE + 'python3 = "./evil"\n', "a signature is a table of parameters, not a string"),
                           (TABLE + 'python3 = { program = "./evil" }\n', "'./evil' is not a type of a parameter"),
                           ('[kernels]\n"../x.py:scale" = {}\n', "names no kernel"), ('[kernels]\n"/x:scale" = {}\n', "names no kernel"),
                           ('[kernels]\n"a b" = {}\n', "names no kernel"), ("[kernels]\nscale = { x = 1.5 }\n", "not a float"),
                           ('[kernels]\nscale = { x = [1] }\n', "not an array"), ("kernels = 3\n", "'kernels' is a table"),
                           ('[kernels]\nscale = { "x\\u0000y" = 1 }\n', "is not the name of a parameter"),
                           ('[kernels]\nscale = { x = "f32[1]\\"); import os" }\n', "is not a type of a parameter")):
            self.write("tilerace.toml", text)
            with self.subTest(text):
                self.build(".", code=2, out=said)
        self.write("tilerace.toml", TABLE)
        for path in (f"{self.bin}:.:/usr/bin:/bin", f".:{self.bin}::/usr/bin:/bin", f"bin:{self.bin}:/usr/bin:/bin"):
            self.assertEqual(self.inputs(".", env={"PATH": path})[0], [("k.py", [("scale", "race-free")])])
        self.assertFalse(mark.exists())

    def test_without_the_option_nothing_runs(self):
        mark = self.top / "mark"
        for name in ("python3", "nvcc", "cargo"):
            self.program(name, f"#!/bin/sh\ntouch {mark}\n")
        self.write("k.py", HEAD + f"open({str(mark)!r}, 'w')\n" + SOUND)
        self.write("a.cu", CUDA)
        self.write("Cargo.toml", "[package]\n")
        self.write("build.rs", "use cutile;\n")
        self.write("tilerace.toml", TABLE)
        self.check(".", env=self.environment, out="not checked: 3 without a recording")
        for name in ("k.py", "a.cu"):
            self.check(name, env=self.environment, code=2)
        self.run_tool("hook", "k.py", "a.cu", env=self.environment)
        self.assertFalse(mark.exists())

    def hostile(self, text, code=2, *words, **more):
        self.write("k.py", HEAD + "import os, sys, time\n" + text + SOUND)
        self.write("tilerace.toml", TABLE)
        return self.inputs(".", *words, code=code, **more)[0]

    def test_prints(self):
        """What it prints is not taken for an answer, on whichever descriptor."""
        found = self.hostile("""
for fd in range(3):
    os.write(fd, b'{"about": [], "wrong": []}\\n' * 9)
print('{"about": [], "wrong": []}', file=sys.stderr)
for fd in range(3, 20):
    try: os.write(fd, b'{"about": []}')
    except OSError: pass
""", 0)
        self.assertEqual(found, [("k.py", [("scale", "race-free")])])
        found = self.hostile("os.write(1, b'{}'); print('\\x1b[2J error \\r nothing', file=sys.stderr); os._exit(3)\n")
        self.assertRegex(found[0][1][0], r"^cannot be compiled: python3 ended with 3: ")
        self.assertNotIn("\x1b", self.build(".", code=2).stdout)

    def test_ends_early(self):
        for text, said in (("os._exit(0)\n", "it ended the program that compiles it"), ("os._exit(7)\n", "ended with 7"),
                           ("os.kill(os.getpid(), 9)\n", "ended by signal 9"), ("os.abort()\n", "ended by signal 6"),
                           ("import ctypes; ctypes.string_at(0)\n", "ended by signal 11")):
            with self.subTest(text):
                self.assertIn(said, self.hostile(text)[0][1][0])

    def test_answers_itself(self):
        """It can say what it likes of itself: no file outside its folder is taken, and no module that is none."""
        for answer in ({"about": ["x"], "wrong": []}, {"about": ["../../k"], "wrong": []}, {"about": [], "wrong": [7]}, {"about": 7}, [],
                       {"about": [{}] * 5000, "wrong": []}, {"about": [], "wrong": [{"text": "a\nb\x1b[2J", "line": 1e300}]}):
            text = f"open(sys.argv[1] + '/answer.json', 'w').write({json.dumps(answer)!r}); os._exit(0)\n"
            with self.subTest(answer):
                self.assertEqual(self.hostile(text)[0][0], "k.py")
        found = self.hostile("os.symlink('/etc/passwd', sys.argv[1] + '/0.tilebc'); os.mkfifo(sys.argv[1] + '/1.tilebc')\n"
                             "open(sys.argv[1] + '/answer.json', 'w').write('{\"about\": [\"\", \"\"], \"wrong\": []}'); os._exit(0)\n")
        self.assertIn("not Tile IR bytecode", found[0][1][0])

    def test_never_ends(self):
        began = time.monotonic()
        found = self.hostile("while True: pass\n", 2, "--timeout", "1500")
        self.assertIn("python3 did not end within 1.5 s", found[0][1][0])
        self.assertLess(time.monotonic() - began, 30)

    def running(self, word):
        """Processes whose words have that one."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if word.encode() in process.read_bytes():
                    found.append(int(process.parent.name))
            except OSError:
                pass
        return found

    def forks(self, word, then):
        return f"""
for i in range(5):
    if os.fork() == 0:
        if i % 2: os.setsid()
        if i > 2 and os.fork() > 0: os._exit(0)
        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(300)', {word!r}])
{then}
"""

    def test_forks(self):
        """What it leaves running ends with it, also what left its session, and however the compiler ends."""
        for then, code, words in (("", 0, ()), ("os._exit(1)", 2, ()), ("while True: pass", 2, ("--timeout", "3000"))):
            word = f"left-behind-{os.getpid()}-{len(then)}"
            with self.subTest(then):
                self.hostile(self.forks(word, then), code, *words)
                self.assertEqual(self.running(word), [])

    def test_interrupted(self):
        word = f"left-behind-{os.getpid()}-interrupted"
        self.write("k.py", HEAD + "import os, sys, time\n" + self.forks(word, "time.sleep(300)") + SOUND)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            run = subprocess.Popen([TILERACE, "check", "--build", "."], cwd=self.folder, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.addCleanup(run.stdout.close)
            self.until(lambda: len(self.running(word)) == 5)
            run.send_signal(number)
            self.assertEqual(run.wait(timeout=30), -9 if number == signal.SIGKILL else 128 + number)
            if number != signal.SIGKILL:
                self.assertRegex(run.stdout.read(), r"k\.py: error: (is not compiled|was not checked): the run was interrupted")
            self.until(lambda: not self.running(word) and not list(self.temporary.iterdir()))

    def until(self, what):
        end = time.monotonic() + 60
        while not what():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_memory(self):
        found = self.hostile("x = bytearray(3 << 30)\n", 2, "--memory", "1024")
        self.assertIn("MemoryError", found[0][1][0])

    def test_deletes_and_writes(self):
        """Where the system can hold it (Landlock), it writes in its own folder alone."""
        victim = self.top / "victim"
        (victim / "folder").mkdir(parents=True)
        (victim / "file").write_text("kept")
        fenced = subprocess.run([sys.executable, "-c", "import ctypes; raise SystemExit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)"],
                                check=False).returncode == 0
        if not fenced:
            self.skipTest("the kernel has no Landlock")
        for act in (f"os.remove('{victim}/file')", f"os.rmdir('{victim}/folder')", f"open('{victim}/file', 'w')",
                    f"os.truncate('{victim}/file', 0)", f"open('{victim}/new', 'w')", "open('k.py', 'w')", "os.remove('tilerace.toml')",
                    f"os.rename('{victim}/file', '{victim}/moved')", f"os.symlink('x', '{victim}/link')",
                    f"os.kill({os.getpid()}, 0)", "__import__('socket').create_connection(('127.0.0.1', 9), 1)"):
            with self.subTest(act):
                self.assertRegex(self.hostile(act + "\n")[0][1][0], "its import ends in (PermissionError|OSError)")
        self.assertEqual(sorted(path.name for path in victim.iterdir()), ["file", "folder"])
        self.assertEqual((victim / "file").read_text(), "kept")
        found = self.hostile("import tempfile; tempfile.NamedTemporaryFile().write(b'x')\n", 0)
        self.assertEqual(found, [("k.py", [("scale", "race-free")])])

    def test_leaves_a_folder_that_is_hard_to_remove(self):
        found = self.hostile("os.makedirs(sys.argv[1] + '/a/b'); open(sys.argv[1] + '/a/b/c', 'w')\n"
                             "os.symlink('/', sys.argv[1] + '/root'); os.chmod(sys.argv[1] + '/a', 0)\n", 0)
        self.assertEqual(found, [("k.py", [("scale", "race-free")])])

    def test_cargo_that_hands_over_anything(self):
        self.write("Cargo.toml", "[package]\n")
        self.write("lib.rs", "use cutile;\n")
        self.program("cargo", '#!/bin/sh\ncase "$*" in *no-run*) ;; *) echo junk >"$TILERACE_COLLECT/1.tilebc"; '
                     'ln -s /etc/passwd "$TILERACE_COLLECT/2.tilebc"; mkfifo "$TILERACE_COLLECT/3.tilebc" ;; esac\n')
        found = self.inputs(".", code=2)[0]
        self.assertEqual(found[0][0], "Cargo.toml")
        self.assertIn("not Tile IR bytecode", found[0][1][0])


@unittest.skipIf(NVCC is None, "nvcc is not named")
class Nvcc(Build):
    """The compiler itself."""

    def test_fixtures(self):
        kernels = [path for path in sorted((ROOT / "kernels/cpp").glob("*.cu"))][:4]
        races = [path for path in sorted((ROOT / "fixtures/races/cpp").glob("*.cu"))][:4]
        for path in (*kernels, *races):
            for beside in path.parent.glob(path.stem + ".launch.json"):
                shutil.copy(beside, self.folder)
            shutil.copy(path, self.folder)
        (self.bin / "nvcc").unlink()
        found = dict(self.inputs(".", f"--build-with=nvcc={NVCC}", code=1)[0])
        for path in (*kernels, *races):
            want = self.check(str(path.with_suffix(".tilebc")), "--format=json", code=0 if path in kernels else 1).stdout
            want = [(k["kernel"], k["verdict"]) for i in json.loads(want)["inputs"] for k in i["kernels"]]
            self.assertEqual(found[path.name], want)
        self.write("broken.cu", CUDA + "int x = ;\n")
        said = self.build("broken.cu", f"--build-with=nvcc={NVCC}", code=2).stdout
        self.assertRegex(said, r"broken\.cu: error: cannot be compiled: nvcc ended with \d+: .*error")


if __name__ == "__main__":
    unittest.main()
