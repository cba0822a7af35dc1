"""tilerace check FOLDER: what is found in it, and that what is not checked is said.

    test_folders.py TILERACE
"""

import json
import os
import pathlib
import random
import shutil
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
MODULE = (ROOT / "kernels/python/add_vectors.tilebc").read_bytes()
CUTILE = "import cuda.tile as ct\n"
HEADER = '#include <tile.h>\nstatic tile_kernel void k(float *x) { x[0] = 1; }\n'
MAGIC = MODULE[:8]  # enough to be taken for a module, and too little to be one


class Folder(FolderCase):
    tilerace = TILERACE
    name = "a repository"

    def git(self, *words, **more):
        return subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True, **more)

    def inputs(self, *words, code=0, where="."):
        report = json.loads(self.check("--format=json", *words, code=code, where=where).stdout)
        skipped = {s["reason"]: s["files"] for s in report.get("skipped", [])}
        for entry in report.get("skipped", []):
            self.assertEqual(entry["count"], len(entry["files"]))
        return [i["file"] for i in report["inputs"]], skipped


class Found(Folder):
    def test_sources_and_modules_and_nothing_else(self):
        self.write("b/good.c", GOOD)
        self.write("a.c", GOOD)
        self.write("b/module of no suffix", MODULE)
        self.write("main.c", '#include <stdio.h>\nint main(void) { return puts("tile_kernel"); }\n')
        self.write("utf16.c", "int x;".encode("utf-16"))
        self.write("README.md", "tile_kernel\n")
        self.write("empty", "")
        self.assertEqual(self.inputs("."), (["a.c", "b/good.c", "b/module of no suffix"], {}))
        self.assertEqual(self.inputs("b/"), (["b/good.c", "b/module of no suffix"], {}))
        self.assertEqual(self.inputs("../" + self.folder.name)[0][0], "../a repository/a.c")
        self.assertEqual(self.inputs("./b//")[0][0], "b/good.c")
        self.check(".", out="3 kernels: 3 proved race-free")

    def test_a_race_gives_the_code(self):
        self.write("deep/er/racy.c", RACY)
        self.check(".", code=1, out="deep/er/racy.c:22:5: error: ")

    def test_nothing_found_is_said(self):
        self.write("README.md", "nothing\n")
        self.check(".", out="0 kernels", err="no kernels were found in .")

    def test_what_is_named_a_module_and_is_none_is_an_error(self):
        self.write("cut.tilebc", "")
        self.write("good.c", GOOD)
        self.check(".", code=2, out="cut.tilebc: error: the file is empty")

    def test_headers_are_left_to_their_sources(self):
        self.write("k.h", HEADER)
        self.write("helper.h", "int tile_kernels;\n")
        self.write("a.c", GOOD)
        self.assertEqual(self.inputs("."), (["a.c"], {"header": ["k.h"]}))
        self.check(".", out="not checked: 1 headers, read with the sources that include them\n")

    def test_however_the_dialect_is_brought_in(self):
        """A source is found by what its preprocessor sees, not by how a line looks."""
        marked, include = "tile_kernel", "#include <tile.h>"
        macro = RACY.replace(marked, "KERNEL").replace(include, '#include "common.h"')
        common = f"{include}\n#define KERNEL {marked}\n"
        for what, source, files in (
                ("a comment before it", RACY.replace(include, f"/* so */ {include}").replace(marked, "K").replace("enum", f"#define K {marked}\nenum"), {}),
                ("joined lines", macro.replace("#include", "#inc\\\nlu\\  \nde"), {"common.h": common}),
                ("joined words", RACY.replace(include, '#include "tile\\\n.h"').replace(marked, "tile_\\\nkernel"), {}),
                ("digraphs", RACY.replace(include, "%: include <tile.h>").replace(marked, "K").replace("enum", f"%:define K tile_\\\nkernel\nenum"), {}),
                ("lines of another kind", macro.replace("\n", "\r"), {"common.h": common.replace("\n", "\r")}),
                ("named by a macro", RACY.replace(include, '#define WHERE "common.h"\n#include WHERE').replace(marked, "KERNEL"), {"common.h": common}),
                ("a header beside", macro, {"common.h": common}),
                ("a header of a header", macro, {"common.h": '#include "more.h"\n', "more.h": common}),
                ("a header above", macro.replace("common.h", "../common.h"), {"../common.h": common}),
                ("a header of the repository", macro, {"../include/common.h": common}),
                ("in brackets", macro.replace('"common.h"', "<common.h>"), {"../include/common.h": common}),
                ("headers in a circle", macro, {"common.h": f'#pragma once\n#include "more.h"\n{common}', "more.h": '#include "common.h"\n'}),
                ("parts of a word", macro, {"common.h": f"{include}\n#define CAT(a, b) a##b\n#define KERNEL CAT(tile_, kernel)\n"}),
                ("the kernel itself", '#define N 1\n#include "k.inc"\n', {"k.inc": RACY})):
            with self.subTest(what):
                shutil.rmtree(self.folder)
                self.folder.mkdir()
                self.write("k/racy.c", source)
                for name, text in files.items():
                    self.write(f"k/{name}", text)
                self.git("init", "-q")
                self.check(".", "--", f"-I{self.folder}/include", code=1, out="k/racy.c:" if "k.inc" not in files else "k/k.inc:")
                self.run_tool("hook", "k/racy.c", code=1 if what not in ("a header of the repository", "in brackets") else 2)

    def test_what_brings_no_kernels(self):
        self.write("a.c", '// #include <tile.h>\nconst char *x = "#include <tile.h>"; /* tile_kernel\n#include <tile.h>\n*/\n')
        self.write("b.c", '#include "b.h"\n#include "gone.h"\n#include <stdio.h>\n#define S "c.h"\nint tile_width;\n')
        self.write("b.h", '/* #include <tile.h> */\n#include "b.h"\n#include "d.h"\n')
        self.write("d.h", "#error tile_kernels, my_tile_kernel\n")
        self.write("tile.h.c", "#include <my_tile.h>\n")
        self.write("include/none.h", "#include <tile.h>\n")
        self.assertEqual(self.inputs("."), ([], {}))
        os.mkfifo(self.folder / "pipe.h")
        self.write("e.c", '#include "pipe.h"\n#include "/dev/zero"\n#include "."\n')
        self.assertEqual(self.inputs("."), ([], {}))

    def test_each_file_once(self):
        self.write("a/good.c", GOOD)
        self.assertEqual(self.inputs("a/good.c", ".", "a"), (["a/good.c"], {}))
        self.assertEqual(self.inputs("a", "a/good.c")[0], ["a/good.c", "a/good.c"])

    def test_the_order_is_that_of_names(self):
        for name in ("z.c", "a/z.c", "a/b.c", "a.c", "B.c", "aa/x.c"):
            self.write(name, GOOD)
        files, _ = self.inputs(".")
        self.assertEqual(files, ["B.c", "a/b.c", "a/z.c", "a.c", "aa/x.c", "z.c"])
        once = self.check("-j1", ".").stdout
        self.assertEqual(once, self.check("-j4", ".").stdout)

    def test_a_folder_that_cannot_be_read(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        self.write("good.c", GOOD)
        self.write("closed/racy.c", RACY)
        (self.folder / "closed").chmod(0)
        self.addCleanup((self.folder / "closed").chmod, 0o700)
        self.check(".", code=2, out="1 unreadable", err="closed: error: cannot be read")


class Links(Folder):
    def test_that_lead_out_are_counted(self):
        outside = self.top / "outside"
        outside.mkdir()
        (outside / "racy.c").write_text(RACY)
        (outside / "note.txt").write_text("no kernel")
        self.write("good.c", GOOD)
        (self.folder / "link.c").symlink_to(outside / "racy.c")
        (self.folder / "linked").symlink_to(outside)
        (self.folder / "note").symlink_to(outside / "note.txt")
        (self.folder / "nothing.c").symlink_to("not there")
        self.assertEqual(self.inputs("."), (["good.c"], {"link-out": ["link.c", "linked"]}))

    def test_that_lead_round_or_within_bring_nothing_twice(self):
        self.write("a/good.c", GOOD)
        (self.folder / "a/round").symlink_to("..")
        (self.folder / "a/self").symlink_to("self")
        (self.folder / "b.c").symlink_to("a/good.c")
        (self.folder / "b").symlink_to("a")
        self.assertEqual(self.inputs("."), (["a/good.c"], {}))

    def test_a_link_that_is_named_is_followed(self):
        self.write("a/good.c", GOOD)
        (self.folder / "b").symlink_to("a")
        self.assertEqual(self.inputs("b"), (["b/good.c"], {}))


class Ignored(Folder):
    def test_git_is_the_oracle(self):
        """Random trees with a .gitignore in some folders, against git itself."""
        chance = random.Random(17)
        names = ["a", "b", "ab", "a b", "x.c", "[a]", "!a", "#a", "\xe9", "foo", "a\\"]
        atoms = ["a", "b", "*", "**", "?", "[ab]", "[!a]", "[a-c]", "[]a]", "[[:alpha:]]", "[a", "\\a",
                 "\\*", "/", "/", "/", "**/", "/**", "*.c", "foo", "!", "#", " ", "\\ ", "\\"]  # fmt: skip

        def pattern():
            text = "".join(chance.choice(atoms) for _ in range(chance.randint(1, 4)))
            return ("!" if chance.random() < 0.25 else "") + text + chance.choice(["", "/", " ", "\r"])

        def fill(folder, depth):
            for name in chance.sample(names, chance.randint(2, 4)):
                if depth < 3 and chance.random() < 0.5:
                    (folder / name).mkdir()
                    fill(folder / name, depth + 1)
                else:
                    (folder / name).write_bytes(MAGIC)
            if depth == 0 or chance.random() < 0.4:
                lines = [pattern() for _ in range(chance.randint(1, 4))]
                (folder / ".gitignore").write_text("\n".join(lines) + chance.choice(["", "\n"]))

        n_ignored = n_all = 0
        for tree in range(12):
            shutil.rmtree(self.folder)
            self.folder.mkdir()
            self.git("init", "-q", ".")
            fill(self.folder, 0)
            files = sorted(
                str(path.relative_to(self.folder))
                for path in self.folder.rglob("*")
                if path.is_file() and ".git" not in path.relative_to(self.folder).parts
                and path.name != ".gitignore"
            )  # fmt: skip
            said = subprocess.run(
                ["git", "check-ignore", "--no-index", "-z", "--stdin"],
                cwd=self.folder, input="\0".join(files), capture_output=True, text=True, check=False,
            )  # fmt: skip
            ignored = set(said.stdout.split("\0"))
            expected = [name for name in files if name not in ignored]
            found, _ = self.inputs(".", code=2 if expected else 0)
            patterns = {str(p): p.read_text() for p in self.folder.rglob(".gitignore")}
            self.assertEqual(sorted(found), expected, (tree, patterns))
            n_ignored += len(files) - len(expected)
            n_all += len(files)
        self.assertGreater(n_ignored, n_all // 10)
        self.assertLess(n_ignored, n_all)

    def test_is_counted(self):
        self.write("good.c", GOOD)
        self.write("build/racy.c", RACY)
        self.write("racy.c", RACY)
        self.write("other.txt", "no kernel")
        self.write(".gitignore", "build/\nracy.c\nother.txt\n")
        self.assertEqual(self.inputs("."), (["good.c"], {"ignored-by-git": ["build", "racy.c"]}))

    def test_folders_above_count_as_far_as_the_repository_goes(self):
        (self.top / ".gitignore").write_text("*.c\n")
        self.write(".gitignore", "/sub/no.c\n")
        self.write("sub/no.c", RACY)
        self.write("sub/good.c", GOOD)
        self.git("init", "-q", ".")
        self.assertEqual(self.inputs("sub"), (["sub/good.c"], {"ignored-by-git": ["sub/no.c"]}))
        self.assertEqual(self.inputs(".", where="sub")[0], ["good.c"])

    def test_a_repository_inside_begins_anew(self):
        self.git("init", "-q", ".")
        self.write(".gitignore", "no.c\n")
        self.write("no.c", RACY)
        self.write("module/no.c", GOOD)
        self.write("module/.git", "gitdir: elsewhere\n")
        self.assertEqual(self.inputs("."), (["module/no.c"], {"ignored-by-git": ["no.c"]}))

    def test_what_git_keeps_for_itself_is_not_looked_into(self):
        self.git("init", "-q", ".")
        self.write(".git/racy.c", RACY)
        self.write("a/.git/racy.c", RACY)
        self.write("good.c", GOOD)
        self.assertEqual(self.inputs("."), (["good.c"], {}))

    def test_what_is_named_is_checked(self):
        self.write(".gitignore", "*\n")
        self.write("sub/racy.c", RACY)
        self.check("sub/racy.c", code=1)

    def test_no_hostile_file_hides_anything(self):
        self.write("racy.c", RACY)
        path = self.folder / ".gitignore"
        elsewhere = self.top / "patterns"
        elsewhere.write_text("*\n")

        def large():
            with open(path, "wb") as file:
                file.write(b"*\n")
                file.truncate(100 << 20)

        for make, why in (
            (lambda: os.mkfifo(path), "it is a device or a pipe"),
            (large, "it is larger than the 1 MiB"),
            (lambda: path.symlink_to(elsewhere), "it is a symbolic link"),
            (lambda: path.symlink_to("/dev/zero"), "it is a symbolic link"),
            (path.mkdir, "it is a folder"),
        ):
            make()
            with self.subTest(why):
                done = self.check(".", code=1, err=".gitignore: warning: " + why)
                self.assertIn("so its patterns do not count", done.stderr)
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()

    def test_patterns_take_bounded_time(self):
        self.write("a" * 200 + ".c", RACY)
        self.write(".gitignore", ("*a" * 60 + "*b\n") * 200 + ("**/a" * 60 + "/b\n") * 100)
        self.check(".", code=1)


class Excluded(Folder):
    def setUp(self):
        super().setUp()
        self.write("good.c", GOOD)
        self.write("old/racy.c", RACY)
        self.write("new/old/racy.c", RACY)

    def test_by_pattern(self):
        self.assertEqual(
            self.inputs("--exclude=old", "."), (["good.c"], {"excluded": ["new/old", "old"]})
        )
        files, skipped = self.inputs("--exclude=/old/", ".", code=1)
        self.assertEqual((files, skipped), (["good.c", "new/old/racy.c"], {"excluded": ["old"]}))
        files, skipped = self.inputs("--exclude", "*.c", "--exclude", "!good.c", ".")
        self.assertEqual((files, len(skipped["excluded"])), (["good.c"], 2))
        self.check("--exclude=old", ".", out="not checked: 2 excluded\n")
        self.check("--exclude=old", "-v", ".", out="\n    new/old: excluded\n    old: excluded\n")

    def test_patterns_start_from_the_working_folder(self):
        files, _ = self.inputs("--exclude=new/old", "../" + self.folder.name, code=1)
        self.assertEqual(len(files), 2)
        files, _ = self.inputs("--exclude=new/old", "..", where="new", code=1)
        self.assertEqual(len(files), 3)

    def test_what_is_named_is_checked(self):
        self.check("--exclude=old", "old/racy.c", code=1)

    def test_hook_leaves_it_out(self):
        self.run_tool("hook", "--exclude=old", "good.c", "old/racy.c", code=0)
        self.run_tool("hook", "--exclude=/old/", "good.c", "new/old/racy.c", code=1)

    def test_every_format_says_so(self):
        words = {
            "json": '"excluded"',
            "github": "::notice title=not checked::not checked: 2 excluded",
            "junit": '<skipped message="excluded"/>',
        }
        for form in FORMATS:
            with self.subTest(form):
                done = self.check("--format", form, "--exclude=old", ".")
                self.assertRegex(done.stdout, words.get(form, r"not checked: (2 )?excluded"))
        self.check("-q", "--exclude=old", ".", out="not checked: 2 excluded\n")


class OtherLanguages(Folder):
    def test_without_a_recording(self):
        self.write("good.c", GOOD)
        self.write("k.py", CUTILE)
        self.write("plain.py", "print()\n")
        self.write("k.cu", "__tile_global__ void k();\n")
        self.assertEqual(self.inputs("."), (["good.c"], {"no-recording": ["k.cu", "k.py"]}))
        self.check(".", out="not checked: 2 without a recording\n")
        self.check("--fail-on=unseen", ".", code=1)
        self.check("--exclude=k.*", "--fail-on=unseen", ".", code=0)


class Standard(Folder):
    def test_a_source_with_a_name(self):
        done = self.check("--stdin-filename", "sub/k.c", input=RACY, code=1)
        self.assertIn("sub/k.c:22:5: error: ", done.stdout)
        self.assertIn("    tile_store", done.stdout)  # the line of what was given
        self.check("--stdin-filename", "sub/k.c", input=GOOD, code=0)
        self.check("--stdin-filename=sub/k.c", "-", input=RACY, code=1)

    def test_it_stands_for_the_file(self):
        self.write("k.c", GOOD)
        self.check("--stdin-filename", "k.c", input=RACY, code=1)
        self.assertEqual((self.folder / "k.c").read_text(), GOOD)

    def test_without_a_name(self):
        self.check("-", input=RACY, code=1, out="<stdin>:22:5: error: ")

    def test_headers_beside_the_name_are_found(self):
        self.write("sub/k.h", RACY)
        self.check("--stdin-filename", "sub/k.c", input='#include "k.h"\n', code=1, out="sub/k.h:22:5")

    def test_options_are_those_of_the_name(self):
        commands = [{"directory": str(self.folder), "file": "sub/k.c", "command": "cc -DRACE sub/k.c"}]
        self.write("build/compile_commands.json", json.dumps(commands))
        text = f"#ifdef RACE\n{RACY}\n#else\n{GOOD}\n#endif\n"
        self.check("-p", "build", "--stdin-filename", "sub/k.c", input=text, code=1)
        self.check("-p", "build", "--stdin-filename", "sub/other.c", input=text, code=0)

    def test_nothing(self):
        self.check("-", input="", code=2, out="the file is empty")
        self.check("--stdin-filename", "k.c", input="int x;\n", code=2)

    def test_its_configuration_is_that_of_the_name(self):
        self.write("sub/tilerace.toml", 'ignore = ["TR001", "TR002"]\n')
        self.check("--stdin-filename", "sub/k.c", input=RACY, code=0)
        self.check("--stdin-filename", "sub/not there/k.c", input=RACY, code=0)
        self.check("--stdin-filename", "k.c", input=RACY, code=1)


if __name__ == "__main__":
    unittest.main()
