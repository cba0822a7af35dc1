/* Headers that C sources include: whether kernels may stand in a file, or come to it by a header.
 */
#ifndef INPUTS_HEADERS_H
#define INPUTS_HEADERS_H

#include "base/base.h"

typedef struct headers headers; /* those that were looked into, each once */

tr_give headers *headers_new(void);
void headers_free(tr_take headers *h);

/* Does the text name `tile_kernel`, or include tile.h, or does a header do so that it includes? In
 * comments and strings nothing counts. A header is looked for beside the file that includes it and
 * in each folder above that, and its `include`, up to the root of the repository; system headers
 * are not. Names that macros make count where their definition has them. `file` is where the text
 * stands. */
bool headers_bring_kernels(headers *h, const char *file, const char *text, size_t length);

#endif
