/* Shared by the files of this room. Locks are taken in this order: the conversation's, the tables'.
 */
#ifndef RECORDER_PRIVATE_H
#define RECORDER_PRIVATE_H

#include "recorder/recorder.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Section: Hashes and tables of hashes ---- */

typedef struct hash128 {
    uint64_t low, high;
} hash128;

hash128 hash_bytes(const void *data, size_t size);
/* A hash of several parts, kept in a buffer of a fixed size. */
typedef struct hash_parts {
    size_t n;
    uint8_t data[1024];
} hash_parts;
void hash_begin(hash_parts *parts);
void hash_add(hash_parts *parts, const void *data, size_t size);
void hash_add_u64(hash_parts *parts, uint64_t value);
hash128 hash_end(hash_parts *parts);

typedef struct hash_table { /* all zero: empty */
    struct hash_slot {
        hash128 key;
        uint32_t value; /* 0: the slot is free */
    } *slots;
    size_t n, room; /* a power of two */
} hash_table;

uint32_t table_find(const hash_table *table, hash128 key); /* 0: not there */
/* `value` is not 0 and replaces an earlier one. False: no memory. */
bool table_put(hash_table *table, hash128 key, uint32_t value);
void table_clear(hash_table *table);

/* ---- Section: Images (image_size.c, fat_binary.c) ---- */

/* Whether every page of an image can be read. */
bool image_is_there(const void *image, uint64_t size);
/* Whether an image is an ELF file with code that the assembler made of Tile IR. */
bool elf_is_tile(uint64_t image, uint64_t size);
size_t fatbin_size(const void *image); /* 0: no fat binary, or a cut one */
/* Whether it holds Tile IR, or code of some that is not compressed. */
bool fatbin_is_tile(const void *image, uint64_t size);
/* The entry, with its head, that holds Tile IR for an architecture: its own, else the newest before
 * it, else the first. NULL: there is none. */
const void *fatbin_tile_ir(const void *image, unsigned architecture, size_t *size);

/* ---- Section: The conversation (conversation.c) ---- */

/* Takes the conversation, and connects the first time. False: there is none, nothing is taken. */
bool conversation_enter(void);
void conversation_leave(void);
/* An empty message in a writer that is kept from message to message. */
wire_writer *conversation_begin(wire_kind kind);
/* Sends what is in the writer; the reader is of the answer, which must have the given kind. False:
 * the conversation is over. */
bool conversation_ask(wire_kind answer, wire_reader *r);
/* Like conversation_ask(), where the answer may be of another kind. */
bool conversation_ask_any(wire_kind *answer, wire_reader *r);
bool conversation_tell(void);
/* Ends it: from now on everything passes. */
void conversation_lose(const char *why);

/* ---- Section: Tables (lock.c, modules.c) ---- */

void tables_lock(void);
void tables_unlock(void);

typedef struct image_entry {
    char *symbol;
    recorder_parameters parameters;
    wire_waits waits;
} image_entry;

/* The checker's number of an image, 0 if it could not read it, and the entry or NULL. */
uint32_t image_find(uint32_t image, const char *symbol, const image_entry **entry);

/* ---- Section: Launches (told.c, telling.c, executions.c) ---- */

typedef struct want { /* what the checker asks for: contents of an argument, or memory */
    uint32_t argument;
    uint64_t address, bytes;
} want;

typedef struct watch { /* of one key */
    size_t n;
    want items[];
} watch;

/* A launch while it is told. */
typedef struct telling {
    const recorder_launch *launch;
    const recorder_driver *driver;
    uint32_t module;
    wire_waits waits;
    recorder_parameters parameters;
    recorder_pointer *pointers; /* one a parameter; all zero of what is no pointer */
    hash128 key;
    /* The launches before a dependent launch that may still run: `n_before` times the fields of
     * one. */
    wire_before before;
    uint32_t n_before;
    uint8_t *before_fields; /* of malloc; or NULL */
    size_t before_length;
} telling;

/* Streams (streams.c): which launches may still run when this one starts; remembers this one for
 * those after it. */
void streams_before(telling *t);
void streams_after(const telling *t);
void streams_forget(void); /* with the tables locked */

typedef enum told { NOT_TOLD, GOES_ON, IS_REFUSED } told;

/* How the checker answered. */
typedef struct launch_answer {
    told is;
    const char *finding; /* by recorder_keep(); NULL: none */
} launch_answer;

/* How an equal launch was answered; NOT_TOLD if none was. */
launch_answer launch_was_told(hash128 key);
void launch_remember(hash128 key, const launch_answer *as);
void launches_forget(void); /* with the tables locked */
/* The checker's request by this key: a copy, freed by the caller; NULL: nothing is known. */
watch *watch_find(hash128 key);
void watch_remember(hash128 key, const watch *w); /* where there is memory for it */
/* A message with contents, and the key by which nothing more is to be said of it. */
hash128 contents_key(hash128 key, const wire_writer *contents);
bool contents_were_seen(hash128 key);
void contents_remember(hash128 key);

uint64_t telling_address_of(const telling *t, size_t argument);
bool telling_is_pointer(const telling *t, size_t argument);
/* Whether the recorder can tell contents without copying from the device. */
bool telling_is_readable(const telling *t, size_t argument);
void telling_add(wire_writer *w, const telling *t); /* the fields of LAUNCH */
void telling_add_arguments(wire_writer *w, const telling *t);
/* Called with the conversation taken: has the checker run the kernel. Unless *executed, memory is
 * as it was. False: what was found of it keeps it from happening. */
bool launch_execute(const telling *t, bool *executed);

/* ---- Section: Memory (memory.c) ---- */

/* Copies this process's memory without a fault: false where a part of it cannot be read. */
bool memory_try_read(void *to, uint64_t address, size_t bytes);
/* Writes those bytes whose bit is set: bit i % 8 of which[i / 8] of byte i. */
bool memory_write_some(uint64_t address, const uint8_t *from, size_t bytes, const uint8_t *which);

/* Memory that nothing has written, and arrays that are read-only (undefined.c). The second field of
 * a range in MEMORY: */
void undefined_add(wire_writer *w, uint64_t address, uint64_t bytes);
bool undefined_is_part(uint64_t address, uint64_t bytes);
/* A kernel has stored those bytes whose bit is set. */
void undefined_stored(uint64_t address, const uint8_t *which, size_t bytes);
void read_only_forget(void);
/* Whether one of those bytes is read-only. */
bool read_only_meets(uint64_t address, const uint8_t *which, size_t bytes);

/* Returns where this thread's launches are made (place.c). */
const char *place_get(unsigned *line);

/* Are findings about this thread's launches taken (findings.c)? */
bool findings_are_taken(void);
uint8_t findings_asks(void);                  /* wire_launch_flags of LAUNCH that go with that */
void findings_not_executed(const char *kept); /* why; NULL: it is executed */
void findings_add(const char *kept);          /* by recorder_keep(); NULL: nothing */

#endif
