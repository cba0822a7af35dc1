"""The action and the hooks as users get them: pip installs a wheel, and with it what it depends on.

    test_installed.py WHEEL PRE_COMMIT [--source]      with a Python that has PyYAML

--source also builds the repository's own commit as pre-commit and the action do, which takes minutes.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/tools"), str(ROOT / "tests/cli")]
WHEEL, PRE_COMMIT = (pathlib.Path(word).absolute() for word in sys.argv[1:3])
SOURCE = "--source" in sys.argv[3:]
del sys.argv[1:]
import test_hook  # noqa: E402  it reads the words of the command line, which are ours
from action_steps import Run  # noqa: E402

VERSION = re.match(r"tilerace-([^-]+)-", WHEEL.name)[1]
MIRROR = ROOT / "packaging/pre-commit-mirror"
test_hook.PRE_COMMIT = str(PRE_COMMIT)
os.environ["PIP_FIND_LINKS"] = str(WHEEL.parent)
os.environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"


def committed(folder, to):
    """A clone of the repository as it is committed."""
    subprocess.run(["git", "clone", "-q", str(folder), str(to)], check=True)


class Hooks(test_hook.Repository):
    """The mirror, whose environment pip makes of the wheel."""

    def write_hooks(self, folder):
        for path in MIRROR.iterdir():
            (folder / path.name).write_bytes(path.read_bytes())

    def test_clean_and_racy(self):
        self.use(["tilerace"])
        self.write("a kernel.c", test_hook.GOOD)
        self.git("add", "-A")
        self.assertIn("1 kernel: 1 proved race-free", self.commit(code=0))
        self.write("a kernel.c", test_hook.RACY)
        self.git("add", "-A")
        self.assertIn("a kernel.c:22:5: error: different tile blocks", self.commit(code=1))

    def test_the_version_that_is_pinned(self):
        self.assertIn(f"tilerace[dialect]=={VERSION}", (MIRROR / "pyproject.toml").read_text())


@unittest.skipUnless(SOURCE, "--source is not given")
class HooksFromSource(Hooks):
    """The repository itself, which pip builds."""

    def setUp(self):
        super().setUp()
        folder = self.top / "tilerace"
        committed(ROOT, folder)
        self.hooks = folder, self.git("rev-parse", "HEAD", folder=folder).strip()


class Action(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name).resolve()
        self.workspace, self.temporary = self.top / "a workspace", self.top / "temporary files"
        for folder in (self.workspace, self.temporary):
            folder.mkdir()
        (self.workspace / "good.c").write_text(test_hook.GOOD)
        (self.workspace / "racy.c").write_text(test_hook.RACY)

    def run_action(self, code, action=ROOT / "action.yml", **inputs):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "RUNNER_"))}
        run = Run(self.workspace, self.temporary, inputs, environment, action)
        self.assertEqual(run.run(), code, run.said)
        return run

    def test_the_version_that_is_the_default(self):
        run = self.run_action(0, paths="good.c")
        self.assertEqual(run.inputs["version"], VERSION)
        self.assertIn("| vector\\_add | race-free |", run.summary)
        run = self.run_action(1, paths="*.c")
        self.assertIn("| vector\\_add | **race** | racy.c:22 |", run.summary)

    def test_a_version_that_is_none(self):
        self.assertIn("0.0.0", self.run_action(1, paths="good.c", version="0.0.0").said)

    @unittest.skipUnless(SOURCE, "--source is not given")
    def test_the_commit_of_the_action(self):
        folder = self.top / "the action"
        committed(ROOT, folder)
        run = self.run_action(1, folder / "action.yml", paths="*.c", version="source")
        self.assertIn("2 kernels: 1 proved race-free, 0 conditional, 1 racy", run.said)


class Versions(unittest.TestCase):
    def test_all_are_one(self):
        """What people copy names the version of this commit."""
        project = re.search(r"project\(tilerace VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        for path in ("docs/ci.md", "docs/ci/github.yml", "docs/ci/gitlab.yml", "action.yml",
                     "packaging/pre-commit-mirror/README.md",
                     "packaging/pre-commit-mirror/pyproject.toml"):  # fmt: skip
            text = (ROOT / path).read_text()
            named = re.findall(r"(?:tilerace@v|tilerace==|\[dialect\]==|rev: v|default: )(\d+\.\d+\.\d+)", text)
            self.assertEqual(set(named), {project}, path)


if __name__ == "__main__":
    unittest.main()
