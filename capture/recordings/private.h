/* Private to the room: names and hashes. */
#ifndef RECORDINGS_PRIVATE_H
#define RECORDINGS_PRIVATE_H

#include "recordings/recordings.h"

#define RECORDING_INDEX        "index.json"
#define RECORDING_KIND         "tilerace recording"
#define RECORDING_INDEX_FORMAT "{\"format\": \"" RECORDING_KIND "\", \"version\": %d}\n"

enum { RECORDING_HASH_LENGTH = 32 };

typedef struct recording_part {
    const void *bytes;
    size_t size;
} recording_part;

/* The hash of the parts in turn, as RECORDING_HASH_LENGTH hexadecimal digits in the arena. */
const char *recording_hash(tr_arena *arena, size_t n, const recording_part *parts);
/* NULL: it cannot be read, or is no plain file of a source's size. */
const char *recording_hash_of_file(tr_arena *arena, const char *path);

#endif
