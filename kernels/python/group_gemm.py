"""Products of matrices of different sizes in one launch: a fixed number of blocks walks over the
tiles of all of them."""

import cuda.tile as ct


@ct.kernel
def group_gemm(left, right, out, groups, BM: ct.Constant[int], BN: ct.Constant[int],
               BK: ct.Constant[int]):
    t = ct.bid(0)
    begin = 0
    for g in range(groups):
        a, b, c = left[g], right[g], out[g]
        n_tiles = ct.num_tiles(c, axis=1, shape=(BM, BN))
        end = begin + ct.num_tiles(c, axis=0, shape=(BM, BN)) * n_tiles
        while t < end:
            i, j = (t - begin) // n_tiles, (t - begin) % n_tiles
            total = ct.zeros((BM, BN), dtype=ct.float32)
            for k in range(ct.num_tiles(a, axis=1, shape=(BM, BK))):
                x = ct.load(a, (i, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)  # @left
                y = ct.load(b, (k, j), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)  # @right
                total = ct.mma(x, y, total)
            ct.store(c, (i, j), ct.astype(total, ct.float16))  # @store
            t += ct.num_blocks(0)
        begin = end


SIGNATURE = {
    "left": "list f16[2]", "right": "list f16[2]", "out": "list f16[2]", "groups": "i32",
    "BM": 64, "BN": 64, "BK": 64,
}

# Where two entries of `out` are one array, or an input is an output, blocks race.
# EXPECT verdict conditional
# EXPECT TR003 @left @store
# EXPECT TR003 @right @store
# EXPECT TR001 @store @store
# EXPECT requires disjoint-regions:race index-in-space no-self-overlap no-wrap kernel-assume
