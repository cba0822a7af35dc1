#ifndef FUZZ_MODULE_READING_H
#define FUZZ_MODULE_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Aborts where what the reader of bytecode promises does not hold. False: it refuses the bytes. */
bool module_reading_try(const uint8_t *data, size_t size);

#endif
