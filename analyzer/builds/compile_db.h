/* compile_commands.json: which options a build gives the C compiler for a file. */
#ifndef BUILDS_COMPILE_DB_H
#define BUILDS_COMPILE_DB_H

#include "base/base.h"

typedef struct compile_db compile_db;

/* Reads FOLDER/compile_commands.json; NULL and *why, a sentence, when it is not there or not one.
 */
tr_give compile_db *compile_db_read(tr_arena *arena, const char *folder, const char **why);
void compile_db_free(tr_take compile_db *db);

/* Files of that name which were found, kept while they are as they were. */
typedef struct compile_dbs compile_dbs;
tr_give compile_dbs *compile_dbs_open(void);
void compile_dbs_close(tr_take compile_dbs *dbs);
/* The nearest one for a file: in its folder or one above it, or in a folder `build` there, as
 * clangd looks for it; up to the root of the repository. NULL: there is none, or *why, a sentence,
 * says what is wrong with that at *path. Stays until compile_dbs_close. May be called by several
 * threads at once, each with its own arena. */
const compile_db *compile_dbs_find(compile_dbs *dbs, tr_arena *arena, const char *file,
                                   const char **path, const char **why);

/* The options for a file, those that only nvcc knows and those that name outputs left out, paths
 * made absolute. Returns their number; 0 where the file has no entry. May be called by several
 * threads at once, each with its own arena. */
size_t compile_db_options(tr_arena *arena, const compile_db *db, const char *file,
                          const char *const **options);

#endif
