#include "lookups/digest.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct digest_state {
    crypto_generichash_state hash;
};

void digest_of(const void *bytes, size_t length, digest *of)
{
    crypto_generichash(of->bytes, sizeof of->bytes, bytes, length, NULL, 0);
}

tr_give digest_state *digest_begin(void)
{
    digest_state *state = NULL; /* the library wants it aligned */
    if (posix_memalign((void **)&state, 64, sizeof *state) != 0)
        tr_no_memory();
    crypto_generichash_init(&state->hash, NULL, 0, sizeof(digest));
    return state;
}

void digest_add(digest_state *state, const void *bytes, size_t length)
{
    uint64_t n = length;
    crypto_generichash_update(&state->hash, (const unsigned char *)&n, sizeof n);
    crypto_generichash_update(&state->hash, bytes, length);
}

void digest_add_text(digest_state *state, const char *text)
{
    digest_add_number(state, text != NULL);
    digest_add(state, text ? text : "", text ? strlen(text) : 0);
}

void digest_add_number(digest_state *state, uint64_t number)
{
    crypto_generichash_update(&state->hash, (const unsigned char *)&number, sizeof number);
}

void digest_end(tr_take digest_state *state, digest *of)
{
    crypto_generichash_final(&state->hash, of->bytes, sizeof of->bytes);
    free(state);
}

bool digest_same(const digest *a, const digest *b)
{
    return sodium_memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}
