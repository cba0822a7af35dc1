/* tilerace cc: dialect sources to bytecode, machine code or objects, with Clang's own warnings and
 * -Wrace. What is no kernel goes to the C compiler itself, so that a build needs one compiler. */
#include "compilers/cc.h"

#include <stdlib.h>
#include <string.h>

#include "bytecode/bytecode.h"
#include "compilers/depend.h"
#include "compilers/kernels.h"
#include "compilers/object.h"
#include "compilers/real.h"
#include "compilers/recorded.h"
#include "compilers/unchecked.h"
#include "driver/commands.h"
#include "driver/compile.h"
#include "driver/prepare.h"
#include "inputs/load.h"
#include "lookups/lookups.h"
#include "session/session.h"
#include "settings/configs.h"
#include "solver/find_solver.h"

typedef struct compilation {
    session *s;
    const cc_command *command;
    report_options how; /* messages are written */
    report_tally tally;
    bool lacks_recording; /* errors are asked for, and what is known of launches cannot be read */
} compilation;

/* Ends as Clang does: 1 for whatever stops it. */
static int refuse(const compilation *c, const char *why)
{
    tr_say(c->s->err, "tilerace cc: error: %s\n", why);
    return 1;
}

/* ---- Section: Messages ---- */

static report_severity severity_of(dialect_severity severity)
{
    static const report_severity table[] = {[DIALECT_NOTE] = REPORT_NOTE,
                                            [DIALECT_WARNING] = REPORT_WARNING,
                                            [DIALECT_ERROR] = REPORT_ERROR,
                                            [DIALECT_FATAL_ERROR] = REPORT_FATAL_ERROR};
    return table[severity];
}

/* Writes a message of Clang's. A warning that is an error keeps the name of its group. */
static void write_message(compilation *c, const dialect_message *m, const char *file, tr_text *out)
{
    report_mark *marks = TR_NEW_ARRAY(c->s->arena, report_mark, m->n_marks + 1);
    for (size_t i = 0; i < m->n_marks; i++)
        marks[i] = (report_mark){m->marks[i].column, m->marks[i].end_column, m->marks[i].text};
    report_message message = {.place = m->place.file ? &m->place : NULL,
                              .has_marks = true,
                              .n_marks = m->n_marks,
                              .marks = marks,
                              .severity = severity_of(m->severity),
                              .text = m->text,
                              .group = m->option,
                              .was_warning = m->severity == DIALECT_ERROR};
    report_write_message(out, &message, file, &c->how, &c->tally);
    for (size_t i = 0; i < m->n_notes; i++)
        write_message(c, &m->notes[i], file, out);
}

/* Clang's, and of the dialect's own errors those that are not Clang's. */
static void write_messages(compilation *c, const loaded *input, const dialect_record *record)
{
    tr_text out = {0};
    for (size_t i = 0; i < record->n_messages; i++)
        write_message(c, &record->messages[i], input->file, &out);
    bool by_clang = c->tally.errors > 0;
    for (size_t i = 0; i < tr_errors_count(&input->errors) && !by_clang; i++) {
        report_write_error(&out, input->file, &input->errors.items[i], &c->how);
        c->tally.errors++;
    }
    fputs(tr_text_get(&out), c->s->err);
    tr_text_free(&out);
}

static void write_tally(const compilation *c)
{
    size_t warnings = c->tally.warnings, errors = c->tally.errors;
    if (warnings == 0 && errors == 0)
        return;
    if (warnings > 0)
        tr_say(c->s->err, "%zu warning%s%s", warnings, warnings > 1 ? "s" : "",
               errors > 0 ? " and " : "");
    if (errors > 0)
        tr_say(c->s->err, "%zu error%s", errors, errors > 1 ? "s" : "");
    fputs(" generated.\n", c->s->err);
}

/* ---- Section: The check ---- */

typedef struct asked { /* of the kernels of one source */
    const compilation *c;
    const dialect_record *record;
} asked;

/* Returns what the command line asks for, as the pragmas around the kernel leave it. */
static report_grading grading_of(const void *user, const tr_place *kernel)
{
    const asked *a = user;
    dialect_race_level level = dialect_race_at(a->record, kernel);
    bool error = level == DIALECT_RACE_ERROR ||
                 (level == DIALECT_RACE_AS_ASKED && a->c->command->race_errors);
    report_severity race = error ? REPORT_ERROR : REPORT_WARNING;
    if (level == DIALECT_RACE_IGNORED)
        race = REPORT_NO_MESSAGE;
    report_severity other = race == REPORT_ERROR && !a->c->command->strict ? REPORT_WARNING : race;
    return (report_grading){race, other};
}

static void check(compilation *c, loaded *input, lookup_list *seen, const dialect_record *record)
{
    tr_text out = {0};
    const asked a = {c, record};
    const kernels_check check = {.s = c->s,
                                 .how = c->how,
                                 .grading_of = grading_of,
                                 .user = &a,
                                 .file = input->file,
                                 .is_configured = true};
    if (!c->s->solver)
        return;
    const kernels_input in = {.loaded = input, .seen = seen};
    const char *why = kernels_write_apart(&check, &in, &out, &c->tally, NULL);
    load_stop_solver(input);
    fputs(tr_text_get(&out), c->s->err);
    if (why)
        unchecked_say(c->s, input->file, why, c->command->race_errors, &c->how, &c->tally);
    tr_text_free(&out);
}

/* ---- Section: Outputs ---- */

static int write_output(compilation *c, loaded *input, const char *output, cc_output kind)
{
    unsigned char *bytecode = NULL;
    size_t size = 0;
    const char *why = NULL;
    uint8_t minor = compile_minor_version(c->command->bytecode_version);
    if (!bytecode_write(input->unit.module, minor, &bytecode, &size, &input->errors)) {
        load_complain(c->s, input);
        return 1;
    }
    tr_text out = {0};
    int code = 0;
    if (kind == CC_CUBIN)
        code = compile_to_code(c->s, bytecode, size, 0, &out) == EXIT_CLEAN ? 0 : 1;
    else if (kind == CC_OBJECT)
        object_write(&out, input->file, bytecode, size);
    else
        tr_text_addn(&out, (const char *)bytecode, size);
    if (code == 0 && !tr_write_whole(c->s->arena, output, out.data, out.length, &why))
        code = refuse(c, why);
    tr_text_free(&out);
    free(bytecode);
    return code;
}

/* The file that says which findings count; or NULL. */
static const char *configuration_of(const compilation *c, const char *source)
{
    const session *s = c->s;
    const char *why;
    configs *all =
        c->command->warns ? configs_open(s->arena, s->options, s->working_folder, &why) : NULL;
    const char *file = all ? configs_for(all, source)->file : NULL;
    configs_close(all);
    return file;
}

static int write_dependencies(compilation *c, const char *source, const char *output,
                              const dialect_record *record)
{
    const char *why = NULL;
    if (c->command->depend == CC_NO_DEPENDENCIES)
        return 0;
    tr_text text = {0};
    depend_write(&text, c->command, output, record, configuration_of(c, source));
    bool good = tr_write_whole(c->s->arena, depend_file_of(c->s->arena, c->command, output),
                               text.data, text.length, &why);
    tr_text_free(&text);
    return good ? 0 : refuse(c, why);
}

/* ---- Section: Sources ---- */

static int delegate(compilation *c)
{
    const char *why = NULL;
    tr_arena *arena = c->s->arena;
    const char *const *cc = real_find_cc(arena, &why);
    if (!cc)
        return refuse(c, why);
    fflush(c->s->err);
    int code =
        real_run(arena, real_command(arena, cc, c->command->n_passed, c->command->passed), &why);
    return why ? refuse(c, why) : code;
}

/* A first look: Clang reads a C file without a kernel for nothing. What is included may hold one.
 */
static bool may_have_kernels(tr_arena *arena, const char *source)
{
    size_t length;
    const char *why, *text = tr_read_file(arena, TR_FILE_KERNELS, source, &length, &why);
    return text && (strstr(text, "tile_kernel") || strstr(text, "#include"));
}

static int compile_loaded(compilation *c, loaded *input, lookup_list *seen,
                          const dialect_record *record, const char *output, cc_output kind)
{
    write_messages(c, input, record);
    if (c->tally.errors > 0)
        return 1;
    if (c->command->warns)
        check(c, input, seen, record);
    if (c->tally.errors > 0 || c->lacks_recording)
        return 1;
    int code = kind == CC_NOTHING ? 0 : write_output(c, input, output, kind);
    return code ? code : write_dependencies(c, input->file, output, record);
}

/* *has_kernels: the source was compiled, or has errors that say why not. */
static int compile_source(compilation *c, const char *source, bool *has_kernels)
{
    dialect_record record = {0};
    loaded input;
    int code = 0;
    const char *output = cc_output_of(c->s->arena, c->command, source);
    cc_output kind = cc_kind_of(c->command, output);
    c->tally = (report_tally){0};
    *has_kernels = may_have_kernels(c->s->arena, source);
    if (!*has_kernels)
        return 0;
    c->s->record = &record;
    lookup_list *seen = lookups_new(), *before = lookups_watch(seen);
    load_input(c->s, source, 0, &input);
    lookups_watch(before);
    *has_kernels = record.has_kernels;
    if (*has_kernels && kind == CC_UNKNOWN)
        code = refuse(c, tr_arena_printf(c->s->arena,
                                         "kernels become NAME.tilebc (bytecode), NAME.cubin "
                                         "(machine code) or NAME.o (bytecode as data of a "
                                         "program), not '%s'",
                                         output));
    else if (*has_kernels)
        code = compile_loaded(c, &input, seen, &record, output, kind);
    if (*has_kernels)
        write_tally(c);
    lookups_free(seen);
    load_free(&input);
    dialect_record_free(&record);
    c->s->record = NULL;
    return code;
}

static int compile_sources(compilation *c)
{
    const cc_command *o = c->command;
    size_t n_kernels = 0;
    int code = 0;
    if (o->n_sources > 1 && o->output && o->compiles)
        return refuse(c, "cannot specify -o when generating multiple output files");
    for (size_t i = 0; i < o->n_sources; i++) {
        bool has_kernels;
        int one = compile_source(c, o->sources[i], &has_kernels);
        code = code ? code : one;
        n_kernels += has_kernels;
    }
    if (n_kernels == 0)
        return delegate(c);
    if (n_kernels < o->n_sources)
        return refuse(c,
                      "one command cannot compile both sources with kernels and sources without: "
                      "use two commands");
    return code;
}

int command_cc(session *s)
{
    cc_command command;
    compilation c = {.s = s, .command = &command};
    const char *why = NULL;
    driver_options options = *s->options;
    if (!cc_parse(s->arena, s->options->n_behind, s->options->behind, &command, &why))
        return refuse(&c, why);
    if (command.delegates)
        return delegate(&c);
    if (!compile_minor_version(command.bytecode_version))
        return refuse(&c, tr_arena_printf(s->arena, "bytecode version %s cannot be written",
                                          command.bytecode_version));
    options.behind = command.clang;
    options.n_behind = command.n_clang;
    options.launch = command.launch;
    options.gpu_name = command.gpu_name;
    options.color = command.color;
    s->options = &options;
    if (prepare_session(s) != EXIT_CLEAN)
        return 1;
    c.how = (report_options){.color = session_color(s, s->err)};
    s->solver = command.warns ? smt_find_solver(s->arena, &why) : NULL;
    if (command.warns && !s->solver)
        unchecked_say(s, command.sources[0], why, command.race_errors, &c.how, &c.tally);
    if (c.tally.errors > 0)
        return 1;
    if (s->solver && command.recording)
        compilers_recorded_open(s, command.recording, command.race_errors, &c.how, &c.tally);
    c.lacks_recording = c.tally.errors > 0;
    return compile_sources(&c);
}
