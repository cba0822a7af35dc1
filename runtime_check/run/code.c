/* Machine code for a run: the kernel as written, and once more with its tile blocks numbered from
 * the other end, so that blocks which start together are others. */
#include "run/code.h"

#include <stdlib.h>

#include "bytecode/bytecode.h"
#include "driver/compile.h"
#include "inputs/load.h"
#include "run/target.h"
#include "session/session.h"

/* ---- Editing the IR ---- */

static void move_behind(ir_op *op, ir_op *anchor)
{
    ir_block *block = op->parent;
    op->prev->next = NULL; /* it was built at the end of its block, behind others */
    block->last = op->prev;
    op->prev = anchor;
    op->next = anchor->next;
    if (anchor->next)
        anchor->next->prev = op;
    else
        block->last = op;
    anchor->next = op;
}

static ir_op *build_behind(ir_builder *b, ir_op *anchor, ir_opcode code,
                           const ir_operand_list *groups, uint32_t n_results,
                           const ir_type *const *types)
{
    ir_op *op = ir_build(b, code, groups, n_results, types, NULL);
    if (op != anchor->next)
        move_behind(op, anchor);
    return op;
}

static void replace_uses(const ir_function *f, const ir_value *old, ir_value *with,
                         const ir_op *but)
{
    for (ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands && op != but; i++)
            if (op->operands[i] == old)
                op->operands[i] = with;
}

/* id -> extent - 1 - id, on every axis: a permutation of the grid, whatever its extents. */
static void reverse_ids_of(ir_function *f, ir_op *id)
{
    ir_builder b = {.module = f->module, .function = f, .block = id->parent, .place = id->place};
    const ir_type *type = id->results[0].type;
    const ir_type *types[3] = {type, type, type};
    ir_op *extent = build_behind(&b, id, IR_OP_GET_NUM_TILE_BLOCKS, NULL, 3, types);
    ir_op *one = build_behind(&b, extent, IR_OP_CONSTANT, NULL, 1, types);
    one->attrs[IR_AT_CONSTANT_value] = ir_attr_splat_int(f->module, type, 1);
    ir_op *last = one;
    for (uint32_t axis = 0; axis < 3; axis++) {
        ir_value *highest_of[] = {&extent->results[axis]}, *one_of[] = {&one->results[0]};
        ir_operand_list groups[] = {{highest_of, 1}, {one_of, 1}};
        ir_op *highest = build_behind(&b, last, IR_OP_SUBI, groups, 1, types);
        ir_value *from[] = {&highest->results[0]}, *what[] = {&id->results[axis]};
        ir_operand_list of_id[] = {{from, 1}, {what, 1}};
        last = build_behind(&b, highest, IR_OP_SUBI, of_id, 1, types);
        replace_uses(f, &id->results[axis], &last->results[0], last);
    }
}

static void reverse_ids(ir_function *f)
{
    for (ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        if (op->code == IR_OP_GET_TILE_BLOCK_ID)
            reverse_ids_of(f, op);
    ir_renumber(f);
}

/* ---- IR -> machine code ---- */

static int assemble(const run_target *t, const ir_module *module, gpu_code *code)
{
    unsigned char *bytecode = NULL;
    size_t size = 0;
    tr_errors errors = tr_errors_make(t->input->arena);
    int exit_code = EXIT_BAD;
    if (bytecode_write(module, BYTECODE_NEWEST_WRITTEN, &bytecode, &size, &errors)) {
        tr_text cubin = {0};
        exit_code = compile_to_code(t->s, bytecode, size, 0, &cubin);
        code->size = cubin.length;
        code->image = tr_arena_copy(t->input->arena, cubin.data, cubin.length);
        tr_text_free(&cubin);
    } else {
        session_complain(t->s, "%s: %s", t->input->file,
                         errors.total ? errors.items[0].text : "it cannot be written");
    }
    tr_errors_free(&errors);
    free(bytecode);
    return exit_code;
}

/* The module is read anew: editing must not reach what is checked and interpreted. */
static int reversed_code(const run_target *t, gpu_code *code)
{
    loaded again;
    load_input(t->s, t->input->file, 0, &again);
    int exit_code = EXIT_BAD;
    if (again.unit.module && tr_errors_count(&again.errors) == 0) {
        for (ir_function *f = again.unit.module->functions; f; f = f->next)
            reverse_ids(f);
        exit_code = assemble(t, again.unit.module, code);
    } else {
        load_complain(t->s, &again);
    }
    load_free(&again);
    return exit_code;
}

bool run_waits_for_others(const ir_function *f)
{
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op)) {
        ir_ordering ordering = ir_is_memory_op(op) ? ir_memory_ordering(op) : IR_WEAK;
        if (ordering != IR_WEAK && ordering != IR_RELEASE && /* a release never waits */
            ir_enclosing(op, IR_OP_LOOP, NULL, 0) > 0)
            return true;
    }
    return false;
}

bool run_synchronises(const ir_function *f)
{
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        if ((ir_op_info_of(op->code)->effects & IR_ATOMIC) ||
            (ir_is_memory_op(op) && ir_memory_ordering(op) != IR_WEAK))
            return true;
    return false;
}

/* GPUs start tile blocks in the order of their numbers, on which those that wait rely. */
static bool may_be_renumbered(const ir_function *f)
{
    bool reads_ids = false;
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        reads_ids |= op->code == IR_OP_GET_TILE_BLOCK_ID;
    return reads_ids && !run_waits_for_others(f);
}

int run_compile(const run_target *t, gpu_plan *plan)
{
    plan->gpu = compile_gpu_name(t->s);
    plan->codes = TR_NEW_ARRAY(t->input->arena, gpu_code, 2);
    plan->codes[0].words = "as written";
    plan->codes[1].words = "block ids reversed";
    plan->n_codes = 1;
    if (assemble(t, t->input->unit.module, &plan->codes[0]) != EXIT_CLEAN)
        return EXIT_BAD;
    if (plan->repeat < 2 ||
        !may_be_renumbered(t->kernel->function)) /* run 1 is the first to take it */
        return EXIT_CLEAN;
    plan->n_codes = 2;
    return reversed_code(t, &plan->codes[1]);
}
