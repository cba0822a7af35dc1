"""tilerace compile: bytecode, and what is said about the assembler. Needs no NVIDIA package.

    test_compile.py TILERACE
"""

import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
SOURCE = "kernels/vector_add.c"
MODULE = "kernels/cpp/saxpy.tilebc"
MAGIC = b"\x7fTileIR\x00"

# Looks at its words as the assembler would and writes them into the file it is to make.
ASSEMBLER = """#!/bin/sh
printf '%s\\n' "$@" >"$5"
head -c 8 "$3" | od -An -c >>"$5"
"""


def run(*words, **environment):
    env = {k: v for k, v in os.environ.items()
           if k not in ("CUTILE_TILEIRAS_PATH", "CUDA_HOME", "CUDA_TOOLKIT_PATH")}
    env.update(environment)
    return subprocess.run([TILERACE, *words], capture_output=True, text=True, check=False, env=env,
                          timeout=120)


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def program(self, text, *where):
        path = self.folder.joinpath(*where, "tileiras")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(stat.S_IRWXU)
        return str(path)

    def expect(self, words, code, err="", **environment):
        done = run("compile", *words, **environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(err, done.stderr)
        return done


class Bytecode(Folder):
    def dump(self, path, *words):
        done = run("dump", *words, str(path))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_dialect(self):
        for source in sorted(pathlib.Path("kernels").glob("*.c")):
            with self.subTest(source=source.name):
                path = self.folder / (source.stem + ".tilebc")
                self.expect([str(source), "-o", str(path)], 0)
                self.assertEqual(path.read_bytes()[:10], MAGIC + b"\x0d\x04")
                self.assertEqual(self.dump(path), self.dump(source))

    def test_places(self):
        path = self.folder / "k.tilebc"
        self.expect([SOURCE, "-o", str(path)], 0)
        self.assertIn('vector_add.c"', self.dump(path, "-g"))

    def test_clang_options(self):
        source = self.folder / "k.c"
        source.write_text(pathlib.Path(SOURCE).read_text() + "\n#ifndef GIVEN\n#error no\n#endif\n")
        path = str(self.folder / "k.tilebc")
        self.expect([str(source), "-o", path], 2, err="k.c:")
        self.assertFalse(os.path.exists(path))
        self.expect([str(source), "-o", path, "--", "-DGIVEN"], 0)

    def test_rewrite(self):
        for minor in (1, 2, 3, 4):
            path = self.folder / f"saxpy.{minor}.tilebc"
            self.expect([MODULE, "-o", str(path), f"--bytecode-version=13.{minor}"], 0)
            self.assertEqual(path.read_bytes()[:10], MAGIC + bytes([13, minor]))
            producer, text = self.dump(MODULE).split("\n", 1)
            self.assertIn("Producer", producer)
            if minor >= 3:  # the versions that can name it
                text = producer + "\n" + text
            self.assertEqual(self.dump(path), text)

    def test_version(self):
        path = str(self.folder / "k.tilebc")
        for version in ("13.0", "13.5", "13", "14.1", "13.04", "", "new"):
            self.expect([MODULE, "-o", path, f"--bytecode-version={version}"], 2,
                        err=f"'{version}' cannot be written; there are 13.1 to 13.4")
        self.assertFalse(os.path.exists(path))

    def test_no_contract_is_read(self):
        module = self.folder / "k.tilebc"
        module.write_bytes(pathlib.Path(MODULE).read_bytes())
        (self.folder / "k.launch.json").write_text("{")
        self.expect([str(module), "-o", str(self.folder / "again.tilebc")], 0)


class LineNumbers(Folder):
    """An assembler that cannot write line numbers is asked to do without."""

    TAKES = "#!/bin/sh\n%s\nwhile [ $# -gt 1 ]; do shift; done\necho code >\"$1\"\n"

    def test_without(self):
        refuses = 'case "$*" in *--lineinfo*) echo no lines >&2; exit 5;; esac; echo hm >&2'
        path = self.folder / "k.cubin"
        done = self.expect([SOURCE, "-o", str(path)], 0, err="hm",
                           CUTILE_TILEIRAS_PATH=self.program(self.TAKES % refuses))
        self.assertNotIn("no lines", done.stderr)
        self.assertEqual(path.read_text(), "code\n")

    def test_refused_anyhow(self):
        path = self.folder / "k.cubin"
        done = self.expect([SOURCE, "-o", str(path)], 2, err="no lines",
                           CUTILE_TILEIRAS_PATH=self.program("#!/bin/sh\necho no lines >&2; exit 5\n"))
        self.assertEqual(done.stderr.count("no lines"), 1)
        self.assertFalse(path.exists())


class Words(Folder):
    def test_output(self):
        self.expect([SOURCE], 2, err="-o NAME.tilebc or -o NAME.cubin")
        self.expect([SOURCE, "-o", "k.ptx"], 2, err="neither .tilebc nor .cubin")
        self.expect([SOURCE, "-o", ".cubin"], 2, err="neither .tilebc nor .cubin")
        self.expect([SOURCE, "-o", "/no/such/folder/k.tilebc"], 2, err="cannot be written")
        self.expect([SOURCE, "-o", str(self.folder / "k.tilebc"), "--gpu-name=sm_90"], 2,
                    err="goes with -o NAME.cubin")

    def test_input(self):
        path = str(self.folder / "k.tilebc")
        self.expect(["missing.c", "-o", path], 2, err="No such file")
        self.expect([SOURCE, SOURCE, "-o", path], 2, err="takes one file")

    def test_help(self):
        self.assertIn("compile", run("--help").stdout)
        self.assertIn("--gpu-name", run("compile", "--help").stdout)


class Assembler(Folder):
    def cubin(self, code, err="", words=(), **environment):
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        path = self.folder / "k.cubin"
        path.unlink(missing_ok=True)
        done = self.expect([SOURCE, "-o", str(path), *words], code, err=err,
                           **{"PATH": "/usr/bin:/bin", "TMPDIR": str(scratch), **environment})
        self.assertEqual(list(scratch.iterdir()), [])
        self.assertEqual(path.exists(), code == 0)
        return path.read_text().splitlines() if code == 0 else done

    def test_missing(self):
        empty = str(self.folder / "empty")
        self.cubin(2, PATH=empty, err="CUTILE_TILEIRAS_PATH; bytecode")
        self.cubin(2, CUTILE_TILEIRAS_PATH=empty, err=f"names '{empty}'")

    def test_words(self):
        named = self.program(ASSEMBLER)
        made = self.cubin(0, CUTILE_TILEIRAS_PATH=named)
        self.assertEqual(made[:2], ["--gpu-name=sm_90", "--lineinfo"])
        self.assertIn("T   i   l   e   I   R", made[-1])
        made = self.cubin(0, words=["--gpu-name", "sm_120"], CUTILE_TILEIRAS_PATH=named)
        self.assertEqual(made[0], "--gpu-name=sm_120")

    def test_order(self):
        """Every place is asked, those before it first."""
        def marked(name):
            return ASSEMBLER + f'echo {name} >>"$5"\n'

        named = self.program(marked("named"), "named")
        self.program(marked("path"), "path")
        self.program(marked("home"), "home", "bin")
        self.program(marked("toolkit"), "toolkit", "bin")
        packages = ("venv", "lib", "python3.11", "site-packages", "nvidia", "cu13")
        packaged = pathlib.Path(self.program(marked("python"), *packages, "bin"))
        python = self.folder / "venv" / "bin" / "python3"
        python.parent.mkdir()
        python.write_text("")
        python.chmod(stat.S_IRWXU)
        tools = "/usr/bin:/bin"
        there = {
            "CUTILE_TILEIRAS_PATH": os.path.dirname(named),
            "PATH": f"{python.parent}:{self.folder / 'path'}:{tools}",
            "CUDA_HOME": str(self.folder / "home"),
            "CUDA_TOOLKIT_PATH": str(self.folder / "toolkit"),
        }
        self.assertEqual(self.cubin(0, **there)[-1], "named")
        del there["CUTILE_TILEIRAS_PATH"]
        # The package alone lacks what the assembler calls.
        self.assertEqual(self.cubin(0, **there)[-1], "path")
        (packaged.parent / "ptxas").write_text("")
        (packaged.parent / "ptxas").chmod(stat.S_IRWXU)
        self.assertEqual(self.cubin(0, **there)[-1], "path")
        (packaged.parent.parent / "nvvm").mkdir()
        self.assertEqual(self.cubin(0, **there)[-1], "python")
        there["PATH"] = tools
        self.assertEqual(self.cubin(0, **there)[-1], "home")
        del there["CUDA_HOME"]
        self.assertEqual(self.cubin(0, **there)[-1], "toolkit")

    def test_its_own_tool_kit(self):
        path = self.program("#!/bin/sh\necho \"$CUDA_HOME\" >\"$5\"\n", "kit", "bin")
        out = self.folder / "home.cubin"
        elsewhere = {"CUTILE_TILEIRAS_PATH": path, "CUDA_HOME": "/elsewhere"}
        for ptxas, home in ((False, "/elsewhere"), (True, str(self.folder / "kit"))):
            if ptxas:
                os.symlink("/bin/true", self.folder / "kit" / "bin" / "ptxas")
            self.expect((SOURCE, "-o", str(out)), 0, **elsewhere)
            self.assertEqual(out.read_text().strip(), home)

    def test_refusal(self):
        named = self.program("#!/bin/sh\necho 'what is this?' >&2\necho out\nexit 5\n")
        done = self.cubin(2, CUTILE_TILEIRAS_PATH=named, err="refuses the module (exit code 5)")
        self.assertIn("what is this?\n", done.stderr)
        self.assertIn("out\n", done.stderr)

    def test_warning(self):
        named = self.program(ASSEMBLER + "echo 'warning: slow' >&2\n")
        done = self.expect([SOURCE, "-o", str(self.folder / "k.cubin")], 0, err="warning: slow\n",
                           CUTILE_TILEIRAS_PATH=named)
        self.assertEqual(done.stderr.count("warning"), 1)

    def test_bad_ends(self):
        for script, sentence in (
            ("kill -SEGV $$", "was ended by signal 11"),
            ("exit 0", "wrote no file"),
            (': >"$5"', "wrote nothing"),
            ("sleep 60 & exec sleep 60", "took longer than 300 ms"),
        ):
            with self.subTest(script=script):
                named = self.program(f"#!/bin/sh\n{script}\n")
                self.cubin(2, words=["--timeout", "300"], err=sentence, CUTILE_TILEIRAS_PATH=named)


if __name__ == "__main__":
    unittest.main()
