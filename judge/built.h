/* Candidates that another compiler reads: compiled by the command, and judged as what comes out. */
#ifndef JUDGE_BUILT_H
#define JUDGE_BUILT_H

#include "builds/build.h"
#include "judge/context.h"

typedef struct judge_built judge_built;

/* Compiles the candidate where it is one of CUDA Tile C++, once for each combination of tuning
 * values, which are macros; NULL: it is none. Starts processes. */
tr_give judge_built *judge_build(const session *s, const judge_context *c);
void judge_built_free(tr_take judge_built *b); /* NULL: nothing */
/* The result of the build with that combination: modules, or errors that are the candidate's. *why:
 * a sentence if nothing is known of it; else NULL. */
const build_result *judge_built_result(const judge_built *b, size_t combination, const char **why);

#endif
