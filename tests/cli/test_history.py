"""What was found at another time: --baseline, --write-baseline and `tilerace diff`, over a history of
commits in a repository that this test makes.

    test_history.py TILERACE
"""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import jsonschema

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/diff.schema.json").read_text())

HEAD = "#include <tile.h>\n\n"


def kernel(name, body, parameters="const float *x, float *y, float *z, int n", most="1 << 20"):
    return f"""tile_kernel void {name}({parameters})
{{
    tile_grid(n);
    tile_assume(0 < n && n <= {most});
    tile_extent(x, n);
    tile_extent(y, n);
    tile_extent(z, n);
    tile_distinct(x, y, z);
    int b = tile_bid(0);
    {body}
}}

"""


RACE, OTHER, FINE = "y[b / 2] = x[b];", "z[b / 4] = x[b];", "y[b] = x[b];"


class Repository(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve()
        self.n_reports = 0
        self.git("init", "-q")

    def git(self, *words):
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=self.folder, check=True,
            capture_output=True, timeout=60,
        )  # fmt: skip

    def write(self, name, *kernels):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(HEAD + "".join(kernels))

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*.c"))

    def run_in(self, *words, code, folder="."):
        done = subprocess.run(
            [TILERACE, *words], capture_output=True, text=True, cwd=self.folder / folder, check=False,
            timeout=120,
        )  # fmt: skip
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def check(self, *words, code, files=None, **more):
        words = [*words, *(self.files() if files is None else files)]
        return self.run_in("check", "--baseline=base.json", *words, code=code, **more)

    def write_baseline(self, **more):
        return self.check("--write-baseline", code=0, **more)

    def new(self, *words, code, **more):
        """Kernels with findings that the baseline does not hide, and how many it hides."""
        report = json.loads(self.check("--format=json", *words, code=code, **more).stdout)
        shown, hidden = [], 0
        for k in (k for i in report["inputs"] for k in i["kernels"]):
            for f in k["findings"]:
                if "suppressed" not in f:
                    shown.append(k["kernel"])
                else:
                    self.assertEqual(f["suppressed"]["kind"], "baseline")
                    hidden += 1
        return sorted(shown), hidden

    def report(self, files=None, *words):
        self.n_reports += 1
        name = f"report{self.n_reports}.json"
        files = self.files() if files is None else files
        subprocess.run(
            [TILERACE, "check", "-o", f"json={name}", *words, *files], capture_output=True,
            cwd=self.folder, check=False, timeout=120,
        )  # fmt: skip
        return name

    def diff(self, old, new, code):
        """{state: [kernel, ...]} of the comparison."""
        result = json.loads(self.run_in("diff", "--format=json", old, new, code=code).stdout)
        jsonschema.validate(result, SCHEMA)
        states = {}
        for f in result["findings"]:
            states.setdefault(f["state"], []).append(f["kernel"])
        self.assertEqual({s: n for s, n in result["counts"].items() if n}, {s: len(k) for s, k in states.items()})
        return {state: sorted(kernels) for state, kernels in states.items()}


class History(Repository):
    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def step(self, message, expected, new, code):
        """Commits; the diff to the commit before, and what is new to the baseline."""
        self.commit(message)
        last, self.last = self.last, self.report()
        self.assertEqual(self.diff(last, self.last, code=int("new" in expected)), expected, message)
        self.assertEqual(self.new(code=code)[0], new, message)

    def test_ten_commits(self):
        three = kernel("three", OTHER)
        four = kernel("four", RACE)
        self.write("a.c", kernel("one", RACE), kernel("two", FINE))
        self.write("b.c", three, four)
        self.commit("begin")
        self.write_baseline()
        self.last = self.report()
        same = {"unchanged": ["four", "one", "three"]}

        self.write("a.c", "/* two lines\n   more */\n", kernel("two", FINE), kernel("one", RACE))
        self.step("move code", same, [], 0)

        stored = self.folder / self.last
        text = stored.read_text().replace("different tile blocks write", "blocks of tiles all store")
        self.assertIn("blocks of tiles", text)
        stored.write_text(text)
        self.write("b.c", "// a comment\n", three, four)
        self.step("reword the messages", same, [], 0)

        one = kernel("one", RACE)
        for old, new in (("float *x", "float *in"), ("extent(x", "extent(in"), ("distinct(x", "distinct(in"),
                         ("x[b]", "in[b]"), ("*y", "*out"), ("extent(y", "extent(out"), (" y, z)", " out, z)"),
                         ("y[b", "out[b")):  # fmt: skip
            self.assertIn(old, one)
            one = one.replace(old, new)
        self.write("a.c", kernel("two", FINE), one)
        self.step("rename parameters", same, [], 0)

        self.write("a.c", kernel("two", FINE), kernel("uno", RACE))
        self.step("rename a kernel", {"unchanged": ["four", "three", "uno"]}, [], 0)

        self.write("a.c", kernel("two", OTHER), kernel("uno", RACE))
        self.step("add a race", {"unchanged": ["four", "three", "uno"], "new": ["two"]}, ["two"], 1)

        three = kernel("three", FINE)
        self.write("b.c", three, four)
        self.step("fix one", {"unchanged": ["four", "two", "uno"], "fixed": ["three"]}, ["two"], 1)
        self.assertIn("1 entry of the baseline matches nothing any more", self.check(code=1).stderr)
        self.write_baseline()
        self.assertNotIn("any more", self.check(code=0).stderr)

        self.git("mv", "a.c", "c.c")
        self.step("rename a file", {"unchanged": ["four", "two", "uno"]}, [], 0)

        self.write("c.c", kernel("two_head", OTHER), kernel("two_tail", OTHER), kernel("uno", RACE))
        self.write_baseline_of("a.c", "c.c")
        self.step("split a kernel", {"unchanged": ["four", "two_head", "uno"], "new": ["two_tail"]}, ["two_tail"], 1)
        self.write_baseline()

        four = four.replace("y[b / 2] = x[b];", "y[b/2]\n        =  x[ b ];").replace("    ", "\t")
        self.write("b.c", three, four)
        same = {"unchanged": ["four", "two_head", "two_tail", "uno"]}
        self.step("format", same, [], 0)

        twice = kernel("uno", RACE + " " + RACE)
        self.write("c.c", kernel("two_head", OTHER), kernel("two_tail", OTHER), twice)
        self.step("write twice in a line", {**same, "new": ["uno", "uno"]}, ["uno", "uno"], 1)

        self.write("c.c", kernel("two_head", OTHER), kernel("two_tail", OTHER, most="1 << 10"),
                   kernel("uno", RACE, most="1"))  # fmt: skip
        expected = {"fixed": ["uno"] * 3, "unchanged": ["four", "two_head", "two_tail"]}
        self.step("change contracts", expected, [], 0)

    def write_baseline_of(self, old, new):
        """As if it had been written after the rename."""
        path = self.folder / "base.json"
        path.write_text(path.read_text().replace(old, new))


class Baseline(Repository):
    def setUp(self):
        super().setUp()
        self.write("a.c", kernel("one", RACE))
        self.write("b.c", kernel("two", OTHER))

    def baseline(self):
        return (self.folder / "base.json").read_text()

    def test_is_sorted_whole_and_has_no_lines(self):
        self.write_baseline()
        text = self.baseline()
        self.assertEqual(
            text,
            """{
  "baseline_version": 1,
  "fingerprint_version": 2,
  "kernels": {
    "a.c": ["one"],
    "b.c": ["two"]
  },
  "findings": [
    {"file": "a.c", "kernel": "one", "rule": "TR001", "strength": "confirmed", "fingerprint": "%s", "says": "different tile blocks write the same elements of 'y'"},
    {"file": "b.c", "kernel": "two", "rule": "TR001", "strength": "confirmed", "fingerprint": "%s", "says": "different tile blocks write the same elements of 'z'"}
  ]
}
"""
            % tuple(f["fingerprint"] for f in json.loads(text)["findings"]),
        )
        self.write_baseline(files=["b.c", "a.c"])
        self.assertEqual(self.baseline(), text)
        self.write("a.c", "\n\n", kernel("one", RACE))
        self.write_baseline()
        self.assertEqual(self.baseline(), text)

    def test_text_counts_and_prints_new_ones_only(self):
        self.write_baseline()
        self.write("c.c", kernel("three", RACE))
        done = self.check(code=1)
        self.assertIn("findings: 1 error, 0 warnings, 2 in the baseline\n", done.stdout)
        self.assertEqual(done.stdout.count("error: "), 1)
        self.assertIn("'one' races: 1 of 3 obligations refuted; findings that are not shown: 1 in the", done.stdout)
        self.assertIn("in the baseline: base.json has it", self.check("-v", code=1).stdout)

    def test_from_any_folder_and_by_any_name(self):
        self.write_baseline()
        (self.folder / "sub").mkdir()
        run = lambda *words: self.run_in("check", *words, code=0, folder="sub")
        run("--baseline=../base.json", "../a.c", str(self.folder / "b.c"))
        (self.folder / "link").symlink_to(self.folder)
        self.check(code=0, files=["link/a.c", "./b.c", "sub/..//a.c"])

    def test_one_file_keeps_what_was_not_checked(self):
        self.write_baseline()
        text = self.baseline()
        self.check("--write-baseline", code=0, files=["a.c"])
        self.assertEqual(self.baseline(), text)
        self.write("a.c", kernel("one", FINE))
        done = self.check(code=0, files=["a.c"])
        self.assertIn("note: 1 entry of the baseline matches nothing any more", done.stderr)
        self.check("--write-baseline", code=0, files=["a.c"])
        self.assertEqual([f["kernel"] for f in json.loads(self.baseline())["findings"]], ["two"])
        (self.folder / "b.c").write_text("not C")
        self.check("--write-baseline", code=2)
        self.assertEqual([f["kernel"] for f in json.loads(self.baseline())["findings"]], ["two"])
        (self.folder / "b.c").unlink()
        self.check("--write-baseline", code=0)
        self.assertEqual(json.loads(self.baseline())["findings"], [])

    def test_undecided_is_not_over(self):
        self.write_baseline()
        self.write("a.c", kernel("one", RACE))
        done = self.check("--steps=1", code=0, files=["a.c"])
        self.assertIn("0 racy, 1 unknown", done.stdout)
        self.assertNotIn("any more", done.stderr)
        self.check("--steps=1", "--write-baseline", code=0)
        self.assertEqual([f["kernel"] for f in json.loads(self.baseline())["findings"]], ["one", "two"])

    def test_n_hide_n(self):
        self.write("a.c", kernel("one", RACE + " " + RACE))
        self.write_baseline()
        self.assertEqual(self.new(code=0), ([], 4))
        data = json.loads(self.baseline())
        self.assertEqual(len({f["fingerprint"] for f in data["findings"]}), 2)
        del data["findings"][0]
        (self.folder / "base.json").write_text(json.dumps(data))
        self.assertEqual(self.new(code=1), (["one"], 3))

    def test_another_kernel_of_that_name(self):
        """The same mistake in another file is new as long as the first file is there."""
        self.write_baseline()
        self.write("c.c", kernel("one", RACE))
        self.assertEqual(self.new(code=1), (["one"], 2))
        self.assertEqual(self.new(code=1, files=["c.c"]), (["one"], 0))
        (self.folder / "a.c").unlink()
        self.assertEqual(self.new(code=0), ([], 2))
        done = self.check("-v", code=0)
        self.assertIn("base.json has it in a.c, where it no longer is", done.stdout)

    def test_a_kernel_that_was_there_is_not_one_renamed(self):
        self.write("a.c", kernel("one", RACE), kernel("fine", FINE))
        self.write_baseline()
        self.write("a.c", kernel("fine", RACE))
        self.assertEqual(self.new(code=1), (["fine"], 1))

    def test_a_stronger_finding_is_new(self):
        self.write_baseline()
        text = self.baseline().replace("confirmed", "possible", 1)
        (self.folder / "base.json").write_text(text)
        self.assertEqual(self.new(code=1), (["one"], 1))

    def test_nothing_is_silenced_by_a_wrong_file(self):
        self.write_baseline()
        good = self.baseline()
        entry = json.loads(good)["findings"][0]
        for text, sentence in (
            (good[: len(good) // 2], "base.json:9:132: error: This is not JSON from here on."),
            (good + "x", "This is not JSON from here on."),
            ("", "This is not JSON from here on."),
            ("[]", "this is no baseline of tilerace"),
            ("{}", "this is no baseline of tilerace"),
            (good.replace('"baseline_version": 1', '"baseline_version": 2'), "--write-baseline writes it anew"),
            (good.replace('"fingerprint_version": 2', '"fingerprint_version": 1'), "--write-baseline writes it anew"),
            (good.replace('"findings": [', '"findings": [], "findings": ['), "the key `findings` is there twice"),
            (good.replace('{"file": "a.c"', '{"file": "b.c", "file": "a.c"'), "the key `file` is there twice"),
            (good.replace('"findings"', '"finding"'), "the key `finding` is not known"),
            (good.replace('"says"', '"note"', 1), "findings[0]: the key `note` is not known"),
            (good.replace('"rule": "TR001", ', "", 1), "findings[0]: there is no `rule`"),
            (good.replace("TR001", "TR*", 1), "findings[0]: there is no rule 'TR*'"),
            (good.replace('"TR001"', "7", 1), "findings[0]: `rule` must be a text"),
            (good.replace('"a.c", "k', '"/a.c", "k', 1), "`file` must be a path from the repository on"),
            (good.replace("confirmed", "any", 1), "there is no strength 'any'"),
            (good.replace(entry["fingerprint"], "*"), "`fingerprint` is no fingerprint"),
            (good.replace('["one"]', '"one"'), "kernels.a.c: this must be a list"),
            (good.replace("    {", "    7, {", 1), "findings[0]: this must be an object"),
            ("[" * 100000, "This is not JSON from here on."),
        ):
            (self.folder / "base.json").write_text(text)
            done = self.check(code=2)
            self.assertIn(sentence, done.stderr)
            self.assertIn("findings: 2 errors, 0 warnings\n", done.stdout)
        (self.folder / "base.json").unlink()
        self.assertIn("there is no base.json; --write-baseline writes it", self.check(code=2).stderr)
        (self.folder / "base.json").mkdir()
        self.check(code=2)

    def test_of_another_repository(self):
        self.write_baseline()
        for name in ("a.c", "b.c"):
            shutil.move(self.folder / name, self.folder / ("other_" + name))
        done = self.check(code=2)
        self.assertIn("is it the baseline of another repository?", done.stderr)
        self.assertIn("findings: 2 errors, 0 warnings\n", done.stdout)
        text = self.baseline().replace('"a.c"', '"../a.c"').replace('"b.c"', '"../b.c"')
        (self.folder / "base.json").write_text(text)
        self.assertEqual(self.new(code=1), (["one", "two"], 0))  # nobody looks outside for these

    def test_writing(self):
        """Another version is written anew; what is no baseline is left alone."""
        self.write_baseline()
        good = self.baseline()
        path = self.folder / "base.json"
        path.write_text(good.replace('"baseline_version": 1', '"baseline_version": 2'))
        self.write_baseline()
        self.assertEqual(self.baseline(), good)
        for text in ("", "{}", good[:-9]):
            path.write_text(text)
            self.check("--write-baseline", code=2)
            self.assertEqual(self.baseline(), text)
        path.write_text(good)
        os.chmod(path, 0o640)
        self.write_baseline()
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
        self.assertIn("--write-baseline needs --baseline FILE", self.run_in("check", "--write-baseline", "a.c", code=2).stderr)
        before = (self.folder / "a.c").read_text()
        self.run_in("check", "--write-baseline", "--baseline=a.c", "a.c", code=2)
        self.assertEqual((self.folder / "a.c").read_text(), before)

    def test_allowed_ones_are_not_written(self):
        self.write("a.c", kernel("one", RACE + " // tilerace: allow(TR001): equal values"))
        self.write_baseline()
        self.assertEqual([f["kernel"] for f in json.loads(self.baseline())["findings"]], ["two"])

    def test_every_format_says_it(self):
        self.write_baseline()
        formats = ["sarif=s", "junit=j", "gitlab=g", "github=h", "markdown=m", "html=w"]
        self.check(*(f"--output={f}" for f in formats), "--fail-on=race,warning", code=0)
        texts = {name: (self.folder / name).read_text() for name in "sjghmw"}
        results = json.loads(texts["s"])["runs"][0]["results"]
        self.assertEqual([r["suppressions"][0]["kind"] for r in results], ["external"] * 2)
        self.assertEqual([r["baselineState"] for r in results], ["unchanged"] * 2)
        self.assertEqual(json.loads(texts["g"]), [])
        for name in "jhmw":
            self.assertIn("in the baseline", texts[name])
        done = self.check("--format=gitlab", code=0)
        self.assertIn("2 findings are hidden: 2 in the baseline", done.stderr)
        self.write("new.c", kernel("fresh", RACE))
        done = self.run_in("check", "new.c", "--baseline=base.json", "--format=sarif", code=1)
        self.assertEqual([r["baselineState"] for r in json.loads(done.stdout)["runs"][0]["results"]], ["new"])
        done = self.run_in("check", "new.c", "--format=sarif", code=1)
        self.assertNotIn("baselineState", done.stdout)


class Diff(Repository):
    def test_a_kernel_that_is_not_decided_is_not_fixed(self):
        self.write("a.c", kernel("one", RACE), kernel("two", OTHER))
        self.write("b.c", kernel("three", RACE))
        old = self.report()
        self.write("a.c", kernel("one", FINE))
        self.write("b.c", kernel("three", RACE))
        self.assertEqual(self.diff(old, self.report(), code=0), {"fixed": ["one", "two"], "unchanged": ["three"]})
        self.assertEqual(self.diff(old, self.report(["a.c"]), code=0), {"fixed": ["one", "two"], "open": ["three"]})
        (self.folder / "b.c").write_text("no C")
        self.assertEqual(self.diff(old, self.report(), code=0), {"fixed": ["one", "two"], "open": ["three"]})
        self.write("b.c", kernel("three", FINE))
        self.assertEqual(self.diff(old, self.report(), code=0), {"fixed": ["one", "three", "two"]})
        hard = self.report(None, "--steps=1")
        self.assertEqual(self.diff(old, hard, code=0)["open"], ["one", "three"])

    def test_text(self):
        self.write("a.c", kernel("one", RACE))
        old = self.report()
        self.write("a.c", kernel("one", FINE), kernel("two", OTHER))
        new = self.report()
        done = self.run_in("diff", old, new, code=1)
        self.assertEqual(
            done.stdout.splitlines(),
            [
                "a.c:24:5: error: new: different tile blocks write the same elements of 'z' [TR001]",
                "a.c:24:5: note: in kernel 'two'",
                "a.c:12:5: note: fixed: different tile blocks write the same elements of 'y' [TR001]",
                "a.c:12:5: note: in kernel 'one'",
                "findings: 1 new, 1 fixed, 0 unchanged",
            ],
        )
        self.assertEqual(self.run_in("diff", new, new, code=0).stdout, "findings: 0 new, 0 fixed, 1 unchanged\n")
        self.assertIn("note: unchanged: ", self.run_in("diff", "-v", new, new, code=0).stdout)
        self.run_in("diff", old, new, "-o", "out", code=1)
        self.assertEqual((self.folder / "out").read_text(), done.stdout)

    def test_hidden_ones(self):
        comment = " // tilerace: allow(TR001): equal values"
        self.write("a.c", kernel("one", RACE))
        shown = self.report()
        self.write("a.c", kernel("one", RACE + comment))
        hidden = self.report()
        self.assertEqual(self.diff(shown, hidden, code=0), {"hidden": ["one"]})
        self.assertEqual(self.diff(hidden, shown, code=1), {"new": ["one"]})
        self.assertEqual(self.diff(hidden, hidden, code=0), {"unchanged": ["one"]})

    def test_what_is_no_report(self):
        self.write("a.c", kernel("one", RACE))
        good = self.report()
        text = (self.folder / good).read_text()
        subprocess.run([TILERACE, "check", "-o", "sarif=s", "a.c"], cwd=self.folder, capture_output=True, check=False)
        bad = self.folder / "bad"
        mark = json.loads(text)["inputs"][0]["kernels"][0]["findings"][0]["fingerprint"]
        for wrong, sentence in (
            ((self.folder / "s").read_text(), "this is SARIF"),
            ("", "This is not JSON from here on"),
            (text[:-10], "This is not JSON from here on"),
            ("[]", "this is no report of tilerace check --format json"),
            ("{}", "this is no report of tilerace check --format json"),
            (text.replace('"fingerprint_version":\t2,', ""), "another version"),
            (text.replace('"schema_version":\t2', '"schema_version":\t3'), "another version"),
            (text.replace('"verdict"', '"verdikt"', 1), "inputs[0].kernels[0]: there is no `verdict`"),
            (text.replace(f'"{mark}"', "7"), "inputs[0].kernels[0].findings[0]: `fingerprint` must be a text"),
            (text.replace('"findings":', '"findings": [], "findings":', 1), "the key `findings` is there twice"),
        ):
            self.assertNotEqual(wrong, text)
            bad.write_text(wrong)
            for words in ((good, "bad"), ("bad", good)):
                done = self.run_in("diff", *words, code=2)
                self.assertIn(sentence, done.stderr)
                self.assertEqual(done.stdout, "")
        self.run_in("diff", good, "missing", code=2)
        self.run_in("diff", good, code=2)
        self.run_in("diff", good, good, "--format=sarif", code=2)


class Before(unittest.TestCase):
    """A baseline that an earlier version wrote over some of our fixtures hides the same findings now,
    however their messages are worded. TILERACE_UPDATE=1 writes it anew, which only a new
    FINGERPRINT_VERSION calls for."""

    ROOT = pathlib.Path(__file__).resolve().parents[2]
    KEPT = ROOT / "tests/golden/history/baseline.json"

    def test_hidden(self):
        entries = json.loads(self.KEPT.read_text())["findings"]
        files = sorted({entry["file"] for entry in entries})
        self.assertGreater(len(files), 25)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for file in files:  # where they lay then
            there = pathlib.Path(folder.name) / file
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(next(path for path in (self.ROOT / file, self.ROOT / "build" / file) if path.is_file()), there)
        words = ["--write-baseline"] if os.environ.get("TILERACE_UPDATE") else []
        done = subprocess.run([TILERACE, "check", "--no-cache", "-j2", "--baseline", self.KEPT, *words, *files],
                              cwd=folder.name, capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        self.assertIn(f"{len(entries)} in the baseline", done.stdout)
        self.assertIn("findings: 0 errors, 0 warnings", done.stdout)
        self.assertNotIn("match nothing", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
