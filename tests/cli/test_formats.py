"""Reports as other programs read them: JUnit XML, GitLab's Code Quality, Markdown, workflow commands;
several of them from one run; names that would break out of a format; what a new format must not omit.

    test_formats.py TILERACE
"""

import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

from formats import FORMATS, TABLE, parse  # noqa: E402  the folder is known only now

GOOD = ROOT / "kernels/vector_add.c"
RACY = ROOT / "build/fixtures/races/vector_add_unread_axis.c"
HOSTILE = "a|b ]]>&<i> \x01\x1b[31m `c`\n::error::x,y 100%.c"


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        shutil.copy(GOOD, self.folder / "good.c")
        shutil.copy(RACY, self.folder / "racy.c")

    def run_in(self, *words, encoding="utf-8"):
        return subprocess.run(
            [TILERACE, *words], capture_output=True, cwd=self.folder, check=False,
            encoding=encoding, timeout=120,
        )  # fmt: skip

    def check(self, *words, code):
        done = self.run_in("check", *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done


class Formats(Folder):
    def cases(self, *words, code):
        root = xml.etree.ElementTree.fromstring(self.check("--format=junit", *words, code=code).stdout)
        self.assertEqual(root.tag, "testsuites")
        cases = {}
        for suite in root:
            for case in suite:
                outcome = [child.tag for child in case if child.tag != "system-out"]
                self.assertNotIn((case.get("classname"), case.get("name")), cases)
                cases[case.get("classname"), case.get("name")] = outcome[0] if outcome else "passed"
            for tag, key in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
                self.assertEqual(len(suite.findall(f"testcase/{tag}")), int(suite.get(key)))
            self.assertEqual(len(suite), int(suite.get("tests")))
        self.assertEqual(len(cases), int(root.get("tests")))
        return {name: cases[file, name] for file, name in cases}

    def test_junit(self):
        self.assertEqual(self.cases("racy.c", code=1), {"vector_add": "failure"})
        self.assertEqual(self.cases("good.c", code=0), {"vector_add": "passed"})
        self.assertEqual(self.cases("missing.c", code=2), {"unchecked-input": "error"})

    def test_junit_follows_fail_on(self):
        """A conditional or undecided kernel fails where the command line says that it does."""
        conditional = str(ROOT / "tests/preconditions/harmless_wraps.c")
        undecided = ["--strict", "good.c"]  # without a contract that says what the proof needs
        self.assertEqual(set(self.cases(conditional, code=0).values()), {"passed"})
        self.assertEqual(
            set(self.cases("--fail-on=conditional", conditional, code=1).values()),
            {"passed", "failure"},
        )
        self.assertEqual(self.cases(*undecided, code=0), {"vector_add": "skipped"})
        self.assertEqual(self.cases("--fail-on-unknown", *undecided, code=3), {"vector_add": "error"})

    def test_gitlab(self):
        done = self.check("--format=gitlab", "racy.c", "good.c", "missing.c", code=2)
        race, unread = json.loads(done.stdout)
        self.assertEqual((race["check_name"], race["severity"]), ("TR001", "critical"))
        self.assertEqual(race["location"], {"path": "racy.c", "lines": {"begin": 22}})
        self.assertIn("vector_add", race["description"])
        self.assertEqual((unread["check_name"], unread["location"]["path"]), ("TR901", "missing.c"))
        self.assertNotEqual(race["fingerprint"], unread["fingerprint"])

    def test_gitlab_has_each_fingerprint_once(self):
        path = ROOT / "tests/preconditions/pairs.c"
        done = self.run_in("check", "--format=gitlab", str(path), str(path))
        marks = [entry["fingerprint"] for entry in json.loads(done.stdout)]
        self.assertEqual(len(marks), len(set(marks)))

    def test_gitlab_of_proved_kernels_is_empty(self):
        self.assertEqual(json.loads(self.check("--format=gitlab", "good.c", code=0).stdout), [])

    def test_absolute_names_are_from_the_folder_on(self):
        path = str(self.folder.resolve() / "racy.c")
        (entry,) = json.loads(self.check("--format=gitlab", path, code=1).stdout)
        self.assertEqual(entry["location"]["path"], "racy.c")
        self.assertIn("::error file=racy.c,", self.check("--format=github", path, code=1).stdout)

    def test_markdown(self):
        text = self.check("--format=markdown", "good.c", "racy.c", "missing.c", code=2).stdout
        rows = [line for line in text.splitlines() if line.startswith("|")]
        self.assertEqual(rows[0], "| kernel | verdict | where | what was found |")
        self.assertIn("missing.c", rows[2])
        self.assertIn("| vector\\_add | **race** | racy.c:22 |", rows[3])
        self.assertIn("| vector\\_add | race-free | good.c:", rows[4])
        self.assertIn("<details><summary>vector_add: race</summary>", text)

    def test_markdown_stays_below_a_mebibyte(self):
        text = self.check("--format=markdown", *["racy.c"] * 1100, code=1).stdout
        self.assertLess(len(text.encode()), 1 << 20)
        self.assertIn("100 more kernels are not shown", text)
        self.assertIn("left out", text)


# What the report of each format says of a folder that has it all. What a format has no place for may
# be said on standard error.
FACTS = {
    "a finding": r"racy\.c",
    "that a configuration lowers a level": r"lowered: from error|[1-9] lowered|\"level_set\"",
    "a remark on a comment": r"without a reason|TR903",
    "an undecided kernel": r"contract-silent",
    "a file that cannot be read": r"broken\.c",
    "a file that was left out": r"not checked: .*excluded|\"excluded\"",
}
HIDDEN = r"[1-9] allowed|allowed: |\"(inline|inSource)\""
LEVELS_ALONE = {"gitlab"}  # they show the level that a configuration sets, and not that it does


class EveryFormat(Folder):
    """A new format is tested here without a case of its own."""

    def setUp(self):
        super().setUp()
        (self.folder / "less").mkdir()
        text = RACY.read_text()
        for name, lines in (
            ("hidden.c", text.replace("// @store", "// tilerace: allow(TR001): equal values")),
            ("remark.c", "// tilerace: allow(TR001)\n" + GOOD.read_text()),
            ("less/less.c", text),
            ("less/tilerace.toml", '[levels]\nTR001 = "warning"\n'),
            ("broken.c", "#include <tile.h>\ntile_kernel void k(float *x) { x[0] = ; }\n"),
            ("left.c", text),
        ):
            (self.folder / name).write_text(lines)

    def test_says_everything(self):
        for form in FORMATS:
            done = self.check(f"--format={form}", "--strict", "--exclude=left.c", ".", code=2)
            missing = [fact for fact, words in FACTS.items() if not re.search(words, done.stdout)]
            if form in LEVELS_ALONE:
                missing.remove("that a configuration lowers a level")
            if not re.search(HIDDEN, done.stdout + done.stderr):
                missing.append("a hidden finding (say_what_is_hidden in analyzer/driver/check_command.c can)")
            with self.subTest(form):
                parse(done.stdout)
                if missing:
                    self.fail(f"a report in the format {form} does not mention {', '.join(missing)}")

    def test_documents(self):
        """Pages with a table of formats, each by a name that may have capital letters."""
        for page, heading in (("docs/security.md", "output"), ("docs/suppressions.md", "format")):
            table = (ROOT / page).read_text().split(f"\n| {heading} | ")[1].split("\n\n")[0]
            named = set(re.findall(r"\w+", " ".join(row.split("|")[1] for row in table.splitlines()[1:]).lower()))
            for form in FORMATS:
                if form not in named:
                    self.fail(f"{page}: the table of each {heading} has no row for '{form}'")

    def test_memory(self):
        """Each writer gives back what it wrote for an input. Small reports do not show it."""
        for form in FORMATS:
            source = (ROOT / f"analyzer/report/{form}.c").read_text()
            if not re.search(r"\bwriter_(next|forget)\(w\)", source):
                self.fail(f"analyzer/report/{form}.c does not call writer_next after each input, so its memory grows")

    def test_functions_that_escape_are_fuzzed(self):
        header = (ROOT / "analyzer/report/report_private.h").read_text()
        tried = (ROOT / "tests/fuzz/escape_text.c").read_text()
        for function in re.findall(r"^void (escape_\w+)\(", header, re.MULTILINE):
            if f"    {function}(" not in tried:
                self.fail(f"tests/fuzz/escape_text.c does not try {function}")

    def test_every_row_is_read(self):
        self.assertEqual(len(FORMATS), len(re.findall("^FORMAT", TABLE, re.MULTILINE)))


class HostileNames(Folder):
    def setUp(self):
        super().setUp()
        (self.folder / HOSTILE).write_text((self.folder / "racy.c").read_text())
        with open(os.fsencode(self.folder) + b"/\xff\xfe.c", "w", encoding="ascii") as file:
            file.write((self.folder / "racy.c").read_text())

    def report(self, name):
        words = ["check", f"--format={name}", HOSTILE, b"\xff\xfe.c"]
        done = subprocess.run(
            [TILERACE, *words], capture_output=True, cwd=self.folder, check=False, timeout=120
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stdout.decode("utf-8")  # what is not UTF-8 has become U+FFFD

    def test_junit(self):
        root = xml.etree.ElementTree.fromstring(self.report("junit"))
        self.assertEqual(root[0].get("name"), re.sub("[\x01\x1b]", "\ufffd", HOSTILE))
        self.assertEqual(root[1].get("name"), "\ufffd\ufffd.c")
        self.assertEqual([len(suite) for suite in root], [1, 1])

    def test_json(self):
        self.assertEqual(json.loads(self.report("json"))["inputs"][0]["file"], HOSTILE)
        self.assertEqual(json.loads(self.report("gitlab"))[0]["location"]["path"], HOSTILE)
        uri = json.loads(self.report("sarif"))["runs"][0]["results"][0]["locations"][0]
        self.assertRegex(uri["physicalLocation"]["artifactLocation"]["uri"], r"^[A-Za-z0-9%._~/-]+$")

    def test_markdown(self):
        rows = [line for line in self.report("markdown").splitlines() if line.startswith("| vector")]
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.assertEqual(len(re.split(r"(?<!\\)\|", row)), 6, row)
            self.assertNotRegex(row, "[\x00-\x1f]|<i>")

    def test_workflow_commands(self):
        lines = self.report("github").splitlines()
        commands = [line for line in lines if line.startswith("::")]
        self.assertEqual(len(commands), 2)
        self.assertTrue(all(line.startswith("::error file=") for line in commands))
        self.assertNotRegex("".join(lines), "[\x00-\x08\x0b-\x1f]")
        self.assertIn("%0A%3A%3Aerror%3A%3Ax%2Cy 100%25.c,line=22", commands[0])

    def test_html(self):
        self.assertNotIn("<i>", self.report("html"))

    def test_every_format_can_be_parsed(self):
        for form in FORMATS:
            with self.subTest(form):
                parse(self.report(form))


class SeveralFormats(Folder):
    def test_beside_the_main_format(self):
        done = self.check("racy.c", "--output", "sarif=a.sarif", "--output=json=b.json", "-ojunit=c.xml", code=1)
        self.assertIn("racy.c:22:5: error:", done.stdout)
        self.assertEqual(json.loads((self.folder / "a.sarif").read_text())["version"], "2.1.0")
        report = json.loads((self.folder / "b.json").read_text())
        self.assertEqual(report["inputs"][0]["kernels"][0]["verdict"], "race")
        xml.etree.ElementTree.parse(self.folder / "c.xml")
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_main_format_in_a_file_too(self):
        done = self.check("racy.c", "--format=github", "-o", "main.txt", "-o", "json=b.json", code=1)
        self.assertEqual(done.stdout, "")
        self.assertIn("::error file=racy.c", (self.folder / "main.txt").read_text())
        self.assertTrue((self.folder / "b.json").exists())

    def test_the_same_as_alone(self):
        self.check("racy.c", "-o", "sarif=a.sarif", "-o", "markdown=m.md", code=1)
        for name, file in (("sarif", "a.sarif"), ("markdown", "m.md")):
            alone = self.check("racy.c", f"--format={name}", code=1).stdout
            self.assertEqual((self.folder / file).read_text(), alone)

    def test_wrong_words(self):
        for words, part in (
            (["-o", "sarf=a"], "'sarf' is not a format; did you mean 'sarif'?"),
            (["-o", "xyz=a"], f"it is one of {', '.join(FORMATS[:-1])} or {FORMATS[-1]}"),
            (["-o", "=a"], "is not a format"),
            (["-o", "json="], "'json=' names no file"),
            (["-o", ""], "names no file"),
            (["-o", "a", "-o", "b"], "names two files, a and b"),
            (["-o", "json=a", "-o", "sarif=./a"], "./a is named twice"),
            (["-o", "json=no/such/a"], "no/such/a cannot be written"),
            (["-o", "json=."], "cannot be written"),
        ):
            done = self.check("good.c", *words, code=2)
            self.assertIn(part, done.stderr, words)
        self.assertEqual(sorted(os.listdir(self.folder)), ["good.c", "racy.c"])

    def test_a_name_with_an_equals_sign(self):
        self.check("good.c", "-o", "./json=a", code=0)
        self.assertIn("race-free", (self.folder / "json=a").read_text())

    def test_all_or_none(self):
        (self.folder / "a.json").write_text("before")
        self.check("good.c", "-o", "json=a.json", "-o", "sarif=b", "-o", "html=no/c", code=2)
        self.assertEqual((self.folder / "a.json").read_text(), "before")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.json", "good.c", "racy.c"])

    def test_never_over_an_input(self):
        before = (self.folder / "good.c").read_bytes()
        os.link(self.folder / "good.c", self.folder / "hard.c")
        (self.folder / "soft.c").symlink_to("good.c")
        (self.folder / "launch.json").write_text('{"version": 1, "launches": []}')
        for words in (["good.c"], ["json=good.c"], ["hard.c"], ["json=soft.c"], ["./good.c"]):
            done = self.check("good.c", "-o", *words, code=2)
            self.assertIn("is an input, and stays as it is", done.stderr)
        done = self.check("good.c", "--launch=launch.json", "-o", "launch.json", code=2)
        self.assertIn("is an input", done.stderr)
        for command in ("dump", "contract"):
            done = self.run_in(command, "good.c", "-o", "good.c")
            self.assertEqual(done.returncode, 2)
        self.assertEqual((self.folder / "good.c").read_bytes(), before)

    def test_what_is_there(self):
        """A mode and a link stay; a pipe is written, not replaced, and so is a device."""
        target = self.folder / "target.json"
        target.write_text("before")
        target.chmod(0o640)
        (self.folder / "link.json").symlink_to("target.json")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
            self.check("good.c", "-o", "json=link.json", "-o", "sarif=pipe", code=0)
            if not stat.S_ISFIFO(pipe.stat().st_mode):
                reader.kill()  # it would wait for ever
                self.fail("the pipe has been replaced")
            self.assertEqual(json.loads(reader.communicate(timeout=60)[0])["version"], "2.1.0")
        self.assertTrue((self.folder / "link.json").is_symlink())
        self.assertEqual(json.loads(target.read_text())["schema_version"], 2)
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o640)

    def test_own_streams(self):
        """/dev/stdout that is a file is written where the program's own output goes."""
        with open(self.folder / "all", "w", encoding="utf-8") as file:
            command = [TILERACE, "check", "good.c", "-o", "markdown=/dev/stdout"]
            subprocess.run(command, stdout=file, cwd=self.folder, check=True)
        text = (self.folder / "all").read_text()
        self.assertTrue(text.startswith("## tilerace"), text)
        self.assertIn("1 kernel: 1 proved race-free, 0 conditional, 0 racy, 0 unknown\n", text)


class Allowed(Folder):
    """Findings that a comment in the source allows."""

    def write(self, comment, name="k.c", above=False):
        lines = RACY.read_text().splitlines()
        (number,) = [i for i, line in enumerate(lines) if "// @store" in line]
        lines[number] = lines[number].replace("// @store", "" if above else comment)
        if above:
            lines.insert(number, "    " + comment)
        (self.folder / name).write_text("\n".join(lines) + "\n")

    def test_in_every_format(self):
        self.write("// tilerace: allow(TR001): equal values, on purpose")
        done = self.check("k.c", "--fail-on=race", "--format=json", "-o", "sarif=s", "-o", "junit=j",
                          "-o", "gitlab=g", "-o", "github=h", "-o", "markdown=m", "-o", "text=t",
                          "-o", "html=w", code=0)  # fmt: skip
        texts = {path.name: path.read_text() for path in self.folder.glob("?")}
        (kernel,) = json.loads(done.stdout)["inputs"][0]["kernels"]
        self.assertEqual(kernel["verdict"], "race")  # what it is, whoever allows it
        reason = "equal values, on purpose"
        suppressed = {"kind": "inline", "reason": reason, "file": "k.c", "line": 22}
        self.assertEqual(kernel["findings"][0]["suppressed"], suppressed)
        (result,) = json.loads(texts["s"])["runs"][0]["results"]
        (suppression,) = result["suppressions"]
        where = suppression.pop("location")["physicalLocation"]
        self.assertEqual(where["region"]["startLine"], 22)
        self.assertEqual(suppression, {"kind": "inSource", "justification": reason})
        self.assertEqual(json.loads(texts["g"]), [])
        self.assertNotIn("::error", texts["h"])
        self.assertEqual(list(xml.etree.ElementTree.fromstring(texts["j"]).iter("failure")), [])
        self.assertIn("| vector\\_add | race | k.c:22 | allowed: ", texts["m"])
        self.assertIn("k.c:22:5: note: allowed: different tile blocks", texts["t"])
        self.assertIn("findings: 0 errors, 0 warnings, 1 allowed", texts["t"])
        for name in "tjmw":
            self.assertIn(reason, texts[name])

    def test_where_it_may_stand(self):
        for words, above, code in (
            ("// tilerace: allow(TR001): x", False, 0),
            ("/* tilerace: allow(TR002, TR001): x */", False, 0),
            ("// tilerace: allow(TR001): x", True, 0),
            ("// tilerace: allow(TR002): x", False, 1),
            ("// tilerace: allow(TR0011): x", False, 1),
            ("// tilerace: allow(): x", False, 1),
            ("// tilerace: allow(TR001: x", False, 1),
            ("// tilerace: disallow(TR001): x", False, 1),
        ):
            self.write(words, above=above)
            self.check("k.c", code=code)
        self.write("// tilerace: allow(TR001): x", above=True)
        text = (self.folder / "k.c").read_text().replace("    // tilerace", "    ; // tilerace")
        (self.folder / "k.c").write_text(text)
        self.check("k.c", code=1)  # of the line above, which holds more than the comment

    def test_nothing_without_a_reason(self):
        for words in ("// tilerace: allow(TR001)", "/* tilerace: allow(TR001):  */"):
            self.write(words)
            done = self.check("k.c", code=1)
            self.assertRegex(done.stdout, "k.c:22:[0-9]+: warning: nothing is allowed without a reason")

    def test_other_findings_count(self):
        self.write("// tilerace: allow(TR001): x")
        self.check("k.c", "racy.c", code=1)

    def test_conditional(self):
        """An example that is allowed is no failure by --fail-on either."""
        (self.folder / "c.c").write_text(
            "#include <tile.h>\n"
            "tile_kernel void scatter(const int *restrict at, float *restrict y, int n)\n"
            "{\n    tile_grid(n);\n    tile_assume(0 < n && n <= 1 << 16);\n"
            "    y[at[tile_bid(0)]] = 1.0f; // COMMENT\n}\n"
        )
        self.check("c.c", "--werror", code=1)
        text = (self.folder / "c.c").read_text()
        (self.folder / "c.c").write_text(text.replace("COMMENT", "tilerace: allow(TR001): x"))
        self.check("c.c", "--werror", code=0)


if __name__ == "__main__":
    unittest.main()
