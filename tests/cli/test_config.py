"""tilerace.toml and [tool.tilerace]: which one holds, what it may say, and that nothing is silenced by
what is wrong with it.

    test_config.py TILERACE
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

TILERACE = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "tilerace"
del sys.argv[1:2]
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

from folder_case import FolderCase  # noqa: E402
from formats import FORMATS  # noqa: E402

GOOD = (ROOT / "kernels/vector_add.c").read_text()
RACY = (ROOT / "build/fixtures/races/vector_add_unread_axis.c").read_text()
UNKNOWN = re.search("```c\n(.*?)```", (ROOT / "docs/rules/TR900.md").read_text(), re.DOTALL)[1]
CONDITIONAL = """#include <tile.h>
tile_kernel void scatter(const int *restrict index, float *restrict dst, int n)
{
    tile_grid(n);
    tile_assume(0 < n && n <= 1 << 16);
    dst[index[tile_bid(0)]] = 1.0f;
}
"""


class Repository(FolderCase):
    tilerace = TILERACE

    def setUp(self):
        super().setUp()
        (self.folder / ".git").mkdir()

    def run_tool(self, *words, **how):
        return super().run_tool(*words, errors="replace", **how)

    def run_any(self, *words):
        """The report, whatever the exit code."""
        done = subprocess.run(
            [TILERACE, "check", *words], capture_output=True, text=True, check=False, cwd=self.folder
        )
        return done.stdout

    def shown(self, *words, where="."):
        """What `config show` says: key to (value, origin)."""
        lines = self.run_tool("config", "show", *words, where=where).stdout.splitlines()
        rows = [re.fullmatch(r"(\S+) = (.*?) +# (.*)", line) for line in lines[1:]]
        return {row[1]: (row[2], row[3]) for row in rows}


class Discovery(Repository):
    def test_the_nearest_holds_and_is_not_merged(self):
        self.write("tilerace.toml", 'ignore = ["TR001"]\nstrict = true\n')
        self.write("sub/tilerace.toml", "notes = true\n")
        self.write("racy.c", RACY)
        self.write("sub/racy.c", RACY)
        self.write("other/deep/racy.c", RACY)
        self.check("racy.c", code=0, out="1 not selected")
        self.check("sub/racy.c", code=1)
        self.check("other/deep/racy.c", code=0)
        done = self.check(".", code=1)
        self.assertIn("3 racy, 0 unknown; findings: 1 error, 0 warnings, 2 not selected", done.stdout)
        self.assertEqual(self.shown("sub/racy.c")["strict"], ("false", "default"))
        self.assertEqual(self.shown("sub")["notes"], ("true", "sub/tilerace.toml:1"))
        self.assertEqual(self.shown(where="sub")["notes"], ("true", "tilerace.toml:1"))
        self.assertEqual(self.shown("not/there/k.c")["strict"], ("true", "tilerace.toml:2"))

    def test_a_project_file_counts_by_its_table(self):
        self.write("pyproject.toml", '[tool.tilerace]\nignore = ["TR001"]\n')
        self.write("sub/pyproject.toml", '[tool.other]\nx = 1 # tilerace\n')
        self.write("sub/racy.c", RACY)
        self.check("sub/racy.c", code=0)
        self.write("tilerace.toml", "")  # the file of our own is the nearer one
        self.check("sub/racy.c", code=1)

    def test_signatures_are_shown(self):
        self.write("tilerace.toml", '[tilerace.kernels]\nk = { x = "f32[1]", N = 4 }\n"a/b.py:k" = [{}, { F = true }]\n')
        self.assertEqual(self.shown()["kernels"], (
            '{ "k" = [{ x = "f32[1]", N = 4 }], "a/b.py:k" = [{}, { F = true }] }', "tilerace.toml:1"))

    def test_keys_may_stand_below_a_table(self):
        self.write("tilerace.toml", '[tilerace]\nstrict = true\n[tilerace.levels]\nTR002 = "note"\n')
        self.assertEqual(self.shown()["levels"], ('{ "TR002" = "note" }', "tilerace.toml:3"))
        self.assertEqual(self.shown()["strict"], ("true", "tilerace.toml:2"))

    def test_it_ends_at_the_root_of_the_repository(self):
        (self.top / "tilerace.toml").write_text('ignore = ["ALL"]\n')
        self.write("racy.c", RACY)
        self.write("module/.git", "gitdir: elsewhere\n")
        self.write("tilerace.toml", 'ignore = ["ALL"]\n')
        self.write("module/racy.c", RACY)
        self.check("module/racy.c", code=1)
        (self.folder / "tilerace.toml").unlink()
        self.check("racy.c", code=1)

    def test_outside_of_repositories(self):
        (self.folder / ".git").rmdir()
        self.write("sub/racy.c", RACY)
        (self.top / "tilerace.toml").write_text('ignore = ["ALL"]\n')
        self.check("sub/racy.c", code=0)
        self.top.chmod(0o777)  # anybody may have put it there
        self.check("sub/racy.c", code=1)
        self.top.chmod(0o700)
        self.check("sub/racy.c", code=0)

    def test_named_and_isolated(self):
        self.write("tilerace.toml", 'ignore = ["TR001"]\n')
        self.write("ci/strict.toml", 'exclude = ["/sub/"]\n')
        self.write("racy.c", RACY)
        self.write("sub/racy.c", RACY)
        self.check(".", code=0)
        self.check("--isolated", ".", code=1)
        self.check("--config=ci/strict.toml", ".", code=1, out="1 excluded")
        self.check("--config=ci/none.toml", ".", code=2, err="there is no ci/none.toml")
        self.check("--config=tilerace.toml", "--isolated", ".", code=2, err="exclude each other")
        self.write("pyproject.toml", "[tool.other]\n")
        self.check("--config=pyproject.toml", ".", code=2, err="no table [tool.tilerace]")
        self.write("wrong.toml", "strikt = true\n")
        done = self.check("--config=wrong.toml", ".", code=2, err="wrong.toml:1:1: error: there is no key")
        self.assertEqual(done.stdout, "")

    def test_hook_reads_it_and_scan_does_not(self):
        self.write("tilerace.toml", 'ignore = ["TR001"]\n')
        self.write("racy.c", RACY)
        self.run_tool("hook", "racy.c", code=0)
        self.run_tool("hook", "--isolated", "racy.c", code=1)

    def test_exclude_of_each_folder(self):
        self.write("tilerace.toml", 'exclude = ["old", "/sub/no.c"]\n')
        self.write("old/racy.c", RACY)
        self.write("sub/no.c", RACY)
        self.write("sub/old/racy.c", RACY)
        self.write("own/tilerace.toml", 'exclude = ["no.c"]\n')
        self.write("own/no.c", RACY)
        self.write("own/old/good.c", GOOD)
        report = json.loads(self.check("--format=json", ".").stdout)
        self.assertEqual([i["file"] for i in report["inputs"]], ["own/old/good.c"])
        self.assertEqual(
            report["skipped"][0]["files"], ["old", "own/no.c", "sub/no.c", "sub/old"]
        )
        self.check("--exclude=nothing", ".", code=1)  # the command line's holds instead
        self.run_tool("hook", "old/racy.c", "own/old/good.c", code=0)


class Precedence(Repository):
    def test_command_line_file_default(self):
        self.write("tilerace.toml", 'fail-on = ["unknown"]\nselect = ["TR0"]\nsteps = 30000000\n')
        shown = self.shown("--fail-on=warning,conditional", "--select", "TR001", "--select=TR002,TR003")
        self.assertEqual(shown["fail-on"], ('["error", "conditional", "warning"]', "command line"))
        self.assertEqual(shown["select"], ('["TR001", "TR002", "TR003"]', "command line"))
        self.assertEqual(shown["steps"], ("30000000", "tilerace.toml:3"))
        self.assertEqual(shown["ignore"], ("[]", "default"))
        self.assertEqual(self.shown("--steps=5")["steps"], ("5", "command line"))
        self.assertEqual(self.shown("--isolated")["steps"], ("20000000", "default"))
        self.assertEqual(self.shown("--werror")["fail-on"][0], '["error", "conditional", "unknown", "warning"]')

    def test_what_is_shown_is_a_configuration(self):
        self.write(
            "tilerace.toml",
            'select = ["TR0"]\nexclude = ["a\\"b", "c\\\\d"]\nnotes = true\nfail-on = "race"\n'
            '[per-file-ignores]\n"x/*.c" = ["TR001", "TR002"]\n[levels]\nTR003 = "warning"\n',
        )
        before = self.shown()
        text = self.run_tool("config", "show").stdout
        self.write("tilerace.toml", text)
        after = self.shown()
        self.assertEqual({k: v[0] for k, v in before.items()}, {k: v[0] for k, v in after.items()})

    def test_every_key_is_shown_with_its_place(self):
        self.write("pyproject.toml", "[project]\nname = 'x'\n[tool.tilerace]\n\nstrict = true\n")
        shown = self.shown()
        self.assertEqual(shown["strict"], ("true", "pyproject.toml:5"))
        for key in ("exclude", "select", "extend-select", "ignore", "per-file-ignores", "levels",
                    "fail-on", "strict", "notes", "steps", "required-version"):  # fmt: skip
            self.assertIn(key, shown)
        self.run_tool("config", "list", code=2, err="'config' knows 'show', not 'list'")
        self.run_tool("config", code=2, err="'config' knows 'show'")
        self.run_tool("config", "show", "a", "b", code=2, err="'config' takes one file, not 3")

    def test_fail_on_is_that_of_each_file(self):
        self.write("a/tilerace.toml", 'fail-on = ["unknown"]\n')
        self.write("a/u.c", UNKNOWN)
        self.write("b/u.c", UNKNOWN)
        self.write("b/c.c", CONDITIONAL)
        self.check("b", code=0)
        self.check("a", "b", code=3)
        self.write("b/tilerace.toml", 'fail-on = "conditional"\n')
        self.check("a", "b", code=1)
        self.check("--fail-on=race", "a", "b", code=0)
        junit = self.check("--format=junit", "a", "b", code=1).stdout
        self.assertEqual(junit.count("<failure"), 1)
        self.assertEqual(junit.count("<skipped"), 1)

    def test_strict_and_steps(self):
        self.write("tilerace.toml", "strict = true\n")
        self.write("good.c", GOOD)
        self.check("--fail-on=unknown", "good.c", code=3)
        self.check("--isolated", "--fail-on=unknown", "good.c", code=0)


class Rules(Repository):
    def setUp(self):
        super().setUp()
        self.write("k/racy.c", RACY)

    def decide(self, text, code, out=""):
        self.write("tilerace.toml", text)
        return self.check("k/racy.c", code=code, out=out)

    def test_select_and_ignore(self):
        hidden = "findings: 0 errors, 0 warnings, 1 not selected"
        for text, code in (
            ('select = ["TR002"]', 0),
            ('select = ["TR00"]', 1),
            ('select = ["inter-block-write-write"]', 1),
            ('select = ["ALL"]\nignore = ["TR"]', 0),
            ('select = []', 0),
            ('ignore = ["TR001"]', 0),
            ('ignore = ["TR0"]', 0),
            ('ignore = "ALL"', 0),
            ('ignore = ["TR02"]', 1),
            ('ignore = ["inter-block-write-write"]', 0),
            ('select = ["TR001"]\nignore = ["TR00"]', 1),
            ('select = ["TR00"]\nignore = ["TR001"]', 0),
            ('select = ["TR001"]\nignore = ["TR001"]', 0),
            ('select = ["TR002"]\nextend-select = ["TR001"]', 1),
            ('ignore = ["TR0"]\nextend-select = ["TR001"]', 1),
        ):
            with self.subTest(text):
                self.decide(text + "\n", code, out="" if code else hidden)
        self.check("--ignore=TR001", "k/racy.c", code=0)
        self.check("--ignore=TR002", "k/racy.c", code=1)

    def test_nothing_changes_the_verdict_and_every_format_says_so(self):
        words = {"text": "1 not selected", "github": "1 not selected", "json": '"config"', "sarif": '"external"'}
        self.write("tilerace.toml", '\nignore = ["TR001"]\n')
        for form in FORMATS:
            with self.subTest(form):
                done = self.check("--format", form, "k/racy.c")
                self.assertIn(words.get(form, "not selected"), done.stdout + done.stderr)
        report = json.loads(self.check("--format=json", "k/racy.c").stdout)
        kernel = report["inputs"][0]["kernels"][0]
        self.assertEqual(kernel["verdict"], "race")
        suppressed = kernel["findings"][0]["suppressed"]
        self.assertEqual(suppressed["kind"], "config")
        self.assertEqual((suppressed["file"], suppressed["line"]), ("tilerace.toml", 2))
        self.assertIn("ignore has 'TR001' (tilerace.toml:2)", suppressed["reason"])

    def test_reports_keep_to_their_schemas(self):
        self.write("old/racy.c", RACY)
        for text in ('ignore = ["TR001"]\n', '[levels]\nTR001 = "note"\n', "selct = []\n"):
            self.write("tilerace.toml", text)
            for form, schema in (("json", "report"), ("sarif", "sarif.subset")):
                with self.subTest(f"{form}: {text}"):
                    report = self.run_any("--format", form, "--exclude=old", ".")
                    path = self.write(f"out.{form}", report)
                    done = subprocess.run(
                        [sys.executable, ROOT / "tests/tools/schemas.py",
                         ROOT / f"docs/{schema}.schema.json", path],
                        capture_output=True, text=True, check=False,
                    )  # fmt: skip
                    if "No module named 'jsonschema'" in done.stderr:
                        self.skipTest("this Python has no jsonschema; ctest takes build/python")
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_fail_on_race_does_not_count_hidden_ones(self):
        self.write("tilerace.toml", 'ignore = ["TR001"]\n')
        self.check("--fail-on=race", "k/racy.c", code=0, out="1 racy")

    def test_levels(self):
        done = self.decide('[levels]\nTR001 = "warning"\n', 0, out="racy.c:22:5: warning: ")
        self.assertIn("    lowered: from error, by tilerace.toml:2\n", done.stdout)
        self.assertIn("findings: 0 errors, 1 warning, 1 lowered", done.stdout)
        self.assertIn("1 racy", done.stdout)
        self.check("--fail-on=race", "k/racy.c", code=1)
        for form, words in (
            ("json", '"level_set"'),
            ("sarif", "lowered: from error, by tilerace.toml:2"),
            ("github", "lowered: from error, by tilerace.toml:2"),
            ("html", "lowered: from error, by tilerace.toml:2"),
            ("junit", "lowered: from error, by tilerace.toml:2"),
            ("markdown", "1 lowered"),
            ("gitlab", '"minor"'),
        ):
            self.check("--format", form, "k/racy.c", out=words)
        self.decide('[levels]\nTR00 = "note"\nTR001 = "error"\n', 1)
        self.decide('[levels]\nALL = "note"\n', 0, out="racy.c:22:5: note: ")

    def test_per_file_ignores(self):
        for pattern, code in (
            ("k/racy.c", 0), ("racy.c", 0), ("k", 0), ("k/", 0), ("k/**", 0), ("**/racy.c", 0),
            ("/k/*.c", 0), ("*.h", 1), ("other/racy.c", 1), ("/racy.c", 1), ("repository/k", 1),
        ):  # fmt: skip
            with self.subTest(pattern):
                self.decide(f'[per-file-ignores]\n"{pattern}" = ["TR00"]\n', code)
        done = self.decide('[per-file-ignores]\n"*.c" = ["TR002"]\n"k" = ["TR001"]\n', 0)
        done = self.check("-v", "k/racy.c", out="per-file-ignores has 'k' (tilerace.toml:3)")

    def test_notes_by_name(self):
        noted = (ROOT / "kernels/message_passing.c").read_text()
        self.write("noted.c", noted)
        rules = set(re.findall(r"\[(TR\d+)\]", self.check("--notes", "noted.c").stdout))
        self.assertTrue(rules, "a kernel with a note is needed here")
        rule = sorted(rules)[0]
        self.assertNotIn(f"[{rule}]", self.check("noted.c").stdout)
        self.write("tilerace.toml", f'extend-select = ["{rule}"]\n')
        self.assertIn(f"[{rule}]", self.check("noted.c").stdout)
        self.write("tilerace.toml", "notes = true\n")
        self.assertIn(f"[{rule}]", self.check("noted.c").stdout)

    def test_the_absence_of_an_answer_cannot_be_hidden(self):
        self.write("u.c", UNKNOWN)
        self.write("tilerace.toml", 'ignore = ["TR900"]\n')
        self.check("u.c", code=2, out="tilerace.toml:1:11: error: 'TR900' says that there is no answer")
        self.check("--isolated", "--ignore=TR900", "u.c", code=2, err="--ignore: 'TR900' says")
        self.check("--isolated", "--ignore=ALL", "--fail-on=unknown", "u.c", code=3)


class Wrong(Repository):
    """What is wrong is told with its place, and never hides a finding."""

    def setUp(self):
        super().setUp()
        self.write("bad/racy.c", RACY)
        self.write("well/racy.c", RACY)

    def refused(self, text, where, words):
        self.write("bad/tilerace.toml", text)
        place = f"bad/tilerace.toml{where}: error: "
        done = self.check("bad/racy.c", "well/racy.c", code=2, out=place)
        line = next(line for line in done.stdout.splitlines() if line.startswith(place))
        self.assertIn(words, line)
        self.assertIn("bad/racy.c: error: not checked, because its configuration", done.stdout)
        self.assertIn("well/racy.c:22:5: error: ", done.stdout)  # the others are
        self.assertIn("1 file not checked", done.stdout)

    def test_keys_and_values(self):
        for text, where, words in (
            ("selct = []", ":1:1", "there is no key 'selct'; did you mean 'select'?"),
            ("x = 1", ":1:1", "there is no key 'x'; 'tilerace config show' lists them"),
            ("[tilerace]\nSelect = []", ":2:1", "did you mean 'select'?"),
            ("[tilerace]\nselect = []\n[tilerace.level]", ":3:11", "did you mean 'levels'?"),
            ('select = ["TR01x"]', ":1:11", "there is no rule 'TR01x'; did you mean 'TR01"),
            ('select = ["TR1"]', ":1:11", "there is no rule 'TR1'"),
            ('select = ["inter-block-write-writ"]', ":1:11", "did you mean 'inter-block-write-write'?"),
            ("select = [1]", ":1:11", "a rule is a string, not a whole number"),
            ("select = true", ":1:10", "a rule is a string, not true or false"),
            ('strict = "yes"', ":1:10", "'strict' is true or false, not a string"),
            ('fail-on = ["eror"]', ":1:12", "did you mean 'error'?"),
            ("levels = []", ":1:10", "'levels' is a table, not an array"),
            ('[levels]\nTR001 = "off"', ":2:9", "not 'off'; 'ignore' hides"),
            ('[levels]\nTR001 = ["note", "error"]', ":2:1", "a rule has one level, not 2"),
            ('[levels]\nTR1 = "note"', ":2:1", "there is no rule 'TR1'"),
            ('[per-file-ignores]\n"a" = ["TR1"]', ":2:8", "there is no rule 'TR1'"),
            ('[per-file-ignores]\n"!a" = ["TR001"]', ":2:1", "has no '!'"),
            ('exclude = ["../x"]', ":1:12", "leads out of the folder of this file"),
            ('exclude = ["a/../../x"]', ":1:12", "leads out"),
            ('[per-file-ignores]\n"../x" = ["TR001"]', ":2:1", "leads out"),
            ("steps = 1000", ":1:9", "can be raised from 20000000 here, not set to 1000"),
            ("steps = 0", ":1:9", "can be raised"),
            ("steps = -1", ":1:9", "can be raised"),
            ("steps = 9223372036854775807", ":1:9", "at most 1000000000"),
            ("steps = 1.5", ":1:9", "a whole number, not a float"),
            ("steps = 2026-01-01", ":1:9", "not a date or time"),
            ('required-version = ">=9"\nnew-key = 1', ":1:20", "is for tilerace >=9, and this is"),
            ('required-version = "9"', ":1:20", "is not a list of versions"),
            ('strict = true\n[tilerace]\nstrict = false', ":3:1", "set twice, here and in line 1"),
            ('"a\\u001b[31mb" = 1', ":1:1", "there is no key 'a\\x1b[31mb'"),
            ('exclude = ["a\\u0000b"]', ":1:12", "without control characters, not 'a\\x00b'"),
            ('select = [""]', ":1:11", "has to be a text"),
            ('"' + "k" * 500 + '" = 1', ":1:1", "k..."),
        ):
            with self.subTest(text):
                self.refused(text + "\n", where, words)

    def test_what_belongs_on_the_command_line(self):
        for key in ("solver", "compile-commands", "launch", "loop-tokens", "budget", "output",
                    "keep-obligations", "build", "format", "color", "jobs"):  # fmt: skip
            with self.subTest(key):
                self.refused(f'{key} = "x"\n', ":1:1", f"'{key}' belongs on the command line")
        for key in ("cache-dir", "baseline"):
            self.refused(f'{key} = "x"\n', ":1:1", "a later version has it")

    def test_other_versions(self):
        version = self.run_tool("--version").stdout.split()[1]
        for wanted in (">=0.1", ">=0.1,<99", f"=={version}", "> 0.0.9 , <= 99.0", "<99"):
            self.write("bad/tilerace.toml", f'required-version = "{wanted}"\n')
            self.check("bad/racy.c", code=1)
        for wanted in (">=99", "<0.1", "==0.0.1", ">=0.1,<0.1.1", f">{version}"):
            self.refused(f'required-version = "{wanted}"\n', ":1:20", "and this is")
        for wanted in ("", ">=", "~=1.0", ">=1.x", ">=1,", "1.0", ">=1.2.3.4"):
            self.write("bad/tilerace.toml", f'required-version = "{wanted}"\n')
            self.check("bad/racy.c", code=2)

    def test_what_is_no_toml(self):
        for text, where, words in (
            (b'ignore = ["TR001"', ":1:18", "this is no TOML"),
            (b'ignore = ["ALL"]\nignore = ["ALL"]\n', ":2:10", "redefine"),
            (b'ignore = ["ALL"]\n[levels', ":2:8", "this is no TOML"),
            (b"\xff\xfei\0g\0", ":1:1", "this is no TOML"),
            (b'ignore = ["\xff"]\n', ":1:11", "utf-8"),
            (b"a = " + b"[" * 100000, ":1:69", "nests deeper than 64 levels"),
            (b"a." * 100000 + b"a = 1\n", ":1:130", "nests deeper than 64 levels"),
            (b"\0" * 100, ":1:1", "this is no TOML"),
            (b'{"ignore": ["ALL"]}', ":1:1", "this is no TOML"),
        ):
            with self.subTest(text[:40]):
                self.refused(text, where, words)

    def test_no_line_of_it_commands_a_terminal(self):
        self.write("bad/tilerace.toml", b"strict = 1 # \x1b]0;title\x07\n")
        done = self.check("bad/racy.c", code=2, out="bad/tilerace.toml:1:14: error: this is no TOML")
        self.assertNotIn("\x1b", done.stdout)
        self.assertIn("| strict = 1 # \ufffd]0;title\ufffd\n", done.stdout)

    def test_what_is_no_file(self):
        path = self.folder / "bad/tilerace.toml"
        outside = self.top / "outside.toml"
        outside.write_text('ignore = ["ALL"]\n')

        def large():
            with open(path, "wb") as file:
                file.write(b'ignore = ["ALL"]\n')
                file.truncate(100 << 20)

        for make, words in (
            (lambda: os.mkfifo(path), "it is a device or a pipe"),
            (large, "it is larger than the 1 MiB"),
            (lambda: path.symlink_to("/dev/zero"), "leads out of the repository"),
            (lambda: path.symlink_to(outside), "leads out of the repository"),
            (lambda: path.symlink_to("../../outside.toml"), "leads out of the repository"),
            (lambda: path.symlink_to("nothing"), "leads out of the repository"),
            (path.mkdir, "it is a folder"),
        ):
            make()
            with self.subTest(words):
                done = self.check("bad/racy.c", "well/racy.c", code=2, out="well/racy.c:22:5: error: ")
                self.assertIn("bad/tilerace.toml: error: " + words, done.stdout.replace("it is a link that ", ""))
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()

    def test_a_link_within_the_repository_is_taken(self):
        self.write("shared.toml", 'ignore = ["ALL"]\n')
        (self.folder / "bad/tilerace.toml").symlink_to("../shared.toml")
        self.check("bad/racy.c", code=0)

    def test_project_files_of_others(self):
        for text, code in (
            ("{{ cookiecutter.name }}", 1),  # nothing for us, whatever it is
            ("{{ tilerace }}", 2),
            ("tool = 3 # tilerace", 1),
            ("[tool]\ntilerace = 3", 2),
            ("[tool.tilerace.tilerace]\nstrict = true", 2),
        ):
            with self.subTest(text):
                self.write("bad/pyproject.toml", text + "\n")
                self.check("bad/racy.c", code=code)

    def test_every_format_says_what_was_not_checked(self):
        self.write("bad/tilerace.toml", "selct = []\n")
        for form in FORMATS:
            with self.subTest(form):
                done = self.check("--format", form, "bad", code=2)
                self.assertIn("selct", done.stdout)

    def test_each_input_is_not_checked(self):
        self.write("bad/other.c", GOOD)
        self.write("bad/tilerace.toml", "selct = []\n")
        report = json.loads(self.check("--format=json", ".", code=2).stdout)
        self.assertEqual([i["status"] for i in report["inputs"]], ["error", "error", "checked"])

    def test_a_wrong_word_on_the_command_line(self):
        self.check("--select=TR1", "well/racy.c", code=2, err="--select: there is no rule 'TR1'")
        self.check("--fail-on=eror", "well/racy.c", code=2, err="--fail-on: there is no 'eror'")


if __name__ == "__main__":
    unittest.main()
