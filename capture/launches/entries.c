#include "launches/entries.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "bytecode/bytecode.h"

static struct entry_parameter parameter_of(const ir_type *type)
{
    const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
    if (elem->kind == IR_POINTER)
        return (struct entry_parameter){
            elem->elem && ir_type_is_float(elem->elem) ? WIRE_POINTER_TO_FLOATS : WIRE_POINTER, 8};
    wire_parameter kind = ir_type_is_int(elem)     ? WIRE_INTEGER
                          : ir_type_is_float(elem) ? WIRE_FLOAT
                                                   : WIRE_OTHER;
    return (struct entry_parameter){kind, (unsigned)ir_type_bytes(elem)};
}

static module_entry entry_of(tr_arena *arena, const ir_function *f)
{
    size_t n = f->body->n_args;
    struct entry_parameter *parameters = TR_NEW_ARRAY(arena, struct entry_parameter, n + 1);
    for (size_t i = 0; i < n; i++)
        parameters[i] = parameter_of(f->body->args[i]->type);
    return (module_entry){tr_arena_strdup(arena, f->name), n, parameters, entry_waits(f)};
}

const module_entries *entries_of(tr_arena *arena, const ir_module *module)
{
    module_entries *all = TR_NEW(arena, module_entries);
    size_t n = 0;
    for (const ir_function *f = module->functions; f; f = f->next)
        n += f->is_entry;
    module_entry *items = TR_NEW_ARRAY(arena, module_entry, n + 1);
    for (const ir_function *f = module->functions; f; f = f->next)
        if (f->is_entry)
            items[all->n++] = entry_of(arena, f);
    all->items = items;
    return all;
}

const module_entries *entries_read(tr_arena *arena, const void *bytes, size_t size,
                                   const char **why)
{
    tr_errors errors = tr_errors_make(arena);
    ir_module *module = bytecode_read_known(bytes, size, "module", &errors);
    const module_entries *all = module ? entries_of(arena, module) : NULL;
    if (module)
        ir_module_free(module);
    else
        *why = errors.items[0].text;
    tr_errors_free(&errors);
    return all;
}

bool entries_key(const void *bytes, size_t size, uint64_t key[2])
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    ir_module *module = bytecode_read_known(bytes, size, "module", &errors);
    unsigned char *written = NULL;
    size_t length = 0;
    for (ir_function *f = module ? module->functions : NULL; f; f = f->next)
        f->hints = (ir_attr){.kind = IR_ATTR_NONE};
    bool good = module && bytecode_write(module, module->version_minor, &written, &length, &errors);
    if (good) {
        XXH128_hash_t hash = XXH3_128bits(written, length);
        key[0] = hash.high64;
        key[1] = hash.low64;
    }
    free(written);
    if (module)
        ir_module_free(module);
    tr_errors_free(&errors);
    tr_arena_free(arena);
    return good;
}
