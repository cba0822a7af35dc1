/* The region of one access in words: which elements, and which tile blocks touch them. */
#include <ctype.h>
#include <string.h>

#include "index_space/summary.h"
#include "lsp/inspecting.h"
#include "solver/answer.h"
#include "solver/model.h"
#include "strategies/prove.h"

enum { LONGEST_FORMULA = 160, STEPS = 400 * 1000 /* well under half a second's work */ };

/* ---- Section: Formulas ---- */

static const char axis_names[] = "xyz";

/* The summary calls an in-tile coordinate by its extent too: "e0@64". */
static void drop_extents(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        bool is_extent = *from == '@' && from > text && isdigit((unsigned char)from[-1]);
        if (is_extent)
            from += 1 + strspn(from + 1, "0123456789");
        else
            *to++ = *from++;
    }
    *to = '\0';
}

static void add_formula(tr_text *out, inspecting *in, smt_t term)
{
    tr_text whole = {0};
    smt_print_c(&whole, term);
    char *text = tr_arena_strdup(in->arena, tr_text_get(&whole));
    tr_text_free(&whole);
    drop_extents(text);
    bool is_long = strlen(text) > LONGEST_FORMULA;
    tr_text_addf(out, "%.*s%s", LONGEST_FORMULA, text, is_long ? " ..." : "");
}

static const char *buffer_of(const summary *sum, const ix_access *a)
{
    return a->allocation >= 0 ? sum->allocations[a->allocation].name : NULL;
}

static void add_element(tr_text *out, inspecting *in, const summary *sum, const ix_access *a)
{
    tr_text_addf(out, "%s[", buffer_of(sum, a) ? buffer_of(sum, a) : "any buffer");
    if (a->tensor) {
        for (int d = 0; d < a->tensor->rank; d++) {
            tr_text_add(out, d ? ", " : "");
            add_formula(out, in, a->coordinate[d]);
        }
    } else {
        add_formula(out, in, smt_div(sum->ctx, a->bytes, smt_int_const(sum->ctx, a->width)));
    }
    tr_text_add(out, "]");
}

static void add_coordinates(tr_text *out, const ix_access *a)
{
    const char *before = "  // ";
    for (int d = 0; d < a->rank; d++) {
        if (a->tile[d] == 1)
            continue;
        tr_text_addf(out, "%se%d < %lld", before, d, (long long)a->tile[d]);
        before = ", ";
    }
}

static void add_condition(tr_text *out, inspecting *in, const char *word, smt_t condition)
{
    if (!condition || smt_is_true(condition))
        return;
    tr_text_addf(out, "\n%s ", word);
    add_formula(out, in, condition);
}

static void add_loops(tr_text *out, inspecting *in, const ix_access *a)
{
    for (size_t i = 0; i < a->n_loops; i++) {
        tr_text_addf(out, "\nin iteration %s", a->loops[i]->counter->name);
        if (a->loops[i]->last) {
            tr_text_add(out, " of 0 .. ");
            add_formula(out, in, a->loops[i]->last);
        }
    }
}

static void add_region(tr_text *out, inspecting *in, const summary *sum, const ix_access *a)
{
    tr_text_add(out, "```c\n");
    add_element(out, in, sum, a);
    add_coordinates(out, a);
    add_loops(out, in, a);
    add_condition(out, in, "when", a->path);
    add_condition(out, in, "where", a->mask);
    tr_text_add(out, "\n```\n");
}

/* ---- Section: The block of an element ---- */

typedef struct share { /* coordinate = block id * extent + offset + in-tile coordinate */
    int axis, dim;
    smt_int extent, offset;
} share;

static int axis_of(const summary *sum, smt_t term)
{
    for (int axis = 0; axis < 3; axis++)
        if (sum->block_id[axis] == term)
            return axis;
    return -1;
}

static bool is_in_tile(const summary *sum, const ix_access *a, smt_t term)
{
    for (int d = 0; d < a->rank; d++)
        if (a->tile[d] > 1 && term == ix_coordinate(sum->ctx, d, a->tile[d]))
            return true;
    return false;
}

/* Is the coordinate of that form, with steps from block to block that no tile is larger than? */
static bool read_share(const summary *sum, const ix_access *a, int dim, share *found)
{
    smt_t term = a->coordinate[dim];
    *found = (share){.axis = axis_of(sum, term), .dim = dim, .extent = 1};
    if (found->axis >= 0)
        return true;
    if (term->kind != SMT_SUM)
        return false;
    smt_int in_tile = 0;
    found->offset = term->value;
    for (uint32_t i = 0; i < term->n_args; i++) {
        int axis = axis_of(sum, term->args[i]);
        if (axis >= 0 && found->axis < 0) {
            found->axis = axis;
            found->extent = term->coefs[i];
        } else if (is_in_tile(sum, a, term->args[i]) && term->coefs[i] == 1 && in_tile == 0) {
            in_tile = term->args[i]->high;
        } else {
            return false;
        }
    }
    return found->axis >= 0 && found->extent > 0 && in_tile < found->extent;
}

/* "Element [i, j] is touched by tile block (j / 64, i / 64, 0)." False: no such formula was found.
 */
static bool add_block_of_element(tr_text *out, const summary *sum, const ix_access *a)
{
    static const char *const names[] = {"i", "j", "k", "l", "m", "n"};
    share shares[3];
    bool known[3] = {false};
    if (!a->tensor || a->tensor->rank > (int)TR_COUNT(names))
        return false;
    for (int d = 0; d < a->tensor->rank; d++) {
        share one;
        if (read_share(sum, a, d, &one) && !known[one.axis]) {
            known[one.axis] = true;
            shares[one.axis] = one;
        }
    }
    for (int axis = 0; axis < 3; axis++)
        if (!known[axis] && !smt_is_const(sum->block_id[axis], NULL))
            return false;
    tr_text_add(out, "Element [");
    for (int d = 0; d < a->tensor->rank; d++)
        tr_text_addf(out, "%s%s", d ? ", " : "", names[d]);
    tr_text_add(out, "] belongs to tile block (");
    for (int axis = 0; axis < 3; axis++) {
        const char *name = known[axis] ? names[shares[axis].dim] : "0";
        long long offset = known[axis] ? (long long)shares[axis].offset : 0;
        tr_text_add(out, axis ? ", " : "");
        if (offset != 0)
            tr_text_addf(out, "(%s - %lld)", name, offset);
        else
            tr_text_add(out, name);
        if (known[axis] && shares[axis].extent > 1)
            tr_text_addf(out, " / %lld", (long long)shares[axis].extent);
    }
    tr_text_add(out, ") alone. ");
    return true;
}

/* ---- Section: Do two blocks touch one element? ---- */

typedef struct copying {
    const summary *sum;
    inspecting *in;
    int copy;
} copying;

static smt_t rename_private(void *user, smt_ctx *ctx, smt_t term)
{
    const copying *c = user;
    if (!summary_private(c->sum, term))
        return NULL;
    const char *name = tr_arena_printf(c->in->arena, "%s!%d", term->name, c->copy);
    return smt_var(ctx, name, term->low, term->high);
}

static smt_t copied(const summary *sum, inspecting *in, smt_t term, int copy)
{
    copying c = {sum, in, copy};
    return smt_map(sum->ctx, term, rename_private, &c);
}

static smt_answer ask_for_meeting(inspecting *in, loaded *input, const summary *sum,
                                  const ix_access *a)
{
    smt_ctx *ctx = sum->ctx;
    smt_t differ = smt_bool_const(ctx, false), all[2 * 4 + 3];
    smt_t small[6];
    size_t n = 0, n_small = 0;
    for (int axis = 0; axis < 3; axis++) {
        smt_t one = copied(sum, in, sum->block_id[axis], 1);
        smt_t two = copied(sum, in, sum->block_id[axis], 2);
        differ = smt_or(ctx, differ, smt_ne(ctx, one, two));
        if (!smt_is_const(one, NULL)) {
            small[n_small++] = one;
            small[n_small++] = two;
        }
    }
    for (int copy = 1; copy <= 2; copy++) {
        all[n++] = copied(sum, in, sum->launch, copy);
        all[n++] = copied(sum, in, a->path, copy);
        all[n++] = copied(sum, in, a->facts, copy);
        all[n++] = copied(sum, in, a->mask, copy);
    }
    all[n++] = differ;
    all[n++] = smt_eq(ctx, copied(sum, in, a->bytes, 1), copied(sum, in, a->bytes, 2));
    if (a->region)
        all[n++] = smt_eq(ctx, copied(sum, in, a->region, 1), copied(sum, in, a->region, 2));
    return smt_check_small(input->prover, n, all, n_small, small, STEPS, "hover");
}

static void add_block(tr_text *out, const summary *sum, inspecting *in, const smt_model *model,
                      int copy)
{
    for (int axis = 0; axis < 3; axis++) {
        smt_int value = 0;
        smt_model_eval(model, copied(sum, in, sum->block_id[axis], copy), &value);
        tr_text_addf(out, "%s%lld", axis ? ", " : "(", (long long)value);
    }
    tr_text_add(out, ")");
}

/* Ids that the region does not depend on; "" where it depends on all. */
static void add_same_for(tr_text *out, const summary *sum, const ix_access *a)
{
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(sum->block_id[axis], NULL) &&
            !smt_contains(a->bytes, sum->block_id[axis]))
            tr_text_addf(out, "It does not depend on bid.%c. ", axis_names[axis]);
}

static void add_blocks(tr_text *out, inspecting *in, loaded *input, const summary *sum,
                       const ix_access *a)
{
    if (a->allocation >= 0 && sum->allocations[a->allocation].space == IX_ALLOCA) {
        tr_text_add(out, "The memory is the tile block's own.");
        return;
    }
    add_same_for(out, sum, a);
    smt_answer answer = ask_for_meeting(in, input, sum, a);
    switch (answer.verdict) {
    case SMT_UNSAT:
        if (!add_block_of_element(out, sum, a))
            tr_text_add(out, "By this access, no element is touched by more than one tile block.");
        break;
    case SMT_SAT:
        tr_text_add(out, "Several tile blocks touch one element, for example ");
        add_block(out, sum, in, answer.model, 1);
        tr_text_add(out, " and ");
        add_block(out, sum, in, answer.model, 2);
        tr_text_add(out, ".");
        break;
    case SMT_UNKNOWN:
        tr_text_add(out, "It is not known whether several tile blocks touch one element.");
        break;
    }
}

void regions_describe(tr_text *out, inspecting *in, loaded *input, struct summary *sum,
                      const struct ix_access *a)
{
    static const char *const orders[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
    const char *kind = a->atomic ? "atomic" : a->writes ? "store" : "load";
    tr_text_addf(out, "**%s**", kind);
    if (a->ordering > 0 && (size_t)a->ordering < TR_COUNT(orders))
        tr_text_addf(out, " (%s)", orders[a->ordering]);
    tr_text_addf(out, " of %d-byte elements\n\n", a->width);
    if (a->unknown) {
        tr_text_addf(out, "Which elements is not known: %s\n", a->unknown);
        return;
    }
    add_region(out, in, sum, a);
    tr_text_add(out, "\n");
    if (sum->grid[0])
        add_blocks(out, in, input, sum, a);
    tr_text_add(out, "\n");
}
