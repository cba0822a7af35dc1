"""compile_commands.json: the nearest one upwards from each input, unless -p names one.

    test_compile_commands.py TILERACE
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

TILERACE = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "tilerace"
del sys.argv[1:2]
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

from folder_case import FolderCase  # noqa: E402

KERNEL = """#include <tile.h>
#ifndef AT
#define AT tile_bid(0)
#endif
tile_kernel void k(float *x)
{
    tile_grid(4);
    x[AT] = 1;
}
"""


class Commands(FolderCase):
    tilerace = TILERACE

    def setUp(self):
        super().setUp()
        (self.folder / ".git").mkdir()
        self.write("k.c", KERNEL)
        self.write("sub/k.c", KERNEL)

    def commands(self, where, *files, option="-DAT=0", folder=None):
        entries = [
            {"directory": str(folder or self.folder), "file": name, "arguments": ["cc", option, "-c", name]} for name in files
        ]
        return self.write(where, json.dumps(entries))

    def codes(self, *words, **more):
        """The exit code of each file that is checked alone."""
        return [self.check_code(name, *words, **more) for name in ("k.c", "sub/k.c")]

    def check_code(self, *words, where="."):
        done = subprocess.run(
            [TILERACE, "check", "--no-cache", *words], cwd=self.folder / where, capture_output=True, text=True, check=False, timeout=120
        )  # fmt: skip
        return done.returncode


class Search(Commands):
    def test_none(self):
        self.assertEqual(self.codes(), [0, 0])

    def test_beside_and_above(self):
        self.commands("compile_commands.json", "k.c", "sub/k.c")
        self.assertEqual(self.codes(), [1, 1])
        self.assertEqual(self.check_code("k.c", where="sub"), 1)
        self.assertEqual(self.check_code("."), 1)
        (self.folder / "compile_commands.json").unlink()
        self.commands("sub/compile_commands.json", "sub/k.c")
        self.assertEqual(self.codes(), [0, 1])

    def test_in_a_folder_build(self):
        self.commands("build/compile_commands.json", "k.c", "sub/k.c")
        self.assertEqual(self.codes(), [1, 1])

    def test_the_nearest_alone(self):
        self.commands("compile_commands.json", "k.c", "sub/k.c")
        self.commands("sub/compile_commands.json", "other.c")
        self.assertEqual(self.codes(), [1, 0])

    def test_a_named_one_holds_instead(self):
        self.commands("compile_commands.json", "k.c", "sub/k.c")
        self.commands("other/compile_commands.json", "k.c")
        self.assertEqual(self.codes("-p", "other"), [1, 0])
        self.assertEqual(self.codes("--isolated"), [0, 0])

    def test_options_behind_come_later(self):
        self.commands("compile_commands.json", "k.c", "sub/k.c")
        self.assertEqual(self.codes("--", "-UAT", "-DAT=tile_bid(0)"), [0, 0])

    def test_the_search_ends_at_the_repository(self):
        (self.folder / "inner/.git").mkdir(parents=True)
        self.write("inner/k.c", KERNEL)
        self.commands("compile_commands.json", "inner/k.c")
        self.assertEqual(self.check_code("inner/k.c"), 0)
        self.commands("inner/compile_commands.json", "inner/k.c")
        self.assertEqual(self.check_code("inner/k.c"), 1)

    def test_a_folder_that_others_may_write_to(self):
        shared = self.top / "shared"
        (shared / "own").mkdir(parents=True)
        (shared / "own/k.c").write_text(KERNEL)
        (shared / "compile_commands.json").write_bytes(self.commands("x.json", "own/k.c", folder=shared).read_bytes())
        self.assertEqual(self.check_code("k.c", where=shared / "own"), 1)
        shared.chmod(0o777)
        self.assertEqual(self.check_code("k.c", where=shared / "own"), 0)

    def test_standard_input_and_links(self):
        self.commands("compile_commands.json", "sub/k.c")
        self.check("--stdin-filename", "sub/k.c", input=KERNEL, code=1)
        self.check("--stdin-filename", "sub/new.c", input=KERNEL, code=0)
        (self.folder / "link.c").symlink_to("sub/k.c")
        self.check("link.c", code=1)

    def test_other_commands(self):
        self.commands("compile_commands.json", "k.c")
        self.run_tool("dump", "--accesses", "k.c", out="byte    0 (4 each)")

    def test_many_files(self):
        names = [f"m{i}.c" for i in range(40)]
        for name in names:
            self.write(name, KERNEL)
        self.commands("compile_commands.json", *names[::2])
        done = subprocess.run(
            [TILERACE, "check", "--format=json", "-j4", "--no-cache", *names], cwd=self.folder, capture_output=True, text=True, check=False, timeout=120
        )  # fmt: skip
        verdicts = [i["kernels"][0]["verdict"] for i in json.loads(done.stdout)["inputs"]]
        self.assertEqual(verdicts, ["race", "race-free"] * 20)


class Cached(Commands):
    def test_a_change_is_seen(self):
        more = {"env": {**os.environ, "TILERACE_CACHE_DIR": str(self.top / "cache")}}
        names = ["k.c", "sub/k.c"]

        def check(code, taken):
            self.check("-v", *names, code=code, err=f"{taken} of 2 results came from the cache", **more)

        check(0, 0)
        check(0, 2)
        self.commands("compile_commands.json", *names)
        check(1, 0)
        check(1, 2)
        self.commands("compile_commands.json", *names, option="-DAT=1")
        check(1, 0)
        self.commands("sub/compile_commands.json", "sub/k.c", option="-DAT=tile_bid(0)")
        check(1, 1)
        (self.folder / "compile_commands.json").unlink()
        check(0, 2)
        (self.folder / "sub/compile_commands.json").unlink()
        check(0, 2)


class Responses(Commands):
    """Words @FILE stand for the words of the file, as compilers read them; the file is the build's."""

    def setUp(self):
        super().setUp()
        self.commands("compile_commands.json", "k.c", option="@own/words.rsp")

    def judged(self, text, code):
        self.write("own/words.rsp", text)
        self.check("k.c", code=code)

    def test_words(self):
        for text in ("-DAT=0", "-D AT=0", "-O2\n\n-DAT=0\t-Wall\r\n", '"-DAT=0" \'-DNOTE="a b"\'', "-DAT=\\0",
                     "-DNOTE='@more' -DAT=0 -MF written"):
            with self.subTest(text):
                self.judged(text, 1)
        self.judged("", 0)
        self.judged("-DNOTE=1", 0)
        self.assertFalse((self.folder / "written").exists())

    def test_files_within_files(self):
        self.write("more.rsp", "-DAT=0")
        self.judged("@more.rsp", 1)
        self.judged(f"@{self.folder}/more.rsp -DNOTE", 1)

    def test_from_elsewhere(self):
        """A name counts from the build's folder, wherever the check is run."""
        self.write("own/words.rsp", "-DAT=0")
        self.assertEqual(self.check_code("../k.c", where="sub"), 1)

    def test_what_cannot_be_read(self):
        self.check("k.c", code=2, out="own/words.rsp' cannot be read")
        words = self.folder / "own/words.rsp"
        words.parent.mkdir(exist_ok=True)
        os.mkfifo(words)
        self.check("k.c", code=2, out="own/words.rsp' cannot be read")
        words.unlink()
        words.symlink_to("/dev/zero")
        self.check("k.c", code=2, out="own/words.rsp' cannot be read")
        words.unlink()
        self.write("own/words.rsp", "@own/words.rsp")
        self.check("k.c", code=2, out="response files nest too deep")
        self.write("own/words.rsp", "@missing.rsp")
        self.check("k.c", code=2, out="missing.rsp' cannot be read")
        self.check("k.c", "--isolated", code=0)

    def test_a_change_is_seen(self):
        more = {"env": {**os.environ, "TILERACE_CACHE_DIR": str(self.top / "cache")}}
        for text, code, taken in (("-DAT=0", 1, 0), ("-DAT=0", 1, 1), ("-DNOTE", 0, 0), ("-DNOTE", 0, 1)):
            self.write("own/words.rsp", text)
            self.check("-v", "k.c", code=code, err=f"{taken} of 1 results came from the cache", **more)


class Bad(Commands):
    def refused(self, text, sentence):
        self.write("sub/compile_commands.json", text)
        done = self.check("k.c", "sub/k.c", code=2, out="1 kernel: 1 proved race-free")
        self.assertIn("sub/k.c: error: its compiler options cannot be had: ", done.stdout)
        self.assertIn(sentence, done.stdout)
        self.check("sub/k.c", "--isolated", code=0)

    def test_what_is_none(self):
        for text in ("", "{}", "[", "null", '"x"', "\0", "[" * 100000):
            self.refused(text, "compile_commands.json is not a JSON array of compile commands")

    def test_what_is_no_file(self):
        place = self.folder / "sub/compile_commands.json"
        place.symlink_to("nothing")
        self.check("sub/k.c", code=2, out="cannot be read")
        place.unlink()
        place.mkdir()
        self.check("sub/k.c", code=2, out="cannot be read")
        place.rmdir()
        os.mkfifo(place)
        self.check("sub/k.c", code=2, out="cannot be read")

    def test_entries_of_any_kind(self):
        for entry in ("null", "3", "[]", '{"file": 3}', '{"file": "sub/k.c"}', '{"file": "k.c", "directory": [], "arguments": {}}',
                      '{"file": "k.c", "command": 3}', '{"directory": "/", "file": "", "command": ""}'):  # fmt: skip
            self.write("sub/compile_commands.json", f"[{entry}]")
            self.check("sub/k.c", code=0)

    def test_hostile_options_do_nothing(self):
        plugin = ["cc", "-fplugin=./evil.so", "-Xclang", "-load", "-o", "written", "-MF", "written", "-DAT=0", "-c", "sub/k.c"]
        self.write("sub/compile_commands.json", json.dumps([{"directory": str(self.folder), "file": "sub/k.c", "arguments": plugin}]))
        self.check("sub/k.c", code=1)
        self.assertFalse((self.folder / "written").exists())


if __name__ == "__main__":
    unittest.main()
