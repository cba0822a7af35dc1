"""Opens pages of `tilerace run --format html` in a real browser and looks at what it made of them.

    run_page.py TILERACE FAKE_CUDA_FOLDER [SCREENSHOT_FOLDER]     (needs chromium)

A script of ours is put behind the page's own: it counts what is there, moves the mouse and writes what
it saw into the document, which the browser then prints. Errors on the browser's console fail the test.
"""

import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

TILERACE, FAKE_CUDA = (os.path.abspath(path) for path in sys.argv[1:3])
SHOTS = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
RACE = "fixtures/races/permute_heads_paper.c"
GPU = "fixtures/races/permute_heads_corrected.c"
CLEAN = "kernels/matmul.c"

PROBE = r"""
<script>
const seen = {};
const all = (what, root) => [...(root || document).querySelectorAll(what)];
seen.headings = all("h1, h2").map(e => e.textContent);
seen.words = all(".words").map(e => [e.textContent, e.className, getComputedStyle(e).color]);
seen.canvases = all("canvas").map(canvas => {
  const size = +canvas.dataset.size, pen = canvas.getContext("2d");
  const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Map();
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3]) colours.set(String(data.slice(i, i + 3)), (colours.get(String(data.slice(i, i + 3))) || 0) + 1);
  const box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new MouseEvent("mousemove", {clientX: box.x + size / 2, clientY: box.y + size / 2, bubbles: true}));
  return {kind: canvas.dataset.kind, cells: +canvas.dataset.cells, marked: +canvas.dataset.marked, size,
    width: canvas.width, height: canvas.height, red: colours.get("198,40,40") || 0, colours: colours.size,
    tip: canvas.closest("div").parentElement.querySelector(".tip").textContent};
});
seen.schedules = all(".schedules > div").map(column => all(".step", column).map(e => e.className + ": " + e.textContent));
seen.pairs = all("table.pairs tr").length;
seen.lines = all("pre span").length;
seen.hot = all("pre span.hot").map(e => parseInt(e.textContent));
const visible = e => { const a = e.getBoundingClientRect(), b = e.parentElement.getBoundingClientRect(); return a.top >= b.top && a.bottom <= b.bottom; };
seen.hot_visible = all("pre span.hot").slice(0, 1).map(visible);
const step = document.querySelector(".step.moved");
if (step) {
  step.dispatchEvent(new MouseEvent("mouseenter"));
  seen.lit = all("pre span.now").map(e => parseInt(e.textContent));
}
seen.wider_than_window = document.documentElement.scrollWidth > window.innerWidth;
seen.fetched = performance.getEntriesByType("resource").length;
const out = document.createElement("pre");
out.id = "seen";
out.textContent = JSON.stringify(seen);
document.body.append(out);
</script>
"""


def browse(page, *words):
    profile = tempfile.mkdtemp()
    try:
        return subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--enable-logging=stderr", f"--user-data-dir={profile}", "--window-size=1400,1500", *words,
             page.as_uri()], capture_output=True, text=True, check=False, timeout=180)
    finally:
        shutil.rmtree(profile, ignore_errors=True)


class Page(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def look(self, name, *words, **environment):
        page = self.folder / f"{name}.html"
        done = subprocess.run([TILERACE, "run", *words, "--format", "html", "-o", str(page)], check=False,
                              capture_output=True, text=True, timeout=300, env={**os.environ, **environment})
        self.assertIn(done.returncode, (0, 1), done.stderr)
        if SHOTS:
            browse(page, f"--screenshot={SHOTS.resolve() / name}.png")
        page.write_text(page.read_text() + PROBE)
        made = browse(page, "--dump-dom")
        console = [line for line in made.stderr.splitlines() if "CONSOLE" in line]
        self.assertEqual(console, [], "the browser complains")
        text = re.search(r'<pre id="seen">(.*?)</pre>', made.stdout, re.S)
        self.assertTrue(text, "the page's script did not come to its end")
        import html
        seen = json.loads(html.unescape(text[1]))
        self.assertEqual(seen["fetched"], 0)
        self.assertFalse(seen["wider_than_window"])
        return seen

    def test_race_on_the_interpreter(self):
        seen = self.look("race", RACE, "--device", "cpu", "--repeat", "4")
        self.assertIn("nondeterminism confirmed", seen["words"][0][0])
        self.assertIn("differs", seen["words"][0][1])
        writers, heat = seen["canvases"]
        self.assertEqual((writers["kind"], heat["kind"]), ("writers", "heat"))
        self.assertEqual(writers["cells"], heat["cells"])
        self.assertGreater(writers["marked"], 0)
        self.assertLess(writers["marked"], writers["cells"])
        self.assertEqual(heat["marked"], writers["marked"])  # every racing tile differs here
        self.assertGreaterEqual(writers["red"], writers["marked"] * writers["size"])  # their outlines
        self.assertGreater(writers["colours"], 2)
        self.assertRegex(writers["tip"], r"tile \[0, 0, 0, 0\]: ")
        first, second = seen["schedules"]
        self.assertEqual(len(first), len(second))
        self.assertEqual(sum("moved" in step for step in first), 2)
        self.assertNotEqual(first, second)
        self.assertEqual(seen["lines"], len(pathlib.Path(RACE).read_text().splitlines()) + 1)
        self.assertEqual(seen["hot"], [25])
        self.assertEqual(seen["hot_visible"], [True])
        self.assertEqual(seen["lit"], [25])
        self.assertGreater(seen["pairs"], 1)

    def test_differences_on_a_gpu(self):
        assembler = self.folder / "tileiras"
        assembler.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho code >"$2"\n')
        assembler.chmod(stat.S_IRWXU)
        seen = self.look("gpu", GPU, "--device", "gpu", "--repeat", "4", CUTILE_TILEIRAS_PATH=str(assembler),
                         LD_LIBRARY_PATH=FAKE_CUDA, FAKE_ARGUMENT="1", FAKE_BYTES="3000000")
        writers, heat = seen["canvases"]
        self.assertGreater(writers["cells"], 1000)
        self.assertGreater(writers["marked"], 100)
        self.assertGreater(heat["marked"], 100)
        self.assertLess(max(writers["width"], writers["height"]), 500)
        self.assertGreater(min(writers["width"], writers["height"]), 200)  # long grids are cut into bands
        self.assertEqual(seen["pairs"], 13)  # twelve, and the heading
        self.assertEqual(len(seen["schedules"]), 2)

    def test_clean(self):
        seen = self.look("clean", CLEAN, "--device", "cpu", "--repeat", "3")
        self.assertIn("no difference", seen["words"][0][0])
        self.assertIn("same", seen["words"][0][1])
        self.assertEqual([canvas["kind"] for canvas in seen["canvases"]], ["writers"])
        self.assertEqual(seen["canvases"][0]["marked"], 0)
        self.assertEqual(seen["canvases"][0]["red"], 0)
        self.assertEqual((seen["schedules"], seen["pairs"], seen["hot"]), ([], 0, []))
        self.assertGreater(seen["lines"], 20)


if __name__ == "__main__":
    if not BROWSER:
        sys.exit("run_page.py: chromium is not there (ci/setup.sh --long installs it)")
    unittest.main(argv=sys.argv[:1])
