/* The functions that hooks of front ends call by name, in whichever library has the recorder. */
#include "recorder/recorder.h"

#define EXPORTED __attribute__((visibility("default"), used))

EXPORTED int tilerace_recorder_on(void);
EXPORTED uint32_t tilerace_recorder_flags(void);
EXPORTED void tilerace_recorder_module(const void *tile_ir, size_t size, const void *code,
                                       size_t code_size, const char *front_end, const char *names);
EXPORTED void tilerace_recorder_place(const char *file, unsigned line);
EXPORTED void tilerace_recorder_remark(unsigned remark, const char *about);
EXPORTED void tilerace_recorder_missed(const char *symbol);
EXPORTED void tilerace_recorder_other_work(void);
EXPORTED void tilerace_recorder_take_findings(unsigned asks);
EXPORTED const char *tilerace_recorder_finding(void);
EXPORTED const char *tilerace_recorder_not_executed(void);
EXPORTED int tilerace_recorder_undefined(uint64_t address, uint64_t bytes, unsigned element_bytes);
EXPORTED void tilerace_recorder_freed(uint64_t address);
EXPORTED void tilerace_recorder_read_only(uint64_t address, uint64_t bytes);

int tilerace_recorder_on(void)
{
    return recorder_is_on();
}

uint32_t tilerace_recorder_flags(void)
{
    return recorder_flags();
}

void tilerace_recorder_module(const void *tile_ir, size_t size, const void *code, size_t code_size,
                              const char *front_end, const char *names)
{
    recorder_module(tile_ir, size, code, code_size, front_end, names);
}

void tilerace_recorder_place(const char *file, unsigned line)
{
    recorder_place(file, line);
}

void tilerace_recorder_remark(unsigned remark, const char *about)
{
    if (remark < WIRE_N_REMARKS)
        recorder_remark((wire_remark)remark, about);
}

void tilerace_recorder_missed(const char *symbol)
{
    recorder_missed(symbol);
}

void tilerace_recorder_other_work(void)
{
    recorder_streams_waited(false);
}

void tilerace_recorder_take_findings(unsigned asks)
{
    recorder_take_findings(asks);
}

const char *tilerace_recorder_finding(void)
{
    return recorder_finding();
}

const char *tilerace_recorder_not_executed(void)
{
    return recorder_not_executed();
}

int tilerace_recorder_undefined(uint64_t address, uint64_t bytes, unsigned element_bytes)
{
    return recorder_undefined(address, bytes, element_bytes);
}

void tilerace_recorder_freed(uint64_t address)
{
    recorder_freed(address);
}

void tilerace_recorder_read_only(uint64_t address, uint64_t bytes)
{
    recorder_read_only(address, bytes);
}
