/* Bytecode as an object file, so that a host program carries its kernels. */
#ifndef COMPILERS_OBJECT_H
#define COMPILERS_OBJECT_H

#include "base/base.h"

/* Appends a relocatable ELF file of this machine with the bytes as constant data: `NAME_tilebc` is
 * where they begin and the 64-bit number `NAME_tilebc_size` how many there are. NAME is that of the
 * source without its folders and ending; what C names may not have is an underscore. */
void object_write(tr_text *out, const char *source, const void *bytes, size_t size);

#endif
