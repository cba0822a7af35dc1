/* Lists of arrays, as a kernel takes them from a table: which bytes each of them is, whether the
 * table is that of a launch that runs or of one that a contract states. */
#ifndef CONTRACT_TABLES_H
#define CONTRACT_TABLES_H

#include "contract/boxes.h"
#include "contract/contract.h"

typedef struct table_size { /* an extent or a stride, in elements, as the kernel has it */
    int word;               /* of the row, counted from its address; 0: it is the number */
    int bits;               /* the lowest ones of the word, read as a signed number */
    int64_t number;
} table_size;

typedef struct table_form {
    size_t arg;         /* the pointer to the table */
    int rows_arg;       /* the scalar that says how many rows it has; -1: `rows` does */
    int64_t rows;       /* if not negative */
    size_t words;       /* of a row */
    size_t rank;        /* of the arrays */
    unsigned width;     /* bytes of their elements */
    uint64_t alignment; /* of their addresses, as the kernel assumes it; at least 1 */
    bool is_written;    /* the kernel writes to some of them */
    table_size extents[BOX_MOST_RANK], strides[BOX_MOST_RANK];
} table_form;

bool table_form_same(const table_form *a, const table_form *b);

/* Is it certain, of the arrays in the tables that a contract states and of the arguments that share
 * a buffer with one, that none that is written shares a byte with another one, nor with itself?
 * `forms` are all tables that the kernel takes arrays from, of which the contract may state some;
 * is it certain that none that is written shares a byte with another one, nor with itself? `forms`
 * are all tables that the kernel takes arrays from, of which the contract may state some; `bytes`
 * is the size of each pointer argument's elements, `is_written` whether the kernel writes to what
 * it addresses. */
bool tables_are_apart(smt_ctx *ctx, const contract *c, size_t n, const table_form *forms,
                      const int *bytes, const bool *is_written);

#endif
