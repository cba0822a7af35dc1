/* Small launches that meet a contract: a local search over the values of the parameters. */
#include "launch/search.h"

#include "launch/private.h"

#include <stdlib.h>

typedef struct unknown { /* a quantity that the search chooses */
    int param;           /* or -1 - axis: an extent of the grid that the contract leaves open */
    int64_t low, high;
    int64_t *candidates; /* stb_ds, ascending */
} unknown;

typedef struct derived { /* a parameter that an equation of the contract gives */
    size_t param;
    smt_t by; /* over parameters that are searched */
} derived;

typedef struct hunt {
    const ir_function *kernel;
    smt_ctx *ctx;
    binding b;
    int64_t *scalars;
    smt_t *facts;       /* stb_ds: the contract's, without derived parameters */
    derived *derived;   /* stb_ds */
    unknown *unknowns;  /* stb_ds */
    int64_t *constants; /* stb_ds: those of contract and kernel */
    uint64_t random;
    int64_t max_blocks, max_elements;
    bool *hangs;        /* stb_ds, by unknown, then fact: may_hang_on */
    bool *held;         /* stb_ds, by fact: look_at_facts */
    size_t evaluations; /* of facts, so far */
} hunt;

/* A contract of many facts over many parameters may have no small launch that a local search finds.
 * A count, not a clock: what is found must not depend on the machine. */
enum { MAX_EVALUATIONS = 300000 };

static int64_t *slot_of(hunt *h, const unknown *u)
{
    return u->param >= 0 ? &h->scalars[u->param] : &h->b.grid_values[-1 - u->param];
}

/* ---- Section: Candidate values ---- */

static void add_constant(hunt *h, smt_int value)
{
    if (value < 0)
        value = -value;
    if (value < 2 || value > 1 << 20)
        return;
    for (ptrdiff_t i = 0; i < arrlen(h->constants); i++)
        if (h->constants[i] == (int64_t)value)
            return;
    if (arrlen(h->constants) < 64)
        arrput(h->constants, (int64_t)value);
}

static void visit_term(void *user, smt_t term)
{
    hunt *h = user;
    if (term->kind == SMT_INT || term->kind == SMT_SUM)
        add_constant(h, term->value);
    for (uint32_t i = 0; term->kind == SMT_SUM && i < term->n_args; i++)
        add_constant(h, term->coefs[i]);
}

static void visit(hunt *h, smt_ctx *ctx, smt_t term)
{
    if (term)
        smt_visit(ctx, term, visit_term, h);
}

static void find_constants(hunt *h, smt_ctx *ctx, const contract *c)
{
    for (int axis = 0; axis < 3; axis++)
        visit(h, ctx, c->grid[axis]);
    for (ptrdiff_t i = 0; i < arrlen(c->facts); i++)
        visit(h, ctx, c->facts[i].term);
    for (size_t i = 0; i < c->n_args; i++)
        visit(h, ctx, c->args[i].elements);
    /* Tile extents: where the interesting sizes lie. */
    for (const ir_op *op = ir_first_op(h->kernel); op; op = ir_next_op(op))
        for (uint32_t r = 0; r < op->n_results; r++) {
            const ir_type *type = op->results[r].type;
            bool view = ir_type_is_tile_view(type);
            for (int d = 0; (view || type->kind == IR_TILE) && d < type->rank; d++)
                add_constant(h, type->shape[d]);
            for (int d = 0; view && type->kind == IR_STRIDED_VIEW && d < type->rank; d++)
                add_constant(h, type->traversal_strides[d]);
        }
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void add_candidate(unknown *u, int64_t value)
{
    if (value < u->low || value > u->high)
        return;
    for (ptrdiff_t i = 0; i < arrlen(u->candidates); i++)
        if (u->candidates[i] == value)
            return;
    arrput(u->candidates, value);
}

static void find_candidates(hunt *h, unknown *u)
{
    static const int64_t small[] = {0, 1, 2, 3, 4, 5, 7, 11, -1};
    for (size_t i = 0; i < TR_COUNT(small); i++)
        add_candidate(u, small[i]);
    for (int64_t near = 0; near < 3; near++) {
        if (u->low >= INT64_MIN / 2 && u->low <= INT64_MAX / 2)
            add_candidate(u, u->low + near);
        if ((uint64_t)u->high - (uint64_t)u->low < 1 << 12) /* a range may be that of its type */
            add_candidate(u, u->high - near);
    }
    for (ptrdiff_t i = 0; i < arrlen(h->constants) && u->param >= 0; i++)
        for (int64_t times = 1; times <= 4; times++)
            for (int64_t beside = -1; beside <= 1; beside++)
                if (h->constants[i] <= 4096)
                    add_candidate(u, h->constants[i] * times + beside);
    if (!arrlen(u->candidates))
        arrput(u->candidates, u->low);
    qsort(u->candidates, arrlenu(u->candidates), sizeof *u->candidates, ascending);
}

/* ---- Section: What equations give ---- */

/* `variable` from `sum = 0`, where it is a summand once; NULL: it is not. */
static smt_t solved_for(smt_ctx *ctx, smt_t sum, smt_t variable)
{
    smt_int coef = 0;
    for (uint32_t i = 0; sum->kind == SMT_SUM && i < sum->n_args; i++)
        if (sum->args[i] == variable)
            coef = sum->coefs[i];
    if (coef != 1 && coef != -1)
        return NULL;
    smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, variable, coef));
    return smt_contains(rest, variable) ? NULL : smt_scale(ctx, rest, -coef);
}

static void replace(hunt *h, smt_t variable, smt_t by)
{
    smt_t within = smt_bool_const(h->ctx, true);
    for (size_t i = 0; i < arrlenu(h->facts); i++)
        h->facts[i] = smt_instantiate(h->ctx, h->facts[i], 1, &variable, &by, &within);
    for (size_t i = 0; i < arrlenu(h->derived); i++)
        h->derived[i].by = smt_instantiate(h->ctx, h->derived[i].by, 1, &variable, &by, &within);
    arrput(h->facts, within);
}

/* The last parameter that the equation gives: extents and strides follow the sizes they are made
 * of. */
static void derive_by(hunt *h, smt_t fact, size_t n)
{
    for (size_t i = n; fact->kind == SMT_EQ && i-- > 0;) {
        smt_t by = h->b.params[i] ? solved_for(h->ctx, fact->args[0], h->b.params[i]) : NULL;
        if (!by)
            continue;
        replace(h, h->b.params[i], by);
        arrput(h->derived, ((derived){i, by}));
        return;
    }
}

/* The facts speak of a stated extent as it is stated: it has a value only after the parameters. */
static void find_derived(hunt *h, const contract *c)
{
    for (size_t i = 0; i < arrlenu(c->facts); i++)
        arrput(h->facts, c->facts[i].term);
    for (int axis = 0; axis < 3; axis++)
        if (c->grid[axis] && c->grid[axis] != h->b.grid[axis])
            replace(h, h->b.grid[axis], c->grid[axis]);
    for (size_t i = 0; i < arrlenu(c->facts); i++)
        derive_by(h, h->facts[i], c->n_args);
}

static bool is_derived(const hunt *h, size_t param)
{
    for (size_t i = 0; i < arrlenu(h->derived); i++)
        if (h->derived[i].param == param)
            return true;
    return false;
}

/* How many of them have no value. */
static size_t settle_derived(hunt *h)
{
    size_t wrong = 0;
    for (size_t i = 0; i < arrlenu(h->derived); i++)
        wrong += !binding_eval(&h->b, h->derived[i].by, &h->scalars[h->derived[i].param]);
    return wrong;
}

/* "grid.x": the contract names the extent and says nothing of it here. */
static bool is_open(const hunt *h, int axis)
{
    return h->b.contract->grid[axis] == h->b.grid[axis];
}

static void find_unknowns(hunt *h, const contract *c)
{
    for (size_t i = 0; i < c->n_args; i++) {
        if (!h->b.params[i] || is_derived(h, i))
            continue;
        smt_int low = h->b.params[i]->low, high = h->b.params[i]->high;
        unknown u = {.param = (int)i,
                     .low = low < INT64_MIN ? INT64_MIN : (int64_t)low,
                     .high = high > INT64_MAX ? INT64_MAX : (int64_t)high};
        if (u.low == u.high) { /* nothing is left to look for */
            h->scalars[i] = u.low;
            continue;
        }
        find_candidates(h, &u);
        arrput(h->unknowns, u);
    }
    bool stated = c->grid[0] || c->grid[1] || c->grid[2]; /* then missing axes are 1 */
    for (int axis = 0; axis < 3; axis++) {
        h->b.grid_values[axis] = 1;
        if (c->grid[axis] ? !is_open(h, axis) : stated || !concrete_axis_is_open(h->kernel, axis))
            continue;
        unknown u = {.param = -1 - axis, .low = 1, .high = h->max_blocks};
        find_candidates(h, &u);
        arrput(h->unknowns, u);
    }
}

/* ---- Section: The search ---- */

/* Fills the stated extents of the grid; false when one has no value or is not a grid's. */
static bool settle_grid(hunt *h)
{
    const contract *c = h->b.contract;
    for (int axis = 0; axis < 3; axis++) {
        int64_t extent = 0;
        if (!c->grid[axis] || is_open(h, axis))
            continue;
        h->b.grid_values[axis] = 1;
        if (!binding_eval(&h->b, c->grid[axis], &extent) || extent < 1 || extent >= 1 << 24)
            return false;
        h->b.grid_values[axis] = extent;
    }
    return true;
}

static bool holds(hunt *h, size_t fact)
{
    int64_t value;
    h->evaluations++;
    return binding_eval(&h->b, h->facts[fact], &value) && value;
}

/* May what the fact says change with that unknown? What follows from the unknowns is not followed
 * up: such a fact may change with any. */
static bool may_hang_on(const hunt *h, size_t fact, size_t of)
{
    const unknown *u = &h->unknowns[of];
    smt_t variable = u->param >= 0 ? h->b.params[u->param] : h->b.grid[-1 - u->param];
    bool may = smt_contains(h->facts[fact], variable);
    for (size_t i = 0; i < arrlenu(h->derived) && !may; i++)
        may = smt_contains(h->facts[fact], h->b.params[h->derived[i].param]);
    for (int axis = 0; axis < 3 && !may; axis++)
        may = h->b.contract->grid[axis] && !is_open(h, axis) &&
              smt_contains(h->facts[fact], h->b.grid[axis]);
    return may;
}

static void find_dependences(hunt *h)
{
    for (size_t u = 0; u < arrlenu(h->unknowns); u++)
        for (size_t i = 0; i < arrlenu(h->facts); i++)
            arrput(h->hangs, may_hang_on(h, i, u));
    arrsetlen(h->held, arrlenu(h->facts));
}

/* Finds which facts hold with the values that the unknowns have. */
static void look_at_facts(hunt *h)
{
    for (size_t i = 0; i < arrlenu(h->facts); i++) {
        int64_t value;
        h->held[i] = binding_eval(&h->b, h->facts[i], &value) && value;
    }
}

/* The violations that one unknown has no part in; those facts that it may have: *hanging. */
static size_t violations_beside(const hunt *h, size_t of, size_t **hanging)
{
    size_t n = 0, n_facts = arrlenu(h->facts);
    for (size_t i = 0; i < n_facts; i++) {
        if (h->hangs[of * n_facts + i])
            arrput(*hanging, i);
        else
            n += !h->held[i];
    }
    return n;
}

/* Counts as violations() does, where nothing but that unknown has changed since the facts were
 * looked at. */
static size_t violations_by(hunt *h, size_t beside, const size_t *hanging)
{
    size_t n = settle_derived(h) + !settle_grid(h) + beside;
    for (size_t i = 0; i < arrlenu(hanging); i++)
        n += !holds(h, hanging[i]);
    /* Facts that were skipped count as well, so that a search ends where it would without skipping.
     */
    h->evaluations += arrlenu(h->facts) - arrlenu(hanging);
    return n;
}

static size_t violations(hunt *h)
{
    size_t n = settle_derived(h) + !settle_grid(h);
    for (size_t i = 0; i < arrlenu(h->facts); i++)
        n += !holds(h, i);
    return n;
}

static bool mentions(const hunt *h, size_t fact, const unknown *u)
{
    smt_t variable = u->param >= 0 ? h->b.params[u->param] : h->b.grid[-1 - u->param];
    return smt_contains(h->facts[fact], variable);
}

static int64_t random_candidate(hunt *h, const unknown *u)
{
    /* Two draws, the smaller: most launches small, some not. */
    int64_t last = (int64_t)arrlen(u->candidates) - 1;
    int64_t a = random_between(&h->random, 0, last), b = random_between(&h->random, 0, last);
    return u->candidates[a < b ? a : b];
}

/* Changes one parameter of a violated fact to what leaves the fewest violations; values of other
 * parameters and their sums and products are tried too (`pitch == N`, `n == B * H`). */
static size_t improve(hunt *h, size_t now)
{
    size_t n_facts = arrlenu(h->facts), n = arrlenu(h->unknowns);
    if (!n)
        return now;
    size_t wrong = n_facts;
    look_at_facts(h);
    for (size_t k = 0, start = random_next(&h->random) % (n_facts + 1); k < n_facts; k++) {
        h->evaluations++;
        if (!h->held[(start + k) % n_facts]) {
            wrong = (start + k) % n_facts;
            break;
        }
    }
    const unknown *u = &h->unknowns[random_next(&h->random) % n];
    for (size_t tries = 0; wrong < n_facts && tries < 4 * n && !mentions(h, wrong, u); tries++)
        u = &h->unknowns[random_next(&h->random) % n];
    int64_t *slot = slot_of(h, u), best = *slot;
    int64_t *tried = NULL;
    for (ptrdiff_t i = 0; i < arrlen(u->candidates); i++)
        arrput(tried, u->candidates[i]);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a; b < n; b++) {
            int64_t x = *slot_of(h, &h->unknowns[a]), y = *slot_of(h, &h->unknowns[b]), mixed;
            if (a == b)
                arrput(tried, x);
            if (!__builtin_mul_overflow(x, y, &mixed))
                arrput(tried, mixed);
            if (!__builtin_add_overflow(x, y, &mixed))
                arrput(tried, mixed);
        }
    size_t *hanging = NULL, beside = violations_beside(h, (size_t)(u - h->unknowns), &hanging);
    size_t best_count = now, equal = 1;
    for (ptrdiff_t i = 0; i < arrlen(tried) && h->evaluations < MAX_EVALUATIONS; i++) {
        if (tried[i] < u->low || tried[i] > u->high)
            continue;
        *slot = tried[i];
        size_t count = violations_by(h, beside, hanging);
        bool as_good = count == best_count && random_next(&h->random) % ++equal == 0;
        if (count < best_count || as_good) {
            equal = count < best_count ? 1 : equal;
            best_count = count;
            best = tried[i];
        }
    }
    arrfree(tried);
    arrfree(hanging);
    *slot = best;
    return violations(h);
}

/* The launch that is given, one or two of its numbers drawn anew, larger more often than not. */
static void begin_near(hunt *h, const concrete_launch *near)
{
    size_t n = arrlenu(h->unknowns);
    memcpy(h->b.grid_values, near->grid, sizeof near->grid);
    for (size_t i = 0; i < near->n_args; i++)
        h->scalars[i] = near->args[i].value;
    for (int64_t drawn = random_between(&h->random, 1, 2); n && drawn > 0; drawn--) {
        const unknown *u = &h->unknowns[random_next(&h->random) % n];
        int64_t old = *slot_of(h, u), by[] = {1, 2, old, random_candidate(h, u)}, sum;
        size_t how = (size_t)random_between(&h->random, 0, 4);
        if (how == TR_COUNT(by))
            *slot_of(h, u) = random_candidate(h, u);
        else if (!__builtin_add_overflow(old, by[how], &sum) && sum >= u->low && sum <= u->high)
            *slot_of(h, u) = sum;
    }
}

static void begin_anywhere(hunt *h)
{
    for (ptrdiff_t i = 0; i < arrlen(h->unknowns); i++)
        *slot_of(h, &h->unknowns[i]) = random_candidate(h, &h->unknowns[i]);
}

static bool find_one(hunt *h, const concrete_launch *near)
{
    if (near)
        begin_near(h, near);
    else
        begin_anywhere(h);
    size_t wrong = violations(h);
    for (int round = 0; wrong && round < 60 && h->evaluations < MAX_EVALUATIONS; round++)
        wrong = improve(h, wrong);
    return wrong == 0;
}

/* How far the launch is beyond what is wanted; 1 or less: it is not. Buffers of an unknown extent
 * count nothing. */
static double excess(const hunt *h)
{
    const contract *c = h->b.contract;
    double blocks = 1, bytes = 0;
    for (int axis = 0; axis < 3; axis++)
        blocks *= (double)h->b.grid_values[axis];
    for (size_t i = 0; i < c->n_args; i++) {
        const ir_type *type = h->kernel->body->args[i]->type->elem;
        int64_t elements;
        if (type->kind == IR_POINTER && c->args[i].elements &&
            binding_eval(&h->b, c->args[i].elements, &elements) && elements > 0)
            bytes += (double)elements * ir_type_bytes(type->elem);
    }
    double of_blocks = blocks / (double)h->max_blocks,
           of_bytes = bytes / 4 / (double)h->max_elements;
    return of_blocks > of_bytes ? of_blocks : of_bytes;
}

/* A launch that meets the contract and is too large: its numbers are made smaller, one after the
 * other, as long as it still does. */
static void shrink(hunt *h)
{
    enum { ROUNDS = 200 };
    size_t n = arrlenu(h->unknowns);
    double now = excess(h);
    for (int round = 0; n && now > 1 && round < ROUNDS && h->evaluations < MAX_EVALUATIONS;
         round++) {
        const unknown *u = &h->unknowns[random_next(&h->random) % n];
        int64_t *slot = slot_of(h, u), old = *slot;
        *slot = random_candidate(h, u);
        double next = *slot != old && !violations(h) ? excess(h) : now;
        if (next < now) {
            now = next;
            continue;
        }
        *slot = old;
        violations(h); /* settles what follows from it */
    }
}

static bool small_enough(const concrete_launch *launch, int64_t max_blocks, int64_t max_elements)
{
    int64_t blocks = 1, bytes = 0;
    for (int axis = 0; axis < 3; axis++)
        if (__builtin_mul_overflow(blocks, launch->grid[axis], &blocks) || blocks > max_blocks)
            return false;
    for (size_t i = 0; i < launch->n_buffers; i++)
        if (__builtin_add_overflow(bytes, launch->buffers[i].bytes, &bytes) ||
            bytes / 4 > max_elements)
            return false;
    return true;
}

static bool same_launch(const concrete_launch *a, const concrete_launch *b)
{
    if (memcmp(a->grid, b->grid, sizeof a->grid))
        return false;
    for (size_t i = 0; i < a->n_args; i++)
        if (a->args[i].value != b->args[i].value)
            return false;
    return true;
}

/* Has a launch of this grid and these parameters been found? Asked before the launch is made, as
 * that takes far longer, and most tries over few parameters come to one that is there. */
static bool is_found(const hunt *h, const int64_t *taken)
{
    size_t n = 3 + h->b.contract->n_args;
    for (size_t at = 0; at < arrlenu(taken); at += n)
        if (!memcmp(&taken[at], h->b.grid_values, sizeof h->b.grid_values) &&
            !memcmp(&taken[at + 3], h->scalars, (n - 3) * sizeof *taken))
            return true;
    return false;
}

static void take_numbers(const hunt *h, int64_t **taken)
{
    size_t n = h->b.contract->n_args;
    int64_t *to = arraddnptr(*taken, 3 + n);
    memcpy(to, h->b.grid_values, sizeof h->b.grid_values);
    memcpy(to + 3, h->scalars, n * sizeof *to);
}

/* Is the pair of blocks that a race between blocks needs there? Launches of one block are kept, but
 * few of them. */
static bool is_single(const concrete_launch *launch)
{
    return launch->grid[0] == 1 && launch->grid[1] == 1 && launch->grid[2] == 1;
}

size_t concrete_enumerate_launches(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                   const contract *c, const interp_search *search,
                                   concrete_launch ***launches)
{
    size_t wanted = search && search->wanted ? search->wanted : 16;
    const concrete_launch *near = search ? search->near : NULL;
    hunt h = {.kernel = kernel,
              .ctx = ctx,
              .max_blocks = search && search->max_blocks ? search->max_blocks : 512,
              .max_elements = search && search->max_elements ? search->max_elements : 1 << 22,
              .random = search ? search->seed : 0};
    h.scalars = TR_NEW_ARRAY(arena, int64_t, c->n_args + 1);
    h.b = binding_make(arena, ctx, c, h.scalars);
    find_constants(&h, ctx, c);
    find_derived(&h, c);
    find_unknowns(&h, c);
    find_dependences(&h);
    concrete_launch **found = NULL;
    int64_t *taken = NULL; /* the numbers of those found */
    size_t singles = 0;
    for (size_t tries = 0; tries < 40 * wanted + 40 && arrlenu(found) < wanted &&
                           h.evaluations < MAX_EVALUATIONS && !smt_is_cut(ctx);
         tries++) {
        if (!find_one(&h, near))
            continue;
        if (tries >= 20 * wanted) /* small ones by themselves differ more */
            shrink(&h);
        interp_filling filling = {.seed = random_next(&h.random),
                                  .most_filled = search ? search->most_filled : 0,
                                  .near_zero = search && search->near_zero,
                                  .most_elements = h.max_elements};
        if (is_found(&h, taken))
            continue;
        concrete_launch *launch =
            concrete_launch_from(arena, ctx, kernel, c, h.b.grid_values, h.scalars, &filling, NULL);
        if (!launch || !small_enough(launch, h.max_blocks, h.max_elements) ||
            (near && same_launch(near, launch)) || (is_single(launch) && 4 * singles > wanted))
            continue;
        singles += is_single(launch);
        arrput(found, launch);
        take_numbers(&h, &taken);
    }
    arrfree(taken);
    size_t n = arrlenu(found);
    *launches = tr_arena_alloc(arena, sizeof **launches * (n + 1));
    if (n)
        memcpy(*launches, found, sizeof **launches * n);
    arrfree(found);
    for (ptrdiff_t i = 0; i < arrlen(h.unknowns); i++)
        arrfree(h.unknowns[i].candidates);
    arrfree(h.unknowns);
    arrfree(h.constants);
    arrfree(h.facts);
    arrfree(h.hangs);
    arrfree(h.held);
    arrfree(h.derived);
    return n;
}

size_t concrete_enumerate_of_any_size(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                      const contract *c, interp_search search,
                                      concrete_launch ***launches)
{
    enum { STATED_ELEMENTS_LOG = 50 };
    size_t n = concrete_enumerate_launches(arena, ctx, kernel, c, &search, launches);
    if (n > 0)
        return n;
    search.max_elements = (int64_t)1 << STATED_ELEMENTS_LOG;
    return concrete_enumerate_launches(arena, ctx, kernel, c, &search, launches);
}
