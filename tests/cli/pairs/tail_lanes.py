"""Rotary halves of a head: the tile is a power of two, and wider than a half."""
import sys

import cuda.tile as ct
import numpy as np

Int = ct.Constant[int]


@ct.kernel
def rotate(q, out, cos, sin, HEAD: Int, T: Int, BEFORE: Int):
    half = HEAD // 2
    lane = ct.arange(T, dtype=ct.int32)
    within = lane < T if BEFORE else lane < half
    start = ct.bid(0) * HEAD
    c = ct.gather(cos, lane, mask=within, padding_value=0)
    s = ct.gather(sin, lane, mask=within, padding_value=0)
    left = ct.gather(q, start + lane, mask=within, padding_value=0)
    right = ct.gather(q, start + half + lane, mask=within, padding_value=0)
    ct.scatter(out, start + lane, left * c - right * s, mask=within)  # TR001
    ct.scatter(out, start + half + lane, right * c + left * s, mask=within)


before = "before" in sys.argv
heads, width = 16, 96
q = np.ones(heads * width, np.float32)
cos, sin = np.ones(width // 2, np.float32), np.zeros(width // 2, np.float32)
ct.launch(None, (heads,), rotate, (q, np.empty_like(q), cos, sin, width, 64, before))  # launch
