/* Decides which files a request may name. */
#ifndef JUDGE_DOOR_H
#define JUDGE_DOOR_H

#include "base/base.h"

typedef struct judge_door { /* NULL: all of them */
    size_t n_roots;
    const char *const *roots; /* real paths of folders: what lies below them may be read */
} judge_door;

/* The door of these folders, in the arena. NULL, with *why (a sentence): one cannot be read. */
const judge_door *judge_door_make(tr_arena *arena, size_t n, const char *const *folders,
                                  const char **why);
/* May the file be read? Links are followed first. A file that is not there may: reading it says
 * so. */
bool judge_door_admits(const judge_door *door, const char *path);
/* The first file that a launch, as JSON, names and that may not be read, in the arena; NULL: there
 * is none. Names start from the folder. */
struct cJSON;
const char *judge_door_stranger(tr_arena *arena, const judge_door *door, const char *folder,
                                const struct cJSON *launch);

#endif
