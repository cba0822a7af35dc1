/* Fuzz target: whatever a file holds, each image in it has bytes, or a sentence that says why not;
 * what is unpacked stays a small multiple of the file. */
#include "base/ds.h"
#include "bytecode/images.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    bytecode_image *images = bytecode_find_images(arena, data, size);
    for (size_t i = 0; i < arrlenu(images); i++)
        if ((images[i].bytes == NULL) != (images[i].why != NULL) || images[i].offset >= size) {
            fprintf(stderr, "image %zu at byte %zu\n", i, images[i].offset);
            abort();
        }
    arrfree(images);
    tr_arena_free(arena);
    return 0;
}
