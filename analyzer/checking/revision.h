/* The contents of a repository at a revision: its tracked files, as git tells of them.
 *
 * git is a program of the machine, the first one in an absolute folder of PATH. It is asked for
 * objects alone (rev-parse, merge-base, ls-tree, cat-file), never for the work tree or the index,
 * so that no filter, hook, diff driver, file system monitor or pager of a repository's
 * configuration has anything to do; what could still start something is switched off beside that,
 * and nothing is fetched. The work tree is read by ourselves. */
#ifndef CHECKING_REVISION_H
#define CHECKING_REVISION_H

#include "base/base.h"

typedef struct revision revision;

typedef enum revision_kind {
    REVISION_NONE,   /* there is nothing of that name */
    REVISION_FILE,   /* regular, executable or not */
    REVISION_LINK,   /* its content is where it leads */
    REVISION_OTHER,  /* a submodule */
    REVISION_FOLDER, /* of tracked files */
} revision_kind;

/* `root`: of the work tree. `name`: what git takes for a commit; "A..." is the last commit that A
 * and HEAD share. NULL, with *why, a sentence. Lives in the arena but for what revision_close
 * releases. */
tr_give revision *revision_open(tr_arena *arena, const char *root, const char *name,
                                const char **why);
void revision_close(tr_take revision *r);

/* The path of git. */
const char *revision_program(const revision *r);

/* The kind of what was at a path from the root on, without "." and "..". */
revision_kind revision_find(revision *r, const char *path);
/* The content of a file or link that is there, in the arena, with a NUL behind it; NULL: it cannot
 * be had. From any thread, and from children of this process. */
const char *revision_read(revision *r, tr_arena *arena, const char *path, size_t *length);
/* The files, in git's order; `i` from 0 on. NULL: there are no more. */
const char *revision_path(const revision *r, size_t i);

#endif
