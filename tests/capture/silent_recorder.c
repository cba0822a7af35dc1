/* A recorder that tells nobody, for a stand-in driver that plays a real one behind the shim: every
 * image has the kernel "kernel" of a pointer and a count. */
#include "recorder/recorder.h"

#include <string.h>

bool recorder_is_on(void)
{
    return false;
}

uint32_t recorder_flags(void)
{
    return 0;
}

void recorder_remark(wire_remark remark, const char *about)
{
    (void)remark;
    (void)about;
}

uint32_t recorder_load(const void *image, size_t size, unsigned architecture, bool *is_tile)
{
    (void)image;
    (void)size;
    (void)architecture;
    *is_tile = true;
    return 1;
}

bool recorder_entry(uint32_t image, const char *symbol, recorder_parameters *parameters)
{
    static const struct recorder_parameter items[] = {{WIRE_POINTER, 8}, {WIRE_INTEGER, 8}};
    (void)image;
    *parameters = (recorder_parameters){2, items};
    return strcmp(symbol, "kernel") == 0;
}

bool recorder_has_entries(uint32_t image)
{
    return image;
}

size_t recorder_entries(uint32_t image)
{
    return image;
}

const char *recorder_symbol(uint32_t image, size_t entry)
{
    return entry < image ? "kernel" : NULL;
}

bool recorder_is_missed(const char *symbol)
{
    (void)symbol;
    return false;
}

const char *recorder_keep(const char *text)
{
    return strcmp(text, "kernel") == 0 ? "kernel" : NULL;
}

bool recorder_launched(const recorder_launch *launch, const recorder_driver *driver, bool *executed)
{
    (void)launch;
    (void)driver;
    (void)executed;
    return true;
}

void recorder_kernel(const recorder_stream *stream, const char *name, bool is_pdl)
{
    (void)stream;
    (void)name;
    (void)is_pdl;
}

void recorder_stream_work(const recorder_stream *stream, recorder_work work)
{
    (void)stream;
    (void)work;
}

void recorder_stream_ended(const recorder_stream *stream)
{
    (void)stream;
}

void recorder_streams_waited(bool certainly)
{
    (void)certainly;
}

void recorder_event(uint64_t event, const recorder_stream *stream)
{
    (void)event;
    (void)stream;
}

void recorder_event_waited(uint64_t event, bool certainly)
{
    (void)event;
    (void)certainly;
}
