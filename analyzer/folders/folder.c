#include "folders/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ds.h"

/* ---- Section: Walking ---- */

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void visit(const folder_visitor *v, FTS *tree, FTSENT *entry, void *user)
{
    bool is_left = entry->fts_info == FTS_DP || entry->fts_info == FTS_DNR;
    bool fails =
        entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS;
    if (entry->fts_info == FTS_D) {
        entry->fts_number =
            !v->enter || v->enter(user, entry->fts_path, entry->fts_name, (size_t)entry->fts_level);
        if (!entry->fts_number)
            fts_set(tree, entry, FTS_SKIP);
    } else if (entry->fts_info == FTS_F && v->file) {
        v->file(user, entry->fts_path, entry->fts_name, (size_t)entry->fts_statp->st_size);
    } else if ((entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE) && v->link) {
        v->link(user, entry->fts_path);
    }
    if (fails && v->complain && entry->fts_errno != ENOENT)
        v->complain(user, entry->fts_path, strerror(entry->fts_errno));
    if (is_left && entry->fts_number && v->leave)
        v->leave(user);
}

void folder_walk(const char *path, const folder_visitor *visitor, void *user)
{
    char *paths[] = {tr_duplicate(path), NULL};
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    if (!tree && visitor->complain)
        visitor->complain(user, path, strerror(errno));
    for (FTSENT *entry; tree && (entry = fts_read(tree));)
        visit(visitor, tree, entry, user);
    if (tree)
        fts_close(tree);
    free(paths[0]);
}

typedef void (*complaint)(void *user, const char *path, const char *why);

typedef struct listing {
    tr_arena *arena;
    const char **files; /* stb_ds array */
    complaint complain;
    void *user;
} listing;

static void list_path(void *user, const char *path)
{
    listing *l = user;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
        arrput(l->files, tr_arena_strdup(l->arena, path));
}

static void list_file(void *user, const char *path, const char *name, size_t size)
{
    (void)name, (void)size;
    list_path(user, path);
}

static void pass_complaint(void *user, const char *path, const char *why)
{
    listing *l = user;
    if (l->complain)
        l->complain(l->user, path, why);
}

tr_give const char **folder_files(tr_arena *arena, const char *path,
                                  void (*complain)(void *user, const char *path, const char *why),
                                  void *user)
{
    listing l = {.arena = arena, .complain = complain, .user = user};
    const folder_visitor visitor = {
        .file = list_file, .link = list_path, .complain = pass_complaint};
    folder_walk(path, &visitor, &l);
    return l.files;
}

/* ---- Section: Files that come and change ---- */

#define LATER ((time_t)INT64_MAX) /* than any change */

typedef struct known_file {
    dev_t device;
    ino_t number;
    off_t size;
    struct timespec changed;
    time_t handed_over;
    const char *unfinished; /* why it is not whole; or NULL */
    uint64_t round;         /* in which it was there last */
} known_file;

struct folder_watch {
    char *path;
    uint64_t round;
    struct {
        char *key;
        known_file value;
    } *files; /* stb_ds map: by path */
    folder_take take;
    void *user;
};

tr_give folder_watch *folder_open(const char *path)
{
    folder_watch *f = tr_allocate_zeroed(1, sizeof *f);
    f->path = tr_duplicate(path);
    sh_new_strdup(f->files);
    return f;
}

void folder_close(tr_take folder_watch *f)
{
    if (!f)
        return;
    shfree(f->files);
    free(f->path);
    free(f);
}

/* A file system's clock has steps, so a file that was handed over right after it was written may
 * have been written again and look the same. */
static bool is_same(const known_file *a, const known_file *b)
{
    enum { COARSEST_STEP = 2 }; /* seconds */
    if (a->handed_over <= a->changed.tv_sec + COARSEST_STEP)
        return false;
    return a->device == b->device && a->number == b->number && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Copies all of it: who maps a file that another program cuts off is killed. NULL: it cannot be
 * read, or its size is another one by now. */
static unsigned char *read_all(const char *path, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    unsigned char *bytes = fd >= 0 ? malloc(size + 1) : NULL;
    size_t at = 0;
    for (ssize_t got = 1; bytes && at <= size && got > 0; at += got > 0 ? (size_t)got : 0)
        got = read(fd, bytes + at, size + 1 - at);
    if (fd >= 0)
        close(fd);
    if (bytes && at == size)
        return bytes;
    free(bytes);
    return NULL;
}

static void hand_over(folder_watch *f, const char *path, known_file *file)
{
    enum { LARGEST = 1 << 30 };
    file->handed_over = time(NULL);
    unsigned char *bytes = file->size <= LARGEST ? read_all(path, (size_t)file->size) : NULL;
    if (file->size > LARGEST)
        file->unfinished = "it is larger than 1 GiB";
    else
        file->unfinished =
            bytes ? f->take(f->user, path, bytes, (size_t)file->size) : "it cannot be read";
    free(bytes);
}

static void look_at(void *user, const char *path)
{
    folder_watch *f = user;
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    known_file now = {.device = info.st_dev,
                      .number = info.st_ino,
                      .size = info.st_size,
                      .changed = info.st_mtim,
                      .round = f->round};
    ptrdiff_t at = shgeti(f->files, path);
    if (at >= 0 && is_same(&f->files[at].value, &now)) {
        f->files[at].value.round = f->round;
        return;
    }
    hand_over(f, path, &now);
    shput(f->files, path, now);
}

static void look_at_file(void *user, const char *path, const char *name, size_t size)
{
    (void)name, (void)size;
    look_at(user, path);
}

void folder_round(folder_watch *f, folder_take take, void *user)
{
    f->round++;
    f->take = take;
    f->user = user;
    const folder_visitor visitor = {.file = look_at_file, .link = look_at};
    folder_walk(f->path, &visitor, f);
    for (ptrdiff_t i = shlen(f->files); i-- > 0;)
        if (f->files[i].value.round != f->round)
            shdel(f->files, f->files[i].key);
}

static const char *ignore(void *user, const char *path, const unsigned char *bytes, size_t size)
{
    (void)user, (void)path, (void)bytes, (void)size;
    return NULL;
}

void folder_skip(folder_watch *f)
{
    folder_round(f, ignore, NULL);
    for (ptrdiff_t i = 0; i < shlen(f->files); i++)
        f->files[i].value.handed_over = LATER;
}

size_t folder_unfinished(const folder_watch *f,
                         void (*tell)(void *user, const char *path, const char *why), void *user)
{
    size_t n = 0;
    for (ptrdiff_t i = 0; i < shlen(f->files); i++) {
        if (!f->files[i].value.unfinished)
            continue;
        tell(user, f->files[i].key, f->files[i].value.unfinished);
        n++;
    }
    return n;
}
