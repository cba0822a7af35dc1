#include "bytecode/julia.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bytecode/arrays.h"

static bool is_in_julia(const ir_module *module)
{
    for (const ir_function *f = module->functions; f; f = f->next)
        if (f->place && tr_ends_in(f->place->file, ".jl"))
            return true;
    return false;
}

/* ---- Section: Places by the name of the file ---- */

/* "columns.ln4.cutile", or "columns.ln4.2.cutile" of the second one from there. */
static bool read_name(tr_arena *arena, const char *path, tr_place *place)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *at = NULL;
    for (const char *next = strstr(name, ".ln"); next; next = strstr(next + 1, ".ln"))
        at = next;
    if (!at || !isdigit((unsigned char)at[3]))
        return false;
    char *rest;
    unsigned long line = strtoul(at + 3, &rest, 10);
    if (rest[0] == '.' && isdigit((unsigned char)rest[1]))
        rest += 1 + strspn(rest + 1, "0123456789");
    if (strcmp(rest, ".cutile") != 0 || line == 0 || line > INT32_MAX)
        return false;
    *place = (tr_place){.file = tr_arena_printf(arena, "%.*s.jl", (int)(at - name), name),
                        .line = (uint32_t)line};
    return true;
}

static void place_by_name(ir_module *module, const char *path)
{
    tr_place *place = TR_NEW(module->arena, tr_place);
    if (!read_name(module->arena, path, place))
        return;
    for (ir_function *f = module->functions; f; f = f->next) {
        if (f->place)
            continue;
        f->place = place;
        for (ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
            op->place = op->place ? op->place : place;
    }
}

/* ---- Section: Names of parameters ---- */

enum { MOST_PARAMETERS = 64 };

typedef struct parameter { /* as the source writes it */
    const char *name;      /* NULL: it has none that can be told */
    bool is_number;        /* by its type, so no array */
} parameter;

typedef struct signature {
    size_t n;
    parameter parameters[MOST_PARAMETERS];
} signature;

static const char *line_of(const char *text, uint32_t line)
{
    for (uint32_t at = 1; text && at < line; at++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

static size_t identifier(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return isdigit((unsigned char)text[0]) ? 0 : n;
}

static parameter read_parameter(tr_arena *arena, const char *text, size_t length)
{
    static const char *const numbers[] = {"Int", "UInt", "Bool", "Float", "Type", "Val"};
    static const char *const taken[] = {"grid", "cdiv", "min", "max"}; /* in expressions */
    while (length > 0 && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    size_t n = identifier(text);
    n = n < length ? n : length;
    const char *after = text + n;
    after += strspn(after, " ");
    parameter p = {.name = n ? tr_arena_strndup(arena, text, n) : NULL};
    for (size_t i = 0; p.name && i < TR_COUNT(taken); i++)
        p.name = strcmp(p.name, taken[i]) == 0 ? NULL : p.name;
    if (strncmp(after, "::", 2) == 0 && after + 2 < text + length)
        for (size_t i = 0; i < TR_COUNT(numbers); i++)
            p.is_number |= strncmp(after + 2, numbers[i], strlen(numbers[i])) == 0;
    else if (after < text + length && !isspace((unsigned char)*after))
        p.name = NULL; /* of a form that is not read here */
    return p;
}

/* Returns the place behind "NAME(" near the beginning of the text; NULL: it is not there. */
static const char *find_parameters(const char *text, const char *name)
{
    enum { SEARCHED = 400 };
    size_t n = strlen(name);
    for (const char *at = strstr(text, name); at && at - text <= SEARCHED;
         at = strstr(at + 1, name)) {
        bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && at[n] == '(')
            return at + n + 1;
    }
    return NULL;
}

/* The parameters of the function NAME from the given text on, which begins at its line. False: it
 * does not look as functions do, or takes any number of arguments. */
static bool read_signature(tr_arena *arena, const char *text, const char *name, signature *s)
{
    enum { LONGEST = 4000 };
    const char *at = find_parameters(text, name);
    if (!at)
        return false;
    const char *begin = at, *end = at + strnlen(at, LONGEST);
    for (int depth = 0; at < end; at++) {
        bool closes = *at == ')' || *at == '}' || *at == ']';
        if (depth == 0 && (*at == ',' || *at == ';' || closes)) {
            bool is_empty = strspn(begin, " \n\t") >= (size_t)(at - begin);
            if (s->n == MOST_PARAMETERS || memmem(begin, (size_t)(at - begin), "...", 3))
                return false;
            if (!is_empty)
                s->parameters[s->n++] = read_parameter(arena, begin, (size_t)(at - begin));
            begin = at + 1;
            if (*at != ',')
                return true;
        }
        depth += *at == '(' || *at == '{' || *at == '[';
        depth -= closes;
        if (*at == '#' || *at == '"')
            return false;
    }
    return false;
}

/* Constants take no parameter of the kernel: where arrays alone are left, numbers of the source
 * are taken for constants; else each parameter of the source has to be there. */
static bool fits(signature *s, size_t n, bool only_arrays)
{
    if (s->n == n)
        return true;
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!s->parameters[i].is_number)
            s->parameters[kept++] = s->parameters[i];
    s->n = kept;
    return only_arrays && kept == n;
}

static const char *part_name(tr_arena *arena, const char *array, const contract_member *m)
{
    if (m->role == CONTRACT_ARRAY_START || m->role == CONTRACT_ALONE)
        return array;
    return tr_arena_printf(arena, "%s.%s[%u]", array,
                           m->role == CONTRACT_ARRAY_EXTENT ? "size" : "stride", m->dimension + 1);
}

static bool begins(const contract_member *members, uint32_t i)
{
    return members[i].role == CONTRACT_ALONE || members[i].array == i;
}

/* The names that the source has; where that is in doubt, arrays are told by their number. Behind
 * all parameters of the source stands a number of the launch's own, the seed. `text`: the source
 * from the kernel's line on, or NULL. */
static void name_parameters(ir_module *module, ir_function *function, const char *text)
{
    const ir_block *body = function->body;
    contract_member *members = TR_NEW_ARRAY(module->arena, contract_member, body->n_args + 1);
    arrays_find(function, members);
    signature s = {0};
    size_t n = 0;
    bool only_arrays = true;
    uint32_t n_args = body->n_args;
    if (n_args > 0 && members[n_args - 1].role == CONTRACT_ALONE)
        n_args--;
    for (uint32_t i = 0; i < n_args; i++) {
        n += begins(members, i);
        only_arrays &= members[i].role != CONTRACT_ALONE;
    }
    bool known = text && read_signature(module->arena, text, function->shown, &s) &&
                 fits(&s, n, only_arrays);
    size_t which = 0;
    for (uint32_t i = 0; i < n_args; i++) {
        which += begins(members, i) && i > 0;
        const char *name = known ? s.parameters[which].name : NULL;
        if (!name && members[i].role != CONTRACT_ALONE)
            name = tr_arena_printf(module->arena, "array%zu", which + 1);
        if (name && !body->args[i]->name)
            body->args[i]->name = part_name(module->arena, name, &members[i]);
    }
}

/* ---- Section: Names of kernels ---- */

/* "copy_x21_" is `copy!`: what a symbol may not hold stands there by its number. Only ASCII is
 * given back. */
static const char *name_of_symbol(tr_arena *arena, const char *symbol)
{
    tr_text name = {0};
    for (const char *at = symbol; *at;) {
        char *end = NULL;
        unsigned long code = strncmp(at, "_x", 2) == 0 && isxdigit((unsigned char)at[2])
                                 ? strtoul(at + 2, &end, 16)
                                 : 0;
        bool is_one = end && *end == '_' && code > ' ' && code < 127;
        if (is_one)
            tr_text_addf(&name, "%c", (char)code);
        else
            tr_text_addn(&name, at, 1);
        at = is_one ? end + 1 : at + 1;
    }
    const char *kept = tr_arena_strdup(arena, tr_text_get(&name));
    tr_text_free(&name);
    return kept;
}

/* NULL: it cannot be read. */
static const char *read_source(ir_module *module, const char *path)
{
    size_t size;
    return path[0] == '/' ? tr_read_source(module->arena, path, &size) : NULL;
}

void julia_describe(ir_module *module, const char *path)
{
    bool by_name = tr_ends_in(path, ".cutile");
    if (!by_name && !is_in_julia(module))
        return;
    module->counts_from_one = true;
    if (by_name)
        place_by_name(module, path);
    const char *file = NULL, *text = NULL;
    for (ir_function *f = module->functions; f; f = f->next) {
        f->shown = name_of_symbol(module->arena, f->name);
        const char *its = f->place && f->place->file ? f->place->file : "";
        if (!file || strcmp(file, its) != 0)
            text = read_source(module, file = its);
        name_parameters(module, f, f->place ? line_of(text, f->place->line) : NULL);
    }
}
