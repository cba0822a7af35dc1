"""The table FRONT_ENDS of capture/python/sitecustomize.py against the places that must know of each
of its rows: the file of its hook, a test, and docs/exec-python.md.

    test_front_ends.py"""

import importlib.util
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FINDER = ROOT / "capture/python/sitecustomize.py"
HOOKS = ROOT / "capture/python/tilerace_capture"
TESTS = [path for folder in ("capture", "compilers") for path in (ROOT / "tests" / folder).rglob("*.py")
         if path != pathlib.Path(__file__).resolve()]

# Values that no program imports by name, so nothing has to be put in their place elsewhere.
NOT_IMPORTED = {"cuGetProcAddress_v2_ptrptr"}


def front_ends():
    spec = importlib.util.spec_from_file_location("finder", FINDER)  # under this name it installs nothing
    finder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(finder)
    return finder.FRONT_ENDS


class FrontEnds(unittest.TestCase):
    longMessage = False  # the sentence alone, without the file that it is about

    @classmethod
    def setUpClass(cls):
        cls.rows = front_ends()
        cls.hooks = {path.stem: path.read_text() for path in HOOKS.glob("*.py")
                     if re.search(r"^def patch\(module\)", path.read_text(), re.M)}

    def test_each_row_has_its_hook(self):
        self.assertGreater(len(self.rows), 4)
        for module, hook in self.rows.items():
            with self.subTest(module):
                self.assertIn(hook, self.hooks, f"the row of {module} in FRONT_ENDS names {hook}: no "
                              f"file {hook}.py in capture/python/tilerace_capture defines patch(module)")

    def test_each_hook_has_its_row(self):
        for hook in self.hooks:
            with self.subTest(hook):
                self.assertIn(hook, self.rows.values(), f"no row of FRONT_ENDS in sitecustomize.py names "
                              f"tilerace_capture/{hook}.py, so no program gets this hook")

    def test_each_front_end_is_tested(self):
        """A hook that tells of modules calls its front end by one name, which a test must expect."""
        texts = [path.read_text() for path in TESTS]
        for hook, text in self.hooks.items():
            said = re.search(r'^FRONT_END = "(.*)"$', text, re.M)
            with self.subTest(hook):
                if "recorder.module(" in text:
                    self.assertTrue(said, f"tilerace_capture/{hook}.py has no line FRONT_END = \"name\"")
                name = re.escape(said[1] if said else hook)
                self.assertTrue(any(re.search(rf"""["']{name}\b""", t) for t in texts), "no test of "
                                f"tests/capture or tests/compilers has a text that begins with "
                                f"{name!r}, the front end of tilerace_capture/{hook}.py")

    def test_names_imported_before_are_replaced(self):
        for hook, text in self.hooks.items():
            for name in set(re.findall(r"\bmodule\.(\w+) = ", text)) - NOT_IMPORTED:
                self.fail(f"tilerace_capture/{hook}.py sets module.{name}: call replace() of hooks.py "
                          f"instead, else `import tilerace` does not replace {name} in modules that "
                          "have imported it before")

    def test_findings_become_warnings(self):
        for hook, text in self.hooks.items():
            if "recorder.place(" in text:
                self.assertTrue(re.search(r"\bwatched\(", text), f"tilerace_capture/{hook}.py does not launch "
                                "by watched() of hooks.py: TILERACE=warn gives no warning, and pytest passes "
                                "tests whose launches race")

    def test_the_page_has_each(self):
        page = (ROOT / "docs/exec-python.md").read_text()
        for module in self.rows:
            with self.subTest(module):
                self.assertIn(f"`{module}`", page, f"docs/exec-python.md does not say what is patched "
                              f"in {module}")


if __name__ == "__main__":
    unittest.main()
