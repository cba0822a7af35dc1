#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptors.h"

static bool write_device(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && tr_write_all(fd, data, size);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && good)
        return false;
    errno = why;
    return good;
}

/* Opens a file beside `path` under a name that no other writer has. A process that was killed may
 * have left one that has our number. */
static int open_beside(tr_arena *arena, const char *path, const char **beside)
{
    enum { MOST_LEFT = 100 };
    int fd = -1;
    for (int left = 0; fd < 0 && left < MOST_LEFT; left++) {
        *beside = tr_arena_printf(arena, "%s.%ld.%d.part", path, (long)getpid(), left);
        fd = open(*beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

static bool write_beside(tr_arena *arena, const char *path, const void *data, size_t size)
{
    const char *beside;
    int fd = open_beside(arena, path, &beside);
    if (fd < 0)
        return false;
    bool good = tr_write_all(fd, data, size);
    int why = errno;
    if (close(fd) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(beside, path) != 0) {
        good = false;
        why = errno;
    }
    if (!good)
        unlink(beside);
    errno = why;
    return good;
}

bool tr_write_whole(tr_arena *arena, const char *path, const void *data, size_t size,
                    const char **why)
{
    struct stat info;
    bool is_device = stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    errno = 0;
    if (is_device ? write_device(path, data, size) : write_beside(arena, path, data, size))
        return true;
    *why = tr_arena_printf(arena, "%s cannot be written: %s", path, strerror(errno));
    return false;
}
