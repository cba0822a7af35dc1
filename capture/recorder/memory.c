/* Reading and writing this process's own memory, where the address may be wrong. */
#include "recorder/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

enum copy_way { READ, WRITE };

/* For kernels and sandboxes that do not allow process_vm_readv. */
static bool copy_by_file(enum copy_way way, void *here, uint64_t address, size_t bytes)
{
    int fd = open("/proc/self/mem", (way == READ ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
    if (fd < 0)
        return false;
    size_t done = 0;
    while (done < bytes) {
        char *from = (char *)here + done;
        off_t at = (off_t)(address + done);
        ssize_t n =
            way == READ ? pread(fd, from, bytes - done, at) : pwrite(fd, from, bytes - done, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    close(fd);
    return done == bytes;
}

static bool copy(enum copy_way way, void *here, uint64_t address, size_t bytes)
{
    if (address > UINT64_MAX - bytes)
        return false;
    size_t done = 0;
    while (done < bytes) {
        struct iovec local = {(char *)here + done, bytes - done};
        struct iovec remote = {(void *)(uintptr_t)(address + done), bytes - done};
        ssize_t n = way == READ ? process_vm_readv(getpid(), &local, 1, &remote, 1, 0)
                                : process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
        if (n < 0 && (errno == ENOSYS || errno == EPERM))
            return copy_by_file(way, (char *)here + done, address + done, bytes - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool memory_read(void *to, uint64_t address, size_t bytes)
{
    return copy(READ, to, address, bytes);
}

bool memory_write(uint64_t address, const void *from, size_t bytes)
{
    return copy(WRITE, (void *)(uintptr_t)from, address, bytes);
}
