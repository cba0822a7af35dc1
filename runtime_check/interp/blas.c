#include "interp/blas.h"

#include <dlfcn.h>
#include <string.h>

/* Looked for in this order. A plain libblas or libcblas is not among them: the reference
 * implementation, which may stand behind these names, is slower than our own loop. */
static const char *const sonames[] = {"libopenblas.so.0", "libmkl_rt.so.3", "libmkl_rt.so.2",
                                      "libblis.so.4", "libflexiblas.so.3"};

/* Called with the argument where the library has them, in this order: one thread; of MKL the
 * interface whose integers are ints. */
static const struct {
    const char *symbol;
    int argument;
} settings[] = {
    {"MKL_Set_Interface_Layer", 0},  {"MKL_Set_Threading_Layer", 1},   {"MKL_Set_Num_Threads", 1},
    {"openblas_set_num_threads", 1}, {"flexiblas_set_num_threads", 1},
};

/* Words of the library on itself: the first `words` of what it says. */
static const struct {
    const char *symbol, *before;
    int words;
} descriptions[] = {
    {"openblas_get_config", "", 2},   /* OpenBLAS 0.3.21 */
    {"openblas_get_corename", "", 1}, /* whose kernels it has chosen */
    {"bli_info_get_version_str", "BLIS ", 1},
};

enum { ROW_MAJOR = 101, NOT_TRANSPOSED = 111 }; /* of CBLAS */

/* One float type: CBLAS's function, or Fortran's. Integers are ints in both. */
#define GEMM(gemm, type)                                                                           \
    typedef void (*gemm##_cblas)(int order, int l_form, int r_form, int rows, int columns,         \
                                 int inner, type alpha, const type *l, int l_step, const type *r,  \
                                 int r_step, type beta, type *sum, int step);                      \
    typedef void (*gemm##_fortran)(const char *l_form, const char *r_form, const int *rows,        \
                                   const int *columns, const int *inner, const type *alpha,        \
                                   const type *l, const int *l_step, const type *r,                \
                                   const int *r_step, const type *beta, type *sum,                 \
                                   const int *step, size_t l_form_length, size_t r_form_length)
GEMM(sgemm, float);
GEMM(dgemm, double);

struct interp_blas {
    tr_arena *arena;
    bool tried;       /* all that could be opened */
    const char *name; /* NULL: none is open */
    uint64_t products;
    sgemm_cblas sgemm; /* of each pair one is set */
    sgemm_fortran sgemm_columns;
    dgemm_cblas dgemm;
    dgemm_fortran dgemm_columns;
};

/* Fortran's matrices lie column by column: ours are their transposes, and so are the factors in the
 * other order. */
#define MULTIPLY(gemm, type)                                                                       \
    static void gemm##_call(const interp_blas *b, int rows, int inner, int columns, const type *l, \
                            const type *r, type *sum)                                              \
    {                                                                                              \
        const type one = 1;                                                                        \
        if (b->gemm)                                                                               \
            b->gemm(ROW_MAJOR, NOT_TRANSPOSED, NOT_TRANSPOSED, rows, columns, inner, one, l,       \
                    inner, r, columns, one, sum, columns);                                         \
        else                                                                                       \
            b->gemm##_columns("N", "N", &columns, &rows, &inner, &one, r, &columns, l, &inner,     \
                              &one, sum, &columns, 1, 1);                                          \
    }                                                                                              \
    /* Whole numbers: every order of the additions gives the same. */                              \
    static bool gemm##_works(const interp_blas *b)                                                 \
    {                                                                                              \
        enum { ROWS = 3, INNER = 5, COLUMNS = 4 };                                                 \
        _Alignas(64) type l[ROWS * INNER], r[INNER * COLUMNS], sum[ROWS * COLUMNS];                \
        for (int i = 0; i < ROWS * INNER; i++)                                                     \
            l[i] = (type)(i - 4);                                                                  \
        for (int i = 0; i < INNER * COLUMNS; i++)                                                  \
            r[i] = (type)(7 - i);                                                                  \
        for (int i = 0; i < ROWS * COLUMNS; i++)                                                   \
            sum[i] = (type)(100 * i);                                                              \
        gemm##_call(b, ROWS, INNER, COLUMNS, l, r, sum);                                           \
        for (int i = 0; i < ROWS * COLUMNS; i++) {                                                 \
            type wanted = (type)(100 * i);                                                         \
            for (int k = 0; k < INNER; k++)                                                        \
                wanted += l[i / COLUMNS * INNER + k] * r[k * COLUMNS + i % COLUMNS];               \
            if (sum[i] != wanted)                                                                  \
                return false;                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }
MULTIPLY(sgemm, float)
MULTIPLY(dgemm, double)

/* ---- Section: Opening ---- */

static void find(void *library, const char *symbol, void *function, size_t size)
{
    void *found = dlsym(library, symbol);
    memcpy(function, &found, size);
}

static void settle(void *library)
{
    for (size_t i = 0; i < TR_COUNT(settings); i++) {
        void (*set)(int);
        find(library, settings[i].symbol, &set, sizeof set);
        if (set)
            set(settings[i].argument);
    }
    void (*bli_threads)(int64_t); /* BLIS's own integers are of 64 bits */
    find(library, "bli_thread_set_num_threads", &bli_threads, sizeof bli_threads);
    if (bli_threads)
        bli_threads(1);
}

/* Do its functions take integers of 64 bits? Then they have the same names. */
static bool has_long_integers(void *library)
{
    char *(*config)(void);
    int64_t (*width)(void);
    find(library, "openblas_get_config", &config, sizeof config);
    find(library, "bli_info_get_blas_int_type_size", &width, sizeof width);
    return (config && strstr(config(), "USE64BITINT")) || (width && width() == 64);
}

static const char *describe(tr_arena *arena, const char *library_name, void *library)
{
    tr_text text = {0};
    tr_text_add(&text, library_name);
    int said = 0;
    for (size_t i = 0; i < TR_COUNT(descriptions); i++) {
        const char *(*say)(void);
        find(library, descriptions[i].symbol, &say, sizeof say);
        const char *words = say ? say() : NULL;
        if (!words)
            continue;
        size_t length = 0;
        for (int left = descriptions[i].words; words[length]; length++)
            if (words[length] == ' ' && --left == 0)
                break;
        tr_text_addf(&text, "%s%s", said++ ? ", " : " (", descriptions[i].before);
        tr_text_addn(&text, words, length);
    }
    tr_text_add(&text, said ? ")" : "");
    const char *kept = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

/* Opens the library into `b`, which stays without a name when it is of no use. */
static void open_library(interp_blas *b, const char *name, const char **why)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        *why = tr_arena_printf(b->arena, "the BLAS %s cannot be opened: %s", name, dlerror());
        return;
    }
    find(library, "cblas_sgemm", &b->sgemm, sizeof b->sgemm);
    find(library, "cblas_dgemm", &b->dgemm, sizeof b->dgemm);
    find(library, "sgemm_", &b->sgemm_columns, sizeof b->sgemm_columns);
    find(library, "dgemm_", &b->dgemm_columns, sizeof b->dgemm_columns);
    if (!b->sgemm && !b->sgemm_columns)
        *why =
            tr_arena_printf(b->arena, "%s is no BLAS: it has neither cblas_sgemm nor sgemm_", name);
    else if (!b->dgemm && !b->dgemm_columns)
        *why =
            tr_arena_printf(b->arena, "%s is no BLAS: it has neither cblas_dgemm nor dgemm_", name);
    else if (has_long_integers(library))
        *why = tr_arena_printf(b->arena,
                               "the BLAS %s takes integers of 64 bits: its build with 32 is "
                               "wanted",
                               name);
    if (*why)
        return;
    settle(library);
    if (!sgemm_works(b) || !dgemm_works(b))
        *why = tr_arena_printf(b->arena, "the BLAS %s gives a wrong product of small whole numbers",
                               name);
    else
        b->name = describe(b->arena, name, library);
}

interp_blas *interp_blas_open(tr_arena *arena, const char *library, const char **why)
{
    interp_blas *b = TR_NEW(arena, interp_blas);
    *b = (interp_blas){.arena = arena, .tried = true};
    *why = NULL;
    open_library(b, library, why);
    return b->name ? b : NULL;
}

interp_blas *interp_blas_any(tr_arena *arena)
{
    interp_blas *b = TR_NEW(arena, interp_blas);
    *b = (interp_blas){.arena = arena};
    return b;
}

bool blas_is_open(interp_blas *b)
{
    for (size_t i = 0; i < TR_COUNT(sonames) && !b->tried && !b->name; i++) {
        const char *why = NULL;
        open_library(b, sonames[i], &why);
    }
    b->tried = true;
    return b->name != NULL;
}

const char *interp_blas_name(const interp_blas *b)
{
    return b->name;
}

uint64_t interp_blas_products(const interp_blas *b)
{
    return b->products;
}

/* ---- Section: Products ---- */

#define PRODUCT(gemm, type, types)                                                                 \
    void blas_multiply_##types(interp_blas *b, int64_t rows, int64_t inner, int64_t columns,       \
                               const type *l, const type *r, type *sum)                            \
    {                                                                                              \
        gemm##_call(b, (int)rows, (int)inner, (int)columns, l, r, sum);                            \
        b->products++;                                                                             \
    }
PRODUCT(sgemm, float, floats)
PRODUCT(dgemm, double, doubles)
