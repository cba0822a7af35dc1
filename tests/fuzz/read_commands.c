/* Fuzz target: whatever the bytes are, reading them as a compile_commands.json ends with commands
 * or with a sentence. Of a command's options none gets through that writes, loads, prints or runs
 * something. */
#include "builds/compile_db.h"
#include "own_folder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition, what)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s: %s\n", #condition, what);                                         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static char *folder; /* of the process, made by its first input */

static void remove_folder(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/compile_commands.json", folder);
    unlink(path);
    rmdir(folder);
    free(folder);
}

static void write_commands(const uint8_t *data, size_t size)
{
    char path[PATH_MAX];
    if (!folder) {
        folder = own_folder_make();
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/compile_commands.json", folder);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(file >= 0 && write(file, data, size) == (ssize_t)size, path);
    close(file);
}

static void check_options(size_t n, const char *const *options)
{
    static const char *const never[] = {
        "-o",        "-M",      "--",    "-Wp,",  "-Wa,", "-Wl,",   "-Xclang", "-load",
        "-cc1",      "-plugin", "-emit", "-save", "-E",   "-S",     "-c",      "-fplug",
        "-fmodules", "-fpass",  "@",     "-###",  "-v",   "-print", "-ivfs",   "-fcrash"};
    /* The word behind one of these is its value, whatever it is. */
    static const char *const take_value[] = {
        "-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-isysroot"};
    for (size_t i = 0; i < n; i++) {
        bool takes = false;
        for (size_t k = 0; k < TR_COUNT(never); k++)
            CHECK(strncmp(options[i], never[k], strlen(never[k])) != 0, options[i]);
        for (size_t k = 0; k < TR_COUNT(take_value); k++)
            takes |= strcmp(options[i], take_value[k]) == 0;
        CHECK(options[i][0] == '-' && (!takes || i + 1 < n), options[i]);
        i += takes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = {"k.c", "/w/k.c", "/w/../w/a b.cu"};
    tr_arena *arena = tr_arena_new();
    const char *why = NULL;
    write_commands(data, size);
    build_db *db = build_db_read(arena, folder, &why);
    CHECK((db == NULL) == (why != NULL), why ? why : "nothing");
    for (size_t i = 0; db && i < TR_COUNT(files); i++) {
        const char *const *options = NULL;
        size_t n = build_db_options(arena, db, files[i], &options, &why);
        CHECK(!why || n == 0, why);
        check_options(n, options);
    }
    build_db_free(db);
    tr_arena_free(arena);
    return 0;
}
