/* Writes a module of the dialect again as cuTile.jl writes its own, by what its sources say: places
 * have lines and no columns, each op that touches memory lies in a function of cuTile.jl that was
 * inlined into the kernel, extents and strides are the parameters as they are, and no producer is
 * named.
 *
 *     as_julia IN.tilebc OUT.cutile KERNEL.jl MINOR
 *
 * Lines stay those of the source of IN; KERNEL.jl "-" leaves out all places. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "bytecode/bytecode.h"

static const char *const library = "/depot/packages/cuTile/Xq3bT/src/language/operations.jl";

static const tr_place *place_as_julia(ir_module *module, const ir_op *op, const char *file)
{
    if (!op->place || !op->place->file || strcmp(file, "-") == 0)
        return NULL;
    tr_place *outer = TR_NEW(module->arena, tr_place);
    *outer = (tr_place){.file = file, .line = op->place->line};
    tr_place *inner = TR_NEW(module->arena, tr_place);
    *inner = (tr_place){.file = library, .function = "operation", .line = 1, .inlined_at = outer};
    return ir_op_info_of(op->code)->effects ? inner : outer;
}

/* The dialect makes numbers of 64 bits of them first. */
static void take_parameters(const ir_op *op)
{
    for (uint32_t i = 0; op->code == IR_OP_MAKE_TENSOR_VIEW && i < op->n_operands; i++) {
        const ir_op *made = op->operands[i]->def;
        if (made && made->code == IR_OP_EXTI)
            op->operands[i] = made->operands[0];
    }
}

static void make_julia(ir_module *module, const char *file)
{
    module->producer = NULL;
    for (ir_function *f = module->functions; f; f = f->next) {
        tr_place *place = TR_NEW(module->arena, tr_place);
        *place = (tr_place){.file = file, .line = f->place ? f->place->line : 0};
        for (ir_op *op = ir_first_op(f); op; op = ir_next_op(op)) {
            op->place = place_as_julia(module, op, file);
            take_parameters(op);
        }
        f->place = strcmp(file, "-") == 0 ? NULL : place;
    }
}

int main(int argc, char **argv)
{
    const char *why = "usage: as_julia IN OUT KERNEL.jl MINOR";
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    size_t size = 0, written = 0;
    unsigned char *out = NULL;
    char *data = argc == 5 ? tr_read_file(arena, TR_FILE_KERNELS, argv[1], &size, &why) : NULL;
    ir_module *module =
        data ? bytecode_read((const unsigned char *)data, size, argv[1], &errors) : NULL;
    bool good = module != NULL;
    if (good)
        make_julia(module, argv[3]);
    good = good && bytecode_write(module, (uint8_t)atoi(argv[4]), &out, &written, &errors);
    FILE *to = good ? fopen(argv[2], "wb") : NULL;
    good = to && fwrite(out, 1, written, to) == written;
    good = to && fclose(to) == 0 && good;
    if (!good)
        fprintf(stderr, "%s\n", tr_errors_count(&errors) ? errors.items[0].text : why);
    free(out);
    if (module)
        ir_module_free(module);
    tr_errors_free(&errors);
    tr_arena_free(arena);
    return good ? 0 : 1;
}
