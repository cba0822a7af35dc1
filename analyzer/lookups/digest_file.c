/* The digest of a large file, such as a library, by all processors at once. */
#include "lookups/digest_file.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/descriptors.h"
#include "lookups/digest.h"
#include "processes/pool.h"

enum { PIECE = 1 << 20, MOST_THREADS = 8, STACK = 128 << 10 };

typedef struct pieces {
    int fd;
    uint64_t size;
    size_t n;
    atomic_size_t next;
    atomic_bool failed;
    digest *of; /* of each piece */
} pieces;

static void *digest_pieces(void *user)
{
    pieces *p = user;
    char *bytes = malloc(PIECE);
    for (size_t i; bytes && (i = atomic_fetch_add(&p->next, 1)) < p->n;) {
        uint64_t at = (uint64_t)i * PIECE, left = p->size - at;
        size_t length = left < PIECE ? (size_t)left : PIECE;
        if (!tr_read_all(p->fd, bytes, length, (off_t)at))
            atomic_store(&p->failed, true);
        else
            digest_of(bytes, length, &p->of[i]);
    }
    if (!bytes)
        atomic_store(&p->failed, true);
    free(bytes);
    return NULL;
}

static void run(pieces *p)
{
    pthread_t threads[MOST_THREADS];
    pthread_attr_t attributes;
    size_t wanted = pool_processors(), started = 0;
    wanted = wanted < MOST_THREADS ? wanted : MOST_THREADS;
    wanted = wanted < p->n ? wanted : p->n;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    while (started + 1 < wanted &&
           pthread_create(&threads[started], &attributes, digest_pieces, p) == 0)
        started++;
    digest_pieces(p);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
}

bool digest_of_file(int fd, uint64_t size, digest *of)
{
    pieces p = {.fd = fd, .size = size, .n = (size_t)(size / PIECE + (size % PIECE > 0))};
    p.of = calloc(p.n + 1, sizeof *p.of);
    if (!p.of)
        tr_no_memory();
    atomic_init(&p.next, 0);
    atomic_init(&p.failed, false);
    run(&p);
    digest_state *state = digest_begin();
    digest_add_text(state, "pieces");
    digest_add_number(state, size);
    for (size_t i = 0; i < p.n; i++)
        digest_add(state, p.of[i].bytes, sizeof p.of[i].bytes);
    digest_end(state, of);
    free(p.of);
    return !atomic_load(&p.failed);
}
