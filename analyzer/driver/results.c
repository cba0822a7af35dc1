#include "driver/results.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define KEPT_BYTES ((size_t)4 << 20) /* in memory, before they go to the file */

typedef struct result_place {
    uint64_t at, length; /* of all that was put; length 0: nothing was */
} result_place;

struct results {
    pthread_mutex_t lock;
    result_place *places;
    uint64_t in_file; /* bytes; those behind them are in `kept` */
    int file;         /* -1: none yet, or none to be had */
    bool has_no_file;
    tr_text kept;
};

int results_open_file(void)
{
    const char *folder = getenv("TMPDIR");
    char name[4096];
    folder = folder && folder[0] == '/' ? folder : "/tmp";
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    if (snprintf(name, sizeof name, "%s/tilerace-XXXXXX", folder) >= (int)sizeof name)
        return -1;
    file = mkostemp(name, O_CLOEXEC); /* where a file system has none without a name */
    if (file >= 0)
        unlink(name);
    return file;
}

tr_give results *results_new(size_t n)
{
    results *r = calloc(1, sizeof *r);
    if (!r)
        tr_no_memory();
    r->places = calloc(n + 1, sizeof *r->places);
    if (!r->places)
        tr_no_memory();
    r->file = -1;
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void results_free(tr_take results *r)
{
    if (!r)
        return;
    if (r->file >= 0)
        close(r->file);
    pthread_mutex_destroy(&r->lock);
    tr_text_free(&r->kept);
    free(r->places);
    free(r);
}

/* Results that do not fit stay in memory, as do all that come after them. */
static void move_out(results *r)
{
    if (r->has_no_file || r->kept.length < KEPT_BYTES)
        return;
    if (r->file < 0)
        r->file = results_open_file();
    size_t done = 0;
    while (r->file >= 0 && done < r->kept.length) {
        ssize_t n =
            pwrite(r->file, r->kept.data + done, r->kept.length - done, (off_t)(r->in_file + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    r->has_no_file = done < r->kept.length;
    if (r->has_no_file)
        return;
    r->in_file += done;
    tr_text_clear(&r->kept);
}

void results_put(results *r, size_t input, const tr_text *packed)
{
    pthread_mutex_lock(&r->lock);
    r->places[input] = (result_place){r->in_file + r->kept.length, packed->length};
    tr_text_addn(&r->kept, tr_text_get(packed), packed->length);
    move_out(r);
    pthread_mutex_unlock(&r->lock);
}

bool results_has(const results *r, size_t input)
{
    return r->places[input].length > 0;
}

/* False: it is in the file. */
static bool take_kept(results *r, const result_place *place, tr_text *packed)
{
    pthread_mutex_lock(&r->lock);
    bool is_kept = place->at >= r->in_file;
    if (is_kept)
        tr_text_addn(packed, tr_text_get(&r->kept) + (place->at - r->in_file), place->length);
    pthread_mutex_unlock(&r->lock);
    return is_kept;
}

void results_get(results *r, size_t input, tr_text *packed)
{
    const result_place *place = &r->places[input];
    if (take_kept(r, place, packed))
        return;
    char piece[1 << 14];
    for (uint64_t done = 0; done < place->length;) {
        uint64_t left = place->length - done;
        ssize_t n = pread(r->file, piece, left < sizeof piece ? left : sizeof piece,
                          (off_t)(place->at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* checking_result tells that it is not whole */
        tr_text_addn(packed, piece, (size_t)n);
        done += (uint64_t)n;
    }
}
