/* Results of many inputs, packed, without memory that grows with them: a few megabytes are kept,
 * and the rest lies in a temporary file that nobody else can see. If there is no room for such a
 * file, it is kept in memory after all. */
#ifndef DRIVER_RESULTS_H
#define DRIVER_RESULTS_H

#include "base/base.h"

typedef struct results results;

tr_give results *results_new(size_t n);
void results_free(tr_take results *r);
/* Keeps the result of an input, once. From any thread. */
void results_put(results *r, size_t input, const tr_text *packed);
bool results_has(const results *r, size_t input);
/* Appends it, as far as it can be read back. */
void results_get(results *r, size_t input, tr_text *packed);

/* A file without a name, in TMPDIR; -1: there is none to be had. */
int results_open_file(void);

#endif
