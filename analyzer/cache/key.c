#include "cache/key.h"

#include <elf.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/installed.h"
#include "base/process.h"
#include "cache/packed.h"
#include "lookups/digest.h"
#include "lookups/lookups.h"
#include "session/session.h"
#include "solver/command.h"

/* ---- Section: Options ---- */

typedef enum option_number {
#define OPTION(field, kind, long_name, letter, argument, commands, help) OPTION_NUMBER_##field,
#include "settings/options.def"
    OPTION_NUMBER_COUNT
} option_number;

static void add_flag(digest_state *state, bool value)
{
    digest_add_number(state, value);
}

static void add_list(digest_state *state, option_list list)
{
    digest_add_number(state, list.n);
    for (size_t i = 0; i < list.n; i++)
        digest_add_text(state, list.items[i]);
}

#define ADD_OPTION(state, value)                                                                   \
    _Generic((value),                                                                              \
        bool: add_flag,                                                                            \
        const char *: digest_add_text,                                                             \
        unsigned long: digest_add_number,                                                          \
        option_list: add_list)(state, value)

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
static void add_option(digest_state *state, const driver_options *o, option_number number)
{
    switch (number) {
#define CHANGES(field)                                                                             \
    case OPTION_NUMBER_##field:                                                                    \
        ADD_OPTION(state, o->field);                                                               \
        break;
#define KEEPS(field) case OPTION_NUMBER_##field:
#include "cache/options.def"
    case OPTION_NUMBER_COUNT:
        break;
    }
}
#pragma GCC diagnostic pop

/* ---- Section: This program and the solver ---- */

typedef struct build {
    digest_state *state;
    bool found;
} build;

static void find_note(build *b, const char *at, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
        size_t name = (note->n_namesz + 3u) & ~3u, about = (note->n_descsz + 3u) & ~3u;
        if (name + about > size - sizeof *note)
            return;
        const char *text = at + sizeof *note;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(text, "GNU", 4)) {
            digest_add(b->state, text + name, note->n_descsz);
            b->found = note->n_descsz > 0;
        }
        at += sizeof *note + name + about;
        size -= sizeof *note + name + about;
    }
}

/* The linker's digest of the whole program, not only its version. */
static int find_build(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            find_note(user, (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                      info->dlpi_phdr[i].p_memsz);
    return 1; /* the program comes first */
}

static bool is_script(const char *path)
{
    char begin[4] = {0};
    FILE *file = fopen(path, "rb");
    bool read = file && fread(begin, 1, sizeof begin, file) == sizeof begin;
    if (file)
        fclose(file);
    return !read || memcmp(begin, ELFMAG, SELFMAG) != 0;
}

/* It is not known what a script runs. */
static bool add_solver(digest_state *state, const session *s, const lookup_asking *how)
{
    tr_arena *arena = tr_arena_new();
    const char *const *words = smt_split_command(arena, s->solver);
    const char *program = words[0] && strchr(words[0], '/') ? words[0]
                          : words[0]                        ? tr_find_program(arena, words[0], NULL)
                                                            : NULL;
    digest of;
    bool good = program && !is_script(program) && how->large(how->user, program, &of);
    for (size_t i = 0; words[i]; i++)
        digest_add_text(state, words[i]);
    if (good) {
        digest_add_text(state, program);
        digest_add(state, of.bytes, sizeof of.bytes);
    }
    tr_arena_free(arena);
    return good;
}

bool cache_common_key(const session *s, const lookup_asking *how, digest *of)
{
    const driver_options *o = s->options;
    digest prepared = {{0}};
    digest_state *state = digest_begin();
    build b = {state, false};
    struct utsname machine;
    dl_iterate_phdr(find_build, &b);
    bool good = b.found && uname(&machine) == 0 && s->solver && s->prepared &&
                lookups_digest(s->prepared, &(lookup_asking){0}, &prepared);
    digest_add_number(state, packed_version());
    digest_add_text(state, good ? machine.machine : "");
    digest_add(state, prepared.bytes, sizeof prepared.bytes);
    digest_add_number(state, o->command);
    digest_add_number(state, s->pictures); /* a result without them is none for a page */
    for (int i = 0; i < OPTION_NUMBER_COUNT; i++)
        add_option(state, o, (option_number)i);
    digest_add_number(state, o->n_behind);
    for (size_t i = 0; i < o->n_behind; i++)
        digest_add_text(state, o->behind[i]);
    digest_add_text(state, s->working_folder);
    digest_add_text(state, s->include_folder);
    digest_add_text(state, s->rust_folder);
    good = good && add_solver(state, s, how);
    digest_end(state, of);
    return good;
}

void cache_input_key(const session *s, const digest *common, size_t number, digest *of)
{
    const recorded_module *recorded = s->recorded ? s->recorded[number] : NULL;
    const bytecode_image *image = s->images ? s->images[number] : NULL;
    digest_state *state = digest_begin();
    digest_add(state, common->bytes, sizeof common->bytes);
    digest_add_text(state, s->files[number]);
    const rules_options rules = session_rules(s, number);
    /* The size is that without padding behind the last member; another member makes it larger. */
    _Static_assert(sizeof(model_choices) == 16, "a new choice of the model belongs here");
    digest_add(state, &rules.model, offsetof(model_choices, no_thin_air) + 1);
    digest_add_number(state, rules.steps);
    digest_add_number(state, rules.strict);
    digest_add_number(state, rules.notes);
    digest_add_number(state, rules.reaches);
    digest_add_number(state, recorded != NULL);
    if (recorded) {
        digest_add_text(state, recorded->path);
        digest_add_text(state, recorded->about);
        digest_add_text(state, recorded->launches);
        digest_add_text(state, recorded->launches_shown);
        digest_add_text(state, recorded->source);
    }
    digest_add_number(state, image != NULL);
    if (image)
        digest_add(state, image->bytes, image->size);
    digest_end(state, of);
}

/* ---- Section: Libraries ---- */

static int add_library(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    if (info->dlpi_name && info->dlpi_name[0] == '/')
        lookups_add(user, LOOKUP_LARGE, 0, info->dlpi_name);
    return 0;
}

/* Files whose code is mapped: lines "from-to r-xp ... /path". Memory that only looks like a file
 * (huge pages) holds no code. */
static bool add_mapped(lookup_list *seen, const char *maps)
{
    tr_arena *arena = tr_arena_new();
    size_t n = 0;
    for (const char *at = maps; *at;) {
        size_t length = strcspn(at, "\n");
        const char *line = tr_arena_strndup(arena, at, length), *rights = strchr(line, ' '),
                   *name = strchr(line, '/');
        at += length + (at[length] == '\n');
        if (!name || !rights || strlen(rights) < 4 || rights[3] != 'x')
            continue;
        lookups_add(seen, LOOKUP_LARGE, 0, name);
        n++;
    }
    tr_arena_free(arena);
    return n > 0;
}

/* Adds the places where another libclang would be found first. */
static void add_search(lookup_list *seen)
{
    tr_arena *arena = tr_arena_new();
    const char *root = tr_installation_root(arena);
    glob_t found = {0};
    lookups_add(seen, LOOKUP_LARGE, 0, "/etc/ld.so.cache");
    lookups_add(seen, LOOKUP_VARIABLE, 0, "LD_LIBRARY_PATH");
    lookups_add(seen, LOOKUP_VARIABLE, 0, "LD_PRELOAD");
    if (root) {
        lookups_add(seen, LOOKUP_NAMES, 0, tr_arena_printf(arena, "%s/lib", root));
        if (glob(tr_arena_printf(arena, "%s/lib/python3*", root), 0, NULL, &found) == 0)
            for (size_t i = 0; i < found.gl_pathc; i++)
                lookups_add(seen, LOOKUP_STATUS, 0,
                            tr_arena_printf(arena, "%s/site-packages/clang/native/libclang.so",
                                            found.gl_pathv[i]));
        globfree(&found);
    }
    tr_arena_free(arena);
}

bool cache_add_programs(lookup_list *seen, const char *solver)
{
    lookups_add_variables(seen);
    dl_iterate_phdr(add_library, seen);
    add_search(seen);
    return !solver || add_mapped(seen, solver);
}
