#include "checking/kernel_identity.h"

#include <inttypes.h>
#include <string.h>

#include "base/ds.h"
#include "inputs/load.h"

/* A member that is added to one of these may belong in here. */
_Static_assert(sizeof(contract_contents) == 88, "kernel_identity.c writes every member");
_Static_assert(sizeof(contract_arg) == 208, "kernel_identity.c writes every member");
_Static_assert(sizeof(contract_touched) == 64, "kernel_identity.c writes every member");
_Static_assert(sizeof(contract) == 216, "kernel_identity.c writes every member");

static void add_number(tr_text *out, const char *name, int64_t value)
{
    tr_text_addf(out, "%s %" PRId64 "\n", name, value);
}

/* The length stands in front of the text, so that no text can look like the lines after it. */
static void add_text(tr_text *out, const char *name, const char *text)
{
    if (text)
        tr_text_addf(out, "%s %zu %s\n", name, strlen(text), text);
}

static void add_term(tr_text *out, const char *name, smt_t term)
{
    if (!term)
        return;
    tr_text_addf(out, "%s ", name);
    smt_print_smtlib(out, term);
    tr_text_add(out, "\n");
}

static void add_values(tr_text *out, const contract_values *values)
{
    for (size_t i = 0; values && i < values->n; i++)
        if (!values->known || values->known[i])
            tr_text_addf(out, "value %zu %" PRId64 "\n", i, values->values[i]);
    if (values)
        tr_text_addf(out, "values %zu\n", values->n);
}

static void add_contents(tr_text *out, const contract_contents *of)
{
    add_number(out, "unique", of->unique);
    add_term(out, "unique-when", of->unique_when);
    add_number(out, "increasing", of->increasing);
    add_term(out, "min", of->min);
    add_term(out, "max", of->max);
    for (size_t i = 0; i < of->n_tuple; i++)
        add_number(out, "tuple", of->tuple[i]);
    add_number(out, "prefix-sum-of", of->prefix_sum_of);
    add_term(out, "regions", of->regions);
    add_values(out, of->values);
}

static void add_table(tr_text *out, const contract_table *table)
{
    for (size_t i = 0; table && i < table->n; i++) {
        const contract_entry *entry = &table->entries[i];
        add_text(out, "entry", entry->buffer);
        add_number(out, "at", entry->byte_offset);
        for (size_t d = 0; d < table->rank; d++)
            tr_text_addf(out, "%" PRId64 " by %" PRId64 "\n", entry->extents[d], entry->strides[d]);
    }
    if (table)
        tr_text_addf(out, "table %zu %zu\n", table->n, table->rank);
}

static void add_argument(tr_text *out, smt_ctx *ctx, const contract *c, size_t i)
{
    const contract_arg *arg = &c->args[i];
    add_text(out, "argument", arg->name);
    add_text(out, "made-up", arg->made_up);
    tr_text_addf(out, "%d %d %" PRIu32 " %" PRIu32 " %d %d %d %a %d %d %d %d\n", (int)arg->kind,
                 (int)arg->member.role, arg->member.array, arg->member.dimension, arg->bits,
                 arg->is_signed, arg->has_number, arg->number, arg->buffer_stated, arg->spans,
                 (int)arg->covered, arg->constrained);
    if (arg->kind == CONTRACT_SCALAR) {
        smt_int low, high;
        smt_bounds(contract_param(ctx, c, i), &low, &high);
        add_term(out, "from", smt_int_const(ctx, low));
        add_term(out, "to", smt_int_const(ctx, high));
    }
    add_text(out, "buffer", arg->buffer);
    add_term(out, "elements", arg->elements);
    add_term(out, "offset", arg->offset);
    add_contents(out, &arg->contents);
    add_table(out, arg->table);
}

static void add_predecessor(tr_text *out, smt_ctx *ctx, const contract_predecessor *of)
{
    add_number(out, "stated", of->is_stated);
    for (size_t i = 0; i < of->n_writes; i++)
        add_text(out, "writes", of->writes[i]);
    for (size_t i = 0; i < of->n_reads; i++)
        add_text(out, "reads", of->reads[i]);
    for (size_t i = 0; i < of->n_touched; i++) {
        const contract_touched *touched = &of->touched[i];
        add_text(out, "touches", touched->buffer);
        add_term(out, "from", smt_int_const(ctx, touched->from));
        add_term(out, "to", smt_int_const(ctx, touched->to));
        tr_text_addf(out, "%d %d %d\n", touched->writes, touched->is_bound, touched->is_unwaited);
    }
}

static void add_contract(tr_text *out, smt_ctx *ctx, const contract *c)
{
    static const char *const axes[] = {"grid.x", "grid.y", "grid.z"};
    tr_text_addf(out, "contract %d %d %d %d %d\n", (int)c->source, c->says_nothing, c->is_empty,
                 c->pdl, (int)c->peers);
    add_text(out, "contradiction", c->contradiction);
    for (int axis = 0; axis < 3; axis++)
        add_term(out, axes[axis], c->grid[axis]);
    for (size_t i = 0; i < c->n_args; i++)
        add_argument(out, ctx, c, i);
    for (size_t i = 0; i < arrlenu(c->facts); i++) {
        add_term(out, "fact", c->facts[i].term);
        add_text(out, "text", c->facts[i].text);
    }
    for (size_t i = 0; i < c->n_observed; i++)
        add_text(out, "observed", c->observed[i]);
    if (c->pdl)
        add_predecessor(out, ctx, &c->predecessor);
}

void checking_write_identity(tr_text *out, const loaded *input, const loaded_kernel *kernel)
{
    const ir_module *module = input->unit.module;
    add_text(out, "producer", module->producer);
    add_text(out, "writer", module->writer);
    add_number(out, "version", module->version_minor);
    add_number(out, "counts from one", module->counts_from_one);
    add_text(out, "unread", kernel->function->unread);
    ir_print_entry(out, module, kernel->function);
    add_contract(out, input->ctx, kernel->contract);
    add_text(out, "launch", kernel->launch_json);
}
