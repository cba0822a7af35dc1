"""Results that are kept: each change that may change a verdict finds none, what others wrote is not
read, and whatever happens to the files costs time alone.

    test_cache.py TILERACE SOLVER
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOLVER = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else shutil.which("z3")
TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = ROOT / "kernels/cpp/fill_table.tilebc"
LAUNCH = ROOT / "kernels/cpp/fill_table.launch.json"
INCLUDE = f"-I{ROOT}/include"

KERNEL = """#include <tile.h>
%s
tile_kernel void k(const float *a, float *c, int n)
{
    tile_grid(tile_cdiv(n, 1024));
    tile_assume(0 < n && n <= 1 << 30);
    tile_extent(a, n);
    tile_extent(c, n);
    tile x = tile_load(tile_partition(tile_tensor(a, n), 1024), tile_bid(0));
    tile_store(tile_partition(tile_tensor(c, n), 1024), x, WHERE);
}
"""
OWN = "#define WHERE tile_bid(0)\n"  # each block stores its own tile
BOTH = "#define WHERE (tile_bid(0) / 2)\n"  # two blocks store one
OTHER = "#define WHERE tile_bid(0) // another text\n"
INCLUDES = '#include "where.h"\n'


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.home = pathlib.Path(holder.name).resolve()
        self.folder = self.home / "sources"
        self.folder.mkdir()
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("TILERACE", "CPATH"))}
        self.env |= {"XDG_CACHE_HOME": str(self.home / "caches"), "TILERACE_SOLVER": SOLVER}
        self.program = TILERACE

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def start(self, *words, cwd=None, **env):
        return subprocess.Popen(
            [self.program, *words], cwd=cwd or self.folder, env=self.env | env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def run_in(self, *words, cwd=None, **env):
        ran = self.start(*words, cwd=cwd, **env)
        out, err = ran.communicate(timeout=300)
        return ran.returncode, out, err

    def check(self, *words, **more):
        """(how many results were found, exit code, report)."""
        code, out, err = self.run_in("check", "-v", "--format", "json", *words, **more)
        found = re.search(r"(\d+) of \d+ results came from the cache", err)
        return int(found[1]) if found else None, code, re.sub(r'"time_ms":\s*[\d.]+', "", out)

    def same_as_anew(self, result, *words, **more):
        code, out = self.check("--no-cache", *words, **more)[1:]
        self.assertEqual((code, out), result[1:])

    def kept(self, *words, **more):
        """Checks twice; the second time all is found, and the same."""
        first = self.check(*words, **more)
        second = self.check(*words, **more)
        self.assertEqual(first[0], 0, first)
        self.assertGreater(second[0] or 0, 0, second)
        self.assertEqual(first[1:], second[1:])
        self.same_as_anew(second, *words, **more)
        return second

    def changed(self, what, *words, **more):
        with self.subTest(what):
            result = self.check(*words, **more)
            self.assertEqual(result[0], 0, f"{what}: a result was found")
            self.same_as_anew(result, *words, **more)
            return result


class Changes(Folder):
    """Each `changed` is a change after which nothing may be found."""

    def source(self, includes=INCLUDES, name="k.c"):
        self.write(name, KERNEL % includes)

    def test_headers(self):
        self.source()
        self.write("where.h", '#include "inner.h"\n')
        self.write("inner.h", OWN)
        words = ("k.c", "--", INCLUDE, "-Ifirst", "-Isecond")
        self.assertEqual(self.kept(*words)[1], 0)
        self.write("inner.h", BOTH)
        self.assertEqual(self.changed("a header of a header", *words)[1], 1)
        self.write("inner.h", OWN)
        self.assertEqual(self.check(*words)[0], 1, "what was kept before is still there")
        self.write("where.h", BOTH)
        self.assertEqual(self.changed("a header", *words)[1], 1)
        self.source(INCLUDES + "// a word more\n")
        self.changed("the source", *words)
        self.source('#include <where.h>\n')
        (self.folder / "second").mkdir()
        self.write("second/where.h", OWN)
        self.assertEqual(self.kept(*words)[1], 0)
        (self.folder / "first").mkdir()
        self.write("first/where.h", BOTH)
        self.assertEqual(self.changed("a header that is found earlier", *words)[1], 1)
        shutil.rmtree(self.folder / "first")
        self.assertEqual(self.check(*words)[0], 1)
        os.remove(self.folder / "second/where.h")
        self.assertEqual(self.changed("a header is gone", *words)[1], 2)

    def test_headers_beside(self):
        self.source('#include "where.h"\n')
        self.write("far/where.h", OWN)
        words = ("k.c", "--", INCLUDE, "-Ifar")
        self.kept(*words)
        self.write("where.h", BOTH)
        self.assertEqual(self.changed("a header beside the source", *words)[1], 1)

    def test_asked_for_and_absent(self):
        self.source('#if __has_include("both.h")\n' + BOTH + "#else\n" + OWN + "#endif\n")
        words = ("k.c", "--", INCLUDE)
        self.kept(*words)
        self.write("both.h", "")
        self.assertEqual(self.changed("what __has_include asks for", *words)[1], 1)

    def test_embedded(self):
        self.source("enum { SHIFT =\n#embed \"shift\"\n - '0' };\n"
                    "#define WHERE (tile_bid(0) >> SHIFT)\n")
        self.write("shift", "0")
        words = ("k.c", "--", INCLUDE)
        self.kept(*words)
        self.write("shift", "1")
        self.assertEqual(self.changed("what #embed reads", *words)[1], 1)

    def test_links(self):
        self.source()
        self.write("own.h", OWN)
        self.write("both.h", BOTH)
        (self.folder / "where.h").symlink_to("own.h")
        words = ("k.c", "--", INCLUDE)
        self.kept(*words)
        os.remove(self.folder / "where.h")
        (self.folder / "where.h").symlink_to("both.h")
        self.assertEqual(self.changed("where a link leads", *words)[1], 1)
        self.write("a.c", KERNEL % OWN)
        self.write("b.c", KERNEL % BOTH)
        (self.folder / "l.c").symlink_to("a.c")
        self.kept("l.c", "--", INCLUDE)
        os.remove(self.folder / "l.c")
        (self.folder / "l.c").symlink_to("b.c")
        self.assertEqual(self.changed("where a source leads", "l.c", "--", INCLUDE)[1], 1)

    def test_one_file_of_two_names(self):
        self.source('#include "one.h"\n#include "two.h"\n' + OWN)
        self.write("one.h", "#pragma once\nstruct s { int x; };\n")
        os.link(self.folder / "one.h", self.folder / "two.h")
        words = ("k.c", "--", INCLUDE)
        self.assertEqual(self.kept(*words)[1], 0)
        os.remove(self.folder / "two.h")
        shutil.copy(self.folder / "one.h", self.folder / "two.h")
        self.changed("a second name becomes a copy", *words)

    def test_time(self):
        words = ("k.c", "--", INCLUDE)
        self.source("#define SHIFT (__TIMESTAMP__[0] == 'x')\n#define WHERE tile_bid(0)\n")
        self.kept(*words)
        os.utime(self.folder / "k.c", (1, 1))
        self.changed("__TIMESTAMP__", *words)
        self.source("#define A(x, y) x##y\nstatic const char *const when = A(__TIME, STAMP__);\n" + OWN)
        self.kept(*words)
        os.utime(self.folder / "k.c", (1, 1))
        self.changed("__TIMESTAMP__ in parts", *words)
        for name in ("__TIME__", "__DATE__"):
            self.source(f"static const char *const when = {name};\n" + OWN)
            self.check(*words)
            self.changed(name, *words)

    def test_options_of_clang(self):
        self.source("#ifdef BOTH\n" + BOTH + "#else\n" + OWN + "#endif\n")
        self.write("both.h", "#define BOTH 1\n")
        self.kept("k.c", "--", INCLUDE)
        self.assertEqual(self.changed("-D", "k.c", "--", INCLUDE, "-DBOTH")[1], 1)
        self.changed("the value of -D", "k.c", "--", INCLUDE, "-DBOTH=2")
        self.changed("-U", "k.c", "--", INCLUDE, "-DBOTH", "-UBOTH")
        self.changed("-std", "k.c", "--", INCLUDE, "-std=c17")
        self.changed("-I", "k.c", "--", INCLUDE, "-I.")
        self.assertEqual(self.kept("k.c", "--", INCLUDE, "-include", "both.h")[1], 1)
        self.write("both.h", "")
        self.changed("a header of -include", "k.c", "--", INCLUDE, "-include", "both.h")
        self.source("#include <where.h>\n")
        self.write("sys/where.h", OWN)
        self.kept("k.c", "--", INCLUDE, "-isystem", "sys")
        self.write("env/where.h", BOTH)
        self.changed("a variable of Clang", "k.c", "--", INCLUDE, "-isystem", "sys", CPATH="env")

    def test_compile_commands(self):
        self.source("#ifdef BOTH\n" + BOTH + "#else\n" + OWN + "#endif\n")

        def commands(*words):
            entry = {"directory": str(self.folder), "file": "k.c",
                     "arguments": ["cc", "-c", INCLUDE, *words, "k.c"]}
            self.write("compile_commands.json", json.dumps([entry]))

        commands()
        self.kept("-p", ".", "k.c")
        commands("-DBOTH")
        self.assertEqual(self.changed("the compile commands", "-p", ".", "k.c")[1], 1)

    def test_options(self):
        self.source(OWN)
        words = ("k.c", "--", INCLUDE)
        self.kept(*words)
        for option in (["--strict"], ["--notes"], ["--loop-tokens", "per-name"],
                       ["--steps", "19999999"]):
            self.changed(option[0], *option, *words)
        for option in (["--color", "never"], ["-j1"], ["--werror"], ["--fail-on", "unknown"],
                       ["--budget", "600000"]):
            self.assertEqual(self.check(*option, *words)[0], 1, option)

    def test_folders_and_names(self):
        self.source(OWN)
        self.kept("k.c", "--", INCLUDE)
        self.changed("another name", "./k.c", "--", INCLUDE)
        self.changed("another folder", "../sources/k.c", "--", INCLUDE, cwd=self.home / "caches")
        shutil.copytree(self.folder, self.home / "other")
        self.changed("a copy elsewhere", "k.c", "--", INCLUDE, cwd=self.home / "other")

    def test_solver(self):
        self.source(OWN)
        solver = self.home / "z3"
        shutil.copy(SOLVER, solver)
        words = ("--solver", str(solver), "k.c", "--", INCLUDE)
        self.kept(*words)
        with open(solver, "ab") as more:
            more.write(b"another version")
        self.changed("the solver's program", *words)
        self.changed("another solver", "k.c", "--", INCLUDE)
        self.changed("an option of the solver", "--solver", f"{solver} -in", "k.c", "--", INCLUDE)
        script = self.write("solver.sh", f"#!/bin/sh\nexec {SOLVER} \"$@\"\n")
        script.chmod(0o755)
        words = ("--solver", str(script), "k.c", "--", INCLUDE)
        self.assertIsNone(self.check(*words)[0], "what a script runs is not known")

    def test_a_solver_that_was_asked(self):
        asks = str(ROOT / "kernels/stream_k.c")
        results = [self.check(asks), self.check(asks)]
        self.assertEqual(results[-1][0], 1)
        self.assertIn('"solver":\t"Z3', results[-1][2])
        self.assertEqual({result[1:] for result in results}, {results[0][1:]})

    def test_program(self):
        self.source(OWN)
        copy = pathlib.Path(tempfile.mkdtemp(dir=pathlib.Path(TILERACE).parent))
        self.addCleanup(shutil.rmtree, copy)
        self.program = str(copy / "tilerace")
        shutil.copy(TILERACE, self.program)
        words = ("k.c", "--", INCLUDE)
        self.kept(*words)
        notes = subprocess.run(["readelf", "-n", TILERACE], capture_output=True, text=True, check=True)
        build = bytes.fromhex(re.search(r"Build ID: ([0-9a-f]+)", notes.stdout)[1])
        program = pathlib.Path(self.program).read_bytes()
        self.assertEqual(program.count(build), 1)
        os.remove(self.program)
        pathlib.Path(self.program).write_bytes(program.replace(build, bytes(len(build))))
        os.chmod(self.program, 0o755)
        self.changed("another build", *words)

    def test_bytecode(self):
        shutil.copy(MODULE, self.folder / "m.tilebc")
        self.kept("m.tilebc")
        self.write("m.launch.json", LAUNCH.read_text())
        self.changed("a launch contract beside it", "m.tilebc")
        self.write("m.launch.json", LAUNCH.read_text().replace("65536", "65535"))
        self.changed("a value of the launch contract", "m.tilebc")
        self.write("named.json", LAUNCH.read_text())
        self.kept("--launch", "named.json", "m.tilebc")
        self.write("named.json", LAUNCH.read_text().replace("1024", "1023"))
        self.changed("a value of --launch", "--launch", "named.json", "m.tilebc")
        shutil.copy(ROOT / "kernels/cpp/gelu_grid_stride.tilebc", self.folder / "m.tilebc")
        os.remove(self.folder / "m.launch.json")
        self.changed("the module", "m.tilebc")

    def test_recordings(self):
        hashes = pathlib.Path(TILERACE).parent / "tests/recorded_name"
        root = self.folder / "seen"

        def name_of(data):
            return subprocess.run([hashes], input=data, capture_output=True, check=True).stdout.decode()

        def launch(blocks):
            text = json.dumps({"version": 2, "launches": [dict(stated, assume=[f"grid.x == {blocks}"])]})
            name = f"{key}.{name_of(text.encode())}.json"
            self.write(f"seen/launches/{name}", text)

        module = MODULE.read_bytes()
        key = name_of(module + b"{}")
        stated = json.loads(LAUNCH.read_text())["launches"][0]
        stated["kernel"] = "_Z10fill_tablePKxfi"
        self.write("seen/index.json", json.dumps({"format": "tilerace recording", "version": 1}))
        (root / "modules").mkdir()
        (root / "launches").mkdir()
        (root / "modules" / f"{key}.tilebc").write_bytes(module)
        (root / "modules" / f"{key}.json").write_text("{}")
        self.kept("seen")
        launch(4)
        self.assertIn('"contract":\t"file"', self.changed("a launch of the recording", "seen")[2])
        launch(8)
        self.changed("another launch beside it", "seen")


class Faults(Folder):
    """Nothing that is done to the files changes what is said."""

    def setUp(self):
        super().setUp()
        self.write("good.c", KERNEL % OWN)
        self.write("racy.c", KERNEL % BOTH)
        self.words = ("good.c", "racy.c", "--", INCLUDE)
        self.truth = None
        self.entries = self.home / "caches/tilerace/tilerace-cache"

    def files(self, folder=None):
        return sorted(p for p in (folder or self.entries).glob("??/*") if p.is_file())

    def each_entry(self):
        """Every entry of a fresh cache that is read in the next run, in turn; the cache is put back
        as it was before each."""
        self.kept("-j1", *self.words)
        fresh = self.home / "fresh"
        shutil.copytree(self.entries, fresh)
        for path in self.files():
            if path.stat().st_size > 200:  # smaller ones are digests of programs
                yield path, path.read_bytes()
                shutil.rmtree(self.entries)
                shutil.copytree(fresh, self.entries)

    def anew(self, *before):
        result = self.check(*before, *self.words)
        self.truth = self.truth or self.check("--no-cache", *self.words)
        self.assertEqual(result[1:], self.truth[1:])
        self.assertEqual(result[1], 1)
        return result[0]

    def test_planted(self):
        """Entries of another user, and of a checkout, are not read."""
        self.kept(*self.words)
        mine = self.home / "mine"
        shutil.copytree(self.entries, mine / "tilerace-cache")
        self.assertEqual(self.anew("--cache-dir", str(mine)), 2, "with my key they are mine")
        other = {"XDG_CACHE_HOME": str(self.home / "others")}
        result = self.check("--cache-dir", str(mine), *self.words, **other)
        self.assertEqual(result[:2], (0, 1))

    def test_the_verdict_of_another(self):
        for path, _ in self.each_entry():
            for other in self.files():
                if other != path:
                    path.write_bytes(other.read_bytes())
                    self.assertLess(self.anew(), 2)
                    break

    def test_wrong_bytes(self):
        for path, kept in self.each_entry():
            for at in (0, 8, 16, 47, 48, 60, len(kept) - 1):
                wrong = kept[:at] + bytes([kept[at] ^ 1]) + kept[at + 1 :]
                path.write_bytes(wrong)
                self.assertLess(self.anew(), 2, f"byte {at}")
                if path.read_bytes() == wrong:
                    break  # the run kept its result under another list of look-ups

    def test_cut(self):
        for path, kept in self.each_entry():
            for wrong in (b"", kept[:47], kept[:-1], kept + b"\0", b"\xff" * 4096):
                path.write_bytes(wrong)
                self.assertLess(self.anew(), 2, f"{len(wrong)} bytes")
                if path.read_bytes() == wrong:
                    break

    def test_no_files(self):
        for kind in ("pipe", "folder", "link"):
            with self.subTest(kind):
                shutil.rmtree(self.home / "fresh", ignore_errors=True)
                shutil.rmtree(self.entries, ignore_errors=True)
                for path, _ in self.each_entry():
                    os.remove(path)
                    if kind == "pipe":
                        os.mkfifo(path)
                    elif kind == "folder":
                        path.mkdir()
                    else:
                        path.symlink_to("/dev/zero")
                    self.assertLess(self.anew(), 2, kind)

    def test_links_of_a_checkout(self):
        """What a checkout has in place of the cache's folders is neither written to nor emptied."""
        victim = self.home / "victim"
        victim.mkdir()
        kept = {name: victim / name for name in ("letter", "0" * 62, "a" * 62 + ".0.part")}
        for path in kept.values():
            path.write_bytes(b"mine" * 300_000)
            os.utime(path, (1, 1))
        inside, words = self.folder / "kept", ("--cache-dir", "kept", *self.words)
        small = {"TILERACE_CACHE_SIZE": "64"}  # 256 KiB a part

        def holds():
            self.assertEqual(sorted(p.name for p in victim.iterdir()), sorted(kept))

        inside.mkdir()
        (inside / "tilerace-cache").symlink_to(victim)
        self.assertIsNone(self.check(*words, **small)[0])
        self.assertIn("is no folder", self.run_in("check", *words)[2])
        self.assertEqual(self.run_in("clean", "--cache-dir", "kept")[0], 0)
        holds()
        (inside / "tilerace-cache").unlink()
        (inside / "tilerace-cache").mkdir()
        for i in range(256):
            (inside / "tilerace-cache" / f"{i:02x}").symlink_to(victim)
        for _ in range(2):
            self.assertEqual(self.check(*words, **small)[:2], (0, 1))
        self.run_in("clean", "--cache-dir", "kept")
        holds()
        shutil.rmtree(inside)
        self.check(*words)  # and in a part of it what is no entry stays
        letters = [part / "letter" for part in (inside / "tilerace-cache").iterdir() if part.is_dir()]
        for letter in letters:
            letter.write_bytes(b"mine" * 300_000)
        self.write("racy.c", KERNEL % BOTH + "\n")
        self.check(*words, **small)
        self.assertTrue(letters and all(letter.exists() for letter in letters))

    def test_the_key(self):
        self.kept(*self.words)
        key = self.home / "caches/tilerace/key"
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)
        for wrong in ("mode", "short", "link", "folder"):
            kept = key.read_bytes()
            os.remove(key)
            if wrong == "mode":
                key.write_bytes(kept)
                key.chmod(0o640)
            elif wrong == "short":
                key.write_bytes(kept[:31])
                key.chmod(0o600)
            elif wrong == "link":
                (self.home / "stolen").write_bytes(kept)
                key.symlink_to(self.home / "stolen")
            else:
                key.mkdir()
            self.assertIsNone(self.anew(), wrong)
            code, _, err = self.run_in("check", "-v", *self.words)
            self.assertIn("results are not kept", err)
            key.rmdir() if wrong == "folder" else os.remove(key)
            key.write_bytes(kept)
            key.chmod(0o600)
        self.assertEqual(self.anew(), 2)
        os.remove(key)
        self.assertEqual(self.anew(), 0, "another key: nothing is mine any more")

    def test_checkouts(self):
        (self.folder / ".git").mkdir()
        inside = str(self.folder / "kept")
        self.assertIsNone(self.check(*self.words, TILERACE_CACHE_DIR=inside)[0])
        self.assertFalse(os.path.exists(inside))
        self.assertIsNone(self.check(*self.words, XDG_CACHE_HOME=inside)[0])
        self.assertIsNone(self.check("--cache-dir", inside, *self.words, XDG_CACHE_HOME=inside)[0])
        self.assertEqual(self.anew("--cache-dir", inside), 0)
        self.assertEqual(self.anew("--cache-dir", inside), 2)
        if shutil.which("git"):
            subprocess.run(["git", "init", "-q", "."], cwd=self.folder, check=True)
            said = subprocess.run(["git", "status", "--short"], cwd=self.folder, text=True,
                                  capture_output=True, check=True).stdout  # fmt: skip
            self.assertNotIn("kept", said)
        code, out, _ = self.run_in("clean", "--cache-dir", inside)
        self.assertEqual(code, 0)
        self.assertIn("removed from the cache", out)
        self.assertEqual(os.listdir(inside), [])

    def test_no_place(self):
        self.write("file", "")
        for folder in ("file", "/proc/nowhere", "/dev/null/x"):
            self.assertIsNone(self.anew("--cache-dir", folder))
            err = self.run_in("check", "--cache-dir", folder, *self.words)[2]
            self.assertIn("results are not kept", err)
        env = {"HOME": "", "XDG_CACHE_HOME": ""}
        self.assertEqual(self.check(*self.words, **env)[:2], (None, 1))

    def test_a_full_disk(self):
        """No entry can be written: a limit on the size of files, whose signal is ignored."""
        limit = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh"]
        self.check(*self.words)  # makes the key
        shutil.rmtree(self.entries)
        ran = subprocess.run([*limit, TILERACE, "check", *self.words], cwd=self.folder, env=self.env,
                             capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertEqual(self.files(), [])
        self.assertEqual(self.anew(), 0)

    def test_many_at_once(self):
        runs = [self.start("check", *self.words) for _ in range(6)]
        outs = [run.communicate(timeout=300)[0] for run in runs]
        self.assertEqual({run.returncode for run in runs}, {1})
        self.assertEqual(len(set(outs)), 1)
        self.assertEqual(self.anew(), 2)
        self.assertEqual(list(self.entries.glob("??/*.part")), [])

    def test_killed(self):
        for pause in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3):
            run = self.start("check", *self.words)
            time.sleep(pause)
            run.send_signal(signal.SIGKILL)
            run.communicate()
        self.anew()
        self.assertEqual(self.anew(), 2)

    def test_what_does_not_last(self):
        """A budget and a solver that fails are of today."""
        slow = (str(ROOT / "kernels/scan_look_back.c"),)
        cut = self.check("--budget", "1", *slow)
        self.assertIn('"budget"', cut[2])
        self.assertEqual(self.check("--budget", "1", *slow)[0], 0)
        dead = self.home / "dead"
        shutil.copy("/bin/true", dead)
        asks = str(ROOT / "kernels/stream_k.c")
        failed = self.check("--solver", str(dead), asks)
        self.assertIn('"solver-died"', failed[2])
        self.assertEqual(self.check("--solver", str(dead), asks)[0], 0)

    def test_clean(self):
        self.kept(*self.words)
        self.write(".gitignore", "mine\n")
        self.assertEqual(self.anew("--cache-dir", "."), 0)
        code, out, _ = self.run_in("clean", "--cache-dir", ".")
        self.assertEqual(code, 0)
        self.assertEqual((self.folder / ".gitignore").read_text(), "mine\n")
        self.assertFalse((self.folder / "tilerace-cache").exists())
        code, out, _ = self.run_in("clean")
        self.assertEqual(code, 0)
        self.assertFalse(self.entries.exists())
        self.assertFalse((self.home / "caches/tilerace/key").exists())
        self.assertEqual(self.anew(), 0)

    def test_report_says_nothing(self):
        first = self.run_in("check", *self.words)
        self.assertEqual(self.run_in("check", *self.words), first)


if __name__ == "__main__":
    unittest.main()
