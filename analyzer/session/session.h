/* Shared by the commands: one run of the program. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdio.h>

#include "bytecode/images.h"
#include "contract/launch_file.h"
#include "dialect/dialect.h"
#include "recordings/recordings.h"
#include "report/report.h"
#include "settings/configs.h"
#include "settings/exits.h"
#include "settings/options.h"
#include "verdict/options.h"

typedef struct build_db build_db;
typedef struct build_dbs build_dbs;
typedef struct recorded_launches recorded_launches;
typedef struct cache cache;
typedef struct lookup_list lookup_list;
typedef struct affected affected;

typedef struct session {
    tr_arena *arena;
    const driver_options *options;
    FILE *out, *err;
    build_db *commands;         /* of -p; or NULL */
    build_dbs *found_commands;  /* those beside inputs and above them; NULL: none are looked for */
    launch_file *launches;      /* of --launch; or NULL */
    recorded_launches *seen;    /* launches of kernels, seen before they were compiled; or NULL */
    const char *include_folder; /* where tile.h is */
    rules_options rules;
    const char *working_folder;          /* absolute */
    const char *solver;                  /* its command; NULL until session_find_solver */
    lookup_list *prepared;               /* what driver/prepare.h asked the file system; or NULL */
    cache *cache;                        /* of results; or NULL */
    affected *affected;                  /* by the change since --diff-base; or NULL */
    const tr_unsaved *unsaved;           /* texts that stand for files; or NULL */
    const tr_unsaved *unsaved_reference; /* ... for files of reference kernels; or NULL */
    dialect_record *record;              /* where what Clang says of a source is kept; or NULL */
    size_t n_files; /* of the command line, with those of recordings in their place */
    const char **files;
    const recorded_module **recorded;  /* for each: what its recording says of it; or NULL */
    const bytecode_image **images;     /* NULL, or for each the module itself, in memory */
    const struct build_module **built; /* NULL, or for each what --build made of it; or NULL */
    struct build_source *sources;      /* stb_ds array: what --build compiles */
    bool complained;                   /* session_complain has said something */
    bool pictures;                     /* a report as HTML is asked for: kernel_report.picture */
    bool guards;                       /* of each kernel as well: kernel_report.guard */
    struct progress *progress;         /* of commands that check files; or NULL */
    bool is_worker; /* this process may die: its parent says so (processes/worker.h) */
    const settings *
        *settings;         /* for each: what its configuration and the command line say; or NULL */
    skipped_file *skipped; /* stb_ds array: what was found in folders and is not checked */
    configs *configs;      /* while files are checked; or NULL */
    const char *rust_folder; /* where sources of modules without places may be; or NULL */
} session;

/* The settings of input `number`, from the configuration and the command line. */
const settings *session_settings(const session *s, size_t number);
/* How its kernels are checked, by these. */
rules_options session_rules(const session *s, size_t number);
/* Finds the solver, once for all inputs; EXIT_BAD after a complaint. */
int session_find_solver(session *s);
/* "tilerace: error: ..." on the error stream; returns EXIT_BAD. */
int session_complain(session *s, const char *format, ...) TR_PRINTF(2, 3);
/* Writes the text to --output or to the output stream; EXIT_CLEAN or EXIT_BAD. */
int session_emit(session *s, const tr_text *text);
/* Writes it to the output stream; EXIT_CLEAN or EXIT_BAD. */
int session_print(session *s, const tr_text *text);
/* Whether to colour what goes to `stream`: --color, NO_COLOR, FORCE_COLOR, the terminal. */
bool session_color(const session *s, FILE *stream);
/* Whether places and rules that go there are links (OSC 8): FORCE_HYPERLINK, the terminal. */
bool session_links(const session *s, FILE *stream);

#endif
