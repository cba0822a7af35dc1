"""Pairs of kernels in C that differ in one known way, and pairs that do the same.

A kernel is a source; a pair is a source and the same with pieces of text replaced. DIFFERENT has
(name of the difference, source, replacements), SAME has (what it is, source, replacements)."""

MATMUL = """#include <tile.h>
enum { BM = 16, BN = 16, BK = 16 };
tile_kernel void matmul(const float *a, const float *b, float *c, int M, int N, int K)
{
    tile_grid(tile_cdiv(M, BM), tile_cdiv(N, BN));
    tile_assume(0 < M && M <= 4096 && 0 < N && N <= 4096 && 0 < K && K <= 4096);
    tile_extent(a, (long)M * K);
    tile_extent(b, (long)K * N);
    tile_extent(c, (long)M * N);
    tile_view in_a = tile_partition_padded(tile_tensor(a, M, K), TILE_PAD_ZERO, BM, BK);
    tile_view in_b = tile_partition_padded(tile_tensor(b, K, N), TILE_PAD_ZERO, BK, BN);
    tile_view out = tile_partition(tile_tensor(c, M, N), BM, BN);
    int m = tile_bid(0), n = tile_bid(1);
    tile acc = tile_zeros(float, BM, BN);
    for (int k = 0; k < tile_tiles(in_a, 1); k++) {
        tile x = tile_load(in_a, m, k);
        tile y = tile_load(in_b, k, n);
        acc = tile_mma(x, y, acc);
    }
    tile_store(out, acc, m, n);
}
"""

# The square of a matrix, so that several mistakes stay within the bounds.
SQUARE = """#include <tile.h>
enum { B = 16 };
tile_kernel void twice(const float *a, float *c, int M, int N)
{
    tile_grid(tile_cdiv(M, B), tile_cdiv(N, B));
    tile_assume(0 < M && M <= 4096 && 0 < N && N <= 4096);
    tile_extent(a, (long)M * N);
    tile_extent(c, (long)M * N);
    tile_view in = tile_partition(tile_tensor(a, M, N), B, B);
    tile_view out = tile_partition(tile_tensor(c, M, N), B, B);
    int m = tile_bid(0), n = tile_bid(1);
    tile x = tile_load(in, m, n);
    tile_store(out, x * 2.0f, m, n);
}
"""

ADD = """#include <tile.h>
enum { B = 32 };
tile_kernel void add(const float *x, const float *y, float *z, int n)
{
    tile_grid(tile_cdiv(n, B));
    tile_assume(0 < n && n <= 65536);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_extent(z, n);
    tile i = tile_bid(0) * B + tile_iota(B);
    tile inside = tile_lt(i, n);
    tile s = tile_load_masked(tile_pointers(x, i), inside, 0.0f) +
             tile_load_masked(tile_pointers(y, i), inside, 0.0f);
    tile_store_masked(tile_pointers(z, i), s, inside);
}
"""

ROWS = """#include <tile.h>
enum { B = 32 };
tile_kernel void row_max(const float *x, float *most, int rows, int n)
{
    tile_grid(rows);
    tile_assume(0 < rows && rows <= 4096 && 0 < n && n <= 4096);
    tile_extent(x, (long)rows * n);
    tile_extent(most, rows);
    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_NEG_INF, 1, B);
    tile_view out = tile_partition(tile_tensor(most, rows), 1);
    tile acc = tile_full(-TILE_INF, 1, B);
    for (int k = 0; k < tile_cdiv(n, B); k++)
        acc = tile_maximum(acc, tile_load(in, tile_bid(0), k));
    tile_store(out, tile_reduce_max(acc, 1), tile_bid(0));
}
"""

# The sum of each row, over its length: what lies beyond a row is masked by a selection.
MEAN = """#include <tile.h>
enum { B = 32 };
tile_kernel void row_mean(const float *x, float *mean, int rows, int n)
{
    tile_grid(rows);
    tile_assume(0 < rows && rows <= 4096 && 0 < n && n <= 4096);
    tile_extent(x, (long)rows * n);
    tile_extent(mean, rows);
    tile_view in = tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_ZERO, 1, B);
    tile_view out = tile_partition(tile_tensor(mean, rows), 1);
    tile acc = tile_zeros(float, 1, B);
    for (int k = 0; k < tile_cdiv(n, B); k++) {
        tile v = tile_exp(tile_load(in, tile_bid(0), k));
        tile at = tile_expand(k * B + tile_iota(B), 0);
        acc = acc + tile_select(tile_lt(at, n), v, 0.0f);
    }
    tile_store(out, tile_reduce_sum(acc, 1), tile_bid(0));
}
"""

# y = x transposed, by a view whose axes are in the other order.
MAPPED = """#include <tile.h>
enum { BM = 16, BN = 16 };
tile_kernel void transpose(const float *x, float *y, int M, int N)
{
    tile_grid(tile_cdiv(N, BN), tile_cdiv(M, BM));
    tile_assume(0 < M && M <= 4096 && 0 < N && N <= 4096);
    tile_extent(x, (long)M * N);
    tile_extent(y, (long)N * M);
    tile_view in = tile_partition_mapped(tile_tensor(x, M, N), tile_shape(BN, BM), tile_dims(1, 0),
                                         TILE_PAD_ZERO);
    tile_view out = tile_partition(tile_tensor(y, N, M), BN, BM);
    int n = tile_bid(0), m = tile_bid(1);
    tile_store(out, tile_load(in, n, m), n, m);
}
"""

# Rows of `table` by number: flat offsets, whose factor is the length of a row.
GATHER = """#include <tile.h>
enum { B = 16 };
tile_kernel void gather(const float *table, const int *row, float *y, int rows, int width, int n)
{
    tile_grid(n, tile_cdiv(width, B));
    tile_assume(0 < rows && rows <= 512 && 0 < width && width <= 512 && 0 < n && n <= 512);
    tile_extent(table, (long)rows * width);
    tile_extent(row, n);
    tile_extent(y, (long)n * width);
    tile_contents(row, 0, rows - 1);
    int r = row[tile_bid(0)];
    tile column = tile_bid(1) * B + tile_iota(B);
    tile inside = tile_lt(column, width);
    tile v = tile_load_masked(tile_pointers(table, r * width + column), inside, 0.0f);
    tile_store_masked(tile_pointers(y, tile_bid(0) * width + column), v, inside);
}
"""

# Each block writes its tile, then reads it: a token keeps the order.
HANDED = """#include <tile.h>
enum { B = 16 };
tile_kernel void handed(const float *x, float *work, float *y, int n)
{
    tile_grid(tile_cdiv(n, B));
    tile_assume(0 < n && n <= 65536);
    tile_extent(x, n);
    tile_extent(work, n);
    tile_extent(y, n);
    tile_view in = tile_partition(tile_tensor(x, n), B);
    tile_view between = tile_partition(tile_tensor(work, n), B);
    tile_view out = tile_partition(tile_tensor(y, n), B);
    int i = tile_bid(0);
    token stored = tile_store_tko(between, tile_load(in, i) * 2.0f, after_none, i);
    token loaded;
    tile t = tile_load_tko(between, after(stored), &loaded, i);
    tile_store(out, t + 1.0f, i);
}
"""

# What lies beyond x counts as zero.
SUM = """#include <tile.h>
enum { B = 32 };
tile_kernel void sums(const float *x, float *sum, int n)
{
    tile_grid(tile_cdiv(n, B));
    tile_assume(0 < n && n <= 65536);
    tile_extent(x, n);
    tile_extent(sum, tile_cdiv(n, B));
    tile i = tile_bid(0) * B + tile_iota(B);
    tile inside = tile_lt(i, n);
    tile v = tile_load_masked(tile_pointers(x, i), inside, 0.0f);
    tile_view out = tile_partition(tile_tensor(sum, tile_cdiv(n, B)), 1);
    tile_store(out, tile_reshape(tile_reduce_sum(v, 0), 1), tile_bid(0));
}
"""

DIFFERENT = [
    ("ids-from-one", MATMUL, [("m = tile_bid(0)", "m = tile_bid(0) + 1")]),
    ("ids-from-one", MATMUL, [("tile_load(in_b, k, n)", "tile_load(in_b, k + 1, n)")]),
    ("ids-from-one", ADD, [("tile_bid(0) * B", "(tile_bid(0) + 1) * B")]),
    ("ids-from-one", ADD, [("* B + tile_iota(B)", "* B + tile_iota(B) + 1")]),
    ("ids-from-one", ROWS, [("int k = 0", "int k = 1")]),
    ("wrong-axis", SQUARE, [("m = tile_bid(0)", "m = tile_bid(1)")]),
    ("wrong-axis", SQUARE, [("tile_store(out, x * 2.0f, m, n)", "tile_store(out, x * 2.0f, n, m)")]),
    ("wrong-axis", MATMUL, [("tile_tiles(in_a, 1)", "tile_tiles(in_a, 0)")]),
    ("wrong-axis", MATMUL, [("int m = tile_bid(0), n = tile_bid(1)", "int m = tile_bid(1), n = tile_bid(0)")]),
    ("elementwise-product", MATMUL, [("tile_mma(x, y, acc)", "acc + x * y")]),
    ("elementwise-product", MATMUL, [("tile_mma(x, y, acc)", "tile_fma(x, y, acc)")]),
    ("flipped-accumulator", MATMUL, [("tile_mma(x, y, acc)", "tile_mma(y, x, acc)")]),
    ("flipped-accumulator", MATMUL, [("tile_store(out, acc,", "tile_store(out, tile_permute(acc, 1, 0),")]),
    ("padding-mode", ROWS, [("TILE_PAD_NEG_INF", "TILE_PAD_ZERO")]),
    ("padding-mode", ROWS, [("tile_partition_padded(tile_tensor(x, rows, n), TILE_PAD_NEG_INF,",
                            "tile_partition(tile_tensor(x, rows, n),")]),
    ("padding-mode", SUM, [("inside, 0.0f)", "inside, 1.0f)")]),
    ("padding-mode", SUM, [("inside, 0.0f)", "inside, TILE_INF)")]),
    ("order-of-shape-only", MAPPED, [("tile_load(in, n, m)", "tile_load(in, m, n)")]),
    ("floor-for-ceiling", ROWS, [("k < tile_cdiv(n, B)", "k < n / B")]),
    ("floor-for-ceiling", ROWS, [("k < tile_cdiv(n, B)", "k < (n + B - 1) / B"), ("k < (n + B - 1) / B", "k < n / B")]),
    ("floor-for-ceiling", MATMUL, [("tile_grid(tile_cdiv(M, BM)", "tile_grid(tile_max(1, M / BM)")]),
    ("floor-for-ceiling", MATMUL, [("k < tile_tiles(in_a, 1)", "k < K / BK")]),
    ("dropped-mask", MEAN, [("tile_select(tile_lt(at, n), v, 0.0f)", "v")]),
    ("dropped-mask", ADD, [("tile_store_masked(tile_pointers(z, i), s, inside)",
                            "tile_store_ptr(tile_pointers(z, i), s)")]),
    ("wrong-stride", GATHER, [("r * width + column", "r * rows + column")]),
    ("wrong-stride", GATHER, [("tile_bid(0) * width + column", "tile_bid(0) * n + column")]),
    ("wrong-stride", SQUARE, [("tile_tensor(a, M, N)", "tile_tensor_strided(a, tile_shape(M, N), tile_strides(M, 1))")]),
    ("wrong-stride", SQUARE, [("tile_tensor(c, M, N)", "tile_tensor(c, N, M)")]),
    ("loop-end", MATMUL, [("k < tile_tiles(in_a, 1)", "k < tile_tiles(in_a, 1) - 1")]),
    ("loop-end", MATMUL, [("k < tile_tiles(in_a, 1)", "k <= tile_tiles(in_a, 1)")]),
    ("loop-end", ROWS, [("k < tile_cdiv(n, B)", "k < tile_cdiv(n, B) - 1")]),
    ("dropped-token", HANDED, [("after(stored)", "after_none")]),
    ("permuted-layout", SQUARE, [("tile_tensor(a, M, N)", "tile_tensor_strided(a, tile_shape(M, N), tile_strides(1, M))")]),
    ("other", ADD, [("0.0f) +", "0.0f) -")]),
    ("other", MATMUL, [("acc = tile_mma(x, y, acc)", "acc = tile_mma(x, y, acc) * 2.0f")]),
]

SAME = [
    ("itself", MATMUL, []),
    ("renamed", MATMUL, [("matmul", "product"), ("const float *a,", "const float *lhs,"), ("extent(a,", "extent(lhs,"),
                         ("tensor(a,", "tensor(lhs,")]),
    ("numbers renamed", MATMUL, [("int M,", "int rows,"), ("(M, BM)", "(rows, BM)"), ("0 < M && M <= 4096", "0 < rows && rows <= 4096"),
                                 ("(long)M * K", "(long)rows * K"), ("(long)M * N", "(long)rows * N"), ("(a, M, K)", "(a, rows, K)"),
                                 ("(c, M, N)", "(c, rows, N)")]),
    ("parameters in another order", MATMUL, [("const float *a, const float *b, float *c, int M, int N, int K",
                                              "float *c, int K, int N, int M, const float *b, const float *a")]),
    ("statements in another order", MATMUL, [("        tile x = tile_load(in_a, m, k);\n        tile y = tile_load(in_b, k, n);\n",
                                              "        tile y = tile_load(in_b, k, n);\n        tile x = tile_load(in_a, m, k);\n")]),
    ("larger tiles", MATMUL, [("BM = 16, BN = 16", "BM = 32, BN = 32")]),
    ("longer steps", MATMUL, [("BK = 16", "BK = 32")]),
    ("shorter steps", MATMUL, [("BK = 16", "BK = 8")]),
    ("axes of the grid exchanged", MATMUL, [("tile_grid(tile_cdiv(M, BM), tile_cdiv(N, BN))", "tile_grid(tile_cdiv(N, BN), tile_cdiv(M, BM))"),
                                            ("int m = tile_bid(0), n = tile_bid(1)", "int m = tile_bid(1), n = tile_bid(0)")]),
    ("one axis in place of two", MATMUL, [("tile_grid(tile_cdiv(M, BM), tile_cdiv(N, BN))", "tile_grid(tile_cdiv(M, BM) * tile_cdiv(N, BN))"),
                                          ("int m = tile_bid(0), n = tile_bid(1)",
                                           "int m = tile_bid(0) / tile_cdiv(N, BN), n = tile_bid(0) % tile_cdiv(N, BN)")]),
    ("column by column", MATMUL, [("tile_grid(tile_cdiv(M, BM), tile_cdiv(N, BN))", "tile_grid(tile_cdiv(M, BM) * tile_cdiv(N, BN))"),
                                  ("int m = tile_bid(0), n = tile_bid(1)",
                                   "int m = tile_bid(0) % tile_cdiv(M, BM), n = tile_bid(0) / tile_cdiv(M, BM)")]),
    ("backwards", MATMUL, [("int m = tile_bid(0)", "int m = tile_cdiv(M, BM) - 1 - tile_bid(0)")]),
    ("loop backwards", MATMUL, [("tile_load(in_a, m, k)", "tile_load(in_a, m, tile_tiles(in_a, 1) - 1 - k)"),
                                ("tile_load(in_b, k, n)", "tile_load(in_b, tile_tiles(in_a, 1) - 1 - k, n)")]),
    ("the other product, transposed", MATMUL, [("tile_mma(x, y, acc)", "tile_permute(tile_mma(tile_permute(y, 1, 0), tile_permute(x, 1, 0), tile_permute(acc, 1, 0)), 1, 0)")]),
    ("quotients by hand", MATMUL, [("k < tile_tiles(in_a, 1)", "k < (K + BK - 1) / BK")]),
    ("pointers in larger tiles", ADD, [("B = 32", "B = 128")]),
    ("views in place of pointers", ADD, [("""    tile i = tile_bid(0) * B + tile_iota(B);
    tile inside = tile_lt(i, n);
    tile s = tile_load_masked(tile_pointers(x, i), inside, 0.0f) +
             tile_load_masked(tile_pointers(y, i), inside, 0.0f);
    tile_store_masked(tile_pointers(z, i), s, inside);
""", """    tile_view p = tile_partition(tile_tensor(x, n), B), q = tile_partition(tile_tensor(y, n), B);
    tile_view r = tile_partition(tile_tensor(z, n), B);
    tile_store(r, tile_load(q, tile_bid(0)) + tile_load(p, tile_bid(0)), tile_bid(0));
""")]),
    ("a persistent loop", ADD, [("    tile_grid(tile_cdiv(n, B));\n", ""),
                                ("    tile i = tile_bid(0) * B + tile_iota(B);\n",
                                 "    for (int t = tile_bid(0); t < tile_cdiv(n, B); t += tile_grid_extent(0)) {\n"
                                 "    tile i = t * B + tile_iota(B);\n"),
                                ("s, inside);\n", "s, inside);\n    }\n")]),
    ("padding that no result depends on", ADD, [("inside, 0.0f) +", "inside, 1.0f) +")]),
    ("a mask that is not needed", MEAN, [("TILE_PAD_ZERO", "TILE_PAD_NEG_INF"), ("tile_select(tile_lt(at, n), v, 0.0f)", "v")]),
    ("tiles of another shape", SQUARE, [("in = tile_partition(tile_tensor(a, M, N), B, B)", "in = tile_partition(tile_tensor(a, M, N), B, 2 * B)"),
                                        ("out = tile_partition(tile_tensor(c, M, N), B, B)", "out = tile_partition(tile_tensor(c, M, N), B, 2 * B)"),
                                        ("tile_cdiv(N, B))", "tile_cdiv(N, 2 * B))")]),
    ("by the transposed view", MAPPED, [("tile_partition_mapped(tile_tensor(x, M, N), tile_shape(BN, BM), tile_dims(1, 0),\n"
                                         "                                         TILE_PAD_ZERO)",
                                         "tile_partition(tile_tensor(x, M, N), BM, BN)"),
                                        ("tile_load(in, n, m)", "tile_permute(tile_load(in, m, n), 1, 0)")]),
    ("other offsets of the same", GATHER, [("r * width + column", "column + width * r")]),
    ("a token more", HANDED, [("tile_store(out, t + 1.0f, i);", "tile_store_tko(out, t + 1.0f, after(loaded, stored), i);")]),
]


def changed(source, replacements):
    for old, new in replacements:
        assert old in source, old
        source = source.replace(old, new)
    return source
