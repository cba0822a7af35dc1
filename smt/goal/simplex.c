/* The simplex method for feasibility: every row has an unknown of its own, its value, which must
 * lie within bounds. A basic unknown that is out of its bounds changes places with one that can
 * bring it back; when none can, its row of the tableau names the rows that contradict each other
 * and how often each is to be taken.
 *
 * All that is done in floating point, so it proves nothing: which rows take part is all that is
 * taken from it. Whole multipliers m for these are found anew, and sum(m * row value) - sum(m *
 * row) = 0, which holds whatever the unknowns are, is evaluated over their ranges in exact
 * arithmetic: an interval without 0 is the proof. */
#include "goal/simplex.h"

#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"

#include "base/ds.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_ROWS = 160,
    MAX_COLUMNS = 160,
    MAX_PIVOTS = 150,
    CAREFUL_AFTER = 80,
    MAX_TAKING_PART = 32
};

/* Contradictions by 1 are to be seen among products of numbers of 32 bits: a double does not hold
 * them. */
typedef long double real;

static const real tiny = 1e-9L, relatively_tiny = 1e-16L;

typedef struct row {
    smt_t sum;
    bool is_equation;
    real scale; /* the tableau has the row divided by this */
} row;

typedef struct column {
    smt_t key; /* a summand */
    uint32_t value;
} column;

struct smt_program {
    row *rows;      /* stb_ds arrays */
    smt_t *terms;   /* of the columns */
    column *places; /* stb_ds map */
    real *solution; /* stb_ds array: of the columns; empty: none found */
};

smt_program *smt_program_new(void)
{
    smt_program *program = calloc(1, sizeof *program);
    if (!program)
        tr_no_memory();
    return program;
}

void smt_program_free(smt_program *program)
{
    arrfree(program->rows);
    arrfree(program->terms);
    hmfree(program->places);
    arrfree(program->solution);
    free(program);
}

void smt_program_add(smt_program *program, smt_t sum, bool is_equation)
{
    real most = 1;
    if (arrlenu(program->rows) >= MAX_ROWS)
        return;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_mono mono = smt_mono_at(sum, i);
        if (hmgeti(program->places, mono.term) < 0) {
            hmput(program->places, mono.term, (uint32_t)arrlenu(program->terms));
            arrput(program->terms, mono.term);
        }
        most = fmaxl(most, fabsl((real)mono.coef));
    }
    arrput(program->rows, ((row){sum, is_equation, most}));
}

/* ---- Section: The tableau ---- */

/* Unknowns are numbered: columns first, then the rows' values. */
typedef struct tableau {
    smt_ctx *ctx;           /* that counts the steps */
    size_t n, m;            /* columns, rows */
    real *unit;             /* of a column: what the tableau counts it in */
    real *at;               /* m times n: basic unknowns in terms of the others */
    real *low, *high;       /* of all unknowns */
    real *value;            /* of all */
    uint32_t *basic, *free; /* which unknown is of that row, of that column */
} tableau;

static real as_bound(smt_int bound)
{
    return bound <= SMT_NO_LOW ? -HUGE_VALL : bound >= SMT_NO_HIGH ? HUGE_VALL : (real)bound;
}

static real start_value(real low, real high)
{
    return low > 0 || (low > -HUGE_VALL && -low <= high) ? low : high < HUGE_VALL ? high : 0;
}

/* A power of two, so that what is wide is not counted finer than what is narrow needs. */
static real unit_of(smt_t term)
{
    real width = as_bound(term->high) - as_bound(term->low);
    return width < 4 || width > 1e30L ? 1 : exp2l(floorl(log2l(width) / 2));
}

static void fill(tableau *t, smt_program *program)
{
    for (size_t j = 0; j < t->n; j++) {
        t->unit[j] = unit_of(program->terms[j]);
        t->low[j] = as_bound(program->terms[j]->low) / t->unit[j];
        t->high[j] = as_bound(program->terms[j]->high) / t->unit[j];
        t->value[j] = start_value(t->low[j], t->high[j]);
        t->free[j] = (uint32_t)j;
    }
    for (size_t i = 0; i < t->m; i++) {
        const row *r = &program->rows[i];
        real constant = (real)smt_constant_part(r->sum) / r->scale, sum = 0;
        for (size_t k = 0; k < smt_n_monos(r->sum); k++) {
            smt_mono mono = smt_mono_at(r->sum, k);
            uint32_t j = hmget(program->places, mono.term);
            t->at[i * t->n + j] = (real)mono.coef / r->scale * t->unit[j];
            sum += t->at[i * t->n + j] * t->value[j];
        }
        t->basic[i] = (uint32_t)(t->n + i);
        t->low[t->n + i] = r->is_equation ? -constant : -HUGE_VALL;
        t->high[t->n + i] = -constant;
        t->value[t->n + i] = sum;
    }
}

/* How far the unknown is out of its bounds: below them negative. */
static real excess(const tableau *t, uint32_t unknown)
{
    real value = t->value[unknown], slack = tiny + relatively_tiny * fabsl(value);
    if (value < t->low[unknown] - slack)
        return value - t->low[unknown];
    return value > t->high[unknown] + slack ? value - t->high[unknown] : 0;
}

/* The row to mend: the worst, and later the first by number, which never goes round in circles. */
static bool pick_row(const tableau *t, bool careful, size_t *picked)
{
    real worst = 0;
    bool found = false;
    for (size_t i = 0; i < t->m; i++) {
        real size = fabsl(excess(t, t->basic[i]));
        if (size == 0)
            continue;
        if (!found || (careful ? t->basic[i] < t->basic[*picked] : size > worst)) {
            worst = size;
            *picked = i;
            found = true;
        }
    }
    return found;
}

/* A column whose unknown can move so that the row's one goes up (or down). */
static bool pick_column(const tableau *t, size_t i, bool up, bool careful, size_t *picked)
{
    bool found = false;
    for (size_t j = 0; j < t->n; j++) {
        real weight = t->at[i * t->n + j];
        uint32_t unknown = t->free[j];
        if (fabsl(weight) < tiny)
            continue;
        bool rise = (weight > 0) == up;
        if (rise ? t->value[unknown] >= t->high[unknown] : t->value[unknown] <= t->low[unknown])
            continue;
        if (!found || (careful ? unknown < t->free[*picked]
                               : fabsl(weight) > fabsl(t->at[i * t->n + *picked]))) {
            *picked = j;
            found = true;
        }
    }
    return found;
}

static void pivot(tableau *t, size_t i, size_t j)
{
    size_t n = t->n;
    real *own = t->at + i * n, weight = own[j];
    for (size_t k = 0; k < n; k++)
        own[k] = k == j ? 1 / weight : -own[k] / weight;
    for (size_t r = 0; r < t->m; r++) {
        real *other = t->at + r * n, factor = other[j];
        if (r == i || factor == 0)
            continue;
        other[j] = 0;
        for (size_t k = 0; k < n; k++) {
            other[k] += factor * own[k];
            if (fabsl(other[k]) < tiny * 1e-3)
                other[k] = 0;
        }
    }
    uint32_t unknown = t->basic[i];
    t->basic[i] = t->free[j];
    t->free[j] = unknown;
}

static void move(tableau *t, size_t i, size_t j)
{
    enum { CELLS_A_TICK = 16 };
    smt_tick(t->ctx, t->n * t->m / CELLS_A_TICK);
    uint32_t leaving = t->basic[i], entering = t->free[j];
    real away = excess(t, leaving);
    real step = -away / t->at[i * t->n + j];
    t->value[entering] += step;
    for (size_t r = 0; r < t->m; r++)
        if (r != i)
            t->value[t->basic[r]] += t->at[r * t->n + j] * step;
    t->value[leaving] = away < 0 ? t->low[leaving] : t->high[leaving];
    pivot(t, i, j);
}

typedef enum outcome { SOLVED, CONFLICT, GIVEN_UP } outcome;

/* *conflict: the row that no column can mend. */
static outcome solve(tableau *t, size_t *conflict)
{
    for (int step = 0; step < MAX_PIVOTS; step++) {
        size_t entering = 0;
        bool careful = step >= CAREFUL_AFTER;
        if (!pick_row(t, careful, conflict))
            return SOLVED;
        bool up = excess(t, t->basic[*conflict]) < 0;
        if (!pick_column(t, *conflict, up, careful, &entering))
            return CONFLICT;
        move(t, *conflict, entering);
    }
    return GIVEN_UP;
}

/* ---- Section: The proof ---- */

/* Equations over the multipliers of the rows that take part: what the sums of rows must not have.
 */
typedef struct equations {
    size_t n;      /* unknowns */
    size_t used;   /* equations */
    smt_int *at;   /* used times n */
    int *pivot_of; /* by unknown: the equation that gives it, or -1 */
} equations;

static bool reduce(smt_int *equation, size_t n)
{
    smt_int g = 0;
    for (size_t k = 0; k < n; k++)
        g = smt_gcd(g, equation[k]);
    for (size_t k = 0; k < n && g > 1; k++)
        equation[k] /= g;
    return g != 0;
}

/* equation := equation * p - other * q, so that the unknown vanishes from it. */
static bool eliminate(smt_int *equation, const smt_int *other, size_t n, size_t unknown)
{
    smt_int p = other[unknown], q = equation[unknown];
    for (size_t k = 0; k < n; k++) {
        smt_int first, second;
        if (!smt_safe_mul(equation[k], p, &first) || !smt_safe_mul(other[k], -q, &second) ||
            !smt_safe_add(first, second, &equation[k]))
            return false;
    }
    reduce(equation, n);
    return true;
}

/* Adds one more, unless those before say it already. False where numbers become too large. */
static bool add_equation(equations *e)
{
    smt_int *own = e->at + e->used * e->n;
    for (size_t k = 0; k < e->n; k++)
        if (own[k] != 0 && e->pivot_of[k] >= 0 &&
            !eliminate(own, e->at + (size_t)e->pivot_of[k] * e->n, e->n, k))
            return false;
    size_t pivot = 0;
    while (pivot < e->n && own[pivot] == 0)
        pivot++;
    if (pivot == e->n || !reduce(own, e->n))
        return true;
    for (size_t i = 0; i < e->used; i++)
        if (e->at[i * e->n + pivot] != 0 && !eliminate(e->at + i * e->n, own, e->n, pivot))
            return false;
    e->pivot_of[pivot] = (int)e->used++;
    return true;
}

/* The multipliers, where the equations leave one choice of them but for a factor. */
static bool solve_exactly(const equations *e, smt_int *multipliers)
{
    size_t open = e->n;
    smt_int common = 1;
    for (size_t k = 0; k < e->n; k++) {
        if (e->pivot_of[k] < 0 && open < e->n)
            return false;
        if (e->pivot_of[k] < 0) {
            open = k;
            continue;
        }
        smt_int own = e->at[(size_t)e->pivot_of[k] * e->n + k], size = own < 0 ? -own : own;
        if (!smt_safe_mul(common / smt_gcd(common, size), size, &common))
            return false;
    }
    if (open == e->n)
        return false;
    for (size_t k = 0; k < e->n; k++) {
        multipliers[k] = common;
        if (k == open)
            continue;
        const smt_int *own = e->at + (size_t)e->pivot_of[k] * e->n;
        if (!smt_safe_mul(-own[open], common / own[k], &multipliers[k]))
            return false;
    }
    return true;
}

/* Adds m times the row to the sums, and what m times the row's value can be to the total. */
static bool add_row(smt_program *program, const row *r, smt_int m, smt_int *sums, smt_range *total)
{
    smt_range value = {SMT_NO_LOW, -smt_constant_part(r->sum)};
    if (r->is_equation)
        value.low = value.high;
    *total = smt_range_add(*total, smt_range_scale(value, m));
    for (size_t k = 0; k < smt_n_monos(r->sum); k++) {
        smt_mono mono = smt_mono_at(r->sum, k);
        smt_int product, *sum = &sums[hmget(program->places, mono.term)];
        if (!smt_safe_mul(mono.coef, m, &product) || !smt_safe_add(*sum, product, sum))
            return false;
    }
    return true;
}

/* Do the rows, taken so many times, contradict each other? Exact. */
static bool is_proof(smt_program *program, const smt_int *whole)
{
    size_t n = arrlenu(program->terms);
    smt_range total = {0, 0};
    smt_int *sums = tr_allocate_zeroed(n + 1, sizeof *sums);
    bool ok = true;
    for (size_t i = 0; i < arrlenu(program->rows) && ok; i++)
        if (whole[i] != 0)
            ok = add_row(program, &program->rows[i], whole[i], sums, &total);
    for (size_t j = 0; j < n && ok; j++)
        if (sums[j] != 0)
            total =
                smt_range_add(total, smt_range_scale(smt_range_of(program->terms[j]), -sums[j]));
    free(sums);
    return ok && (total.low > 0 || total.high < 0);
}

/* Must the sum of the rows be without this column? It may stay where the conflict rests on a bound
 * of it. */
static bool must_vanish(const tableau *t, size_t conflict, size_t place)
{
    if (t->basic[conflict] == place)
        return false;
    for (size_t j = 0; j < t->n; j++)
        if (t->free[j] == place)
            return fabsl(t->at[conflict * t->n + j]) < tiny;
    return true;
}

static smt_int coefficient_of(smt_t sum, smt_t term)
{
    for (size_t i = 0; i < smt_n_monos(sum); i++)
        if (smt_mono_at(sum, i).term == term)
            return smt_mono_at(sum, i).coef;
    return 0;
}

/* The rows that the conflict names; 0: too many. */
static size_t find_taking_part(const tableau *t, size_t conflict, size_t *rows)
{
    size_t count = 0;
    if (t->basic[conflict] >= t->n)
        rows[count++] = t->basic[conflict] - t->n;
    for (size_t j = 0; j < t->n; j++) {
        if (t->free[j] < t->n || fabsl(t->at[conflict * t->n + j]) < tiny)
            continue;
        if (count == MAX_TAKING_PART)
            return 0;
        rows[count++] = t->free[j] - t->n;
    }
    return count;
}

static bool prove(smt_program *program, const tableau *t, size_t conflict)
{
    size_t rows[MAX_TAKING_PART], n = find_taking_part(t, conflict, rows);
    smt_int multipliers[MAX_TAKING_PART];
    int pivot_of[MAX_TAKING_PART];
    equations e = {n, 0, tr_allocate_zeroed((n + 1) * (n + 1), sizeof *e.at), pivot_of};
    bool ok = true;
    for (size_t k = 0; k < n; k++)
        pivot_of[k] = -1;
    for (size_t j = 0; j < t->n && ok; j++) {
        bool any = false;
        for (size_t k = 0; k < n; k++) {
            e.at[e.used * n + k] = coefficient_of(program->rows[rows[k]].sum, program->terms[j]);
            any |= e.at[e.used * n + k] != 0;
        }
        ok = !any || !must_vanish(t, conflict, j) || add_equation(&e);
    }
    ok = ok && solve_exactly(&e, multipliers);
    free(e.at);
    smt_int *whole = tr_allocate_zeroed(t->m + 1, sizeof *whole);
    for (size_t k = 0; k < n && ok; k++)
        whole[rows[k]] = multipliers[k];
    ok = ok && is_proof(program, whole);
    free(whole);
    return ok;
}

bool smt_program_is_infeasible(smt_program *program)
{
    size_t n = arrlenu(program->terms), m = arrlenu(program->rows), conflict = 0;
    arrsetlen(program->solution, 0);
    if (m == 0 || n == 0 || n > MAX_COLUMNS)
        return false;
    tableau t = {.ctx = smt_node_of(program->terms[0])->ctx, .n = n, .m = m};
    t.at = calloc(n * m, sizeof *t.at);
    t.low = calloc(3 * (n + m) + n, sizeof *t.low);
    t.basic = calloc(n + m, sizeof *t.basic);
    if (!t.at || !t.low || !t.basic)
        tr_no_memory();
    t.high = t.low + n + m;
    t.value = t.high + n + m;
    t.unit = t.value + n + m;
    t.free = t.basic + m;
    fill(&t, program);
    outcome found = solve(&t, &conflict);
    bool infeasible = found == CONFLICT && prove(program, &t, conflict);
    for (size_t j = 0; j < n && found == SOLVED; j++)
        arrput(program->solution, t.value[j] * t.unit[j]);
    free(t.at);
    free(t.low);
    free(t.basic);
    return infeasible;
}

smt_t smt_program_fractional(smt_program *program, smt_int *below)
{
    const real near_whole = 1e-5, far = 1e15;
    for (size_t j = 0; j < arrlenu(program->solution); j++) {
        real value = program->solution[j];
        if (program->terms[j]->kind != SMT_VAR || fabsl(value) > far ||
            fabsl(value - nearbyintl(value)) < near_whole)
            continue;
        *below = (smt_int)floorl(value);
        return program->terms[j];
    }
    return NULL;
}
