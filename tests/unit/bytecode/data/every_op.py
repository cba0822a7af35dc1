"""Writes modules that hold every op, type and attribute of Tile IR, in every version that has them.

    every_op.py OUT

runs under a Python that has the package cuda-tile, whose encoders lay the bytes out: they are
another writer than the one under test. OUT/NAME_13_N.tilebc for each module and version."""

import pathlib
import struct
import sys

from cuda.tile._bytecode.attribute import (
    AssumePredicate, Bounded, DivBy, EntryHints, Float, Integer, LoadStoreHints,
    make_load_store_hints,
)
from cuda.tile._bytecode.basic import encode_int_list
from cuda.tile._bytecode.debug_info import DebugAttrId
from cuda.tile._bytecode.encodings import *
from cuda.tile._bytecode.type import SimpleType
from cuda.tile._bytecode.type_base import PaddingValue, PtrAttr
from cuda.tile._bytecode.version import BytecodeVersion
from cuda.tile._bytecode.writer import write_bytecode

DYNAMIC = -(1 << 63)
VERSIONS = [getattr(BytecodeVersion, f"V_13_{minor}") for minor in range(1, 6)]
ORDER, SCOPE, ROUND = MemoryOrderingSemantics, MemoryScope, RoundingMode


class SameElements(AssumePredicate):
    def __init__(self, *values):
        self.values = values

    def encode_tagged(self, string_table, buf):
        buf.append(9)
        encode_int_list(self.values, 8, buf)


class Pointer:
    """A pointer attribute that the package does not name."""

    def __init__(self, value):
        self._value_ = bytes([value])


class Kernel:
    """The builder, its type table and short names for both."""

    def __init__(self, builder, types, minor, parameters):
        self.b, self.t, self.minor, self.parameters = builder, types, minor, parameters
        self.i32, self.i64, self.f32, self.i1 = map(self.tile, ("I32", "I64", "F32", "I1"))
        self.token = types.Token

    def tile(self, element, *shape):
        return self.t.tile(self.t.simple(SimpleType[element]), shape)

    def pointers(self, element, *shape, attr=PtrAttr.Missing):
        return self.t.tile(self.t.pointer(self.t.simple(SimpleType[element]), attr), shape)

    def constant(self, element, data, *shape):
        return encode_ConstantOp(self.b, self.tile(element, *shape), data)

    def number(self, value):
        return self.constant("I32", struct.pack("<i", value))

    def __call__(self, encode, *arguments):
        return encode(self.b, *arguments)

    def block(self, encode, arguments, *bodies):
        """A control-flow op; each body is (types of its arguments, function on them)."""
        nested = encode(self.b, *arguments)
        for types, body in bodies:
            with nested.new_block(types) as values:
                body(*values)
        return nested.done()


def memory_parameters(t):
    f32, i32 = t.pointer(t.F32, PtrAttr.Missing), t.pointer(t.I32, PtrAttr.Missing)
    return [t.tile(f32, []), t.tile(i32, []), t.tile(t.I32, []), t.tile(t.I1, []), t.tile(t.F32, [])]


def views(k, base, n):
    t, floats = k.t, k.tile("F32", 16, 32)
    fixed = t.tensor_view(t.F32, [DYNAMIC, 64], [64, 1], PtrAttr.Missing)
    loose = t.tensor_view(t.F32, [DYNAMIC, DYNAMIC], [DYNAMIC, 1], PtrAttr.Missing)
    x, y, _ = k(encode_GetTileBlockIdOp, k.i32, k.i32, k.i32)
    k(encode_GetNumTileBlocksOp, k.i32, k.i32, k.i32)
    a = k(encode_MakeTensorViewOp, fixed, base, [n], [])
    b = k(encode_MakeTensorViewOp, loose, base, [n, n], [n])
    plain = k(encode_MakePartitionViewOp,
              t.partition_view([16, 32], fixed, [0, 1], PaddingValue.Missing), a)
    for padding in list(PaddingValue)[1:]:
        turned = k(encode_MakePartitionViewOp, t.partition_view([16, 32], loose, [1, 0], padding), b)
    k(encode_GetIndexSpaceShapeOp, [k.i32, k.i32], plain)
    k(encode_GetTensorShapeOp, [k.i64, k.i64], b)
    start = k(encode_MakeTokenOp, k.token)
    hints = make_load_store_hints({"sm_100": LoadStoreHints(4, False), "sm_90": LoadStoreHints(3)})
    flags = [True, False] if k.minor >= 4 else [False, False]
    _, one = k(encode_LoadViewTkoOp, floats, k.token, plain, [x, y], start, ORDER.WEAK, None, None,
               [False, False])
    value, two = k(encode_LoadViewTkoOp, floats, k.token, turned, [x, y], None, ORDER.ACQUIRE,
                   SCOPE.DEVICE, hints, flags)
    both = k(encode_JoinTokensOp, k.token, [one, two])
    last = k(encode_StoreViewTkoOp, k.token, value, plain, [x, y], both, ORDER.RELEASE, SCOPE.SYS,
             hints, flags)
    k(encode_StoreViewTkoOp, k.token, value, plain, [x, y], None, ORDER.WEAK, None, None,
      [False, False])
    if k.minor >= 3:
        for dims, padding in (([1, 0], PaddingValue.Nan), ([0, 1], PaddingValue.Missing)):
            k(encode_MakeStridedViewOp, t.strided_view([16, 32], [8, 4], loose, dims, padding), b)
        rows = k(encode_MakeGatherScatterViewOp,
                 t.gather_scatter_view([4, 32], loose, 0, PaddingValue.NegInf), b)
        which = k.constant("I32", struct.pack("<4i", 3, 1, 2, 0), 4)
        k(encode_LoadViewTkoOp, k.tile("F32", 4, 32), k.token, rows, [which, x], None, ORDER.WEAK,
          None, None, [False, False])
        k(encode_AtomicRedViewTkoOp, k.token, plain, [x, y], value, last, ORDER.RELAXED,
          SCOPE.DEVICE, AtomicRMWMode.ADDF, [k.minor >= 5, False])


def memory(k):
    floats, integers, n, flag, scalar = k.parameters
    views(k, floats, n)

    def spread(value, tile, one):
        return k(encode_BroadcastOp, tile, k(encode_ReshapeOp, one, value))

    p = spread(floats, k.pointers("F32", 8), k.pointers("F32", 1))
    q = spread(integers, k.pointers("I32", 8), k.pointers("I32", 1))
    mask = spread(flag, k.tile("I1", 8), k.tile("I1", 1))
    data = spread(scalar, k.tile("F32", 8), k.tile("F32", 1))
    lane = k(encode_IotaOp, k.tile("I32", 8))
    p = k(encode_OffsetOp, k.pointers("F32", 8), p, lane)
    f8, i8 = k.tile("F32", 8), k.tile("I32", 8)
    hints = make_load_store_hints({"sm_100": LoadStoreHints(4)})
    _, token = k(encode_LoadPtrTkoOp, f8, k.token, p, None, None, None, ORDER.WEAK, None, None)
    for padding in (data, None):
        _, token = k(encode_LoadPtrTkoOp, f8, k.token, p, mask, padding, token, ORDER.RELAXED,
                     SCOPE.TL_BLK, hints)
    token = k(encode_StorePtrTkoOp, k.token, p, data, mask, token, ORDER.RELEASE, SCOPE.DEVICE,
              hints)
    k(encode_StorePtrTkoOp, k.token, p, data, None, None, ORDER.WEAK, None, None)
    for mode in AtomicRMWMode:
        pointers, value, tile = (p, data, f8) if mode.name == "ADDF" else (q, lane, i8)
        _, token = k(encode_AtomicRMWTkoOp, tile, k.token, pointers, value, mask, token,
                     ORDER.ACQ_REL, SCOPE.SYS, mode)
    k(encode_AtomicRMWTkoOp, i8, k.token, q, lane, None, None, ORDER.RELAXED, SCOPE.DEVICE,
      AtomicRMWMode.ADD)
    for m, after in ((mask, token), (None, None)):
        k(encode_AtomicCASTkoOp, i8, k.token, q, lane, lane, m, after, ORDER.ACQUIRE, SCOPE.DEVICE)
    bits = k(encode_PtrToIntOp, k.tile("I64", 8), p)
    again = k(encode_IntToPtrOp, k.pointers("F32", 8), bits)
    k(encode_PtrToPtrOp, k.pointers("I32", 8), again)
    k(encode_GetGlobalOp, k.pointers("I32"), "table")
    k(encode_AssertOp, flag, 'both "%d"\n')
    token = k(encode_PrintTkoOp, k.token if k.minor >= 2 else None, [n, scalar], None, "%d %f\n")
    if k.minor >= 2:
        k(encode_PrintTkoOp, k.token, [], token, "end")
    if k.minor >= 3:
        k(encode_AllocaOp, k.pointers("F32"), 128, 16, False)
        k(encode_AllocaOp, k.pointers("F32"), 128, 16, True)
    if k.minor >= 4:
        for encode in (encode_GdcWaitTkoOp, encode_GdcLaunchDependentsTkoOp):
            token = k(encode, k.token, k(encode, k.token, None))
        k(encode_MemoryFenceAliasTkoOp, k.token, token)


def control_parameters(t):
    return [t.tile(t.I32, []), t.tile(t.I1, []), t.tile(t.F32, [])]


def control(k):
    n, flag, scalar = k.parameters
    zero, one = k.number(0), k.number(1)
    for predicate in (DivBy(16), Bounded(0, None), Bounded(None, 7), Bounded(-3, 10),
                      Bounded(None, None)):
        n = k(encode_AssumeOp, k.i32, n, predicate)
    row = k(encode_IotaOp, k.tile("I32", 8))
    row = k(encode_AssumeOp, k.tile("I32", 8), row, DivBy(1, 2, 0))
    k(encode_AssumeOp, k.tile("I32", 8), row, SameElements(4))

    def add(i, a, b):
        total = k(encode_AddIOp, k.i32, a, i, IntegerOverflow.NONE)
        k(encode_ContinueOp, [total, b])

    k.block(encode_ForOp, ([k.i32, k.f32], zero, n, one, [one, scalar], False),
            ([k.i32, k.i32, k.f32], add))
    k.block(encode_ForOp, ([], zero, n, one, [], k.minor >= 2),
            ([k.i32], lambda i: k(encode_ContinueOp, [])))
    first, second = k.block(encode_IfOp, ([k.i32, k.i32], flag),
                            ([], lambda: k(encode_YieldOp, [n, zero])),
                            ([], lambda: k(encode_YieldOp, [one, one])))

    def leave(value):
        k.block(encode_IfOp, ([], flag), ([], lambda: k(encode_BreakOp, [value])),
                ([], lambda: k(encode_YieldOp, [])))
        k(encode_ContinueOp, [value])

    k.block(encode_LoopOp, ([k.i32], [second]), ([k.i32], leave))
    k.block(encode_LoopOp, ([], []), ([], lambda: k(encode_BreakOp, [])))
    tile = k.tile("F32", 8)
    data = k.constant("F32", struct.pack("<f", 0.5), 8)

    def combine(a, b):
        total = k(encode_AddFOp, k.f32, a, b, ROUND.NEAREST_EVEN, False)
        k(encode_YieldOp, [total])

    def combine_two(a, b, c, d):
        k(encode_YieldOp, [a, d])

    zeros = [Float(0.0, SimpleType.F32, k.t), Integer(k.t.I32, 32, -1)]
    k.block(encode_ReduceOp, ([k.f32], [data], 0, zeros[:1]), ([k.f32, k.f32], combine))
    k.block(encode_ReduceOp, ([k.f32, k.i32], [data, row], 0, zeros),
            ([k.f32, k.f32, k.i32, k.i32], combine_two))
    for reverse in (False, True):
        k.block(encode_ScanOp, ([tile], [data], 0, reverse, zeros[:1]),
                ([k.f32, k.f32], combine))


def arithmetic_parameters(t):
    return [t.tile(t.I32, []), t.tile(t.F32, []), t.tile(t.I1, [])]


def floats(k, x, n):
    for encode in (encode_AbsFOp, encode_NegFOp, encode_CeilOp, encode_FloorOp, encode_LogOp,
                   encode_Log2Op, encode_SinOp, encode_CosOp, encode_TanOp, encode_SinHOp,
                   encode_CosHOp):
        k(encode, k.f32, x)
    for rounding in list(ROUND)[:4]:
        for zero in (False, True):
            k(encode_AddFOp, k.f32, x, x, rounding, zero)
            k(encode_SubFOp, k.f32, x, x, rounding, zero)
            k(encode_MulFOp, k.f32, x, x, rounding, zero)
            k(encode_FmaOp, k.f32, x, x, x, rounding, zero)
    for rounding in (ROUND.NEAREST_EVEN, ROUND.APPROX, ROUND.FULL):
        k(encode_DivFOp, k.f32, x, x, rounding, False)
    k(encode_DivFOp, k.f32, x, x, ROUND.NEAREST_EVEN, True)
    k(encode_SqrtOp, k.f32, x, ROUND.APPROX, False)
    k(encode_SqrtOp, k.f32, x, ROUND.NEAREST_EVEN, True)
    for flag in (False, True):
        k(encode_RsqrtOp, k.f32, x, flag)
        k(encode_Exp2Op, k.f32, x, flag)
        k(encode_MaxFOp, k.f32, x, x, flag, True)
        k(encode_MinFOp, k.f32, x, x, True, flag)
    k(encode_RemFOp, k.f32, x, x)
    k(encode_FPowFOp, k.f32, x, x)
    k(encode_ExpOp, k.f32, x, ROUND.APPROX if k.minor >= 3 else ROUND.FULL)
    k(encode_TanHOp, k.f32, x, ROUND.APPROX if k.minor >= 2 else ROUND.FULL)
    for predicate in ComparisonPredicate:
        for order in ComparisonOrdering:
            k(encode_CmpFOp, k.i1, x, x, predicate, order)
    if k.minor >= 2:
        k(encode_Atan2Op, k.f32, x, x)
    if k.minor >= 4:
        k(encode_FPowIOp, k.f32, x, n)


def integers(k, n):
    for encode in (encode_AndIOp, encode_OrIOp, encode_XOrIOp, encode_MulhiIOp):
        k(encode, k.i32, n, n)
    k(encode_AbsIOp, k.i32, n)
    for overflow in IntegerOverflow:
        for encode in (encode_AddIOp, encode_SubIOp, encode_MulIOp, encode_ShLIOp):
            k(encode, k.i32, n, n, overflow)
        k(encode_TruncIOp, k.tile("I8"), n, overflow)
    k(encode_NegIOp, k.i32, n, IntegerOverflow.NSW if k.minor >= 2 else IntegerOverflow.NONE)
    for sign in Signedness:
        for encode in (encode_RemIOp, encode_MaxIOp, encode_MinIOp, encode_ShRIOp):
            k(encode, k.i32, n, n, sign)
        for rounding in (ROUND.ZERO, ROUND.POSITIVE_INF):
            k(encode_DivIOp, k.i32, n, n, sign, rounding)
        k(encode_ExtIOp, k.i64, n, sign)
        for predicate in ComparisonPredicate:
            k(encode_CmpIOp, k.i1, n, n, predicate, sign)
    k(encode_DivIOp, k.i32, n, n, Signedness.Signed, ROUND.NEGATIVE_INF)


def tiles(k, n, flag):
    k(encode_SelectOp, k.i32, flag, n, n)
    lane = k(encode_IotaOp, k.tile("I32", 8))
    wide = k(encode_ReshapeOp, k.tile("I32", 2, 4), lane)
    tall = k(encode_PermuteOp, k.tile("I32", 4, 2), wide, [1, 0])
    square = k(encode_CatOp, k.tile("I32", 4, 4), wide, wide, 0)
    k(encode_ExtractOp, k.tile("I32", 2, 2), square, [n, n])
    half, byte = lambda *s: k.constant("F16", b"\0\0", *s), lambda *s: k.constant("I8", b"\1", *s)
    sums, counts = k.constant("F32", bytes(4), 16, 8), k.constant("I32", bytes(4), 2, 16, 8)
    a, b = half(16, 32), half(32, 8)
    for fast in (False, k.minor >= 3):
        k(encode_MmaFOp, k.tile("F32", 16, 8), a, b, sums, fast)
    k(encode_MmaIOp, k.tile("I32", 2, 16, 8), byte(2, 16, 32), byte(2, 32, 8), counts,
      Signedness.Signed, Signedness.Unsigned)
    if k.minor >= 3:
        bytes_ = k(encode_PackOp, k.tile("I8", 32), lane)
        k(encode_UnpackOp, k.tile("F4E2M1FN", 64), bytes_)
        eight = lambda *s: k.constant("F8E4M3FN", b"\0", *s)
        scale = lambda *s: k.constant("F8E8M0FNU", b"\x7f", *s)
        k(encode_MmaFScaledOp, k.tile("F32", 16, 8), eight(16, 32), eight(32, 8), sums,
          scale(16, 1), scale(1, 8))
    if k.minor >= 4:
        k(encode_InsertOp, k.tile("I32", 4, 4), tall, square, [n, n])


def arithmetic(k):
    n, x, flag = k.parameters
    floats(k, x, n)
    integers(k, n)
    tiles(k, n, flag)
    k(encode_BitcastOp, k.f32, n)
    for kind in ("F16", "BF16", "TF32", "F64", "F8E4M3FN", "F8E5M2"):
        k(encode_FToFOp, k.tile(kind), x, ROUND.NEAREST_EVEN)
    for sign in Signedness:
        k(encode_IToFOp, k.f32, n, sign, ROUND.NEAREST_EVEN)
        for saturate in (False, k.minor >= 4):
            k(encode_FToIOp, k.i32, x, sign, ROUND.NEAREST_INT_TO_ZERO, saturate)


def constants(k):
    for element, data in (
        ("I32", struct.pack("<4i", 1, 2, 3, -4)), ("I32", struct.pack("<i", 7)),
        ("I8", b"\1\xfe\3\4"), ("I16", struct.pack("<4h", 1, -2, 3, 4)),
        ("I64", struct.pack("<4q", 1, -2, 3, 1 << 40)), ("I1", b"\5"), ("I1", b"\xff"),
        ("I1", b"\0"), ("F32", struct.pack("<4f", 0.1, float("inf"), -0.0, 1e-45)),
        ("F32", struct.pack("<f", float("nan"))), ("F16", struct.pack("<4e", 0.1, -1, 65504, 6e-8)),
        ("BF16", b"\x00\x3f\xcd\x3d\x7f\x7f\x01\x00"), ("F64", struct.pack("<4d", 0.1, 1e300, 5e-324, -2.5)),
        ("F8E4M3FN", b"\x7e\x7f\x01\x33"), ("F8E5M2", b"\x7c\x7d\x01\x33"),
        ("TF32", b"\xff\xff\x07\x00\x00\x00\x01\x00\x00\xcd\xcc\x01"),
    ) + ((("F8E8M0FNU", b"\x00\xff\x01\xfe"),) if k.minor >= 2 else ()) + (
        (("F4E2M1FN", b"\2\3\4\5"),) if k.minor >= 3 else ()) + (
        (("FNV8E5M3FNU", b"\x00\xff\x01\xfe"),) if k.minor >= 4 else ()):
        k.constant(element, data, 4)
    k.constant("I32", b"".join(struct.pack("<i", i) for i in range(128)), 128)
    k.constant("I1", b"\5" * 16, 128)
    k.constant("F32", struct.pack("<f", 2), 256, 256, 256)


def multimem_parameters(t):
    f16 = t.simple(SimpleType.F16)
    return [t.tile(t.I32, [])] + [t.tile(t.pointer(f16, Pointer(value)), []) for value in range(3)]


def multimem(k):
    n, *pointers = k.parameters
    t, f16 = k.t, k.t.simple(SimpleType.F16)
    tile = k.tile("F16", 4)
    for value, base in enumerate(pointers):
        tensor = t.tensor_view(f16, [8], [1], Pointer(value))
        tensors = k(encode_MakeTensorViewOp, tensor, base, [], [])
        view = k(encode_MakePartitionViewOp,
                 t.partition_view([4], tensor, [0], PaddingValue.Missing), tensors)
    data, token = k(encode_MultimemLoadReduceViewTkoOp, tile, k.token, view, [n], None, ORDER.WEAK,
                    None, MultimemReductionKind.ADD, [False])
    data, token = k(encode_MultimemLoadReduceViewTkoOp, tile, k.token, view, [n], token,
                    ORDER.RELAXED, SCOPE.SYS, MultimemReductionKind.MAX, [True])
    token = k(encode_MultimemReduceViewTkoOp, k.token, view, data, [n], token, ORDER.RELAXED,
              SCOPE.SYS, MultimemReductionKind.ADD, [False])
    k(encode_MultimemStoreViewTkoOp, k.token, view, data, [n], token, ORDER.WEAK, None, [True])
    k(encode_MultimemStoreViewTkoOp, k.token, view, data, [n], None, ORDER.RELEASE, SCOPE.SYS,
      [False])


def define_globals(w):
    t, flags = w.type_table, w.version >= BytecodeVersion.V_13_3
    w.global_section.define_global("table", t.tile(t.I32, [4]), struct.pack("<4i", 1, 2, 3, 4), 16)
    more = (True, SymbolVisibility.Private) if flags else ()
    w.global_section.define_global("one", t.tile(t.F32, [2]), struct.pack("<f", 1), 0, *more)


HINTS = {"sm_90": EntryHints(2, 4, None), "default": EntryHints()}
MODULES = (
    (memory, memory_parameters, 1, HINTS), (control, control_parameters, 1, {}),
    (arithmetic, arithmetic_parameters, 1, {}), (constants, lambda t: [], 1, {}),
    (multimem, multimem_parameters, 5, {}),
)


def write(module, parameters, hints, version):
    buffer = bytearray()
    with write_bytecode(1, buffer, version) as w:
        if module is memory:
            define_globals(w)
        t = w.type_table
        with w.function(module.__name__, parameters(t), [], True, hints, DebugAttrId(0)) as (b, ps):
            module(Kernel(b, t, version.minor(), ps))
            encode_ReturnOp(b, [])
    return bytes(buffer)


out = pathlib.Path(sys.argv[1])
for module, parameters, since, hints in MODULES:
    for version in VERSIONS[since - 1:]:
        name = f"{module.__name__}_13_{version.minor()}.tilebc"
        (out / name).write_bytes(write(module, parameters, hints, version))
