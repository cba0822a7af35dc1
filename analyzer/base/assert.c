/* The end of a program that broke a promise to itself. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

void tr_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "tilerace: %s:%d: this does not hold: %s\n", file, line, condition);
    abort();
}
