/* The name that a recording gives to a file with what stands on standard input, for tests that make
 * files which no recorder makes. */
#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

int main(void)
{
    static char bytes[1 << 20];
    XXH128_hash_t hash = XXH3_128bits(bytes, fread(bytes, 1, sizeof bytes, stdin));
    printf("%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    return 0;
}
