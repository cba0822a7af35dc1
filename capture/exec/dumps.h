/* Modules that a front end writes into a folder while the program runs. cuTile.jl calls its
 * assembler by a path of its own, and tells of its modules in this way alone. */
#ifndef EXEC_DUMPS_H
#define EXEC_DUMPS_H

#include "exec/watch.h"
#include "folders/folder.h"

typedef struct dumps {
    const char *path; /* what the variable names, or a folder of ours; NULL: not opened */
    bool is_ours;
    folder_watch *folder;
    int64_t next; /* of tr_now_ms, when to look again */
    watch *watch;
} dumps;

/* Takes the folder that the variable names, of whose files only those count that come from now on;
 * else one in the folder `own`, which need not be there. */
void dumps_open(dumps *d, watch *w, const char *own);
/* Adds what has come to the modules that are checked; `now`: even if it was looked at just before.
 */
void dumps_look(dumps *d, bool now);
/* The program has ended: what is not whole is told and counted. */
void dumps_end(dumps *d);
/* Removes a folder of ours. */
void dumps_close(dumps *d);

#endif
