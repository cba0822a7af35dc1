/* Sources in CUDA C++, by nvcc. */
#ifndef BUILDS_CUDA_H
#define BUILDS_CUDA_H

#include "builds/build.h"

/* `program`: the path of the compiler. From any thread. */
void build_cuda(const session *s, const build_source *source, const char *program,
                build_result *to);

#endif
