"""A launch by the front end, then one of exported Tile IR by the driver's own functions."""
import ctypes
import io

import numpy as np

import cuda.tile as ct
from cuda.tile.compilation import (ArrayConstraint, CallingConvention, ConstantConstraint,
                                   KernelSignature, export_kernel)
from kernels import add

a = np.zeros(64, np.float32)
ct.launch(None, (4,), add, (a, a, a, 16))

array = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0,
                        alias_groups=(), may_alias_internally=False)
signature = KernelSignature([array, array, array, ConstantConstraint(32)],
                            CallingConvention.cutile_python_v1(), symbol="exported")
file = io.BytesIO()
export_kernel(add, [signature], file, output_format="tileir_bytecode", bytecode_version="13.3")

driver = ctypes.CDLL("libcuda.so.1")
module, function = ctypes.c_void_p(), ctypes.c_void_p()
assert driver.cuModuleLoadData(ctypes.byref(module), file.getvalue()) == 0
assert driver.cuModuleGetFunction(ctypes.byref(function), module, b"exported") == 0
values = [ctypes.c_void_p(a.ctypes.data), ctypes.c_int(64), ctypes.c_int(1)] * 3
parameters = (ctypes.c_void_p * 9)(*(ctypes.addressof(value) for value in values))
assert driver.cuLaunchKernel(function, 2, 1, 1, 1, 1, 1, 0, None, parameters, None) == 0
