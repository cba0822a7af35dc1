/* The summary of a watch, in words and as an exit code. */
#ifndef EXEC_SUMMARY_H
#define EXEC_SUMMARY_H

#include "exec/watch.h"

typedef struct summary {
    size_t modules, kernels; /* seen */
    size_t launched;         /* kernels */
    size_t launches[JUDGEMENT_COUNT], lost;
    size_t unseen, unseen_launches;
    size_t proved, conditional, racy, undecided; /* kernels, by what is known at the end */
    size_t racy_allowed; /* of the racy: comments allow all that is wrong with them */
    size_t elsewhere;    /* kernels that race at other launches than those seen */
    size_t
        not_launched; /* racy kernels of which no launch was seen, but for those that are allowed */
    size_t not_checked;    /* modules */
    size_t wrong;          /* launches that executing them has shown to be */
    size_t not_executed;   /* launches, where all are to be */
    size_t wrong_comments; /* of sources: they allow nothing (TR903) */
    size_t cut;            /* processes of the program that are not seen to their end */
} summary;

summary exec_summary_of(const watch *w);
/* The text of the end; what is known of kernels that no launch showed comes first. */
void exec_summary_write(tr_text *out, const watch *w, const summary *s);
/* Like exec_summary_write(), as JSON, written to a file. False, and *why: it cannot be. */
bool exec_summary_write_json(const char *path, const watch *w, const summary *s, const char **why);
/* Writes what comes before the counts: of kernels, and of all else. */
void exec_summary_write_words(tr_text *out, const watch *w);
void exec_summary_write_remarks(tr_text *out, const watch *w);
/* The exit code, by the set of --fail-on (settings/fail_on.h). */
int exec_summary_exit(const summary *s, unsigned fails);

#endif
