/* Says which files of a tree git would not look at, by the .gitignore files in it. Neither the
 * user's own patterns count (core.excludesFile, .git/info/exclude), so that a tree means the same
 * everywhere, nor does what git has in its index: a pattern holds for files that are tracked, too.
 */
#ifndef FOLDERS_IGNORE_H
#define FOLDERS_IGNORE_H

#include "base/base.h"

typedef struct ignore_stack ignore_stack;

tr_give ignore_stack *ignore_open(void);
void ignore_close(tr_take ignore_stack *g);

/* Goes into a folder, named by its real path. A folder with a .git begins anew. A .gitignore that
 * is not read, for a reason of which `warnings` tell, chooses nothing. */
void ignore_enter(ignore_stack *g, const char *folder, tr_errors *warnings);
void ignore_leave(ignore_stack *g);
/* Enters all folders above this one, from its repository's root on. */
void ignore_enter_above(ignore_stack *g, const char *folder, tr_errors *warnings);
/* Is something in the folder that was gone into last ignored? The folders above it are not. */
bool ignore_has(const ignore_stack *g, const char *name, bool is_folder);

/* Does a repository have its root here? */
bool ignore_is_root(const char *folder);

#endif
