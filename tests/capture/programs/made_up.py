"""Kernels without a file: the front end needs their source, and says so."""
import linecache

import numpy as np

import cuda.tile as ct

SOURCE = """
@ct.kernel
def fill(out, width: ct.Constant[int]):
    ct.store(out, ct.bid(0), ct.zeros((width,), ct.float32))
"""
out = np.zeros(32, np.float32)
for name, known in ("<no source>", False), ("<source in memory>", True):
    if known:
        linecache.cache[name] = len(SOURCE), None, SOURCE.splitlines(True), name
    names = {"ct": ct}
    try:
        exec(compile(SOURCE, name, "exec"), names)
        ct.launch(None, (2,), names["fill"], (out, 16))
        print(name, "launched")
    except Exception as error:
        print(name, type(error).__name__, error)
