/* Launches: which were told, what is said of one, and the contents that the checker asks for. */
#include "recorder/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TOLD = 1 << 20, /* more are forgotten, and told again: memory stays bounded */
    MOST_ARGUMENTS = 1 << 16,
};

/* Guarded by the lock of the tables. */
static struct {
    hash_table told;    /* launches of which nothing more is to be said: how they were answered */
    hash_table watched; /* by keys, what the checker looks at each time: number of a watch */
    hash_table seen;    /* contents of which nothing more is to be said */
    watch **watches;
    uint32_t n;
    const char **findings; /* that answers had, by recorder_keep() */
    uint32_t n_findings;
} l;

void launches_forget(void)
{
    table_clear(&l.told);
    table_clear(&l.watched);
    table_clear(&l.seen);
    free(l.findings);
    l.findings = NULL;
    l.n_findings = 0;
    for (uint32_t i = 0; i < l.n; i++)
        free(l.watches[i]);
    free(l.watches);
    l.watches = NULL;
    l.n = 0;
}

/* ---- Section: The key of a launch ---- */

static uint64_t address_of(const telling *t, size_t argument)
{
    uint64_t address = 0;
    size_t bytes = t->parameters.items[argument].bytes;
    memcpy(&address, t->launch->arguments[argument],
           bytes < sizeof address ? bytes : sizeof address);
    return address;
}

static bool is_pointer(const telling *t, size_t argument)
{
    uint8_t kind = t->parameters.items[argument].kind;
    return kind == WIRE_POINTER || kind == WIRE_POINTER_TO_FLOATS;
}

/* Whether the recorder can tell contents without copying from the device. */
static bool is_readable(const telling *t, size_t argument)
{
    return t->pointers[argument].readable || t->pointers[argument].copied;
}

static void ask_of_pointers(telling *t)
{
    for (size_t i = 0; i < t->parameters.n; i++) {
        t->pointers[i] = (recorder_pointer){0};
        if (is_pointer(t, i) && t->driver)
            t->driver->pointer(t->driver->user, address_of(t, i), &t->pointers[i]);
    }
}

static hash128 key_of(const telling *t)
{
    hash_parts parts;
    hash_begin(&parts);
    hash_add_u64(&parts, (uint64_t)t->launch->image << 1 | t->launch->is_pdl);
    hash_add_u64(&parts, strlen(t->launch->symbol));
    hash_add(&parts, t->launch->symbol, strlen(t->launch->symbol));
    hash_add(&parts, t->launch->grid, sizeof t->launch->grid);
    for (size_t i = 0; i < t->parameters.n; i++) {
        hash_add(&parts, t->launch->arguments[i], t->parameters.items[i].bytes);
        if (is_pointer(t, i)) {
            hash_add_u64(&parts, t->pointers[i].allocation);
            hash_add_u64(&parts, t->pointers[i].allocation_bytes << 1 | is_readable(t, i));
        }
    }
    hash_add_u64(&parts, (uint64_t)t->before << 8 | findings_asks());
    hash_add(&parts, t->before_fields, t->before_length);
    return hash_end(&parts);
}

/* ---- Section: What was told ---- */

typedef enum told { NOT_TOLD, GOES_ON, IS_REFUSED } told;

enum { TOLD_BITS = 2 }; /* of a value in the table; above them the number of a finding, or 0 */

/* How the checker answered. */
typedef struct answer {
    told is;
    const char *finding; /* by recorder_keep(); NULL: none */
} answer;

static answer was_told(hash128 key)
{
    tables_lock();
    uint32_t value = table_find(&l.told, key), number = value >> TOLD_BITS;
    const char *finding = number && number <= l.n_findings ? l.findings[number - 1] : NULL;
    tables_unlock();
    return (answer){(told)(value & ((1u << TOLD_BITS) - 1)), finding};
}

/* Whether the launch goes on; what was found of it is the thread's from now on. */
static bool goes_on(const answer *a)
{
    findings_add(a->finding);
    return a->is != IS_REFUSED;
}

static void forget_too_many(void)
{
    if (l.told.n >= MOST_TOLD || l.watched.n >= MOST_TOLD || l.seen.n >= MOST_TOLD)
        launches_forget();
}

/* The number of a finding; 0: no memory. With the tables locked. */
static uint32_t add_finding(const char *finding)
{
    for (uint32_t i = l.n_findings; i > 0; i--)
        if (l.findings[i - 1] == finding)
            return i;
    const char **larger = realloc(l.findings, (l.n_findings + 1) * sizeof *larger);
    if (!larger)
        return 0;
    l.findings = larger;
    l.findings[l.n_findings++] = finding;
    return l.n_findings;
}

static void remember_told(hash128 key, const answer *as)
{
    tables_lock();
    forget_too_many();
    uint32_t number = as->finding ? add_finding(as->finding) : 0;
    if (number || !as->finding)
        table_put(&l.told, key, number << TOLD_BITS | as->is);
    tables_unlock();
}

hash128 contents_key(hash128 key, const wire_writer *contents)
{
    hash_parts parts;
    hash128 hash = hash_bytes(contents->data, contents->length);
    hash_begin(&parts);
    hash_add(&parts, &key, sizeof key);
    hash_add(&parts, &hash, sizeof hash);
    return hash_end(&parts);
}

bool contents_were_seen(hash128 key)
{
    tables_lock();
    bool seen = table_find(&l.seen, key);
    tables_unlock();
    return seen;
}

void contents_remember(hash128 key)
{
    tables_lock();
    forget_too_many();
    table_put(&l.seen, key, 1);
    tables_unlock();
}

watch *watch_find(hash128 key)
{
    watch *copy = NULL;
    tables_lock();
    uint32_t at = table_find(&l.watched, key);
    if (at) {
        const watch *kept = l.watches[at - 1];
        size_t size = sizeof *kept + kept->n * sizeof *kept->items;
        copy = malloc(size);
        if (copy)
            memcpy(copy, kept, size);
    }
    tables_unlock();
    return copy;
}

void watch_remember(hash128 key, const watch *w)
{
    size_t size = sizeof *w + w->n * sizeof *w->items;
    tables_lock();
    forget_too_many();
    watch *copy = malloc(size), **larger = realloc(l.watches, (l.n + 1) * sizeof *larger);
    l.watches = larger ? larger : l.watches;
    if (copy && larger && table_put(&l.watched, key, l.n + 1)) {
        memcpy(copy, w, size);
        l.watches[l.n++] = copy;
    } else {
        free(copy);
    }
    tables_unlock();
}

/* ---- Section: Messages ---- */

void telling_add(wire_writer *w, const telling *t)
{
    unsigned line;
    const char *file = place_get(&line);
    wire_u32(w, t->module);
    wire_text(w, t->launch->symbol);
    for (int i = 0; i < 3; i++)
        wire_u64(w, t->launch->grid[i]);
    wire_text(w, file);
    wire_u32(w, line);
    wire_u8(w, (t->launch->is_pdl ? WIRE_PDL : 0) | findings_asks());
    telling_add_arguments(w, t);
    wire_u8(w, (uint8_t)t->before);
    wire_u32(w, t->n_before);
    wire_fields(w, t->before_fields, t->before_length);
}

void telling_add_arguments(wire_writer *w, const telling *t)
{
    wire_u32(w, (uint32_t)t->parameters.n);
    for (size_t i = 0; i < t->parameters.n; i++) {
        wire_bytes(w, t->launch->arguments[i], t->parameters.items[i].bytes);
        wire_u64(w, t->pointers[i].allocation);
        wire_u64(w, t->pointers[i].allocation_bytes);
        wire_u8(w, is_readable(t, i));
    }
}

/* Bytes of what an argument points to, in new memory; NULL: they cannot be read. */
static void *copy_of(const telling *t, size_t argument, uint64_t bytes)
{
    const recorder_pointer *is = &t->pointers[argument];
    uint64_t address = address_of(t, argument);
    if (bytes > WIRE_LONGEST || undefined_is_part(address, bytes))
        return NULL;
    void *data = malloc(bytes ? bytes : 1);
    bool good = data;
    if (good && is->copied && bytes <= is->copied_bytes)
        memcpy(data, is->copied, bytes);
    else if (good && is->readable)
        good = (!t->driver || !t->driver->settled || t->driver->settled(t->driver->user)) &&
               memory_try_read(data, address, bytes);
    else if (good)
        good = (recorder_flags() & WIRE_CHECK_CONTENTS) && t->driver && t->driver->copy &&
               t->driver->copy(t->driver->user, data, address, bytes);
    if (good)
        return data;
    free(data);
    return NULL;
}

/* Appends n[u32 argument, bytes contents] for what can be read of what is wanted. */
static void add_contents(wire_writer *w, const telling *t, const watch *wanted)
{
    uint32_t n = 0;
    size_t count_at = w->length;
    wire_u32(w, 0);
    for (size_t i = 0; i < wanted->n; i++) {
        const want *item = &wanted->items[i];
        if (item->argument >= t->parameters.n || !is_pointer(t, item->argument))
            continue;
        void *data = copy_of(t, item->argument, item->bytes);
        if (!data)
            continue;
        wire_u32(w, item->argument);
        wire_bytes(w, data, item->bytes);
        free(data);
        n++;
    }
    for (int i = 0; !w->failed && i < 4; i++)
        w->data[count_at + (size_t)i] = (uint8_t)(n >> 8 * i);
}

/* Reads LAUNCHED; *wanted is new memory, NULL where it asks for nothing. */
static bool read_launched(wire_reader *r, answer *is, watch **wanted)
{
    *is = (answer){.is = wire_read_u8(r) == WIRE_STOP ? IS_REFUSED : GOES_ON};
    uint32_t n = wire_read_count(r, 12);
    *wanted = NULL;
    if (n) {
        *wanted = calloc(1, sizeof **wanted + n * sizeof(want));
        if (!*wanted)
            return false;
        (*wanted)->n = n;
    }
    for (uint32_t i = 0; i < n; i++) {
        (*wanted)->items[i].argument = wire_read_u32(r);
        (*wanted)->items[i].bytes = wire_read_u64(r);
    }
    char *finding = wire_read_text(r);
    is->finding = finding && finding[0] ? recorder_keep(finding) : NULL;
    free(finding);
    return wire_read_all(r);
}

/* ---- Section: The conversation about a launch ---- */

static bool ask_launch(const telling *t, answer *is, watch **wanted)
{
    wire_reader r;
    *wanted = NULL;
    telling_add(conversation_begin(WIRE_LAUNCH), t);
    return conversation_ask(WIRE_LAUNCHED, &r) && read_launched(&r, is, wanted);
}

static bool ask_contents(const telling *t, const watch *wanted, answer *is)
{
    wire_reader r;
    watch *more = NULL;
    wire_writer *w = conversation_begin(WIRE_CONTENTS);
    add_contents(w, t, wanted);
    hash128 key = contents_key(t->key, w);
    bool good = !w->failed && conversation_ask(WIRE_LAUNCHED, &r) && read_launched(&r, is, &more);
    free(more);
    if (good && is->is == GOES_ON && !is->finding)
        contents_remember(key);
    return good;
}

/* Whether the contents that this launch reads were told before. */
static bool is_as_seen(const telling *t)
{
    watch *wanted = watch_find(t->key);
    if (!wanted)
        return false;
    wire_writer *w = conversation_begin(WIRE_CONTENTS);
    add_contents(w, t, wanted);
    bool seen = !w->failed && contents_were_seen(contents_key(t->key, w));
    free(wanted);
    return seen;
}

/* Whether the program has to wait: for leave to launch, for what is found, or since contents that
 * may be asked for are those of now. */
static bool waits_for_answer(const telling *t)
{
    uint32_t flags = recorder_flags();
    if (flags & (WIRE_STOP_AT_RACE | WIRE_INTERPRET) || findings_are_taken())
        return true;
    for (size_t i = 0; i < t->parameters.n; i++) {
        if (t->parameters.items[i].kind == WIRE_POINTER &&
            (is_readable(t, i) || flags & WIRE_CHECK_CONTENTS))
            return true;
    }
    return false;
}

static void pass(const telling *t)
{
    telling_add(conversation_begin(WIRE_PASSED), t);
    if (conversation_tell())
        remember_told(t->key, &(answer){.is = GOES_ON});
}

/* False: the launch must not happen. */
static bool tell(const telling *t)
{
    /* Another thread may have told of an equal launch while this one waited. */
    answer is = was_told(t->key);
    if (is.is != NOT_TOLD || is_as_seen(t))
        return goes_on(&is);
    if (!waits_for_answer(t)) {
        pass(t);
        return true;
    }
    watch *wanted;
    bool good = ask_launch(t, &is, &wanted);
    if (good && wanted) {
        watch_remember(t->key, wanted);
        good = ask_contents(t, wanted, &is);
    } else if (good) {
        remember_told(t->key, &is);
    }
    free(wanted);
    if (!good)
        conversation_lose("a launch could not be told");
    return !good || goes_on(&is);
}

/* ---- Section: What drivers call ---- */

static bool launched(telling *t, bool *executed)
{
    ask_of_pointers(t);
    streams_before(t);
    t->key = key_of(t);
    bool interpret = recorder_flags() & WIRE_INTERPRET;
    answer before = interpret ? (answer){.is = NOT_TOLD} : was_told(t->key);
    if (before.is != NOT_TOLD || !conversation_enter())
        return goes_on(&before);
    bool go_on = tell(t);
    if (go_on && interpret)
        go_on = launch_execute(t, executed);
    conversation_leave();
    return go_on;
}

bool recorder_launched(const recorder_launch *launch, const recorder_driver *driver, bool *executed)
{
    bool unused;
    executed = executed ? executed : &unused;
    *executed = false;
    if (!launch->symbol || !recorder_is_on())
        return true;

    int saved = errno;
    const image_entry *entry;
    uint32_t module = image_find(launch->image, launch->symbol, &entry);
    /* The checker knows no launch of an entry that a module does not have. */
    telling t = {launch, driver, .module = entry ? module : 0, .waits = WIRE_WAITS_PERHAPS};
    if (entry) {
        t.parameters = entry->parameters;
        t.waits = entry->waits;
    }
    recorder_pointer few[32];
    size_t n = t.parameters.n;
    t.pointers = n <= COUNT(few) ? few : n <= MOST_ARGUMENTS ? malloc(n * sizeof *few) : NULL;
    bool go_on = !t.pointers || launched(&t, executed);
    if (go_on && t.pointers)
        streams_after(&t);
    free(t.before_fields);
    if (t.pointers != few)
        free(t.pointers);
    errno = saved;
    return go_on;
}
