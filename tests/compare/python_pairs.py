"""The same in cuTile Python: see dialect_pairs.py. A kernel is a source and its context."""

HEAD = "import cuda.tile as ct\n\n\n@ct.kernel\n"

MATMUL = {
    "source": HEAD + """def matmul(a, b, c, BM: ct.Constant[int], BN: ct.Constant[int], BK: ct.Constant[int]):
    m, n = ct.bid(0), ct.bid(1)
    acc = ct.zeros((BM, BN), dtype=ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(BM, BK))):
        x = ct.load(a, (m, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, n), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, (m, n), acc)
""",
    "context": {
        "sizes": {"M": {"min": 1, "max": 200}, "N": {"min": 1, "max": 200}, "K": {"min": 1, "max": 200}},
        "arguments": [{"name": "a", "dtype": "float32", "shape": ["M", "K"]},
                      {"name": "b", "dtype": "float32", "shape": ["K", "N"]},
                      {"name": "c", "dtype": "float32", "shape": ["M", "N"], "output": True},
                      {"name": "BM", "constant": 16}, {"name": "BN", "constant": 16}, {"name": "BK", "constant": 16}],
        "grid": ["cdiv(M, 16)", "cdiv(N, 16)"]},
}

TWICE = {
    "source": HEAD + """def twice(a, c, B: ct.Constant[int]):
    m, n = ct.bid(0), ct.bid(1)
    x = ct.load(a, (m, n), shape=(B, B), padding_mode=ct.PaddingMode.ZERO)
    ct.store(c, (m, n), x * 2.0)
""",
    "context": {
        "sizes": {"M": {"min": 1, "max": 200}, "N": {"min": 1, "max": 200}},
        "arguments": [{"name": "a", "dtype": "float32", "shape": ["M", "N"]},
                      {"name": "c", "dtype": "float32", "shape": ["M", "N"], "output": True},
                      {"name": "B", "constant": 16}],
        "grid": ["cdiv(M, 16)", "cdiv(N, 16)"]},
}

ROWS = {
    "source": HEAD + """def row_max(x, most, B: ct.Constant[int]):
    row = ct.bid(0)
    acc = ct.full((1, B), float("-inf"), dtype=ct.float32)
    for k in range(ct.cdiv(x.shape[1], B)):
        acc = ct.maximum(acc, ct.load(x, (row, k), shape=(1, B), padding_mode=ct.PaddingMode.NEG_INF))
    ct.store(most, (row,), ct.max(acc, axis=1))
""",
    "context": {
        "sizes": {"rows": {"min": 1, "max": 50}, "n": {"min": 1, "max": 500}},
        "arguments": [{"name": "x", "dtype": "float32", "shape": ["rows", "n"]},
                      {"name": "most", "dtype": "float32", "shape": ["rows"], "output": True},
                      {"name": "B", "constant": 32}],
        "grid": ["rows"]},
}

MEAN = {
    "source": HEAD + """def row_sum(x, total, B: ct.Constant[int]):
    row = ct.bid(0)
    n = x.shape[1]
    acc = ct.zeros((1, B), dtype=ct.float32)
    for k in range(ct.cdiv(n, B)):
        v = ct.exp(ct.load(x, (row, k), shape=(1, B), padding_mode=ct.PaddingMode.ZERO))
        at = ct.expand_dims(k * B + ct.arange(B, dtype=ct.int32), axis=0)
        acc = acc + ct.where(at < n, v, 0.0)
    ct.store(total, (row,), ct.sum(acc, axis=1))
""",
    "context": ROWS["context"] | {
        "arguments": [{"name": "x", "dtype": "float32", "shape": ["rows", "n"]},
                      {"name": "total", "dtype": "float32", "shape": ["rows"], "output": True},
                      {"name": "B", "constant": 32}]},
}

TRANSPOSED = {
    "source": HEAD + """def transpose(x, y, B: ct.Constant[int]):
    n, m = ct.bid(0), ct.bid(1)
    t = ct.load(x, (n, m), shape=(B, B), order=(1, 0), padding_mode=ct.PaddingMode.ZERO)
    ct.store(y, (n, m), t)
""",
    "context": {
        "sizes": {"M": {"min": 1, "max": 200}, "N": {"min": 1, "max": 200}},
        "arguments": [{"name": "x", "dtype": "float32", "shape": ["M", "N"]},
                      {"name": "y", "dtype": "float32", "shape": ["N", "M"], "output": True},
                      {"name": "B", "constant": 16}],
        "grid": ["cdiv(N, 16)", "cdiv(M, 16)"]},
}

# Rows of a flat table: the factor of an offset is the length of a row.
GATHER = {
    "source": HEAD + """def gather(table, y, rows: int, width: int, B: ct.Constant[int]):
    r, part = ct.bid(0), ct.bid(1)
    column = part * B + ct.arange(B, dtype=ct.int32)
    v = ct.gather(table, r * width + column, mask=column < width, padding_value=0.0)
    ct.scatter(y, r * width + column, v, mask=column < width)
""",
    "context": {
        "sizes": {"rows": {"min": 1, "max": 60}, "width": {"min": 1, "max": 60}},
        "arguments": [{"name": "table", "dtype": "float32", "shape": ["rows * width"]},
                      {"name": "y", "dtype": "float32", "shape": ["rows * width"], "output": True},
                      {"name": "rows", "value": "rows"}, {"name": "width", "value": "width"}, {"name": "B", "constant": 16}],
        "grid": ["rows", "cdiv(width, 16)"]},
}

DIFFERENT = [
    ("ids-from-one", MATMUL, [("m, n = ct.bid(0), ct.bid(1)", "m, n = ct.bid(0) + 1, ct.bid(1)")]),
    ("ids-from-one", MATMUL, [("ct.load(b, (k, n)", "ct.load(b, (k + 1, n)")]),
    ("wrong-axis", TWICE, [("m, n = ct.bid(0), ct.bid(1)", "m, n = ct.bid(1), ct.bid(0)")]),
    ("wrong-axis", TWICE, [("ct.store(c, (m, n)", "ct.store(c, (n, m)")]),
    ("elementwise-product", MATMUL, [("ct.mma(x, y, acc)", "acc + x * y")]),
    ("flipped-accumulator", MATMUL, [("ct.mma(x, y, acc)", "ct.mma(y, x, acc)")]),
    ("flipped-accumulator", MATMUL, [("ct.store(c, (m, n), acc)", "ct.store(c, (m, n), ct.transpose(acc))")]),
    ("padding-mode", ROWS, [("PaddingMode.NEG_INF", "PaddingMode.ZERO")]),
    ("order-of-shape-only", TRANSPOSED, [("ct.load(x, (n, m)", "ct.load(x, (m, n)")]),
    ("floor-for-ceiling", ROWS, [("ct.cdiv(x.shape[1], B)", "x.shape[1] // B")]),
    ("floor-for-ceiling", MATMUL, [("ct.num_tiles(a, axis=1, shape=(BM, BK))", "a.shape[1] // BK")]),
    ("dropped-mask", MEAN, [("ct.where(at < n, v, 0.0)", "v")]),
    ("dropped-mask", GATHER, [("ct.scatter(y, r * width + column, v, mask=column < width)", "ct.scatter(y, r * width + column, v)")]),
    ("wrong-stride", GATHER, [("table, r * width", "table, r * rows")]),
    ("wrong-stride", GATHER, [("ct.scatter(y, r * width", "ct.scatter(y, r * rows")]),
    ("loop-end", MATMUL, [("shape=(BM, BK))):", "shape=(BM, BK)) - 1):")]),
    ("loop-end", MATMUL, [("shape=(BM, BK))):", "shape=(BM, BK)) + 1):")]),
    ("other", TWICE, [("x * 2.0", "x * 3.0")]),
]

SAME = [
    ("itself", MATMUL, []),
    ("renamed", MATMUL, [("matmul", "product"), ("acc", "total")]),
    ("statements in another order", MATMUL, [("""        x = ct.load(a, (m, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, (k, n), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
""", """        y = ct.load(b, (k, n), shape=(BK, BN), padding_mode=ct.PaddingMode.ZERO)
        x = ct.load(a, (m, k), shape=(BM, BK), padding_mode=ct.PaddingMode.ZERO)
""")]),
    ("quotients by hand", MATMUL, [("ct.num_tiles(a, axis=1, shape=(BM, BK))", "(a.shape[1] + BK - 1) // BK")]),
    ("longer steps", MATMUL, [("BK)", "2 * BK)"), ("(BK, BN)", "(2 * BK, BN)")]),
    ("by the transposed view", TRANSPOSED, [("ct.load(x, (n, m), shape=(B, B), order=(1, 0), padding_mode=ct.PaddingMode.ZERO)",
                                             "ct.transpose(ct.load(x, (m, n), shape=(B, B), padding_mode=ct.PaddingMode.ZERO))")]),
    ("padding that no result depends on", MEAN, [("PaddingMode.ZERO", "PaddingMode.NEG_INF"), ("ct.where(at < n, v, 0.0)", "v")]),
]


def changed(source, replacements):
    for old, new in replacements:
        assert old in source, old
        source = source.replace(old, new)
    return source
