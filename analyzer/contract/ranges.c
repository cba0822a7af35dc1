/* Ranges of parameters: provisional variables while a contract is read, final ones afterwards. */
#include "contract/ranges.h"

#include "base/ds.h"

/* Rounds of interval propagation over the facts: chains such as `a >= 1, b >= a, c >= b` settle in
 * as many rounds as they have links; longer ones only lose precision. */
#define ROUNDS 6

struct contract_ranges *contract_ranges_new(tr_arena *arena, size_t n)
{
    struct contract_ranges *ranges = TR_NEW(arena, struct contract_ranges);
    ranges->params = TR_NEW_ARRAY(arena, contract_range, n ? n : 1);
    return ranges;
}

void contract_type_range(const contract_arg *arg, smt_int *low, smt_int *high)
{
    TR_ASSERT(arg->bits >= 0 && arg->bits <= 64);
    int bits = arg->bits > 0 && arg->bits <= 64 ? arg->bits : 64;
    if (bits == 1 && arg->is_signed) { /* a set i1 reads as 1 or as -1, by the op that reads it */
        *low = -1;
        *high = 1;
    } else if (arg->is_signed) {
        *low = -((smt_int)1 << (bits - 1));
        *high = ((smt_int)1 << (bits - 1)) - 1;
    } else {
        *low = 0;
        *high = ((smt_int)1 << bits) - 1;
    }
}

static const char *name_of(smt_ctx *ctx, const contract *c, size_t i, const char *suffix)
{
    if (c->args[i].name)
        return tr_arena_printf(smt_arena(ctx), "%s%s", c->args[i].name, suffix);
    return tr_arena_printf(smt_arena(ctx), "arg%zu%s", i, suffix);
}

smt_t contract_param(smt_ctx *ctx, const contract *c, size_t i)
{
    TR_ASSERT(i < c->n_args);
    contract_range *range = &c->ranges->params[i];
    smt_int low, high;
    contract_type_range(&c->args[i], &low, &high);
    if (c->ranges->settled) {
        if (!range->final) /* not a scalar: it has no range to settle */
            range->final = smt_var_of_range(ctx, name_of(ctx, c, i, ""), low, high);
        return range->final;
    }
    if (!range->provisional)
        range->provisional = smt_var_of_range(ctx, name_of(ctx, c, i, "?"), low, high);
    return range->provisional;
}

/* ---- Bounds out of facts ---- */

typedef struct settling {
    smt_ctx *ctx;
    contract *c;
    smt_int *low, *high; /* per parameter, narrowed as facts are read */
    bool changed;
    tr_errors *errors; /* or NULL */
} settling;

static int param_of(const settling *s, smt_t term)
{
    if (term->kind != SMT_VAR)
        return -1;
    for (size_t i = 0; i < s->c->n_args; i++)
        if (s->c->ranges->params[i].provisional == term)
            return (int)i;
    return -1;
}

static void bounds_of(const settling *s, smt_t term, smt_int *low, smt_int *high)
{
    int i = param_of(s, term);
    if (i >= 0) {
        *low = s->low[i];
        *high = s->high[i];
    } else {
        smt_bounds(term, low, high);
    }
}

/* Smallest value of coefficient * [low, high]; false when it has none or is too big to add up. */
static bool least_product(smt_int coefficient, smt_int low, smt_int high, smt_int *least)
{
    const smt_int limit = (smt_int)1 << 100; /* room to add up many of them */
    smt_int factor = coefficient > 0 ? low : high;
    if (factor <= SMT_NO_LOW || factor >= SMT_NO_HIGH)
        return false;
    if (__builtin_mul_overflow(coefficient, factor, least))
        return false;
    return *least > -limit && *least < limit;
}

static smt_int floor_div(smt_int a, smt_int b) /* b > 0 */
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static void narrow(settling *s, size_t i, smt_int low, smt_int high)
{
    if (low > s->low[i]) {
        s->low[i] = low;
        s->changed = true;
    }
    if (high < s->high[i]) {
        s->high[i] = high;
        s->changed = true;
    }
}

/* sign * sum <= 0: what the least of all other addends leaves for each parameter in it. */
static void read_sum_le(settling *s, smt_t sum, int sign)
{
    if (sum->kind == SMT_VAR) {
        int i = param_of(s, sum);
        if (i >= 0)
            narrow(s, (size_t)i, sign > 0 ? SMT_NO_LOW : 0, sign > 0 ? 0 : SMT_NO_HIGH);
        return;
    }
    if (sum->kind != SMT_SUM)
        return;
    for (uint32_t k = 0; k < sum->n_args; k++) {
        int i = param_of(s, sum->args[k]);
        smt_int rest = sign * sum->value;
        if (i < 0)
            continue;
        for (uint32_t j = 0; j < sum->n_args; j++) {
            smt_int low, high, least;
            if (j == k)
                continue;
            bounds_of(s, sum->args[j], &low, &high);
            if (!least_product(sign * sum->coefs[j], low, high, &least))
                goto next;
            rest += least;
        }
        smt_int coefficient = sign * sum->coefs[k];
        if (coefficient > 0)
            narrow(s, (size_t)i, SMT_NO_LOW, floor_div(-rest, coefficient));
        else
            narrow(s, (size_t)i, -floor_div(-rest, -coefficient), SMT_NO_HIGH);
    next:;
    }
}

static void read_fact(settling *s, smt_t fact)
{
    switch (fact->kind) {
    case SMT_AND:
        for (uint32_t i = 0; i < fact->n_args; i++)
            read_fact(s, fact->args[i]);
        break;
    case SMT_LE:
        read_sum_le(s, fact->args[0], 1);
        break;
    case SMT_EQ:
        read_sum_le(s, fact->args[0], 1);
        read_sum_le(s, fact->args[0], -1);
        break;
    case SMT_NOT: /* not (sum <= 0): 1 - sum <= 0 */
        if (fact->args[0]->kind == SMT_LE)
            read_sum_le(s, smt_sub(s->ctx, fact->args[0]->args[0], smt_int_const(s->ctx, 1)), -1);
        break;
    default:
        break;
    }
}

/* ---- Rewriting the contract ---- */

typedef struct rewriting {
    smt_ctx *ctx;
    contract *c;
    size_t n;
    smt_t *from, *to;
} rewriting;

static void put_final(const rewriting *r, smt_t *term)
{
    if (*term)
        *term = smt_substitute(r->ctx, *term, r->n, r->from, r->to);
}

static void rewrite(rewriting *r, smt_t *term)
{
    if (!*term)
        return;
    for (size_t k = 0; k < r->n; k++)
        for (size_t i = 0; i < r->c->n_args; i++)
            if (r->c->ranges->params[i].provisional == r->from[k] &&
                smt_contains(*term, r->from[k]))
                r->c->args[i].constrained = true;
    put_final(r, term);
}

static void rewrite_contract(rewriting *r)
{
    contract *c = r->c;
    for (int axis = 0; axis < 3; axis++)
        rewrite(r, &c->grid[axis]);
    for (size_t i = 0; i < c->n_args; i++) {
        contract_arg *arg = &c->args[i];
        if (arg->spans)
            put_final(r, &arg->elements);
        else
            rewrite(r, &arg->elements);
        rewrite(r, &arg->offset);
        rewrite(r, &arg->contents.unique_when);
        rewrite(r, &arg->contents.min);
        rewrite(r, &arg->contents.max);
        rewrite(r, &arg->contents.regions);
    }
    for (ptrdiff_t i = 0; i < arrlen(c->facts); i++)
        rewrite(r, &c->facts[i].term);
}

static bool says_nothing_of_contents(const contract_contents *facts)
{
    return !facts->unique && !facts->increasing && !facts->min && !facts->max && !facts->n_tuple &&
           facts->prefix_sum_of < 0 && !facts->regions && !facts->values;
}

static bool says_nothing(const contract *c)
{
    bool nothing = arrlen(c->facts) == 0 && !c->grid[0] && !c->grid[1] && !c->grid[2];
    for (size_t i = 0; i < c->n_args && nothing; i++) {
        const contract_arg *arg = &c->args[i];
        nothing = !arg->constrained && !contract_stated_elements(arg) && !arg->offset &&
                  !arg->table && says_nothing_of_contents(&arg->contents);
    }
    return nothing;
}

/* Only the first contradiction is reported, since others may follow from it. */
static void contradicts(settling *s, const tr_place *place, const char *why)
{
    if (s->c->contradiction)
        return;
    s->c->contradiction = why;
    if (s->errors)
        tr_errors_add(s->errors, place, "The contract contradicts itself: %s.", why);
}

static void check_facts(settling *s)
{
    for (ptrdiff_t i = 0; i < arrlen(s->c->facts); i++) {
        const contract_fact *fact = &s->c->facts[i];
        if (smt_is_false(fact->term))
            contradicts(s, fact->place,
                        tr_arena_printf(smt_arena(s->ctx), "`%s` cannot hold",
                                        fact->text ? fact->text : "a fact"));
    }
}

/* "no value of `n` meets `n >= 5`, `n <= 3`": the facts that mention it, as they were written. */
static const char *no_value(const settling *s, size_t i)
{
    tr_arena *arena = smt_arena(s->ctx);
    const char *list = NULL;
    smt_t variable = s->c->ranges->params[i].provisional;
    for (ptrdiff_t k = 0; variable && k < arrlen(s->c->facts); k++) {
        const contract_fact *fact = &s->c->facts[k];
        if (fact->text && smt_contains(fact->term, variable))
            list = list ? tr_arena_printf(arena, "%s, `%s`", list, fact->text)
                        : tr_arena_printf(arena, "`%s`", fact->text);
    }
    return tr_arena_printf(arena, "no value of `%s` meets %s", name_of(s->ctx, s->c, i, ""),
                           list ? list : "it");
}

/* Final variable of every scalar. An empty range means contradicting facts: the type's range then
 * keeps the facts as terms, which are false together. */
static void make_final(settling *s)
{
    for (size_t i = 0; i < s->c->n_args; i++) {
        contract_range *range = &s->c->ranges->params[i];
        smt_int low = s->low[i], high = s->high[i];
        if (s->c->args[i].kind != CONTRACT_SCALAR)
            continue;
        if (low > high) {
            contradicts(s, s->c->args[i].place, no_value(s, i));
            contract_type_range(&s->c->args[i], &low, &high);
        }
        range->final = smt_var_of_range(s->ctx, name_of(s->ctx, s->c, i, ""), low, high);
    }
}

void contract_unstated_range(const contract_arg *arg, smt_int *low, smt_int *high)
{
    contract_type_range(arg, low, high);
    if (arg->kind == CONTRACT_SCALAR && arg->member.role == CONTRACT_ARRAY_EXTENT && *low < 0)
        *low = 0;
}

bool contract_settle_ranges(smt_ctx *ctx, contract *c, tr_errors *errors)
{
    tr_arena *arena = smt_arena(ctx);
    size_t n = c->n_args;
    settling s = {.ctx = ctx, .c = c, .errors = errors};
    rewriting r = {.ctx = ctx, .c = c};
    if (c->ranges->settled)
        return c->contradiction == NULL;
    s.low = TR_NEW_ARRAY(arena, smt_int, n + 1);
    s.high = TR_NEW_ARRAY(arena, smt_int, n + 1);
    r.from = TR_NEW_ARRAY(arena, smt_t, n + 1);
    r.to = TR_NEW_ARRAY(arena, smt_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        contract_unstated_range(&c->args[i], &s.low[i], &s.high[i]);
        c->args[i].constrained = false;
    }
    for (int round = 0; round < ROUNDS; round++) {
        s.changed = false;
        for (ptrdiff_t i = 0; i < arrlen(c->facts); i++)
            read_fact(&s, c->facts[i].term);
        if (!s.changed)
            break;
    }
    make_final(&s);
    for (size_t i = 0; i < n; i++) {
        contract_range *range = &c->ranges->params[i];
        if (range->provisional && range->final) {
            r.from[r.n] = range->provisional;
            r.to[r.n++] = range->final;
        }
    }
    c->ranges->settled = true;
    rewrite_contract(&r);
    c->says_nothing = says_nothing(c);
    check_facts(&s);
    return c->contradiction == NULL;
}

contract *contract_narrowed(smt_ctx *ctx, const contract *c, const smt_int *least)
{
    tr_arena *arena = smt_arena(ctx);
    contract *n = tr_arena_copy(arena, c, sizeof *c);
    rewriting r = {.ctx = ctx, .c = n};
    n->args = tr_arena_copy(arena, c->args, c->n_args * sizeof *c->args);
    n->ranges = contract_ranges_new(arena, c->n_args);
    n->ranges->settled = true;
    n->facts = NULL;
    for (ptrdiff_t i = 0; i < arrlen(c->facts); i++)
        arrput(n->facts, c->facts[i]);
    r.from = TR_NEW_ARRAY(arena, smt_t, c->n_args + 1);
    r.to = TR_NEW_ARRAY(arena, smt_t, c->n_args + 1);
    for (size_t i = 0; i < c->n_args; i++) {
        smt_t before = contract_param(ctx, c, i);
        n->ranges->params[i].final = before;
        if (c->args[i].kind != CONTRACT_SCALAR || least[i] <= before->low ||
            least[i] > before->high)
            continue;
        r.from[r.n] = before;
        r.to[r.n] = smt_var_of_range(ctx, name_of(ctx, c, i, ""), least[i], before->high);
        n->ranges->params[i].final = r.to[r.n++];
    }
    rewrite_contract(&r);
    return n;
}
