"""Copies each array of a list into the one of another list, one tile a block."""

import cuda.tile as ct


@ct.kernel
def copy_list(source, target, WIDTH: ct.Constant[int]):
    k, i = ct.bid(0), ct.bid(1)
    x = ct.load(source[k], i, WIDTH)  # @load
    ct.store(target[k], i, x)  # @store


SIGNATURE = {"source": "list f32[1]", "target": "list f32[1]", "WIDTH": 16}

# All arrays are stated, so nothing is asked of them: two are slices of one, and two are read twice.
