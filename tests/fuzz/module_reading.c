/* Of fuzz targets: whatever the bytes are, reading them ends with a module or with one error that
 * says where; a module can be printed, and written and read again to the same text; memory stays a
 * small multiple of the input's size. */
#include "module_reading.h"

#include "bytecode/bytecode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void write_and_read_again(tr_arena *arena, const ir_module *module, const char *text)
{
    tr_errors errors = tr_errors_make(arena);
    unsigned char *data = NULL;
    size_t size = 0;
    if (bytecode_write(module, module->version_minor, &data, &size, &errors)) {
        ir_module *again = bytecode_read(data, size, "written", &errors);
        CHECK(again, "what was written cannot be read: %s\n",
              errors.items ? errors.items[0].text : "");
        tr_text printed = {0};
        ir_print_module(&printed, again, false);
        CHECK(strcmp(tr_text_get(&printed), text) == 0, "written and read again:\n%s\nnot:\n%s\n",
              tr_text_get(&printed), text);
        tr_text_free(&printed);
        ir_module_free(again);
        free(data);
    } else {
        CHECK(module->version_minor > BYTECODE_NEWEST_WRITTEN, "cannot be written: %s\n",
              errors.items[0].text);
    }
    tr_errors_free(&errors);
}

/* What is read where all must be understood is read where only kernels are looked at. */
static void read_what_is_known(tr_arena *arena, const uint8_t *data, size_t size, bool is_whole)
{
    tr_errors errors = tr_errors_make(arena);
    ir_module *module = bytecode_read_known(data, size, "input", &errors);
    CHECK((module == NULL) == (tr_errors_count(&errors) > 0), "a module and errors, or neither\n");
    CHECK(module || !is_whole, "read in the strict way alone\n");
    for (const ir_function *f = module ? module->functions : NULL; f; f = f->next)
        CHECK(!f->unread || f->n_ops == 1, "%u ops of a kernel that is not read\n", f->n_ops);
    if (module)
        ir_module_free(module);
    tr_errors_free(&errors);
}

bool module_reading_try(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    ir_module *module = bytecode_read(data, size, "input", &errors);
    CHECK((module == NULL) == (tr_errors_count(&errors) > 0), "a module and errors, or neither\n");
    read_what_is_known(arena, data, size, module != NULL);
    if (module) {
        size_t used = tr_arena_used(module->arena);
        CHECK(used <= 2 * (BYTECODE_MEMORY_ANYHOW + BYTECODE_MEMORY * size), "%zu bytes for %zu\n",
              used, size);
        tr_text text = {0};
        ir_print_module(&text, module, true);
        tr_text_clear(&text);
        ir_print_module(&text, module, false);
        write_and_read_again(arena, module, tr_text_get(&text));
        tr_text_free(&text);
        ir_module_free(module);
    }
    tr_errors_free(&errors);
    tr_arena_free(arena);
    return module != NULL;
}
