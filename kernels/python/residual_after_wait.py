"""Adds a residual to what the kernel before it in the stream still writes: launched early, it
waits for that kernel before it loads."""

import cuda.tile as ct


@ct.kernel
def residual_after_wait(x, residual, y, TILE: ct.Constant[int]):
    i = ct.bid(0)
    old = ct.load(residual, (i,), shape=(TILE,), check_bounds=False)
    ct.grid_dependency_control_wait()
    new = ct.load(x, (i,), shape=(TILE,), check_bounds=False)
    ct.store(y, (i,), old + new, check_bounds=False)
    ct.grid_dependency_control_launch_dependents()


SIGNATURE = {"x": "f32[1]", "residual": "f32[1]", "y": "f32[1]", "TILE": 256}
BYTECODE = "13.4"

# EXPECT verdict race-free
