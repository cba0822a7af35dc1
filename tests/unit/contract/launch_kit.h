/* A launch contract's text as the tests of its reader give it, and the contract that was read. */
#ifndef TESTS_LAUNCH_KIT_H
#define TESTS_LAUNCH_KIT_H

#include <string.h>

#include "contract/launch_file.h"

typedef struct fixture {
    smt_ctx *ctx;
    tr_arena *arena;
    tr_errors errors;
    launch_file *file;
    contract *c;
    contract *stated; /* by the kernel itself; or NULL */
} fixture;

static inline void fixture_begin(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->ctx = smt_ctx_new();
    f->arena = tr_arena_new();
    f->errors = tr_errors_make(f->arena);
}

static inline void fixture_drop(fixture *f)
{
    launch_file_free(f->file);
    contract_free(f->c);
    tr_errors_free(&f->errors);
    f->errors = tr_errors_make(f->arena);
    f->file = NULL;
    f->c = NULL;
}

static inline void fixture_end(fixture *f)
{
    fixture_drop(f);
    contract_free(f->stated);
    tr_errors_free(&f->errors);
    tr_arena_free(f->arena);
    smt_ctx_free(f->ctx);
}

/* The first launch of a file for a kernel; single quotes stand for double ones. NULL with errors.
 */
static inline contract *fixture_read(fixture *f, const launch_kernel *kernel, const char *text)
{
    fixture_drop(f);
    char *json = tr_arena_strdup(f->arena, text);
    for (char *s = json; *s; s++)
        if (*s == '\'')
            *s = '"';
    f->file = launch_file_parse(f->arena, "k.launch.json", json, strlen(json), &f->errors);
    if (f->file)
        f->c = launch_file_contract(f->ctx, f->file, kernel, f->stated, 0, &f->errors);
    return f->c;
}

#endif
