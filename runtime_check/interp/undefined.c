/* Finds which values are undefined, and where they come from. The elements that a run does not know
 * are marked as such (cells, pages); here is said which of these no program may rely on. A tile has
 * one source for all its elements: the first that met it. */
#include "interp/private.h"

enum { MOST_KEPT = 1 << 16 };

uint32_t undefined_source(interp_run *run, interp_undefined_kind kind, const ir_op *op,
                          int32_t buffer, int64_t address)
{
    if (!run->limits.values)
        return 0; /* nobody asks for what memory holds in the end */
    for (size_t i = arrlenu(run->undefined); i > 0; i--)
        if (run->undefined[i - 1].op == op && run->undefined[i - 1].kind == kind)
            return (uint32_t)i;
    interp_undefined is = {
        .kind = kind, .op = op, .block = run->block, .buffer = buffer, .address = address};
    arrput(run->undefined, is);
    return (uint32_t)arrlenu(run->undefined);
}

/* Ops that have no result for some operands. */
static bool may_have_no_result(ir_opcode code)
{
    return code == IR_OP_DIVI || code == IR_OP_REMI || code == IR_OP_SHLI || code == IR_OP_SHRI ||
           code == IR_OP_FTOI;
}

static bool is_known(const ssa *v, const ir_type *type)
{
    if (type->kind == IR_TILE)
        return v->cells && !v->cells->marks;
    return type->kind == IR_TOKEN || (v->view && v->view->known);
}

void undefined_pass_on(interp_run *run, const ir_op *op)
{
    for (uint32_t i = 0; i < op->n_results; i++) {
        ssa *result = machine_value(run, &op->results[i]);
        if (result->source || is_known(result, op->results[i].type))
            continue;
        bool all_known = true;
        for (uint32_t k = 0; k < op->n_operands && !result->source; k++) {
            const ssa *operand = machine_value(run, op->operands[k]);
            all_known &= is_known(operand, op->operands[k]->type);
            result->source = operand->source;
        }
        if (!result->source && all_known && may_have_no_result(op->code))
            result->source = undefined_source(run, INTERP_UNDEFINED_RESULT, op, NO_BUFFER, 0);
    }
}

void undefined_store(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width,
                     uint32_t source)
{
    if (!run->limits.values)
        return;
    memory_set_source(run, buffer, address, source);
    if (buffer < 0 || buffer >= (int32_t)run->n_launch_buffers || arrlen(run->unknown) >= MOST_KEPT)
        return;
    interp_unknown_store store = {op, run->block, buffer, address, width, source};
    arrput(run->unknown, store);
}

size_t interp_unknown_stores(const interp_run *run, const interp_unknown_store **stores)
{
    *stores = run->unknown;
    return arrlenu(run->unknown);
}

const interp_undefined_info *interp_undefined_info_of(interp_undefined_kind kind)
{
    static const interp_undefined_info infos[] = {
#define UNDEFINED(id, name, does, words) {name, does, words},
#include "interp/undefined.def"
    };
    return &infos[kind];
}

bool interp_stays_unknown(const interp_run *run, const interp_unknown_store *store)
{
    uint64_t bits;
    return !interp_read_back(run, store->buffer, store->address, store->width, &bits);
}

const interp_undefined *interp_undefined_at(const interp_run *run, uint32_t source)
{
    return source && source <= arrlenu(run->undefined) ? &run->undefined[source - 1] : NULL;
}

const interp_undefined *interp_run_undefined_by(const interp_run *run)
{
    return run->status == INTERP_UNDECIDED ? interp_undefined_at(run, run->stopped_source) : NULL;
}
