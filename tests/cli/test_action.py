"""The GitHub Action: its steps run in their order, its files by their schemas, the problem matcher on
what the program prints.

    test_action.py TILERACE CHECK_JSONSCHEMA      with a Python that has PyYAML
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))
from action_steps import ACTION, Run  # noqa: E402  the folder is known only now

TILERACE, CHECK_JSONSCHEMA = (
    [os.path.abspath(word) for word in sys.argv[1:3]] if len(sys.argv) > 2 else ["tilerace", "check-jsonschema"]
)
del sys.argv[1:3]
GOOD = (ROOT / "kernels/vector_add.c").read_text()
RACY = (ROOT / "build/fixtures/races/vector_add_unread_axis.c").read_text()
UNKNOWN = re.search("```c\n(.*?)```", (ROOT / "docs/rules/TR900.md").read_text(), re.DOTALL)[1]
VERSION = r"(?:tilerace@v|tilerace==|\[dialect\]==|rev: v|default: )(\d+\.\d+\.\d+)"
UPLOAD = "github/codeql-action/upload-sarif"


class Steps(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        top = pathlib.Path(holder.name).resolve()
        self.workspace, self.temporary = top / "a workspace", top / "temporary files"
        for folder in (self.workspace, self.temporary):
            folder.mkdir()
        self.write("kernels/deep/good one.c", GOOD)
        self.path = os.pathsep.join([str(pathlib.Path(TILERACE).parent), os.environ["PATH"]])

    def write(self, name, text):
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_action(self, code, path=None, system="Linux", **inputs):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "RUNNER_"))}
        environment |= {"PATH": path or self.path, "RUNNER_OS": system}
        given = {"paths": "kernels/**/*.c", "version": "installed"}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        run = Run(self.workspace, self.temporary, given, environment)
        self.assertEqual(run.run(), code, run.said)
        return run

    def sarif(self, run):
        return json.loads(pathlib.Path(run.used[UPLOAD]["sarif_file"]).read_text())["runs"][0]

    def test_clean(self):
        run = self.run_action(0)
        self.assertIn("1 kernel: 1 proved race-free", run.said)
        self.assertIn("| vector\\_add | race-free | kernels/deep/good one.c:", run.summary)
        self.assertEqual(self.sarif(run)["results"], [])
        self.assertEqual(run.outputs["check"]["exit-code"], "0")
        self.assertEqual(run.used[UPLOAD]["category"], "tilerace")

    def test_racy(self):
        """The job fails after the upload and the summary, not before."""
        self.write("kernels/racy.c", RACY)
        run = self.run_action(1)
        self.assertIn("| vector\\_add | **race** | kernels/racy.c:22 |", run.summary)
        (result,) = self.sarif(run)["results"]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "kernels/racy.c")
        self.assertLess(run.said.index("::add-matcher::"), run.said.index("kernels/racy.c:22:5: error"))
        matcher = re.search("::add-matcher::(.*)", run.said)[1]
        self.assertTrue(pathlib.Path(matcher).exists())
        self.assertIn("::remove-matcher owner=tilerace::", run.said)
        self.assertIn("::error title=tilerace::kernels race", run.said)

    def test_undecided(self):
        self.write("kernels/unknown.c", UNKNOWN)
        self.assertIn("is not decided", self.run_action(0).summary)
        run = self.run_action(3, fail_on="unknown")
        self.assertIn("::error title=tilerace::kernels are not decided", run.said)

    def test_what_matches_nothing(self):
        """Never a pass that did not look."""
        for paths in ("nothing/**/*.c", "missing.c", "", "\n \n"):
            run = self.run_action(2, paths=paths)
            self.assertIn("::error title=tilerace::not all could be checked", run.said)
        self.assertIn("nothing/\\*\\*/\\*.c", self.run_action(2, paths="nothing/**/*.c").summary)

    def test_paths(self):
        self.write("-dash.c", GOOD)
        self.write("a b.c", GOOD)
        self.write("$(touch oh).c", GOOD)
        run = self.run_action(0, paths="  a b.c  \n-dash.c\n\n$(touch oh).c\nkernels/*/good one.c")
        self.assertIn("4 kernels: 4 proved", run.said)
        self.assertFalse((self.workspace / "oh").exists())

    def test_names_are_no_commands(self):
        self.write("a\n::warning::b.c", RACY)
        run = self.run_action(1, paths="*.c")
        token = re.search("::stop-commands::([0-9a-f]{32})\n", run.said)[1]
        inside = run.said[run.said.index("::stop-commands::") : run.said.index(f"\n::{token}::\n")]
        self.assertIn("::warning::b.c", inside)
        self.assertNotIn("\n::warning::b.c", inside)  # a name makes no line
        self.assertNotIn("::warning::", run.said.replace(inside, ""))

    def test_args(self):
        self.write("kernels/given.c", GOOD + "\n#ifndef GIVEN\n#error no\n#endif\n")
        self.run_action(2)
        run = self.run_action(0, args="--output 'junit=a b.xml' --jobs=1 -- -DGIVEN=1")
        self.assertIn("2 kernels", run.said)
        self.assertTrue((self.workspace / "a b.xml").exists())
        self.run_action(2, args="--no-such-option")
        self.run_action(2, args="'not closed")
        self.run_action(2, args="$(touch oh) ; touch oh")
        self.assertFalse((self.workspace / "oh").exists())

    def test_without_an_upload(self):
        self.assertEqual(self.run_action(0, upload_sarif="false").used, {})

    def test_nothing_to_upload(self):
        self.assertEqual(self.run_action(2, args="--no-such-option").used, {})

    def test_twice_in_a_job(self):
        """The second report is not the first one's."""
        first = self.run_action(0)
        self.write("kernels/racy.c", RACY)
        second = self.run_action(1)
        self.assertNotEqual(first.used[UPLOAD], second.used[UPLOAD])

    def test_other_systems(self):
        run = self.run_action(2, system="Windows")
        self.assertIn("::error title=tilerace::tilerace runs on Linux, not on Windows", run.said)
        self.assertEqual(run.used, {})

    def test_nothing_installed(self):
        run = self.run_action(2, path="/usr/bin:/bin")
        self.assertIn("no earlier step has put tilerace on PATH", run.said)

    def test_inputs_are_no_code(self):
        """What users write reaches a script as a variable, never as a part of it."""
        for step in Run(self.workspace, self.temporary, {}, {}).action["runs"]["steps"]:
            self.assertNotIn("${{", step.get("run", ""))


class Schemas(unittest.TestCase):
    def check(self, *words):
        done = subprocess.run([CHECK_JSONSCHEMA, *words], capture_output=True, text=True, check=False)
        return done.returncode

    def test_files(self):
        matcher = str(ROOT / "tests/tools/problem_matcher.schema.json")
        for words in (
            ["--builtin-schema", "vendor.github-actions", str(ACTION)],
            ["--builtin-schema", "vendor.github-workflows", str(ROOT / "docs/ci/github.yml")],
            ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", str(ROOT / "docs/ci/gitlab.yml")],
            ["--schemafile", matcher, str(ROOT / ".github/tilerace-matcher.json")],
        ):
            self.assertEqual(self.check(*words), 0, words)

    def test_that_they_see_a_mistake(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder) / "action.yml"
            broken.write_text(ACTION.read_text().replace("using: composite", "using: compositum"))
            self.assertNotEqual(self.check("--builtin-schema", "vendor.github-actions", str(broken)), 0)

    def test_words_of_the_workflow(self):
        """Inputs that a workflow gives to the action are inputs of it, and the versions are one."""
        inputs = set(Run(ROOT, ROOT, {}, {}).inputs)
        text = (ROOT / "docs/ci/github.yml").read_text()
        for block in re.findall(r"uses: tilerace/tilerace@.*?(?=\n      - |\n\n|\Z)", text, re.DOTALL):
            given = set(re.findall(r"(?m)^          ([\w-]+):", block))
            self.assertTrue(given and given <= inputs, given - inputs)


class Versions(unittest.TestCase):
    def test_all_are_one(self):
        """What people copy names one version; test_installed.py holds it to that of the project."""
        named = {
            path: set(re.findall(VERSION, (ROOT / path).read_text()))
            for path in ("action.yml", "docs/ci.md", "docs/ci/github.yml", "docs/ci/gitlab.yml",
                         "packaging/pre-commit-mirror/README.md",
                         "packaging/pre-commit-mirror/pyproject.toml")
        }  # fmt: skip
        self.assertEqual({len(versions) for versions in named.values()}, {1}, named)
        self.assertEqual(len(set.union(*named.values())), 1, named)


class Matcher(unittest.TestCase):
    """The problem matcher sees each finding of a report, with all its parts, and nothing else."""

    PATTERN = json.loads((ROOT / ".github/tilerace-matcher.json").read_text())["problemMatcher"][0]["pattern"][0]

    def test_findings(self):
        files = [
            "build/fixtures/races/vector_add_unread_axis.c", "kernels/vector_add.c", "missing.c",
            "tests/preconditions/harmless_wraps.c", "fixtures/races/cpp/aligned_copy_pitch.tilebc",
        ]  # fmt: skip
        files = [file for file in files if file == "missing.c" or (ROOT / file).exists()]
        command = [TILERACE, "check", *files, "--output", "json=/dev/stderr"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        report = json.loads(done.stderr)
        expected = [
            (place["file"], str(place["line"]), str(place["column"]), finding["level"], finding["message"], finding["rule"])
            for entry in report["inputs"]
            for kernel in entry["kernels"]
            for finding in kernel["findings"]
            for place in finding["locations"][:1]
            if finding["level"] != "note" and place["line"]
        ]  # fmt: skip
        found = []
        for line in done.stdout.splitlines():
            match = re.match(self.PATTERN["regexp"], line)
            if match:
                keys = ("file", "line", "column", "severity", "message", "code")
                found.append(tuple(match[self.PATTERN[key]] for key in keys))
        self.assertEqual(found, expected)
        self.assertGreater(len(found), 4)

    def test_an_error_of_a_source(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "k.c"
            path.write_text("#include <tile.h>\ntile_kernel void k(int n) { return n }\n")
            done = subprocess.run([TILERACE, "check", "k.c"], capture_output=True, text=True, check=False, cwd=folder)
        match = re.match(self.PATTERN["regexp"], done.stdout.splitlines()[0])
        self.assertEqual((match[1], match[2], match[4], match[6]), ("k.c", "2", "error", None))


if __name__ == "__main__":
    unittest.main()
