"""Arrays of every NumPy type, those that no kernel can take among them, and of ranks with strides."""
import numpy as np

import cuda.tile as ct


@ct.kernel
def copy(source, target, width: ct.Constant[int]):
    ct.store(target, ct.bid(0), ct.load(source, ct.bid(0), width))


@ct.kernel
def clear_plane(target, n: ct.Constant[int]):
    ct.store(target, (0, 0), ct.zeros((n, n), target.dtype))


@ct.kernel
def clear_cube(target, n: ct.Constant[int]):
    ct.store(target, (0, 0, 0), ct.zeros((n, n, n), target.dtype))


for name in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
             "float16", "float32", "float64", "complex64", "longdouble", "datetime64[s]"):
    array = np.zeros(32, name)
    try:
        ct.launch(None, (2,), copy, (array, array.copy(), 16))
    except Exception as error:
        print(name, type(error).__name__, error)
ct.launch(None, (1,), clear_plane, (np.zeros((5, 6), np.int16)[1:, ::2], 4))
ct.launch(None, (1,), clear_cube, (np.zeros((2, 3, 4), np.int16).transpose(2, 0, 1), 4))
