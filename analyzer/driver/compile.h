/* Bytecode -> machine code, for the commands that need some. */
#ifndef DRIVER_COMPILE_H
#define DRIVER_COMPILE_H

#include "session/session.h"

/* The N of "13.N", of NULL the newest that can be written; 0 when that version cannot be. */
uint8_t compile_minor_version(const char *text);
/* The GPU that machine code is made for: --gpu-name, or the default. */
const char *compile_gpu_name(const session *s);
/* Runs NVIDIA's assembler, which may take `timeout_ms` (0: its default), and appends its output to
 * `cubin`. its default); appended to `cubin`. What the assembler says goes to the error stream.
 * EXIT_CLEAN, or EXIT_BAD after a complaint. */
int compile_to_code(session *s, const unsigned char *bytecode, size_t size, int64_t timeout_ms,
                    tr_text *cubin);

#endif
