"""tilerace.compare(): pairs of cuTile Python that differ in one known way, and pairs that do the same.

    test_compare.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy.
"""

import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

from common import BUILD, Case, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compare"))

import dialect_pairs
import python_pairs

import tilerace

os.environ["TILERACE_PROGRAM"] = str(BUILD / "tilerace")


def compare(kernel, replacements):
    a = {"kernel": {"source": kernel["source"]}, **kernel["context"], "samples": 6}
    b = {"kernel": {"source": python_pairs.changed(kernel["source"], replacements)}}
    return tilerace.compare(a, b, samples=2)


class Compared(Case):
    def compare_all(self, pairs):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(pool.map(lambda pair: compare(*pair), pairs))

    def test_each_name(self):
        answers = self.compare_all([pair[1:] for pair in python_pairs.DIFFERENT])
        seen = set()
        for (name, _, replacements), answer in zip(python_pairs.DIFFERENT, answers):
            with self.subTest(name, change=replacements):
                self.assertEqual((answer.result, answer.names[0]), ("different", name), str(answer))
                seen.add(name)
        self.assertEqual(len(seen - {"other"}), 10)  # all but the token, which the compiler makes

    def test_same(self):
        answers = self.compare_all([pair[1:] for pair in python_pairs.SAME])
        for (what, *_), answer in zip(python_pairs.SAME, answers):
            with self.subTest(what):
                self.assertEqual((answer.result, answer.names), ("same", ()), str(answer))
                self.assertGreater(answer.launches, 4)

    def test_sentences(self):
        answer = compare(python_pairs.TWICE, [("ct.store(c, (m, n)", "ct.store(c, (n, m)")])
        self.assertRegex(str(answer), r"(?s)^different\nwrong-axis: .*\(line \d+\)")
        with self.assertRaises(TypeError):
            bool(answer)

    def test_files(self):
        """Of Python, with a context in a file, and of C."""
        with tempfile.TemporaryDirectory() as folder:
            where = pathlib.Path(folder)
            (where / "twice.py").write_text(python_pairs.TWICE["source"])
            (where / "a.json").write_text(json.dumps({"kernel": "twice.py", **python_pairs.TWICE["context"], "samples": 2}))
            answer = tilerace.compare(where / "a.json", f"{where / 'twice.py'}:twice", samples=2)
            self.assertEqual(answer.result, "same")
            self.assertEqual(answer.answer["a"]["file"].rpartition("/")[2][:1], "A")
            (where / "add.c").write_text(dialect_pairs.ADD)
            self.assertEqual(tilerace.compare(where / "add.c", f"{where / 'add.c'}:add").result, "same")
            with self.assertRaisesRegex(tilerace.InputError, "another one"):
                tilerace.compare(where / "add.c", where / "a.json")
            with self.assertRaisesRegex(tilerace.InputError, "no.c"):
                tilerace.compare(where / "add.c", where / "no.c")

    def test_what_does_not_compile(self):
        with self.assertRaisesRegex(tilerace.InputError, "kernel B: cuTile Python"):
            compare(python_pairs.TWICE, [("ct.store(c, (m, n)", "ct.store(c, (m, n, m)")])


if __name__ == "__main__":
    main()
