"""Tries ci/check_links.py on small trees: what it must complain of, and what it must not.

    check_links_test.py"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "ci/check_links.py"
MATRIX = "matrix='\nlow  | low  |\nhigh | high | low\n'\n"


class Links(unittest.TestCase):
    def check(self, files, matrix=MATRIX, without=()):
        """Compiles {path: text} and runs the check; its exit code and what it says."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "ci").mkdir()
            (root / "ci/check_includes.sh").write_text(matrix)
            by_room = {}
            for path, text in files.items():
                source = root / path
                source.parent.mkdir(parents=True, exist_ok=True)
                source.write_text(text)
                if path.endswith(".c") and path not in without:
                    by_room.setdefault(path.rsplit("/", 1)[0], []).append(source)
            for room, sources in by_room.items():
                of = "build/tests/CMakeFiles" if room == "tests" else "build/CMakeFiles"
                objects = root / of / "tr_room.dir" / room
                objects.mkdir(parents=True)
                subprocess.run(["cc", "-c", *sources], cwd=objects, check=True)
                for made in list(objects.glob("*.o")):
                    made.rename(made.with_suffix(".c.o"))
            done = subprocess.run([sys.executable, SCRIPT, root / "build", "--report", "--root", root],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def circle(self, n):
        """n files, each of which calls the next one."""
        return {f"low/f{i}.c": f"int f{(i + 1) % n}(void); int f{i}(void) {{ return f{(i + 1) % n}(); }}"
                for i in range(n)}

    def test_order(self):
        down = {"low/a.c": "int a(void) { return 1; }",
                "high/b.c": "int a(void); int b(void) { return a(); }"}
        code, said = self.check(down)
        self.assertEqual(code, 0, said)
        self.assertIn("against the order of rooms 0", said)
        up = {"low/a.c": "int b(void); int a(void) { return b(); }",
              "high/b.c": "int b(void) { return 1; }"}
        code, said = self.check(up)
        self.assertEqual(code, 1)
        self.assertIn("low/a.c -> high/b.c: b", said)

    def test_tables_and_variables(self):
        for text in ("int b(void); int (*const table[])(void) = {b};",
                     "extern int c; int a(void) { return c; }"):
            code, said = self.check({"low/a.c": text,
                                     "high/b.c": "int c; int b(void) { return 1; }"})
            self.assertEqual(code, 1, said)

    def test_what_is_no_call(self):
        code, said = self.check({
            "low/a.c": "static int b(void) { return 1; } int a(int (*f)(void)) { return f() + b(); }",
            "high/b.c": "int b(void) { return 1; }"})
        self.assertEqual(code, 0, said)

    def test_circles(self):
        code, said = self.check(self.circle(6))
        self.assertEqual(code, 0, said)
        code, said = self.check(self.circle(7))
        self.assertEqual(code, 1)
        self.assertIn("files in a circle of low: 7", said)

    def test_circle_of_two_rooms(self):
        files = self.circle(7)
        files["high/f3.c"] = files.pop("low/f3.c")
        code, said = self.check(files)
        self.assertEqual(code, 1)
        self.assertIn("files in a circle of high low: 7", said)

    def test_walk(self):
        """A recursive walk may be of any size, as long as it stays in its room."""
        walk = "runtime_check/interp"
        matrix = MATRIX.replace("low  ", walk)
        files = {path.replace("low", walk): text for path, text in self.circle(9).items()}
        code, said = self.check(files, matrix)
        self.assertEqual(code, 0, said)
        files["high/f3.c"] = files.pop(walk + "/f3.c")
        code, said = self.check(files, matrix)
        self.assertIn(f"files in a circle of high {walk}: 9", said)
        self.assertEqual(code, 1)

    def test_size(self):
        files = {f"low/f{i}.c": f"int f{i};" for i in range(41)}
        code, said = self.check(files)
        self.assertEqual(code, 1)
        self.assertIn("files of low: 41", said)
        del files["low/f40.c"]
        self.assertEqual(self.check(files)[0], 0)

    def test_prefixes(self):
        code, said = self.check({"low/a.c": "int ask_a(void) { return 1; }",
                                 "low/b.c": "int ask_b(void) { return 1; }",
                                 "high/c.c": "int asks(void) { return 1; } static int ask_c(void) "
                                             "{ return 1; } int command_c(void) { return ask_c(); }",
                                 "low/d.c": "int command_d(void) { return 1; } int ask;"})
        self.assertEqual(code, 0, said)
        code, said = self.check({"low/a.c": "int ask_a(void) { return 1; }",
                                 "high/b.c": "int ask_b(void) { return 1; }"})
        self.assertEqual(code, 1)
        self.assertIn("functions ask_... are of 2 rooms: high low", said)

    def test_exports(self):
        hidden = '__attribute__((visibility("hidden"))) '
        used = {"low/a.c": f"{hidden}int a(void) {{ return 1; }}",
                "low/b.c": "int a(void); int b(void) { return a(); }"}
        self.assertEqual(self.check(used)[0], 0)
        for kind in (f"{hidden}int c(void) {{ return 1; }}", f"{hidden}int c = 1;"):
            code, said = self.check({**used, "low/c.c": kind})
            self.assertEqual(code, 1)
            self.assertIn("low/c.c: nothing outside uses c", said)
            self.assertEqual(self.check({**used, "low/c.c": kind.replace(hidden, "static ")})[0], 0)
            self.assertEqual(self.check({**used, "low/c.c": kind, "low/rows.def": "ROW(c)\n"})[0], 0)

    def test_exports_for_tests(self):
        door = {"low/a.c": '__attribute__((visibility("hidden"))) int a(void) { return 1; }',
                "tests/t.c": "int a(void); int main(void) { return a(); }"}
        code, said = self.check({**door, "low/a.h": "/* The answer. */\nint a(void);\n"})
        self.assertEqual(code, 1)
        self.assertIn("low/a.c: only tests use a, and no header says so", said)
        code, said = self.check({**door, "low/a.h": "/* The answer, for tests. */\nint a(void);\n"})
        self.assertEqual(code, 0, said)

    def test_not_built(self):
        files = {"low/a.c": "int a;", "low/b.c": "int b;"}
        code, said = self.check(files, without=("low/b.c",))
        self.assertEqual(code, 2)
        self.assertIn("not built: low/b.c", said)


if __name__ == "__main__":
    unittest.main()
