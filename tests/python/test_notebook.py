"""A notebook that nbclient executes shows the page of a result.

    test_notebook.py BUILD_FOLDER PYTHON

PYTHON has nbclient and ipykernel.
"""
import html
import json
import os
import re
import subprocess
import sys

PYTHON = os.path.abspath(sys.argv.pop(2))

from common import PACKAGE, Case, fixture, kernel, main

EXECUTE = """
import sys, nbformat, nbclient
notebook = nbformat.read(sys.argv[1], as_version=4)
nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[1])
"""


class Notebook(Case):
    def execute(self, *cells):
        path = self.folder / "a.ipynb"
        path.write_text(json.dumps({
            "nbformat": 4, "nbformat_minor": 5, "metadata": {},
            "cells": [{"cell_type": "code", "id": "c%d" % i, "source": cell, "metadata": {},
                       "outputs": [], "execution_count": None} for i, cell in enumerate(cells)]}))
        run = subprocess.run([PYTHON, "-c", EXECUTE, path], capture_output=True, text=True,
                             check=False, timeout=300, cwd=self.folder, env={
                                 **os.environ, "PYTHONPATH": str(PACKAGE),
                                 "JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": str(self.folder)})
        self.assertEqual(run.returncode, 0, run.stderr)
        return [cell["outputs"] for cell in json.loads(path.read_text())["cells"]]

    def page(self, outputs):
        [output] = outputs
        self.assertEqual(output["output_type"], "execute_result")
        shown = "".join(output["data"]["text/html"])
        [source] = re.findall(r'srcdoc="([^"]*)"', shown)
        self.assertNotIn("<script", shown.replace(source, ""))
        return html.unescape(source), "".join(output["data"]["text/plain"])

    def test_racy_and_clean(self):
        _, racy, clean = self.execute("import tilerace",
                                      "tilerace.check(%r)" % fixture("vector_add_half_index.c"),
                                      "tilerace.check(%r)" % kernel("vector_add.c"))
        page, plain = self.page(racy)
        self.assertIn("TR001", page)
        self.assertTrue(page.lstrip().lower().startswith("<!doctype html>"))
        self.assertEqual(plain, "<tilerace.Result vector_add: race>")
        page, plain = self.page(clean)
        self.assertNotIn("TR001", page)
        self.assertEqual(plain, "<tilerace.Result vector_add: race-free>")

    def test_bad_input(self):
        """A sentence in the cell, and the notebook goes on."""
        said, after = self.execute("import tilerace\n"
                                   "try:\n    tilerace.check('/no/such.c')\n"
                                   "except tilerace.InputError as error:\n    print(error)", "1 + 1")
        self.assertIn("/no/such.c: cannot be read", "".join(said[0]["text"]))
        self.assertEqual("".join(after[0]["data"]["text/plain"]), "2")


if __name__ == "__main__":
    main()
