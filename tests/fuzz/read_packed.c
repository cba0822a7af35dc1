/* Fuzz target: whatever the bytes are, reading them as a packed result ends with a result or with
 * none. What is read can be printed in every format, and written again it is the same bytes. The
 * head is put right first, so that the bytes behind it are looked at. */
#include "cache/packed.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 24 };

static void put(char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (char)(value >> (8 * i));
}

static void print(checked_input *input)
{
    full_report report = {.solver = input->solver, .n_inputs = 1, .inputs = &input->report};
    for (int f = 0; f < REPORT_FORMAT_COUNT; f++) {
        tr_text text = {0};
        report_write(&text, &report, (report_format)f, &(report_options){.folder = "/nowhere"});
        tr_text_free(&text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    checked_input input;
    packed_read(arena, data, size, &input);
    if (size >= HEAD) {
        char *bytes = malloc(size);
        if (!bytes)
            abort();
        memcpy(bytes, data, size);
        memcpy(bytes, "TRPACK\r\n", 8);
        put(bytes + 8, packed_version());
        put(bytes + 16, size - HEAD);
        if (packed_read(arena, bytes, size, &input)) {
            tr_text again = {0};
            if (!packed_write(&again, &input) || again.length != size ||
                memcmp(again.data, bytes, size) != 0) {
                fprintf(stderr, "what was read is not what is written\n");
                abort();
            }
            tr_text_free(&again);
            print(&input);
        }
        free(bytes);
    }
    tr_arena_free(arena);
    return 0;
}
