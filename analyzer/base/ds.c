/* The one place where stb_ds is compiled. */
#include <stdlib.h>

#include "base/base.h"

#define STBDS_REALLOC(context, memory, size) tr_reallocate(memory, size)
#define STBDS_FREE(context, memory)          free(memory)
#define STB_DS_IMPLEMENTATION
#include "base/ds.h"
