#include "driver/toolchain.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"
#include "base/real_path.h"

#define TILEIRAS "tileiras"
#define MAX_SAID ((size_t)4 << 20)

/* ---- Finding it ---- */

/* Is it the program by whose name we are called in place of the assembler (compilers/launcher)? */
static bool is_wrapper(const struct stat *it)
{
    struct stat own;
    const char *wrapper = getenv("TILERACE_WRAPPER");
    return wrapper && stat(wrapper, &own) == 0 && it->st_dev == own.st_dev &&
           it->st_ino == own.st_ino;
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0 &&
           !is_wrapper(&info);
}

static const char *in_folder(tr_arena *arena, const char *folder)
{
    const char *path = tr_arena_printf(arena, "%s/" TILEIRAS, folder);
    return is_program(path) ? path : NULL;
}

/* The folder of PATH that holds the program, or NULL. An empty entry is the working folder. */
static const char *folder_on_path(tr_arena *arena, const char *program)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        const char *folder = length ? tr_arena_strndup(arena, path, length) : ".";
        if (is_program(tr_arena_printf(arena, "%s/%s", folder, program)))
            return folder;
        path += length + (path[length] == ':');
    }
    return NULL;
}

/* The last match of a pattern, for which the folder of tileiras is `bin` below it. */
static const char *newest_match(tr_arena *arena, const char *pattern,
                                bool (*whole)(tr_arena *, const char *))
{
    const char *found = NULL;
    glob_t matches;
    if (glob(pattern, 0, NULL, &matches) == 0) {
        for (size_t i = matches.gl_pathc; i-- > 0 && !found;)
            if (!whole || whole(arena, matches.gl_pathv[i]))
                found = in_folder(arena, matches.gl_pathv[i]);
        globfree(&matches);
    }
    return found;
}

/* The assembler's own package lacks what it calls: those of nvcc and nvvm bring it. */
static bool has_helpers(tr_arena *arena, const char *folder)
{
    return is_program(tr_arena_printf(arena, "%s/ptxas", folder)) &&
           access(tr_arena_printf(arena, "%s/../nvvm", folder), R_OK) == 0;
}

static const char *in_python(tr_arena *arena)
{
    const char *folder = folder_on_path(arena, "python3");
    if (!folder)
        return NULL;
    static const char *const packages[] = {"site-packages", "dist-packages"};
    for (size_t i = 0; i < TR_COUNT(packages); i++) {
        const char *found = newest_match(
            arena,
            tr_arena_printf(arena, "%s/../lib/python3*/%s/nvidia/cu*/bin", folder, packages[i]),
            has_helpers);
        if (!found) /* Triton's wheel with the Tile IR backend has all of it */
            found = newest_match(
                arena,
                tr_arena_printf(arena,
                                "%s/../lib/python3*/%s/triton/backends/nvidia/tileir_cuda/bin",
                                folder, packages[i]),
                NULL);
        if (found)
            return found;
    }
    return NULL;
}

static const char *in_variable(tr_arena *arena, const char *name)
{
    const char *folder = getenv(name);
    return folder && *folder ? in_folder(arena, tr_arena_printf(arena, "%s/bin", folder)) : NULL;
}

/* The program or its folder. */
static bool names_wrapper(tr_arena *arena, const char *named)
{
    struct stat info;
    return (stat(named, &info) == 0 && is_wrapper(&info)) ||
           (stat(tr_arena_printf(arena, "%s/" TILEIRAS, named), &info) == 0 && is_wrapper(&info));
}

const char *toolchain_find_tileiras(tr_arena *arena, const char **why)
{
    static const char *const names[] = {"TILERACE_TILEIRAS", "CUTILE_TILEIRAS_PATH"};
    for (size_t i = 0; i < TR_COUNT(names); i++) { /* who names one wants that one */
        const char *named = getenv(names[i]);
        if (!named || !*named || names_wrapper(arena, named))
            continue;
        const char *found =
            is_program(named) ? tr_arena_strdup(arena, named) : in_folder(arena, named);
        if (!found)
            *why = tr_arena_printf(arena, "%s names '%s', which is not a program that can be run",
                                   names[i], named);
        return found;
    }
    const char *found = in_python(arena);
    if (!found) {
        const char *folder = folder_on_path(arena, TILEIRAS);
        found = folder ? in_folder(arena, folder) : NULL;
    }
    if (!found)
        found = in_variable(arena, "CUDA_HOME");
    if (!found)
        found = in_variable(arena, "CUDA_TOOLKIT_PATH");
    if (!found)
        found = in_folder(arena, "/usr/local/cuda/bin");
    if (!found)
        found = newest_match(arena, "/usr/local/cuda-*/bin", NULL);
    if (!found)
        *why = "tileiras, NVIDIA's assembler of Tile IR, is not there: install CUDA 13.1 or newer "
               "or, from PyPI, nvidia-cuda-tileiras with nvidia-cuda-nvcc and nvidia-nvvm of the "
               "same version, or name the program in CUTILE_TILEIRAS_PATH; bytecode (-o "
               "NAME.tilebc) needs none of it";
    return found;
}

/* ---- Running it ---- */

/* "CUDA_HOME=..." of the tool kit that the assembler is part of, or NULL. It takes libnvvm and
 * ptxas from CUDA_HOME where that is set, and those of another tool kit refuse what it hands them.
 */
static const char *home_of(tr_arena *arena, const char *tileiras)
{
    char *real = tr_real_path(tileiras);
    const char *home = NULL;
    for (int up = 0; real && up < 2; up++) {
        char *slash = strrchr(real, '/');
        if (slash)
            *slash = 0;
    }
    if (real && is_program(tr_arena_printf(arena, "%s/bin/ptxas", real)))
        home = tr_arena_printf(arena, "CUDA_HOME=%s", real);
    free(real);
    return home;
}

/* Runs to its end; false with *why. */
static bool run(tr_arena *arena, const char *const *argv, int64_t timeout_ms, tr_text *said,
                const char **why)
{
    const char *home = home_of(arena, argv[0]);
    tr_process *process = tr_process_start_with(arena, argv, home, home != NULL, why);
    if (!process)
        return false;
    tr_process_close_input(process);
    int64_t until = tr_now_ms() + timeout_ms;
    tr_process_end end = {0};
    tr_process_result result = tr_process_read_all(process, timeout_ms, MAX_SAID, said);
    if (result == TR_PROCESS_OK || result == TR_PROCESS_CLOSED) {
        int64_t left = until - tr_now_ms();
        result = tr_process_wait(process, left > 0 ? left : 0, &end);
    }
    bool ended = result == TR_PROCESS_OK;
    if (!ended)
        tr_process_kill(process);
    tr_text_add(said, tr_process_errors(process));
    if (result == TR_PROCESS_TIMEOUT)
        *why = tr_arena_printf(arena, "%s took longer than %lld ms and was stopped (--timeout)",
                               argv[0], (long long)timeout_ms);
    else if (!ended)
        *why = tr_arena_printf(arena, "%s cannot be followed: %s", argv[0],
                               result == TR_PROCESS_TOO_LONG ? "it writes without end"
                                                             : tr_process_why(process));
    else if (end.signal)
        *why = tr_arena_printf(arena, "%s was ended by signal %d (%s)", argv[0], end.signal,
                               strsignal(end.signal));
    else if (end.exit_status != 0)
        *why = tr_arena_printf(arena, "%s refuses the module (exit code %d)", argv[0],
                               end.exit_status);
    tr_process_free(process);
    return ended && end.signal == 0 && end.exit_status == 0;
}

/* An assembler of 13.5 beside a libnvvm of 13.4 cannot write line numbers, so it is tried without
 * them, and its complaint forgotten. */
static bool assemble(tr_arena *arena, const char *const *with_lines,
                     const char *const *without_lines, int64_t timeout_ms, tr_text *said,
                     const char **why)
{
    tr_text first = {0}, second = {0};
    const char *unused;
    int64_t until = tr_now_ms() + timeout_ms;
    bool good = run(arena, with_lines, timeout_ms, &first, why);
    int64_t left = until - tr_now_ms();
    bool retried = !good && left > 0 && run(arena, without_lines, left, &second, &unused);
    tr_text_add(said, tr_text_get(retried ? &second : &first));
    tr_text_free(&first);
    tr_text_free(&second);
    return good || retried;
}

bool toolchain_assemble(tr_arena *arena, const char *tileiras, const toolchain_assembly *what,
                        tr_text *cubin, tr_text *said, const char **why)
{
    const char *where = getenv("TMPDIR");
    char *folder = tr_arena_printf(arena, "%s/tilerace-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) {
        *why = tr_arena_printf(arena, "%s cannot be made: %s", folder, strerror(errno));
        return false;
    }
    const char *module = tr_arena_printf(arena, "%s/module.tilebc", folder);
    const char *code = tr_arena_printf(arena, "%s/module.cubin", folder);
    const char *gpu = tr_arena_printf(arena, "--gpu-name=%s", what->gpu_name);
    const char *const with_lines[] = {tileiras, gpu, "--lineinfo", module, "-o", code, NULL};
    const char *const without_lines[] = {tileiras, gpu, module, "-o", code, NULL};
    bool good = tr_write_whole(arena, module, what->bytecode, what->size, why) &&
                assemble(arena, with_lines, without_lines, what->timeout_ms, said, why);
    if (good) {
        size_t size = 0;
        const char *data = tr_read_file(arena, TR_FILE_CODE, code, &size, why);
        good = data && size > 0;
        if (data && size == 0)
            *why = tr_arena_printf(arena, "%s wrote nothing", tileiras);
        if (good)
            tr_text_addn(cubin, data, size);
        else if (!data)
            *why = tr_arena_printf(arena, "%s wrote no file: %s", tileiras, *why);
    }
    unlink(module);
    unlink(code);
    rmdir(folder);
    return good;
}
