#include "driver/prepare.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/installed.h"
#include "builds/compile_db.h"
#include "driver/outputs.h"
#include "inputs/load.h"
#include "inputs/recorded.h"
#include "lookups/lookups.h"
#include "session/session.h"

/* ---- Finding tile.h ---- */

/* Installed, then in a build of a source tree; programs of tests lie one folder deeper. */
static const char *find_include_folder(tr_arena *arena)
{
    static const char *const places[] = {"include/tilerace/tile.h", "include/tile.h",
                                         "../../include/tile.h", "../../../include/tile.h", NULL};
    const char *header = tr_find_installed(arena, places);
    return header ? tr_arena_strndup(arena, header, (size_t)(strrchr(header, '/') - header)) : NULL;
}

/* ---- The run ---- */

static int read_launches(session *s)
{
    tr_errors errors = tr_errors_make(s->arena);
    s->launches = launch_file_read(s->arena, s->options->launch, &errors);
    loaded holder = {.file = s->options->launch, .errors = errors};
    if (!s->launches)
        load_complain(s, &holder);
    tr_errors_free(&errors);
    return s->launches ? EXIT_CLEAN : EXIT_BAD;
}

static int prepare(session *s)
{
    const driver_options *o = s->options;
    s->rules.model = model_default_choices();
    s->rules.strict = o->strict;
    s->rules.notes = o->notes;
    s->rules.steps = (smt_steps)o->steps;
    if (o->loop_tokens)
        s->rules.model.loop_tokens =
            strcmp(o->loop_tokens, "per-name") == 0 ? MODEL_PER_NAME : MODEL_PER_ITERATION;
    if (outputs_spare(s, o->n_files, o->files) != EXIT_CLEAN ||
        outputs_spare(s, 1, &o->launch) != EXIT_CLEAN)
        return EXIT_BAD;
    if (!o->compile_commands && !o->isolated)
        s->found_commands = build_dbs_open();
    if (o->compile_commands) {
        const char *why = NULL;
        s->commands = build_db_read(s->arena, o->compile_commands, &why);
        if (!s->commands)
            return session_complain(s, "%s", why);
    }
    if (o->launch && read_launches(s) != EXIT_CLEAN)
        return EXIT_BAD;
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder))
        s->working_folder = tr_arena_strdup(s->arena, folder);
    s->include_folder = find_include_folder(s->arena);
    return EXIT_CLEAN;
}

int prepare_session(session *s)
{
    s->prepared = lookups_new();
    lookup_list *before = lookups_watch(s->prepared);
    int code = prepare(s);
    lookups_watch(before);
    return code;
}

void prepare_release(session *s)
{
    build_db_free(s->commands);
    build_dbs_close(s->found_commands);
    s->found_commands = NULL;
    if (s->launches)
        launch_file_free(s->launches);
    if (s->seen)
        recorded_launches_free(s->seen);
    lookups_free(s->prepared);
    s->prepared = NULL;
    s->commands = NULL;
    s->launches = NULL;
    s->seen = NULL;
}
