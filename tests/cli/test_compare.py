"""tilerace compare: pairs that differ in one known way are named so, and pairs that do the same are the same.

    test_compare.py TILERACE DOCS
"""

import concurrent.futures
import json
import os
import pathlib

import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compare"))
import dialect_pairs  # pylint: disable=wrong-import-position

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
DOCS = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "docs").resolve()
ROOT = DOCS.parent
CHAIN = ROOT / "tests" / "compare" / "chain"
ANSWER = json.loads((DOCS / "compare.schema.json").read_text())


class Compared(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run_compare(self, a, b, *words):
        return subprocess.run([TILERACE, "compare", str(a), str(b), *words], capture_output=True, text=True,
                              check=False, cwd=self.folder)

    def compare(self, a, b, *words):
        run = self.run_compare(a, b, "--format", "json", *words)
        self.assertIn(run.returncode, (0, 1, 3), run.stderr)
        answer = json.loads(run.stdout)
        jsonschema.validate(answer, ANSWER)
        expected = {"same": (0,), "different": (1,), "unknown": (0, 3)}[answer["result"]]
        self.assertIn(run.returncode, expected)
        return answer

    def compare_all(self, pairs):
        """Of (source, replacements): their answers, in order."""
        def one(job):
            number, (source, replacements) = job
            a = self.write(f"a{number}.c", source)
            b = self.write(f"b{number}.c", dialect_pairs.changed(source, replacements))
            return self.compare(a, b)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(pool.map(one, enumerate(pairs)))

    # ---- Names ----

    def test_each_name(self):
        answers = self.compare_all([pair[1:] for pair in dialect_pairs.DIFFERENT])
        seen = set()
        for (name, source, replacements), answer in zip(dialect_pairs.DIFFERENT, answers):
            with self.subTest(name, change=replacements):
                self.assertEqual(answer["result"], "different")
                self.assertEqual(answer["differences"][0]["name"], name, answer["differences"])
                seen.add(name)
        named = set(ANSWER["$defs"]["difference"]["properties"]["name"]["enum"])
        self.assertEqual(named - seen, {"parameters", "preconditions"})

    def test_where(self):
        """The line of the mistake, and the first element that shows it."""
        a = self.write("a.c", dialect_pairs.SQUARE)
        b = self.write("b.c", dialect_pairs.changed(dialect_pairs.SQUARE, [("x * 2.0f, m, n)", "x * 2.0f, n, m)")]))
        answer = self.compare(a, b)
        line = 1 + dialect_pairs.SQUARE[:dialect_pairs.SQUARE.index("x * 2.0f")].count("\n")
        self.assertEqual([d["line"] for d in answer["differences"] if d["exact"]], [line])
        first = answer["first"]
        self.assertEqual((first["array"], first["a"]["line"]), ("c", line))
        self.assertRegex(first["a"]["loads"][0], r"a\[\d+\].* in line \d+")
        text = self.run_compare(a, b).stdout
        self.assertIn("difference: wrong-axis", text)
        self.assertRegex(text, r"A: c\[\d+\] is .* stored by tile block \(\d+, \d+, \d+\)")

    def test_races(self):
        """Equal values in order, and one of the two has a race."""
        a = self.write("a.c", dialect_pairs.SQUARE)
        b = self.write("b.c", dialect_pairs.changed(dialect_pairs.SQUARE, [
            ("    tile_store(out, x * 2.0f, m, n);\n",
             "    tile_store(out, x * 2.0f, m, n);\n    if (n > 0)\n        tile_store(out, tile_load(in, m, n - 1) * 2.0f, m, n - 1);\n")]))
        answer = self.compare(a, b)
        self.assertEqual((answer["result"], answer["b"]["verdict"]), ("different", "race"))
        self.assertEqual(answer["differences"][0]["name"], "preconditions")

    def test_missing_output(self):
        a = self.write("a.c", dialect_pairs.ADD)
        b = self.write("b.c", dialect_pairs.changed(dialect_pairs.ADD, [
            ("float *z, int n", "float *z, float *copy, int n"), ("    tile_extent(z, n);\n", "    tile_extent(z, n);\n    tile_extent(copy, n);\n"),
            ("s, inside);\n", "s, inside);\n    tile_store_masked(tile_pointers(copy, i), s, inside);\n")]))
        answer = self.compare(a, b)
        self.assertEqual([d["name"] for d in answer["differences"]], ["parameters"])

    # ---- Equal pairs ----

    def test_same(self):
        answers = self.compare_all([pair[1:] for pair in dialect_pairs.SAME])
        self.assertGreaterEqual(len(answers), 15)
        for (what, *_), answer in zip(dialect_pairs.SAME, answers):
            with self.subTest(what):
                self.assertEqual((answer["result"], answer["differences"]), ("same", []), answer)
                self.assertGreater(answer["launches"], 5)

    def test_stores(self):
        """The elements that are stored: equal for all launches, or at those alone that were tried."""
        add, square = dialect_pairs.ADD, dialect_pairs.SQUARE
        persistent = next(replacements for what, _, replacements in dialect_pairs.SAME if what == "a persistent loop")
        store = "    tile_store_masked(tile_pointers(z, i), s, inside);\n"
        for source, replacements, stores in (
                (add, [("B = 32", "B = 64")], "proved"),
                # Sizes at which they differ are larger than any that is run.
                (add, [(store, "    if (n <= 60000)\n    " + store)], "tried"),
                (add, [("tile_grid(tile_cdiv(n, B))", "tile_grid(tile_min(tile_cdiv(n, B), 2000))")], "tried"),
                (add, [("tile_lt(i, n)", "tile_lt(i, tile_min(n, 60000))")], "tried"),
                (square, [("tile_store(out, x * 2.0f, m, n)", "if (m < 250) tile_store(out, x * 2.0f, m, n)")], "tried"),
                (add, persistent, "proved"),
                (add, [*persistent, ("t < tile_cdiv(n, B)", "t < tile_min(tile_cdiv(n, B), 2000)")], "tried"),
                (add, [*persistent, ("    for (", "    for (int k = 0; k < 3; k++)\n    for (")], "proved"),
                (add, [*persistent, ("t += tile_grid_extent(0)", "t += tile_grid_extent(0) + t / 2001")], "tried"),
                (square, [("int m = tile_bid(0)", "int m = tile_cdiv(M, B) - 1 - tile_bid(0)")], "proved"),
                (square, [("int m = tile_bid(0)", "int m = tile_cdiv(M, B) - 1 - tile_bid(0)"),
                          ("tile_load(in, m, n)", "tile_load(in, m, n) + 0.0f * tile_bid(0)")], "proved")):
            with self.subTest(change=replacements):
                answers = [self.compare(self.write("a.c", source), self.write("b.c", dialect_pairs.changed(source, replacements)))]
                answers.append(self.compare(self.folder / "b.c", self.folder / "a.c"))
                for answer in answers:
                    self.assertEqual((answer["result"], answer["stores"]), ("same", stores), answer)
                    self.assertEqual("stores_not_proved" in answer, stores == "tried")

    def test_order_of_sums(self):
        orders = {what: answer["order_of_sums"] for (what, *_), answer in zip(
            dialect_pairs.SAME, self.compare_all([p[1:] for p in dialect_pairs.SAME if p[0] in ("itself", "loop backwards")]))}
        self.assertEqual(set(orders.values()), {"equal", "differs"})

    # ---- A chain of matrix products, from plain to stream-K ----

    STEPS = ("naive", "tiled", "split_k", "swizzled", "pipelined", "persistent", "stream_k")
    ROUNDED = {"tiled", "split_k", "swizzled", "stream_k"}  # who adds in another order than the step before

    def test_chain(self):
        for before, after in zip(self.STEPS, self.STEPS[1:]):
            with self.subTest(f"{before} to {after}"):
                answer = self.compare(CHAIN / f"{before}.c", CHAIN / f"{after}.c")
                self.assertEqual((answer["result"], answer["differences"]), ("same", []), answer)
                self.assertGreater(answer["launches"], 5)
                self.assertEqual(answer["order_of_sums"], "differs" if after in self.ROUNDED else "equal")

    def test_wrong_steps(self):
        for before, after, old, new, name in (
                ("naive", "tiled", "k_tiles = tile_cdiv(K, BK)", "k_tiles = K / BK", "floor-for-ceiling"),
                ("split_k", "swizzled", "n = within / rows;", "n = within / rows + 1;", "ids-from-one"),
                ("swizzled", "pipelined", "k < k_tiles;", "k < k_tiles - 1;", "loop-end"),
                ("pipelined", "persistent", "t < tiles;", "t <= tiles;", "loop-end"),
                ("pipelined", "persistent", "tile_store(out, tile_mma(x, y, acc), m, n)",
                 "tile_store(out, tile_mma(y, x, acc), m, n)", "flipped-accumulator"),
                ("persistent", "stream_k", "acc, r / n_tiles, r % n_tiles);", "acc, r % n_tiles, r / n_tiles);", "wrong-axis")):
            text = (CHAIN / f"{after}.c").read_text()
            with self.subTest(new):
                self.assertIn(old, text)
                answer = self.compare(CHAIN / f"{before}.c", self.write("wrong.c", text.replace(old, new)))
                self.assertEqual(answer["result"], "different")
                self.assertEqual(answer["differences"][0]["name"], name, answer["differences"])

    # ---- Parameters ----

    def test_match(self):
        """By position where names have been exchanged; by name they are other inputs."""
        a = self.write("a.c", dialect_pairs.changed(dialect_pairs.ADD, [("0.0f) +", "0.0f) -")]))
        swapped = dialect_pairs.changed(a.read_text(), [("const float *x, const float *y", "const float *y, const float *x"),
                                                        ("(x, i)", "(w, i)"), ("(y, i)", "(x, i)"), ("(w, i)", "(y, i)")])
        b = self.write("b.c", swapped)
        self.assertEqual(self.compare(a, b)["result"], "different")
        self.assertEqual(self.compare(a, b, "--match", "position")["result"], "same")

    def test_permute(self):
        a = self.write("a.c", dialect_pairs.SQUARE)
        b = self.write("b.c", dialect_pairs.changed(dialect_pairs.SQUARE, [
            ("tile_tensor(a, M, N)", "tile_tensor_strided(a, tile_shape(M, N), tile_strides(1, M))")]))
        answer = self.compare(a, b)
        self.assertEqual([(d["name"], d["axes"]) for d in answer["differences"]], [("permuted-layout", [1, 0])])
        for words in ("a=1,0", "auto"):
            answer = self.compare(a, b, "--permute", words)
            self.assertEqual(answer["result"], "same", words)
            self.assertEqual([x.get("axes") for x in answer["arguments"] if x["a"] == "a"], [[1, 0]])
        self.assertEqual(self.compare(a, a, "--permute", "a=1,0")["result"], "different")

    # ---- The command ----

    def test_bytecode(self):
        """A source beside what it is compiled to, of which the contract says nothing."""
        a = self.write("a.c", dialect_pairs.MATMUL)
        subprocess.run([TILERACE, "compile", str(a), "-o", str(self.folder / "a.tilebc")], check=True,
                       capture_output=True)
        answer = self.compare(a, self.folder / "a.tilebc:matmul")
        self.assertEqual((answer["result"], answer["one_code"]), ("same", True), answer)
        both = self.compare(self.folder / "a.tilebc", self.folder / "a.tilebc")
        self.assertEqual((both["result"], both["launches"]), ("same", 0))

    def test_undecided(self):
        """Two modules of whose launches nothing is stated, and which are not the same code."""
        a = self.write("a.c", dialect_pairs.MATMUL)
        b = self.write("b.c", dialect_pairs.changed(dialect_pairs.MATMUL, [("BK = 16", "BK = 32")]))
        for path in (a, b):
            subprocess.run([TILERACE, "compile", str(path), "-o", str(path.with_suffix(".tilebc"))], check=True,
                           capture_output=True)
        pair = a.with_suffix(".tilebc"), b.with_suffix(".tilebc")
        answer = self.compare(*pair)
        self.assertEqual(answer["result"], "unknown")
        self.assertIn("contract", answer["why"])
        self.assertEqual(self.run_compare(*pair).returncode, 0)
        self.assertEqual(self.run_compare(*pair, "--fail-on", "unknown").returncode, 3)

    def test_wrong_options(self):
        a = self.write("a.c", dialect_pairs.ADD)
        two = self.write("two.c", dialect_pairs.ADD + dialect_pairs.ADD.split("\n", 2)[2].replace("add(", "more("))
        for words, what in (((a, "none.c"), "none.c"), ((a, two), "several kernels"), ((a, f"{two}:none"), "no kernel none"),
                            ((a, a, "--match", "guess"), "guess"), ((a, a, "--permute", "x"), "--permute"),
                            ((a, a, "--permute", "x=0,0"), "--permute"), ((a, a, "--permute", "q=1,0"), "q"),
                            ((a, a, "--format", "sarif"), "text or json"), ((a,), "compare")):
            run = subprocess.run([TILERACE, "compare", *map(str, words)], capture_output=True, text=True, check=False,
                                 cwd=self.folder)
            self.assertEqual((run.returncode, run.stdout), (2, ""), words)
            self.assertIn(what, run.stderr)
        self.assertEqual(self.compare(a, f"{two}:add")["result"], "same")

    def test_hostile(self):
        """A loop that does not end, and one that takes for ever: the answer comes, and is no wrong one."""
        a = self.write("a.c", dialect_pairs.ADD)
        for number, body in enumerate(("while (true)\n        ;\n", "for (int k = 0; k >= 0; k++)\n        s = s + 1.0f;\n")):
            b = self.write(f"b{number}.c", dialect_pairs.changed(dialect_pairs.ADD, [("    tile_store_masked", "    " + body + "    tile_store_masked")]))
            run = subprocess.run([TILERACE, "compare", str(a), str(b)], capture_output=True, text=True, check=False,
                                 timeout=500)
            self.assertNotEqual(run.stdout.split(":")[0], "same", run.stdout)


if __name__ == "__main__":
    unittest.main()
