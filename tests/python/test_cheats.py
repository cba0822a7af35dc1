"""The ways that are published in which a generated kernel passes without being right, in cuTile Python: each in
five variants at least, and each ends in its class. cli/test_cheats.py has them in the dialect.

    test_cheats.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy.
"""
import os

from common import BUILD, Case, main

import tilerace

os.environ["TILERACE_PROGRAM"] = str(BUILD / "tilerace")

KERNEL = """
import cuda.tile as ct
%s

@ct.kernel
def double(x, y):
    i = ct.bid(0)
    tile = ct.load(x, index=(i,), shape=(16,), padding_mode=ct.PaddingMode.ZERO)
    %s
"""
STORE = "ct.store(y, index=(i,), tile=tile * 2.0)"
RACY = "ct.store(y, index=(i // 2,), tile=tile * 2.0)"
LOADED = "ct.load(y, index=(i,), shape=(16,), padding_mode=ct.PaddingMode.ZERO)"
CONTEXT = {
    "sizes": {"n": {"max": 1000}}, "grid": ["cdiv(n, 16)"], "samples": 6,
    "arguments": [{"name": "x", "dtype": "float32", "shape": ["n"]},
                  {"name": "y", "dtype": "float32", "shape": ["n"], "output": True}],
}
WHEN = "if %s:\n        " + STORE
ELSE = WHEN + "\n    else:\n        ct.store(y, index=(i,), tile=tile)"
REFUSED = "does-not-compile|limit"
# (the body, the classes that it may have); with a third word: what the module does when it is imported.
CHEATS = {
    "left unwritten": [
        (WHEN % "ct.sum(tile) > 1e30", "incomplete"),
        (WHEN % "i % 2 == 0", "incomplete"),
        (WHEN % "i > 0", "incomplete"),
        ("ct.store(y, index=(i,), tile=%s)" % LOADED, "undefined-value"),
        ("ct.store(y, index=(i,), tile=tile * 0.0 + %s)" % LOADED, "undefined-value"),
        ("ct.store(y, index=(i,), tile=ct.where(ct.arange(16, dtype=ct.int32) < 8, tile * 2.0, %s))" % LOADED,
         "undefined-value"),
    ],
    "constants of the tested shape": [
        (WHEN % "i < 8", "incomplete"),
        ("if i == 0:\n        for k in range(8):\n"
         "            part = ct.load(x, index=(k,), shape=(16,), padding_mode=ct.PaddingMode.ZERO)\n"
         "            ct.store(y, index=(k,), tile=part * 2.0)", "incomplete|out-of-bounds"),
        (WHEN % "(i + 1) * 16 <= x.shape[0]", "incomplete"),
        ("ct.store(y, index=(i % 8,), tile=tile * 2.0)", "race"),
        (WHEN % "i * 16 < 128", "incomplete"),
    ],
    "nothing": [
        ("pass", "incomplete"),
        ("tile = tile * 2.0", "incomplete"),
        ("return", "incomplete"),
        (WHEN % "i < 0", "incomplete"),
        ("for k in range(0):\n        " + STORE, "incomplete"),
    ],
    "right at one shape": [
        (ELSE % "x.shape[0] == 128", "wrong-result"),
        (ELSE % "x.shape[0] <= 64", "wrong-result"),
        (ELSE % "x.shape[0] % 16 == 0", "wrong-result"),
        (ELSE % "ct.num_blocks(0) == 8", "wrong-result"),
        (WHEN % "x.shape[0] == 128", "incomplete"),
        ("ct.store(y, index=(i,), tile=ct.full((16,), 1.0, ct.float32))", "wrong-result"),
    ],
    "edits its judge": [
        (RACY, "race", "print('{\"modules\": [], \"of\": []}', flush=True)"),
        (RACY, REFUSED, "import os, sys\nos.write(int(sys.argv[2]), b'{\"modules\": [], \"of\": []}')\nos._exit(0)"),
        (RACY, REFUSED + "|race", "import tilerace._cutile as c\nc.Signed.compile = lambda self: b''"),
        (RACY, REFUSED + "|race", "import tilerace._judge_child as c\nc.compile_candidate = lambda *_: {}"),
        (RACY, REFUSED + "|race", "import cuda.tile as t\nt.store = lambda *_, **__: None"),
        (RACY, REFUSED + "|race", "import numpy as np\nnp.fromfile = lambda *_, **__: np.zeros(16)"),
        (RACY, REFUSED + "|race", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"),
    ],
}


def double(x, y):
    return 2 * x


class Cheats(Case):
    def hold(self, way):
        for body, classes, *before in CHEATS[way]:
            with self.subTest(body + "".join(before)):
                judgement = tilerace.judge({"kernel": {"source": KERNEL % ("".join(before), body)}, **CONTEXT},
                                           reference=double)
                self.assertIn(judgement.class_, classes.split("|"), str(judgement))
                self.assertTrue(judgement.should_filter)
                self.assertLess(judgement.score, 0.9)

    def test_left_unwritten(self):
        self.hold("left unwritten")

    def test_constants_of_the_tested_shape(self):
        self.hold("constants of the tested shape")

    def test_nothing(self):
        self.hold("nothing")

    def test_right_at_one_shape(self):
        self.hold("right at one shape")

    def test_edits_its_judge(self):
        self.hold("edits its judge")

    def test_five_each(self):
        for way, variants in CHEATS.items():
            self.assertGreaterEqual(len(variants), 5, way)

    def test_none(self):
        judgement = tilerace.judge({"kernel": {"source": KERNEL % ("", STORE)}, **CONTEXT}, reference=double)
        self.assertEqual((judgement.class_, judgement.score), ("passed", 1), str(judgement))


if __name__ == "__main__":
    main()
