/* Terms in C syntax as a person would write them. */
#include "terms/bits.h"
#include "terms/bool.h"
#include "terms/poly.h"

#include "base/ds.h"

#include <string.h>

enum {
    MAX_PRINTED_DEPTH = 2000,
    MAX_PRINTED_BYTES = 1 << 16, /* a shared term is written out each time: bounded */
};

/* Precedences, C's; an argument is put in parentheses when it binds less than asked for. */
enum { BINDS_OR = 1, BINDS_AND, BINDS_EQ, BINDS_REL, BINDS_ADD, BINDS_MUL, BINDS_UNARY };

typedef struct printer {
    tr_text *out;
    size_t limit;
    int depth;
} printer;

static void print_term(printer *p, smt_t term, int binding);

static void open_if(printer *p, bool parentheses)
{
    if (parentheses)
        tr_text_add(p->out, "(");
}

static void close_if(printer *p, bool parentheses)
{
    if (parentheses)
        tr_text_add(p->out, ")");
}

static void print_number(tr_text *out, smt_int value)
{
    char digits[48];
    int at = (int)sizeof digits - 1;
    bool negative = value < 0;
    digits[at] = '\0';
    do {
        int digit = (int)(value % 10);
        digits[--at] = (char)('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    if (negative)
        digits[--at] = '-';
    tr_text_add(out, digits + at);
}

/* ---- Section: Sums and products ---- */

static void print_product(printer *p, smt_t product, smt_int coef, int binding)
{
    bool parentheses = binding > BINDS_MUL && (coef != 1 || product->kind == SMT_PROD);
    open_if(p, parentheses);
    size_t n = product->kind == SMT_PROD ? product->n_args : 1;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            tr_text_add(p->out, " * ");
        smt_t factor = product->kind == SMT_PROD ? product->args[i] : product;
        bool alone = n == 1 && coef == 1;
        /* Behind a `*`, a quotient needs parentheses; in front of one it does not. */
        print_term(p, factor, alone ? binding : i == 0 ? BINDS_MUL : BINDS_UNARY);
    }
    if (coef != 1) {
        tr_text_add(p->out, " * ");
        print_number(p->out, coef);
    }
    close_if(p, parentheses);
}

typedef struct summand {
    smt_t term; /* NULL: the constant */
    smt_int coef;
} summand;

/* sum of `n` summands, the first of them positive if any is */
static void print_summands(printer *p, size_t n, const summand *list, int binding)
{
    if (n == 0) {
        tr_text_add(p->out, "0");
        return;
    }
    bool parentheses = n > 1 && binding > BINDS_ADD;
    open_if(p, parentheses);
    int inside = n > 1 ? BINDS_ADD : parentheses ? 0 : binding;
    for (size_t i = 0; i < n; i++) {
        smt_int coef = list[i].coef;
        bool minus = coef < 0;
        if (i > 0)
            tr_text_add(p->out, minus ? " - " : " + ");
        else if (minus)
            tr_text_add(p->out, "-");
        if (minus)
            coef = -coef;
        /* Behind a minus, a sum (of an if-then-else, say) needs parentheses. */
        int need = minus || i > 0 ? BINDS_MUL : inside;
        if (i == 0 && minus)
            need = BINDS_UNARY;
        if (list[i].term)
            print_product(p, list[i].term, coef, need);
        else
            print_number(p->out, coef);
    }
    close_if(p, parentheses);
}

static void put_first(summand *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].coef > 0) {
            summand first = list[i];
            for (; i > 0; i--)
                list[i] = list[i - 1];
            list[0] = first;
            return;
        }
    }
}

static void print_sum(printer *p, smt_t sum, int binding)
{
    summand *list = NULL;
    for (uint32_t i = 0; i < sum->n_args; i++)
        arrput(list, ((summand){sum->args[i], sum->coefs[i]}));
    if (sum->value != 0)
        arrput(list, ((summand){NULL, sum->value}));
    put_first(list, arrlenu(list));
    print_summands(p, arrlenu(list), list, binding);
    arrfree(list);
}

/* ---- Section: Comparisons ---- */

/* sum RELATION 0, written with positive summands on both sides. */
static void print_comparison(printer *p, smt_t sum, const char *relation, const char *reversed,
                             int binding)
{
    summand *left = NULL, *right = NULL;
    for (size_t i = 0; i < smt_n_monos(sum); i++) {
        smt_mono mono = smt_mono_at(sum, i);
        if (mono.coef > 0)
            arrput(left, ((summand){mono.term, mono.coef}));
        else
            arrput(right, ((summand){mono.term, -mono.coef}));
    }
    smt_int constant = smt_constant_part(sum);
    bool less = relation[0] == '<';
    const char *word = relation;
    /* a + 1 <= b is a < b, and so on for both directions */
    if (less && constant == 1 && arrlenu(right) > 0 && arrlenu(left) > 0) {
        constant = 0;
        word = "<";
        reversed = ">";
    }
    if (arrlenu(left) == 0 && arrlenu(right) > 0) { /* c - x <= 0: x >= c */
        summand *swap = left;
        left = right;
        right = swap;
        constant = -constant;
        word = less ? reversed : relation;
    }
    /* A constant joins the side where it is positive; alone on the right it may be negative. */
    if (constant < 0 || arrlenu(right) == 0) {
        if (constant != 0)
            arrput(right, ((summand){NULL, -constant}));
    } else if (constant > 0) {
        arrput(left, ((summand){NULL, constant}));
    }
    if (less && arrlenu(right) == 1 && !right[0].term) { /* x >= 1 reads x > 0 */
        if (word[0] == '>' && word[1] == '=' && right[0].coef == 1) {
            word = ">";
            arrsetlen(right, 0);
        } else if (word[0] == '<' && word[1] == '=' && right[0].coef == -1) {
            word = "<";
            arrsetlen(right, 0);
        }
    }
    int own = less ? BINDS_REL : BINDS_EQ;
    open_if(p, binding > own);
    print_summands(p, arrlenu(left), left, own + 1);
    tr_text_addf(p->out, " %s ", word);
    print_summands(p, arrlenu(right), right, own + 1);
    close_if(p, binding > own);
    arrfree(left);
    arrfree(right);
}

/* ---- Section: All kinds ---- */

static void print_list(printer *p, smt_t term, uint32_t from, const char *between, int binding)
{
    for (uint32_t i = from; i < term->n_args; i++) {
        if (i > from)
            tr_text_add(p->out, between);
        print_term(p, term->args[i], binding);
    }
}

/* The part behind a tilde or an apostrophe tells terms of one name apart: people call them all the
 * same. */
static void print_name(printer *p, const char *name)
{
    const char *tilde = strpbrk(name, "~'");
    if (tilde && tilde[1] && tilde[1 + strspn(tilde + 1, "0123456789")] == '\0')
        tr_text_addf(p->out, "%.*s", (int)(tilde - name), name);
    else
        tr_text_add(p->out, name);
}

static void print_call(printer *p, const char *name, smt_t term)
{
    tr_text_addf(p->out, "%s(", name);
    print_list(p, term, 0, ", ", 0);
    tr_text_add(p->out, ")");
}

static void print_binary(printer *p, smt_t term, const char *operator, int binding)
{
    open_if(p, binding > BINDS_MUL);
    print_term(p, term->args[0], BINDS_MUL);
    tr_text_addf(p->out, " %s ", operator);
    print_term(p, term->args[1], BINDS_UNARY);
    close_if(p, binding > BINDS_MUL);
}

/* `/` truncates where these expressions are read, a division of terms floors: below 0 they differ,
 * and where a term rounds up, cdiv says what is meant. */
static bool print_as_cdiv(printer *p, smt_t term)
{
    smt_t above = term->args[0], below = term->args[1];
    if (above->low >= 0 || below->kind != SMT_INT || below->value < 2)
        return false;
    smt_int constant = smt_constant_part(above) - (below->value - 1);
    if (constant < 0)
        return false;
    summand *list = NULL;
    for (size_t i = 0; i < smt_n_monos(above); i++)
        arrput(list, ((summand){smt_mono_at(above, i).term, smt_mono_at(above, i).coef}));
    if (constant != 0)
        arrput(list, ((summand){NULL, constant}));
    put_first(list, arrlenu(list));
    tr_text_add(p->out, "cdiv(");
    print_summands(p, arrlenu(list), list, 0);
    tr_text_add(p->out, ", ");
    print_number(p->out, below->value);
    tr_text_add(p->out, ")");
    arrfree(list);
    return true;
}

static void print_ite(printer *p, smt_t term, int binding)
{
    smt_t x, y;
    int sign = smt_is_min_max(term, &x, &y);
    if (sign != 0) {
        tr_text_add(p->out, sign > 0 ? "min(" : "max(");
        print_term(p, x, 0);
        tr_text_add(p->out, ", ");
        print_term(p, y, 0);
        tr_text_add(p->out, ")");
        return;
    }
    open_if(p, binding > 0);
    print_term(p, term->args[0], BINDS_OR + 1);
    tr_text_add(p->out, " ? ");
    print_term(p, term->args[1], BINDS_OR);
    tr_text_add(p->out, " : ");
    print_term(p, term->args[2], BINDS_OR);
    close_if(p, binding > 0);
}

static void print_not(printer *p, smt_t inner, int binding)
{
    if (inner->kind == SMT_EQ) {
        print_comparison(p, inner->args[0], "!=", "!=", binding);
        return;
    }
    tr_text_add(p->out, "!");
    print_term(p, inner, BINDS_UNARY);
}

static void print_application(printer *p, smt_t term, int binding)
{
    smt_bits_op bits;
    const char *at = strchr(term->name, '@');
    if (at && term->n_args == 1) { /* an element of memory; then comes when, and how wide it is */
        tr_text_addf(p->out, "%.*s[", (int)(at - term->name), term->name);
        print_term(p, term->args[0], 0);
        tr_text_add(p->out, "]");
        return;
    }
    if (!smt_is_bits(term, &bits)) {
        print_call(p, term->name, term);
        return;
    }
    open_if(p, binding > 0); /* & | ^ bind less than comparisons */
    print_term(p, term->args[0], BINDS_UNARY);
    tr_text_addf(p->out, " %s ", smt_bits_symbol(bits));
    print_term(p, term->args[1], BINDS_UNARY);
    close_if(p, binding > 0);
}

static void print_node(printer *p, smt_t term, int binding)
{
    switch (term->kind) {
    case SMT_INT:
        print_number(p->out, term->value);
        break;
    case SMT_VAR:
    case SMT_BVAR:
        print_name(p, term->name);
        break;
    case SMT_SUM:
        print_sum(p, term, binding);
        break;
    case SMT_PROD:
        print_product(p, term, 1, binding);
        break;
    case SMT_NAMED:
        print_term(p, term->args[0], binding);
        break;
    case SMT_DIV:
        if (!print_as_cdiv(p, term))
            print_binary(p, term, "/", binding);
        break;
    case SMT_MOD:
        print_binary(p, term, "%", binding);
        break;
    case SMT_ITE:
        print_ite(p, term, binding);
        break;
    case SMT_APP:
        print_application(p, term, binding);
        break;
    case SMT_BAPP:
        print_call(p, term->name, term);
        break;
    case SMT_TRUE:
        tr_text_add(p->out, "true");
        break;
    case SMT_FALSE:
        tr_text_add(p->out, "false");
        break;
    case SMT_NOT:
        print_not(p, term->args[0], binding);
        break;
    case SMT_AND:
    case SMT_OR: {
        int own = term->kind == SMT_AND ? BINDS_AND : BINDS_OR;
        /* C compilers warn of && inside || without parentheses: write them. */
        bool parentheses = binding > own || (binding == BINDS_OR && own == BINDS_AND);
        open_if(p, parentheses);
        print_list(p, term, 0, term->kind == SMT_AND ? " && " : " || ", own);
        close_if(p, parentheses);
        break;
    }
    case SMT_EQ:
        print_comparison(p, term->args[0], "==", "==", binding);
        break;
    case SMT_LE:
        print_comparison(p, term->args[0], "<=", ">=", binding);
        break;
    }
}

static void print_term(printer *p, smt_t term, int binding)
{
    if (p->depth >= MAX_PRINTED_DEPTH || p->out->length >= p->limit) {
        tr_text_add(p->out, "...");
        return;
    }
    p->depth++;
    print_node(p, term, binding);
    p->depth--;
}

void smt_print_c(tr_text *out, smt_t term)
{
    printer p = {out, out->length + MAX_PRINTED_BYTES, 0};
    print_term(&p, term, 0);
}
