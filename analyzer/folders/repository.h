/* The repository that a run is in: names of files in it are the same wherever it lies. */
#ifndef FOLDERS_REPOSITORY_H
#define FOLDERS_REPOSITORY_H

#include "base/base.h"

/* The nearest folder from `folder` upwards that has a `.git`; `folder` itself where there is none.
 */
const char *repository_root(tr_arena *arena, const char *folder);
/* The nearest folder from the absolute `folder` upwards where a repository has its root, also an
 * empty one; NULL: there is none. */
const char *repository_around(tr_arena *arena, const char *folder);
/* The folder above, in which files may be looked for that hold for what is in `folder`; NULL: there
 * is none. The search ends at `root`; where that is NULL, where folders begin that belong to
 * somebody else or that others may write to. */
const char *repository_above(tr_arena *arena, const char *root, const char *folder);
/* May a folder outside of repositories be searched, after the one below it where that is not NULL?
 */
bool repository_trusts(const char *folder, const char *below);
/* The file's path from the root on, without links, "./" and "//"; "../..." where it lies outside.
 */
const char *repository_name(tr_arena *arena, const char *root, const char *file);
/* Does such a name stay inside? */
bool repository_holds(const char *name);

#endif
