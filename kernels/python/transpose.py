"""dst = src transposed; any strides."""

import cuda.tile as ct


@ct.kernel
def transpose(src, dst, T: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(dst, (j, i), ct.load(src, (i, j), shape=(T, T)).transpose())


SIGNATURE = {"src": "f32[2] loose", "dst": "f32[2] loose", "T": 32}

# EXPECT verdict race-free
# EXPECT requires index-in-space no-self-overlap kernel-assume
