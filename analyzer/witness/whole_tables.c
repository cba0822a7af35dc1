/* Lists of arrays in a launch that is stated whole.
 *
 * In a run of the launch each array has an address of the interpreter's, not the one that it will
 * have. That makes no difference where the kernel does nothing with the word of an address but make
 * a pointer of it, and touches nothing that a pointer does not lead to. */
#include "witness/whole_tables.h"

#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

/* The constant that a scalar is; -1: it is none, or negative. */
static int64_t constant_of(const ir_value *value)
{
    int64_t number = 0;
    const ir_attr *data = value->def && value->def->code == IR_OP_CONSTANT
                              ? &value->def->attrs[IR_AT_CONSTANT_value]
                              : NULL;
    if (!data || data->n_bytes < 1 || data->n_bytes > 8)
        return -1;
    for (size_t i = 0; i < data->n_bytes; i++)
        number |= (int64_t)((uint64_t)data->bytes[i] << (8 * i));
    return number < 0 || number > INT32_MAX ? -1 : number;
}

/* Returns which word of a row, loaded as a tile of one row, the op takes by itself; -1: none, or
 * several.
 */
static int64_t word_of(const ir_op *op)
{
    if (op->code != IR_OP_EXTRACT || ir_type_elements(op->results[0].type) != 1)
        return -1;
    for (uint32_t i = 1; i + 1 < op->n_operands; i++)
        if (constant_of(op->operands[i]) != 0)
            return -1;
    return constant_of(op->operands[op->n_operands - 1]);
}

/* Does everything that uses the word of an address make a pointer of it? */
static bool is_only_address(const ir_function *kernel, const ir_value *word)
{
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++) {
            if (op->operands[i] != word || op->code == IR_OP_INT_TO_PTR)
                continue;
            if (op->code != IR_OP_RESHAPE || !is_only_address(kernel, &op->results[0]))
                return false;
        }
    return true;
}

/* Is it a load of one row of the table, whose words are taken one by one? */
static bool takes_words(const ir_function *kernel, const ir_op *load)
{
    const ir_type *row = load->results[0].type;
    for (int d = 0; d + 1 < row->rank; d++)
        if (row->shape[d] != 1)
            return false;
    if (row->rank < 1)
        return false;
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++) {
            if (op->operands[i] != &load->results[0])
                continue;
            int64_t word = word_of(op);
            if (i > 0 || word < 0 || (word == 0 && !is_only_address(kernel, &op->results[0])))
                return false;
        }
    return true;
}

/* The load that a number comes from, as the first word of what it loads. */
static const ir_op *loaded_by(const ir_value *number)
{
    while (number->def && number->def->code == IR_OP_RESHAPE)
        number = number->def->operands[0];
    const ir_op *extract = number->def;
    if (!extract || word_of(extract) != 0)
        return NULL;
    return extract->operands[0]->def;
}

/* The table that the op loads from; NULL: none that is stated, or something else as well. */
static const contract_table *table_of(const checker *k, const ir_op *load)
{
    const contract_table *table = NULL;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->op != load)
            continue;
        int arg = a->unknown || a->allocation < 0 ? -1 : k->s->allocations[a->allocation].first_arg;
        if (arg < 0 || table || !a->tensor ||
            a->tensor->bytes != smt_int_const(k->ctx, 0)) /* rows from the table's start */
            return NULL;
        table = k->contract->args[arg].table;
    }
    return table;
}

/* Does an array lie in the same buffer as a table? What is loaded from it might be an address. */
static bool holds_a_table(const contract *c, const contract_table *table)
{
    for (size_t e = 0; e < table->n; e++)
        for (size_t i = 0; i < c->n_args; i++)
            if (c->args[i].table && table->entries[e].buffer &&
                strcmp(contract_buffer_of(&c->args[i]), table->entries[e].buffer) == 0)
                return true;
    return false;
}

bool whole_tables_are_stated(const checker *k)
{
    const contract *c = k->contract;
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].table &&
            (holds_a_table(c, c->args[i].table) || contract_is_shared(c, &c->args[i])))
            return false;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        int arg = a->allocation < 0 ? -1 : k->s->allocations[a->allocation].first_arg;
        if (arg >= 0 && c->args[arg].table &&
            (a->writes || !table_of(k, a->op) || !takes_words(k->kernel, a->op)))
            return false;
    }
    for (const ir_op *op = ir_first_op(k->kernel); op; op = ir_next_op(op)) {
        const ir_op *load = op->code == IR_OP_INT_TO_PTR ? loaded_by(op->operands[0]) : NULL;
        if (op->code == IR_OP_INT_TO_PTR && (!load || !table_of(k, load)))
            return false;
    }
    return true;
}
