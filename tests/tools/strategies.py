"""The strategies of the prover (smt/strategies/strategy.h) against the places that must name each of
them: a table of prove.c or another strategy runs it, a unit test asks it alone, docs/proof.md has its
file, and the mutants of the checker change it, unless each of its answers is checked.

    strategies.py"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOM = ROOT / "smt/strategies"
ALONE = "tests/unit/strategies/test_random_goals.c"
sys.path.insert(0, str(ROOT / "tests/checker_mutants"))
import mutate  # noqa: E402

# These files give only models, which are evaluated before they count.
ONLY_MODELS = {"assignment", "bits", "guess", "moves", "repair", "small"}


class Strategies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.texts = {path.stem: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
                     for path in ROOM.glob("*.c")}
        declared = re.findall(r"^bool smt_try_(\w+)\(", (ROOM / "strategy.h").read_text(), re.M)
        cls.file_of = {}
        for name in declared:
            head = re.compile(rf"^bool smt_try_{name}\(", re.M)
            cls.file_of[name] = next((f for f, text in cls.texts.items() if head.search(text)), None)

    def test_each_is_defined(self):
        self.assertGreater(len(self.file_of), 8)
        for name, file in self.file_of.items():
            with self.subTest(name):
                self.assertIsNotNone(file, f"no file defines smt_try_{name} of strategy.h")

    def test_each_is_run(self):
        for name, file in self.file_of.items():
            call = re.compile(rf"\bsmt_try_{name}\b")
            with self.subTest(name):
                self.assertTrue(any(call.search(text) for f, text in self.texts.items() if f != file),
                                f"no table of prove.c has a row for smt_try_{name}")

    def test_each_is_asked_alone(self):
        rows = (ROOT / ALONE).read_text()
        for name in self.file_of:
            with self.subTest(name):
                self.assertTrue(re.search(rf"\bsmt_try_{name}\b", rows),
                                f"each_alone of {ALONE} has no row for smt_try_{name}")

    def test_the_proof_page_has_each(self):
        page = (ROOT / "docs/proof.md").read_text()
        for name, file in self.file_of.items():
            with self.subTest(name):
                self.assertTrue(f"`strategies/{file}.c`" in page,
                                f"the table of strategies in docs/proof.md lacks strategies/{file}.c")

    def test_mutants_change_what_is_believed(self):
        changed = set(mutate.TRUSTED["strategies"])
        for file, text in self.texts.items():
            with self.subTest(file):
                refutes = re.search(r"smt_decided\([^;]*SMT_UNSAT", text) is not None
                self.assertFalse(file in ONLY_MODELS and refutes,
                                 f"ONLY_MODELS has {file}, which answers SMT_UNSAT")
                self.assertNotEqual(f"strategies/{file}" in changed, file in ONLY_MODELS,
                                    f"name strategies/{file} in TRUSTED of tests/checker_mutants/mutate.py, "
                                    f"or in ONLY_MODELS of this test if its answers are only models")


if __name__ == "__main__":
    unittest.main()
