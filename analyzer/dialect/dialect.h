/* C tile dialect source -> tile IR and one contract per kernel, by libclang. */
#ifndef DIALECT_H
#define DIALECT_H

#include "contract/contract.h"
#include "ir/ir.h"

/* ---- What a compiler tells of a source beside its kernels (record.c) ---- */

typedef enum dialect_severity {
    DIALECT_NOTE,
    DIALECT_WARNING,
    DIALECT_ERROR,
    DIALECT_FATAL_ERROR
} dialect_severity;

typedef struct dialect_mark {    /* on the line of a message; columns count bytes from 1 */
    uint32_t column, end_column; /* the end is exclusive */
    const char *text;            /* of a fix: what should stand there; else NULL */
} dialect_mark;

typedef struct dialect_message { /* one of Clang's diagnostics */
    tr_place place;              /* file NULL: it has none */
    dialect_severity severity;
    const char *text;
    const char *option; /* "-Wunused-variable"; "": it belongs to no group */
    size_t n_marks;     /* what it speaks of, then fixes */
    dialect_mark *marks;
    size_t n_notes;
    struct dialect_message *notes;
} dialect_message;

typedef struct dialect_file {
    const char *name;
    bool of_system;
} dialect_file;

typedef enum dialect_race_level { /* what the pragmas of a source make of -Wrace */
                                  DIALECT_RACE_AS_ASKED,
                                  DIALECT_RACE_IGNORED,
                                  DIALECT_RACE_WARNING,
                                  DIALECT_RACE_ERROR,
} dialect_race_level;

typedef struct dialect_event dialect_event;

typedef struct dialect_record {
    size_t n_messages;
    dialect_message *messages;
    size_t n_files;
    dialect_file *files; /* that were read, the source first, each once */
    dialect_event *events;
    bool has_kernels; /* or names them, where errors hide what there is */
} dialect_record;

/* The level that `#pragma clang diagnostic` and `_Pragma` before that place leave set, with what is
 * pushed and popped. Pragmas in macros are not seen. */
dialect_race_level dialect_race_at(const dialect_record *record, const tr_place *place);
void dialect_record_free(dialect_record *record);

typedef struct dialect_options {
    size_t n_clang_args;
    const char *const *clang_args; /* the user's: -D, -I, -std, ... */
    const char *include_folder;    /* where tile.h is; NULL: found beside the program or source */
    const tr_unsaved *unsaved;     /* texts that stand for files; or NULL */
    dialect_record *record; /* NULL, or what Clang says is kept there, warnings too; they live as
                               long as the errors do */
    bool crashes;           /* a crash of Clang ends this process, and whoever started it says so */
} dialect_options;

typedef struct dialect_unit {
    ir_module *module; /* owned by the caller: ir_module_free */
    size_t n_kernels;
    const ir_function **kernels; /* module order */
    contract **contracts;        /* one per kernel; terms of the context given */
} dialect_unit;

/* False, with errors (place, sentence, hint), when the source is not C, uses what the dialect
 * cannot mean or holds no kernel. `arena` owns the unit's arrays and the contracts. */
bool dialect_read(tr_arena *arena, smt_ctx *ctx, const char *path, const dialect_options *options,
                  dialect_unit *unit, tr_errors *errors);

typedef struct dialect_admitted {
    size_t n_taken;
    const char **taken; /* in their order */
    size_t n_refused;
    const char **refused; /* words that are no option of clang_options.def, or are dropped with
                             their value */
} dialect_admitted;

/* The options that Clang may read a source with, among the words of a command line or of a build:
 * what they mean and where headers are, nothing that writes, loads, prints or executes. Paths count
 * from `folder`; NULL: from the working folder. */
dialect_admitted dialect_admit_options(tr_arena *arena, size_t n, const char *const *words,
                                       const char *folder);

/* Is what reads C sources at hand? False, with *why. */
bool dialect_can_read(const char **why);

/* The version of libclang in its own words ("Debian clang version 19.1.7"); NULL, with *why, if it
 * cannot be loaded. */
const char *dialect_libclang(const char **why);

#endif
