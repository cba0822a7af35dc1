#include "grammar.h"

#include "base/ds.h"

/* ---- Expressions ---- */

static bool is_small(uint16_t e) /* the same for all events of a launch */
{
    return e >= LEAF_P && e < N_LEAVES;
}

static uint16_t add_expr(grammar *g, expr_op op, uint16_t a, uint16_t b)
{
    expr made = {(uint8_t)op, (uint8_t)(g->exprs[a].reads | g->exprs[b].reads), a, b};
    arrput(g->exprs, made);
    return (uint16_t)(arrlenu(g->exprs) - 1);
}

static bool tells_events_apart(const grammar *g, uint16_t e)
{
    const expr *node = &g->exprs[e];
    if (node->op == EXPR_LEAF)
        return node->a <= LEAF_I;
    return tells_events_apart(g, node->a) || tells_events_apart(g, node->b);
}

/* All ops on a pair in which some block id or the counter occurs. */
static void add_pair(grammar *g, uint16_t a, uint16_t b, bool sums_only)
{
    if (!tells_events_apart(g, a) && !tells_events_apart(g, b))
        return;
    for (expr_op op = EXPR_ADD; op < EXPR_DIV; op++)
        if (!sums_only || op == EXPR_ADD)
            add_expr(g, op, a, b);
}

static void add_division(grammar *g, uint16_t a, uint16_t by)
{
    static const expr_op ops[] = {EXPR_DIV, EXPR_MOD};
    for (size_t k = 0; k < TR_COUNT(ops); k++)
        if (tells_events_apart(g, a) &&
            (by == LEAF_P || by == LEAF_G || by == LEAF_2 || by == LEAF_3))
            add_expr(g, ops[k], a, by);
}

typedef struct levels { /* where expressions of one op, of two, and sums of two of one op begin */
    uint16_t one, two, sums, end;
} levels;

static levels make_exprs(grammar *g)
{
    levels at;
    for (leaf l = 0; l < N_LEAVES; l++) {
        expr made = {EXPR_LEAF,
                     (uint8_t)(l <= LEAF_P   ? 1 << l
                               : l == LEAF_G ? READS_X
                                             : 0),
                     (uint16_t)l, 0};
        arrput(g->exprs, made);
    }
    at.one = (uint16_t)arrlenu(g->exprs);
    for (uint16_t a = 0; a < LEAF_0; a++)
        for (uint16_t b = a; b < LEAF_0; b++) {
            add_pair(g, a, b, false);
            add_division(g, a, b);
        }
    at.two = (uint16_t)arrlenu(g->exprs);
    for (uint16_t a = at.one; a < at.two; a++) {
        for (uint16_t b = 0; b < LEAF_0; b++) {
            add_pair(g, a, b, false);
            add_division(g, a, b);
        }
    }
    at.sums = (uint16_t)arrlenu(g->exprs);
    for (uint16_t a = at.one; a < at.two; a++)
        for (uint16_t b = a; b < at.two; b++)
            add_pair(g, a, b, true);
    at.end = (uint16_t)arrlenu(g->exprs);
    return at;
}

/* ---- Kernels ---- */

static void add_loops(grammar *g, shape s, bool tokens)
{
    if (!(shape_reads(g, &s) & READS_I)) {
        s.trip = TRIP_NO_LOOP;
        arrput(g->shapes, s);
        return;
    }
    for (s.trip = TRIP_3; s.trip <= TRIP_P; s.trip++) {
        s.tokens = TOKENS_CHAINED;
        arrput(g->shapes, s);
    }
    s.trip = TRIP_P;
    s.tokens = TOKENS_NONE;
    if (tokens)
        arrput(g->shapes, s);
}

static void add_one_access(grammar *g, const levels *at)
{
    for (uint16_t e = 0; e < at->end; e++) {
        if (!tells_events_apart(g, e))
            continue;
        shape s = {.family = ONE_ACCESS, .first = e};
        add_loops(g, s, e < at->sums);
        s.mask = MASK_X_BELOW_P;
        if (e < at->sums)
            add_loops(g, s, false);
        s.mask = MASK_INDEX_BELOW_P;
        if (e < at->sums)
            add_loops(g, s, false);
    }
}

/* a * p + b where b < p: two digits of a number. */
static void add_digits(grammar *g, const levels *at)
{
    for (uint16_t a = 0; a < at->two; a++) {
        if (!tells_events_apart(g, a))
            continue;
        uint16_t high = add_expr(g, EXPR_MUL, a, LEAF_P);
        for (uint16_t b = 0; b < at->two; b++) {
            shape s = {.family = ONE_ACCESS, .mask = MASK_DIGIT_BELOW_P};
            s.first = add_expr(g, EXPR_ADD, high, b);
            s.trip = shape_reads(g, &s) & READS_I ? TRIP_3 : TRIP_NO_LOOP;
            arrput(g->shapes, s);
        }
    }
}

static void add_two_accesses(grammar *g, const levels *at)
{
    for (uint16_t a = 0; a < at->two; a++)
        for (uint16_t b = 0; b < at->two; b++)
            for (int stores = 0; stores < 2; stores++) {
                if ((stores && b < a) || is_small(a))
                    continue;
                shape s = {
                    .family = TWO_ACCESSES, .first = a, .second = b, .second_stores = stores != 0};
                add_loops(g, s, true);
                s.mask = MASK_X_BELOW_P;
                add_loops(g, s, false);
                s.mask = MASK_NONE;
                s.trip = shape_reads(g, &s) & READS_I ? TRIP_P : TRIP_NO_LOOP;
                s.tokens = s.trip ? TOKENS_IN_ITERATION : TOKENS_NONE;
                arrput(g->shapes, s);
            }
}

static void add_flagged(grammar *g)
{
    static const leaf plain[] = {LEAF_X, LEAF_Y, LEAF_P, LEAF_0, LEAF_1};
    static const struct {
        expr_op op;
        leaf a, b;
    } made[] = {{EXPR_ADD, LEAF_X, LEAF_Y}, {EXPR_MUL, LEAF_X, LEAF_P}, {EXPR_ADD, LEAF_Y, LEAF_1},
                {EXPR_MUL, LEAF_Y, LEAF_P}, {EXPR_MOD, LEAF_Y, LEAF_2}, {EXPR_DIV, LEAF_X, LEAF_2}};
    uint16_t data[TR_COUNT(plain) + TR_COUNT(made)];
    size_t n = 0;
    for (size_t k = 0; k < TR_COUNT(plain); k++)
        data[n++] = (uint16_t)plain[k];
    for (size_t k = 0; k < TR_COUNT(made); k++)
        data[n++] = add_expr(g, made[k].op, (uint16_t)made[k].a, (uint16_t)made[k].b);
    const uint16_t flags[] = {LEAF_0, LEAF_Y, LEAF_X, data[5], data[9], LEAF_P};
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            for (size_t f = 0; f < TR_COUNT(flags) * TR_COUNT(flags); f++)
                for (uint8_t way = WAIT_SPIN; way <= WAIT_NO_TOKEN; way++) {
                    shape s = {.family = FLAGGED,
                               .first = data[a],
                               .second = data[b],
                               .set = flags[f % TR_COUNT(flags)],
                               .awaited = flags[f / TR_COUNT(flags)],
                               .waiting = way,
                               .second_stores = (a + b + f) % 3 == 0};
                    arrput(g->shapes, s);
                }
}

grammar grammar_make(void)
{
    grammar g = {0};
    levels at = make_exprs(&g);
    add_one_access(&g, &at);
    add_digits(&g, &at);
    add_two_accesses(&g, &at);
    add_flagged(&g);
    return g;
}

void grammar_free(grammar *g)
{
    arrfree(g->exprs);
    arrfree(g->shapes);
}

int64_t expr_value(const grammar *g, uint16_t e, const point *at)
{
    const expr *node = &g->exprs[e];
    if (node->op == EXPR_LEAF) {
        const int64_t values[N_LEAVES] = {at->x, at->y, at->i, at->p, at->grid_x, 1, 2, 3, 0};
        return values[node->a];
    }
    int64_t a = expr_value(g, node->a, at), b = expr_value(g, node->b, at);
    switch (node->op) {
#define X(name, text, value)                                                                       \
    case EXPR_##name:                                                                              \
        return value;
        OPS(X)
#undef X
    default:
        return 0;
    }
}

uint16_t shape_masked(const grammar *g, const shape *s, uint16_t index)
{
    return s->mask == MASK_X_BELOW_P       ? (uint16_t)LEAF_X
           : s->mask == MASK_DIGIT_BELOW_P ? g->exprs[index].b
                                           : index;
}

unsigned shape_reads(const grammar *g, const shape *s)
{
    unsigned reads = g->exprs[s->first].reads;
    if (s->family != ONE_ACCESS)
        reads |= g->exprs[s->second].reads;
    if (s->family == FLAGGED)
        reads |= g->exprs[s->set].reads | g->exprs[s->awaited].reads | READS_X;
    if (s->mask == MASK_X_BELOW_P)
        reads |= READS_X | READS_P;
    if (s->mask >= MASK_INDEX_BELOW_P || s->trip == TRIP_P)
        reads |= READS_P;
    return reads;
}

/* ---- Text ---- */

static void print_expr(tr_text *out, const grammar *g, uint16_t e)
{
    static const char *const leaves[N_LEAVES] = {"bx", "by", "i", "p", "gx", "1", "2", "3", "0"};
    static const char *const ops[] = {"",
#define X(name, text, value) text,
                                      OPS(X)
#undef X
    };
    const expr *node = &g->exprs[e];
    if (node->op == EXPR_LEAF) {
        tr_text_add(out, leaves[node->a]);
        return;
    }
    bool call = node->op == EXPR_MIN;
    tr_text_add(out, call ? "tile_min(" : "(");
    print_expr(out, g, node->a);
    tr_text_addf(out, call ? ", " : " %s ", ops[node->op]);
    print_expr(out, g, node->b);
    tr_text_add(out, ")");
}

static void print_access(tr_text *out, const grammar *g, const shape *s, uint16_t at, bool stores,
                         bool masked)
{
    tr_text_add(out, "        ");
    if (masked && s->mask) {
        tr_text_add(out, "if (");
        print_expr(out, g, shape_masked(g, s, at));
        tr_text_add(out, " < p) ");
    }
    tr_text_add(out, stores ? "x[" : "z[0] = x[");
    print_expr(out, g, at);
    tr_text_add(out, stores ? "] = 0;\n" : "]; /* the load alone */\n");
}

static void print_flagged(tr_text *out, const grammar *g, const shape *s)
{
    static const char *const ways[] = {"spin", "looks once", "relaxed store of the flag",
                                       "no token from the acquire"};
    tr_text_addf(out, "    tile_contents(f, 0, 0); /* %s */\n    if (bx == 0) {\n",
                 ways[s->waiting]);
    print_access(out, g, s, s->first, true, false);
    tr_text_add(out, "        tile_store_ptr_at(tile_pointers(f, ");
    print_expr(out, g, s->set);
    tr_text_add(out, "), 1, TILE_RELEASE, TILE_DEVICE);\n    } else {\n        while "
                     "(tile_to_int(tile_load_ptr_at(tile_pointers(f, ");
    print_expr(out, g, s->awaited);
    tr_text_add(out, "), TILE_ACQUIRE, TILE_DEVICE)) == 0) ;\n");
    print_access(out, g, s, s->second, s->second_stores, false);
    tr_text_add(out, "    }\n");
}

void shape_print(tr_text *out, const grammar *g, const shape *s)
{
    static const char *const tokens[] = {"chained", "within an iteration", "none"};
    tr_text_add(out, "#include <tile.h>\n\ntile_kernel void k(int p, float *restrict x, "
                     "int *restrict f, float *restrict z)\n{\n    tile_assume(p >= 1);\n"
                     "    int bx = tile_bid(0), by = tile_bid(1), gx = tile_grid_extent(0);\n");
    if (s->family == FLAGGED) {
        print_flagged(out, g, s);
    } else {
        if (s->trip)
            tr_text_addf(out, "    for (int i = 0; i < %s; i++) { /* tokens: %s */\n",
                         s->trip == TRIP_P ? "p" : "3", tokens[s->tokens]);
        else
            tr_text_addf(out, "    { /* tokens: %s */\n", tokens[s->tokens]);
        print_access(out, g, s, s->first, true, s->family == ONE_ACCESS);
        if (s->family == TWO_ACCESSES)
            print_access(out, g, s, s->second, s->second_stores, true);
        tr_text_add(out, "    }\n");
    }
    tr_text_add(out, "}\n");
}
