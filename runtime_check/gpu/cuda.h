/* The CUDA driver API, opened at run time: the program starts without a driver. */
#ifndef GPU_CUDA_H
#define GPU_CUDA_H

#include "base/base.h"

typedef struct cuda_context_of *cuda_context;
typedef struct cuda_module_of *cuda_module;
typedef struct cuda_function_of *cuda_function;
typedef struct cuda_stream_of *cuda_stream;
typedef struct cuda_event_of *cuda_event;
typedef unsigned long long cuda_address;

enum { /* of the driver's own header */
       CUDA_OK = 0,
       CUDA_ERROR_OUT_OF_MEMORY = 2,
       CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
       CUDA_ATTRIBUTE_MAJOR = 75,
       CUDA_ATTRIBUTE_MINOR = 76,
       CUDA_STREAM_NON_BLOCKING = 1,
};

typedef struct cuda_api {
    void *library;
#define FUNCTION(field, symbol, parameters) int(*field) parameters;
#include "gpu/cuda_api.def"
} cuda_api;

/* Opens the driver's library and looks up every function. False with *why, a sentence with the
 * remedy. Nothing of the driver is initialised. The library stays open. */
bool cuda_open(tr_arena *arena, cuda_api *api, const char **why);
/* "NAME: text" of a driver error. */
const char *cuda_error(tr_arena *arena, const cuda_api *api, int error);

#endif
