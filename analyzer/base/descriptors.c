#include "base/descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

bool tr_write_all(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t n = write(fd, at, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        length -= (size_t)n;
    }
    return true;
}

bool tr_read_all(int fd, void *bytes, size_t length, off_t at)
{
    char *to = bytes;
    for (size_t got = 0; got < length;) {
        ssize_t n = at < 0 ? read(fd, to + got, length - got)
                           : pread(fd, to + got, length - got, at + (off_t)got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

void tr_close_from(int first)
{
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
#endif
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        int fd = entry->d_name[0] == '.' ? -1 : atoi(entry->d_name);
        if (fd >= first && fd != dirfd(folder))
            close(fd);
    }
    closedir(folder);
}

bool tr_keep_descriptors(size_t n, const int *kept)
{
    enum { FIRST = STDERR_FILENO + 1, MOST = 8 };
    int lifted[MOST], behind = FIRST + (int)n;
    TR_ASSERT(n <= MOST);
    bool good = true;
    for (size_t i = 0; i < n; i++)
        lifted[i] = fcntl(kept[i], F_DUPFD, behind);
    for (size_t i = 0; i < n; i++)
        good = dup3(lifted[i], FIRST + (int)i, O_CLOEXEC) >= 0 && good;
    tr_close_from(behind);
    return good;
}
