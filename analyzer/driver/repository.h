/* The repository that a run is in: names of files in it are the same wherever it lies. */
#ifndef DRIVER_REPOSITORY_H
#define DRIVER_REPOSITORY_H

#include "base/base.h"

/* The nearest folder from `folder` upwards that has a `.git`; `folder` itself where there is none.
 */
const char *repository_root(tr_arena *arena, const char *folder);
/* The file's path from the root on, without links, "./" and "//"; "../..." where it lies outside.
 */
const char *repository_name(tr_arena *arena, const char *root, const char *file);
/* Does such a name stay inside? */
bool repository_holds(const char *name);

#endif
