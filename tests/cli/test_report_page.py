"""The HTML report in a real browser: the picture's marks, its slider by keyboard, light and dark, and
nothing that leaves the page.

    test_report_page.py TILERACE [SCREENSHOT_FOLDER]     (skipped, and said, where no Chromium is)
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
SHOTS = pathlib.Path(sys.argv.pop(1)).absolute() if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]) else None
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import browser  # noqa: E402

RACY = {"unread axis": "build/fixtures/races/permute_heads_unread_axis.c", "swapped axis": "build/fixtures/races/permute_heads_paper.c",
        "transpose": "build/fixtures/races/transpose_repeated_index.c"}
RIGHT = ["kernels/transpose.c", "kernels/matmul_swizzle.c", "kernels/batched_matmul.c", "kernels/histogram.c"]

# What the page shows, as its reader sees it.
LOOK = """(() => [...document.querySelectorAll(".picture")].map(place => ({
  cells: [...place.querySelectorAll("g[data-cell]")].map(g => ({cell: +g.dataset.cell, owners: g.dataset.owners,
    race: +(g.dataset.race || 0), twice: +(g.dataset.twice || 0), unwritten: +(g.dataset.unwritten || 0),
    crosses: g.querySelectorAll(".cross").length, frames: g.querySelectorAll(".twice").length,
    stripes: g.querySelectorAll(".cell").length, spots: g.querySelectorAll(".spot").length})),
  said: place.querySelector("output") && place.querySelector("output").textContent,
  own: [...place.querySelectorAll(".own")].map(e => +e.dataset.of),
  lit: [...place.querySelectorAll("g[data-cell]")].filter(g => g.querySelector(".lit")).map(g => +g.dataset.cell),
  value: place.querySelector("input") && place.querySelector("input").getAttribute("aria-valuetext"),
  names: [...place.querySelectorAll("[role=img]")].map(e => e.getAttribute("aria-label")),
  words: [...place.querySelectorAll("ul:not(.legend) li")].map(e => e.textContent),
  pre: [...place.querySelectorAll("pre")].map(e => e.textContent)})))()"""

# Contrast of every text against what lies behind it (WCAG), the least of the page.
CONTRAST = """(() => {
  const numbers = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  let least = [99, ""];
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || ["SCRIPT", "STYLE"].includes(e.tagName)) continue;
    let ink = getComputedStyle(e).color, paper = behind(e);
    if (e.namespaceURI.endsWith("svg")) {
      ink = getComputedStyle(e).fill;
      const rect = e.parentElement.matches("g") && e.parentElement.querySelector("rect.cell");
      if (rect) paper = numbers(getComputedStyle(rect).fill);
    }
    const a = light(numbers(ink).slice(0, 3)), b = light(paper.slice(0, 3));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, e.tagName + ": " + e.textContent.slice(0, 40)];
  }
  return least;
})()"""


@unittest.skipUnless(browser.PROGRAM, "no Chromium is there (ci/setup.sh installs it)")
class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.browser = browser.Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.holder.cleanup()

    def report(self, name, *files):
        path = self.folder / f"{name}.html"
        done = subprocess.run([TILERACE, "check", "-o", f"html={path}", *files], capture_output=True, text=True,
                              check=False, timeout=120)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return path

    def show(self, name, *files, **options):
        """The page, which asked for nothing but itself and complained of nothing."""
        path = self.report(name, *files)
        page = self.browser.open(path, **options)
        self.addCleanup(lambda: self.assertEqual(page.console, [], "the browser complains"))
        self.addCleanup(lambda: self.assertEqual(page.requests, [f"file://{path}"], "a request left the page"))
        return page

    def look(self, page):
        return page.js(LOOK)

    def test_double_writes_are_marked(self):
        page = self.show("racy", *RACY.values())
        wanted = {"unread axis": [0, 1], "swapped axis": [0, 2], "transpose": [0]}
        for (name, file), shown in zip(RACY.items(), self.look(page)):
            marked = [cell["cell"] for cell in shown["cells"] if cell["race"]]
            for cell in shown["cells"]:
                self.assertEqual((cell["crosses"], cell["frames"]), (2, 1) if cell["race"] else (0, 0), name)
                self.assertEqual(cell["stripes"], max(1, min(4, len(cell["owners"].split()))), name)
            (spot,) = [cell["cell"] for cell in shown["cells"] if cell["spots"]]
            self.assertIn(spot, marked)
            self.assertTrue(any("in a race" in words for words in shown["words"]), name)
            self.assertIn("tile block", shown["pre"][0])
            self.assertIn(f"{len(marked)} cell{'s' if len(marked) > 1 else ''} written in a race", shown["names"][0])
            # By the launch of the witness and the index of the store, in the source:
            grid = [int(n) for n in re.search(r"grid (\d+) x (\d+) x (\d+)", shown["words"][0]).groups()]
            values = {key: int(n) for key, n in re.findall(r"(\w+) = (\d+)", shown["words"][0])}
            self.assertEqual(marked, self.written_twice(name, grid, values), (name, file))
            self.assertLessEqual(set(wanted[name][:1]), set(marked))

    def written_twice(self, name, grid, p):
        writers = {}
        if name == "transpose":
            down, across = -(-p["cols"] // 64), -(-p["rows"] // 64)
            for x in range(grid[0]):
                for y in range(grid[1]):
                    if x < across:
                        writers.setdefault(x * across + x, set()).add((x, y))
        else:
            tiles = -(-p["M"] // 64)
            for x in range(grid[0]):
                for y in range(grid[1]):
                    for m in range(tiles):
                        b, h = divmod(x, p["H"])
                        at = (b, m, h) if name == "unread axis" else (b, m, y)
                        counts = (p["B"], tiles, p["H"]) if name == "unread axis" else (p["B"], p["H"], tiles)
                        if at[1] < counts[1] and at[2] < counts[2]:
                            writers.setdefault((at[0] * counts[1] + at[1]) * counts[2] + at[2], set()).add((x, y))
        return sorted(cell for cell, by in writers.items() if len(by) > 1)

    def test_right_ones_have_no_mark(self):
        page = self.show("right", *RIGHT)
        for file, shown in zip(RIGHT, self.look(page)):
            self.assertGreater(len(shown["cells"]), 0 if "histogram" in file else 10, file)
            for cell in shown["cells"]:
                self.assertEqual((cell["crosses"], cell["frames"], cell["spots"], cell["race"]), (0, 0, 0, 0), file)

    def test_slider_by_keyboard(self):
        page = self.show("slider", "kernels/transpose.c")
        (shown,) = self.look(page)
        self.assertRegex(shown["said"], r"^all 54 tile blocks of the grid 6 x 9 x 1$")
        page.js("document.querySelector('.picture input').focus()")
        page.press("ArrowRight")
        (shown,) = self.look(page)
        # Tile block (1, 0, 0) of the transpose writes tile [1, 0], the first of the second row of nine.
        self.assertEqual(shown["said"], "tile block (1, 0, 0) writes tile [1, 0] of dst")
        self.assertEqual((shown["own"], shown["lit"], shown["value"]), ([9], [9], "tile block (1, 0, 0)"))
        for _ in range(6):
            page.press("ArrowRight")
        self.assertEqual(self.look(page)[0]["said"], "tile block (1, 1, 0) writes tile [1, 1] of dst")
        page.press("End")
        (shown,) = self.look(page)
        self.assertEqual((shown["own"], shown["value"]), ([53], "tile block (5, 8, 0)"))
        page.press("Home")
        self.assertEqual(self.look(page)[0]["own"], [0])
        page.press("Escape")
        (shown,) = self.look(page)
        self.assertEqual((shown["own"], shown["lit"]), ([], []))
        page.js("document.querySelector('.picture input').blur()")
        reached = []
        for _ in range(6):
            page.press("Tab")
            reached.append(page.js("document.activeElement.id || document.activeElement.tagName"))
        self.assertIn("theme", reached)
        self.assertIn("INPUT", reached)

    def test_a_block_that_shares_its_tile(self):
        page = self.show("shares", RACY["unread axis"])
        page.js("document.querySelector('.picture input').focus()")
        page.press("ArrowRight")
        (shown,) = self.look(page)
        self.assertIn("also written by others", shown["said"])

    def test_light_and_dark(self):
        files = (RACY["swapped axis"], "kernels/stream_k.c", *RIGHT)
        for theme, paper in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(22, 22, 22)")):
            page = self.show(f"theme-{theme}", *files)
            page.theme(theme)
            colour = "getComputedStyle(document.body).backgroundColor"
            self.assertEqual(page.js(colour), paper)
            least, where = page.js(CONTRAST)
            self.assertGreaterEqual(least, 4.5, f"{theme}: {where}")
            if SHOTS:
                page.screenshot(SHOTS / f"report-{theme}.png")
                page.screenshot(SHOTS / f"report-{theme}-narrow.png", 420)
            # The switch says which one it gives, and gives it.
            other = "Dark colours" if theme == "light" else "Light colours"
            button = "document.getElementById('theme')"
            self.assertEqual(page.js(f"{button}.textContent"), other)
            page.js(f"{button}.focus()")
            page.press("Enter")
            page.js(f"{button}.textContent === '{other}' && {button}.click()")
            self.assertNotEqual(page.js(colour), paper)
            least, where = page.js(CONTRAST)
            self.assertGreaterEqual(least, 4.5, f"{theme}, switched: {where}")

    def test_no_wider_than_the_window(self):
        for width in (420, 1200):
            page = self.show(f"width-{width}", *RACY.values(), *RIGHT, "kernels/stream_k.c", width=width)
            self.assertLessEqual(page.js("document.documentElement.scrollWidth"), width)

    def test_without_scripts(self):
        """All that is drawn is said as well."""
        path = self.report("still", RACY["unread axis"])
        self.assertIn("<li>tile [0, 0, 0, 0] of 'dst' is written by tile blocks (0, 0, 0) and (0, 1, 0)</li>",
                      path.read_text())
        page = self.browser.open(path, scripts=False)
        self.assertEqual(page.requests, [f"file://{path}"])

    def test_hostile_names(self):
        evil = self.folder / "a\"><img src=x onerror=document.title='owned'>.c"
        source = pathlib.Path(RACY["unread axis"]).read_text()
        evil.write_text(source + "// </script><script>document.title='owned'</script>\n")
        page = self.show("evil", str(evil))
        self.assertEqual(page.js("document.title"), "tilerace report")
        self.assertEqual(page.js("document.querySelectorAll('img, iframe, object').length"), 0)
        self.assertEqual(len(self.look(page)), 1)


if __name__ == "__main__":
    unittest.main()
