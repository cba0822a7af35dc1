/* Fuzz target: sources of the dialect, through libclang. Reading one ends with kernels or with
 * errors that have a place; kernels are verified, printed, and written as bytecode that reads back
 * to the same text.
 *
 * An input that begins with '#' or '/' is a source. Any other one is choices, a byte each, of a
 * grammar: the source that they lead to is C, and mostly means something. */
#include "dialect/dialect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytecode/bytecode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- Section: The grammar ---- */

enum { MOST_DEPTH = 5, MOST_SOURCE = 1 << 14 };

/* $i an integer, $c a condition, $t a tile, $v a view, $p a pointer, $s statements, $n a number */
static const char *const integers[] = {"$n",
                                       "i",
                                       "n",
                                       "m",
                                       "tile_bid(0)",
                                       "tile_bid(1)",
                                       "tile_grid_extent(0)",
                                       "($i + $i)",
                                       "($i - $i)",
                                       "($i * $i)",
                                       "($i / $i)",
                                       "($i % $i)",
                                       "($i << $n)",
                                       "($i & $i)",
                                       "-$i",
                                       "tile_cdiv($i, $n)",
                                       "(int)(long)$i",
                                       "($c ? $i : $i)",
                                       "tile_to_int($t)",
                                       "idx[$i]"};
static const char *const conditions[] = {"$i < $i",        "$i == $i", "$i >= 0 && $c",
                                         "$c || $i != $i", "!($c)",    "1"};
static const char *const tiles[] = {"tile_load($v, $i)",
                                    "tile_iota($n)",
                                    "tile_load_ptr($p)",
                                    "($t + $t)",
                                    "($t * $i)",
                                    "tile_lt($t, $i)",
                                    "tile_load_masked($p, tile_lt($t, $i), 0)",
                                    "tile_reduce_sum($t, 0)",
                                    "tile_reshape($t, $n, $n)",
                                    "tile_permute($t, 1, 0)",
                                    "tile_atomic_add($p, $i, TILE_RELAXED, TILE_DEVICE)",
                                    "tile_atomic_add($p, $i, TILE_ACQ_REL, TILE_DEVICE)",
                                    "x[$i]",
                                    "tile_full($i, $n)"};
static const char *const views[] = {"in", "out", "tile_partition(tile_tensor(x, n), $n)",
                                    "tile_partition(tile_tensor(y, m, $n), $n, $n)"};
static const char *const pointers[] = {"tile_pointers(y, $i)", "tile_pointers(y, $t)",
                                       "tile_pointers(idx, $i)"};
static const char *const statements[] = {
    "y[$i] = $i;\n",
    "tile_store($v, $t, $i);\n",
    "tile_store_ptr($p, $t);\n",
    "tile_store_masked($p, $t, tile_lt($t, $i));\n",
    "if ($c) { $s }\n",
    "if ($c) { $s } else { $s }\n",
    "for (int i = $i; i < $i; i += $n) { $s }\n",
    "while ($c) { $s break; }\n",
    "switch ($i) { case $n: $s break; default: $s }\n",
    "{ int i = $i; $s }\n",
    "do { $s } while ($c);\n",
    "{ token t = tile_store_tko($v, $t, after(), $i); join_tokens(t, tile_order_token(y)); }\n",
    "tile_assert($c);\n",
    "n = $i;\n",
    "return;\n",
    "continue;\n"};
static const char *const contracts[] = {"tile_grid($n);\n",
                                        "tile_grid(n, m);\n",
                                        "tile_assume($c);\n",
                                        "tile_assume(0 < n && n <= $n);\n",
                                        "tile_extent(x, n);\n",
                                        "tile_extent(y, $i);\n",
                                        "tile_contents(idx, 0, n);\n",
                                        "tile_unique(idx);\n",
                                        "tile_increasing(idx);\n"};
static const char *const numbers[] = {"1", "16", "2",    "8",          "64",   "0",
                                      "3", "-1", "1024", "2147483647", "65536"};
static const char *const wholes[] = {
    "#include <tile.h>\ntile_kernel void k(const float *restrict x, float *y, int *idx, int n, int "
    "m)\n{\n"
    "$k$k int i = 0;\ntile_view in = tile_partition(tile_tensor(x, n), $n);\n"
    "tile_view out = tile_partition(tile_tensor(y, n), $n);\n$s$s}\n",
    "#include <tile.h>\nstatic int f(int n) { return $n / n; }\n"
    "tile_kernel void k(const half *x, unsigned *y, long *idx, unsigned n, long m)\n{\n"
    "$k int i = f($n);\ntile_view in = tile_partition(tile_tensor(x, n, m), $n, $n), out = "
    "in;\n$s$s}\n"};

typedef struct choosing {
    const uint8_t *at, *end;
    tr_text *out;
} choosing;

static void produce(choosing *c, const char *const *rows, size_t n, int depth);

static void produce_kind(choosing *c, char kind, int depth)
{
    static const struct {
        char kind;
        size_t n;
        const char *const *rows;
    } rules[] = {{'i', TR_COUNT(integers), integers},   {'c', TR_COUNT(conditions), conditions},
                 {'t', TR_COUNT(tiles), tiles},         {'v', TR_COUNT(views), views},
                 {'p', TR_COUNT(pointers), pointers},   {'s', TR_COUNT(statements), statements},
                 {'k', TR_COUNT(contracts), contracts}, {'n', TR_COUNT(numbers), numbers}};
    for (size_t i = 0; i < TR_COUNT(rules); i++)
        if (rules[i].kind == kind)
            produce(c, rules[i].rows, rules[i].n, depth);
}

/* A list of choices that is used up gives the first row of each rule, which is the shortest. */
static void produce(choosing *c, const char *const *rows, size_t n, int depth)
{
    size_t which = c->at < c->end && depth < MOST_DEPTH ? *c->at++ % n : 0;
    if (c->out->length > MOST_SOURCE)
        return;
    for (const char *s = rows[which]; *s; s++)
        if (*s == '$')
            produce_kind(c, *++s, depth + 1);
        else
            tr_text_addn(c->out, s, 1);
}

/* ---- Section: Reading ---- */

static void write_and_read_again(tr_arena *arena, const ir_module *module)
{
    tr_errors errors = tr_errors_make(arena);
    tr_text text = {0}, again = {0};
    unsigned char *bytes = NULL;
    size_t size = 0;
    ir_print_module(&text, module, false);
    if (bytecode_write(module, BYTECODE_NEWEST_WRITTEN, &bytes, &size, &errors)) {
        ir_module *read = bytecode_read(bytes, size, "written", &errors);
        CHECK(read, "what was written cannot be read: %s\n", errors.items[0].text);
        ir_print_module(&again, read, false);
        CHECK(strcmp(tr_text_get(&text), tr_text_get(&again)) == 0, "%s\nread again:\n%s\n",
              tr_text_get(&text), tr_text_get(&again));
        ir_module_free(read);
        free(bytes);
    }
    tr_text_free(&text);
    tr_text_free(&again);
    tr_errors_free(&errors);
}

static void read_source(tr_arena *arena, const char *text, size_t length)
{
    const char *include = getenv("TILERACE_FUZZ_INCLUDE"); /* on another machine: all headers */
    const char *own = include ? include : TILERACE_SOURCE_DIR "/analyzer/dialect/include";
    /* No header of the system is read each time, but those of Clang's that the program brings. */
    const char *const words[] = {"-nostdinc", "-isystem", own};
    const tr_unsaved_file file = {"/nowhere/k.c", text, length};
    const tr_unsaved unsaved = {1, &file};
    const dialect_options options = {.n_clang_args = TR_COUNT(words),
                                     .clang_args = words,
                                     .include_folder =
                                         include ? include : TILERACE_SOURCE_DIR "/include",
                                     .unsaved = &unsaved};
    smt_ctx *ctx = smt_ctx_new();
    tr_errors errors = tr_errors_make(arena);
    dialect_unit unit = {0};
    bool good = dialect_read(arena, ctx, file.path, &options, &unit, &errors);
    CHECK(good == (tr_errors_count(&errors) == 0), "kernels and errors, or neither:\n%s\n", text);
    if (good) {
        CHECK(unit.n_kernels > 0, "no kernel and no error:\n%s\n", text);
        write_and_read_again(arena, unit.module);
        for (size_t i = 0; i < unit.n_kernels; i++)
            contract_free(unit.contracts[i]);
        ir_module_free(unit.module);
    }
    /* Else every source would end there, and nothing be tried. */
    CHECK(good || !strstr(errors.items[0].text, "stdbool.h' file not found"), "no headers\n");
    tr_errors_free(&errors);
    smt_ctx_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    tr_text source = {0};
    if (size > 0 && (*data == '#' || *data == '/')) {
        tr_text_add(&source, tr_arena_strndup(arena, (const char *)data, size));
    } else {
        choosing c = {data, data + size, &source};
        produce(&c, wholes, TR_COUNT(wholes), 0);
    }
    read_source(arena, tr_text_get(&source), source.length);
    tr_text_free(&source);
    tr_arena_free(arena);
    return 0;
}
