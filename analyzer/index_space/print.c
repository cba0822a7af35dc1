/* The access summary as a person wants to read it. */
#include "index_space/summary.h"

#include "base/ds.h"

/* A term that is NULL is a number that nothing is known of. */
static void print_list(tr_text *out, const smt_t *terms, int n)
{
    for (int i = 0; i < n; i++) {
        if (i)
            tr_text_add(out, ", ");
        if (terms[i])
            smt_print_c(out, terms[i]);
        else
            tr_text_add(out, "?");
    }
}

static void print_condition(tr_text *out, const char *label, smt_t term)
{
    if (smt_is_true(term))
        return;
    tr_text_addf(out, "    %-7s ", label);
    smt_print_c(out, term);
    tr_text_add(out, "\n");
}

static const char *const order_names[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
static const char *const scope_names[] = {"", " tl_blk", " device", " sys"};

static void print_access(tr_text *out, const summary *s, const ix_access *a)
{
    const char *kind = a->atomic ? "atomic" : a->writes ? "store" : "load";
    const char *buffer = a->allocation < 0 ? "any buffer" : s->allocations[a->allocation].name;
    tr_text_addf(out, "  #%u %s %s%s %s", a->number, kind, order_names[a->ordering],
                 scope_names[a->scope], buffer);
    if (a->tensor) {
        tr_text_add(out, "[");
        print_list(out, a->coordinate, a->tensor->rank);
        tr_text_add(out, "]");
    }
    tr_text_add(out, "  tile");
    for (int d = 0; d < a->rank; d++)
        tr_text_addf(out, "%s%lld", d ? "x" : " ", (long long)a->tile[d]);
    if (a->op->place)
        tr_text_addf(out, "  line %u", a->op->place->line);
    tr_text_add(out, "\n");
    if (a->unknown)
        tr_text_addf(out, "    unknown address: %s\n", a->unknown);
    for (size_t i = 0; i < a->n_loops; i++) {
        tr_text_addf(out, "    loop    %s", a->loops[i]->counter->name);
        if (a->loops[i]->last) {
            tr_text_add(out, " = 0 .. ");
            smt_print_c(out, a->loops[i]->last);
        }
        tr_text_add(out, "\n");
    }
    if (!a->unknown) {
        tr_text_add(out, "    byte    ");
        smt_print_c(out, a->bytes);
        tr_text_addf(out, " (%d each)\n", a->width);
    }
    print_condition(out, "when", a->path);
    print_condition(out, "mask", a->mask);
    print_condition(out, "given", a->facts);
}

void summary_print(tr_text *out, const summary *s)
{
    tr_text_addf(out, "kernel %s\n  grid ", s->kernel->shown);
    print_list(out, s->grid, 3);
    tr_text_add(out, "\n");
    print_condition(out, "launch", s->launch);
    for (size_t i = 0; i < s->n_allocations; i++)
        tr_text_addf(out, "  buffer %s%s\n", s->allocations[i].name,
                     s->allocations[i].written ? "" : " (only read)");
    for (size_t i = 0; i < arrlenu(s->accesses); i++)
        print_access(out, s, &s->accesses[i]);
}
