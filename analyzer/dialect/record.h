/* Filling a dialect_record from what Clang has parsed. */
#ifndef DIALECT_RECORD_H
#define DIALECT_RECORD_H

#include "dialect/dialect.h"
#include "dialect/libclang.h"

/* Returns the place of a diagnostic; its file is NULL where it has none. */
tr_place dialect_place_of(tr_arena *arena, CXDiagnostic diagnostic);

/* The unit must have been parsed with a detailed preprocessing record; `path` is its main file. */
void dialect_record_take(tr_arena *arena, CXTranslationUnit unit, const char *path,
                         dialect_record *record);

#endif
