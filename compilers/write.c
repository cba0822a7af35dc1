#include "compilers/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_to(int fd, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, (const char *)data + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static bool write_in_place(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool good = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && good;
}

static bool write_beside(tr_arena *arena, const char *path, const void *data, size_t size)
{
    char *beside = tr_arena_printf(arena, "%s.XXXXXX", path);
    int fd = mkstemp(beside);
    if (fd < 0)
        return false;
    mode_t mask = umask(0); /* there is no other way to ask */
    umask(mask);
    bool good = write_to(fd, data, size) && fchmod(fd, 0666 & ~mask) == 0;
    int why = errno;
    good = close(fd) == 0 && good && rename(beside, path) == 0;
    if (!good) {
        why = why ? why : errno;
        unlink(beside);
        errno = why;
    }
    return good;
}

bool write_whole(tr_arena *arena, const char *path, const void *data, size_t size, const char **why)
{
    struct stat info;
    errno = 0;
    bool is_device = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
    if (is_device ? write_in_place(path, data, size) : write_beside(arena, path, data, size))
        return true;
    *why = tr_arena_printf(arena, "%s cannot be written: %s", path, strerror(errno));
    return false;
}
