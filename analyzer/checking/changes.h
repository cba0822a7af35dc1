/* Differences between a work tree and a revision, asked path by path, for the paths that were
 * looked at. */
#ifndef CHECKING_CHANGES_H
#define CHECKING_CHANGES_H

#include "checking/revision.h"

typedef enum change_state {
    CHANGE_NONE,    /* as it was; or no part of the repository */
    CHANGE_CONTENT, /* a tracked file whose content is another one */
    CHANGE_UNKNOWN, /* added, removed, a link that was none, of a submodule, not tracked, ... */
} change_state;

typedef struct changes changes;

/* `unsaved`, which may be NULL, are texts that stand for files. */
tr_give changes *changes_open(revision *then, const char *root, const tr_unsaved *unsaved);
void changes_close(tr_take changes *c);
const char *changes_root(const changes *c);

/* The state of an absolute path, or of one from the working folder; every link on the way counts,
 * too. With `content`, the contents of the file count; else only whether it exists. *name, which
 * lives in the arena: the file from the root on if the answer is CHANGE_CONTENT. From any thread.
 */
change_state changes_of(changes *c, tr_arena *arena, const char *path, bool content,
                        const char **name);
/* The state of a file that is named from the root on and that existed or exists. */
change_state changes_of_name(changes *c, tr_arena *arena, const char *name);

#endif
