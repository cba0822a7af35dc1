"""The verdict `conditional` through the real command: what it says, in every format, with which
exit code, and what a contract and --strict make of it.

    test_conditional.py TILERACE
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
HEAD = "#include <tile.h>\n"

CLEAN = """
tile_kernel void k(float *restrict y, const float *restrict v)
{
    tile_grid(8); tile_extent(y, 8); tile_extent(v, 8);
    int e = tile_bid(0);
    y[e] = v[e];
}
"""
# Plain updates where an index buffer says: two equal indices race.
SCATTER = """
tile_kernel void k(float *restrict y, const int *restrict row, const float *restrict v)
{
    int e = tile_bid(0);
    y[row[e]] += v[e];
}
"""
LOOP = """
tile_kernel void k(float *restrict y, int K)
{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++)
        y[b + i * K] = 1.0f;
}
"""
NO_AXIS = """
tile_kernel void k(float *restrict y)
{
    y[0] = 2.0f;
}
"""
# Where a table leads; `out` has 64 elements.
LED = """
tile_kernel void k(int *restrict table, float *restrict out)
{
    tile_extent(table, 16); tile_extent(out, 64);
    tile all = tile_load_ptr(tile_pointers(table, tile_iota(16)));
    %s;
}
"""
LED_BY = (
    "out[tile_to_int(tile_reduce_sum(all, 0))] = 1.0f",
    "out[tile_to_int(tile_reduce_max(all, 0))] = 1.0f",
    "out[3 + tile_to_int(tile_reduce_sum(all, 0)) / 2] = 1.0f",
    "tile_store_ptr(tile_pointers(out, tile_scan_sum(all, 0)), 1.0f)",
    "tile_store_ptr(tile_pointers(out, all * 5), 1.0f)",
)
# The flag is set and never reset.
ONE_SHOT = """
tile_kernel void k(float *restrict x, float *restrict y, int *restrict f)
{
    int i = tile_bid(0);
    if (i == 0) {
        x[0] = 1.0f;
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    }
    if (i == 1) {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0) ;
        y[0] = x[0];
    }
}
"""
# The same, and the reader puts the flag back.
RESET = """
tile_kernel void k(float *restrict x, float *restrict y, int *restrict f)
{
    tile_grid(2);
    int i = tile_bid(0);
    if (i == 0) {
        x[0] = 1.0f;
        tile_store_ptr_at(tile_pointers(f, 0), 1, TILE_RELEASE, TILE_DEVICE);
    }
    if (i == 1) {
        while (tile_to_int(tile_load_ptr_at(tile_pointers(f, 0), TILE_ACQUIRE, TILE_DEVICE)) == 0) ;
        y[0] = x[0];
        tile_store_ptr_at(tile_pointers(f, 0), 0, TILE_RELAXED, TILE_DEVICE);
    }
}
"""
# A counter that nobody sets back: the same grid again waits for ever, a larger one goes on early.
COUNTED = """
tile_kernel void k(float *restrict x, float *restrict y, int *restrict count)
{
    int i = tile_bid(0);
    x[i] = 1.0f;
    int before = tile_atomic_add(tile_pointers(count, 0), 1, TILE_ACQ_REL, TILE_DEVICE);
    if (before == tile_grid_extent(0) - 1)
        y[0] = x[0];
}
"""
COUNTED_AND_RESET = COUNTED.replace("        y[0] = x[0];\n", """        {
            y[0] = x[0];
            tile_store_ptr_at(tile_pointers(count, 0), 0, TILE_RELAXED, TILE_DEVICE);
        }
""")
RACY = """
tile_kernel void k(float *restrict y)
{
    tile_grid(8); tile_extent(y, 8);
    y[tile_bid(0) / 2] = 1.0f;
}
"""
# The order of what a block reads of its own writes decides: not decided.
UNKNOWN = """
tile_kernel void k(int *restrict x, int *restrict y)
{
    tile_grid(8);
    int b = tile_bid(0);
    y[b + tile_to_int(tile_reduce_sum(tile_load_ptr(tile_pointers(x, b * 16 + tile_iota(16))), 0))] = 1;
}
"""


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, text, name="kernel.c"):
        path = self.folder / name
        path.write_text(HEAD + text)
        return str(path)

    def run_on(self, text, *options, command="check"):
        line = [TILERACE, command, *options, self.write(text)]
        return subprocess.run(line, capture_output=True, text=True, check=False, cwd=self.folder)

    def kernel(self, text, *options):
        done = self.run_on(text, "--format", "json", *options)
        return json.loads(done.stdout)["inputs"][0]["kernels"][0]


class ExitCodes(Folder):
    def test_table(self):
        """Every cell that `check` has today: the kernel, what is asked for, the code."""
        wrong = []
        for name, text, options, code in (
            ("clean", CLEAN, [], 0),
            ("clean", CLEAN, ["--fail-on", "race,conditional,unknown,warning"], 0),
            ("conditional", SCATTER, [], 0),
            ("conditional", SCATTER, ["--fail-on", "conditional"], 1),
            ("conditional", SCATTER, ["--fail-on", "warning"], 1),
            ("conditional", SCATTER, ["--fail-on", "race,unknown"], 0),
            ("conditional", SCATTER, ["--werror"], 1),
            ("conditional", SCATTER, ["--fail-on-unknown"], 0),
            ("conditional", SCATTER, ["--strict"], 0),
            ("conditional", SCATTER, ["--strict", "--fail-on", "unknown"], 3),
            ("conditional", SCATTER, ["--strict", "--fail-on-unknown", "--werror"], 3),
            ("race", RACY, [], 1),
            ("race", RACY, ["--fail-on", "unknown"], 1),
            ("unknown", UNKNOWN, [], 0),
            ("unknown", UNKNOWN, ["--fail-on", "unknown"], 3),
            ("unknown", UNKNOWN, ["--fail-on-unknown"], 3),
            ("unknown", UNKNOWN, ["--fail-on", "conditional,race,broken,unseen,error"], 0),
            ("clean", CLEAN, ["--fail-on", "conditonal"], 2),
            ("clean", CLEAN, ["--fail-on", ""], 2),
            ("bad", "tile_kernel void k(", ["--fail-on", "unknown"], 2),
        ):
            done = self.run_on(text, *options)
            if done.returncode != code:
                wrong.append(f"{name} {options}: {done.returncode}, not {code}\n{done.stdout}")
        self.assertEqual(wrong, [])

    def test_the_highest_counts(self):
        """A race beside what is not decided: 1 before 3; a file that cannot be read: 2."""
        racy, unknown = self.write(RACY, "racy.c"), self.write(UNKNOWN, "unknown.c")
        line = [TILERACE, "check", "--fail-on", "unknown", racy, unknown]
        self.assertEqual(subprocess.run(line, capture_output=True, check=False).returncode, 1)
        line.append("missing.c")
        self.assertEqual(subprocess.run(line, capture_output=True, check=False).returncode, 2)

    def test_a_word_that_is_near(self):
        self.assertIn("did you mean 'conditional'?", self.run_on(CLEAN, "--fail-on", "conditonal").stderr)


class Examples(Folder):
    def example(self, text, kind):
        kernel = self.kernel(text)
        self.assertEqual(kernel["verdict"], "conditional", kernel)
        broken = []
        for finding in kernel["findings"]:
            self.assertEqual((finding["level"], finding["confidence"]), ("warning", "confirmed"))
            self.assertIsNotNone(finding["witness"])
            precondition = kernel["requires"][finding["precondition"]]
            self.assertEqual(precondition["class"], "race")
            self.assertTrue(finding["message"].startswith(precondition["reason"]))
            self.assertIn(precondition["text"], finding["message"])
            broken.append(precondition["kind"])
        self.assertIn(kind, broken)
        return kernel

    def test_indices(self):
        kernel = self.example(SCATTER, "unique-contents")
        witness = kernel["findings"][0]["witness"]
        blocks = [event["block"][0] for event in witness["events"]]
        rows = witness["contents"]["row"]
        self.assertEqual(rows[blocks[0]], rows[blocks[1]])
        fixes = " ".join(fix["text"] for fix in kernel["findings"][0]["fixes"])
        self.assertIn("atomic", fixes)

    def test_within_buffers(self):
        """Accesses outside a buffer race for nothing: the contents lead both to one of its elements."""
        for by in LED_BY:
            findings = self.kernel(LED % by)["findings"]
            self.assertTrue(findings, by)
            for finding in findings:
                self.assertEqual(finding["confidence"], "confirmed", by)
                elements = {e["element"] for e in finding["witness"]["events"]}
                self.assertTrue(len(elements) == 1 and elements <= set(range(64)), (by, elements))

    def test_grid(self):
        kernel = self.example(LOOP, "grid-bound")
        witness = kernel["findings"][0]["witness"]
        self.assertGreater(witness["grid"][0], witness["params"]["K"])

    def test_no_axis(self):
        kernel = self.example(NO_AXIS, "grid-axis")
        self.assertGreater(kernel["findings"][0]["witness"]["grid"][0], 1)

    def test_second_launch(self):
        kernel = self.example(ONE_SHOT, "stale-synchronisation")
        self.assertEqual(kernel["findings"][0]["witness"]["contents"]["f"][0], 1)
        self.assertIn("launched again, with 'f' (1) as the first launch left it", self.run_on(ONE_SHOT).stdout)

    def test_a_later_launch_of_another_grid(self):
        kernel = self.example(COUNTED, "stale-synchronisation")
        witness = kernel["findings"][0]["witness"]
        self.assertGreater(witness["grid"][0], witness["contents"]["count"][0])
        kernel = self.kernel(COUNTED_AND_RESET)
        self.assertEqual(kernel["verdict"], "race-free", kernel.get("reason"))

    def test_a_kernel_that_resets_its_flag(self):
        kernel = self.kernel(RESET)
        self.assertEqual(kernel["verdict"], "race-free", kernel.get("reason"))
        flags = [r for r in kernel["requires"] if r["kind"] == "contents-range"]
        self.assertEqual([r["class"] for r in flags], ["standing"])

    def test_stated_facts_remove_it(self):
        promised = SCATTER.replace("{\n", "{\n    tile_unique(row);\n", 1)
        self.assertEqual(self.kernel(promised)["verdict"], "race-free")
        one_block = NO_AXIS.replace("{\n", "{\n    tile_grid(1);\n", 1)
        self.assertEqual(self.kernel(one_block)["verdict"], "race-free")
        several = NO_AXIS.replace("{\n", "{\n    tile_grid(2);\n", 1)
        self.assertEqual(self.kernel(several)["verdict"], "race")


class Contracts(Folder):
    def test_round_trip(self):
        """What `contract` prints, given back, passes --strict; nothing else does."""
        for text in (SCATTER, LOOP, NO_AXIS, ONE_SHOT, RESET):
            strict = self.kernel(text, "--strict")
            self.assertEqual(strict["verdict"], "unknown")
            self.assertEqual(strict["reason"]["kind"], "contract-silent")
            contract = str(self.folder / "k.launch.json")
            done = self.run_on(text, "-o", contract, command="contract")
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            kernel = self.kernel(text, "--strict", "--launch", contract)
            self.assertEqual((kernel["verdict"], kernel["requires"]), ("race-free", []))

    def test_contract_says_that_it_is_conditional(self):
        self.assertIn("race-free only", self.run_on(SCATTER, command="contract").stderr)


class Formats(Folder):
    def test_text(self):
        text = self.run_on(SCATTER).stdout
        self.assertRegex(text, r"(?m)^\S+:6:5: warning: .* unless no two elements of 'row' are equal \[TR")
        self.assertRegex(text, r"(?m)^\S+: conditional: 'k'")
        self.assertIn("requires (race): no two elements of 'row' are equal", text)
        self.assertIn("0 proved race-free, 1 conditional, 0 racy", text)

    def test_contents_are_told_as_far_as_they_are_read(self):
        """The two tile blocks read two elements; what a run puts behind them explains nothing."""
        text = self.run_on(SCATTER).stdout
        (words,) = re.findall(r"(?m)^ *'row' holds (.*)$", text)
        self.assertEqual(len(set(words.split(", "))), 1)
        self.assertEqual(len(words.split(", ")), 2)

    def test_sarif(self):
        results = json.loads(self.run_on(SCATTER, "--format", "sarif").stdout)["runs"][0]["results"]
        self.assertEqual([r["level"] for r in results], ["warning"])
        self.assertEqual(len(results[0]["codeFlows"][0]["threadFlows"]), 2)

    def test_github_and_html(self):
        self.assertIn("::warning file=", self.run_on(SCATTER, "--format", "github").stdout)
        html = self.run_on(SCATTER, "--format", "html").stdout
        self.assertIn('class="conditional"', html)
        self.assertIn("requires (race)", html)

    def test_long_formulas(self):
        """A formula longer than a line is cut, and whole under --verbose and in JSON."""
        names = ", ".join(f"int the_length_of_the_axis_that_has_number_{i}" for i in range(3))
        sum_ = " + ".join(f"the_length_of_the_axis_that_has_number_{i}" for i in range(3))
        text = f"""
tile_kernel void k(float *restrict y, {names})
{{
    int b = tile_bid(0);
    for (int i = 0; i < 4; i++)
        y[b + i * ({sum_})] = 1.0f;
}}
"""
        whole = max((r["text"] for r in self.kernel(text)["requires"]), key=len)
        self.assertGreater(len(whole), 100)
        short = self.run_on(text).stdout
        self.assertNotIn(whole, short)
        self.assertIn("whole under --verbose", short)
        self.assertIn(whole, self.run_on(text, "--verbose").stdout)


class Explain(unittest.TestCase):
    def explain(self, *words):
        line = [TILERACE, "explain", *words]
        return subprocess.run(line, capture_output=True, text=True, check=False)

    def test_verdicts_and_preconditions(self):
        for word in ("race-free", "conditional", "race", "unknown"):
            self.assertIn("verdict", self.explain(word).stdout)
        for line in self.explain().stdout.split("Preconditions:\n")[1].split("\n\n")[0].splitlines():
            done = self.explain(line.split()[0])
            self.assertEqual(done.returncode, 0)
            self.assertIn("docs/preconditions.md", done.stdout)
        self.assertIn("did you mean 'conditional'?", self.explain("conditonal").stderr)


if __name__ == "__main__":
    unittest.main()
