"""The table of lemmas (analyzer/order/lemmas.def) against what it names: each lemma's file states it
by its name and names its axioms and no others, its kernels are there, docs/proof.md has its file, and
each place of the room is changed once by the mutants of the checker.

    lemmas.py"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/checker_mutants"))
import mutate  # noqa: E402

# Of analyzer/order: notes are words for people, and a guessed place is asked of the prover.
BELIEVES_NOTHING = {"note", "place"}
ROW = re.compile(r'^LEMMA\((\w+), "(\w+)", "([^"]*)", "([^"]*)",\s*((?:"[^"]*"\s*)+)\)$', re.M)


class Lemmas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        text = (ROOT / "analyzer/order/lemmas.def").read_text()
        cls.rows = ROW.findall(text)
        cls.starts = len(re.findall(r"^LEMMA\(", text, re.M))

    def test_all_rows_are_read(self):
        self.assertEqual(len(self.rows), self.starts)
        self.assertEqual(len({name for name, *_ in self.rows}), self.starts)

    def test_files(self):
        for name, file, axioms, _, _ in self.rows:
            with self.subTest(name):
                text = (ROOT / f"analyzer/order/{file}.c").read_text()
                self.assertTrue(re.search(rf"\b{name}\b", text),
                                f"{file}.c does not state a lemma by the name {name}")

    def test_the_comment_and_the_row_name_the_same_axioms(self):
        of_file = {}
        for _, file, axioms, _, _ in self.rows:
            of_file.setdefault(file, set()).update(axioms.split())
        for file, axioms in of_file.items():
            lemma = (ROOT / f"analyzer/order/{file}.c").read_text().split("*/")[0]
            named = set(re.findall(r"\b[AD]\d+\b", lemma))
            for letter, first, last in re.findall(r"\b([AD])(\d+) to \1(\d+)", lemma):
                named |= {f"{letter}{n}" for n in range(int(first), int(last) + 1)}
            self.assertFalse(named - axioms, f"the row of {file}.c in lemmas.def lacks axioms that "
                             "its proof names")
            self.assertFalse(axioms - named, f"the proof in {file}.c does not name axioms of its row "
                             "in lemmas.def")

    def test_axioms_are_of_the_model(self):
        model = (ROOT / "docs/memory-model.md").read_text()
        for name, _, axioms, _, _ in self.rows:
            for axiom in axioms.split():
                self.assertTrue(re.search(rf"\b{axiom}\b", model), f"{name}: {axiom}")

    def test_kernels(self):
        for name, _, _, kernels, _ in self.rows:
            self.assertTrue(kernels, f"the row of {name} in lemmas.def names no kernels")
            for kernel in kernels.split():
                places = [ROOT / f"{folder}/{kernel}.c" for folder in ("kernels", "tests/idioms")]
                self.assertTrue(any(place.is_file() for place in places),
                                f"the row of {name} in lemmas.def names {kernel}.c, which is in "
                                "neither kernels nor tests/idioms")

    def test_files_with_a_lemma_are_in_the_table(self):
        files = {file for _, file, *_ in self.rows}
        for path in (ROOT / "analyzer/order").glob("*.c"):
            if "Lemma." in path.read_text():
                self.assertIn(path.stem, files, "lemmas.def has no row of this file's lemma")

    def test_the_proof_page_has_them(self):
        page = (ROOT / "docs/proof.md").read_text()
        for name, file, *_ in self.rows:
            self.assertTrue(f"order/{file}.c" in page,
                            f"the table of lemmas in docs/proof.md has no row of order/{file}.c")

    def test_mutants_change_every_file(self):
        changed = {name for name in mutate.TRUSTED["lemmas"] if name.startswith("order/")}
        files = {f"order/{path.stem}" for path in (ROOT / "analyzer/order").glob("*.c")
                 if path.stem not in BELIEVES_NOTHING}
        self.assertFalse(files - changed, "TRUSTED of checker_mutants/mutate.py lacks files")
        self.assertFalse(changed - files, "TRUSTED of checker_mutants/mutate.py names other files")


if __name__ == "__main__":
    unittest.main()
