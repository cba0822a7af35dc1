/* compile_commands.json: which options a build gives the C compiler for a file. */
#ifndef DRIVER_COMPILE_DB_H
#define DRIVER_COMPILE_DB_H

#include "base/base.h"

typedef struct compile_db compile_db;

/* Reads FOLDER/compile_commands.json; NULL and *why, a sentence, when it is not there or not one.
 */
tr_give compile_db *compile_db_read(tr_arena *arena, const char *folder, const char **why);
void compile_db_free(tr_take compile_db *db);

/* The options for a file, those that only nvcc knows and those that name outputs left out, paths
 * made absolute. Returns their number; 0 where the file has no entry. May be called by several
 * threads at once, each with its own arena. */
size_t compile_db_options(tr_arena *arena, const compile_db *db, const char *file,
                          const char *const **options);

#endif
