"""tilerace hook, and pre-commit with our hooks in scratch repositories.

    test_hook.py TILERACE PRE_COMMIT CAPTURE_PYTHON

PRE_COMMIT is the program; CAPTURE_PYTHON a Python with cuda-tile, or "none" where none can load
the stand-in driver. The hooks are those of .pre-commit-hooks.yaml, with the program of the build
in place of an environment that would be installed.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TILERACE, PRE_COMMIT, PYTHON = (
    [os.path.abspath(word) if word != "none" else "" for word in sys.argv[1:4]]
    if len(sys.argv) > 3
    else ["tilerace", "pre-commit", ""]
)
del sys.argv[1:4]
ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD = (ROOT / "kernels/vector_add.c").read_text()
RACY = (ROOT / "build/fixtures/races/vector_add_unread_axis.c").read_text()
CONDITIONAL = """#include <tile.h>
tile_kernel void scatter(const int *restrict index, float *restrict dst, int n)
{
    tile_grid(n);
    tile_assume(0 < n && n <= 1 << 16);
    dst[index[tile_bid(0)]] = 1.0f;
}
"""
UNKNOWN = re.search("```c\n(.*?)```", (ROOT / "docs/rules/TR900.md").read_text(), re.DOTALL)[1]
PLAIN_C = """/* Beside tile_kernel sources:
#  include is below */
#include <stdio.h>
int main(void) { return puts("tile_kernel"); }
"""
PROGRAM = """import numpy as np
import cuda.tile as ct


@ct.kernel
def halve(a, b, TILE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(b, index=(INDEX,), tile=ct.load(a, index=(i,), shape=(TILE,)))


if __name__ == "__main__":
    a, b = np.ones(128, np.float32), np.zeros(128, np.float32)
    ct.launch(0, (8, 1, 1), halve, (a, b, 16))
"""


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name).resolve()
        self.folder = self.top / "a repository"
        self.folder.mkdir()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text) if isinstance(text, bytes) else path.write_text(text)
        return name

    def hook(self, *words, code, out="", err=""):
        done = subprocess.run(
            [TILERACE, "hook", *words],
            capture_output=True, text=True, check=False, cwd=self.folder, timeout=120,
        )  # fmt: skip
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(out, done.stdout)
        self.assertIn(err, done.stderr)
        return done

    def record(self, program, folder="."):
        done = subprocess.run(
            [TILERACE, "exec", "--dry-run", "--", PYTHON, program],
            capture_output=True, text=True, check=False, cwd=self.folder / folder, timeout=300,
        )  # fmt: skip
        self.assertTrue((self.folder / folder / ".tilerace/index.json").exists(), done.stderr)


class Hook(Folder):
    def test_sources(self):
        self.write("good.c", GOOD)
        self.write("racy one.c", RACY)
        done = self.hook("good.c", code=0, out="1 kernel: 1 proved race-free")
        self.assertNotIn("cannot race", done.stdout)  # nothing to look at
        done = self.hook("good.c", "racy one.c", code=1, out="racy one.c:22:5: error: ")
        self.assertIn("2 kernels: 1 proved race-free, 0 conditional, 1 racy", done.stdout)

    def test_conditional_and_unknown_pass_and_are_shown(self):
        self.write("c.c", CONDITIONAL)
        self.write("u.c", UNKNOWN)
        self.hook("c.c", code=0, out="requires (race): no two elements of 'index'")
        self.hook("u.c", code=0, out="is not decided")
        self.hook("--fail-on=conditional", "c.c", code=1)
        self.hook("--fail-on", "unknown", "u.c", code=3)

    def test_what_holds_no_kernel_is_passed_over(self):
        self.write("main.c", PLAIN_C)
        self.write("script.py", "print('no kernel')\n")
        self.write("empty.py", "")
        done = self.hook("main.c", "script.py", "empty.py", code=0)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        done = self.hook(code=0)
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_kernels_by_whatever_way_they_are_declared(self):
        for name, text in (
            ("quoted.c", RACY.replace("<tile.h>", '"sub/tile.h"')),
            ("word.c", '#include "all.h"\nstatic tile_kernel void k(float *x) { x[0] = 1; }\n'),
            ("macro.c", "#define KERNEL tile_kernel void\n"),
            ("spaced.c", "  #\tinclude  <tile.h>\n"),
        ):
            self.write(name, text)
            self.hook(name, code=2, out=name)  # looked at: none of them compiles

    def test_never_a_pass_that_did_not_look(self):
        self.write("binary.c", b"a\0b\xff")
        (self.folder / "dangling.c").symlink_to("nowhere.c")
        self.write("racy.c", RACY)
        (self.folder / "link.c").symlink_to("racy.c")
        (self.folder / "folder.c").mkdir()
        self.write("cut.tilebc", b"\x7fTileIR\0")
        self.hook("binary.c", code=2, out="neither C nor Tile IR")
        self.hook("dangling.c", code=2, out="cannot be read")
        self.hook("deleted.c", code=2, out="deleted.c: error: cannot be read")
        self.hook("deleted.py", code=2, out="deleted.py: error: cannot be read")
        self.hook("link.c", code=1, out="link.c:22:5: error:")
        self.hook("folder.c", code=2, out="is a folder")
        self.hook("cut.tilebc", code=2)
        self.hook(".tilerace", code=2, err="there is no recording")
        self.hook("--fail-on=nothing", "racy.c", code=2, err="there is no 'nothing'")

    def test_bytecode(self):
        for path in (ROOT / "fixtures/races/cpp").glob("matmul*.*"):
            shutil.copy(path, self.folder)
        names = sorted(path.name for path in self.folder.glob("*.tilebc"))
        done = self.hook(*names, code=1)
        self.assertIn("error: ", done.stdout)

    def test_a_source_without_a_recording(self):
        self.write("kernel.py", PROGRAM.replace("INDEX", "i"))
        self.write("kernel.cu", "#include <cuda_tile.h>\n")
        done = self.hook("kernel.py", "kernel.cu", code=0, err="kernel.py: warning: is not checked")
        self.assertIn("kernel.cu: warning: is not checked: there is no recording of it", done.stderr)
        self.hook("--fail-on=unseen", "kernel.py", code=1)

    def test_formats(self):
        self.write("racy.c", RACY)
        done = self.hook("racy.c", "--format=json", "-o", "markdown=m.md", code=1)
        self.assertEqual(json.loads(done.stdout)["inputs"][0]["file"], "racy.c")
        self.assertIn("**race**", (self.folder / "m.md").read_text())


@unittest.skipUnless(PYTHON, "no Python can load the stand-in driver")
class Recordings(Folder):
    def test_the_recording_beside(self):
        self.write("sub/racy.py", PROGRAM.replace("INDEX", "i // 2"))
        self.write("good.py", PROGRAM.replace("INDEX", "i"))
        self.record("sub/racy.py")
        self.record("good.py")
        done = self.hook("sub/racy.py", code=1, out="racy.py:8:5: error: ")
        self.assertEqual(done.stderr, "")
        self.hook("good.py", code=0, out="1 proved race-free")
        self.hook(str(self.folder / "good.py"), code=0, out="1 proved race-free")
        self.hook(".tilerace", code=1, out="2 kernels: 1 proved race-free, 0 conditional, 1 racy")

    def test_the_nearest_recording(self):
        self.write("racy.py", PROGRAM.replace("INDEX", "i // 2"))
        self.write("sub/good.py", PROGRAM.replace("INDEX", "i"))
        self.record("racy.py")
        self.record("good.py", "sub")
        self.hook("sub/good.py", code=0, out="1 proved race-free")
        shutil.rmtree(self.folder / "sub/.tilerace")
        self.hook("sub/good.py", code=0, err="the recording .tilerace has nothing of it")

    def test_an_older_recording(self):
        self.write("k.py", PROGRAM.replace("INDEX", "i // 2"))
        self.record("k.py")
        self.write("k.py", PROGRAM.replace("INDEX", "i"))
        done = self.hook("k.py", code=1, err="k.py: warning: has changed since it was recorded")
        self.assertIn("error: ", done.stdout)  # what was recorded is all that is known
        self.record("k.py")
        done = self.hook("k.py", code=0, out="1 proved race-free")
        self.assertEqual(done.stderr, "")
        self.hook(".tilerace", code=0, out="1 kernel: 1 proved race-free")

    def check(self, *words, code):
        done = subprocess.run(
            [TILERACE, "check", "--format=json", *words],
            capture_output=True, text=True, check=False, cwd=self.folder, timeout=120,
        )  # fmt: skip
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        report = json.loads(done.stdout)
        skipped = {s["reason"]: s["files"] for s in report.get("skipped", [])}
        return [i["file"] for i in report["inputs"]], skipped, done.stderr

    def test_check_takes_them_from_a_folder(self):
        self.write("sub/racy.py", PROGRAM.replace("INDEX", "i // 2"))
        self.write("good.py", PROGRAM.replace("INDEX", "i"))
        self.write("unseen.py", "import cuda.tile as ct\n")
        self.write(".gitignore", ".tilerace\n")  # as its own says
        self.record("sub/racy.py")
        self.record("good.py")
        files, skipped, _ = self.check(".", code=1)
        self.assertEqual(len(files), 2)
        self.assertEqual(skipped, {"no-recording": ["unseen.py"]})
        files, skipped, _ = self.check("sub", code=1)  # the recording is above it
        self.assertEqual((len(files), skipped), (1, {}))
        files, skipped, _ = self.check(".", "sub", ".tilerace", code=1)
        self.assertEqual(len(files), 4)  # what is named is there, whatever folders bring
        files, skipped, _ = self.check("--exclude=.tilerace", ".", code=0)
        self.assertEqual((files, skipped["excluded"]), ([], [".tilerace"]))
        self.assertEqual(len(skipped["no-recording"]), 3)
        self.write("sub/tilerace.toml", 'ignore = ["TR001"]\n')  # of the source, which is named
        self.check("sub", code=0)
        self.write("good.py", PROGRAM.replace("INDEX", "i") + "# more\n")
        files, skipped, err = self.check(".", code=0)
        self.assertEqual(skipped["changed-since-recorded"], ["good.py"])
        self.assertIn("good.py: warning: has changed since it was recorded", err)
        self.check("--fail-on=unseen", ".", code=1)

    def test_older_and_unseen(self):
        self.write("k.py", PROGRAM.replace("INDEX", "i"))
        self.record("k.py")
        self.hook("--fail-on=unseen", "k.py", code=0)
        self.write("k.py", PROGRAM.replace("INDEX", "i") + "# more\n")
        self.hook("--fail-on=unseen", "k.py", code=1, err="has changed since")

    def test_recorded_elsewhere(self):
        """On another machine the sources lie in another folder."""
        self.write("sub/k.py", PROGRAM.replace("INDEX", "i // 2"))
        self.record("sub/k.py")
        moved = self.top / "moved"
        self.folder.rename(moved)
        self.folder = moved
        done = self.hook("sub/k.py", code=1)
        self.assertNotIn("has changed", done.stderr)
        self.write("sub/k.py", PROGRAM.replace("INDEX", "i // 2") + "# more\n")
        self.hook("sub/k.py", code=1, err="has changed since")

    def test_a_damaged_recording(self):
        self.write("k.py", PROGRAM.replace("INDEX", "i"))
        self.record("k.py")
        (module,) = self.folder.glob(".tilerace/modules/*.tilebc")
        module.write_bytes(module.read_bytes()[:-1])
        self.hook("k.py", code=2)


class Repository(Folder):
    """git commit, with pre-commit between, in a scratch repository."""

    HOOKS = ROOT / ".pre-commit-hooks.yaml"

    def setUp(self):
        super().setUp()
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PRE_COMMIT"))},
            "PRE_COMMIT_HOME": str(self.top / "cache"),
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
            "PATH": f"{pathlib.Path(PRE_COMMIT).parent}{os.pathsep}{os.environ['PATH']}",
        }  # fmt: skip
        hooks = self.top / "hooks"
        hooks.mkdir()
        self.write_hooks(hooks)
        self.hooks = self.repository(hooks)
        self.git("init", "-q", "-b", "main")

    def write_hooks(self, folder):
        """The hooks, with the program of the build in place of what they install."""
        text = self.HOOKS.read_text()
        text = re.sub(r"(?m)^  additional_dependencies: .*\n", "", text)
        text = text.replace("language: python", "language: system")
        text = text.replace("entry: tilerace", f"entry: {TILERACE}")
        (folder / self.HOOKS.name).write_text(text)

    def git(self, *words, folder=None, code=0):
        done = subprocess.run(
            ["git", *words], capture_output=True, text=True, check=False,
            cwd=folder or self.folder, env=self.environment, timeout=300,
        )  # fmt: skip
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def repository(self, folder):
        self.git("init", "-q", "-b", "main", folder=folder)
        self.git("add", "-A", folder=folder)
        self.git("commit", "-qm", "hooks", folder=folder)
        return folder, self.git("rev-parse", "HEAD", folder=folder).strip()

    def use(self, *hooks):
        folder, revision = self.hooks
        lines = [f"repos:\n- repo: {folder}\n  rev: {revision}\n  hooks:\n"]
        for name, *words in hooks:
            lines.append(f"  - id: {name}\n")
            lines += [f"    {word}\n" for word in words]
        self.write(".pre-commit-config.yaml", "".join(lines))
        self.git("add", ".pre-commit-config.yaml")
        subprocess.run(
            [PRE_COMMIT, "install"], cwd=self.folder, env=self.environment, check=True,
            capture_output=True,
        )  # fmt: skip

    def commit(self, code):
        return self.git("commit", "-m", "change", code=code)


class PreCommit(Repository):
    def test_clean(self):
        self.use(["tilerace"])
        self.write("with a space.c", GOOD)
        self.write("main.c", PLAIN_C)
        self.git("add", "-A")
        said = self.commit(code=0)
        self.assertRegex(said, r"tilerace\.+Passed")
        self.assertIn("1 kernel: 1 proved race-free", said)

    def test_a_race_blocks_and_can_be_read(self):
        self.use(["tilerace"])
        self.write("with a space.c", RACY)
        self.git("add", "-A")
        said = self.commit(code=1)
        self.assertRegex(said, r"tilerace\.+Failed")
        self.assertIn("with a space.c:22:5: error: different tile blocks write", said)
        self.assertIn("tile block (0, 1, 0) stores c[0]", said)
        self.assertNotIn("\x1b", said)
        self.write("with a space.c", GOOD)
        self.git("add", "-A")
        self.commit(code=0)

    def test_what_is_staged_counts(self):
        """A race that is repaired in the work tree alone is still committed."""
        self.use(["tilerace"])
        self.write("k.c", RACY)
        self.git("add", "-A")
        self.write("k.c", GOOD)
        self.commit(code=1)
        self.assertEqual((self.folder / "k.c").read_text(), GOOD)

    def test_conditional_and_unknown(self):
        self.use(["tilerace"])
        self.write("c.c", CONDITIONAL)
        self.write("u.c", UNKNOWN)
        self.git("add", "-A")
        said = self.commit(code=0)
        self.assertIn("requires (race): no two elements of 'index'", said)
        self.assertIn("'words' is not decided", said)

    def test_words_of_the_configuration(self):
        self.use(["tilerace", 'args: [--fail-on, "conditional,unknown"]'])
        self.write("c.c", CONDITIONAL)
        self.git("add", "-A")
        self.assertIn("Failed", self.commit(code=1))

    def test_nothing_staged(self):
        self.use(["tilerace"])
        self.write("notes.txt", "no kernel\n")
        self.git("add", "-A")
        self.assertRegex(self.commit(code=0), r"tilerace\.+\(no files to check\)Skipped")
        self.assertIn("nothing to commit", self.commit(code=1))

    def test_deleted_binary_and_linked_files(self):
        self.use(["tilerace"])
        self.write("k.c", GOOD)
        self.git("add", "-A")
        self.commit(code=0)
        self.git("rm", "-q", "k.c")
        self.assertIn("Skipped", self.commit(code=0))
        self.write("binary.c", b"a\0b\xff")
        self.git("add", "-A")
        self.assertIn("binary.c: error: this is neither C nor Tile IR bytecode", self.commit(code=1))
        self.git("rm", "-qf", "binary.c")
        (self.folder / "link.c").symlink_to("nowhere.c")
        self.git("add", "-A")
        self.assertIn("Skipped", self.commit(code=0))  # git stores a name, not a file
        self.write("gone.c", RACY)
        self.git("add", "-A")
        (self.folder / "gone.c").unlink()
        self.assertIn("gone.c:22:5: error", self.commit(code=1))  # staged all the same

    def test_recordings_that_are_missing(self):
        self.use(["tilerace-recordings"])
        self.assertIn(".tilerace: error: there is no recording", self.commit(code=1))

    @unittest.skipUnless(PYTHON, "no Python can load the stand-in driver")
    def test_recordings(self):
        self.use(["tilerace"], ["tilerace-recordings"])
        self.write("k.py", PROGRAM.replace("INDEX", "i // 2"))
        self.record("k.py")
        self.git("add", "-A")
        self.assertEqual(self.git("ls-files", ".tilerace"), "")
        said = self.commit(code=1)
        self.assertEqual(said.count("k.py:8:5: error: "), 2, said)
        self.write("k.py", PROGRAM.replace("INDEX", "i"))
        self.git("add", "-A")
        self.assertIn("k.py: warning: has changed since", self.commit(code=1))
        self.record("k.py")
        self.assertNotIn("warning", self.commit(code=0))


class Mirror(unittest.TestCase):
    """The repository that installs the wheel has the same hooks, and pins the version of today."""

    FOLDER = ROOT / "packaging/pre-commit-mirror"

    def test_the_hooks_are_the_same(self):
        def plain(path):
            return [
                line
                for line in path.read_text().splitlines()
                if not line.startswith(("#", "  additional_dependencies"))
            ]

        self.assertEqual(plain(self.FOLDER / PreCommit.HOOKS.name), plain(PreCommit.HOOKS))

    def test_manifests(self):
        for path in (self.FOLDER / PreCommit.HOOKS.name, PreCommit.HOOKS):
            subprocess.run([PRE_COMMIT, "validate-manifest", str(path)], check=True)


if __name__ == "__main__":
    unittest.main()
