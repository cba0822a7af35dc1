/* Streams: which launches may still run when a dependent one starts (programmatic dependent
 * launch).
 *
 * Of each stream the last launch is kept, and those before it as far back as each may overlap the
 * one before: back to the first that is no dependent launch, which started when all before it had
 * ended. Work of other kinds (copies, fills, functions of the host) starts when the launches before
 * it have ended, and ends before the next one starts: only kernels overlap. All here is guarded by
 * the lock of the tables. */
#include "recorder/private.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BEFORE = 8,     /* launches that are kept of a stream; what is older is not known */
    MOST_STREAMS = 4096, /* more are forgotten, and said to be not known */
    MOST_EVENTS = 65536,
};

typedef struct past { /* a launch: the fields of LAUNCH up to `before` */
    uint8_t *fields;
    size_t length, room;
    size_t flags_at;
    uint64_t number; /* in the order of launches */
} past;

typedef struct stream {
    recorder_stream is;
    const void *thread; /* that launched last */
    size_t n;
    past
        before[MOST_BEFORE]; /* the latest one first; behind the first n, memory to be used again */
} stream;

typedef struct event {
    uint64_t stream, number; /* of the last launch before it was recorded; 0: none */
} event;

static struct {
    stream *streams;
    size_t n, room;
    bool are_forgotten;  /* some were: a stream that is not here may have been there */
    uint64_t number;     /* of launches */
    hash_table of_event; /* number of an event, from 1 */
    event *events;
    uint32_t n_events, events_room;
    wire_writer scratch;
} s;

static atomic_bool any; /* there are streams; read without the lock */

/* ---- Section: Which there are ---- */

static stream *find(uint64_t id)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.streams[i].is.id == id)
            return &s.streams[i];
    return NULL;
}

static void free_stream(stream *one)
{
    for (size_t i = 0; i < MOST_BEFORE; i++)
        free(one->before[i].fields);
}

static void drop(stream *one)
{
    free_stream(one);
    *one = s.streams[--s.n];
}

void streams_forget(void)
{
    for (size_t i = 0; i < s.n; i++)
        free_stream(&s.streams[i]);
    s.n = 0;
    s.n_events = 0;
    table_clear(&s.of_event);
    atomic_store(&any, false);
}

/* The stream, made if it is new. NULL: no memory. */
static stream *need(const recorder_stream *is)
{
    stream *known = find(is->id);
    if (known)
        return known;
    if (s.n == MOST_STREAMS) {
        streams_forget();
        s.are_forgotten = true;
    }
    if (s.n == s.room) {
        size_t room = s.room ? 2 * s.room : 16;
        stream *larger = realloc(s.streams, room * sizeof *larger);
        if (!larger)
            return NULL;
        s.streams = larger;
        s.room = room;
    }
    s.streams[s.n] = (stream){.is = *is};
    atomic_store(&any, true);
    return &s.streams[s.n++];
}

/* ---- Section: What was launched ---- */

static void mark_unclear(stream *one)
{
    for (size_t i = 0; i < one->n; i++)
        one->before[i].fields[one->before[i].flags_at] |= WIRE_UNCLEAR;
}

/* The legacy default stream and those that are not told to be apart from it wait for each other;
 * whether that holds back a dependent launch is not documented. */
static bool wait_for_each_other(const stream *a, const recorder_stream *b)
{
    return a->is.id != b->id && ((a->is.kind == RECORDER_LEGACY && b->kind == RECORDER_BLOCKING) ||
                                 (b->kind == RECORDER_LEGACY && a->is.kind == RECORDER_BLOCKING));
}

static void mark_others_unclear(const recorder_stream *is)
{
    for (size_t i = 0; i < s.n; i++)
        if (wait_for_each_other(&s.streams[i], is))
            mark_unclear(&s.streams[i]);
}

/* The fields of a launch up to its flags, into the scratch. */
static void begin_fields(uint32_t module, const char *symbol, const uint64_t grid[3],
                         const char *file, unsigned line, size_t *flags_at, uint8_t flags)
{
    wire_begin(&s.scratch, WIRE_LAUNCH);
    wire_u32(&s.scratch, module);
    wire_text(&s.scratch, symbol);
    for (int i = 0; i < 3; i++)
        wire_u64(&s.scratch, grid[i]);
    wire_text(&s.scratch, file);
    wire_u32(&s.scratch, line);
    *flags_at = s.scratch.length;
    wire_u8(&s.scratch, flags);
}

static bool keep(past *in, size_t flags_at, uint64_t number)
{
    enum { HEADER = 8 }; /* of a frame */
    size_t length = s.scratch.length - HEADER;
    if (s.scratch.failed)
        return false;
    if (length > in->room) {
        uint8_t *larger = realloc(in->fields, length);
        if (!larger)
            return false;
        in->fields = larger;
        in->room = length;
    }
    memcpy(in->fields, s.scratch.data + HEADER, length);
    in->length = length;
    in->flags_at = flags_at - HEADER;
    in->number = number;
    return true;
}

static void add_unknown_fields(const char *symbol, size_t *flags_at, uint8_t flags)
{
    static const uint64_t grid[3] = {1, 1, 1};
    begin_fields(0, symbol, grid, NULL, 0, flags_at, flags);
    wire_u32(&s.scratch, 0);
}

static uint8_t *flags_of(past *one)
{
    return &one->fields[one->flags_at];
}

/* Keeps, of the launches before a dependent launch that waits in that way, those that the next one
 * has to be told of. An early one ends before the latest of them does: if the launch waits, then it
 * ends after that one, and so after all of these. If it waits before the next one starts they have
 * all ended by then, and are dropped. If it does not wait, it may end before any of them. Of what
 * is behind a launch that waits it is not known how far back it may go on running. */
static void age(stream *one, wire_waits waits)
{
    size_t n = 0;
    for (size_t i = 0; i < one->n; i++) {
        uint8_t *flags = flags_of(&one->before[i]);
        bool ends_first = i == 0 || *flags & WIRE_EARLY;
        if (waits != WIRE_WAITS_NEVER)
            *flags |= WIRE_UNCLEAR;
        if (waits < WIRE_WAITS)
            *flags &= (uint8_t)~WIRE_EARLY;
        else if (ends_first)
            *flags |= WIRE_EARLY;
        if (waits == WIRE_WAITS_FIRST && ends_first)
            continue;
        past kept = one->before[i];
        one->before[i] = one->before[n];
        one->before[n++] = kept;
    }
    one->n = n;
}

/* Makes the oldest one that is kept stand for all that is older; `also`: the flags of those. */
static bool forget_oldest(past *oldest, uint8_t also)
{
    size_t flags_at;
    uint8_t early = *flags_of(oldest) & also & WIRE_EARLY;
    add_unknown_fields("earlier launches", &flags_at, WIRE_PDL | WIRE_UNCLEAR | early);
    return keep(oldest, flags_at, oldest->number);
}

/* Puts what is in the scratch before the others. False: no memory, and the stream is forgotten. */
static bool push(stream *one, bool is_dependent, wire_waits waits, size_t flags_at)
{
    if (is_dependent)
        age(one, waits);
    else
        one->n = 0; /* it starts when all of them have ended */
    bool is_full = one->n == MOST_BEFORE;
    past first = one->before[MOST_BEFORE - 1];
    uint8_t last_flags = is_full ? *flags_of(&first) : 0;
    memmove(one->before + 1, one->before, (MOST_BEFORE - 1) * sizeof *one->before);
    one->before[0] = first;
    one->n = is_full ? MOST_BEFORE : one->n + 1;
    if (keep(&one->before[0], flags_at, ++s.number) &&
        (!is_full || forget_oldest(&one->before[MOST_BEFORE - 1], last_flags)))
        return true;
    drop(one);
    s.are_forgotten = true;
    return false;
}

static void note_thread(stream *one)
{
    static _Thread_local char here;
    /* The default stream that a program means may be another one in each thread. */
    if (one->thread && one->thread != &here && one->is.kind == RECORDER_LEGACY)
        mark_unclear(one);
    one->thread = &here;
}

/* A copy of the launches that may still run. */
static void snapshot(const stream *one, telling *t)
{
    size_t length = 0;
    t->before = WIRE_BEFORE_TOLD;
    for (size_t i = 0; one && i < one->n; i++)
        length += one->before[i].length;
    t->before_fields = length ? malloc(length) : NULL;
    if (length && !t->before_fields) {
        t->before = WIRE_BEFORE_NOT_TOLD;
        return;
    }
    for (size_t i = 0; one && i < one->n; i++) {
        memcpy(t->before_fields + t->before_length, one->before[i].fields, one->before[i].length);
        t->before_length += one->before[i].length;
    }
    t->n_before = one ? (uint32_t)one->n : 0;
}

void streams_before(telling *t)
{
    const recorder_stream *is = &t->launch->stream;
    if (is->kind == RECORDER_NO_STREAM || !t->launch->is_pdl)
        return;
    tables_lock();
    stream *one = find(is->id);
    if (one)
        note_thread(one);
    if (one || !s.are_forgotten)
        snapshot(one, t);
    tables_unlock();
}

void streams_after(const telling *t)
{
    const recorder_stream *is = &t->launch->stream;
    if (is->kind == RECORDER_NO_STREAM)
        return;
    size_t flags_at;
    unsigned line;
    const char *file = place_get(&line);
    tables_lock();
    stream *one = need(is);
    mark_others_unclear(is);
    if (one) {
        note_thread(one);
        begin_fields(t->module, t->launch->symbol, t->launch->grid, file, line, &flags_at,
                     t->launch->is_pdl ? WIRE_PDL : 0);
        telling_add_arguments(&s.scratch, t);
        push(one, t->launch->is_pdl, t->waits, flags_at);
    }
    tables_unlock();
}

void recorder_kernel(const recorder_stream *is, const char *name, bool is_pdl)
{
    if (is->kind == RECORDER_NO_STREAM || !recorder_is_on())
        return;
    int saved = errno;
    tables_lock();
    stream *one = need(is);
    mark_others_unclear(is);
    if (one) {
        size_t flags_at;
        note_thread(one);
        add_unknown_fields(name ? name : "a kernel", &flags_at, is_pdl ? WIRE_PDL : 0);
        push(one, is_pdl, WIRE_WAITS_PERHAPS, flags_at);
    }
    tables_unlock();
    errno = saved;
}

/* ---- Section: Other work ---- */

bool recorder_has_streams(void)
{
    return atomic_load(&any);
}

void recorder_stream_work(const recorder_stream *is, recorder_work work)
{
    if (!atomic_load(&any))
        return;
    tables_lock();
    stream *one = find(is->id);
    if (one && work == RECORDER_UNCLEAR)
        mark_unclear(one);
    else if (one)
        one->n = 0;
    for (size_t i = 0; i < s.n; i++) {
        stream *other = &s.streams[i];
        if (work == RECORDER_WAITED && is->kind == RECORDER_LEGACY &&
            wait_for_each_other(other, is))
            other->n = 0;
        else if (work == RECORDER_ORDERED && wait_for_each_other(other, is))
            mark_unclear(other);
    }
    tables_unlock();
}

void recorder_streams_waited(bool certainly)
{
    if (!atomic_load(&any))
        return;
    tables_lock();
    for (size_t i = 0; i < s.n; i++) {
        mark_unclear(&s.streams[i]);
        s.streams[i].n = certainly ? 0 : s.streams[i].n;
    }
    tables_unlock();
}

void recorder_stream_ended(const recorder_stream *is)
{
    if (!atomic_load(&any))
        return;
    tables_lock();
    stream *one = find(is->id);
    if (one)
        drop(one);
    tables_unlock();
}

/* ---- Section: Events ---- */

static hash128 key_of_event(uint64_t handle)
{
    return hash_bytes(&handle, sizeof handle);
}

/* NULL: no memory. */
static event *need_event(uint64_t handle)
{
    hash128 key = key_of_event(handle);
    uint32_t at = table_find(&s.of_event, key);
    if (at)
        return &s.events[at - 1];
    if (s.n_events == MOST_EVENTS) {
        table_clear(&s.of_event);
        s.n_events = 0;
    }
    if (s.n_events == s.events_room) {
        uint32_t room = s.events_room ? 2 * s.events_room : 64;
        event *larger = realloc(s.events, room * sizeof *larger);
        if (!larger)
            return NULL;
        s.events = larger;
        s.events_room = room;
    }
    return table_put(&s.of_event, key, s.n_events + 1) ? &s.events[s.n_events++] : NULL;
}

void recorder_event(uint64_t handle, const recorder_stream *is)
{
    if (!atomic_load(&any))
        return;
    tables_lock();
    const stream *one = find(is->id);
    event *e = need_event(handle);
    if (e)
        *e = (event){is->id, one && one->n ? one->before[0].number : 0};
    tables_unlock();
}

void recorder_event_waited(uint64_t handle, bool certainly)
{
    if (!atomic_load(&any))
        return;
    tables_lock();
    uint32_t at = table_find(&s.of_event, key_of_event(handle));
    stream *one = at ? find(s.events[at - 1].stream) : NULL;
    for (size_t i = 0; one && i < one->n; i++) {
        if (one->before[i].number > s.events[at - 1].number)
            continue;
        /* It and all before it. */
        for (size_t k = i; k < one->n; k++)
            one->before[k].fields[one->before[k].flags_at] |= WIRE_UNCLEAR;
        one->n = certainly ? i : one->n;
        break;
    }
    for (size_t i = 0; !at && i < s.n; i++)
        mark_unclear(&s.streams[i]);
    tables_unlock();
}
