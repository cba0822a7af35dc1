/* Terms and queries as SMT-LIB 2. Subterms that occur twice are defined once, and so is one in
 * every MAX_NESTING levels of a deep term: neither the text nor a reader's stack explodes. */
#include "terms/print_smtlib.h"

#include "terms/bits.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_NESTING = 50,
    /* The solver is told of a product or a named polynomial beyond this degree that it is a number
     * in its range, and no more. Z3 looks at all ways to split a product into two, which are two to
     * the power of its degree, and neither counts a step nor looks at its limit meanwhile. */
    MAX_TOLD_DEGREE = 8,
};

typedef struct spelled_name {
    char *key; /* kind, arity and name */
    char *value;
} spelled_name;

typedef struct taken_name {
    char *key;
    int value;
} taken_name;

typedef struct writer {
    tr_arena *arena; /* of the names */
    tr_text *out;
    spelled_name *names; /* stb_ds string maps */
    taken_name *taken;
    smt_order order;
    uint8_t *defined;  /* by place in the order: has a name of its own */
    uint8_t *degree;   /* as a polynomial over what is no polynomial; names are looked into */
    unsigned told;     /* degree up to which a polynomial is told */
    bool defines_bits; /* bit operations are no mere functions */
} writer;

/* ---- Section: Names ---- */

/* Names without a mark could be words of a solver's theories (`select`, `repeat`, ...): those get a
 * `!` behind them, and so does what ends in one, to keep different names different. */
static void spell(tr_text *out, const char *name)
{
    size_t length = strlen(name);
    const char *mark = strchr(name, '!');
    bool plain = length > 0 && !isdigit((unsigned char)name[0]) && name[0] != '$' &&
                 name[0] != '@' && name[0] != '.';
    for (size_t i = 0; i < length && plain; i++)
        plain = isalnum((unsigned char)name[i]) || strchr("~!@$%^&*_-+=<>.?/", name[i]);
    if (!plain)
        tr_text_add(out, "|:"); /* what begins with . or @ is the solver's own */
    for (size_t i = 0; i < length; i++) {
        bool fits = (unsigned char)name[i] >= ' ' && name[i] != '|' && name[i] != '\\';
        tr_text_addn(out, fits ? &name[i] : "_", 1);
    }
    bool one_letter = length == 1 && isalpha((unsigned char)name[0]);
    if (plain && !one_letter && (!mark || mark == name + length - 1 || name[length - 1] == '!'))
        tr_text_add(out, "!");
    if (!plain)
        tr_text_add(out, "|");
}

/* Returns the name of a variable or function in the script, in the arena. Different variables have
 * different names: one whose name is taken gets a number. */
static const char *name_of(writer *w, smt_t term)
{
    tr_text key = {0};
    tr_text_addf(&key, "%d/%u/%d/%u/%s", (int)term->kind, term->n_args, term->is_private,
                 term->copy, term->name);
    ptrdiff_t at = shgeti(w->names, tr_text_get(&key));
    if (at >= 0) {
        tr_text_free(&key);
        return w->names[at].value;
    }
    tr_text spelled = {0}, name = {0};
    smt_spell_variable(&name, term);
    size_t length = name.length;
    spell(&spelled, tr_text_get(&name));
    for (int other = 2; shgeti(w->taken, tr_text_get(&spelled)) >= 0; other++) {
        name.length = length;
        tr_text_addf(&name, "~%d", other);
        tr_text_clear(&spelled);
        spell(&spelled, tr_text_get(&name));
    }
    char *kept = tr_arena_strdup(w->arena, tr_text_get(&spelled));
    shput(w->taken, kept, 1);
    shput(w->names, tr_arena_strdup(w->arena, tr_text_get(&key)), kept);
    tr_text_free(&name);
    tr_text_free(&spelled);
    tr_text_free(&key);
    return kept;
}

/* ---- Section: Terms ---- */

static void write_number(tr_text *out, smt_int value)
{
    char digits[48];
    int at = (int)sizeof digits - 1;
    digits[at] = '\0';
    smt_int rest = value;
    do {
        int digit = (int)(rest % 10);
        digits[--at] = (char)('0' + (digit < 0 ? -digit : digit));
        rest /= 10;
    } while (rest != 0);
    tr_text_addf(out, value < 0 ? "(- %s)" : "%s", digits + at);
}

static void write_term(writer *w, smt_t term);

static void write_node(writer *w, smt_t term);

static void write_call(writer *w, const char *operator, smt_t term)
{
    tr_text_addf(w->out, "(%s", operator);
    for (uint32_t i = 0; i < term->n_args; i++) {
        tr_text_add(w->out, " ");
        write_term(w, term->args[i]);
    }
    tr_text_add(w->out, ")");
}

static void write_sum(writer *w, smt_t term)
{
    bool plus = term->n_args > 1 || term->value != 0;
    if (plus)
        tr_text_add(w->out, "(+ ");
    for (uint32_t i = 0; i < term->n_args; i++) {
        if (i > 0)
            tr_text_add(w->out, " ");
        if (term->coefs[i] == 1) {
            write_term(w, term->args[i]);
            continue;
        }
        tr_text_add(w->out, "(* ");
        write_number(w->out, term->coefs[i]);
        tr_text_add(w->out, " ");
        write_term(w, term->args[i]);
        tr_text_add(w->out, ")");
    }
    if (term->value != 0) {
        tr_text_add(w->out, " ");
        write_number(w->out, term->value);
    }
    if (plus)
        tr_text_add(w->out, ")");
}

static void write_comparison(writer *w, const char *relation, smt_t term)
{
    tr_text_addf(w->out, "(%s ", relation);
    write_term(w, term->args[0]);
    tr_text_add(w->out, " 0)");
}

static void write_node(writer *w, smt_t term)
{
    switch (term->kind) {
    case SMT_INT:
        write_number(w->out, term->value);
        break;
    case SMT_VAR:
    case SMT_BVAR:
        tr_text_add(w->out, name_of(w, term));
        break;
    case SMT_SUM:
        write_sum(w, term);
        break;
    case SMT_PROD:
        write_call(w, "*", term);
        break;
    case SMT_NAMED:
        write_term(w, term->args[0]);
        break;
    case SMT_DIV:
        write_call(w, "div", term);
        break;
    case SMT_MOD:
        write_call(w, "mod", term);
        break;
    case SMT_ITE:
        write_call(w, "ite", term);
        break;
    case SMT_APP:
    case SMT_BAPP:
        write_call(w, name_of(w, term), term);
        break;
    case SMT_TRUE:
        tr_text_add(w->out, "true");
        break;
    case SMT_FALSE:
        tr_text_add(w->out, "false");
        break;
    case SMT_NOT:
        write_call(w, "not", term);
        break;
    case SMT_AND:
        write_call(w, "and", term);
        break;
    case SMT_OR:
        write_call(w, "or", term);
        break;
    case SMT_EQ:
        write_comparison(w, "=", term);
        break;
    case SMT_LE:
        write_comparison(w, "<=", term);
        break;
    }
}

static void write_term(writer *w, smt_t term)
{
    if (w->defined[smt_order_find(&w->order, term)])
        tr_text_addf(w->out, "$%u", term->id);
    else
        write_node(w, term);
}

/* ---- Section: What is written once ---- */

static void find_degrees(writer *w)
{
    for (size_t i = 0; i < smt_order_count(&w->order); i++) {
        smt_t term = w->order.terms[i];
        unsigned degree = 1, sum = 0, most = 0;
        for (uint32_t k = 0; k < term->n_args; k++) {
            unsigned own = w->degree[w->order.children[w->order.first[i] + k]];
            sum += own;
            most = own > most ? own : most;
        }
        if (term->kind == SMT_SUM || term->kind == SMT_NAMED)
            degree = most;
        if (term->kind == SMT_PROD)
            degree = sum;
        w->degree[i] = degree < UINT8_MAX ? (uint8_t)degree : UINT8_MAX;
    }
}

/* A named polynomial, or a product of too high a degree, is a constant of the script, by the name
 * that a shared term has. */
static bool is_constant(const writer *w, size_t i)
{
    smt_kind kind = w->order.terms[i]->kind;
    return kind == SMT_NAMED || (kind == SMT_PROD && w->degree[i] > w->told);
}

static bool is_leaf(smt_t term)
{
    return term->n_args == 0;
}

/* Chooses the terms that the script defines by a name of their own: those that are used more than
 * once or nest too deep, and constants. */
static void choose_defined(writer *w)
{
    size_t count = smt_order_count(&w->order);
    uint32_t *uses = NULL, *nesting = NULL;
    arrsetlen(uses, count + 1);
    arrsetlen(nesting, count + 1);
    memset(uses, 0, (count + 1) * sizeof *uses);
    for (size_t i = 0; i < arrlenu(w->order.children); i++)
        uses[w->order.children[i]]++;
    for (size_t i = 0; i < count; i++) {
        smt_t term = w->order.terms[i];
        nesting[i] = 0;
        for (uint32_t k = 0; k < term->n_args; k++) {
            uint32_t child = w->order.children[w->order.first[i] + k];
            if (!w->defined[child] && nesting[child] + 1 > nesting[i])
                nesting[i] = nesting[child] + 1;
        }
        bool worth = uses[i] > 1 || nesting[i] >= MAX_NESTING || is_constant(w, i);
        w->defined[i] = worth && !is_leaf(term);
    }
    arrfree(uses);
    arrfree(nesting);
}

/* Begins to write terms made of these roots; writer_close() ends it. */
static void writer_open(writer *w, tr_arena *arena, tr_text *out, unsigned told, size_t n,
                        const smt_t *roots)
{
    *w = (writer){.arena = arena, .out = out, .told = told};
    smt_order_make(&w->order, n, roots);
    size_t count = smt_order_count(&w->order);
    arrsetlen(w->defined, count + 1);
    memset(w->defined, 0, count + 1);
    arrsetlen(w->degree, count + 1);
    find_degrees(w);
    choose_defined(w);
}

static void writer_close(writer *w)
{
    shfree(w->names);
    shfree(w->taken);
    arrfree(w->defined);
    arrfree(w->degree);
    smt_order_free(&w->order);
}

void smt_print_smtlib(tr_text *out, smt_t term)
{
    tr_arena *names = tr_arena_new();
    writer w;
    writer_open(&w, names, out, UINT_MAX, 1, &term);
    size_t n_lets = 0;
    for (size_t i = 0; i < smt_order_count(&w.order); i++) {
        if (!w.defined[i])
            continue;
        tr_text_addf(out, "(let (($%u ", w.order.terms[i]->id);
        write_node(&w, w.order.terms[i]);
        tr_text_add(out, ")) ");
        n_lets++;
    }
    write_term(&w, term);
    for (size_t i = 0; i < n_lets; i++)
        tr_text_add(out, ")");
    writer_close(&w);
    tr_arena_free(names);
}

/* ---- Section: Scripts ---- */

static bool is_wanted(const writer *w, size_t i)
{
    smt_kind kind = w->order.terms[i]->kind;
    return kind == SMT_VAR || kind == SMT_BVAR || kind == SMT_APP || kind == SMT_BAPP;
}

static void declare(writer *w, smt_t term, taken_name **declared)
{
    const char *name = name_of(w, term);
    if (shgeti(*declared, name) >= 0)
        return;
    shput(*declared, (char *)name, 1); /* never written to */
    smt_bits_op op;
    if (w->defines_bits && smt_is_bits(term, &op)) {
        smt_bits_define(w->out, name, term);
        return;
    }
    tr_text_addf(w->out, "(declare-fun %s (", name);
    for (uint32_t i = 0; i < term->n_args; i++)
        tr_text_add(w->out, i > 0 ? " Int" : "Int");
    bool is_bool = term->kind == SMT_BVAR || term->kind == SMT_BAPP;
    tr_text_add(w->out, is_bool ? ") Bool)\n" : ") Int)\n");
}

static bool is_far(smt_int bound)
{
    const smt_int limit = (smt_int)1 << 20;
    return bound < -limit || bound > limit;
}

bool smt_script_has_far_bounds(size_t n, const smt_t *conjuncts)
{
    smt_order order;
    smt_order_make(&order, n, conjuncts);
    bool found = false;
    for (size_t i = 0; i < smt_order_count(&order) && !found; i++) {
        smt_t term = order.terms[i];
        bool named = term->kind == SMT_VAR || term->kind == SMT_APP;
        found = named && ((term->low != SMT_NO_LOW && is_far(term->low)) ||
                          (term->high != SMT_NO_HIGH && is_far(term->high)));
    }
    smt_order_free(&order);
    return found;
}

static void write_range(writer *w, smt_t term, bool far_bounds)
{
    if (term->low != SMT_NO_LOW && (far_bounds || !is_far(term->low))) {
        tr_text_add(w->out, "(assert (<= ");
        write_number(w->out, term->low);
        tr_text_add(w->out, " ");
        write_term(w, term);
        tr_text_add(w->out, "))\n");
    }
    if (term->high != SMT_NO_HIGH && (far_bounds || !is_far(term->high))) {
        tr_text_add(w->out, "(assert (<= ");
        write_term(w, term);
        tr_text_add(w->out, " ");
        write_number(w->out, term->high);
        tr_text_add(w->out, "))\n");
    }
}

/* Defines what a defined term stands for. That a polynomial of a high degree is told by its range
 * alone can only lose a contradiction, and models are checked anyway. */
static void define(writer *w, size_t i, bool far_bounds)
{
    smt_t term = w->order.terms[i];
    if (!is_constant(w, i)) {
        tr_text_addf(w->out, "(define-fun $%u () %s ", term->id,
                     smt_is_bool(term) ? "Bool" : "Int");
        write_node(w, term);
        tr_text_add(w->out, ")\n");
        return;
    }
    tr_text_addf(w->out, "(declare-fun $%u () Int)\n", term->id);
    write_range(w, term, far_bounds);
    if (w->degree[i] > w->told)
        return;
    tr_text_addf(w->out, "(assert (= $%u ", term->id);
    write_node(w, term);
    tr_text_add(w->out, "))\n");
}

static void measure_products(const writer *w, smt_script *script)
{
    script->degree = 1;
    for (size_t i = 0; i < smt_order_count(&w->order); i++) {
        if (w->order.terms[i]->kind != SMT_PROD || w->degree[i] > w->told)
            continue;
        script->products++;
        if (w->degree[i] > script->degree)
            script->degree = w->degree[i];
    }
}

static void declare_all(writer *w)
{
    taken_name *declared = NULL;
    for (size_t i = 0; i < smt_order_count(&w->order); i++) {
        smt_kind kind = w->order.terms[i]->kind;
        bool named = kind == SMT_VAR || kind == SMT_BVAR || kind == SMT_APP || kind == SMT_BAPP;
        if (named)
            declare(w, w->order.terms[i], &declared);
    }
    shfree(declared);
}

/* Lists a term among those whose values the solver is asked for, as it is spelled in the script. */
static void want(writer *w, smt_script *script, smt_t term)
{
    tr_text spelled = {0};
    w->out = &spelled;
    write_term(w, term);
    w->out = &script->text;
    arrput(script->wanted, term);
    arrput(script->spelled, tr_arena_strdup(script->arena, tr_text_get(&spelled)));
    tr_text_free(&spelled);
}

/* Writes the script: declarations, then definitions with the ranges of terms whose values are
 * wanted, then the assertions. */
static void make(smt_script *script, size_t n, const smt_t *conjuncts, bool far_bounds,
                 unsigned told, bool defines_bits)
{
    *script = (smt_script){.arena = tr_arena_new()};
    writer w;
    writer_open(&w, script->arena, &script->text, told, n, conjuncts);
    w.defines_bits = defines_bits;
    measure_products(&w, script);
    declare_all(&w);
    for (size_t i = 0; i < smt_order_count(&w.order); i++) {
        smt_t term = w.order.terms[i];
        if (w.defined[i])
            define(&w, i, far_bounds);
        if (!is_wanted(&w, i))
            continue;
        if (!smt_is_bool(term))
            write_range(&w, term, far_bounds);
        want(&w, script, term);
    }
    for (size_t i = 0; i < n; i++) {
        tr_text_add(w.out, "(assert ");
        write_term(&w, conjuncts[i]);
        tr_text_add(w.out, ")\n");
    }
    writer_close(&w);
}

void smt_script_make(smt_script *script, size_t n, const smt_t *conjuncts, bool far_bounds)
{
    make(script, n, conjuncts, far_bounds, MAX_TOLD_DEGREE, false);
}

void smt_script_make_whole(smt_script *script, size_t n, const smt_t *conjuncts)
{
    make(script, n, conjuncts, true, UINT_MAX, true);
}

void smt_script_free(smt_script *script)
{
    tr_text_free(&script->text);
    arrfree(script->wanted);
    arrfree(script->spelled);
    if (script->arena)
        tr_arena_free(script->arena);
}

void smt_script_get_values(const smt_script *script, tr_text *out)
{
    size_t n = arrlenu(script->wanted);
    for (size_t i = 0; i < n; i++)
        tr_text_addf(out, "%s%s", i == 0 ? "(get-value (" : " ", script->spelled[i]);
    if (n > 0)
        tr_text_add(out, "))\n");
}
