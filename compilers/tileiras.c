/* `tileiras` as programs that compile kernels while they run call it (cuTile Rust, Triton): the
 * module is looked at on its way to NVIDIA's assembler, whose words, output and exit code are its
 * own. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "bytecode/bytecode.h"
#include "bytecode/rust_names.h"
#include "compilers/kernels.h"
#include "compilers/real.h"
#include "compilers/unchecked.h"
#include "driver/asked.h"
#include "driver/session.h"
#include "driver/toolchain.h"
#include "launches/names.h"
#include "recorder/recorder.h"

#define PACKAGE "CARGO_MANIFEST_DIR" /* cargo sets it for what it runs */

typedef struct assembly {
    session *s;
    bool off; /* nothing is checked */
    report_grading grading;
    const char *output; /* of -o; or NULL */
    report_tally tally;
    tr_text said;
} assembly;

/* False after a complaint. */
static bool read_environment(assembly *a)
{
    asked is;
    if (asked_read(a->s, &is) != EXIT_CLEAN)
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

/* What calls may throw away what we say, so a file gets it, too: whole, from however many at once.
 */
static void say(assembly *a)
{
    const char *log = getenv("TILERACE_LOG");
    fputs(tr_text_get(&a->said), a->s->err);
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

/* Fills `said`; NULL, or why it cannot be made. */
static const char *check(assembly *a, const void *module, size_t size)
{
    session *s = a->s;
    const char *why = NULL;
    /* The module's file is one for the moment: the kernel says more. */
    const kernels_check check = {
        .s = s, .how = {.names_kernel = true}, .grading_of = grading_of, .user = a};
    const kernels_input in = {.name = "kernel", .bytes = module, .size = size};
    s->solver = smt_find_solver(s->arena, &why);
    return s->solver ? kernels_write_apart(&check, &in, &a->said, &a->tally, NULL) : why;
}

/* What the author calls the parameters of the only kernel; NULL: not known. */
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

/* Under `tilerace exec` the checker beside the program is told which code is which module: it
 * checks it, and each of its launches. */
static void tell_checker(assembly *a, const char *module, size_t size)
{
    size_t code_size = 0;
    const char *why;
    char *code =
        a->output ? tr_read_file(a->s->arena, TR_FILE_CODE, a->output, &code_size, &why) : NULL;
    recorder_module(module, size, code, code ? code_size : 0, "tileiras",
                    names_of(a->s, module, size));
}

/* What the assembler says comes first, and it has said it. */
static void conclude(assembly *a, const char *unchecked)
{
    const report_options how = {0};
    say(a);
    if (unchecked)
        unchecked_say(a->s, "tilerace", unchecked, a->grading.race == REPORT_ERROR, &how,
                      &a->tally);
    struct stat info;
    if (a->tally.errors > 0 && a->output && stat(a->output, &info) == 0 && S_ISREG(info.st_mode))
        unlink(a->output); /* which may be a device, as /dev/null is */
}

/* Where the assembler finds the rest of its tool chain: programs derive it from where we are, as
 * Triton (CUDA_HOME) and cuTile.jl (CUDA_ROOT) do. */
static void name_tool_chain(tr_arena *arena, const char *tileiras)
{
    static const char *const names[] = {"CUDA_HOME", "CUDA_ROOT"};
    const char *wrapper = getenv("TILERACE_WRAPPER");
    const char *own = wrapper ? folder_above(arena, folder_above(arena, wrapper)) : NULL;
    char *real = realpath(tileiras, NULL);
    for (size_t i = 0; own && real && i < TR_COUNT(names); i++) {
        const char *named = getenv(names[i]);
        if (named && is_same_folder(named, own))
            setenv(names[i], folder_above(arena, folder_above(arena, real)), 1);
    }
    free(real);
}

int command_tileiras(session *s)
{
    const char *why = NULL, *unread = NULL;
    size_t n = s->options->n_behind, size = 0;
    const char *const *words = s->options->behind;
    assembly a = {.s = s, .output = output_in(n, words)};
    if (!read_environment(&a))
        return 1;
    s->rust_folder = package_of(s);
    const char *tileiras = toolchain_find_tileiras(s->arena, &why);
    if (!tileiras) {
        tr_say(s->err, "tilerace: error: %s\n", why);
        return 1;
    }
    bool tells = recorder_is_on(), looks = tells || !a.off;
    char *module = looks ? module_in(s->arena, n, words, a.output, &size, &unread) : NULL;
    const char *const program[] = {tileiras, NULL};
    name_tool_chain(s->arena, tileiras);
    pid_t child = real_start(s->arena, real_command(s->arena, program, n, words), &why);
    if (child < 0) {
        tr_say(s->err, "tilerace: error: %s\n", why);
        return 127;
    }
    const char *unchecked = module && !tells ? check(&a, module, size) : unread; /* meanwhile */
    int code = real_wait(child);
    if (code == 0 && module && tells)
        tell_checker(&a, module, size);
    if (code == 0)
        conclude(&a, unchecked);
    tr_text_free(&a.said);
    return code != 0 ? code : a.tally.errors > 0;
}
