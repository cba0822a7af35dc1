/* One input from its file to what is reported of it. */
#ifndef CHECKING_CHECKING_H
#define CHECKING_CHECKING_H

#include "cache/packed.h"
#include "inputs/load.h"
#include "session/progress.h"
#include "session/session.h"

/* A result is one or more packed parts behind each other. Each has kernels, errors or whatever else
 * is known; together they are the result of one input. */

/* Functions that a check calls to tell how far it is; any may be NULL. */
typedef struct checking_told {
    void *user;
    /* Called for an input that was read: gives all its kernels, as they are known before they are
     * checked. */
    void (*roster)(void *user, const checked_input *all);
    void (*kernel)(void *user, size_t number, const char *name); /* it is taken up */
    void (*step)(void *user, progress_step step);
    /* The result of a kernel, which is then no part of what checking_run appends. */
    void (*part)(void *user, const checked_input *one);
    /* An entry for the cache; NULL: it is written where the check is made. */
    void (*keep)(void *user, const tr_text *entry);
} checking_told;

/* Recalls the result of file number `number` without a check: nothing can be checked, or its result
 * was kept. False: it has to be checked. From any thread. */
bool checking_recall(const session *s, size_t number, tr_text *packed);
/* Checks file number `number` of the session, the kernels from number `from` on, and appends the
 * result in its packed form. Nothing else of it stays: neither module nor terms. From any thread.
 */
void checking_run(const session *s, size_t number, size_t from, const checking_told *told,
                  tr_text *packed);
/* Like checking_run(), for an input that has been read, whose kernels are those left in it: a
 * result that was kept, or one that is found. `seen` is what was asked while it was read; NULL: its
 * result is neither taken from the cache nor kept. */
void checking_loaded(const session *s, size_t number, loaded *input, lookup_list *seen,
                     tr_text *packed);
/* Appends the result of an input of which nothing was found out: one error. */
void checking_failed(const char *file, const char *why, tr_text *packed);
/* Reads the parts of a result back into the arena. */
checked_input checking_result(const session *s, size_t number, const tr_text *packed,
                              tr_arena *arena);

/* Does every launch of --launch name a kernel of these inputs? Complains if not; EXIT_CLEAN or
 * EXIT_BAD. */
int checking_names(session *s, size_t n, const checked_input *inputs);
/* Like checking_names(), where each launch that names none is an error. Where an input was not
 * read, its kernels are not known, and nothing is looked at. */
bool checking_find_strangers(const session *s, size_t n, const checked_input *inputs,
                             tr_errors *errors);
/* Writes the errors of an input as text to the error stream. */
void checking_complain(session *s, const checked_input *input);

#endif
