#include "lookups/lookups.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "lookups/digest.h"

enum { MOST_LOOKUPS = 100000, MOST_CONTENT = 1 << 30 };

/* The answer to a look-up. Two names of one file are told from two files of the same contents,
 * since Clang reads a file that has `#pragma once` a single time. */
typedef struct answer {
    digest of;
    bool is_file; /* or a folder: it has an identity */
    uint64_t device, number;
    int64_t changed[2]; /* seconds and nanoseconds */
    bool may_tell_time; /* it may name __TIMESTAMP__, also put together from parts */
    bool failed;        /* it can have no digest */
} answer;

struct lookup_list {
    tr_arena *arena;
    lookup *items; /* stb_ds arrays */
    digest *seen;  /* what was answered first; NULL: a list that was read */
    struct {
        char *key;
        size_t value;
    } *known; /* stb_ds map */
    pid_t process;
    bool is_worthless;
};

struct lookup_answers {
    pthread_mutex_t lock;
    struct {
        char *key;
        answer value;
    } *known; /* stb_ds map */
};

/* The list of the thread that watches. It has to be a variable, since the wrapped calls of the C
 * library get no context. */
static _Thread_local lookup_list *watching;

/* Variables of the environment that any thread asked for: what is found once and kept by a library,
 * as LLVM does, decides later work, too. */
static struct {
    pthread_mutex_t lock;
    struct {
        char *key;
        bool value;
    } *names; /* stb_ds map */
} variables = {.lock = PTHREAD_MUTEX_INITIALIZER};

extern const bool watch_calls_are_linked __attribute__((weak));

bool lookups_are_seen(void)
{
    return &watch_calls_are_linked != NULL && watch_calls_are_linked;
}

/* ---- Section: Answers ---- */

static bool is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* __TIMESTAMP__ is the file's time of change. `##` and ends of lines behind a backslash put it
 * together from parts, of which the first is a word that it begins with. */
static bool may_tell_time(const tr_text *text)
{
    static const char whole[] = "__TIMESTAMP__";
    const char *end = text->data + text->length;
    for (const char *at = text->data; at < end;) {
        const char *word = memchr(at, '_', (size_t)(end - at));
        if (!word)
            return false;
        at = word;
        while (at < end && is_in_word(*at))
            at++;
        size_t length = (size_t)(at - word);
        if ((word == text->data || !is_in_word(word[-1])) && length < sizeof whole &&
            memcmp(word, whole, length) == 0)
            return true;
    }
    return false;
}

static void take_identity(answer *a, const struct stat *info)
{
    a->is_file = true;
    a->device = info->st_dev;
    a->number = info->st_ino;
    if (S_ISDIR(info->st_mode)) /* it changes with every file in it, and no source tells of that */
        return;
    a->changed[0] = info->st_mtim.tv_sec;
    a->changed[1] = info->st_mtim.tv_nsec;
}

static bool read_all(int fd, tr_text *text)
{
    char piece[1 << 16];
    for (;;) {
        ssize_t got = read(fd, piece, sizeof piece);
        if (got == 0)
            return true;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || text->length > MOST_CONTENT)
            return false;
        tr_text_addn(text, piece, (size_t)got);
    }
}

static void ask_content(digest_state *state, const char *name, answer *a)
{
    struct stat info;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        digest_add_number(state, (uint64_t)errno);
        return;
    }
    tr_text text = {0};
    a->failed = fstat(fd, &info) != 0;
    digest_add_text(state, "open");
    if (!a->failed) {
        digest_add_number(state, info.st_mode & S_IFMT);
        take_identity(a, &info);
    }
    if (!a->failed && S_ISREG(info.st_mode)) {
        a->failed = !read_all(fd, &text);
        digest_add(state, tr_text_get(&text), text.length);
        a->may_tell_time = may_tell_time(&text);
    }
    close(fd);
    tr_text_free(&text);
}

static void ask_status(digest_state *state, const char *name, bool of_link, answer *a)
{
    struct stat info;
    if ((of_link ? lstat(name, &info) : stat(name, &info)) != 0) {
        digest_add_number(state, (uint64_t)errno);
        return;
    }
    digest_add_text(state, "there");
    digest_add_number(state, info.st_mode & S_IFMT);
    take_identity(a, &info);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void ask_names(digest_state *state, const char *name)
{
    DIR *folder = opendir(name);
    if (!folder) {
        digest_add_number(state, (uint64_t)errno);
        return;
    }
    char **names = NULL;
    for (struct dirent *entry; (entry = readdir(folder));)
        arrput(names, tr_duplicate(entry->d_name));
    closedir(folder);
    if (names)
        qsort(names, arrlenu(names), sizeof *names, by_name);
    for (size_t i = 0; i < arrlenu(names); i++) {
        digest_add_text(state, names[i]);
        free(names[i]);
    }
    arrfree(names);
}

static void ask_text(digest_state *state, const char *text)
{
    digest_add_text(state, text);
    if (!text)
        digest_add_number(state, (uint64_t)errno);
}

static void ask_link(digest_state *state, const char *name)
{
    char to[4097];
    ssize_t n = readlink(name, to, sizeof to - 1);
    if (n >= 0)
        to[n] = 0;
    ask_text(state, n >= 0 ? to : NULL);
}

static void ask_real(digest_state *state, const char *name)
{
    char *real = tr_real_path(name);
    ask_text(state, real);
    free(real);
}

static void ask_large(digest_state *state, const char *name, const lookup_asking *how, answer *a)
{
    digest of;
    if (how && how->leaves_large)
        return;
    a->failed = !how || !how->large || !how->large(how->user, name, &of);
    if (!a->failed)
        digest_add(state, of.bytes, sizeof of.bytes);
}

static answer ask(const lookup *l, const lookup_asking *how)
{
    answer a = {0};
    lookup_list *before = lookups_watch(NULL); /* to ask is not what is watched */
    digest_state *state = digest_begin();
    switch (l->kind) {
    case LOOKUP_CONTENT:
        ask_content(state, l->name, &a);
        break;
    case LOOKUP_STATUS:
    case LOOKUP_LINK_STATUS:
        ask_status(state, l->name, l->kind == LOOKUP_LINK_STATUS, &a);
        break;
    case LOOKUP_ACCESS:
        digest_add_number(state, access(l->name, l->mode) == 0 ? 0 : (uint64_t)errno);
        break;
    case LOOKUP_LINK:
        ask_link(state, l->name);
        break;
    case LOOKUP_REAL:
        ask_real(state, l->name);
        break;
    case LOOKUP_NAMES:
        ask_names(state, l->name);
        break;
    case LOOKUP_VARIABLE:
        digest_add_text(state, getenv(l->name));
        break;
    case LOOKUP_LARGE:
        ask_large(state, l->name, how, &a);
        break;
    case LOOKUP_KIND_COUNT:
        a.failed = true;
    }
    digest_end(state, &a.of);
    lookups_watch(before);
    return a;
}

/* ---- Section: Lists ---- */

tr_give lookup_list *lookups_new(void)
{
    lookup_list *list = calloc(1, sizeof *list);
    if (!list)
        tr_no_memory();
    list->arena = tr_arena_new();
    list->process = getpid();
    sh_new_arena(list->known);
    return list;
}

void lookups_free(tr_take lookup_list *list)
{
    if (!list)
        return;
    arrfree(list->items);
    arrfree(list->seen);
    shfree(list->known);
    tr_arena_free(list->arena);
    free(list);
}

lookup_list *lookups_watch(lookup_list *list)
{
    lookup_list *before = watching;
    watching = list;
    return before;
}

void lookups_take_over(lookup_list *list)
{
    list->process = getpid();
}

static const char *key_of(tr_arena *arena, lookup_kind kind, int mode, const char *name)
{
    return tr_arena_printf(arena, "%d %d %s", (int)kind, mode, name);
}

void lookups_add(lookup_list *list, lookup_kind kind, int mode, const char *name)
{
    const char *key = key_of(list->arena, kind, mode, name);
    if (shgeti(list->known, key) >= 0)
        return;
    const lookup item = {kind, mode, tr_arena_strdup(list->arena, name)};
    shput(list->known, key, arrlenu(list->items));
    arrput(list->items, item);
    answer a = kind == LOOKUP_LARGE ? (answer){0} : ask(&item, NULL);
    arrput(list->seen, a.of);
    list->is_worthless |= a.failed || arrlenu(list->items) > MOST_LOOKUPS;
}

static void note_variable(const char *name)
{
    pthread_mutex_lock(&variables.lock);
    if (!variables.names)
        sh_new_strdup(variables.names);
    if (shgeti(variables.names, name) < 0)
        shput(variables.names, name, true);
    pthread_mutex_unlock(&variables.lock);
}

void lookups_add_variables(lookup_list *list)
{
    pthread_mutex_lock(&variables.lock);
    for (ptrdiff_t i = 0; i < shlen(variables.names); i++)
        lookups_add(list, LOOKUP_VARIABLE, 0, variables.names[i].key);
    pthread_mutex_unlock(&variables.lock);
}

/* Does the path tell a process only about itself? Such a path is no input of a check. */
static bool is_own(lookup_kind kind, const char *name)
{
    return kind != LOOKUP_VARIABLE && strncmp(name, "/proc/self", 10) == 0;
}

void lookups_saw(lookup_kind kind, int mode, const char *name)
{
    lookup_list *list = watching;
    if (!list || !name || is_own(kind, name) || list->process != getpid())
        return;
    int kept = errno;
    watching = NULL;
    lookups_add(list, kind, mode, name);
    if (kind == LOOKUP_VARIABLE)
        note_variable(name);
    watching = list;
    errno = kept;
}

void lookups_spoil(void)
{
    if (watching)
        watching->is_worthless = true;
}

bool lookups_are_whole(const lookup_list *list)
{
    return !list->is_worthless;
}

size_t lookups_count(const lookup_list *list)
{
    return arrlenu(list->items);
}

const lookup *lookups_at(const lookup_list *list, size_t i)
{
    return &list->items[i];
}

/* ---- Section: Asking again ---- */

tr_give lookup_answers *lookup_answers_new(void)
{
    lookup_answers *answers = calloc(1, sizeof *answers);
    if (!answers)
        tr_no_memory();
    pthread_mutex_init(&answers->lock, NULL);
    sh_new_arena(answers->known);
    return answers;
}

void lookup_answers_free(tr_take lookup_answers *answers)
{
    if (!answers)
        return;
    shfree(answers->known);
    pthread_mutex_destroy(&answers->lock);
    free(answers);
}

static answer ask_once(tr_arena *arena, const lookup *l, const lookup_asking *how)
{
    lookup_answers *answers = how ? how->answers : NULL;
    if (!answers)
        return ask(l, how);
    const char *key = key_of(arena, l->kind, l->mode, l->name);
    pthread_mutex_lock(&answers->lock);
    ptrdiff_t at = shgeti(answers->known, key);
    answer a = at >= 0 ? answers->known[at].value : (answer){0};
    pthread_mutex_unlock(&answers->lock);
    if (at >= 0)
        return a;
    a = ask(l, how);
    pthread_mutex_lock(&answers->lock);
    shput(answers->known, key, a);
    pthread_mutex_unlock(&answers->lock);
    return a;
}

typedef struct identity {
    uint64_t device, number;
} identity;

bool lookups_digest(const lookup_list *list, const lookup_asking *how, digest *of)
{
    if (list->is_worthless)
        return false;
    size_t n = arrlenu(list->items);
    tr_arena *arena = tr_arena_new();
    answer *answers = TR_NEW_ARRAY(arena, answer, n + 1);
    struct {
        identity key;
        size_t value;
    } *first = NULL;
    bool good = true, tells_time = false;
    for (size_t i = 0; i < n && good; i++) {
        answers[i] = ask_once(arena, &list->items[i], how);
        good = !answers[i].failed;
        if (good && list->seen && list->items[i].kind != LOOKUP_LARGE)
            good = digest_same(&answers[i].of, &list->seen[i]);
        tells_time |= answers[i].may_tell_time;
    }
    digest_state *state = digest_begin();
    for (size_t i = 0; i < n && good; i++) {
        const lookup *l = &list->items[i];
        digest_add_number(state, l->kind);
        digest_add_number(state, (uint64_t)l->mode);
        digest_add_text(state, l->name);
        digest_add(state, answers[i].of.bytes, sizeof(digest));
        if (!answers[i].is_file)
            continue;
        identity id = {answers[i].device, answers[i].number};
        if (hmgeti(first, id) < 0)
            hmput(first, id, i);
        digest_add_number(state, hmget(first, id));
        if (tells_time) {
            digest_add_number(state, (uint64_t)answers[i].changed[0]);
            digest_add_number(state, (uint64_t)answers[i].changed[1]);
        }
    }
    digest_end(state, of);
    hmfree(first);
    tr_arena_free(arena);
    return good;
}

/* ---- Section: As bytes ---- */

void lookups_pack(tr_text *out, const lookup_list *list)
{
    for (size_t i = 0; i < arrlenu(list->items); i++) {
        const lookup *l = &list->items[i];
        const uint32_t head[3] = {l->kind, (uint32_t)l->mode, (uint32_t)strlen(l->name)};
        tr_text_addn(out, (const char *)head, sizeof head);
        tr_text_addn(out, l->name, head[2] + 1);
    }
}

tr_give lookup_list *lookups_unpack(const void *bytes, size_t length)
{
    const char *at = bytes;
    lookup_list *list = lookups_new();
    bool good = true;
    while (length > 0 && good) {
        uint32_t head[3];
        good = length > sizeof head;
        if (good)
            memcpy(head, at, sizeof head);
        good = good && head[0] < LOOKUP_KIND_COUNT && head[2] < length - sizeof head &&
               strnlen(at + sizeof head, head[2] + 1) == head[2];
        if (!good)
            break;
        const lookup item = {(lookup_kind)head[0], (int)head[1],
                             tr_arena_strdup(list->arena, at + sizeof head)};
        arrput(list->items, item);
        at += sizeof head + head[2] + 1;
        length -= sizeof head + head[2] + 1;
    }
    if (good && arrlenu(list->items) <= MOST_LOOKUPS)
        return list;
    lookups_free(list);
    return NULL;
}
