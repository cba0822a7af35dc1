/* Files that appear whole or not at all. */
#include "base/base.h"
#include "base/descriptors.h"
#include "base/real_path.h"
#include "base/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct unfinished {
    const char *target; /* where it shall be, links followed */
    const char *beside; /* where it is until then; NULL: the target is no regular file */
    bool is_there;
} unfinished;

static bool failed(tr_arena *arena, const char *path, const char **why)
{
    *why = tr_arena_printf(arena, "%s cannot be written: %s", path, strerror(errno));
    return false;
}

static bool copy(int fd, FILE *from)
{
    char piece[1 << 14];
    size_t n;
    rewind(from);
    while ((n = fread(piece, 1, sizeof piece, from)) > 0)
        if (!tr_write_all(fd, piece, n))
            return false;
    return !ferror(from);
}

enum { MOST_TRIES = 100 };

/* Opens a file beside the target that nobody else has. */
static int open_beside(tr_arena *arena, unfinished *file)
{
    int fd = -1;
    for (int i = 0; i < MOST_TRIES && fd < 0; i++) {
        file->beside = tr_arena_printf(arena, "%s.%ld.%d.part", file->target, (long)getpid(), i);
        fd = open(file->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    file->is_there = fd >= 0;
    return fd;
}

/* Is it the file that a stream of the process goes to already (/dev/stdout)? Then it is written
 * where that stream is, and stays the file that it goes to. */
static int open_own_stream(const struct stat *info)
{
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat own;
        if (fstat(fd, &own) == 0 && own.st_dev == info->st_dev && own.st_ino == info->st_ino)
            return fcntl(fd, F_DUPFD_CLOEXEC, 0);
    }
    return -1;
}

/* A device or a pipe is written as it is; what is there and may not be written stays. */
static int open_for(tr_arena *arena, const char *path, unfinished *file)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    char *real = exists ? tr_real_path(path) : NULL;
    file->target = tr_arena_strdup(arena, real ? real : path);
    free(real);
    int own = exists ? open_own_stream(&info) : -1;
    if (own >= 0)
        return own;
    if (exists && !S_ISREG(info.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC);
    if (exists && access(path, W_OK) != 0)
        return -1;
    int fd = open_beside(arena, file);
    if (fd >= 0 && exists && fchmod(fd, info.st_mode & 07777) != 0 && errno != EPERM) {
        close(fd);
        return -1;
    }
    return fd;
}

static bool write_one(tr_arena *arena, const tr_new_file *wanted, unfinished *file,
                      const char **why)
{
    int fd = open_for(arena, wanted->path, file);
    if (fd < 0)
        return failed(arena, wanted->path, why);
    bool good = ((!wanted->before || copy(fd, wanted->before)) &&
                 tr_write_all(fd, tr_text_get(wanted->text), wanted->text->length)) ||
                failed(arena, wanted->path, why);
    return (close(fd) == 0 || failed(arena, wanted->path, why)) && good;
}

bool tr_write_files(tr_arena *arena, size_t n, const tr_new_file *files, const char **why)
{
    unfinished *parts = TR_NEW_ARRAY(arena, unfinished, n + 1);
    bool good = true;
    for (size_t i = 0; i < n && good; i++)
        good = write_one(arena, &files[i], &parts[i], why);
    for (size_t i = 0; i < n && good; i++) {
        if (!parts[i].is_there)
            continue;
        good = rename(parts[i].beside, parts[i].target) == 0 || failed(arena, files[i].path, why);
        parts[i].is_there = !good;
    }
    for (size_t i = 0; i < n; i++)
        if (parts[i].is_there)
            unlink(parts[i].beside);
    return good;
}

/* Is it NAME.process.number.part, as open_beside makes it? */
static bool is_unfinished(const char *name, long process)
{
    char end[64];
    for (int i = 0; i < MOST_TRIES; i++) {
        snprintf(end, sizeof end, ".%ld.%d.part", process, i);
        if (tr_ends_in(name, end))
            return true;
    }
    return false;
}

void tr_remove_unfinished(const char *folder, long process)
{
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (tr_ends_in(entry->d_name, ".part") && is_unfinished(entry->d_name, process))
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
}
