/* Launches: the conversation about one, with the contents that the checker asks for. */
#include "recorder/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 1 << 16 };

/* ---- Section: The key of a launch ---- */

static void ask_of_pointers(telling *t)
{
    for (size_t i = 0; i < t->parameters.n; i++) {
        t->pointers[i] = (recorder_pointer){0};
        if (telling_is_pointer(t, i) && t->driver)
            t->driver->pointer(t->driver->user, telling_address_of(t, i), &t->pointers[i]);
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
        if (telling_is_pointer(t, i)) {
            hash_add_u64(&parts, t->pointers[i].allocation);
            hash_add_u64(&parts, t->pointers[i].allocation_bytes << 1 | telling_is_readable(t, i));
        }
    }
    hash_add_u64(&parts, (uint64_t)t->before << 8 | findings_asks());
    hash_add(&parts, t->before_fields, t->before_length);
    return hash_end(&parts);
}

/* Whether the launch goes on; what was found of it is the thread's from now on. */
static bool goes_on(const launch_answer *a)
{
    findings_add(a->finding);
    return a->is != IS_REFUSED;
}

/* ---- Section: Messages ---- */

/* Bytes of what an argument points to, in new memory; NULL: they cannot be read. */
static void *copy_of(const telling *t, size_t argument, uint64_t bytes)
{
    const recorder_pointer *is = &t->pointers[argument];
    uint64_t address = telling_address_of(t, argument);
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
        if (item->argument >= t->parameters.n || !telling_is_pointer(t, item->argument))
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
static bool read_launched(wire_reader *r, launch_answer *is, watch **wanted)
{
    *is = (launch_answer){.is = wire_read_u8(r) == WIRE_STOP ? IS_REFUSED : GOES_ON};
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

static bool ask_launch(const telling *t, launch_answer *is, watch **wanted)
{
    wire_reader r;
    *wanted = NULL;
    telling_add(conversation_begin(WIRE_LAUNCH), t);
    return conversation_ask(WIRE_LAUNCHED, &r) && read_launched(&r, is, wanted);
}

static bool ask_contents(const telling *t, const watch *wanted, launch_answer *is)
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
            (telling_is_readable(t, i) || flags & WIRE_CHECK_CONTENTS))
            return true;
    }
    return false;
}

static void pass(const telling *t)
{
    telling_add(conversation_begin(WIRE_PASSED), t);
    if (conversation_tell())
        launch_remember(t->key, &(launch_answer){.is = GOES_ON});
}

/* False: the launch must not happen. */
static bool tell(const telling *t)
{
    /* Another thread may have reported an equal launch while this one waited. */
    launch_answer is = launch_was_told(t->key);
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
        launch_remember(t->key, &is);
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
    launch_answer before = interpret ? (launch_answer){.is = NOT_TOLD} : launch_was_told(t->key);
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
