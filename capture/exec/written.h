/* Memory that kernels would have written. In a dry run no kernel runs, so what such memory holds is
 * not what it would hold. */
#ifndef EXEC_WRITTEN_H
#define EXEC_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct written_range {
    uint64_t from, to;
} written_range;

typedef struct written {
    written_range *ranges; /* stb_ds array, ascending; none meets another */
} written;

void written_add(written *w, uint64_t address, uint64_t bytes);
bool written_meets(const written *w, uint64_t address, uint64_t bytes);
void written_free(written *w);

#endif
