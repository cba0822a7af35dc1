/* A BLAS of this machine for the products of float tiles, opened when it is needed: no part of the
 * build. It adds in an order of its own, so the last bits of a product are the machine's (its
 * tolerance: docs/interpreter.md); in one process equal operands give equal bits. */
#ifndef INTERP_BLAS_H
#define INTERP_BLAS_H

#include "base/base.h"

/* Set to one thread of its own; used by one thread of ours at a time. Never closed: libraries with
 * threads do not survive that. */
typedef struct interp_blas interp_blas;

/* A library by path or soname, opened, its functions found and tried on a small product. NULL with
 * *why, a sentence. In the arena. */
interp_blas *interp_blas_open(tr_arena *arena, const char *library, const char **why);
/* The first of a list of sonames (blas.c) that can be used, looked for at the first product; where
 * there is none, the interpreter's own loop goes on. In the arena, which must live as long. */
interp_blas *interp_blas_any(tr_arena *arena);

/* "libopenblas.so.0 (OpenBLAS 0.3.21, Haswell)"; NULL as long as none has been opened. */
const char *interp_blas_name(const interp_blas *blas);
/* How many products it has computed. */
uint64_t interp_blas_products(const interp_blas *blas);

/* Is there a library? Looks for one the first time. */
bool blas_is_open(interp_blas *blas);
/* sum += l * r by the library that is open; row-major, l of rows x inner, r of inner x columns.
 * Equal operands that lie alike (as to multiples of 64 bytes) give equal bits. */
void blas_multiply_floats(interp_blas *blas, int64_t rows, int64_t inner, int64_t columns,
                          const float *l, const float *r, float *sum);
void blas_multiply_doubles(interp_blas *blas, int64_t rows, int64_t inner, int64_t columns,
                           const double *l, const double *r, double *sum);

#endif
