/* Records what a thread asks of the file system and the environment while it works, whoever asks:
 * this program, libclang or LLVM. The program's own open(), stat(), getenv(), ... stand before
 * those of the C library (watch/calls.c) and tell of each call here.
 *
 * A list of look-ups, asked again, has a digest. While the digest is the same, the same work takes
 * the same course: it sees the same files with the same contents, and the same files are absent. */
#ifndef LOOKUPS_LOOKUPS_H
#define LOOKUPS_LOOKUPS_H

#include "base/base.h"
#include "lookups/digest.h"

typedef enum lookup_kind {
    LOOKUP_CONTENT,     /* opened for reading: what is in it */
    LOOKUP_STATUS,      /* is it there, and what is it? */
    LOOKUP_LINK_STATUS, /* the same of a link itself */
    LOOKUP_ACCESS,      /* may it be read, run, ...? */
    LOOKUP_LINK,        /* where it leads */
    LOOKUP_REAL,        /* its real path */
    LOOKUP_NAMES,       /* what is in the folder */
    LOOKUP_VARIABLE,    /* of the environment */
    LOOKUP_LARGE,       /* what is in a program or a library */
    LOOKUP_KIND_COUNT,
} lookup_kind;

typedef struct lookup {
    lookup_kind kind;
    int mode; /* of LOOKUP_ACCESS */
    const char *name;
} lookup;

typedef struct lookup_list lookup_list;

/* Does this program see the calls at all? One that is linked without watch/calls.c does not. */
bool lookups_are_seen(void);

tr_give lookup_list *lookups_new(void);
void lookups_free(tr_take lookup_list *list);
/* Adds what the calling thread asks from now on to the list; NULL: to none. Returns the previous
 * list. A child of the process adds nothing. */
lookup_list *lookups_watch(lookup_list *list);
/* The list goes on in this process, which is a child of the one that made it. */
void lookups_take_over(lookup_list *list);
/* The calls tell of themselves. */
void lookups_saw(lookup_kind kind, int mode, const char *name);
/* Spoils the list: it depends on the time of day, or on a question that no name stands for, so it
 * is worth nothing later. */
void lookups_spoil(void);
/* Adds the variables of the environment that any thread asked for while it was watched. */
void lookups_add_variables(lookup_list *list);
/* Adds one by hand. */
void lookups_add(lookup_list *list, lookup_kind kind, int mode, const char *name);
/* False: something was asked that is not in the list (lookups_spoil), or too much. */
bool lookups_are_whole(const lookup_list *list);
size_t lookups_count(const lookup_list *list);
const lookup *lookups_at(const lookup_list *list, size_t i);

/* Digests of large files, where they are kept; and answers that hold for the whole run. Both may be
 * NULL. */
typedef struct lookup_answers lookup_answers;
tr_give lookup_answers *lookup_answers_new(void);
void lookup_answers_free(tr_take lookup_answers *answers);

typedef struct lookup_asking {
    lookup_answers *answers;
    bool (*large)(void *user, const char *path, digest *of); /* false: cannot be read */
    void *user;
    bool leaves_large; /* what is in large files is no part of the digest: somebody else asks */
} lookup_asking;

/* Asks all of them again. False: an answer is not the one that was seen first, or one of them can
 * have no digest. With `answers` what was asked once in this run is not asked again. */
bool lookups_digest(const lookup_list *list, const lookup_asking *how, digest *of);

/* Bytes from which the list can be read again, and back; NULL: they are none. A list that was read
 * has seen no answers. */
void lookups_pack(tr_text *out, const lookup_list *list);
tr_give lookup_list *lookups_unpack(const void *bytes, size_t length);

#endif
