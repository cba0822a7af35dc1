/* Tile IR inside files of other kinds: objects, archives, libraries and programs that nvcc or
 * `tilerace cc -o NAME.o` made, and whatever else holds such bytes. */
#ifndef BYTECODE_IMAGES_H
#define BYTECODE_IMAGES_H

#include "base/base.h"

typedef struct bytecode_image {
    size_t offset;              /* in the file: of its entry in a fat binary, or of itself */
    const char *member;         /* of an archive: the object that holds it; else NULL */
    unsigned architecture;      /* that its entry names: 90 for sm_90; 0: none */
    const unsigned char *bytes; /* in the arena or in the file; NULL: it cannot be read */
    size_t size;
    const char *why;      /* a sentence, where it cannot be read */
    bool is_machine_code; /* which was made of Tile IR that is not in the file: it cannot be read */
} bytecode_image;

/* Finds the modules in the file, in its order; a module that is twice in one object, as for two
 * architectures, is there once. Files may be truncated and their sizes wrong: they are searched
 * byte by byte, and nothing in them is trusted. An stb_ds array; its texts and what was unpacked
 * live in `arena`. */
tr_give bytecode_image *bytecode_find_images(tr_arena *arena, const unsigned char *file,
                                             size_t size);

#endif
