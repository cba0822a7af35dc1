"""What a launch contract states of the contents of a buffer is believed as far as it reaches, in
whatever way it is written, and no further: no witness breaks it.

    test_stated_contents.py TILERACE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"

ONE = "y[index[tile_bid(0)]] = 1.0f;"
ROWS = "y[index[tile_bid(0) + 8 * tile_bid(1)]] = 1.0f;"
TILES = (
    "tile i = tile_iota(16) + 16 * tile_bid(0); "
    "tile_store_ptr(tile_pointers(y, tile_load_ptr(tile_pointers(index, i))), 1.0f);"
)

# Each line: body, grid, the elements that are unique, verdict.
STATED = [
    (ONE, [8], "index < grid.x", "race-free"),
    (ONE, [8], "index < 8", "race-free"),
    (ONE, [8], "grid.x > index", "race-free"),
    (ONE, [8], "index <= grid.x - 1", "race-free"),
    (ONE, ["n"], "index < grid.x", "race-free"),
    (ONE, ["n"], "index < n", "race-free"),
    (ONE, ["cdiv(n, 64)"], "index < grid.x", "race-free"),
    (ONE, [8], "index < 7", "conditional"),
    (ONE, [8], "index < grid.x - 1", "conditional"),
    (ONE, [8], "index > 0", "conditional"),
    (ONE, [8, 4], "index < grid.x * grid.y", "race"),  # blocks of one column share an element
    (ROWS, [8, 4], "index < grid.x * grid.y", "race-free"),
    (ROWS, [8, 4], "index < grid.x * 4", "race-free"),
    (ROWS, [8, 4], "index < grid.x * grid.y - 1", "conditional"),
    (ROWS, [8, 4], "index < grid.x", "conditional"),
    (TILES, [8], "index < 16 * grid.x", "race-free"),
    (TILES, [8], "index / 16 < grid.x", "race-free"),
    (TILES, [8], "index < 16 * grid.x - 1", "conditional"),
    (TILES, [8], "index % 16 < 15", "conditional"),
]


class StatedContents(unittest.TestCase):
    def check(self, body, grid, unique):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "k.c"
            source.write_text(
                "#include <tile.h>\ntile_kernel void k(float *restrict y, const int *restrict index, "
                f"int n)\n{{\n    {body}\n}}\n")
            launch = pathlib.Path(folder) / "k.json"
            contents = [{"buffer": "index", "unique": unique}]
            launch.write_text(json.dumps(
                {"version": 1, "launches": [{"kernel": "k", "grid": grid, "contents": contents}]}))
            run = subprocess.run(
                [TILERACE, "check", "--format", "json", "--launch", str(launch), str(source)],
                capture_output=True, text=True, check=False)
        entry = json.loads(run.stdout)["inputs"][0]
        self.assertEqual(entry["status"], "checked", entry.get("error"))
        return entry["kernels"][0]

    def test_all(self):
        for body, grid, unique, verdict in STATED:
            with self.subTest(body=body, grid=grid, unique=unique):
                kernel = self.check(body, grid, unique)
                self.assertEqual(kernel["verdict"], verdict, kernel.get("reason"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
