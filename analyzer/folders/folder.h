/* A folder that other programs write files into while it is looked at. */
#ifndef FOLDERS_FOLDER_H
#define FOLDERS_FOLDER_H

#include "base/base.h"

/* The visitor of a walk, which goes in the order of names. Links are told of and not followed,
 * except one that the walk begins at. Any function may be NULL. */
typedef struct folder_visitor {
    /* False: the folder is not gone into. `depth` is 0 of the one that the walk begins at. */
    bool (*enter)(void *user, const char *path, const char *name, size_t depth);
    void (*leave)(void *user); /* a folder that was gone into */
    void (*file)(void *user, const char *path, const char *name, size_t size); /* a regular one */
    void (*link)(void *user, const char *path);
    void (*complain)(void *user, const char *path, const char *why); /* it cannot be listed */
} folder_visitor;

void folder_walk(const char *path, const folder_visitor *visitor, void *user);

/* The regular files in a folder and the folders in it, by name, with where they end up that links
 * lead to; links to folders are not followed. An stb_ds array of texts in `arena`; what cannot be
 * listed is told to `complain`, or to nobody where that is NULL. */
tr_give const char **folder_files(tr_arena *arena, const char *path,
                                  void (*complain)(void *user, const char *path, const char *why),
                                  void *user);

typedef struct folder_watch folder_watch;

/* Opens a folder or a file that need not exist yet. */
tr_give folder_watch *folder_open(const char *path);
void folder_close(tr_take folder_watch *f);

/* Takes a file's bytes, which are there for the call alone. NULL, or why the file is not complete:
 * it may still be written. */
typedef const char *(*folder_take)(void *user, const char *path, const unsigned char *bytes,
                                   size_t size);
/* Hands over each file that has come or changed since the last round; one that was written in the
 * last seconds perhaps once more, as it is. */
void folder_round(folder_watch *f, folder_take take, void *user);
/* Hands over nothing of what is there now. */
void folder_skip(folder_watch *f);
/* Tells of each file that was not whole when it was handed over last; returns how many there are.
 */
size_t folder_unfinished(const folder_watch *f,
                         void (*tell)(void *user, const char *path, const char *why), void *user);

#endif
