#include "recordings/private.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char *in_hexadecimal(tr_arena *arena, XXH128_hash_t hash)
{
    return tr_arena_printf(arena, "%016llx%016llx", (unsigned long long)hash.high64,
                           (unsigned long long)hash.low64);
}

const char *recording_hash(tr_arena *arena, size_t n, const recording_part *parts)
{
    XXH128_hash_t hash = {0};
    for (size_t i = 0; i < n; i++) {
        XXH128_hash_t own = XXH3_128bits(parts[i].bytes, parts[i].size);
        XXH128_hash_t both[] = {hash, own};
        hash = i == 0 ? own : XXH3_128bits(both, sizeof both);
    }
    return in_hexadecimal(arena, hash);
}

const char *recording_hash_of_file(tr_arena *arena, const char *path)
{
    size_t length;
    const char *why;
    const char *text = tr_read_file(arena, TR_FILE_SOURCE, path, &length, &why);
    return text ? in_hexadecimal(arena, XXH3_128bits(text, length)) : NULL;
}
