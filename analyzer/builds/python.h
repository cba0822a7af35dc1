/* Sources in Python, by the front end that the user has. */
#ifndef BUILDS_PYTHON_H
#define BUILDS_PYTHON_H

#include "builds/build.h"

/* `program`: the path of the compiler. From any thread. */
void build_python(const session *s, const build_source *source, const char *program,
                  build_result *to);

#endif
