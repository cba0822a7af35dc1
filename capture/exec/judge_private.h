/* Shared by the files that judge: judge.c, exec_judge_alone.c for launches that are checked by
 * themselves, and exec_judge_dependent.c for launches that may overlap the one before. */
#ifndef EXEC_JUDGE_PRIVATE_H
#define EXEC_JUDGE_PRIVATE_H

#include "exec/judge.h"

struct judge {
    tr_arena *arena;
    judge_options options;
    const void *bytes;
    size_t size;
    const char *shown; /* for the file in messages */
    const module_entries *entries;
    const seen_names *names; /* or NULL */
    tilerace_result *result; /* NULL before exec_judge_check() */
    const char *error;
    size_t *told;    /* per kernel: launches told of in words */
    size_t *in_vain; /* per kernel: see MOST_IN_VAIN */
    const char *front_end_names;
    const char *record;         /* key of the module in the recording; NULL: it is not there */
    size_t recorded;            /* launches */
    struct judge_other *others; /* stb_ds array: modules of launches that may still run */
    /* Launches that were checked by themselves, by their contract: of exec_judge_alone.c. */
    struct judged_alone *alone; /* stb_ds string map */
    struct opened *opened;      /* stb_ds string map */
    size_t n_opened;            /* results in it */
};

typedef struct asking { /* one launch being judged */
    judge *j;
    tr_arena *arena;
    const seen_launch *launch;
    bool asked_before;
    const tilerace_kernel *kernel;
    bool is_open; /* of the launch by itself: not checked, since it tells too little; not for lack
                     of a proof */
    judgement *answer;
} asking;

/* The module with a contract that states a launch, or more; the caller frees it. */
tr_give tilerace_result *exec_judge_check_stated(const judge *j, const char *stated);
const char *exec_judge_first_error(const tilerace_result *result); /* NULL: none */
size_t exec_judge_find_in(const tilerace_result *result, const char *symbol);
void exec_judge_write_result(const judge *j, const tilerace_result *result, size_t kernel,
                             bool verdict, tr_text *out);
/* The rules of what a result says is wrong with the launch. */
void exec_judge_take_rules(asking *a, const kernel_report *report);
/* Takes the comments of the sources into a result, and says whether they allow all errors of the
 * kernel; false where it has none. */
bool exec_judge_is_allowed(tilerace_result *result, size_t kernel);
void exec_judge_say_where(asking *a);
void exec_judge_say_sentence(asking *a, const char *level, const tilerace_launch *launch,
                             const tilerace_answer *answer);
/* The launch as it is held against a proof; what the proof asks for is wanted. */
tilerace_launch exec_judge_held_launch(asking *a);
void exec_judge_want_integers(asking *a);
/* Wants the contents of that argument, unless they are there or were asked for in vain. */
void exec_judge_want(asking *a, size_t argument);
void exec_judge_say_launched_here(asking *a);

/* The launch as any other. */
judgement_kind exec_judge_it(asking *a);
/* A launch that may overlap the one before. */
judgement_kind exec_judge_dependent(asking *a);
void exec_judge_free_others(judge *j);

/* The launch by itself, as a contract that states it and no other. */
judgement_kind exec_judge_alone(asking *a);
/* Returns what `how` says of the contract, which it is asked once. Nothing is said of it again, but
 * to a program that takes what is found. */
typedef judgement_kind judge_how(asking *a, const char *stated);
judgement_kind exec_judge_stated(asking *a, const char *stated, judge_how *how);
void exec_judge_begin_alone(judge *j);
void exec_judge_free_alone(judge *j);

#endif
