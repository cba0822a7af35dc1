/* Finds what memory held before the latest steps: for loads of weak schedules, which need not
 * see the latest writes (A7), as long as these do not happen before them, nor a read that saw
 * them. An update need not see those that are not morally strong with it (A5): then one of the
 * two is lost. */
#include "interp/schedule_private.h"

#include <stdlib.h>

#define MAX_PAST_BYTES ((int64_t)32 << 20)

static int64_t bytes_of(const span *touched)
{
    int64_t n = 0;
    for (ptrdiff_t i = 0; i < arrlen(touched); i++)
        n += (int64_t)touched[i].count * touched[i].width;
    return n;
}

/* The memory under the spans, byte by byte. */
static void save(interp_run *run, const span *touched, unsigned char *bytes, bool *known)
{
    for (ptrdiff_t i = 0; i < arrlen(touched); i++) {
        int64_t n = (int64_t)touched[i].count * touched[i].width, row;
        for (int64_t k = 0; k < n; k += row) {
            int64_t address = touched[i].address + k;
            const unsigned char *from = memory_known_row(run, touched[i].buffer, address, &row);
            row = row < n - k ? row : n - k;
            if (row > 0) {
                memcpy(bytes, from, (size_t)row);
                memset(known, true, (size_t)row);
            } else {
                uint64_t byte;
                *known = memory_read(run, touched[i].buffer, address, 1, &byte);
                *bytes = (unsigned char)byte;
                row = 1;
            }
            bytes += row;
            known += row;
        }
    }
}

/* Puts it back, where it lies under `within` too (NULL: all of it). */
static void restore(interp_run *run, const span *touched, const unsigned char *bytes,
                    const bool *known, const span *within)
{
    for (ptrdiff_t i = 0; i < arrlen(touched); i++)
        for (int64_t k = 0; k < (int64_t)touched[i].count * touched[i].width; k++) {
            span one = {.buffer = touched[i].buffer,
                        .address = touched[i].address + k,
                        .count = 1,
                        .width = 1};
            bool inside = !within;
            for (ptrdiff_t j = 0; j < arrlen(within) && !inside; j++)
                inside =
                    within[j].buffer == one.buffer && one.address >= within[j].address &&
                    one.address < within[j].address + (int64_t)within[j].count * within[j].width;
            if (inside)
                memory_write(run, one.buffer, one.address, 1, *bytes, *known);
            bytes++;
            known++;
        }
}

/* Are the two morally strong: of equal bytes, and each scoped widely enough for the other? */
static bool is_strong(const past *e, const issued *o, uint32_t block)
{
    const ir_op *a = e->op, *b = o->access.op;
    return model_mutual_scope(ir_memory_ordering(a), ir_memory_scope(a), ir_memory_ordering(b),
                              ir_memory_scope(b), e->block == block, true);
}

/* Returns which of the latest writes to its bytes the op may leave unseen, latest first; at most
 * `most`. */
static size_t *unseen(scheduler *s, const issued *o, uint32_t token, uint32_t most, bool updates)
{
    size_t *list = NULL, from = 0; /* writes before that have been seen */
    for (size_t i = arrlenu(s->past); i-- > from && arrlenu(list) < most;) {
        const past *e = &s->past[i];
        if (!schedule_overlap(e->touched, o->touched))
            continue;
        bool before = e->node == token || tokens_reach(s->run, e->node, token, true);
        if (!e->writes) {
            if (before && e->seen > from)
                from = e->seen;
            continue;
        }
        if (before || !e->old || (updates && is_strong(e, o, s->run->block)))
            break;
        arrput(list, i);
    }
    return list;
}

static void put_down(scheduler *s, const issued *o, uint32_t node, past e)
{
    e.touched = o->touched;
    e.op = o->access.op;
    e.block = s->run->block;
    e.node = node;
    arrput(s->past, e);
}

/* Carries out a load that does not see the last *stale writes that the axioms let it miss: takes
 * them back, loads, and puts memory as it was. *stale becomes how many there were. Returns the
 * load's node in the token graph. */
static uint32_t commit_load(scheduler *s, const issued *o, uint32_t token, uint32_t *stale,
                            cells **data)
{
    interp_run *run = s->run;
    size_t *skipped = *stale ? unseen(s, o, token, *stale, false) : NULL;
    past e = {.seen = arrlen(skipped) ? arrlast(skipped) : arrlenu(s->past)};
    *stale = (uint32_t)arrlen(skipped);
    if (!*stale) {
        uint32_t node = memory_commit(run, &o->access, token, data);
        put_down(s, o, node, e);
        return node;
    }
    size_t n = (size_t)bytes_of(o->touched);
    unsigned char *now = malloc(n + 1);
    bool *known = malloc(n + 1);
    if (!now || !known)
        tr_no_memory();
    uint64_t version = run->version;
    save(run, o->touched, now, known);
    for (ptrdiff_t i = 0; i < arrlen(skipped); i++) {
        const past *w = &s->past[skipped[i]];
        restore(run, w->touched, w->old, w->known, o->touched);
    }
    uint32_t node = memory_commit(run, &o->access, token, data);
    restore(run, o->touched, now, known, NULL);
    run->version = version;
    put_down(s, o, node, e);
    arrfree(skipped);
    free(now);
    free(known);
    return node;
}

uint32_t past_commit(scheduler *s, const issued *o, uint32_t token, uint32_t *stale, cells **data)
{
    interp_run *run = s->run;
    model_access does = MODEL_UPDATE;
    model_access_of(o->access.op, &does);
    if (s->weak && !(does & MODEL_WRITE) && !model_acquires(o->access.op))
        return commit_load(s, o, token, stale, data);
    /* one that may leave its bytes as they are would leave them as they were */
    bool updates = (o->access.row->transfer == UPDATE && !model_acquires(o->access.op)) ||
                   memory_reads_back(&o->access, o->touched);
    size_t *skipped = s->weak && *stale && updates ? unseen(s, o, token, *stale, true) : NULL;
    *stale = (uint32_t)arrlen(skipped);
    if (!s->weak)
        return memory_commit(run, &o->access, token, data);
    past e = {.writes = does & MODEL_WRITE, .seen = arrlenu(s->past)};
    int64_t n = bytes_of(o->touched);
    if (e.writes && s->past_bytes + n <= MAX_PAST_BYTES) {
        s->past_bytes += n;
        e.old = malloc((size_t)n + 1);
        e.known = malloc((size_t)n + 1);
        if (!e.old || !e.known)
            tr_no_memory();
        save(run, o->touched, e.old, e.known);
    }
    for (ptrdiff_t i = 0; i < arrlen(skipped); i++) {
        const past *w = &s->past[skipped[i]];
        restore(run, w->touched, w->old, w->known, o->touched);
    }
    if (arrlen(skipped))
        e.seen = arrlast(skipped);
    arrfree(skipped);
    uint32_t node = memory_commit(run, &o->access, token, data);
    put_down(s, o, node, e);
    return node;
}

void past_free(scheduler *s)
{
    for (ptrdiff_t i = 0; i < arrlen(s->past); i++) {
        free(s->past[i].old);
        free(s->past[i].known);
    }
    arrfree(s->past);
}
