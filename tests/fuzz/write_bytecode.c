/* Fuzz target: bytecode that our writer makes of a random kernel, with some bytes changed, so that
 * what is read has a module's structure up to there.
 *
 *   1 byte    the version of bytecode, and whether the kernel synchronises
 *   1 byte    how many bytes are changed, n
 *   n times 4 where (3 bytes), and what is there instead
 *   the rest  choices that make the kernel, 2 bytes each (tests/random) */
#include "module_reading.h"

#include <stdio.h>
#include <stdlib.h>

#include "../random/generate.h"
#include "base/ds.h"
#include "bytecode/bytecode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 2, CHANGE = 4, MOST_CHANGES = 8 };

static unsigned char *write_kernel(bool synchronises, uint8_t minor, size_t n,
                                   const uint32_t *given, size_t *size)
{
    smt_ctx *ctx = smt_ctx_new();
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    choices c = choices_given(n, given);
    sample s = synchronises ? sample_make_sync(&c, ctx) : sample_make(&c, ctx, false);
    unsigned char *bytes = NULL;
    if (!bytecode_write(s.module, minor, &bytes, size, &errors) &&
        minor == BYTECODE_NEWEST_WRITTEN) {
        fprintf(stderr, "cannot be written: %s\n", errors.items[0].text);
        abort();
    }
    sample_free(&s);
    choices_free(&c);
    tr_errors_free(&errors);
    tr_arena_free(arena);
    smt_ctx_free(ctx);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t *given = NULL;
    size_t length = 0, n = size >= HEAD ? data[1] % (MOST_CHANGES + 1) : 0,
           from = HEAD + CHANGE * n;
    for (size_t at = from; at + 1 < size; at += 2)
        arrput(given, (uint32_t)data[at] << 8 | data[at + 1]);
    uint8_t minor = size > 0 ? 1 + data[0] % BYTECODE_NEWEST_WRITTEN : 1;
    bool synchronises = size > 0 && data[0] >= 128;
    unsigned char *bytes = write_kernel(synchronises, minor, arrlenu(given), given, &length);
    if (bytes && !module_reading_try(bytes, length)) {
        fprintf(stderr, "what was written cannot be read\n");
        abort();
    }
    for (size_t i = 0; bytes && i < n && HEAD + CHANGE * (i + 1) <= size; i++) {
        const uint8_t *change = data + HEAD + CHANGE * i;
        bytes[((size_t)change[0] << 16 | (size_t)change[1] << 8 | change[2]) % length] = change[3];
    }
    if (bytes)
        module_reading_try(bytes, length);
    free(bytes);
    arrfree(given);
    return 0;
}
