/* compile_commands.json: which options a build gives the C compiler for a file. */
#ifndef BUILDS_COMPILE_DB_H
#define BUILDS_COMPILE_DB_H

#include "base/base.h"

typedef struct build_db build_db;

/* Reads FOLDER/compile_commands.json. NULL, with *why, a sentence: there is none, or it is
 * malformed.
 */
tr_give build_db *build_db_read(tr_arena *arena, const char *folder, const char **why);
void build_db_free(tr_take build_db *db);

/* Databases that were found, kept as long as their files do not change. */
typedef struct build_dbs build_dbs;
tr_give build_dbs *build_dbs_open(void);
void build_dbs_close(tr_take build_dbs *dbs);
/* Returns the database nearest to a file: in its folder or a folder above it, or in a folder
 * `build` there, as clangd searches, up to the root of the repository. NULL: there is none, or
 * *why, a sentence, says what is wrong with the one at *path. It lives until build_dbs_close. May
 * be called by several threads at once, each with its own arena. */
const build_db *build_dbs_find(build_dbs *dbs, tr_arena *arena, const char *file, const char **path,
                               const char **why);

/* The options for a file, those that only nvcc knows and those that name outputs left out, paths
 * made absolute, and those of response files (@FILE) in their place. Returns their number; 0: the
 * file has no entry, or *why, a sentence, says which response file cannot be read. May be called by
 * several threads at once, each with its own arena. */
size_t build_db_options(tr_arena *arena, const build_db *db, const char *file,
                        const char *const **options, const char **why);

#endif
