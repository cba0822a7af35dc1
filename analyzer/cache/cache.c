#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/process.h"
#include "cache/key.h"
#include "inputs/load.h"
#include "lookups/digest.h"
#include "lookups/digest_file.h"
#include "lookups/lookups.h"
#include "session/progress.h"

enum { MOST_LISTS = 8 }; /* of look-ups under one key: the newest */

struct cache {
    cache_store *store;
    lookup_answers *answers;
    digest common;
    pthread_mutex_t lock;
    struct {
        digest key;
        digest value;
    } *large; /* stb_ds map: digests of files under all that tells them apart, of this run */
    atomic_size_t n_found, n_asked;
};

/* ---- Section: Digests of large files ---- */

static bool recall_large(cache *c, const digest *name, digest *of)
{
    pthread_mutex_lock(&c->lock);
    ptrdiff_t at = hmgeti(c->large, *name);
    if (at >= 0)
        *of = c->large[at].value;
    pthread_mutex_unlock(&c->lock);
    return at >= 0;
}

static void note_large(cache *c, const digest *name, const digest *of)
{
    pthread_mutex_lock(&c->lock);
    hmput(c->large, *name, *of);
    pthread_mutex_unlock(&c->lock);
}

static bool recall_stored(const cache *c, const digest *name, digest *of)
{
    tr_text body = {0};
    bool known = cache_store_read(c->store, name, &body) && body.length == sizeof *of;
    if (known)
        memcpy(of, body.data, sizeof *of);
    tr_text_free(&body);
    return known;
}

/* Libraries are large, and all runs of a build may want their digests at once: one of them reads a
 * library, with all processors, and the others wait for it, but not for long. The lock is on the
 * library, where nobody else looks for it. */
static void wait_for_others(int fd)
{
    enum { PATIENCE_MS = 2000, PAUSE_MS = 2 };
    const int64_t until = tr_now_ms() + PATIENCE_MS;
    while (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK && tr_now_ms() < until)
        poll(NULL, 0, PAUSE_MS);
}

static bool find_large(const cache *c, const char *path, const struct stat *info,
                       const digest *name, digest *of)
{
    bool is_new = info->st_ctim.tv_sec + 3 >= time(NULL);
    if (recall_stored(c, name, of))
        return true;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat opened;
    if (fd < 0)
        return false;
    if (fstat(fd, &opened) != 0 || opened.st_ino != info->st_ino || opened.st_dev != info->st_dev ||
        opened.st_size != info->st_size) { /* another one has come in its place */
        close(fd);
        return false;
    }
    wait_for_others(fd);
    bool good = recall_stored(c, name, of);
    if (!good) {
        good = digest_of_file(fd, (uint64_t)info->st_size, of);
        if (good && !is_new)
            cache_store_write(c->store, name, of, sizeof *of);
    }
    close(fd);
    return good;
}

/* Digests a large file, and keeps the digest under the file's name, size and times. Files that
 * changed in the last seconds are not kept, since their times would not tell a further change. */
static bool digest_large(void *user, const char *path, digest *of)
{
    cache *c = user;
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    digest name;
    digest_state *state = digest_begin();
    digest_add_text(state, "large, in pieces");
    digest_add_text(state, path);
    const int64_t marks[] = {(int64_t)info.st_dev, (int64_t)info.st_ino, info.st_size,
                             info.st_mtim.tv_sec,  info.st_mtim.tv_nsec, info.st_ctim.tv_sec,
                             info.st_ctim.tv_nsec};
    for (size_t i = 0; i < TR_COUNT(marks); i++)
        digest_add_number(state, (uint64_t)marks[i]);
    digest_end(state, &name);
    if (recall_large(c, &name, of))
        return true;
    if (!find_large(c, path, &info, &name, of))
        return false;
    note_large(c, &name, of);
    return true;
}

/* ---- Section: Opening ---- */

static void free_cache(tr_take cache *c)
{
    lookup_answers_free(c->answers);
    hmfree(c->large);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

tr_give cache *cache_open(session *s)
{
    const driver_options *o = s->options;
    const char *named = getenv("TILERACE_CACHE_DIR");
    bool is_off = o->no_cache || (named && !*named && !o->cache_dir);
    if (is_off || o->keep_obligations || s->unsaved || !lookups_are_seen())
        return NULL;
    const char *why = NULL;
    cache_store *store = cache_store_open(s->arena, o->cache_dir, &why);
    if (!store) {
        if (o->cache_dir || o->verbose)
            tr_say(s->err, "tilerace: warning: results are not kept: %s\n", why);
        return NULL;
    }
    cache *c = calloc(1, sizeof *c);
    if (!c)
        tr_no_memory();
    c->store = store;
    c->answers = lookup_answers_new();
    pthread_mutex_init(&c->lock, NULL);
    const lookup_asking how = {.large = digest_large, .user = c};
    if (cache_common_key(s, &how, &c->common))
        return c;
    if (o->cache_dir || o->verbose)
        tr_say(s->err, "tilerace: warning: results are not kept: what the solver runs is not "
                       "known\n");
    free_cache(c);
    return NULL;
}

void cache_close(session *s, tr_take cache *c)
{
    if (!c)
        return;
    if (s->options->verbose)
        tr_say(s->err, "tilerace: %zu of %zu results came from the cache %s\n",
               atomic_load(&c->n_found), atomic_load(&c->n_asked), cache_store_folder(c->store));
    free_cache(c);
}

/* ---- Section: Finding ---- */

static void result_name(const digest *key, const digest *answers, const digest *large, digest *of)
{
    digest_state *state = digest_begin();
    digest_add_text(state, "result");
    digest_add(state, key->bytes, sizeof key->bytes);
    digest_add(state, answers->bytes, sizeof answers->bytes);
    digest_add(state, large->bytes, sizeof large->bytes);
    digest_end(state, of);
}

/* Digests the libraries and programs in the list. Workers may write nothing, so each of them would
 * read all of them: this is for the process that keeps their results. */
static bool digest_libraries(cache *c, const lookup_list *list, digest *of)
{
    bool good = true;
    digest_state *state = digest_begin();
    for (size_t i = 0; i < lookups_count(list) && good; i++) {
        const lookup *l = lookups_at(list, i);
        digest one;
        if (l->kind != LOOKUP_LARGE)
            continue;
        good = digest_large(c, l->name, &one);
        if (good)
            digest_add(state, one.bytes, sizeof one.bytes);
    }
    digest_end(state, of);
    return good;
}

/* The lists under a key: each its length, then its bytes. */
static bool next_list(const tr_text *lists, size_t *at, const char **list, uint32_t *length)
{
    if (lists->length - *at < sizeof *length)
        return false;
    memcpy(length, lists->data + *at, sizeof *length);
    if (*length > lists->length - *at - sizeof *length)
        return false;
    *list = lists->data + *at + sizeof *length;
    *at += sizeof *length + *length;
    return true;
}

/* The result that was kept for what the list says today. */
static bool find_with(cache *c, const digest *key, const lookup_list *list, tr_text *body)
{
    const lookup_asking how = {.answers = c->answers, .leaves_large = true};
    digest answers, large, name;
    if (!lookups_digest(list, &how, &answers) || !digest_libraries(c, list, &large))
        return false;
    result_name(key, &answers, &large, &name);
    return cache_store_read(c->store, &name, body);
}

/* Restores a result as it was kept, except for its time. */
static bool take_result(const session *s, size_t number, const tr_text *body, double ms,
                        tr_text *packed)
{
    tr_arena *arena = tr_arena_new();
    checked_input result;
    bool good = packed_read(arena, body->data, body->length, &result) &&
                strcmp(result.report.file, s->files[number]) == 0 && result.report.n_errors == 0 &&
                !result.failure;
    for (size_t i = 0; good && i < result.report.n_kernels; i++) {
        kernel_report *kernel = &result.report.kernels[i];
        kernel->time_ms = ms / (double)result.report.n_kernels;
        progress_kernel(s->progress, number, kernel->kernel);
    }
    good = good && packed_write(packed, &result);
    tr_arena_free(arena);
    return good;
}

static void cache_name(const cache *c, const session *s, size_t number, digest *key)
{
    cache_input_key(s, &c->common, number, key);
}

bool cache_find(cache *c, const session *s, size_t number, tr_text *packed)
{
    double began = tr_now_fine_ms();
    tr_text lists = {0}, body = {0};
    bool found = false;
    digest key;
    cache_name(c, s, number, &key);
    atomic_fetch_add(&c->n_asked, 1);
    if (cache_store_read(c->store, &key, &lists)) {
        const char *bytes;
        uint32_t length;
        for (size_t at = 0; !found && next_list(&lists, &at, &bytes, &length);) {
            lookup_list *list = lookups_unpack(bytes, length);
            found = list && find_with(c, &key, list, &body) &&
                    take_result(s, number, &body, tr_now_fine_ms() - began, packed);
            lookups_free(list);
            tr_text_clear(&body);
        }
    }
    atomic_fetch_add(&c->n_found, found);
    tr_text_free(&lists);
    tr_text_free(&body);
    return found;
}

bool cache_is_current(cache *c, const lookup_list *seen)
{
    const lookup_asking how = {.answers = c->answers, .leaves_large = true};
    digest answers, large;
    return lookups_digest(seen, &how, &answers) && digest_libraries(c, seen, &large);
}

/* ---- Section: Keeping ---- */

typedef struct entry_start { /* of an entry; then its list of look-ups, then the packed result */
    digest answers;
    uint32_t n_list; /* bytes */
} entry_start;

/* A clock or an accident decided. */
static bool is_passing(const kernel_report *k)
{
    return k->verdict == VERDICT_UNKNOWN && reason_is_passing(k->reason.kind);
}

/* Solvers whose steps are counted, so that they answer the same however busy the machine is. */
static bool counts_steps(const char *solver)
{
    return strncmp(solver, "Z3 ", 3) == 0 || strncmp(solver, "cvc5 ", 5) == 0;
}

static bool is_lasting(const session *s, const loaded *input, const checked_input *result)
{
    const atomic_bool *stop = progress_stop_flag(s->progress);
    if (result->report.n_errors > 0 || result->failure || !input->prover || input->cut ||
        input->was_cut || input->budget.spent || (stop && atomic_load(stop)) ||
        smt_prover_statistics(input->prover).failures > 0)
        return false;
    for (size_t i = 0; i < result->report.n_kernels; i++)
        if (is_passing(&result->report.kernels[i]))
            return false;
    return !result->solver || counts_steps(result->solver);
}

/* Puts the list before the others, once. */
static void keep_list(cache *c, const digest *key, const char *list, uint32_t length)
{
    tr_text before = {0}, all = {0};
    uint32_t other_length;
    tr_text_addn(&all, (const char *)&length, sizeof length);
    tr_text_addn(&all, list, length);
    cache_store_read(c->store, key, &before);
    const char *other;
    size_t at = 0, n = 1;
    while (n < MOST_LISTS && next_list(&before, &at, &other, &other_length)) {
        if (other_length == length && memcmp(other, list, length) == 0)
            continue;
        tr_text_addn(&all, (const char *)&other_length, sizeof other_length);
        tr_text_addn(&all, other, other_length);
        n++;
    }
    if (all.length != before.length || memcmp(all.data, before.data, all.length) != 0)
        cache_store_write(c->store, key, all.data, all.length);
    tr_text_free(&before);
    tr_text_free(&all);
}

bool cache_entry_make(const session *s, lookup_list *seen, const loaded *input,
                      const checked_input *result, tr_text *entry)
{
    if (!is_lasting(s, input, result))
        return false;
    const char *solver = result->solver ? smt_prover_maps(input->prover) : NULL;
    const lookup_asking how = {.leaves_large = true};
    entry_start start = {.n_list = 0};
    if ((result->solver && !solver) || !cache_add_programs(seen, solver) ||
        !lookups_digest(seen, &how, &start.answers))
        return false;
    size_t before = entry->length;
    tr_text_addn(entry, (const char *)&start, sizeof start);
    lookups_pack(entry, seen);
    start.n_list = (uint32_t)(entry->length - before - sizeof start);
    memcpy(entry->data + before, &start, sizeof start);
    if (packed_write(entry, result))
        return true;
    entry->length = before;
    return false;
}

void cache_keep(cache *c, const session *s, size_t number, const char *entry, size_t length)
{
    entry_start start;
    digest key, name;
    if (length < sizeof start)
        return;
    memcpy(&start, entry, sizeof start);
    if (start.n_list > length - sizeof start)
        return;
    const char *list = entry + sizeof start, *result = list + start.n_list;
    lookup_list *seen = lookups_unpack(list, start.n_list);
    digest large;
    if (seen && digest_libraries(c, seen, &large)) {
        cache_name(c, s, number, &key);
        result_name(&key, &start.answers, &large, &name);
        if (cache_store_write(c->store, &name, result, (size_t)(entry + length - result)))
            keep_list(c, &key, list, start.n_list);
    }
    lookups_free(seen);
}
