"""Opens pages of `tilerace run --format html` in a real browser and looks at what it made of them.

    run_page.py TILERACE FAKE_CUDA_FOLDER [SCREENSHOT_FOLDER]     (needs chromium)

A script of ours is put behind the page's own: it counts what is there, moves the mouse and writes what
it saw into the document, which the browser then prints. Errors on the browser's console fail the test.
"""

import html
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
RACE = "build/fixtures/races/permute_heads_paper.c"
GPU = "build/fixtures/races/permute_heads_corrected.c"
INSIDE = "build/fixtures/races/softmax_chunked_missing_join.c"
FLAG = "build/fixtures/races/message_passing_relaxed_wait.c"
CLEAN = "kernels/matmul.c"

PROBE = r"""
<script>
const seen = {};
const all = (what, root) => [...(root || document).querySelectorAll(what)];
seen.headings = all("h1, h2").map(e => e.textContent);
seen.words = all(".words").map(e => [e.textContent, e.className, getComputedStyle(e).color]);
seen.elements = all("canvas[data-kind=elements]").map(canvas => +canvas.dataset.marked);
seen.canvases = all("canvas").map(canvas => {
  const {kind, cells, marked, size, left, top} = canvas.dataset, pen = canvas.getContext("2d");
  const data = pen.getImageData(0, 0, canvas.width, canvas.height).data, colours = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const colour = String(data.slice(i, i + 3));
    if (data[i + 3] === 255) colours.set(colour, (colours.get(colour) || 0) + 1);
  }
  const box = canvas.getBoundingClientRect(), tip = canvas.closest(".output").querySelector(".tip");
  const at = {clientX: box.x + (+left || 0) + (+size || 4) / 2, clientY: box.y + (+top || 0) + (+size || 4) / 2, bubbles: true};
  const before = tip.textContent;
  canvas.dispatchEvent(new MouseEvent("mousemove", at));
  const pointed = tip.textContent;
  canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
  return {kind, cells: +cells, marked: +marked, size: +size, width: canvas.width, height: canvas.height, before, pointed, moved: tip.textContent,
    ink: colours.get("26,26,26") || 0, colours: colours.size, name: canvas.getAttribute("aria-label"), tabs: canvas.tabIndex};
});
seen.unnamed = all("[role=img], [role=region], input").filter(e => !(e.getAttribute("aria-label") || e.closest("label"))).length;
seen.schedules = all(".schedules > div").map(column => all(".step", column).map(e => `${e.className} in lane ${e.closest("td").cellIndex}: ${e.textContent}`));
seen.memory = all("table.memory tr").length;
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
             "--enable-logging=stderr", f"--user-data-dir={profile}", *words,
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
            for width, scheme in ((1400, "1"), (1400, "0"), (500, "1")):
                browse(page, f"--window-size={width},1800", f"--blink-settings=preferredColorScheme={scheme}",
                       f"--screenshot={SHOTS.resolve() / name}-{width}{'' if scheme == '1' else '-dark'}.png")
        page.write_text(page.read_text() + PROBE)
        self.probe(page, 500)
        return self.probe(page, 1400)

    def probe(self, page, width):
        made = browse(page, f"--window-size={width},1500", "--dump-dom")
        console = [line for line in made.stderr.splitlines() if "CONSOLE" in line]
        self.assertEqual(console, [], "the browser complains")
        text = re.search(r'<pre id="seen">(.*?)</pre>', made.stdout, re.S)
        self.assertTrue(text, "the page's script did not come to its end")
        seen = json.loads(html.unescape(text[1]))
        self.assertEqual(seen["fetched"], 0)
        self.assertFalse(seen["wider_than_window"], f"at {width} pixels")
        self.assertEqual(seen["unnamed"], 0)
        for canvas in seen["canvases"]:
            self.assertTrue(canvas["name"])
            self.assertTrue(canvas["tabs"] == 0 or canvas["kind"] == "elements")
        return seen

    def test_race_on_the_interpreter(self):
        seen = self.look("race", RACE, "--device", "cpu", "--repeat", "4")
        self.assertIn("nondeterminism confirmed", seen["words"][0][0])
        self.assertIn("differs", seen["words"][0][1])
        writers, heat, elements = seen["canvases"]
        self.assertEqual([writers["kind"], heat["kind"], elements["kind"]], ["writers", "heat", "elements"])
        self.assertEqual(writers["cells"], heat["cells"])
        self.assertGreater(writers["marked"], 0)
        self.assertLess(writers["marked"], writers["cells"])
        self.assertEqual(heat["marked"], writers["marked"])  # every racing tile differs here
        self.assertGreaterEqual(writers["ink"], writers["marked"] * writers["size"])  # their outlines
        self.assertEqual(heat["ink"], 0)
        self.assertGreater(writers["colours"], 8)
        self.assertRegex(writers["before"], r"^tile \[\d+, 0, 0, 0\]: written by block \(\d+, 0, 0\) and block .* in a race; differs")
        self.assertRegex(writers["pointed"], r"^tile \[0, 0, 0, 0\]: ")
        self.assertRegex(writers["moved"], r"^tile \[0, 1, 0, 0\]: nobody writes it; differs in 0.0")
        self.assertGreater(seen["elements"][0], 100)
        self.assertIn("% of", writers["before"].replace("\u00a0", " "))
        first, second = seen["schedules"]
        self.assertEqual(len(first), len(second))
        self.assertEqual(sum("moved" in step for step in first), 2)
        self.assertNotEqual(first, second)
        self.assertEqual(seen["lines"], len(pathlib.Path(RACE).read_text().splitlines()))
        self.assertEqual(seen["hot"], [25])
        self.assertEqual(seen["hot_visible"], [True])
        self.assertEqual(seen["lit"], [25])
        self.assertGreater(seen["pairs"], 1)
        self.assertGreater(seen["memory"], 2)

    def test_race_inside_a_block(self):
        seen = self.look("inside", INSIDE, "--device", "cpu", "--repeat", "4")
        writers, heat, _ = seen["canvases"]
        self.assertEqual(writers["marked"], writers["cells"])
        self.assertGreater(heat["marked"], 0)
        self.assertGreater(seen["elements"][0], 0)
        self.assertGreater(seen["pairs"], 1)
        self.assertEqual(sum("moved" in step for step in seen["schedules"][0]), 2)

    def test_flag_that_does_not_synchronise(self):
        seen = self.look("flag", FLAG, "--device", "cpu", "--repeat", "2")
        self.assertIn("two schedules of a small launch end differently", seen["words"][0][0])
        self.assertEqual([canvas["kind"] for canvas in seen["canvases"]], ["writers"] * 3)
        self.assertEqual([canvas["marked"] > 0 for canvas in seen["canvases"]], [True, False, False])
        self.assertEqual([sum("moved" in step for step in side) for side in seen["schedules"]], [1, 1])
        self.assertLess(seen["headings"].index("Two schedules that end differently"), 2)

    def test_differences_on_a_gpu(self):
        assembler = self.folder / "tileiras"
        assembler.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho code >"$2"\n')
        assembler.chmod(stat.S_IRWXU)
        seen = self.look("gpu", GPU, "--device", "gpu", "--repeat", "4", CUTILE_TILEIRAS_PATH=str(assembler),
                         LD_LIBRARY_PATH=FAKE_CUDA, FAKE_ARGUMENT="1", FAKE_BYTES="3000000")
        writers, heat, elements = seen["canvases"]
        self.assertEqual(elements["kind"], "elements")
        self.assertGreater(writers["cells"], 500)
        self.assertGreater(writers["marked"], 10)
        self.assertGreater(heat["marked"], 100)
        self.assertLess(max(writers["width"], writers["height"]), 300)
        self.assertGreater(min(writers["width"], writers["height"]), 100)  # long grids are cut into bands
        self.assertGreater(seen["pairs"], 2)
        self.assertEqual(len(seen["schedules"]), 2)

    def test_clean(self):
        seen = self.look("clean", CLEAN, "--device", "cpu", "--repeat", "3")
        self.assertIn("no difference", seen["words"][0][0])
        self.assertIn("same", seen["words"][0][1])
        self.assertEqual([canvas["kind"] for canvas in seen["canvases"]], ["writers"])
        self.assertEqual(seen["canvases"][0]["marked"], 0)
        self.assertGreater(seen["canvases"][0]["colours"], 8)
        self.assertEqual((seen["schedules"], seen["pairs"], seen["hot"]), ([], 0, []))
        self.assertGreater(seen["lines"], 20)


if __name__ == "__main__":
    if not BROWSER:
        sys.exit("run_page.py: chromium is not there (ci/setup.sh --long installs it)")
    unittest.main(argv=sys.argv[:1])
