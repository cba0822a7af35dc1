"""One launch, with an assembler that the test gives."""
import ctypes

import numpy as np

import cuda.tile as ct
from kernels import add


class OnDevice:
    """Says that host memory is the device's; the stand-in driver believes it."""

    def __init__(self, source):
        self.source = source

    @property
    def __cuda_array_interface__(self):
        return {**self.source.__array_interface__, "version": 3}


driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
driver.cuInit(0)
driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
driver.cuCtxSetCurrent(context)
arrays = [OnDevice(np.zeros(64, np.float32)) for _ in range(3)]
try:
    ct.launch(0, (4,), add, (*arrays, 16))
    print("launched")
except ct.TileError as error:
    print(type(error).__name__, error.message)
