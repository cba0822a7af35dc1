"""Writes tests/unit/interp/float_vectors.def: what float ops give, worked out with fractions.

Rounding looks for the nearest number in the list of all numbers of a format, so that it shares no
code and no method with the interpreter. Where numpy and ml_dtypes are installed (a virtual
environment of one's own; the tests do not need them), each format's list and each conversion is
compared with theirs first.
"""

import bisect
import random
import struct
import sys
from fractions import Fraction

# exponent bits, mantissa bits, bias, kind of specials, low bits that are always zero
FORMATS = {
    "F16": (5, 10, 15, "ieee", 0),
    "BF16": (8, 7, 127, "ieee", 0),
    "TF32": (8, 10, 127, "ieee", 13),
    "F8E4M3FN": (4, 3, 7, "nan", 0),
    "F8E5M2": (5, 2, 15, "ieee", 0),
    "F4E2M1FN": (2, 1, 1, "none", 0),
}
OTHERS = {"F16": "float16", "BF16": "bfloat16", "F8E4M3FN": "float8_e4m3fn", "F8E5M2": "float8_e5m2",
          "F4E2M1FN": "float4_e2m1fn"}


def tables():
    out = {}
    for name, (exponents, mantissas, bias, specials, unused) in FORMATS.items():
        numbers = []
        for bits in range(1 << (exponents + mantissas)):
            exponent, mantissa = bits >> mantissas, bits & ((1 << mantissas) - 1)
            last = exponent == (1 << exponents) - 1
            if last and (specials == "ieee" or (specials == "nan" and mantissa == (1 << mantissas) - 1)):
                continue
            if exponent:
                value = Fraction((1 << mantissas) + mantissa) * Fraction(2) ** (exponent - bias - mantissas)
            else:
                value = Fraction(mantissa) * Fraction(2) ** (1 - bias - mantissas)
            numbers.append((value, bits << unused))
        out[name] = numbers
    return out


TABLES = tables()
VALUES = {name: [v for v, _ in numbers] for name, numbers in TABLES.items()}


def sign_bit(name):
    exponents, mantissas, _, _, unused = FORMATS[name]
    return 1 << (exponents + mantissas + unused)


def number(name, bits):
    magnitude = bits & ~sign_bit(name)
    at = (magnitude >> FORMATS[name][4])
    value = TABLES[name][at][0]
    return -value if bits & sign_bit(name) else value


def nearest(name, value, negative_zero=False):
    """Bits; None on overflow."""
    sign = sign_bit(name) if value < 0 or (value == 0 and negative_zero) else 0
    value = abs(value)
    table, values = TABLES[name], VALUES[name]
    at = bisect.bisect_left(values, value)
    if at == len(values):
        step = values[-1] - values[-2]
        if value >= values[-1] + step / 2:
            return None
        return sign | table[-1][1]
    if values[at] == value or at == 0:
        return sign | table[at][1]
    below, above = value - values[at - 1], values[at] - value
    if below < above or (below == above and (table[at - 1][1] >> FORMATS[name][4]) % 2 == 0):
        return sign | table[at - 1][1]
    return sign | table[at][1]


def f32(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def cross_check():
    try:
        import ml_dtypes
        import numpy
    except ImportError:
        print("numpy and ml_dtypes are not here: formats not compared", file=sys.stderr)
        return
    for name, theirs in OTHERS.items():
        kind = numpy.dtype(getattr(ml_dtypes, theirs, None) or getattr(numpy, theirs))
        unsigned = {1: numpy.uint8, 2: numpy.uint16}[kind.itemsize]
        for value, bits in TABLES[name]:
            one = numpy.array([bits], unsigned).view(kind)[0]
            assert Fraction(float(one)) == value, (name, bits)
        source = random.Random(7)
        for _ in range(20000):
            bits = source.getrandbits(32)
            x = f32(bits)
            if x != x or x in (float("inf"), float("-inf")):
                continue
            ours = nearest(name, Fraction(x), bits >> 31)
            if ours is not None:
                one = numpy.array([x], numpy.float32).astype(kind).view(unsigned)[0]
                assert int(one) == ours, (name, x)
    print("formats and conversions as in ml_dtypes", ml_dtypes.__version__, file=sys.stderr)


def finite(source, name):
    _, bits = source.choice(TABLES[name])
    return bits | (sign_bit(name) if source.random() < 0.5 else 0)


def near(source, name, other):
    """A number whose exponent is not far from another's: sums then round."""
    exponents, mantissas, _, _, unused = FORMATS[name]
    low = max(0, (other & ~sign_bit(name)) >> (mantissas + unused))
    at = min(max(0, low + source.randint(-mantissas - 2, 2)), (1 << exponents) - 1)
    bits = at << mantissas | source.getrandbits(mantissas)
    bits = min(bits, len(TABLES[name]) - 1)
    return bits << unused | (sign_bit(name) if source.random() < 0.5 else 0)


def main():
    cross_check()
    source = random.Random(1)
    rows = []
    for name in ("F16", "BF16", "TF32"):
        for op in ("ADDF", "SUBF", "MULF", "FMA"):
            made = 0
            while made < 60:
                a = finite(source, name)
                b = near(source, name, a) if op != "MULF" else finite(source, name)
                c = 0
                x, y = number(name, a), number(name, b)
                if op == "FMA":
                    b = finite(source, name)
                    y = number(name, b)
                    product = nearest(name, x * y)
                    if product is None:
                        continue
                    c = near(source, name, product)
                    # often a tie of the format, pushed off it by a third operand that is tiny
                    if source.random() < 0.5:
                        c = finite(source, name)
                exact = {"ADDF": x + y, "SUBF": x - y, "MULF": x * y,
                         "FMA": x * y + number(name, c)}[op]
                bits = nearest(name, exact)
                if exact == 0 or bits is None:
                    continue  # signs of zero and infinities have tests of their own
                rows.append((op, name, name, a, b, c, bits))
                made += 1
    for name in FORMATS:
        for _ in range(80):
            bits = source.getrandbits(32)
            if source.random() < 0.7:  # in the format's range
                value, at = source.choice(TABLES[name])
                bits = struct.unpack("<I", struct.pack("<f", float(value)))[0]
                bits = (bits + source.randint(-3, 3) * (1 << source.randint(0, 20))) & 0xFFFFFFFF
            x = f32(bits)
            if x != x or x in (float("inf"), float("-inf")):
                continue
            out = nearest(name, Fraction(x), bits >> 31)
            if out is not None:
                rows.append(("FTOF", "F32", name, bits, 0, 0, out))
    for name in ("F8E4M3FN", "F8E5M2", "F4E2M1FN"):
        for value, bits in TABLES[name]:
            out = struct.unpack("<I", struct.pack("<f", float(value)))[0]
            rows.append(("FTOF", name, "F32", bits, 0, 0, out))
    with open("tests/unit/interp/float_vectors.def", "w") as out:
        out.write("/* VECTOR(op, operands' format, result's, a, b, c, result): bits. Written by\n"
                  " * tests/tools/float_vectors.py with exact fractions. */\n")
        for op, source_kind, to, a, b, c, bits in rows:
            out.write(f"VECTOR({op}, {source_kind}, {to}, {a:#x}, {b:#x}, {c:#x}, {bits:#x})\n")
    print(len(rows), "vectors", file=sys.stderr)


main()
