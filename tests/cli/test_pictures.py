"""The pictures of the HTML report tell the truth: what each tile block writes, computed here from the
source's index expressions alone, is what the page holds; and nothing else of the report changes.

    test_pictures.py TILERACE
"""

import collections
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))

from formats import FORMATS  # noqa: E402  the folder is known only now


def cdiv(a, b):
    return -(-a // b)


def check(*words, code=(0, 1)):
    done = subprocess.run([TILERACE, "check", *words], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode in code, done.stdout + done.stderr
    return done.stdout


def pictures(page):
    return [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', page)]


def picture(file, *words):
    (only,) = pictures(check("--format", "html", file, *words))
    return only


def launch_of(drawn):
    values = dict(re.findall(r"(\w+) = (-?\d+)", drawn["launch"]["words"]))
    return drawn["launch"]["grid"], {name: int(value) for name, value in values.items()}


class Written:
    """An array and the tile blocks that write each element of it."""

    def __init__(self, shape, tile):
        self.shape, self.tile, self.by = shape, tile, collections.defaultdict(set)

    def store(self, block, *index):
        """A tile at that index of the view: what lies beyond the array is masked."""
        ranges = [range(i * t, min((i + 1) * t, n)) for i, t, n in zip(index, self.tile, self.shape)]
        for element in itertools.product(*ranges):
            self.by[element].add(block)

    def cells(self):
        """For each tile, row-major: who writes it, elements with several writers, elements without."""
        for at in itertools.product(*[range(cdiv(n, t)) for n, t in zip(self.shape, self.tile)]):
            ranges = [range(i * t, min((i + 1) * t, n)) for i, t, n in zip(at, self.tile, self.shape)]
            of = [self.by.get(element, set()) for element in itertools.product(*ranges)]
            yield (sorted(set().union(*of)), sum(len(by) > 1 for by in of), sum(not by for by in of))


def blocks_of(grid):
    for z, y, x in itertools.product(*[range(n) for n in reversed(grid)]):
        yield x + grid[0] * (y + grid[1] * z), x, y, z


# What the sources store, said once more: (grid, parameters) -> array.

def transpose(grid, p):
    out = Written((p["cols"], p["rows"]), (64, 64))
    for block, x, y, _ in blocks_of(grid):
        out.store(block, x, y)
    return out


def matmul_swizzle(grid, p):
    out = Written((p["M"], p["N"]), (128, 128))
    m_tiles, n_tiles = cdiv(p["M"], 128), cdiv(p["N"], 128)
    for block, x, _, _ in blocks_of(grid):
        first = x // (8 * n_tiles) * 8
        rows, within = min(m_tiles - first, 8), x % (8 * n_tiles)
        out.store(block, first + within % rows, within // rows)
    return out


def batched_matmul(grid, p):
    out = Written((p["batch"], p["M"], p["N"]), (1, 128, 128))
    for block, x, y, z in blocks_of(grid):
        out.store(block, z, x, y)
    return out


def strided_copy(grid, p):
    out = Written((p["rows"], p["cols"]), (32, 64))
    for block, x, y, _ in blocks_of(grid):
        out.store(block, y, x)
    return out


def permute_heads_paper(grid, p):
    out = Written((p["B"], p["H"], p["M"], 64), (1, 1, 64, 64))
    for block, x, y, _ in blocks_of(grid):
        for m in range(cdiv(p["M"], 64)):
            out.store(block, x // p["H"], m, y, 0)
    return out


def permute_heads_unread(grid, p):
    out = Written((p["B"], p["M"], p["H"], 64), (1, 64, 1, 64))
    for block, x, _, _ in blocks_of(grid):
        for m in range(cdiv(p["M"], 64)):
            out.store(block, x // p["H"], m, x % p["H"], 0)
    return out


def transpose_repeated(grid, p):
    out = Written((p["cols"], p["rows"]), (64, 64))
    for block, x, _, _ in blocks_of(grid):
        out.store(block, x, x)
    return out


def vector_add_unread(grid, p):
    out = Written((p["n"],), (1024,))
    for block, x, _, _ in blocks_of(grid):
        out.store(block, x)
    return out


RIGHT = [("kernels/transpose.c", transpose), ("kernels/matmul_swizzle.c", matmul_swizzle),
         ("kernels/batched_matmul.c", batched_matmul), ("kernels/strided_copy.c", strided_copy)]
RACY = [("build/fixtures/races/permute_heads_paper.c", permute_heads_paper),  # its axes are swapped
        ("build/fixtures/races/permute_heads_unread_axis.c", permute_heads_unread),
        ("build/fixtures/races/transpose_repeated_index.c", transpose_repeated),
        ("build/fixtures/races/vector_add_unread_axis.c", vector_add_unread)]


class Truth(unittest.TestCase):
    def compare(self, file, stores):
        drawn = picture(file)
        grid, values = launch_of(drawn)
        (array,) = drawn["buffers"]
        wanted = stores(grid, values)
        self.assertEqual((tuple(array["shape"]), tuple(array["tile"])), (wanted.shape, wanted.tile), file)
        self.assertEqual(set(array["merged"]), {1})
        cells = array["cells"]
        got = list(zip(cells["owners"], cells["twice"], cells["unwritten"]))
        self.assertEqual(got, list(wanted.cells()), f"{file} at {drawn['launch']['words']}")
        self.assertEqual(sum(cells["atomic"]), 0)
        return drawn, cells

    def test_right_ones(self):
        for file, stores in RIGHT:
            drawn, cells = self.compare(file, stores)
            self.assertEqual(sum(cells["race"]) + sum(cells["twice"]) + sum(cells["unwritten"]), 0, file)
            self.assertEqual((drawn["launch"]["from"], drawn["witness"]), ("search", None))
            self.assertGreaterEqual(len(cells["owners"]), 12, file)  # there is something to see
            self.assertTrue(any("is written by one tile block, whole" in words for words in drawn["words"]))

    def test_racy_ones(self):
        for file, stores in RACY:
            drawn, cells = self.compare(file, stores)
            self.assertEqual(cells["race"], cells["twice"], file)
            self.assertGreater(sum(cells["race"]), 0)
            self.assertEqual((drawn["launch"]["from"], drawn["launch"]["rule"]), ("witness", "TR001"))
            witness = drawn["witness"]
            self.assertGreater(cells["race"][witness["cell"]], 0)
            self.assertLessEqual(set(witness["blocks"]), set(cells["owners"][witness["cell"]]))
            self.assertTrue(any("in a race" in words for words in drawn["words"]))

    def test_conditional(self):
        """The launch of the example, which breaks the precondition; a race within one tile block."""
        drawn = picture("build/fixtures/races/scatter_padded_tail.c")
        self.assertEqual((drawn["launch"]["from"], drawn["launch"]["rule"]), ("witness", "TR004"))
        self.assertEqual(drawn["witness"]["blocks"], [0, 0])
        cells = drawn["buffers"][0]["cells"]
        self.assertGreater(cells["race"][drawn["witness"]["cell"]], 0)
        self.assertEqual(sum(cells["twice"]), 0)

    def test_ordered_and_atomic(self):
        """Elements that several tile blocks write in order, or by atomics, are no double writes in a race."""
        drawn = picture("kernels/stream_k.c")
        flag = [array for array in drawn["buffers"] if array["name"] == "flag"][0]["cells"]
        self.assertGreater(sum(flag["twice"]) + sum(flag["atomic"]), 0)
        for array in drawn["buffers"]:
            self.assertEqual(sum(array["cells"]["race"]), 0, array["name"])
        drawn = picture("kernels/histogram.c")
        cells = drawn["buffers"][0]["cells"]
        self.assertGreater(sum(cells["atomic"]), 0)
        self.assertEqual(sum(cells["twice"]) + sum(cells["race"]), 0)


class Page(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    def test_julia_counts_from_one(self):
        """In words and on the page, the fastest dimension first; the data count from 0."""
        as_julia = pathlib.Path(TILERACE).parent / "tests/as_julia"
        if not as_julia.exists():
            self.skipTest(f"{as_julia} is not built")
        made, module = str(self.folder / "c.tilebc"), str(self.folder / "m.tilebc")
        subprocess.run([TILERACE, "compile", "tests/compilers/julia/columns.c", "-o", made], check=True)
        subprocess.run([as_julia, made, module, "tests/compilers/julia/columns.jl", "4"], check=True)
        swapped, right = pictures(check("--format", "html", module))
        self.assertTrue(swapped["launch"]["from_one"])
        self.assertIn("tile [1, 1] of 'array2' is written by tile blocks (1, 1, 1), (1, 2, 1)",
                      " ".join(swapped["words"]).replace(" and (1, 2, 1)", ", (1, 2, 1)"))
        self.assertIn("stride[1] = 1,", right["launch"]["words"])  # of an array whose stride nobody reads

    def test_large_ones_are_thinned_and_hide_nothing(self):
        """A contract with a large launch: cells stand for several tiles; the two that are written twice
        show in theirs."""
        source = self.write("large.c", """#include <tile.h>
tile_kernel void large(float *y)
{
    tile_grid(20000);
    tile_extent(y, 20000 * 4);
    int i = tile_bid(0);
    if (i == 12345)
        i = 17;
    tile_store(tile_partition(tile_tensor(y, 20000 * 4), 4), tile_full(1.0f, 4), i);
}
""")
        drawn = picture(source)
        self.assertEqual(drawn["launch"]["grid"], [20000, 1, 1], drawn)
        (array,) = drawn["buffers"]
        self.assertEqual((array["merged"], array["counts"]), ([8], [2500]))
        cells = array["cells"]
        marked = [cell for cell in range(2500) if cells["race"][cell]]
        self.assertEqual(marked, [17 // 8])
        self.assertEqual(cells["race"][2], 4)
        self.assertEqual([cell for cell in range(2500) if cells["unwritten"][cell]], [12345 // 8])
        self.assertIn(12345, cells["owners"][2])
        self.assertTrue(any("one cell stands for several" in words for words in drawn["words"]))

    def test_why_there_is_none(self):
        source = self.write("none.c", """#include <tile.h>
tile_kernel void none(const float *x)
{
    tile_grid(4);
    tile t = tile_load(tile_partition(tile_tensor(x, 64), 16), tile_bid(0));
}
""")
        drawn = picture(source)
        self.assertEqual(drawn["why"], "it writes to no array of its arguments")
        self.assertIn("<li>there is no picture: it writes to no array of its arguments</li>",
                      check("--format", "html", source))

    def test_other_formats_stay_the_same(self):
        """Asking for HTML beside them changes no byte of theirs, times left out."""
        files = ["kernels/transpose.c", "kernels/stream_k.c", "build/fixtures/races/permute_heads_paper.c"]
        others = [name for name in FORMATS if name != "html"]
        def made(*words):
            check(*words, *files)
            return {name: re.sub(r'"time_ms":\s*[\d.]+|time="[\d.]+"', "", (self.folder / name).read_text())
                    for name in others}
        words = [word for name in others
                 for word in ("-o", f"{name}={self.folder / name}")]
        alone = made(*words)
        self.assertEqual(alone, made(*words, "-o", f"html={self.folder / 'page'}"))
        self.assertNotIn("picture", alone["json"])
        self.assertEqual(len(pictures((self.folder / "page").read_text())), 3)

    def test_results_that_were_kept(self):
        """What an earlier run without HTML left behind is not taken for a picture."""
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), "HOME": str(self.folder)}
        for name in ("text", "html", "text", "html"):
            done = subprocess.run([TILERACE, "check", "--format", name, "kernels/transpose.c"], env=environment,
                                  capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(pictures(done.stdout)), 1 if name == "html" else 0)

    def test_the_same_page_twice(self):
        timeless = lambda page: re.sub(r"<td>[\d.]+</td></tr>", "", page)
        files = ["kernels/transpose.c", "kernels/histogram.c", "kernels/stream_k.c"]
        self.assertEqual(timeless(check("--format", "html", *files)), timeless(check("--format", "html", "-j1", *files)))

    def test_names_are_no_markup(self):
        """Names of files, arrays and grids come from outside."""
        source = self.write("a<img src=x onerror=alert(1)>.c", pathlib.Path(
            "build/fixtures/races/vector_add_unread_axis.c").read_text() + "/* </script><script>alert(2)</script> */\n")
        page = check("--format", "html", source)
        self.assertNotIn("<img", page)
        self.assertEqual(page.count("<script"), 2)
        self.assertEqual(page.count("</script"), 2)
        # A contract names the memory that an array lies in as it likes.
        evil = "c</script><script>alert(3)</script><!--\u2028&quot;"
        contract = self.write("evil.json", json.dumps({"version": 1, "launches": [{"grid": [2, 2, 1], "args": [
            {"name": "a", "elements": 2048}, {"name": "b", "elements": 2048},
            {"name": "c", "elements": 2048, "buffer": evil}, {"name": "n", "value": 2048}]}]}))
        module = str(self.folder / "m.tilebc")
        subprocess.run([TILERACE, "compile", "build/fixtures/races/vector_add_unread_axis.c", "-o", module], check=True)
        page = check("--format", "html", "--launch", contract, module)
        self.assertEqual(pictures(page)[0]["buffers"][0]["name"], evil.replace("\u2028", "\ufffd"))  # what people may see
        self.assertEqual(page.count("<script"), page.count("</script"))
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<!--", page)
        self.assertIn("Content-Security-Policy", page)

    def test_no_address_of_elsewhere(self):
        page = check("--format", "html", "kernels/transpose.c")
        self.assertEqual(set(re.findall(r"https?://[^\"'\s]*", page)), {"http://www.w3.org/2000/svg"})


if __name__ == "__main__":
    unittest.main()
