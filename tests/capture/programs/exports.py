"""Exports kernels of two signatures as Tile IR: of arrays that differ in a divisor, then in
what is fixed."""
import io

from cuda.tile.compilation import ArrayConstraint, ConstantConstraint, KernelSignature
from cuda.tile.compilation import CallingConvention, export_kernel
import cuda.tile as ct
from kernels import add


def signature(width, divisor=1, constant=None):
    array = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0,
                            alias_groups=(), may_alias_internally=False, stride_constant=(1,),
                            shape_divisible_by=divisor, shape_constant=(constant,))
    return KernelSignature([array, array, array, ConstantConstraint(width)],
                           CallingConvention.cutile_python_v2())


for other in signature(32, divisor=16), signature(32, constant=64):
    file = io.BytesIO()
    export_kernel(add, [signature(16), other], file, output_format="tileir_bytecode",
                  bytecode_version="13.3")
    print(len(file.getvalue()) > 100)
