"""The trial of trial.py on 20 kernels of cuTile Python, with references in NumPy.

    trial_python.py TILERACE [the options of trial.py]

The Python that runs it has cuda-tile and numpy.
"""
import os
import re
import sys

import numpy as np

import trial

sys.path.insert(0, str(trial.ROOT / "python"))

MISTAKES = [
    ("wrong axis", r"ct\.bid\(0\)", "ct.bid(1)"),
    ("wrong axis", r"ct\.bid\(1\)", "ct.bid(0)"),
    ("axis not read", r"ct\.bid\(1\)", "0"),
    ("ids from 1", r"ct\.bid\((\d)\)", r"(ct.bid(\1) + 1)"),
    ("several blocks, one tile", r"ct\.bid\((\d)\)", r"(ct.bid(\1) // 2)"),
    ("order of indices", r"(ct\.store\(\w+, )\((\w+), (\w+)\)", r"\1(\3, \2)"),
    ("floor for ceiling", r"ct\.cdiv\(([^(),]+), ([^(),]+)\)", r"(\1 // \2)"),
    ("floor for ceiling", r"ct\.num_tiles\((\w+), axis=(\d), shape=(\([^()]*\))\)", r"(\1.shape[\2] // \3[\2])"),
    ("loop end one short", r"range\((\w+|ct\.num_tiles\([^:]*\))\):", r"range(\1 - 1):"),
    ("loop end inclusive", r"range\((\w+|ct\.num_tiles\([^:]*\))\):", r"range(\1 + 1):"),
    ("wrong step", r", ct\.num_blocks\(0\)\)", ", ct.num_blocks(0) + 1)"),
    ("wrong step", r", ct\.num_blocks\(0\)\)", ", 1)"),
    ("wrong operation", r"(?<=[\w)\]]) \+ (?=[\w(])", " - "),
    ("wrong operation", r"(?<=[\w)\]]) \* (?=[\w(])", " + "),
    ("operands swapped", r"ct\.mma\((\w+), (\w+), ", r"ct.mma(\2, \1, "),
    ("accumulator dropped", r"ct\.mma\((\w+), (\w+), total\)", r"ct.mma(\1, \2, ct.zeros((BM, BN), dtype=ct.float32))"),
    ("accumulator dropped", r"(total|squares) \+= ", r"\1 = "),
    ("padding dropped", r",\s+padding_mode=ct\.PaddingMode\.\w+", ""),
    ("wrong padding", r"PaddingMode\.NEG_INF", "PaddingMode.ZERO"),
    ("extent for another", r"shape\[0\]", "shape[1]"),
    ("extent for another", r"shape\[1\]", "shape[0]"),
    ("constant for a size", r"\b\w+\.shape\[\d\]", "128"),
    ("wrong axis of a sum", r"axis=1, keepdims", "axis=0, keepdims"),
    ("store dropped", r"    ct\.(store|scatter|store_advanced_indexing)\([^\n]*\n", "    pass\n"),
]


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layer_norm(x, weight, bias, y, mean, rstd, epsilon, _):
    average = x.mean(axis=1)
    scaling = 1 / np.sqrt(((x - average[:, None]) ** 2).mean(axis=1) + epsilon)
    return (x - average[:, None]) * scaling[:, None] * weight + bias, average, scaling


def rms_norm(x, weight, y, epsilon, *_):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + epsilon) * weight


def blur(x, y, _):
    behind = np.pad(x, ((0, 0), (0, 32)))
    return sum(behind[:, 1 + i:1 + i + x.shape[1]] for i in range(16)) / 16


def scatter_rows(src, index, dst, *_):
    dst[index] = src


def cross_entropy(logits, target, loss, _):
    p = softmax(logits)
    rows = np.arange(len(target))
    value = -np.log(p[rows, target])
    p[rows, target] -= 1
    return p, value


def matmul(a, b, *_):
    return a @ b


MATRICES = "a:float32[m,k] b:float32[k,n] +c:float32[m,n] BM=16 BN=16 BK=16"
THREE = {"m": 100, "n": 70, "k": 60}
# Name: the largest of each size, the arguments (`+`: an output, `*`: an output that is an input too), the
# grid, and the reference.
KERNELS = {
    "add_vectors": ({"n": 3000}, "a:float32[n] b:float32[n] +c:float32[n] TILE=32", ["cdiv(n, 32)"],
                    lambda a, b, c, _: a + b),
    "argmax_rows": ({"n": 100, "m": 32}, "x:float32[n,m] +value:float32[n] +where:int32[n] ROWS=8 TILE=32",
                    ["cdiv(n, 8)"], lambda x, *_: (x.max(axis=1), x.argmax(axis=1))),
    "transpose": ({"m": 200, "n": 200}, "src:float32[m,n] +dst:float32[n,m] T=16", ["cdiv(m, 16)", "cdiv(n, 16)"],
                  lambda src, *_: src.T),
    "swiglu": ({"m": 50, "n": 300}, "a:float32[m,n] b:float32[m,n] +c:float32[m,n] TILE=32", ["m", "cdiv(n, 32)"],
               lambda a, b, *_: a / (1 + np.exp(-a)) * b),
    "scale_by_constant": ({"n": 3000}, "*x:float32[n] factor=2.5 PROCESSORS=4 TILE=32", [4],
                          lambda x, factor, *_: x * factor),
    "scale_by_argument": ({"n": 3000}, "*x:float32[n] factor=2.5 step=4 TILE=32", [4],
                          lambda x, factor, *_: x * factor),
    "scale_by_blocks": ({"m": 50, "n": 200}, "*x:float32[m,n] factor=2.5 TILE=32", [4],
                        lambda x, factor, *_: x * factor),
    "scale_asserted": ({"n": 3000}, "*x:float32[n] factor=2.5 step=4 TILE=32", [4],
                       lambda x, factor, *_: x * factor),
    "softmax": ({"m": 50, "n": 200}, "x:float32[m,n] +y:float32[m,n] TILE=32", ["m"], lambda x, *_: softmax(x)),
    "layer_norm": ({"m": 50, "n": 200}, "x:float32[m,n] weight:float32[n] bias:float32[n] +y:float32[m,n] "
                   "+mean:float32[m] +rstd:float32[m] epsilon=0.001 TILE=32", ["m"], layer_norm),
    "rms_norm_static": ({"m": 50, "n": 32}, "x:float32[m,n] weight:float32[n] +y:float32[m,n] epsilon=0.001 ROWS=4 "
                        "TILE=32", [3], rms_norm),
    "permute_heads": ({"b": 4, "h": 4, "m": 60}, "src:float32[b,h,m,16] +dst:float32[b,m,h,16] BM=16 D=16", ["b * h"],
                      lambda src, *_: src.transpose(0, 2, 1, 3)),
    "gather_rows": ({"n": 80, "t": 90, "m": 100}, "table:float32[t,m] ids:int32[n]<t +dst:float32[n,m] ROWS=16 TILE=16",
                    ["cdiv(n, 16)"], lambda table, ids, *_: table[ids]),
    "scatter_rows": ({"n": 80, "m": 100}, "src:float32[n,m] index:int32[n]<n! +dst:float32[n,m] ROWS=1 TILE=16",
                     ["n", "cdiv(m, 16)"], scatter_rows),
    "cross_entropy": ({"n": 50, "m": 200}, "*logits:float32[n,m] target:int32[n]<m +loss:float32[n] TILE=32", ["n"],
                      cross_entropy),
    "matmul_persistent": (THREE, MATRICES, [4], matmul),
    "matmul_grouped": (THREE, MATRICES + " GROUP=4", ["cdiv(m, 16) * cdiv(n, 16)"], matmul),
    "matmul_swizzle": (THREE, MATRICES, ["cdiv(m, 16) * cdiv(n, 16)"], matmul),
    "blur": ({"m": 50, "n": 200}, "x:float32[m,n] +y:float32[m,n] TILE=16", ["m", "cdiv(n, 16)"], blur),
    "prefix_sum_add": ({"n": 3000}, "*y:int32[n] before:int32[cdiv(n, 32)] TILE=32", ["cdiv(n, 32)"],
                       lambda y, before, _: y + np.repeat(before, 32)[:len(y)]),
}


def argument(word):
    match = re.fullmatch(r"([+*]?)(\w+):(\w+)\[(.*?)\](?:<(\w+)(!?))?", word)
    if not match:
        name, _, value = word.partition("=")
        number = float(value) if "." in value else int(value)
        return {"name": name, "constant" if name.isupper() else "value": number}
    mark, name, dtype, extents, below, unique = match.groups()
    shape = [int(e) if e.isdigit() else e for e in re.split(r",(?![^(]*\))", extents)]
    of = {"name": name, "dtype": dtype, "shape": shape}
    of.update({"output": True} if mark else {}, **({"inout": True} if mark == "*" else {}))
    of.update({"min": 0, "max": below + " - 1", "unique": bool(unique)} if below else {})
    return of


class Python:
    def __init__(self, options):
        os.environ["TILERACE_PROGRAM"] = os.path.abspath(options.tilerace)

    def kernels(self):
        return [trial.ROOT / "kernels" / "python" / (name + ".py") for name in sorted(KERNELS)]

    def places(self, text):
        end = text.index("\nSIGNATURE")
        return [place for place in trial.places(text, MISTAKES, "import", ("def ", "Constant", "import"))
                if place[1][1] < end]

    def judge(self, kernel, text):
        import tilerace
        sizes, words, grid, reference = KERNELS[kernel.stem]
        context = {"kernel": {"source": text, "name": kernel.stem}, "grid": grid, "samples": 6,
                   "sizes": {name: {"max": most} for name, most in sizes.items()},
                   "arguments": [argument(word) for word in re.split(r" (?![^\[]*\])", words)]}
        try:
            return dict(tilerace.judge(context, reference=reference).answer["tilerace"])
        except tilerace.InputError as error:
            return {"class": "no answer", "score": 0, "faults": [], "stages": [], "why": str(error)}


if __name__ == "__main__":
    sys.exit(trial.main(Python))
