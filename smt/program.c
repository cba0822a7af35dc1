/* The simplex method for feasibility: every row has an unknown of its own, its value, which must
 * lie within bounds. A basic unknown that is out of its bounds changes places with one that can
 * bring it back; when none can, its row of the tableau names the rows that contradict each other
 * and how often each is to be taken.
 *
 * All that is done in doubles, so it proves nothing. The multipliers are then turned into whole
 * numbers m, and sum(m * row value) - sum(m * row) = 0, which holds whatever the unknowns are, is
 * evaluated over their ranges in exact arithmetic: an interval without 0 is the proof. */
#include "smt/program.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_ROWS = 160, MAX_COLUMNS = 160, MAX_PIVOTS = 150, CAREFUL_AFTER = 80, MAX_SCALINGS = 8 };

static const double tiny = 1e-9, largest_denominator = 4096;

typedef struct row {
    smt_t sum;
    bool is_equation;
    double scale; /* the tableau has the row divided by this */
} row;

typedef struct column {
    smt_t key; /* a summand */
    uint32_t value;
} column;

struct smt_program {
    row *rows;        /* stb_ds arrays */
    smt_t *terms;     /* of the columns */
    column *places;   /* stb_ds map */
    double *solution; /* stb_ds array: of the columns; empty: none found */
};

smt_program *smt_program_new(void)
{
    smt_program *program = calloc(1, sizeof *program);
    if (!program)
        abort();
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
    double most = 1;
    if (arrlenu(program->rows) >= MAX_ROWS)
        return;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_mono mono = smt_mono_at(sum, i);
        if (hmgeti(program->places, mono.term) < 0) {
            hmput(program->places, mono.term, (uint32_t)arrlenu(program->terms));
            arrput(program->terms, mono.term);
        }
        most = fmax(most, fabs((double)mono.coef));
    }
    arrput(program->rows, ((row){sum, is_equation, most}));
}

/* ---- Section: The tableau ---- */

/* Unknowns are numbered: columns first, then the rows' values. */
typedef struct tableau {
    size_t n, m;            /* columns, rows */
    double *at;             /* m times n: basic unknowns in terms of the others */
    double *low, *high;     /* of all unknowns */
    double *value;          /* of all */
    uint32_t *basic, *free; /* which unknown is of that row, of that column */
} tableau;

static double as_bound(smt_int bound)
{
    return bound <= SMT_NO_LOW ? -HUGE_VAL : bound >= SMT_NO_HIGH ? HUGE_VAL : (double)bound;
}

static double start_value(double low, double high)
{
    return low > 0 || (low > -HUGE_VAL && -low <= high) ? low : high < HUGE_VAL ? high : 0;
}

static void fill(tableau *t, smt_program *program)
{
    for (size_t j = 0; j < t->n; j++) {
        t->low[j] = as_bound(program->terms[j]->low);
        t->high[j] = as_bound(program->terms[j]->high);
        t->value[j] = start_value(t->low[j], t->high[j]);
        t->free[j] = (uint32_t)j;
    }
    for (size_t i = 0; i < t->m; i++) {
        const row *r = &program->rows[i];
        double constant = (double)smt_constant_part(r->sum) / r->scale, sum = 0;
        for (size_t k = 0; k < smt_n_monos(r->sum); k++) {
            smt_mono mono = smt_mono_at(r->sum, k);
            uint32_t j = hmget(program->places, mono.term);
            t->at[i * t->n + j] = (double)mono.coef / r->scale;
            sum += t->at[i * t->n + j] * t->value[j];
        }
        t->basic[i] = (uint32_t)(t->n + i);
        t->low[t->n + i] = r->is_equation ? -constant : -HUGE_VAL;
        t->high[t->n + i] = -constant;
        t->value[t->n + i] = sum;
    }
}

/* How far the unknown is out of its bounds: below them negative. */
static double excess(const tableau *t, uint32_t unknown)
{
    double value = t->value[unknown], slack = tiny * (1 + fabs(value));
    if (value < t->low[unknown] - slack)
        return value - t->low[unknown];
    return value > t->high[unknown] + slack ? value - t->high[unknown] : 0;
}

/* The row to mend: the worst, and later the first by number, which never goes round in circles. */
static bool pick_row(const tableau *t, bool careful, size_t *picked)
{
    double worst = 0;
    bool found = false;
    for (size_t i = 0; i < t->m; i++) {
        double size = fabs(excess(t, t->basic[i]));
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
        double weight = t->at[i * t->n + j];
        uint32_t unknown = t->free[j];
        if (fabs(weight) < tiny)
            continue;
        bool rise = (weight > 0) == up;
        if (rise ? t->value[unknown] >= t->high[unknown] : t->value[unknown] <= t->low[unknown])
            continue;
        if (!found || (careful ? unknown < t->free[*picked]
                               : fabs(weight) > fabs(t->at[i * t->n + *picked]))) {
            *picked = j;
            found = true;
        }
    }
    return found;
}

static void pivot(tableau *t, size_t i, size_t j)
{
    size_t n = t->n;
    double *own = t->at + i * n, weight = own[j];
    for (size_t k = 0; k < n; k++)
        own[k] = k == j ? 1 / weight : -own[k] / weight;
    for (size_t r = 0; r < t->m; r++) {
        double *other = t->at + r * n, factor = other[j];
        if (r == i || factor == 0)
            continue;
        other[j] = 0;
        for (size_t k = 0; k < n; k++) {
            other[k] += factor * own[k];
            if (fabs(other[k]) < tiny * 1e-3)
                other[k] = 0;
        }
    }
    uint32_t unknown = t->basic[i];
    t->basic[i] = t->free[j];
    t->free[j] = unknown;
}

static void move(tableau *t, size_t i, size_t j)
{
    uint32_t leaving = t->basic[i], entering = t->free[j];
    double away = excess(t, leaving);
    double step = -away / t->at[i * t->n + j];
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

/* The fraction nearest to the number with a small denominator; 0: none near enough. */
static long denominator_of(double number)
{
    double size = fabs(number), rest = size, before = 0, now = 1;
    for (int i = 0; i < 20; i++) {
        double whole = floor(rest), next;
        double error = fabs(size * now - nearbyint(size * now));
        if (error < 1e-7 * fmax(1, size * now))
            return (long)now;
        if (rest - whole < 1e-12)
            return 0;
        rest = 1 / (rest - whole);
        next = i == 0 ? floor(rest) : floor(rest) * now + before;
        before = now;
        now = next;
        if (now > largest_denominator)
            return 0;
    }
    return 0;
}

/* The multipliers as whole numbers, by the unit; false where they are none. */
static bool make_whole(size_t m, const double *multipliers, double unit, smt_int *whole)
{
    smt_int common = 1;
    for (size_t i = 0; i < m; i++) {
        long own = multipliers[i] == 0 ? 1 : denominator_of(multipliers[i] / unit);
        if (own == 0)
            return false;
        common = common / smt_gcd(common, own) * own;
        if (common > (smt_int)1 << 40)
            return false;
    }
    for (size_t i = 0; i < m; i++) {
        double number = nearbyint(multipliers[i] / unit * (double)common);
        if (fabs(number) > 1e18)
            return false;
        whole[i] = (smt_int)number;
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
    smt_int *sums = calloc(n + 1, sizeof *sums);
    bool ok = sums != NULL;
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

static bool prove(smt_program *program, const tableau *t, size_t conflict)
{
    size_t m = t->m, n = t->n, tried = 0;
    double *multipliers = calloc(m + 1, sizeof *multipliers);
    smt_int *whole = calloc(m + 1, sizeof *whole);
    bool proved = false;
    if (!multipliers || !whole)
        abort();
    if (t->basic[conflict] >= n)
        multipliers[t->basic[conflict] - n] = 1;
    for (size_t j = 0; j < n; j++)
        if (t->free[j] >= n && fabs(t->at[conflict * n + j]) >= tiny)
            multipliers[t->free[j] - n] = -t->at[conflict * n + j];
    for (size_t i = 0; i < m; i++)
        multipliers[i] /= program->rows[i].scale;
    for (size_t i = 0; i < m && !proved && tried < MAX_SCALINGS; i++) {
        if (multipliers[i] == 0)
            continue;
        tried++;
        proved =
            make_whole(m, multipliers, fabs(multipliers[i]), whole) && is_proof(program, whole);
    }
    free(multipliers);
    free(whole);
    return proved;
}

bool smt_program_is_infeasible(smt_program *program)
{
    size_t n = arrlenu(program->terms), m = arrlenu(program->rows), conflict = 0;
    arrsetlen(program->solution, 0);
    if (m == 0 || n == 0 || n > MAX_COLUMNS)
        return false;
    tableau t = {.n = n, .m = m};
    t.at = calloc(n * m, sizeof *t.at);
    t.low = calloc(3 * (n + m), sizeof *t.low);
    t.basic = calloc(n + m, sizeof *t.basic);
    if (!t.at || !t.low || !t.basic)
        abort();
    t.high = t.low + n + m;
    t.value = t.high + n + m;
    t.free = t.basic + m;
    fill(&t, program);
    outcome found = solve(&t, &conflict);
    bool infeasible = found == CONFLICT && prove(program, &t, conflict);
    for (size_t j = 0; j < n && found == SOLVED; j++)
        arrput(program->solution, t.value[j]);
    free(t.at);
    free(t.low);
    free(t.basic);
    return infeasible;
}

smt_t smt_program_fractional(smt_program *program, smt_int *below)
{
    const double near_whole = 1e-5, far = 1e15;
    for (size_t j = 0; j < arrlenu(program->solution); j++) {
        double value = program->solution[j];
        if (program->terms[j]->kind != SMT_VAR || fabs(value) > far ||
            fabs(value - nearbyint(value)) < near_whole)
            continue;
        *below = (smt_int)floor(value);
        return program->terms[j];
    }
    return NULL;
}
