/* Reads a (get-value)'s list of (term value) pairs; the terms are skipped, they come in order. */
#include "solver/values.h"

#include "terms/poly.h"
#include "terms/range.h"

#include <ctype.h>
#include <string.h>

typedef struct value_reader {
    const char *at;
    bool ok;
} value_reader;

static void skip_blanks(value_reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static void expect(value_reader *r, char c)
{
    skip_blanks(r);
    if (*r->at == c)
        r->at++;
    else
        r->ok = false;
}

/* Skips from the opening quote to behind the closing one. */
static void skip_quoted(value_reader *r, char quote)
{
    r->at++;
    while (*r->at && *r->at != quote)
        r->at++;
    if (*r->at)
        r->at++;
    else
        r->ok = false;
}

static void skip_expression(value_reader *r)
{
    long open = 0;
    skip_blanks(r);
    const char *begin = r->at;
    do {
        skip_blanks(r);
        if (*r->at == '\0' || (*r->at == ')' && open == 0)) {
            r->ok = false;
            return;
        }
        if (*r->at == '(' || *r->at == ')') {
            open += *r->at == '(' ? 1 : -1;
            r->at++;
        } else if (*r->at == '|' || *r->at == '"') {
            skip_quoted(r, *r->at);
        } else {
            while (*r->at && !isspace((unsigned char)*r->at) && !strchr("()|\"", *r->at))
                r->at++;
        }
    } while (open > 0 && r->ok);
    r->ok &= r->at > begin;
}

static smt_int read_digits(value_reader *r)
{
    smt_int value = 0;
    if (!isdigit((unsigned char)*r->at))
        r->ok = false;
    while (isdigit((unsigned char)*r->at) && r->ok) {
        smt_int digit = *r->at++ - '0';
        r->ok = smt_safe_mul(value, 10, &value) && smt_safe_add(value, digit, &value);
    }
    return value;
}

static bool accept_word(value_reader *r, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0 || isalnum((unsigned char)r->at[length]))
        return false;
    r->at += length;
    return true;
}

static smt_int read_value(value_reader *r)
{
    skip_blanks(r);
    if (accept_word(r, "true"))
        return 1;
    if (accept_word(r, "false"))
        return 0;
    if (*r->at == '-') { /* not SMT-LIB, but seen */
        r->at++;
        return -read_digits(r);
    }
    if (*r->at != '(')
        return read_digits(r);
    r->at++;
    expect(r, '-');
    skip_blanks(r);
    smt_int value = -read_digits(r);
    expect(r, ')');
    return value;
}

bool smt_read_values(const char *text, size_t n, smt_int *values)
{
    value_reader r = {text, true};
    expect(&r, '(');
    for (size_t i = 0; i < n && r.ok; i++) {
        expect(&r, '(');
        skip_expression(&r);
        values[i] = read_value(&r);
        expect(&r, ')');
    }
    expect(&r, ')');
    skip_blanks(&r);
    return r.ok && *r.at == '\0';
}
