/* tilerace scan: the Tile IR inside what compilers made, checked without the sources. */
#include "compilers/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "driver/check_command.h"
#include "driver/commands.h"
#include "folders/folder.h"
#include "session/session.h"

typedef struct mapping {
    void *data;
    size_t size;
} mapping;

typedef struct scan {
    session *s;
    mapping *mappings;       /* stb_ds array: the files, while their modules are checked */
    const char **names;      /* stb_ds array */
    bytecode_image **images; /* stb_ds array: one array a file */
    size_t n_found, n_wrong;
} scan;

static void complain(void *user, const char *name, const char *why)
{
    scan *c = user;
    tr_say(c->s->err, "%s: error: %s\n", name, why);
    c->n_wrong++;
}

/* Maps the file, as programs may be larger than memory should be for it; NULL and *why. */
static const unsigned char *map(scan *c, const char *path, size_t *size, const char **why)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    void *data = MAP_FAILED;
    *why = NULL;
    if (fd < 0 || fstat(fd, &info) != 0)
        *why = tr_arena_printf(c->s->arena, "cannot be read: %s", strerror(errno));
    else if (!S_ISREG(info.st_mode))
        *why = "is not a regular file";
    else if (info.st_size == 0)
        *why = "is empty";
    else
        data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED && !*why)
        *why = tr_arena_printf(c->s->arena, "cannot be read: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    if (data == MAP_FAILED)
        return NULL;
    *size = (size_t)info.st_size;
    arrput(c->mappings, ((mapping){data, *size}));
    return data;
}

static bool is_alone(const bytecode_image *images, size_t which)
{
    size_t n = 0;
    for (size_t i = 0; i < arrlenu(images); i++)
        n += images[i].member == images[which].member;
    return n == 1;
}

const char *scan_name(tr_arena *arena, const char *file, const bytecode_image *images, size_t which)
{
    const bytecode_image *image = &images[which];
    const char *name = image->member ? tr_arena_printf(arena, "%s(%s)", file, image->member) : file;
    return is_alone(images, which) ? name : tr_arena_printf(arena, "%s[%zu]", name, which + 1);
}

/* Why one of them cannot be read, as a sentence. */
static const char *why_unread(tr_arena *arena, const bytecode_image *image)
{
    return tr_arena_printf(arena, "the %s at byte %zu cannot be %s: %s",
                           image->is_machine_code ? "kernels" : "Tile IR", image->offset,
                           image->is_machine_code ? "checked" : "read", image->why);
}

/* Scans a file. Most files of a folder hold no module, and files in it come and go. */
static void scan_file(scan *c, const char *path, bool is_of_folder)
{
    const char *why;
    size_t size = 0;
    struct stat info;
    if (is_of_folder && (stat(path, &info) != 0 || info.st_size == 0))
        return;
    const unsigned char *data = map(c, path, &size, &why);
    bytecode_image *found = data ? bytecode_find_images(c->s->arena, data, size) : NULL;
    if (!data)
        complain(c, path, why);
    else if (arrlenu(found) == 0 && !is_of_folder)
        tr_say(c->s->err, "%s: note: there is no Tile IR in it\n", path);
    arrput(c->names, path);
    arrput(c->images, found);
    c->n_found += arrlenu(found);
}

static void scan_word(scan *c, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        scan_file(c, path, false);
        return;
    }
    const char **files = folder_files(c->s->arena, path, complain, c);
    for (size_t i = 0; i < arrlenu(files); i++)
        scan_file(c, files[i], true);
    arrfree(files);
}

/* The modules that are found become the files of the session; what cannot be read is said. */
static void find_modules(session *s, size_t *n_wrong, void *user)
{
    scan *c = user;
    for (size_t i = 0; i < s->options->n_files; i++)
        scan_word(c, s->options->files[i]);
    s->files = TR_NEW_ARRAY(s->arena, const char *, c->n_found + 1);
    s->recorded = TR_NEW_ARRAY(s->arena, const recorded_module *, c->n_found + 1);
    s->images = TR_NEW_ARRAY(s->arena, const bytecode_image *, c->n_found + 1);
    for (size_t f = 0; f < arrlenu(c->images); f++)
        for (size_t i = 0; i < arrlenu(c->images[f]); i++) {
            const bytecode_image *image = &c->images[f][i];
            const char *name = scan_name(s->arena, c->names[f], c->images[f], i);
            if (!image->bytes) {
                complain(c, name, why_unread(s->arena, image));
                continue;
            }
            s->images[s->n_files] = image;
            s->files[s->n_files++] = name;
        }
    *n_wrong = c->n_wrong;
}

int command_scan(session *s)
{
    scan c = {.s = s};
    if (s->options->follow)
        return scan_follow(s);
    int code = driver_check_files(s, find_modules, &c);
    if (code != EXIT_BAD && c.n_found == 0 && c.n_wrong == 0)
        code = session_complain(s, "no Tile IR was found");
    for (size_t i = 0; i < arrlenu(c.images); i++)
        arrfree(c.images[i]);
    for (size_t i = 0; i < arrlenu(c.mappings); i++)
        munmap(c.mappings[i].data, c.mappings[i].size);
    arrfree(c.images);
    arrfree(c.mappings);
    arrfree(c.names);
    return code;
}
