#include "terms/changes.h"

#include "terms/node.h"
#include "terms/rewrite.h"

#include "base/ds.h"

#include <stdlib.h>

/* How a part is changed: by the pairs, or so that as many divisions inside each other are defined.
 */
enum { MOST_DIVISIONS = 8, BY_PAIRS = MOST_DIVISIONS + 1 };

typedef struct part {
    smt_t term;
    uint64_t how; /* as wide as a pointer: keys of maps are compared with their padding */
} part;

struct smt_changes {
    smt_ctx *ctx;
    size_t n;
    const smt_t *from, *to;
    struct {
        part key;
        smt_t value;
    } *made;    /* stb_ds map */
    part *open; /* stb_ds array: parts that wait for those inside them */
    smt_t *args;
};

smt_changes *smt_changes_new(smt_ctx *ctx, size_t n, const smt_t *from, const smt_t *to)
{
    TR_ASSERT(n == 0 || (from && to));
    smt_changes *changes = calloc(1, sizeof *changes);
    if (!changes)
        tr_no_memory();
    *changes = (smt_changes){
        .ctx = ctx,
        .n = n,
        .from = tr_arena_copy(ctx->arena, from, n * sizeof *from),
        .to = tr_arena_copy(ctx->arena, to, n * sizeof *to),
    };
    return changes;
}

void smt_changes_free(smt_changes *changes)
{
    if (!changes)
        return;
    hmfree(changes->made);
    arrfree(changes->open);
    arrfree(changes->args);
    free(changes);
}

static bool is_division(smt_t term)
{
    return term->kind == SMT_DIV || term->kind == SMT_MOD;
}

/* Returns the changed part if it is known without a look inside it; else NULL. */
static smt_t made_of(smt_changes *c, part p)
{
    smt_tick(c->ctx, 1);
    for (size_t i = 0; p.how == BY_PAIRS && i < c->n; i++)
        if (c->from[i] == p.term)
            return c->to[i];
    if (p.term->n_args == 0 || p.how == 0 || (p.how < BY_PAIRS && !smt_has(p.term, SMT_HAS_DIV)))
        return p.term;
    ptrdiff_t at = hmgeti(c->made, p);
    return at < 0 ? NULL : c->made[at].value;
}

static part part_inside(part p, uint32_t i)
{
    bool deeper = p.how < BY_PAIRS && is_division(p.term);
    return (part){p.term->args[i], deeper ? p.how - 1 : p.how};
}

/* Opens the parts inside that nothing is known of yet; false: there are none. */
static bool open_inside(smt_changes *c, part p)
{
    bool any = false;
    for (uint32_t i = 0; i < p.term->n_args; i++) {
        part inside = part_inside(p, i);
        if (made_of(c, inside))
            continue;
        arrput(c->open, inside);
        any = true;
    }
    return any;
}

/* A division by what is not negative is one by 1 at least: by 0 it is undefined. */
static smt_t defined_division(smt_ctx *ctx, smt_t term, smt_t a, smt_t b)
{
    if (b->low == 0)
        b = smt_max(ctx, b, smt_int_const(ctx, 1));
    return term->kind == SMT_DIV ? smt_div(ctx, a, b) : smt_mod(ctx, a, b);
}

/* The part, of what the parts inside it have become. */
static smt_t make(smt_changes *c, part p)
{
    bool changed = false;
    arrsetlen(c->args, p.term->n_args);
    for (uint32_t i = 0; i < p.term->n_args; i++) {
        c->args[i] = made_of(c, part_inside(p, i));
        changed |= c->args[i] != p.term->args[i];
    }
    if (p.how < BY_PAIRS && is_division(p.term))
        return defined_division(c->ctx, p.term, c->args[0], c->args[1]);
    return changed ? smt_rebuild(c->ctx, p.term, c->args) : p.term;
}

static smt_t change(smt_changes *c, smt_t term, uint64_t how)
{
    part whole = {term, how};
    if (!made_of(c, whole))
        arrput(c->open, whole);
    while (arrlenu(c->open) > 0) {
        part p = arrlast(c->open);
        if (open_inside(c, p))
            continue;
        smt_t made = make(c, p);
        hmput(c->made, p, made);
        (void)arrpop(c->open);
    }
    return made_of(c, whole);
}

smt_t smt_changed_where_defined(smt_changes *changes, smt_t term)
{
    return change(changes, change(changes, term, BY_PAIRS), MOST_DIVISIONS);
}
