/* A BLAS for the tests, of the shape that STAND_IN names. It adds from the last product to the
 * first, so that its sums are told from the interpreter's. */
#include <stddef.h>
#include <stdlib.h>

#define CBLAS    1 /* cblas_sgemm, cblas_dgemm */
#define FORTRAN  2 /* sgemm_, dgemm_ */
#define NO_DGEMM 3 /* cblas_sgemm alone */
#define WRONG    4 /* as CBLAS, and forgets the sum that was there */
#define LONG     5 /* as CBLAS, and says that it takes integers of 64 bits */

#define API __attribute__((visibility("default")))

#define GEMM(name, type)                                                                           \
    static void name(int rows, int columns, int inner, const type *l, int l_row, int l_column,     \
                     const type *r, int r_row, int r_column, type *sum, int row, int column)       \
    {                                                                                              \
        for (int i = 0; i < rows; i++)                                                             \
            for (int j = 0; j < columns; j++) {                                                    \
                type product = 0;                                                                  \
                for (int k = inner; k-- > 0;)                                                      \
                    product += l[i * l_row + k * l_column] * r[k * r_row + j * r_column];          \
                sum[i * row + j * column] =                                                        \
                    STAND_IN == WRONG ? product : sum[i * row + j * column] + product;             \
            }                                                                                      \
    }
GEMM(multiply_floats, float)
GEMM(multiply_doubles, double)

#if STAND_IN == FORTRAN

#define COLUMNS(symbol, name, type)                                                                \
    API void symbol(const char *l_form, const char *r_form, const int *rows, const int *columns,   \
                    const int *inner, const type *alpha, const type *l, const int *l_step,         \
                    const type *r, const int *r_step, const type *beta, type *sum,                 \
                    const int *step);                                                              \
    API void symbol(const char *l_form, const char *r_form, const int *rows, const int *columns,   \
                    const int *inner, const type *alpha, const type *l, const int *l_step,         \
                    const type *r, const int *r_step, const type *beta, type *sum,                 \
                    const int *step)                                                               \
    {                                                                                              \
        if (*l_form != 'N' || *r_form != 'N' || *alpha != 1 || *beta != 1 || *l_step < *rows ||    \
            *r_step < *inner || *step < *rows)                                                     \
            abort();                                                                               \
        name(*rows, *columns, *inner, l, 1, *l_step, r, 1, *r_step, sum, 1, *step);                \
    }
COLUMNS(sgemm_, multiply_floats, float)
COLUMNS(dgemm_, multiply_doubles, double)

#else

#define ROWS(symbol, name, type)                                                                   \
    API void symbol(int order, int l_form, int r_form, int rows, int columns, int inner,           \
                    type alpha, const type *l, int l_step, const type *r, int r_step, type beta,   \
                    type *sum, int step);                                                          \
    API void symbol(int order, int l_form, int r_form, int rows, int columns, int inner,           \
                    type alpha, const type *l, int l_step, const type *r, int r_step, type beta,   \
                    type *sum, int step)                                                           \
    {                                                                                              \
        if (order != 101 || l_form != 111 || r_form != 111 || alpha != 1 || beta != 1 ||           \
            l_step < inner || r_step < columns || step < columns)                                  \
            abort();                                                                               \
        name(rows, columns, inner, l, l_step, 1, r, r_step, 1, sum, step, 1);                      \
    }
ROWS(cblas_sgemm, multiply_floats, float)
#if STAND_IN == NO_DGEMM
API void *unused(void);
API void *unused(void)
{
    return (void *)multiply_doubles;
}
#else
ROWS(cblas_dgemm, multiply_doubles, double)
#endif

#endif

API const char *openblas_get_config(void);
API const char *openblas_get_config(void)
{
    return STAND_IN == LONG ? "Stand-in 1.2 USE64BITINT" : "Stand-in 1.2 NO_CORE MAX_THREADS=3";
}

/* Whoever forgets to ask for one thread finds out. */
static int threads = 3;
API void openblas_set_num_threads(int number);
API void openblas_set_num_threads(int number)
{
    threads = number;
}

API const char *openblas_get_corename(void);
API const char *openblas_get_corename(void)
{
    return threads == 1 ? "one thread" : "several threads";
}
