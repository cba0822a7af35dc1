#include "cache/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/ds.h"
#include "base/real_path.h"

enum {
    KEY_BYTES = 32,
    MAC_BYTES = 32,
    PARTS = 256, /* folders by the first two digits of a name: each has its share of the size */
    MOST_ENTRY = 64 << 20,
    OLD_PART_SECONDS = 3600, /* of a file that a writer left when it was killed */
};

/* The folder with PARTS in it: ours alone, also where --cache-dir names a folder of other things.
 */
#define ENTRIES      "tilerace-cache"
#define DEFAULT_SIZE ((uint64_t)1 << 30)

static const char mark[8] = "TRCACHE1";

struct cache_store {
    const char *folder;
    unsigned char key[KEY_BYTES];
    uint64_t most; /* bytes of one part */
};

/* ---- Section: Folders ---- */

static bool is_absolute(const char *path)
{
    return path && path[0] == '/';
}

/* The user's own; NULL: the environment names none. */
static const char *user_folder(tr_arena *arena)
{
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (is_absolute(caches))
        return tr_arena_printf(arena, "%s/tilerace", caches);
    return is_absolute(home) ? tr_arena_printf(arena, "%s/.cache/tilerace", home) : NULL;
}

/* The folder of the checkout that the path lies in, as far as the path is there; or NULL. */
static const char *checkout_of(tr_arena *arena, const char *path)
{
    static const char *const marks[] = {".git", ".hg", ".svn", ".jj"};
    char *at = tr_arena_strdup(arena, path), *real = tr_real_path(at);
    while (!real && strrchr(at, '/') && strrchr(at, '/') != at) {
        *strrchr(at, '/') = 0;
        real = tr_real_path(at);
    }
    if (!real)
        real = tr_real_path(path[0] == '/' ? "/" : ".");
    char *folder = real ? tr_arena_strdup(arena, real) : tr_arena_strdup(arena, "/");
    free(real);
    for (;;) {
        for (size_t i = 0; i < TR_COUNT(marks); i++)
            if (access(tr_arena_printf(arena, "%s/%s", folder, marks[i]), F_OK) == 0)
                return folder;
        char *slash = strrchr(folder, '/');
        if (!slash || slash == folder)
            return NULL;
        *slash = 0;
    }
}

/* A checkout may have links where entries should lie: nothing is written or removed behind one. */
static bool is_own_folder(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool make_folders(tr_arena *arena, const char *path, const char **why)
{
    char *folder = tr_arena_strdup(arena, path);
    for (char *slash = folder + 1;; slash++) {
        slash += strcspn(slash, "/");
        char kept = *slash;
        *slash = 0;
        if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
            *why = tr_arena_printf(arena, "%s cannot be made: %s", folder, strerror(errno));
            return false;
        }
        *slash = kept;
        if (!kept)
            return true;
    }
}

/* Returns the folder that is meant; NULL and *why. */
static const char *folder_of(tr_arena *arena, const char *asked, const char **why)
{
    const char *named = getenv("TILERACE_CACHE_DIR");
    const char *folder = asked ? asked : named && *named ? named : user_folder(arena);
    const char *checkout = folder && !asked ? checkout_of(arena, folder) : NULL;
    if (!folder)
        *why = "neither XDG_CACHE_HOME nor HOME names a folder";
    else if (checkout)
        *why = tr_arena_printf(arena,
                               "%s lies inside the checkout %s, where --cache-dir alone takes one",
                               folder, checkout);
    return checkout ? NULL : folder;
}

/* Version control and backups pass it over. */
static void leave_marks(tr_arena *arena, const char *folder)
{
    static const char *const marks[][2] = {
        {".gitignore", "*\n"},
        {"CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"
                         "# A cache of tilerace; `tilerace clean` removes it.\n"}};
    for (size_t i = 0; i < TR_COUNT(marks); i++) {
        const char *path = tr_arena_printf(arena, "%s/%s", folder, marks[i][0]);
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        ssize_t n = fd >= 0 ? write(fd, marks[i][1], strlen(marks[i][1])) : 0;
        if (n < 0)
            unlink(path);
        if (fd >= 0)
            close(fd);
    }
}

/* ---- Section: The key ---- */

static const char *why_no_key(int fd, unsigned char key[KEY_BYTES])
{
    struct stat info;
    char more;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return "is not a regular file";
    if (info.st_uid != geteuid())
        return "belongs to another user";
    if (info.st_mode & 077)
        return "can be read or written by others";
    if (info.st_nlink != 1)
        return "has a second name";
    if (read(fd, key, KEY_BYTES) != KEY_BYTES || read(fd, &more, 1) != 0)
        return "is no key";
    return NULL;
}

/* Written beside its place and linked there: of two that make one, one is first. */
static void make_key(tr_arena *arena, const char *path)
{
    unsigned char key[KEY_BYTES];
    const char *beside = tr_arena_printf(arena, "%s.%ld.part", path, (long)getpid());
    unlink(beside);
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return;
    randombytes_buf(key, sizeof key);
    bool good = fchmod(fd, 0600) == 0 && write(fd, key, sizeof key) == (ssize_t)sizeof key;
    good = close(fd) == 0 && good;
    if (good && link(beside, path) != 0 && errno != EEXIST)
        good = rename(beside, path) == 0; /* a file system without links */
    unlink(beside);
    sodium_memzero(key, sizeof key);
}

static bool read_key(tr_arena *arena, unsigned char key[KEY_BYTES], const char **why)
{
    const char *folder = user_folder(arena);
    const char *checkout = folder ? checkout_of(arena, folder) : NULL;
    if (!folder)
        *why = "neither XDG_CACHE_HOME nor HOME names a folder for its key";
    else if (checkout)
        *why = tr_arena_printf(arena, "its key would lie inside the checkout %s", checkout);
    if (!folder || checkout || !make_folders(arena, folder, why))
        return false;
    const char *path = tr_arena_printf(arena, "%s/key", folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) {
        make_key(arena, path);
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    }
    if (fd < 0) {
        *why = tr_arena_printf(arena, "its key %s cannot be read: %s", path, strerror(errno));
        return false;
    }
    const char *wrong = why_no_key(fd, key);
    close(fd);
    if (wrong)
        *why = tr_arena_printf(arena, "its key %s %s; remove it, and another one is made", path,
                               wrong);
    return !wrong;
}

/* ---- Section: Opening ---- */

/* TILERACE_CACHE_SIZE: MiB. */
static uint64_t size_asked(void)
{
    const char *words = getenv("TILERACE_CACHE_SIZE");
    char *end = NULL;
    errno = 0;
    unsigned long long mib = words && *words ? strtoull(words, &end, 10) : 0;
    bool good = end && !*end && errno == 0 && mib > 0 && mib < (1 << 20) && words[0] != '-';
    return good ? (uint64_t)mib << 20 : DEFAULT_SIZE;
}

cache_store *cache_store_open(tr_arena *arena, const char *asked, const char **why)
{
    if (sodium_init() < 0) {
        *why = "there is no source of random numbers";
        return NULL;
    }
    cache_store *store = TR_NEW(arena, cache_store);
    store->folder = folder_of(arena, asked, why);
    store->most = size_asked() / PARTS;
    const char *entries =
        store->folder ? tr_arena_printf(arena, "%s/" ENTRIES, store->folder) : NULL;
    if (!entries || !read_key(arena, store->key, why) || !make_folders(arena, entries, why))
        return NULL;
    if (!is_own_folder(entries)) {
        *why = tr_arena_printf(arena, "%s is no folder", entries);
        return NULL;
    }
    leave_marks(arena, entries);
    return store;
}

const char *cache_store_folder(const cache_store *store)
{
    return store->folder;
}

/* ---- Section: Entries ---- */

typedef struct entry_head {
    char mark[8];
    uint64_t length;
    unsigned char mac[MAC_BYTES];
} entry_head;

static void checksum(const cache_store *store, const digest *name, const void *body, size_t length,
                     unsigned char mac[MAC_BYTES])
{
    crypto_generichash_state *state = NULL;
    uint64_t n = length;
    if (posix_memalign((void **)&state, 64, sizeof *state) != 0)
        tr_no_memory();
    crypto_generichash_init(state, store->key, sizeof store->key, MAC_BYTES);
    crypto_generichash_update(state, name->bytes, sizeof name->bytes);
    crypto_generichash_update(state, (const unsigned char *)&n, sizeof n);
    crypto_generichash_update(state, body, length);
    crypto_generichash_final(state, mac, MAC_BYTES);
    sodium_memzero(state, sizeof *state);
    free(state);
}

typedef struct entry_path {
    char text[PATH_MAX];
    size_t folder; /* length of its folder's path */
} entry_path;

static bool path_of(const cache_store *store, const digest *name, entry_path *path)
{
    char hex[2 * sizeof name->bytes + 1];
    sodium_bin2hex(hex, sizeof hex, name->bytes, sizeof name->bytes);
    int n = snprintf(path->text, sizeof path->text, "%s/" ENTRIES "/%.2s/%s", store->folder, hex,
                     hex + 2);
    path->folder = (size_t)n - strlen(hex + 2) - 1;
    return n > 0 && (size_t)n < sizeof path->text;
}

static bool read_body(int fd, const entry_head *head, tr_text *body)
{
    char piece[1 << 14];
    ssize_t got = 1;
    while (got > 0 && body->length <= head->length) {
        got = read(fd, piece, sizeof piece);
        if (got > 0)
            tr_text_addn(body, piece, (size_t)got);
    }
    return got == 0 && body->length == head->length;
}

bool cache_store_read(const cache_store *store, const digest *name, tr_text *body)
{
    entry_path path;
    entry_head head;
    struct stat info;
    unsigned char mac[MAC_BYTES];
    int fd = path_of(store, name, &path)
                 ? open(path.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
                 : -1;
    if (fd < 0)
        return false;
    bool good = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                info.st_size <= (off_t)MOST_ENTRY + (off_t)sizeof head &&
                read(fd, &head, sizeof head) == (ssize_t)sizeof head &&
                memcmp(head.mark, mark, sizeof mark) == 0 && head.length <= MOST_ENTRY &&
                read_body(fd, &head, body);
    if (good) {
        checksum(store, name, tr_text_get(body), body->length, mac);
        good = sodium_memcmp(mac, head.mac, sizeof mac) == 0;
    }
    if (good && info.st_mtime + 60 < time(NULL)) /* it is used: others go first */
        futimens(fd, NULL);
    close(fd);
    if (!good)
        tr_text_clear(body);
    return good;
}

/* ---- Section: The size of a part ---- */

static bool is_hex(const char *name, size_t length)
{
    return strspn(name, "0123456789abcdef") >= length && length > 0;
}

/* "3f...": 62 digits, as an entry is called in its part. */
static bool is_entry(const char *name)
{
    size_t length = strcspn(name, ".");
    return length == 2 * sizeof(digest) - 2 && is_hex(name, length);
}

typedef struct kept_file {
    char *name;
    uint64_t size;
    struct timespec used;
} kept_file;

static int by_use(const void *a, const void *b)
{
    const kept_file *one = a, *other = b;
    if (one->used.tv_sec != other->used.tv_sec)
        return one->used.tv_sec < other->used.tv_sec ? -1 : 1;
    if (one->used.tv_nsec != other->used.tv_nsec)
        return one->used.tv_nsec < other->used.tv_nsec ? -1 : 1;
    return strcmp(one->name, other->name);
}

static void make_room(const cache_store *store, const char *folder)
{
    DIR *part = opendir(folder);
    kept_file *files = NULL;
    uint64_t sum = 0;
    for (struct dirent *entry; part && (entry = readdir(part));) {
        struct stat info;
        if (!is_entry(entry->d_name) ||
            fstatat(dirfd(part), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            S_ISDIR(info.st_mode))
            continue;
        if (tr_ends_in(entry->d_name, ".part") && info.st_mtime + OLD_PART_SECONDS < time(NULL)) {
            unlinkat(dirfd(part), entry->d_name, 0);
            continue;
        }
        kept_file file = {tr_duplicate(entry->d_name), (uint64_t)info.st_blocks * 512,
                          info.st_mtim};
        sum += file.size;
        arrput(files, file);
    }
    if (sum > store->most && files)
        qsort(files, arrlenu(files), sizeof *files, by_use);
    for (size_t i = 0; i < arrlenu(files); i++) {
        if (sum > store->most && unlinkat(dirfd(part), files[i].name, 0) == 0)
            sum -= files[i].size;
        free(files[i].name);
    }
    arrfree(files);
    if (part)
        closedir(part);
}

bool cache_store_write(const cache_store *store, const digest *name, const void *body,
                       size_t length)
{
    entry_path path, beside;
    entry_head head = {.length = length};
    if (length > MOST_ENTRY || length + sizeof head > store->most || !path_of(store, name, &path))
        return false;
    beside = path;
    size_t n = strlen(path.text);
    uint32_t number = randombytes_random();
    if (snprintf(beside.text + n, sizeof beside.text - n, ".%08x.part", number) >=
        (int)(sizeof beside.text - n))
        return false;
    path.text[path.folder] = 0;
    mkdir(path.text, 0700);
    if (!is_own_folder(path.text))
        return false;
    int fd = open(beside.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return false;
    memcpy(head.mark, mark, sizeof mark);
    checksum(store, name, body, length, head.mac);
    bool good = tr_write_all(fd, &head, sizeof head) && tr_write_all(fd, body, length);
    good = close(fd) == 0 && good;
    path.text[path.folder] = '/';
    good = good && rename(beside.text, path.text) == 0;
    if (!good)
        unlink(beside.text);
    path.text[path.folder] = 0;
    if (good)
        make_room(store, path.text);
    return good;
}

/* ---- Section: Cleaning ---- */

/* Removes what only a cache names so. */
static size_t clean_part(const char *folder)
{
    size_t n = 0;
    DIR *part = is_own_folder(folder) ? opendir(folder) : NULL;
    for (struct dirent *entry; part && (entry = readdir(part));) {
        if (is_entry(entry->d_name) && unlinkat(dirfd(part), entry->d_name, 0) == 0)
            n += strchr(entry->d_name, '.') == NULL;
    }
    if (part)
        closedir(part);
    rmdir(folder);
    return n;
}

bool cache_store_clean(tr_arena *arena, const char *asked, size_t *n, const char **folder,
                       const char **why)
{
    static const char *const others[] = {".gitignore", "CACHEDIR.TAG"};
    *n = 0;
    *folder = folder_of(arena, asked, why);
    if (!*folder)
        return false;
    const char *entries = tr_arena_printf(arena, "%s/" ENTRIES, *folder);
    if (!is_own_folder(entries))
        return true;
    for (int i = 0; i < PARTS; i++)
        *n += clean_part(tr_arena_printf(arena, "%s/%02x", entries, (unsigned)i));
    for (size_t i = 0; i < TR_COUNT(others); i++)
        unlink(tr_arena_printf(arena, "%s/%s", entries, others[i]));
    if (rmdir(entries) != 0) {
        *why = tr_arena_printf(arena, "%s cannot be removed: %s", entries, strerror(errno));
        return false;
    }
    const char *own = user_folder(arena);
    if (own && strcmp(own, *folder) == 0)
        unlink(tr_arena_printf(arena, "%s/key", own));
    return true;
}
