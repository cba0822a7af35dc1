"""Exports a kernel of two signatures as Tile IR."""
import io

from cuda.tile.compilation import ArrayConstraint, ConstantConstraint, KernelSignature
from cuda.tile.compilation import CallingConvention, export_kernel
import cuda.tile as ct
from kernels import add


def signature(width, divisor):
    array = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0,
                            alias_groups=(), may_alias_internally=False, stride_constant=(1,),
                            shape_divisible_by=divisor)
    return KernelSignature([array, array, array, ConstantConstraint(width)],
                           CallingConvention.cutile_python_v1())


file = io.BytesIO()
export_kernel(add, [signature(16, 1), signature(32, 16)], file, output_format="tileir_bytecode",
              bytecode_version="13.3")
print(len(file.getvalue()) > 100)
