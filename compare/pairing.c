/* Finds which parameter of one kernel is which of the other. */
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "compare/private.h"

typedef enum parameter_kind { NUMBER, FLOATING, ARRAY } parameter_kind;

static parameter_kind kind_of(const compare_side *side, size_t i)
{
    const ir_type *elem = side->function->body->args[i]->type->elem;
    return elem->kind == IR_POINTER ? ARRAY : ir_type_is_float(elem) ? FLOATING : NUMBER;
}

static size_t count(const compare_side *side)
{
    return side->function->body->n_args;
}

static const char *name_of(const compare_side *side, size_t i)
{
    const char *name = side->kernel->contract->args[i].name;
    return name ? name : side->function->body->args[i]->name;
}

static void join(comparing *c, size_t a, size_t b)
{
    c->match.other[COMPARE_A][a] = (int)b;
    c->match.other[COMPARE_B][b] = (int)a;
}

static bool is_free(const comparing *c, int side, size_t i)
{
    return c->match.other[side][i] < 0;
}

static void match_names(comparing *c)
{
    const compare_side *a = &c->side[COMPARE_A], *b = &c->side[COMPARE_B];
    for (size_t i = 0; i < count(a); i++)
        for (size_t k = 0; k < count(b); k++) {
            const char *names[2] = {name_of(a, i), name_of(b, k)};
            if (names[0] && names[1] && strcmp(names[0], names[1]) == 0 && is_free(c, 0, i) &&
                is_free(c, 1, k) && kind_of(a, i) == kind_of(b, k))
                join(c, i, k);
        }
}

/* Number `which` of the parameters of that kind that are not matched yet; or the number of all. */
static size_t nth_free(const comparing *c, int side, parameter_kind kind, size_t which)
{
    const compare_side *s = &c->side[side];
    size_t i = 0;
    for (; i < count(s); i++)
        if (kind_of(s, i) == kind && is_free(c, side, i) && which-- == 0)
            break;
    return i;
}

static size_t count_free(const comparing *c, int side, parameter_kind kind)
{
    size_t n = 0;
    while (nth_free(c, side, kind, n) < count(&c->side[side]))
        n++;
    return n;
}

/* Parameters that have no counterpart by name are matched by their position among their kind, where
 * both kernels have as many of them left. */
static void match_rest(comparing *c)
{
    for (int kind = NUMBER; kind <= ARRAY; kind++) {
        size_t n = count_free(c, COMPARE_A, (parameter_kind)kind);
        if (n != count_free(c, COMPARE_B, (parameter_kind)kind))
            continue;
        while (n-- > 0)
            join(c, nth_free(c, COMPARE_A, (parameter_kind)kind, 0),
                 nth_free(c, COMPARE_B, (parameter_kind)kind, 0));
    }
}

static bool match_positions(comparing *c, const char **why)
{
    const compare_side *a = &c->side[COMPARE_A], *b = &c->side[COMPARE_B];
    for (size_t i = 0; i < count(a) && i < count(b); i++) {
        if (kind_of(a, i) != kind_of(b, i)) {
            *why =
                tr_arena_printf(c->s->arena,
                                "parameter %zu is an array in one of the two and a number in the "
                                "other: they cannot be matched by position",
                                i + 1);
            return false;
        }
        join(c, i, i);
    }
    return true;
}

static bool match(comparing *c, const char **why)
{
    const char *how = c->s->options->match ? c->s->options->match : "auto";
    if (strcmp(how, "position") == 0)
        return match_positions(c, why);
    match_names(c);
    if (strcmp(how, "auto") == 0)
        match_rest(c);
    return true;
}

/* ---- What each accesses ---- */

static void take_accesses(comparing *c, compare_side *side)
{
    const summary *s = side->summary;
    side->reads = TR_NEW_ARRAY(c->arena, bool, count(side) + 1);
    side->writes = TR_NEW_ARRAY(c->arena, bool, count(side) + 1);
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *access = &s->accesses[i];
        for (size_t arg = 0; arg < count(side); arg++) {
            bool is_any = access->arg < 0 && access->allocation < 0;
            if (kind_of(side, arg) != ARRAY || (access->arg != (int)arg && !is_any))
                continue;
            side->reads[arg] |= access->reads || access->atomic;
            side->writes[arg] |= access->writes || access->atomic;
        }
    }
}

/* ---- Layouts ---- */

/* "1,0" as axes; false: it is no permutation. */
static bool read_axes(const char *words, int *axes, int *rank)
{
    bool seen[IR_MAX_RANK] = {false};
    int n = 0;
    for (char *end; *words; words = *end == ',' ? end + 1 : end) {
        long axis = strtol(words, &end, 10);
        if (end == words || n == IR_MAX_RANK || axis < 0 || axis >= IR_MAX_RANK || seen[axis] ||
            (*end && *end != ','))
            return false;
        seen[axis] = true;
        axes[n++] = (int)axis;
    }
    for (int i = 0; i < n; i++)
        if (!seen[i])
            return false;
    *rank = n;
    return n > 1;
}

static bool permute(comparing *c, const char *words, const char **why)
{
    const char *equals = strchr(words, '=');
    int *axes = TR_NEW_ARRAY(c->s->arena, int, IR_MAX_RANK), rank = 0;
    if (!equals || !read_axes(equals + 1, axes, &rank)) {
        *why = tr_arena_printf(c->s->arena, "--permute is NAME=AXES, say b=1,0, not '%s'", words);
        return false;
    }
    size_t length = (size_t)(equals - words);
    for (size_t i = 0; i < c->match.n_arrays; i++) {
        const char *name = name_of(&c->side[COMPARE_B], (size_t)c->match.arrays[i][COMPARE_B]);
        if (!name || strlen(name) != length || strncmp(name, words, length) != 0)
            continue;
        c->match.axes[i] = axes;
        c->match.rank[i] = rank;
        return true;
    }
    *why = tr_arena_printf(c->s->arena,
                           "--permute names '%.*s', which is not an array of both kernels",
                           (int)length, words);
    return false;
}

/* ---- The whole ---- */

static void pair_arrays(comparing *c)
{
    const compare_side *a = &c->side[COMPARE_A], *b = &c->side[COMPARE_B];
    compare_match *m = &c->match;
    m->arrays = tr_arena_alloc(c->arena, (count(a) + 1) * sizeof *m->arrays);
    m->axes = TR_NEW_ARRAY(c->arena, const int *, count(a) + 1);
    m->rank = TR_NEW_ARRAY(c->arena, int, count(a) + 1);
    m->starts_zero = TR_NEW_ARRAY(c->arena, bool, count(a) + 1);
    for (size_t i = 0; i < count(a); i++) {
        if (kind_of(a, i) != ARRAY || is_free(c, COMPARE_A, i))
            continue;
        size_t k = (size_t)m->other[COMPARE_A][i], at = m->n_arrays++;
        m->arrays[at][COMPARE_A] = (int)i;
        m->arrays[at][COMPARE_B] = (int)k;
        m->starts_zero[at] = (a->writes[i] || b->writes[k]) && a->reads[i] != b->reads[k];
    }
}

static void tell(comparing *c)
{
    const compare_side *a = &c->side[COMPARE_A], *b = &c->side[COMPARE_B];
    const compare_match *m = &c->match;
    size_t pair = 0;
    for (size_t i = 0; i < count(a); i++) {
        int k = m->other[COMPARE_A][i];
        bool is_array = kind_of(a, i) == ARRAY;
        compare_argument of = {.names = {name_of(a, i), k < 0 ? NULL : name_of(b, (size_t)k)},
                               .is_array = is_array,
                               .is_written =
                                   is_array && (a->writes[i] || (k >= 0 && b->writes[k]))};
        if (is_array && k >= 0) {
            of.starts_zero = m->starts_zero[pair];
            of.axes = m->axes[pair];
            of.rank = m->rank[pair++];
        }
        arrput(c->into->arguments, of);
    }
    for (size_t k = 0; k < count(b); k++)
        if (is_free(c, COMPARE_B, k))
            arrput(c->into->arguments,
                   ((compare_argument){.names = {NULL, name_of(b, k)},
                                       .is_array = kind_of(b, k) == ARRAY,
                                       .is_written = kind_of(b, k) == ARRAY && b->writes[k]}));
}

/* An array that one kernel writes, does not read, and the other has not: an output that is missing.
 * What it reads back is memory to work in. */
static bool has_all_outputs(comparing *c)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < count(&c->side[side]); i++)
            if (is_free(c, side, i) && c->side[side].writes[i] && !c->side[side].reads[i]) {
                arrput(c->into->differences,
                       ((compare_difference){
                           .name = COMPARE_PARAMETERS, .edit = COMPARE_EDIT_NONE, .side = side}));
                return false;
            }
    return true;
}

bool compare_pair(comparing *c, const char **why)
{
    for (int side = 0; side < 2; side++) {
        size_t n = count(&c->side[side]);
        c->match.other[side] = TR_NEW_ARRAY(c->arena, int, n + 1);
        for (size_t i = 0; i < n; i++)
            c->match.other[side][i] = -1;
        take_accesses(c, &c->side[side]);
    }
    if (!match(c, why))
        return false;
    pair_arrays(c);
    const option_list *permuted = &c->s->options->permute;
    for (size_t i = 0; i < permuted->n; i++)
        if (strcmp(permuted->items[i], "auto") != 0 && !permute(c, permuted->items[i], why))
            return false;
    tell(c);
    has_all_outputs(c);
    return true;
}
