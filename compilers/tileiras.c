/* `tileiras` as programs that compile kernels while they run call it (cuTile Rust, Triton): the
 * module is looked at on its way to NVIDIA's assembler, whose words, output and exit code are its
 * own. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "base/real_path.h"
#include "bytecode/bytecode.h"
#include "bytecode/rust_names.h"
#include "cache/cache.h"
#include "compilers/kernels.h"
#include "compilers/late.h"
#include "compilers/real.h"
#include "compilers/unchecked.h"
#include "driver/commands.h"
#include "driver/toolchain.h"
#include "launches/names.h"
#include "lookups/digest.h"
#include "recorder/recorder.h"
#include "session/asked.h"
#include "session/session.h"
#include "solver/find_solver.h"

#define PACKAGE "CARGO_MANIFEST_DIR" /* cargo sets it for what it runs */

enum { IN_PROPORTION = -1, SHARE = 10, LONGEST_WAIT = 1000 * 1000 };

typedef struct assembly {
    session *s;
    bool off; /* nothing is checked */
    report_grading grading;
    int64_t wait_ms;    /* for the check, once the assembler has ended; or IN_PROPORTION */
    const char *output; /* of -o; or NULL */
    const void *module;
    size_t size;
    report_tally tally;
    tr_text said;
} assembly;

/* False after a complaint. */
static bool read_wait(assembly *a)
{
    const char *word = getenv("TILERACE_WAIT");
    char *end = NULL;
    a->wait_ms = IN_PROPORTION;
    if (!word)
        return true;
    double seconds = strtod(word, &end);
    if (end == word || *end || !(seconds >= 0 && seconds <= LONGEST_WAIT)) {
        session_complain(a->s, "TILERACE_WAIT is a number of seconds up to %d, not '%s'",
                         LONGEST_WAIT, word);
        return false;
    }
    a->wait_ms = (int64_t)(seconds * 1000);
    return true;
}

/* False after a complaint. */
static bool read_environment(assembly *a)
{
    asked is;
    if (asked_read(a->s, &is) != EXIT_CLEAN || !read_wait(a))
        return false;
    a->off = is == ASKED_OFF;
    a->grading.race = is == ASKED_ERROR || is == ASKED_STRICT ? REPORT_ERROR : REPORT_WARNING;
    a->grading.other = is == ASKED_STRICT ? REPORT_ERROR : REPORT_WARNING;
    return true;
}

static const char *folder_above(tr_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? tr_arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

static bool is_same_folder(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

/* The folder of the package that cargo runs; NULL: it is not cargo. */
static const char *package_of(const session *s)
{
    const char *folder = getenv(PACKAGE);
    bool here = folder && s->working_folder && strcmp(folder, s->working_folder) == 0;
    return here ? "." : folder;
}

static const char *output_in(size_t n, const char *const *words)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(words[i], "-o") == 0 || strcmp(words[i], "--output-file") == 0)
            return i + 1 < n ? words[i + 1] : NULL;
        if (strncmp(words[i], "--output-file=", 14) == 0)
            return words[i] + 14;
    }
    return NULL;
}

/* The file among the words that is a module; NULL: there is none, or *why it cannot be read. */
static char *module_in(tr_arena *arena, size_t n, const char *const *words, const char *output,
                       size_t *size, const char **why)
{
    struct stat info;
    for (size_t i = 0; i < n; i++) {
        bool may_be = words[i][0] != '-' && (!output || strcmp(words[i], output) != 0) &&
                      stat(words[i], &info) == 0 && S_ISREG(info.st_mode);
        char *bytes = may_be ? tr_read_file(arena, TR_FILE_CODE, words[i], size, why) : NULL;
        if (bytes && bytecode_is((const unsigned char *)bytes, *size))
            return bytes;
    }
    return NULL;
}

/* Callers may throw away what we say, so a file gets it, too: whole, from however many at once.
 */
static void log_said(const assembly *a)
{
    const char *log = getenv("TILERACE_LOG");
    if (!log || !*log || a->said.length == 0)
        return;
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, a->said.data, a->said.length) != (ssize_t)a->said.length)
        tr_say(a->s->err, "tilerace: warning: %s cannot be written: %s\n", log, strerror(errno));
    if (fd >= 0)
        close(fd);
}

static report_grading grading_of(const void *user, const tr_place *kernel)
{
    (void)kernel;
    return ((const assembly *)user)->grading;
}

/* ---- Section: The check ---- */

static void check(void *user, tr_text *result)
{
    assembly *a = user;
    /* The module's file is one for the moment: the kernel says more. */
    const kernels_check check = {
        .s = a->s, .how = {.names_kernel = true}, .grading_of = grading_of, .user = a};
    const kernels_input in = {.name = "kernel", .bytes = a->module, .size = a->size};
    kernels_pack_apart(&check, &in, result);
}

static void say_unchecked(assembly *a, const char *why)
{
    const report_options how = {0};
    if (why)
        unchecked_add(&a->said, a->s->arena, "tilerace", why, a->grading.race == REPORT_ERROR, &how,
                      &a->tally);
}

static void take_result(assembly *a, const tr_text *result)
{
    say_unchecked(a, kernels_unpack(a->s->arena, result, &a->said, &a->tally, NULL));
}

static void tell_late(void *user, const tr_text *result)
{
    take_result(user, result);
    log_said(user);
}

/* Tells the caller alone, as the log already has what is found. */
static void say_left(assembly *a)
{
    tr_text out = {0};
    const char *log = getenv("TILERACE_LOG");
    const char *where =
        log && *log ? tr_arena_printf(a->s->arena, ", and stands in '%s'", log) : "";
    const char *text = tr_arena_printf(
        a->s->arena,
        "the check of this kernel takes longer than its compilation and goes on: what it finds is "
        "said when the kernel is compiled again%s",
        where);
    const report_message message = {.severity = REPORT_REMARK, .text = text, .group = "-Rrace"};
    const report_options how = {0};
    report_write_message(&out, &message, "tilerace", &how, &a->tally);
    fputs(tr_text_get(&out), a->s->err);
    tr_text_free(&out);
}

/* Does the verdict decide nothing, and is it kept, so that the next compilation can say it? */
static bool may_come_late(const assembly *a)
{
    if (a->grading.other == REPORT_ERROR || a->grading.race == REPORT_ERROR)
        return false;
    cache *kept = cache_open(a->s);
    if (kept)
        cache_close(a->s, kept);
    return kept;
}

/* The findings of the check fill `said` once the assembler, which took so long, has ended well. */
static void finish_check(assembly *a, late_check *running, int64_t assembled_ms)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t many = processors > 0 ? 2 * (size_t)processors : 2;
    tr_text result = {0};
    int64_t wait_ms = a->wait_ms == IN_PROPORTION ? assembled_ms / SHARE : a->wait_ms;
    if (!late_wait(running, wait_ms) && may_come_late(a) && late_leave(running, many))
        say_left(a);
    else if (late_take(running, &result))
        take_result(a, &result);
    else
        say_unchecked(a, "the checker came to nothing");
    tr_text_free(&result);
}

/* ---- Section: Names for a checker beside the program ---- */

/* Returns the names that the author gave the parameters of the only kernel; NULL: not known. */
static const char *names_of(const session *s, const char *bytes, size_t size)
{
    tr_errors errors = tr_errors_make(s->arena);
    ir_module *module = bytecode_read_known((const unsigned char *)bytes, size, "module", &errors);
    const ir_function *entry = NULL;
    size_t n = 0;
    for (const ir_function *f = module ? module->functions : NULL; f; f = f->next)
        if (f->is_entry) {
            entry = f;
            n++;
        }
    const rust_kernel *kernel = n == 1 ? rust_names_find(s->arena, entry, getenv(PACKAGE)) : NULL;
    const char *names =
        kernel ? names_write(s->arena, kernel->name, &kernel->place, kernel->n, kernel->parameters)
               : NULL;
    if (module)
        ir_module_free(module);
    tr_errors_free(&errors);
    return names;
}

/* Tells the checker beside the program, under `tilerace exec`, which code is which module: it
 * checks it, and each of its launches. */
static void tell_checker(assembly *a)
{
    size_t code_size = 0;
    const char *why;
    char *code =
        a->output ? tr_read_file(a->s->arena, TR_FILE_CODE, a->output, &code_size, &why) : NULL;
    recorder_module(a->module, a->size, code, code ? code_size : 0, "tileiras",
                    names_of(a->s, a->module, a->size));
}

/* The assembler's messages come first, and it has printed them. */
static void conclude(assembly *a)
{
    struct stat info;
    fputs(tr_text_get(&a->said), a->s->err);
    log_said(a);
    if (a->tally.errors > 0 && a->output && stat(a->output, &info) == 0 && S_ISREG(info.st_mode))
        unlink(a->output); /* which may be a device, as /dev/null is */
}

/* Tells where the assembler finds the rest of its tool chain: programs derive it from where we are,
 * as Triton (CUDA_HOME) and cuTile.jl (CUDA_ROOT) do. */
static void name_tool_chain(tr_arena *arena, const char *tileiras)
{
    static const char *const names[] = {"CUDA_HOME", "CUDA_ROOT"};
    const char *wrapper = getenv("TILERACE_WRAPPER");
    const char *own = wrapper ? folder_above(arena, folder_above(arena, wrapper)) : NULL;
    char *real = tr_real_path(tileiras);
    for (size_t i = 0; own && real && i < TR_COUNT(names); i++) {
        const char *named = getenv(names[i]);
        if (named && is_same_folder(named, own))
            setenv(names[i], folder_above(arena, folder_above(arena, real)), 1);
    }
    free(real);
}

/* Starts the check of the module, unless a checker beside the program makes it. */
static bool start_check(assembly *a, late_check *running)
{
    const char *why = NULL;
    const late_work work = {.check = check, .tell = tell_late, .user = a};
    a->s->solver = smt_find_solver(a->s->arena, &why);
    if (a->s->solver && late_start(a->s->arena, &work, running, &why))
        return true;
    say_unchecked(a, why);
    return false;
}

/* The assembler's exit code. */
static int assemble(assembly *a, const char *const *command, bool tells)
{
    const char *why = NULL;
    late_check running;
    int64_t begun = tr_now_ms();
    pid_t child = real_start(a->s->arena, command, &why);
    if (child < 0) {
        tr_say(a->s->err, "tilerace: error: %s\n", why);
        return 127;
    }
    bool checks = a->module && !tells && start_check(a, &running);
    int code = real_wait(child);
    if (checks && code == 0)
        finish_check(a, &running, tr_now_ms() - begun);
    else if (checks)
        late_stop(&running);
    if (code == 0 && a->module && tells)
        tell_checker(a);
    return code;
}

/* ---- Section: For `check --build`, which wants modules alone ---- */

/* Named by what it holds, so any number of assemblers may add to the folder at once. */
static bool collect(tr_arena *arena, const char *folder, const char *module, size_t size,
                    const char **why)
{
    digest of;
    tr_text name = {0};
    digest_of(module, size, &of);
    for (size_t i = 0; i < sizeof of.bytes; i++)
        tr_text_addf(&name, "%02x", of.bytes[i]);
    const char *path = tr_arena_printf(arena, "%s/%s.tilebc", folder, tr_text_get(&name));
    tr_text_free(&name);
    return tr_write_whole(arena, path, module, size, why);
}

/* "\0KERNEL\0KERNEL\0", as the table of an ELF has them. */
static void add_entries(tr_text *out, tr_arena *arena, const char *bytes, size_t size)
{
    tr_errors errors = tr_errors_make(arena);
    ir_module *module = bytecode_read_known((const unsigned char *)bytes, size, "module", &errors);
    tr_text_addn(out, "", 1);
    for (const ir_function *f = module ? module->functions : NULL; f; f = f->next)
        if (f->is_entry && f->name)
            tr_text_addn(out, f->name, strlen(f->name) + 1);
    if (module)
        ir_module_free(module);
    tr_errors_free(&errors);
}

/* Adds a file that stands for machine code: an ELF, since programs look at its first bytes, with
 * the names of the kernels, since the stand-in driver looks for them in an image. It takes them for
 * program headers. */
static void add_machine_code(tr_text *out, tr_arena *arena, const char *bytes, size_t size)
{
    enum { PIECE = 4096 };
    tr_text names = {0};
    add_entries(&names, arena, bytes, size);
    size_t n = names.length / PIECE + 1;
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = 190, /* of CUDA */
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof header,
        .e_phoff = sizeof header,
        .e_phentsize = PIECE,
        .e_phnum = (Elf64_Half)(n < UINT16_MAX ? n : UINT16_MAX)};
    tr_text_addn(out, (const char *)&header, sizeof header);
    tr_text_addn(out, names.data, names.length);
    for (size_t i = names.length; i < n * PIECE; i++)
        tr_text_addn(out, "", 1);
    tr_text_free(&names);
}

/* Adds the module to the folder. The program gets something to load and goes on to its next kernel,
 * also where the assembler would refuse this one: its driver is one that runs nothing. */
static int collect_only(const assembly *a, const char *folder)
{
    session *s = a->s;
    size_t size = 0;
    const char *why = NULL;
    char *module =
        module_in(s->arena, s->options->n_behind, s->options->behind, a->output, &size, &why);
    tr_text image = {0};
    if (module)
        add_machine_code(&image, s->arena, module, size);
    bool good = (module ? collect(s->arena, folder, module, size, &why) : !why) &&
                (!module || !a->output ||
                 tr_write_whole(s->arena, a->output, image.data, image.length, &why));
    tr_text_free(&image);
    if (!good)
        tr_say(s->err, "tilerace: error: %s\n", why);
    return good ? 0 : 1;
}

int command_tileiras(session *s)
{
    const char *why = NULL, *unread = NULL, *wanted = getenv("TILERACE_COLLECT");
    size_t n = s->options->n_behind;
    const char *const *words = s->options->behind;
    assembly a = {.s = s, .output = output_in(n, words)};
    if (wanted && *wanted)
        return collect_only(&a, wanted);
    if (!read_environment(&a))
        return 1;
    s->rust_folder = package_of(s);
    const char *tileiras = toolchain_find_tileiras(s->arena, &why);
    if (!tileiras) {
        tr_say(s->err, "tilerace: error: %s\n", why);
        return 1;
    }
    bool tells = recorder_is_on();
    if (tells || !a.off)
        a.module = module_in(s->arena, n, words, a.output, &a.size, &unread);
    const char *const program[] = {tileiras, NULL};
    name_tool_chain(s->arena, tileiras);
    int code = assemble(&a, real_command(s->arena, program, n, words), tells);
    say_unchecked(&a, unread);
    if (code == 0)
        conclude(&a);
    tr_text_free(&a.said);
    return code != 0 ? code : a.tally.errors > 0;
}
