"""Modules on the command line: checked, with the contract beside them, and written one.

    test_bytecode.py TILERACE
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
SOURCE = "kernels/vector_add.c"
MODULE = "kernels/cpp/vector_add.tilebc"


def run(*words):
    return subprocess.run([TILERACE, *words], capture_output=True, text=True, check=False,
                          timeout=300)


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def module(self, name="k.tilebc", of=MODULE):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        shutil.copy(of, path)
        return str(path)

    def write(self, name, text):
        path = self.folder / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text if isinstance(text, str) else json.dumps(text))
        return str(path)

    def inputs(self, *words, code=0):
        done = run("check", "--format", "json", *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)["inputs"]

    def kernel(self, *words, code=0):
        return self.inputs(*words, code=code)[0]["kernels"][0]

    def requires(self, *words):
        return [entry["text"] for entry in self.kernel(*words)["requires"]]


def launch(**members):
    return {"version": 1, "launches": [members]}


class Check(Folder):
    def test_mixed(self):
        """Sources and modules in one run, whatever their names are."""
        module = self.module("module.c")
        inputs = self.inputs(SOURCE, module, SOURCE)
        self.assertEqual([entry["file"] for entry in inputs], [SOURCE, module, SOURCE])
        for entry in inputs:
            self.assertEqual(entry["kernels"][0]["verdict"], "race-free")
        self.assertTrue(inputs[1]["kernels"][0]["kernel"].startswith("vector_add(float const*"))

    def test_source_named_as_module(self):
        source = self.folder / "k.tilebc"
        shutil.copy(SOURCE, source)
        self.assertEqual(self.kernel(str(source))["verdict"], "race-free")

    def refuse(self, data, *sentences):
        """Refused with these sentences; what stands beside it is still checked."""
        path = self.write("bad.tilebc", data)
        bad, good = self.inputs(path, MODULE, code=2)
        self.assertEqual(bad["status"], "error")
        self.assertNotIn("kernels", {k for k, v in bad.items() if v})
        self.assertEqual(good["kernels"][0]["verdict"], "race-free")
        for sentence in sentences:
            self.assertIn(sentence, bad["error"])
        for command in ("dump", "contract"):
            done = run(command, path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(sentences[0], done.stderr)
        again = self.folder / "again.tilebc"
        self.assertEqual(run("compile", path, "-o", str(again)).returncode, 2)
        self.assertFalse(again.exists())

    def test_version(self):
        data = bytearray(pathlib.Path(MODULE).read_bytes())
        for major, minor in ((13, 0), (13, 6), (14, 1), (12, 4), (255, 255)):
            data[8:10] = bytes([major, minor])
            self.refuse(bytes(data), f"version {major}.{minor}", "13.1 to 13.5")

    def test_truncated(self):
        data = pathlib.Path(MODULE).read_bytes()
        for length in (8, 9, 12, 13, 40, len(data) // 2, len(data) - 1):
            with self.subTest(length=length):
                self.refuse(data[:length], "at byte ")

    def test_dump(self):
        text = run("dump", MODULE).stdout
        self.assertIn("entry @", text)
        self.assertIn("store_view_tko", text)
        self.assertIn('vector_add.cu":', run("dump", "-g", MODULE).stdout)
        for what, clue in (("--accesses", "vector_add"), ("--tokens", "vector_add"),
                           ("--obligations", "(check-sat)")):
            done = run("dump", what, MODULE)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(clue, done.stdout)


class Beside(Folder):
    """NAME.launch.json beside NAME.tilebc."""

    CLUE = "grid.x <= "  # what the module asks for where nothing is stated
    STATED = launch(grid=["cdiv(n, 256)"], args=[{}, {}, {}, {"name": "n", "min": 1}])

    def asks(self, *words):
        return any(self.CLUE in text for text in self.requires(*words))

    def test_read(self):
        module = self.module()
        self.assertTrue(self.asks(module))
        self.write("k.launch.json", self.STATED)
        self.assertFalse(self.asks(module))
        self.assertEqual(self.kernel(module)["contract"], "file")

    def test_names(self):
        """The last ending makes way; the folder's name has no say."""
        for name, beside in (("a.b.tilebc", "a.b.launch.json"), ("plain", "plain.launch.json"),
                             ("x.y/plain", "x.y/plain.launch.json"), (".k", ".k.launch.json")):
            with self.subTest(name=name):
                module = self.module(name)
                self.assertTrue(self.asks(module))
                self.write(beside, self.STATED)
                self.assertFalse(self.asks(module))

    def test_each_its_own(self):
        self.write("a.launch.json", self.STATED)
        first, second = self.inputs(self.module("a.tilebc"), self.module("b.tilebc"))
        self.assertEqual(first["kernels"][0]["contract"], "file")
        self.assertNotEqual(second["kernels"][0]["contract"], "file")

    def test_option_wins(self):
        module = self.module()
        self.write("k.launch.json", "{")
        other = self.write("other.json", self.STATED)
        self.assertFalse(self.asks("--launch", other, module))

    def test_not_beside_a_source(self):
        shutil.copy(SOURCE, self.folder / "k.c")
        self.write("k.launch.json", "{")
        self.assertEqual(self.kernel(str(self.folder / "k.c"))["verdict"], "race-free")

    def test_mistakes(self):
        module = self.module()
        for text, sentence in (
            ("{", "k.launch.json"),
            ({"version": 3, "launches": []}, "version"),
            (launch(kernel="other"), "the module has no kernel `other`"),
            (launch(args=[{}]), "args"),
            (launch(args=[{"min": 1}, {}, {}, {}]), "args[0]"),
        ):
            with self.subTest(text=text):
                self.write("k.launch.json", text)
                bad, good = self.inputs(module, MODULE, code=2)
                self.assertIn(sentence, bad["error"])
                self.assertEqual(good["kernels"][0]["verdict"], "race-free")
                self.assertEqual(run("dump", module).returncode, 0)
                self.assertEqual(run("dump", "--accesses", module).returncode, 2)


class Foreign(Folder):
    """What is no kernel is refused by what it is, not by what clang makes of it."""

    def test_by_bytes(self):
        magic = pathlib.Path(MODULE).read_bytes()[:8]
        for data, sentence in (
            (magic[:1], "Tile IR bytecode that ends after 1 bytes"),
            (magic[:7], "Tile IR bytecode that ends after 7 bytes"),
            (magic, "ends"),
            (b"", "the file is empty"),
            (b"\x7fELF\2\1\1\0", "machine code (ELF), neither C nor Tile IR bytecode"),
            (b"int x;\0", "neither C nor Tile IR bytecode"),
            (b" \n {}", "this is JSON, no kernel; a launch contract goes behind --launch"),
        ):
            with self.subTest(data=data):
                entry = self.inputs(self.write("k.c", data), code=2)[0]
                self.assertIn(sentence, entry["error"])

    def test_sources_of_other_compilers(self):
        done = run("check", "kernels/cpp/vector_add.cu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("neither a C source nor Tile IR bytecode", done.stdout + done.stderr)
        self.assertIn("the bytecode that nvcc --tilebc makes of it", done.stdout + done.stderr)


class Places(Folder):
    """Findings of modules point at the user's source, or else at the op."""

    def test_without_debug_records(self):
        module = "fixtures/races/rust/frontend_double_in_place.tilebc"
        name = "frontend_double_in_place_entry"
        text = run("check", module).stdout
        for op in ("load_view_tko", "store_view_tko"):
            self.assertRegex(text, rf"at op \d+ of '{name}': %.* = {op} ")
        for form in ("sarif", "github", "html"):
            text = run("check", "--format", form, module).stdout
            self.assertRegex(text, r"op \d+ of (&#39;|')" + name)

    def test_columns_of_python(self):
        source = "fixtures/races/python/add_vectors_half_index"
        place = self.kernel(source + ".tilebc", code=1)["findings"][0]["locations"][0]
        self.assertEqual(place["file"].rsplit("/", 1)[1], "add_vectors_half_index.py")
        line = pathlib.Path(source + ".py").read_text().splitlines()[place["line"] - 1]
        self.assertTrue(line[place["column"] - 1 :].startswith("ct.s"), (line, place))

    def test_source_line(self):
        shutil.copy("build/fixtures/races/vector_add_half_index.c", self.folder / "k.c")
        module = str(self.folder / "k.tilebc")
        done = run("compile", str(self.folder / "k.c"), "-o", module)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = run("check", module).stdout
        self.assertRegex(text, r"k\.c:\d+:\d+: error: .*\n +\d+ \| .*tile_store\(.*\n +\| +\^")


class Contradiction(Folder):
    """A contract that no launch meets is reported where it stands."""

    def test_in_the_file(self):
        module = self.module()
        path = self.write("k.launch.json", launch(args=[{"name": "arg3", "min": 5, "max": "2 + 1"}]))
        kernel = self.kernel(module, code=1)
        finding = kernel["findings"][0]
        self.assertEqual((kernel["verdict"], finding["rule"]), ("unknown", "TR011"))
        self.assertIn("no value of `arg3` meets `arg3 >= 5`, `arg3 <= 2 + 1`", finding["message"])
        self.assertEqual([p["file"] for p in finding["locations"]], [path])
        self.assertRegex(finding["fingerprint"], "^[0-9a-f]{32}$")
        self.assertEqual(finding["fingerprint"], self.kernel(module, code=1)["findings"][0]["fingerprint"])

    def test_with_the_module(self):
        module = self.module()
        for member, path, sentence in (
            ({"args": [{}] * 5}, "args", "the kernel has 4 parameters, not 5"),
            ({"args": [{"name": "arg0", "min": 1}]}, "args[0].min", "`arg0` is a pointer"),
            ({"args": [{"name": "arg3", "elements": 1}]}, "args[0].elements", "`arg3` is no pointer"),
            ({"args": [{"name": "arg3", "value": 1 << 40}]}, "args[0].value", "32 bits"),
            ({"args": [{"name": "arg1", "dtype": "i32"}]}, "args[0].dtype", "points to f32"),
            ({"contents": [{"buffer": "arg1", "min": 0}]}, "contents[0].buffer", "holds floats"),
        ):
            with self.subTest(member=member):
                self.write("k.launch.json", launch(**member))
                error = self.inputs(module, code=2)[0]["error"]
                self.assertIn(f"launches[0].{path}: ", error)
                self.assertIn(sentence, error)


class Names(Folder):
    """A module of cuTile Python tells which arguments form an array, not what they are called."""

    PYTHON = "kernels/python/transpose.tilebc"

    def test_a_contract_names_them(self):
        module = self.module(of=self.PYTHON)
        names = ["src", "rows", "columns", "pitch", "one", "dst"]
        stated = [{"name": name} for name in names] + [{}] * 4
        self.write("k.launch.json", launch(args=stated))
        text = json.dumps(self.kernel(module)["requires"])
        self.assertIn("rows", text)
        self.assertIn("dst_stride0", text)  # of the array that the contract calls dst
        self.assertNotRegex(text, r"\ba[01](_|\b)")

    def test_made_up_names_hold_without_one(self):
        module = self.module(of=self.PYTHON)
        self.assertIn("a1_stride0", json.dumps(self.kernel(module)["requires"]))
        self.write("k.launch.json", launch(args=[{"name": "a1_stride0", "min": 1}]))
        self.kernel(module)
        self.write("k.launch.json", launch(args=[{"name": "a1_strid0", "min": 1}]))
        bad = self.inputs(module, code=2)[0]
        self.assertIn("args[0].name: no parameter is called `a1_strid0`; did you mean `a1_stride0`?",
                      bad["error"])

    def test_chains_of_strides_hang_on_no_name(self):
        source = "kernels/python/swiglu"
        module = self.module(of=source + ".tilebc")
        asked = [r["kind"] for r in self.kernel(module)["requires"]]
        n = len(json.loads(run("contract", module).stdout)["launches"][0]["args"])
        self.write("k.launch.json", launch(args=[{"name": f"p{i}"} for i in range(n)]))
        named = [r["kind"] for r in self.kernel(module)["requires"]]
        self.assertIn("no-self-overlap", asked)
        self.assertIn("no-self-overlap", named)


class Contract(Folder):
    """What `contract` writes makes the check pass where no require is left to ask."""

    def round_trip(self, of):
        module = self.module(of=of)
        first = self.kernel(module)
        self.assertEqual(first["verdict"], "race-free")
        self.assertTrue(first["requires"])
        self.assertEqual(self.kernel("--strict", module)["verdict"], "unknown")
        path = self.folder / "k.launch.json"
        done = run("contract", module, "-o", str(path))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        strict = self.kernel("--strict", module)
        self.assertEqual((strict["verdict"], strict["requires"]), ("race-free", []), strict)
        # Written again, it is the same: nothing is added twice.
        written = path.read_text()
        self.assertEqual(run("contract", module, "-o", str(path)).returncode, 0)
        self.assertEqual(path.read_text(), written)
        return json.loads(written)["launches"][0]

    def test_cpp(self):
        stated = self.round_trip(MODULE)
        self.assertEqual([arg["name"] for arg in stated["args"]], ["arg0", "arg1", "arg2", "arg3"])
        self.assertEqual(len({arg["buffer"] for arg in stated["args"][:3]}), 3)

    def test_python(self):
        stated = self.round_trip("kernels/python/transpose.tilebc")
        self.assertIn("a1_stride0", " ".join(stated["assume"]))

    def test_a_list_that_goes_by_names(self):
        module = self.module("named/k.tilebc")
        path = self.write("named/k.launch.json", launch(args=[{"name": "arg3", "min": 5}]))
        done = run("contract", module, "-o", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        args = json.loads(pathlib.Path(path).read_text())["launches"][0]["args"]
        self.assertEqual(sorted(arg["name"] for arg in args), ["arg0", "arg1", "arg2", "arg3"])
        self.assertEqual(next(a for a in args if a["name"] == "arg3")["min"], 5)
        self.assertEqual(self.kernel("--strict", module)["verdict"], "race-free")

    def test_race(self):
        racy = self.module(of="fixtures/races/cpp/vector_add_half_index.tilebc")
        done = run("contract", racy)
        self.assertEqual(done.returncode, 1)
        self.assertIn("races; this contract does not change that", done.stderr)


class Witnesses(Folder):
    """Who reads a witness takes what it tells for the cause: it tells no more than that."""

    def words(self, of):
        done = run("check", self.module(of=of))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return next(line for line in done.stdout.splitlines() if "witness:" in line)

    def test_axes_that_an_assume_alone_reads(self):
        module = self.module(of="fixtures/races/rust/frontend_accumulate_in_place.tilebc")
        self.assertRegex(run("check", module).stdout, r"for the launch with grid \(\d+, 1, 1\)")

    def test_arguments_that_nothing_reads(self):
        module = self.module(of="fixtures/races/rust/frontend_fill_passes.tilebc")
        shutil.copy("fixtures/races/rust/frontend_fill_passes.launch.json",
                    self.folder / "k.launch.json")
        words = run("check", module).stdout
        witness = next(line for line in words.splitlines() if "witness:" in line)
        self.assertIn("z of shape (384)", witness)
        self.assertNotIn("z_stride_0", witness)
        found = self.kernel(module)["findings"][0]
        self.assertIn("z_stride_0", found["witness"]["params"])

    def test_arrays_are_small_and_dense(self):
        words = self.words("fixtures/races/python/add_vectors_half_index.tilebc")
        self.assertIn("grid (2, 1, 1) and a0 of shape (2), a1 of shape (2), a2 of shape (2):", words)
        words = self.words("fixtures/races/python/attention_forward_batch_dropped.tilebc")
        self.assertRegex(words, r"a3 of shape \(1, [12], 1, 1\)( with strides \((16|32), 16, 16, -\))?,")


class LaterVersions(Folder):
    """A module of a version that comes: the kernel that uses something new is not decided."""

    DATA = pathlib.Path("tests/unit/bytecode/data/memory_13_5.tilebc")

    def later(self, broken):
        data = bytearray(self.DATA.read_bytes())
        data[9] = 8
        if broken:
            data[broken] = 0xfe
        return self.write("later.tilebc", bytes(data))

    def test_nothing_new(self):
        reports = [json.loads(run("check", "--format", "json", path).stdout)
                   for path in (str(self.DATA), self.later(None))]
        verdicts = [[(k["kernel"], k["verdict"]) for k in r["inputs"][0]["kernels"]]
                    for r in reports]
        self.assertTrue(verdicts[0])
        self.assertEqual(verdicts[0], verdicts[1])

    def test_something_new(self):
        seen = 0
        for at in range(40, len(self.DATA.read_bytes()), 11):
            path = self.later(at)
            done = run("check", "--format", "json", path)
            entry = json.loads(done.stdout)["inputs"][0]
            for kernel in entry["kernels"]:
                if "unknown opcode" in str(kernel.get("reason")):
                    self.assertEqual(kernel["verdict"], "unknown")
                    self.assertEqual(kernel["reason"]["kind"], "unsupported-op")
                    self.assertEqual(run("check", "--fail-on-unknown", path).returncode, 3)
                    self.assertEqual(run("compile", path, "-o", path + ".tilebc").returncode, 2)
                    self.assertEqual(run("run", "--device", "cpu", path).returncode, 2)
                    seen += 1
            if seen:
                break
        self.assertGreater(seen, 0)

    def test_launch_that_is_stated_whole(self):
        """No run of a kernel whose ops are not known decides anything."""
        data = bytearray(pathlib.Path(MODULE).read_bytes())
        data[10] = 1  # a preview version
        path = self.write("k.tilebc", bytes(data))
        plain = self.kernel(path)
        arrays = [{"name": f"arg{i}", "buffer": f"arg{i}", "elements": 1024} for i in range(3)]
        contract = self.write("l.json", launch(kernel=plain["kernel"], grid=[4, 1, 1],
                                               args=arrays + [{"name": "arg3", "value": 1024}]))
        self.assertEqual(self.kernel(path, "--launch", contract)["verdict"], "race-free")
        for at in range(40, len(data)):
            broken = bytearray(data)
            broken[at] = 0xfe
            path = self.write("k.tilebc", bytes(broken))
            done = run("check", "--format", "json", "--launch", contract, path)
            kernels = json.loads(done.stdout)["inputs"][0]["kernels"]
            if kernels and "unknown opcode" in str(kernels[0].get("reason")):
                self.assertEqual(kernels[0]["verdict"], "unknown")
                return
            if kernels and "unknown opcode" in str(self.kernel(path).get("reason")):
                self.fail("it is decided by what is not known")
        self.fail("no kernel was left unread")


if __name__ == "__main__":
    unittest.main()
