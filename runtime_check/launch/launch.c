/* Answers what can be asked of a launch by itself. */
#include "launch/launch.h"

#include <string.h>

int64_t concrete_launch_blocks(const concrete_launch *launch)
{
    return launch->grid[0] * launch->grid[1] * launch->grid[2];
}

bool concrete_number_at(const interp_buffer *buffer, int64_t address, int64_t width, int64_t *value)
{
    uint64_t bits = 0, sign = (uint64_t)1 << (8 * width - 1);
    int64_t end = buffer->data_bytes ? buffer->data_bytes : buffer->bytes;
    bool known = buffer->data && address + width <= end;
    if (known)
        memcpy(&bits, buffer->data + address, (size_t)width);
    for (size_t p = 0; p < buffer->n_pokes; p++)
        if (buffer->pokes[p].address == address) {
            bits = buffer->pokes[p].value;
            known = true;
        }
    *value = (int64_t)((bits ^ sign) - sign);
    return known;
}

uint64_t concrete_pointer(int32_t buffer, int64_t address)
{
    return ((uint64_t)(buffer + 1) << LAUNCH_WINDOW_SHIFT) + (uint64_t)address;
}

int64_t concrete_stated_bytes(const concrete_launch *l)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < l->n_buffers; i++)
        if (!l->buffers[i].unbounded && __builtin_add_overflow(bytes, l->buffers[i].bytes, &bytes))
            return INT64_MAX;
    return bytes;
}
