"""A witness tells elements as the kernel reads them: those of unsigned tables are not negative.

    test_table_numbers.py TILERACE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"

# Each line: type of the elements, what the contract says, guard, index, the ends of what is told.
TABLES = [
    ("unsigned char", "", "t[b] > 200", "t[b] / 2", 201, 255),
    ("signed char", "", "t[b] < -3", "t[b] / 2 + 64", -128, -4),
    ("unsigned short", "tile_contents(t, 40000, 60000);", "1", "t[b] / 2", 40000, 60000),
    ("short", "", "t[b] < -300", "t[b] / 2 + 16384", -32768, -301),
    ("unsigned", "", "t[b] > 3000000000u", "t[b] / 2", 3000000001, 4294967295),
    ("int", "", "t[b] < -3", "(t[b] & 15) / 2", -2147483648, -4),
    # A comparison for equality tells no sign, the division does.
    ("unsigned", "", "t[b] == 4000000000u", "t[b] / 2", 4000000000, 4000000000),
    ("unsigned", "tile_contents(t, 4000000000, 4000000007);", "1", "(int)(t[b] & 7) / 2",
     4000000000, 4000000007),
]


class TableNumbers(unittest.TestCase):
    def witness(self, element, stated, guard, index):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "k.c"
            source.write_text(
                f"#include <tile.h>\ntile_kernel void k(int *restrict x, const {element} *restrict t)\n"
                f"{{\n    {stated}\n    int b = tile_bid(0);\n    if ({guard})\n"
                f"        x[{index}] = b;\n}}\n")
            run = subprocess.run([TILERACE, "check", "--format", "json", str(source)],
                                 capture_output=True, text=True, check=False)
        kernel = json.loads(run.stdout)["inputs"][0]["kernels"][0]
        self.assertEqual(kernel["verdict"], "race", kernel)
        return kernel["findings"][0]["witness"]

    def test_all(self):
        for element, stated, guard, index, low, high in TABLES:
            with self.subTest(element=element, guard=guard, index=index):
                witness = self.witness(element, stated, guard, index)
                table = witness["contents"]["t"]
                for event in witness["events"]:
                    lookup, = event["lookups"]
                    self.assertTrue(low <= lookup["value"] <= high, lookup)
                    if lookup["element"] < len(table):
                        self.assertEqual(table[lookup["element"]], lookup["value"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
