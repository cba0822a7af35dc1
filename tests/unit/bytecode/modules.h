/* The modules in data/, and short ways to read them. */
#ifndef TEST_MODULES_H
#define TEST_MODULES_H

#include "bytecode/bytecode.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#define DATA_FOLDER TILERACE_SOURCE_DIR "/tests/unit/bytecode/data/"

static const char *const module_names[] = {
    "arithmetic_13_1", "arithmetic_13_2", "arithmetic_13_3", "arithmetic_13_4", "arithmetic_13_5",
    "constants_13_1",  "constants_13_2",  "constants_13_3",  "constants_13_4",  "constants_13_5",
    "control_13_1",    "control_13_2",    "control_13_3",    "control_13_4",    "control_13_5",
    "memory_13_1",     "memory_13_2",     "memory_13_3",     "memory_13_4",     "memory_13_5",
    "multimem_13_5",   "inlined_cpp",     "inlined_python",
};

typedef struct fixture {
    tr_arena *arena;
    tr_errors errors;
} fixture;

static inline fixture fixture_make(void)
{
    tr_arena *arena = tr_arena_new();
    return (fixture){arena, tr_errors_make(arena)};
}

static inline void fixture_free(fixture *f)
{
    tr_errors_free(&f->errors);
    tr_arena_free(f->arena);
}

static inline unsigned char *read_data(fixture *f, const char *name, const char *ending,
                                       size_t *size)
{
    const char *why = NULL;
    const char *path = tr_arena_printf(f->arena, DATA_FOLDER "%s%s", name, ending);
    char *data = tr_read_file(f->arena, TR_FILE_KERNELS, path, size, &why);
    if (!data) {
        fail_msg("%s: %s", path, why);
    }
    return (unsigned char *)data;
}

static inline const char *first_error(const fixture *f)
{
    return f->errors.items ? f->errors.items[0].text : "no error";
}

static inline ir_module *read_module(fixture *f, const char *name)
{
    size_t size;
    unsigned char *data = read_data(f, name, ".tilebc", &size);
    ir_module *module = bytecode_read(data, size, name, &f->errors);
    if (!module) {
        fail_msg("%s: %s", name, first_error(f));
    }
    return module;
}

/* The first op with that mnemonic. */
static inline ir_op *find_op(const ir_module *module, ir_opcode code)
{
    for (ir_op *op = ir_first_op(module->functions); op; op = ir_next_op(op)) {
        if (op->code == code) {
            return op;
        }
    }
    fail_msg("there is no %s", ir_op_info_of(code)->mnemonic);
    return NULL;
}

#endif
