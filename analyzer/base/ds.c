/* This is the only file that compiles stb_ds. */
#include <stdlib.h>

#include "base/base.h"

#define STBDS_REALLOC(context, memory, size) tr_reallocate(memory, size)
#define STBDS_FREE(context, memory)          free(memory)
#define STB_DS_IMPLEMENTATION
#include "base/ds.h"
