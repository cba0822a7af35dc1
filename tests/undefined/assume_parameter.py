"""An assumption on a parameter alone: a launch precondition, and no block is left out of the proof."""

import cuda.tile as ct


@ct.kernel
def assume_parameter(x, y, step, TILE: ct.Constant[int]):
    step = ct.assume_divisible_by(step, 64)
    first = ct.bid(0) * step // 64
    ct.store(y, (ct.bid(0),), ct.load(x, (first,), shape=(TILE,)))


SIGNATURE = {"x": "f32[1]", "y": "f32[1]", "step": "i32", "TILE": 64}

# EXPECT verdict race-free
# EXPECT requires index-in-space kernel-assume
