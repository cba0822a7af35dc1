/* Digests of bytes and of lists of values: BLAKE2b, by libsodium. */
#ifndef LOOKUPS_DIGEST_H
#define LOOKUPS_DIGEST_H

#include "base/base.h"

typedef struct digest {
    unsigned char bytes[32];
} digest;

typedef struct digest_state digest_state;

void digest_of(const void *bytes, size_t length, digest *of);
/* Texts, numbers and bytes, each with its length, so that no two lists of values are one. */
tr_give digest_state *digest_begin(void);
void digest_add(digest_state *state, const void *bytes, size_t length);
void digest_add_text(digest_state *state, const char *text); /* NULL is not "" */
void digest_add_number(digest_state *state, uint64_t number);
void digest_end(tr_take digest_state *state, digest *of);
bool digest_same(const digest *a, const digest *b);

#endif
