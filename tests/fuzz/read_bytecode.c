/* Fuzz target: any bytes as bytecode. */
#include "module_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    module_reading_try(data, size);
    return 0;
}
