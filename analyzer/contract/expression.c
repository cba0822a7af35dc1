/* Recursive descent over contract expressions. */
#include "contract/expression.h"

#include <ctype.h>
#include <string.h>

#define MAX_DEPTH 100
/* Terms of a long product or disjunction grow with the square of its length. */
#define MAX_LENGTH 4096

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_OPERATOR,
    TOKEN_BAD
} token_kind;

typedef struct reader {
    smt_ctx *ctx;
    const contract *c;
    const char *text;
    bool in_contents;
    const char *why; /* first error */
    int depth;
    /* The token ahead. */
    token_kind kind;
    const char *start;
    size_t length;
    const char *next;
} reader;

static const contract_expression nothing = {NULL, NULL};

static contract_expression fail(reader *r, const char *at, const char *format, ...) TR_PRINTF(3, 4);

static contract_expression fail(reader *r, const char *at, const char *format, ...)
{
    if (!r->why) {
        va_list arguments;
        va_start(arguments, format);
        const char *sentence = tr_arena_vprintf(smt_arena(r->ctx), format, arguments);
        va_end(arguments);
        r->why = tr_arena_printf(smt_arena(r->ctx), "`%s`, column %zu: %s", r->text,
                                 (size_t)(at - r->text) + 1, sentence);
    }
    return nothing;
}

/* ---- Tokens ---- */

static bool is_name_char(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_';
}

static size_t identifier_length(const char *s)
{
    size_t length = 0;
    if (!isdigit((unsigned char)*s))
        while (is_name_char(s[length]))
            length++;
    return length;
}

size_t contract_name_length(const char *text)
{
    size_t length = identifier_length(text), digits;
    while (length) {
        const char *s = text + length;
        if (*s == '.' && identifier_length(s + 1))
            length += 1 + identifier_length(s + 1);
        else if (*s == '[' && (digits = strspn(s + 1, "0123456789")) && s[1 + digits] == ']')
            length += digits + 2;
        else
            break;
    }
    return length;
}

bool contract_name_is_plain(const char *name)
{
    return identifier_length(name) == strlen(name);
}

/* Reads the next token. Of two characters that are an operator together, both are taken. */
static void advance(reader *r)
{
    static const char *const two[] = {"==", "!=", "<=", ">=", "&&", "||"};
    const char *s = r->next;
    while (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r')
        s++;
    r->start = s;
    r->length = 1;
    if (!*s) {
        r->kind = TOKEN_END;
        r->length = 0;
    } else if (isdigit((unsigned char)*s)) {
        r->kind = TOKEN_NUMBER;
        while (is_name_char(s[r->length]))
            r->length++;
    } else if (contract_name_length(s)) {
        r->kind = TOKEN_NAME;
        r->length = contract_name_length(s);
    } else {
        r->kind = strchr("+-*/%<>!(),", *s) ? TOKEN_OPERATOR : TOKEN_BAD;
        for (size_t i = 0; i < TR_COUNT(two); i++)
            if (!strncmp(s, two[i], 2)) {
                r->kind = TOKEN_OPERATOR;
                r->length = 2;
            }
    }
    r->next = s + r->length;
}

static bool ahead(const reader *r, const char *symbol)
{
    return r->kind == TOKEN_OPERATOR && r->length == strlen(symbol) &&
           !strncmp(r->start, symbol, r->length);
}

static bool accept(reader *r, const char *symbol)
{
    if (!ahead(r, symbol))
        return false;
    advance(r);
    return true;
}

static contract_expression unexpected(reader *r)
{
    if (r->kind == TOKEN_END)
        return fail(r, r->start, "the expression ends too early.");
    return fail(r, r->start, "unexpected `%.*s`.", (int)r->length, r->start);
}

/* ---- Meaning ---- */

static contract_expression of_term(reader *r, smt_t term)
{
    return (contract_expression){term, smt_bool_const(r->ctx, true)};
}

static bool want_integers(reader *r, const char *at, contract_expression a, contract_expression b)
{
    if (!a.term || !b.term)
        return false;
    if (smt_is_bool(a.term) || smt_is_bool(b.term)) {
        fail(r, at, "an integer is needed here, not a comparison.");
        return false;
    }
    return true;
}

static bool want_booleans(reader *r, const char *at, contract_expression a, contract_expression b)
{
    if (!a.term || !b.term)
        return false;
    if (!smt_is_bool(a.term) || !smt_is_bool(b.term)) {
        fail(r, at, "a comparison is needed here, not an integer.");
        return false;
    }
    return true;
}

static contract_expression both(reader *r, contract_expression a, contract_expression b, smt_t term)
{
    return (contract_expression){term, smt_and(r->ctx, a.defined, b.defined)};
}

typedef smt_t (*binary_op)(smt_ctx *ctx, smt_t a, smt_t b);

static contract_expression divide(reader *r, const char *at, binary_op op, contract_expression a,
                                  contract_expression b)
{
    smt_int divisor;
    if (!want_integers(r, at, a, b))
        return nothing;
    if (smt_is_const(b.term, &divisor) && divisor == 0)
        return fail(r, at, "division by zero.");
    contract_expression result = both(r, a, b, op(r->ctx, a.term, b.term));
    result.defined =
        smt_and(r->ctx, result.defined, smt_ne(r->ctx, b.term, smt_int_const(r->ctx, 0)));
    return result;
}

/* ---- Grammar ---- */

static contract_expression read_or(reader *r);

static contract_expression read_number(reader *r)
{
    smt_int value = 0;
    bool hexadecimal = r->length > 2 && r->start[0] == '0' && (r->start[1] | 32) == 'x';
    if (r->length > 1 && r->start[0] == '0' && !hexadecimal)
        return fail(r, r->start, "write the number without leading zeros.");
    for (size_t i = hexadecimal ? 2 : 0; i < r->length; i++) {
        char ch = r->start[i];
        int digit = isdigit((unsigned char)ch)                   ? ch - '0'
                    : hexadecimal && isxdigit((unsigned char)ch) ? (ch | 32) - 'a' + 10
                                                                 : -1;
        if (digit < 0)
            return fail(r, r->start, "`%.*s` is not an integer.", (int)r->length, r->start);
        value = value * (hexadecimal ? 16 : 10) + digit;
        if (value >= (smt_int)1 << 64)
            return fail(r, r->start, "`%.*s` does not fit 64 bits.", (int)r->length, r->start);
    }
    advance(r);
    return of_term(r, smt_int_const(r->ctx, value));
}

static contract_expression read_call(reader *r, const char *name, const char *at)
{
    contract_expression a = read_or(r), b;
    if (!a.term)
        return nothing;
    if (!accept(r, ","))
        return unexpected(r);
    b = read_or(r);
    if (!b.term)
        return nothing;
    if (!accept(r, ")"))
        return unexpected(r);
    if (!strcmp(name, "cdiv"))
        return divide(r, at, smt_div_ceil, a, b);
    if (!want_integers(r, at, a, b))
        return nothing;
    return both(r, a, b, (!strcmp(name, "min") ? smt_min : smt_max)(r->ctx, a.term, b.term));
}

static contract_expression unknown_name(reader *r, const char *name, const char *at)
{
    const char **names = TR_NEW_ARRAY(smt_arena(r->ctx), const char *, r->c->n_args + 8);
    size_t n = 0;
    for (size_t i = 0; i < r->c->n_args; i++)
        if (r->c->args[i].name && r->c->args[i].kind == CONTRACT_SCALAR)
            names[n++] = r->c->args[i].name;
    static const char *const fixed[] = {"grid.x", "grid.y", "grid.z", "cdiv", "min", "max"};
    for (size_t i = 0; i < TR_COUNT(fixed); i++)
        names[n++] = fixed[i];
    const char *near = contract_nearest(name, n, names);
    if (near)
        return fail(r, at, "`%s` is not known here; did you mean `%s`?", name, near);
    return fail(r, at, "`%s` is not known here.", name);
}

/* A call, an extent of the grid, `value` and `index` in facts about contents, or an argument, which
 * a front end may know by two names. */
static contract_expression read_name(reader *r)
{
    static const char *const axes[] = {"grid.x", "grid.y", "grid.z"};
    static const char *const calls[] = {"cdiv", "min", "max"};
    const char *at = r->start;
    const char *name = tr_arena_strndup(smt_arena(r->ctx), r->start, r->length);
    advance(r);
    if (accept(r, "(")) {
        for (size_t i = 0; i < TR_COUNT(calls); i++)
            if (!strcmp(name, calls[i]))
                return read_call(r, name, at);
        return fail(r, at, "`%s` cannot be called; there are cdiv, min and max.", name);
    }
    for (int axis = 0; axis < 3; axis++)
        if (!strcmp(name, axes[axis]))
            return of_term(r, contract_grid(r->ctx, axis));
    if (r->in_contents && !strcmp(name, "value"))
        return of_term(r, contract_value(r->ctx));
    if (r->in_contents && !strcmp(name, "index"))
        return of_term(r, contract_index(r->ctx));
    for (size_t i = 0; i < r->c->n_args; i++) {
        const contract_arg *arg = &r->c->args[i];
        bool is_it = (arg->name && !strcmp(name, arg->name)) ||
                     (arg->made_up && !strcmp(name, arg->made_up));
        if (!is_it)
            continue;
        if (arg->kind == CONTRACT_SCALAR)
            return of_term(r, contract_param(r->ctx, r->c, i));
        return fail(r, at, "`%s` is a %s; only integer arguments can be used.", name,
                    arg->kind == CONTRACT_POINTER ? "pointer" : "float");
    }
    return unknown_name(r, name, at);
}

static contract_expression read_unary(reader *r)
{
    contract_expression a;
    const char *at = r->start;
    if (r->depth >= MAX_DEPTH)
        return fail(r, at, "the expression is nested more than %d deep.", MAX_DEPTH);
    r->depth++;
    if (accept(r, "-")) {
        a = read_unary(r);
        a = want_integers(r, at, a, a) ? both(r, a, a, smt_neg(r->ctx, a.term)) : nothing;
    } else if (accept(r, "+")) {
        a = read_unary(r);
        a = want_integers(r, at, a, a) ? a : nothing;
    } else if (accept(r, "!")) {
        a = read_unary(r);
        a = want_booleans(r, at, a, a) ? both(r, a, a, smt_not(r->ctx, a.term)) : nothing;
    } else if (accept(r, "(")) {
        a = read_or(r);
        if (a.term && !accept(r, ")"))
            a = unexpected(r);
    } else if (r->kind == TOKEN_NUMBER) {
        a = read_number(r);
    } else if (r->kind == TOKEN_NAME) {
        a = read_name(r);
    } else {
        a = unexpected(r);
    }
    r->depth--;
    return a;
}

static contract_expression read_product(reader *r)
{
    contract_expression a = read_unary(r);
    while (a.term && (ahead(r, "*") || ahead(r, "/") || ahead(r, "%"))) {
        const char *at = r->start;
        char symbol = *r->start;
        advance(r);
        contract_expression b = read_unary(r);
        if (symbol == '*')
            a = want_integers(r, at, a, b) ? both(r, a, b, smt_mul(r->ctx, a.term, b.term))
                                           : nothing;
        else
            a = divide(r, at, symbol == '/' ? smt_div_trunc : smt_rem_trunc, a, b);
    }
    return a;
}

static contract_expression read_sum(reader *r)
{
    contract_expression a = read_product(r);
    while (a.term && (ahead(r, "+") || ahead(r, "-"))) {
        const char *at = r->start;
        binary_op op = *r->start == '+' ? smt_add : smt_sub;
        advance(r);
        contract_expression b = read_product(r);
        a = want_integers(r, at, a, b) ? both(r, a, b, op(r->ctx, a.term, b.term)) : nothing;
    }
    return a;
}

/* Comparisons bind alike, which C does not do for == and !=; a chain of them is an error in any
 * case, as a comparison is no integer. */
static contract_expression read_comparison(reader *r)
{
    static const struct {
        const char *text;
        binary_op op;
    } table[] = {{"==", smt_eq}, {"!=", smt_ne}, {"<", smt_lt},
                 {"<=", smt_le}, {">", smt_gt},  {">=", smt_ge}};
    contract_expression a = read_sum(r);
    for (size_t i = 0; a.term && i < TR_COUNT(table); i++) {
        const char *at = r->start;
        if (!accept(r, table[i].text))
            continue;
        contract_expression b = read_sum(r);
        a = want_integers(r, at, a, b) ? both(r, a, b, table[i].op(r->ctx, a.term, b.term))
                                       : nothing;
        i = (size_t)-1;
    }
    return a;
}

/* An operand behind a short circuit needs a meaning only where it is reached. */
static contract_expression read_and(reader *r)
{
    contract_expression a = read_comparison(r);
    while (a.term && ahead(r, "&&")) {
        const char *at = r->start;
        advance(r);
        contract_expression b = read_comparison(r);
        if (!want_booleans(r, at, a, b))
            return nothing;
        a.defined = smt_and(r->ctx, a.defined, smt_implies(r->ctx, a.term, b.defined));
        a.term = smt_and(r->ctx, a.term, b.term);
    }
    return a;
}

static contract_expression read_or(reader *r)
{
    contract_expression a = read_and(r);
    while (a.term && ahead(r, "||")) {
        const char *at = r->start;
        advance(r);
        contract_expression b = read_and(r);
        if (!want_booleans(r, at, a, b))
            return nothing;
        a.defined = smt_and(r->ctx, a.defined, smt_or(r->ctx, a.term, b.defined));
        a.term = smt_or(r->ctx, a.term, b.term);
    }
    return a;
}

contract_expression contract_expression_read(smt_ctx *ctx, const contract *c, const char *text,
                                             bool in_contents, const char **why)
{
    reader r = {.ctx = ctx, .c = c, .text = text, .in_contents = in_contents, .next = text};
    contract_expression result = nothing;
    if (strlen(text) > MAX_LENGTH) {
        *why = "the expression is longer than 4096 characters.";
        return nothing;
    }
    advance(&r);
    result = read_or(&r);
    if (result.term && r.kind != TOKEN_END)
        result = unexpected(&r);
    *why = r.why;
    return result;
}

/* ---- Misspelt names ---- */

/* Edit distance, neighbours exchanged counting as one edit; far for long names. */
static size_t distance(const char *a, const char *b)
{
    enum { LIMIT = 32 };
    size_t table[LIMIT + 1][LIMIT + 1];
    size_t la = strlen(a), lb = strlen(b);
    if (la > LIMIT || lb > LIMIT)
        return LIMIT;
    for (size_t i = 0; i <= la; i++) {
        for (size_t k = 0; k <= lb; k++) {
            if (!i || !k) {
                table[i][k] = i + k;
                continue;
            }
            size_t best = table[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            if (table[i - 1][k] + 1 < best)
                best = table[i - 1][k] + 1;
            if (table[i][k - 1] + 1 < best)
                best = table[i][k - 1] + 1;
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
                table[i - 2][k - 2] + 1 < best)
                best = table[i - 2][k - 2] + 1;
            table[i][k] = best;
        }
    }
    return table[la][lb];
}

const char *contract_nearest(const char *name, size_t n, const char *const *names)
{
    const char *best = NULL;
    size_t nearest = strlen(name) / 3 + 1;
    if (nearest > 3)
        nearest = 3;
    nearest++;
    for (size_t i = 0; i < n; i++) {
        size_t d = distance(name, names[i]);
        if (d < nearest && d < strlen(names[i])) {
            nearest = d;
            best = names[i];
        }
    }
    return best;
}
