/* Reading and writing this process's own memory, where the address may be wrong. */
#include "recorder/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

enum copy_way { READ, WRITE };

/* This way is for kernels and sandboxes that do not allow process_vm_readv. */
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

bool memory_try_read(void *to, uint64_t address, size_t bytes)
{
    return copy(READ, to, address, bytes);
}

/* False where a part of it cannot be written. */
static bool try_write(uint64_t address, const void *from, size_t bytes)
{
    return copy(WRITE, (void *)(uintptr_t)from, address, bytes);
}

/* ---- Section: Some bytes of many ---- */

enum { HOST_PAGE = 4096 };

static bool is_set(const uint8_t *which, size_t i)
{
    return which[i / 8] >> i % 8 & 1;
}

/* A sanitizer knows nothing of what a device may write. */
__attribute__((no_sanitize("address", "thread"))) static void
store(uint64_t address, const uint8_t *from, size_t first, size_t end, const uint8_t *which)
{
    typedef uint64_t word __attribute__((aligned(1), may_alias));
    volatile uint8_t *to = (volatile uint8_t *)(uintptr_t)address;
    for (size_t i = first; i < end;) {
        if (i % 8 == 0 && end - i >= 8 && which[i / 8] == 0xff) { /* nearly all of them, mostly */
            *(volatile word *)(to + i) = *(const word *)(from + i);
            i += 8;
            continue;
        }
        if (is_set(which, i))
            to[i] = from[i];
        i++;
    }
}

/* Writes bytes page by page. The system writes the first byte of each page, and so says whether the
 * page is writable; then the others can be stored. */
bool memory_write_some(uint64_t address, const uint8_t *from, size_t bytes, const uint8_t *which)
{
    for (size_t i = 0; i < bytes;) {
        size_t end = i + HOST_PAGE - (address + i) % HOST_PAGE;
        end = end < bytes ? end : bytes;
        while (i < end && !is_set(which, i))
            i++;
        if (i < end && !try_write(address + i, from + i, 1))
            return false;
        store(address, from, i, end, which);
        i = end;
    }
    return true;
}
