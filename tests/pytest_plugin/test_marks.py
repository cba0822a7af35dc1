"""@pytest.mark.tilerace(allow="TR001", reason="...").

    test_marks.py BUILD PYTHON [Class.test]
"""
from common import FIND_CHECKER, TOLD, Case, main

ALLOWED = """
@pytest.mark.tilerace(allow="TR001", reason="all blocks store the same")
@pytest.mark.parametrize("kernel", [clean, racy], ids=["clean", "racy"])
def test_allowed(kernel):
    launch(kernel)
@pytest.mark.tilerace(allow="TR002", reason="something else")
def test_other_rule():
    launch(racy)
def test_not_allowed():
    launch(racy)
"""


class Allow(Case):
    def test_allow(self):
        self.write("test_a.py", ALLOWED)
        for workers in ([], ["-n", "2"]):
            ran = self.counts(self.pytest("-v", "--strict-markers", *workers, status=1), passed=2,
                              failed=2)
            self.assertIn("test_a.py::test_allowed[racy]: allowed (all blocks store the same): " +
                          TOLD, ran.section)
            self.assertIn("FAILED test_a.py::test_other_rule", ran.out)
            self.assertIn("FAILED test_a.py::test_not_allowed", ran.out)
            self.assertNotIn("warning: test_a.py::test_allowed", ran.section)

    def test_without_a_mark_it_fails(self):
        self.write("test_a.py", ALLOWED.replace("@pytest.mark.tilerace(allow=\"TR001\"", "#("))
        self.counts(self.pytest(status=1), passed=1, failed=3)

    def test_several(self):
        """By name, in a list, on a class and a module, and in a fixture."""
        self.write("test_a.py", """
pytestmark = pytest.mark.tilerace(allow=["inter-block-write-write", "TR008"], reason="module")
launch(racy)
@pytest.fixture(scope="session")
def made():
    return launch(racy)
class TestMany:
    def test_one(self, made):
        launch(racy)
""")
        self.write("test_b.py", """
@pytest.mark.tilerace(allow="TR001", reason="of a class")
class TestMany:
    def test_one(self):
        launch(racy)
def test_two():
    launch(clean)
""")
        self.write("test_c.py", """
pytestmark = pytest.mark.tilerace(allow="TR001", reason="at import")
launch(racy)
def test_nothing():
    pass
""")
        ran = self.counts(self.pytest("-n", "2", status=0), passed=4)
        self.assertNotIn("warning", ran.section)
        self.assertEqual(ran.section.count("test_c.py: allowed (at import): "), 1)
        ran = self.counts(self.pytest(status=0), passed=4)
        self.assertNotIn("warning", ran.section)
        self.assertIn("allowed (of a class): ", ran.section)
        self.assertIn("test_a.py: allowed (module): ", ran.section)

    def test_not_met(self):
        self.write("test_a.py", """
@pytest.mark.tilerace(allow="TR001", reason="it raced once")
@pytest.mark.parametrize("n", range(2))
def test_mended(n):
    launch(clean)
@pytest.mark.tilerace(allow="TR001", reason="skipped")
def test_skipped():
    pytest.skip("not here")
@pytest.mark.tilerace(allow="TR001", reason="met")
@pytest.mark.parametrize("kernel", [clean, racy])
def test_met(kernel):
    launch(kernel)
""")
        for workers in ([], ["-n", "2"]):
            ran = self.counts(self.pytest(*workers, status=0), passed=4, skipped=1)
            self.assertEqual(ran.section.count("warning: "), 1)
            self.assertIn("warning: test_a.py::test_mended: allow=TR001 (it raced once): no launch "
                          "has such a finding\n", ran.section)

    def test_usage(self):
        for words, told in (
                ("allow='TR001'", "reason= is missing"),
                ("allow='TR001', reason=' '", "reason= is missing"),
                ("allow='TR001', reason=3", "reason= is missing"),
                ("reason='why'", "allow= is missing"),
                ("allow='TR999', reason='why'", "allow='TR999': there is no such rule"),
                ("allow=['TR001', 'race'], reason='why'", "allow='race': there is no such rule"),
                ("allow=[], reason='why'", "allow is a rule or a list of rules"),
                ("allow=[[]], reason='why'", "allow=[]: there is no such rule"),
                ("'TR001', reason='why'", "it takes allow= and reason= alone, not 'TR001'"),
                ("alow='TR001', reason='why'", "it takes allow= and reason= alone, not alow=")):
            self.write("test_a.py", "@pytest.mark.tilerace(%s)\ndef test_a():\n    pass\n" % words)
            ran = self.pytest(status=4)
            self.assertIn("ERROR: test_a.py::test_a: @pytest.mark.tilerace: " + told,
                          ran.out + ran.err)
        ran = self.pytest("-n", "2", status=4)
        self.assertIn("ERROR: test_a.py::test_a: @pytest.mark.tilerace: " + told, ran.out)

    def test_what_is_not_checked_cannot_be_allowed(self):
        """See test_lost.py: no rule stands for a launch that was not looked at."""
        self.write("test_a.py", """
import os
@pytest.mark.tilerace(allow="TR001", reason="why")
def test_a():
    os.kill(int(os.environ["CHECKER"]), 9)
    launch(racy)
""")
        self.write("conftest.py", FIND_CHECKER)
        ran = self.counts(self.pytest(status=1), failed=1)
        self.assertIn("this launch was not looked at: the checker has stopped", ran.out)


if __name__ == "__main__":
    main()
