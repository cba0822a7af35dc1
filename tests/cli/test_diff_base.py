"""tilerace check --diff-base REV: the kernels that a change can affect, and no others.

    test_diff_base.py TILERACE
"""

import json
import os
import pathlib
import random
import re
import shutil
import stat
import subprocess
import sys
import unittest

TILERACE = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "tilerace"
del sys.argv[1:2]
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

from folder_case import FolderCase  # noqa: E402
from formats import FORMATS  # noqa: E402

GIT = shutil.which("git")
MODULE = (ROOT / "kernels/python/add_vectors.tilebc").read_bytes()
OTHER_MODULE = (ROOT / "kernels/python/argmax_rows.tilebc").read_bytes()

HEADER = """#include <tile.h>
#define AT 0
static inline int place(int i) { return i + AT; }
"""
SOURCE = """#include "shared.h"

tile_kernel void one(float *x)
{
    x[place(tile_bid(0))] = 1;
}

tile_kernel void two(float *x)
{
    x[place(1)] = 1;
}
"""
ALONE = """#include <tile.h>
tile_kernel void alone(float *x)
{
    x[tile_bid(0)] = 1;
}
"""


def launch(kernel, blocks):
    return json.dumps({"version": 1, "launches": [{"kernel": kernel, "grid": [blocks, 1, 1]}]})


class Repository(FolderCase):
    tilerace = TILERACE

    def git(self, *words, **more):
        return subprocess.run(
            [GIT, "-c", "user.name=n", "-c", "user.email=n@example.org", *words],
            cwd=more.pop("where", self.folder), check=True, capture_output=True, text=True, **more,
        )  # fmt: skip

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")

    def setUp(self):
        super().setUp()
        self.git("init", "-q", "-b", "main")
        self.write("shared.h", HEADER)
        self.write("pair.c", SOURCE)
        self.write("sub/alone.c", ALONE)
        self.commit()

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def report(self, *words, where=".", command="check", **more):
        done = subprocess.run(
            [TILERACE, command, "--format=json", *words], cwd=self.folder / where,
            capture_output=True, text=True, check=False, timeout=120, **more,
        )  # fmt: skip
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return json.loads(done.stdout)

    def affected(self, *words, base="HEAD", **more):
        """The kernels that are reported; and those that are left out are all others."""
        words = words or (".",)
        report = self.report(f"--diff-base={base}", *words, **more)
        reported = [k["kernel"] for i in report["inputs"] for k in i["kernels"]]
        left_out = [k["kernel"] for i in report["inputs"] for k in i["not_affected"]]
        whole = self.report(*words, **more)
        names = [k["kernel"] for i in whole["inputs"] for k in i["kernels"]]
        self.assertEqual(sorted(reported + left_out), sorted(names))
        self.assertEqual(report["not_affected"]["since"], base)
        self.assertEqual(report["not_affected"]["kernels"], len(left_out))
        return sorted(reported)


class Sources(Repository):
    def test_nothing_has_changed(self):
        self.assertEqual(self.affected(), [])

    def test_a_kernel(self):
        self.edit("pair.c", "place(1)", "place(2)")
        self.assertEqual(self.affected(), ["two"])
        self.assertEqual(self.affected(where="sub"), [])
        self.git("add", "pair.c")
        self.assertEqual(self.affected(), ["two"])
        self.commit()
        self.assertEqual(self.affected(), [])
        self.assertEqual(self.affected(base="HEAD~1"), ["two"])

    def test_what_is_staged_and_undone_in_the_work_tree(self):
        self.edit("pair.c", "place(1)", "place(2)")
        self.git("add", "pair.c")
        self.edit("pair.c", "place(2)", "place(1)")
        self.assertEqual(self.affected(), [])

    def test_layout_and_comments_affect_nothing(self):
        self.edit("pair.c", "tile_kernel void two(float *x)\n{", "/* of two */\n\ntile_kernel void two(\n  float *x) {\n")
        self.assertEqual(self.affected(), [])

    def test_a_comment_that_allowed_a_finding(self):
        self.edit("pair.c", "x[place(1)] = 1;", "x[place(1)] = 1; // tilerace: allow(TR001): it is one block")
        self.commit()
        self.edit("pair.c", " // tilerace: allow(TR001): it is one block", "")
        self.assertIn("two", self.affected())

    def test_a_header_goes_to_those_that_include_it(self):
        self.edit("shared.h", "AT 0", "AT 7")
        self.assertEqual(self.affected(), ["one", "two"])

    def test_what_a_header_says_to_nobody(self):
        self.edit("shared.h", "#define AT 0", "#define AT 0\n#define UNUSED 1")
        self.assertEqual(self.affected(), [])

    def test_a_macro_of_the_source_itself(self):
        self.edit("pair.c", '#include "shared.h"', '#include "shared.h"\n#undef AT\n#define AT (1 - 1)')
        self.assertEqual(self.affected(), [])
        self.edit("pair.c", "(1 - 1)", "(2 - 1)")
        self.assertEqual(self.affected(), [])  # place() was written with the other one
        self.edit("pair.c", "place(1)", "place(AT)")
        self.assertEqual(self.affected(), [])

    def test_a_statement_of_the_contract(self):
        self.edit("pair.c", "x[place(1)] = 1;", "tile_grid(1); x[place(1)] = 1;")
        self.assertEqual(self.affected(), ["two"])

    def test_a_header_that_is_gone(self):
        self.write("include/shared.h", HEADER.replace("AT 0", "AT 3"))
        self.commit()
        (self.folder / "shared.h").unlink()
        self.assertEqual(self.affected(".", "--", "-Iinclude"), ["one", "two"])

    def test_a_header_that_stands_before_another_one(self):
        self.edit("pair.c", '"shared.h"', "<shared.h>")
        self.write("second/shared.h", HEADER)
        (self.folder / "shared.h").unlink()
        self.commit()
        options = (".", "--", "-Ifirst", "-Isecond")
        self.assertEqual(self.affected(*options), [])
        self.write("first/shared.h", HEADER)
        self.assertEqual(self.affected(*options), ["one", "two"])

    def test_links(self):
        (self.folder / "link.h").symlink_to("shared.h")
        self.write("linked.c", '#include "link.h"\ntile_kernel void linked(float *x) { x[place(0)] = 1; }\n')
        self.commit()
        self.edit("shared.h", "AT 0", "AT 7")
        self.assertEqual(self.affected(), ["linked", "one", "two"])
        self.git("checkout", "-q", ".")
        self.write("other.h", HEADER)
        (self.folder / "link.h").unlink()
        (self.folder / "link.h").symlink_to("other.h")
        self.assertEqual(self.affected(), ["linked"])

    def test_files_that_git_does_not_know(self):
        self.write("new.c", ALONE.replace("alone", "fresh"))
        self.assertEqual(self.affected(), ["fresh"])
        self.write("generated.h", HEADER)
        self.write(".gitignore", "generated.h\n")
        self.edit("pair.c", "shared.h", "generated.h")
        self.commit()
        self.assertEqual(self.affected(), ["one", "two"])

    def test_files_of_another_name(self):
        self.git("mv", "sub/alone.c", "sub/renamed.c")
        self.assertEqual(self.affected(), ["alone"])

    def test_a_file_that_is_gone(self):
        (self.folder / "sub/alone.c").unlink()
        self.assertEqual(self.affected(), [])

    def test_standard_input(self):
        changed = SOURCE.replace("place(1)", "place(2)")
        words = ("--stdin-filename=pair.c", "-")
        self.assertEqual(self.affected(*words, input=SOURCE), [])
        self.assertEqual(self.affected(*words, input=changed), ["two"])
        self.edit("pair.c", "place(1)", "place(2)")
        self.assertEqual(self.affected(*words, input=SOURCE), [])
        self.assertEqual(self.affected("--stdin-filename=new.c", "-", input=SOURCE), ["one", "two"])

    def test_a_source_that_was_none(self):
        self.write("pair.c", "this is not C\n")
        self.commit()
        self.write("pair.c", SOURCE)
        self.assertEqual(self.affected(), ["one", "two"])

    def test_with_the_cache(self):
        more = {"env": {**os.environ, "TILERACE_CACHE_DIR": str(self.top / "cache")}}
        self.edit("pair.c", "place(1)", "place(2)")
        for _ in range(3):
            self.assertEqual(self.affected(**more), ["two"])
        self.git("checkout", "-q", ".")
        for _ in range(2):
            self.assertEqual(self.affected(**more), [])

    def test_random_changes(self):
        """Where the change makes another report of a kernel, it is affected."""
        parts = ["place(1)", "place(2)", "tile_bid(0)", "place(tile_bid(0))", "0"]
        heads = ["#define AT 0\n", "#define AT 1\n", "#define AT tile_bid(0)\n"]
        chance = random.Random(17)

        def source():
            text = '#include "shared.h"\n' + chance.choice(["", "#undef AT\n#define AT 5\n"])
            for name in ("k0", "k1", "k2"):
                text += f"tile_kernel void {name}(float *x)\n{{\n    x[{chance.choice(parts)}] = 1;\n}}\n"
            return text

        def told(report):
            return {
                k["kernel"]: (k["verdict"], [(f["rule"], f["message"], f["fingerprint"]) for f in k["findings"]])
                for i in report["inputs"] for k in i["kernels"]
            }  # fmt: skip

        def change():
            if chance.random() < 0.5:
                self.write("pair.c", source())
            else:
                head = "#include <tile.h>\n" + chance.choice(heads)
                self.write("shared.h", head + "static inline int place(int i) { return i + AT; }\n")

        n_left_out = 0
        for _ in range(12):
            change()
            self.commit()
            before = told(self.report("pair.c"))
            change()
            now = told(self.report("pair.c"))
            left_out = set(now) - set(self.affected("pair.c"))
            n_left_out += len(left_out)
            self.assertEqual({k: now[k] for k in left_out}, {k: before[k] for k in left_out})
        self.assertGreater(n_left_out, 3)


class Others(Repository):
    def test_modules_and_the_contracts_beside_them(self):
        self.write("m.tilebc", MODULE)
        self.write("n.tilebc", OTHER_MODULE)
        self.commit()
        self.assertEqual(self.affected(), [])
        self.write("n.tilebc", MODULE)
        self.assertEqual(len(self.affected()), 1)
        self.git("checkout", "-q", ".")
        kernel = self.report("m.tilebc")["inputs"][0]["kernels"][0]["kernel"]
        self.write("m.launch.json", launch(kernel, 3))
        self.assertEqual(self.affected(), [kernel])

    def test_the_launch_that_an_option_names(self):
        self.write("launch.json", launch("two", 1))
        self.commit()
        self.assertEqual(self.affected("pair.c", "--launch=launch.json"), [])
        self.write("launch.json", launch("two", 2))
        self.assertEqual(self.affected("pair.c", "--launch=launch.json"), ["one", "two"])
        self.write("launch.json", launch("nobody", 2))
        self.commit()
        self.run_tool("check", "pair.c", "--launch=launch.json", "--diff-base=HEAD", code=2, err="nobody")

    def test_configurations(self):
        self.write("sub/tilerace.toml", "notes = true\n")
        self.commit()
        self.assertEqual(self.affected(), [])
        self.write("sub/tilerace.toml", "notes = false\n")
        self.assertEqual(self.affected(), ["alone"])
        (self.folder / "sub/tilerace.toml").unlink()
        self.assertEqual(self.affected(), ["alone"])
        self.git("checkout", "-q", ".")
        self.write("pyproject.toml", "[project]\nname = 'x'\n")
        self.assertEqual(self.affected(), [])
        self.write("pyproject.toml", "[tool.tilerace]\nnotes = true\n")
        self.assertEqual(self.affected(), ["alone", "one", "two"])

    def test_patterns_of_git(self):
        self.write(".gitignore", "sub/\n")
        self.git("add", "-f", "-A")
        self.commit()
        self.assertEqual(self.affected(), [])
        self.write(".gitignore", "sub/\nbuild/\n")
        self.assertEqual(self.affected(), [])
        self.write(".gitignore", "")
        self.assertEqual(self.affected(), ["alone", "one", "two"])

    def test_compile_commands(self):
        def commands(at):
            entry = {"directory": str(self.folder), "file": "pair.c", "arguments": ["cc", f"-DWHERE={at}", "-c", "pair.c"]}
            self.write("build/compile_commands.json", json.dumps([entry]))

        self.edit("pair.c", "place(1)", "place(WHERE)")
        self.write(".gitignore", "build/\n")
        self.write("CMakeLists.txt", "project(x)\n")
        self.commit()
        commands(1)  # a build makes it, and git is told to ignore it
        self.assertEqual(self.affected("pair.c", "-pbuild"), [])
        self.write("CMakeLists.txt", "project(y)\n")
        self.assertEqual(self.affected("pair.c", "-pbuild"), ["one", "two"])
        self.git("checkout", "-q", ".")
        self.git("add", "-f", "build/compile_commands.json")
        self.commit()
        self.assertEqual(self.affected("pair.c", "-pbuild"), [])
        commands(2)
        self.assertEqual(self.affected("pair.c", "-pbuild"), ["one", "two"])

    def test_hook(self):
        self.edit("pair.c", "place(1)", "place(2)")
        self.assertEqual(self.affected("pair.c", "sub/alone.c", command="hook"), ["two"])

    def test_in_a_hook_of_git(self):
        """Which has variables for git that would lead ours elsewhere."""
        self.edit("pair.c", "place(1)", "place(2)")
        hook = self.folder / ".git/hooks/pre-commit"
        hook.write_text(f"#!/bin/sh\nexec '{TILERACE}' check . --diff-base HEAD > told\n")
        hook.chmod(0o755)
        self.git("add", "pair.c")
        self.git("commit", "-q", "-m", "change")
        self.assertIn("not affected by the change since HEAD: 2 kernels", (self.folder / "told").read_text())

    def test_since_a_branch_began(self):
        self.git("checkout", "-q", "-b", "work")
        self.edit("pair.c", "place(1)", "place(2)")
        self.commit()
        self.git("checkout", "-q", "main")
        self.edit("sub/alone.c", "= 1", "= 2")
        self.edit("sub/alone.c", "tile_bid(0)", "tile_bid(0) + 1")
        self.commit()
        self.git("checkout", "-q", "work")
        self.assertEqual(self.affected(base="main"), ["alone", "two"])
        self.assertEqual(self.affected(base="main..."), ["two"])

    def test_a_work_tree_beside_it_and_a_submodule(self):
        self.git("worktree", "add", "-q", str(self.top / "tree"))
        (self.top / "tree/pair.c").write_text(SOURCE.replace("place(1)", "place(2)"))
        self.assertEqual(self.affected(where=self.top / "tree"), ["two"])
        self.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(self.folder), "other")
        self.commit()
        self.assertEqual(self.affected("other"), ["alone", "one", "two"])  # another repository's

    def test_a_baseline(self):
        """What is left out is neither gone from it, nor may a new finding stand for it."""
        self.check(".", "--baseline=known.json", "--write-baseline")
        self.commit()
        self.assertEqual(self.affected(".", "--baseline=known.json"), [])
        self.edit("pair.c", "two(float *x)\n{", "three(float *x) { x[5] = 1; }\n\ntile_kernel void two(float *x)\n{")
        done = self.check(".", "--baseline=known.json", "--diff-base=HEAD", out="'three'")
        self.assertNotIn("match", done.stderr)
        self.assertIn("[TR001]", done.stdout)
        before = (self.folder / "known.json").read_text()
        self.git("checkout", "-q", ".")
        self.check(".", "--baseline=known.json", "--diff-base=HEAD", "--write-baseline")
        self.assertEqual((self.folder / "known.json").read_text(), before)

    def test_two_reports(self):
        self.check(".", "--format=json", "-oold.json")
        self.edit("pair.c", "tile_kernel void two", "/* */ tile_kernel void two")
        self.check(".", "--format=json", "-onew.json", "--diff-base=HEAD")
        done = self.run_tool("diff", "old.json", "new.json")
        self.assertNotIn("fixed: ", done.stdout)

    def test_every_format_says_it(self):
        said = "not affected by the change since HEAD: 3 kernels"
        for form in FORMATS:
            with self.subTest(form):
                self.check(".", "--diff-base=HEAD", f"--format={form}", out=said)
        self.check(".", "--diff-base=HEAD", "-v", out=said + "\n    pair.c: 'one'\n")


class Refused(Repository):
    def refuse(self, rev, *sentences, code=2, where=".", **more):
        done = self.check(".", f"--diff-base={rev}", code=code, where=where, **more)
        self.assertEqual(done.stdout, "")
        for sentence in sentences:
            self.assertIn(sentence, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_revisions_that_are_none(self):
        for rev in ("nope", "", "-h", "--help", "HEAD:pair.c", "HEAD^{tree}", "nope...", "a b", "HEAD\nHEAD", "@{u}"):
            self.refuse(rev, "--diff-base: there is no commit '")

    def test_a_shallow_clone(self):
        self.edit("pair.c", "place(1)", "place(2)")
        self.commit()
        old = self.git("rev-parse", "HEAD~1").stdout.strip()
        self.git("clone", "-q", "--depth=1", f"file://{self.folder}", str(self.top / "clone"))
        clone = self.top / "clone"
        self.refuse(old, "shallow", "--unshallow", where=clone)
        self.refuse("HEAD~1", "shallow", where=clone)
        self.check(".", "--diff-base=HEAD", where=clone, out="not affected by the change since HEAD: 3 kernels")

    def test_no_repository_and_no_git(self):
        outside = self.top / "outside"
        outside.mkdir()
        (outside / "a.c").write_text(ALONE)
        self.refuse("HEAD", "is in no git repository", where=outside)
        (outside / ".git").mkdir()
        self.refuse("HEAD", "git cannot read the repository in", where=outside)
        empty = self.top / "empty"
        empty.mkdir()
        self.refuse("HEAD", "no program git on PATH", env={**os.environ, "PATH": str(empty)})

    def test_objects_that_are_gone(self):
        tree = self.git("rev-parse", "HEAD^{tree}").stdout.strip()
        (self.folder / ".git/objects" / tree[:2] / tree[2:]).unlink()
        self.refuse("HEAD", "cannot list the files of")

    def test_a_file_whose_content_is_gone_is_affected(self):
        blob = self.git("rev-parse", "HEAD:pair.c").stdout.strip()
        (self.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
        self.assertEqual(self.affected(), ["one", "two"])


class Hostile(Repository):
    """Nothing that a repository's configuration names is run."""

    def setUp(self):
        super().setUp()
        self.marks = self.top / "marks"
        self.marks.mkdir()
        self.evil = self.write("evil.sh", f'#!/bin/sh\necho "$0 $*" >> "{self.marks}/ran"\nexit 0\n')
        self.evil.chmod(self.evil.stat().st_mode | stat.S_IXUSR)

    def configure(self):
        evil = str(self.evil)
        names = """core.fsmonitor core.pager core.editor core.sshCommand core.gitProxy core.askPass
            core.alternateRefsCommand diff.external diff.evil.command diff.evil.textconv
            filter.evil.clean filter.evil.smudge filter.evil.process merge.evil.driver pager.ls-tree
            pager.cat-file pager.rev-parse gpg.program credential.helper sequence.editor
            uploadpack.packObjectsHook alias.ls-tree alias.cat-file alias.rev-parse
            remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs""".split()
        for name in names:
            value = "!" + evil if name.startswith("alias") else evil
            self.git("config", name, value, env={**os.environ, "GIT_CONFIG_NOSYSTEM": "1"})
        for key, value in {
            "core.repositoryformatversion": "1",
            "extensions.partialClone": "origin",
            "remote.origin.promisor": "true",
            "remote.origin.url": f"ext::{evil} %S",
            "protocol.ext.allow": "always",
            "protocol.allow": "always",
            "filter.evil.required": "true",
            "submodule.recurse": "true",
        }.items():
            self.git("config", key, value)
        hooks = self.folder / ".git/hooks"
        for name in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
            shutil.copy(evil, hooks / name)

    def assert_nothing_ran(self):
        ran = self.marks / "ran"
        self.assertFalse(ran.exists(), ran.exists() and ran.read_text())

    def test_configuration(self):
        self.write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
        self.commit()
        self.edit("pair.c", "place(1)", "place(2)")
        self.configure()
        path = f"{self.folder}/nothing::.:{os.environ['PATH']}"
        shutil.copy(self.evil, self.folder / "git")
        self.assertEqual(self.affected(env={**os.environ, "PATH": path}), ["two"])
        self.check(".", "--diff-base=main...", env={**os.environ, "PATH": path})
        blob = self.git("rev-parse", "HEAD:pair.c", env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}).stdout.strip()
        (self.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()  # which a partial clone fetches
        self.assertEqual(self.affected(env={**os.environ, "PATH": path}), ["one", "two"])
        self.assert_nothing_ran()
        for url in (f"ssh://x/{self.top}", f"file://{self.folder}", str(self.folder)):
            self.git("config", "remote.origin.url", url)
            self.affected(env={**os.environ, "PATH": path})
        self.assert_nothing_ran()

    def test_the_trap_works(self):
        """What is held above: git itself runs these."""
        self.write(".gitattributes", "* filter=evil\n")
        self.commit()
        self.configure()
        self.edit("pair.c", "place(1)", "place(2)")
        subprocess.run([GIT, "status"], cwd=self.folder, capture_output=True, check=False)
        self.assertTrue((self.marks / "ran").exists())

    def test_names_and_contents(self):
        names = ["a\nb.c", "t\tb.c", '"q".c', "-d.c", "\x1b[31m.c", "ü.c", ":(glob)*.c", "c" * 200 + ".c"]
        for name in names:
            self.write(name, ALONE)
        self.write("nul.tilebc", MODULE + b"\0" * 7 + b"\n\n")
        self.commit()
        self.assertEqual(self.report(".", "--diff-base=HEAD", "--exclude=nul.tilebc")["not_affected"]["kernels"], 3 + len(names))
        for name in names:
            self.write(name, ALONE.replace("= 1", "= tile_bid(0)"))
        report = self.report(".", "--diff-base=HEAD", "--exclude=nul.tilebc")
        self.assertEqual(report["not_affected"]["kernels"], 3)

    def test_a_git_that_hangs_or_lies(self):
        tools = self.top / "tools"
        tools.mkdir()
        fake = tools / "git"
        for answer in ("echo", "echo 0123456789012345678901234567890123456789", "printf 'x\\ty\\0'", "exit 3", "kill -9 $$",
                       "head -c 100000 /dev/urandom", "yes | head -c 5000000"):  # fmt: skip
            fake.write_text(f"#!/bin/sh\n{answer}\n")
            fake.chmod(0o755)
            path = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
            self.check(".", "--diff-base=HEAD", code=2, err="--diff-base: ", env=path)

    def test_a_reader_that_lies(self):
        """Its answers about contents leave nothing out."""
        tools = self.top / "tools"
        tools.mkdir()
        fake = tools / "git"
        for lie in ("while read id; do echo $id blob 5; printf 'x\\n'; exit; done", "exit 0", "cat",
                    "while read id; do echo $id blob 99999999999999999999; done", "while read id; do echo $id missing; done"):  # fmt: skip
            fake.write_text(f'#!/bin/sh\ncase "$*" in *cat-file*) {lie};; *) exec {GIT} "$@";; esac\n')
            fake.chmod(0o755)
            path = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
            self.assertEqual(self.affected(env=path), ["alone", "one", "two"], lie)


class Described(unittest.TestCase):
    def test_the_page_tells_of_what_is_looked_at(self):
        page = (ROOT / "docs/diff-base.md").read_text()
        source = (ROOT / "analyzer/checking/affected.c").read_text()
        for name in re.findall(r'\{"([a-z.]+\.toml|\.gitignore)"', source):
            self.assertIn(name, page)


if __name__ == "__main__":
    unittest.main()
