/* Random kernels of numbers, branches, loops and early exits, each run twice: here, by walking its
 * tree, and by the reference interpreter on what the dialect makes of its text. Memory must be the
 * same, and no two accesses of the one block may race: plain accesses keep program order. */
#include "../dialect/reading.h"
#include "interp/interp.h"

enum { WORDS = 8, MAX_VARS = 40, KERNELS = 400 };

typedef enum node_kind {
    CONSTANT,
    VARIABLE,
    BINARY,
    NEGATION,
    NARROWING, /* through a signed char */
    ELEMENT,   /* p[a & 7] */
    CHOICE,    /* a ? b : c */
    BOTH,      /* a && b */
    EITHER,    /* a || b */
    INVERSE,   /* !a */
    /* Statements */
    ASSIGNMENT,
    STORE,    /* p[a & 7] op= b */
    BRANCH,   /* if (a) { b } else { c } */
    COUNTED,  /* for (v = a & 3; v < (b & 7); v++) { c } */
    WAITING,  /* v = 0; while (v < 5 && a) { v++; c } */
    REPEATED, /* v = 0; do { v++; c } while (v < 4 && a); */
    LEAVING,  /* if (a) break; continue; or return; */
    LIST,     /* a, then b */
} node_kind;

typedef struct node {
    node_kind kind;
    const char *op;
    uint32_t value; /* constant, number of a variable */
    struct node *a, *b, *c;
} node;

typedef struct maker {
    tr_arena *arena;
    uint64_t state;
    uint32_t n_vars; /* in scope */
    uint32_t next;   /* name of the next */
    uint32_t scope[MAX_VARS];
    bool counter[1000]; /* by name: not to be assigned to */
    int loops, budget;
} maker;

static uint32_t draw(maker *m, uint32_t below)
{
    m->state ^= m->state << 13;
    m->state ^= m->state >> 7;
    m->state ^= m->state << 17;
    return (uint32_t)(m->state >> 20) % below;
}

static node *make(maker *m, node_kind kind, node *a, node *b, node *c)
{
    node *n = TR_NEW(m->arena, node);
    *n = (node){.kind = kind, .a = a, .b = b, .c = c};
    return n;
}

/* ---- Making ---- */

static node *expression(maker *m, int depth);

static node *leaf(maker *m)
{
    static const uint32_t values[] = {0, 1, 2, 3, 7, 255, 0x80000000, 0xffffffff};
    node *n = make(m, draw(m, 3) ? VARIABLE : CONSTANT, NULL, NULL, NULL);
    n->value = n->kind == VARIABLE ? m->scope[draw(m, m->n_vars)] : values[draw(m, 8)];
    return n;
}

static node *expression(maker *m, int depth)
{
    static const char *const ops[] = {"+", "-", "*", "&",  "|", "^",  "<<", ">>",
                                      "/", "%", "<", "<=", ">", ">=", "==", "!="};
    uint32_t choice = draw(m, 20);
    if (depth > 3 || choice < 6)
        return leaf(m);
    node *a = expression(m, depth + 1);
    node_kind kind = choice < 12   ? BINARY
                     : choice < 13 ? NEGATION
                     : choice < 14 ? NARROWING
                     : choice < 16 ? ELEMENT
                     : choice < 17 ? CHOICE
                     : choice < 18 ? BOTH
                     : choice < 19 ? EITHER
                                   : INVERSE;
    node *n = make(m, kind, a, NULL, NULL);
    if (kind == BINARY || kind == CHOICE || kind == BOTH || kind == EITHER)
        n->b = expression(m, depth + 1);
    if (kind == CHOICE)
        n->c = expression(m, depth + 1);
    if (kind == BINARY)
        n->op = ops[draw(m, TR_COUNT(ops))];
    return n;
}

static node *list(maker *m, int depth);

static node *loop(maker *m, node_kind kind, int depth)
{
    uint32_t name = m->next++;
    m->counter[name] = true;
    node *n = make(m, kind, expression(m, 2), NULL, NULL);
    n->b = kind == COUNTED ? expression(m, 2) : NULL;
    n->value = name;
    m->scope[m->n_vars++] = name;
    m->loops++;
    n->c = list(m, depth + 1);
    m->loops--;
    m->n_vars--;
    return n;
}

static node *statement(maker *m, int depth)
{
    static const char *const leaves[] = {"break", "continue", "return"};
    uint32_t choice = draw(m, 20);
    if (m->budget-- < 0 || depth > 4 || m->n_vars + 2 > MAX_VARS)
        choice = 0;
    if (choice >= 12 && choice < 16) {
        node *n = make(m, BRANCH, expression(m, 1), list(m, depth + 1), NULL);
        if (draw(m, 2))
            n->c = list(m, depth + 1);
        return n;
    }
    if (choice >= 16 && choice < 19)
        return loop(m, choice == 16 ? COUNTED : choice == 17 ? WAITING : REPEATED, depth);
    if (choice == 19) {
        node *n = make(m, LEAVING, expression(m, 1), NULL, NULL);
        n->op = leaves[m->loops ? draw(m, 3) : 2];
        return n;
    }
    if (choice >= 6) {
        node *n = make(m, STORE, expression(m, 2), expression(m, 1), NULL);
        n->op = draw(m, 2) ? "" : "+";
        return n;
    }
    node *n = make(m, ASSIGNMENT, expression(m, 0), NULL, NULL);
    do
        n->value = m->scope[draw(m, m->n_vars)];
    while (m->counter[n->value]);
    return n;
}

static node *list(maker *m, int depth)
{
    node *n = statement(m, depth);
    for (uint32_t i = draw(m, depth ? 3 : 8); i > 0; i--)
        n = make(m, LIST, n, statement(m, depth), NULL);
    return n;
}

/* ---- Writing ---- */

static void write_node(tr_text *out, const node *n);

static void write_expression(tr_text *out, const node *n)
{
    static const char *const forms[] = {
        [NEGATION] = "(-",
        [NARROWING] = "(unsigned)(signed char)(",
        [ELEMENT] = "p[7 & ",
        [INVERSE] = "(unsigned)(!",
    };
    switch (n->kind) {
    case CONSTANT:
        tr_text_addf(out, "%uu", n->value);
        return;
    case VARIABLE:
        tr_text_addf(out, "v%u", n->value);
        return;
    case BINARY: {
        bool shift = strstr("<<>>", n->op) && n->op[1] == n->op[0];
        bool divides = strstr("/%", n->op) != NULL;
        tr_text_add(out, "(unsigned)(");
        write_node(out, n->a);
        tr_text_addf(out, " %s (", n->op);
        write_node(out, n->b);
        tr_text_add(out, shift ? " & 31))" : divides ? " | 1u))" : "))");
        return;
    }
    case CHOICE:
    case BOTH:
    case EITHER:
        tr_text_add(out, n->kind == CHOICE ? "(" : "(unsigned)(");
        write_node(out, n->a);
        tr_text_add(out, n->kind == CHOICE ? " ? " : n->kind == BOTH ? " && " : " || ");
        write_node(out, n->b);
        if (n->kind == CHOICE) {
            tr_text_add(out, " : ");
            write_node(out, n->c);
        }
        tr_text_add(out, ")");
        return;
    default:
        tr_text_add(out, forms[n->kind]);
        write_node(out, n->a);
        tr_text_add(out, n->kind == ELEMENT ? "]" : ")");
    }
}

static void write_loop(tr_text *out, const node *n)
{
    uint32_t v = n->value;
    if (n->kind == COUNTED) {
        tr_text_addf(out, "for (unsigned v%u = ", v);
        write_node(out, n->a);
        tr_text_addf(out, " & 3; v%u < (7 & ", v);
        write_node(out, n->b);
        tr_text_addf(out, "); v%u++) {\n", v);
        write_node(out, n->c);
        tr_text_add(out, "}\n");
        return;
    }
    bool waits = n->kind == WAITING;
    tr_text_addf(out, "{ unsigned v%u = 0;\n", v);
    if (waits) {
        tr_text_addf(out, "while (v%u < 5 && ", v);
        write_node(out, n->a);
        tr_text_add(out, ") {\n");
    } else {
        tr_text_add(out, "do {\n");
    }
    tr_text_addf(out, "v%u++;\n", v);
    write_node(out, n->c);
    if (!waits) {
        tr_text_addf(out, "} while (v%u < 4 && ", v);
        write_node(out, n->a);
        tr_text_add(out, ");\n}\n");
    } else {
        tr_text_add(out, "}\n}\n");
    }
}

static void write_node(tr_text *out, const node *n)
{
    switch (n->kind) {
    case ASSIGNMENT:
        tr_text_addf(out, "v%u = ", n->value);
        write_node(out, n->a);
        tr_text_add(out, ";\n");
        return;
    case STORE:
        tr_text_add(out, "p[7 & ");
        write_node(out, n->a);
        tr_text_addf(out, "] %s= ", n->op);
        write_node(out, n->b);
        tr_text_add(out, ";\n");
        return;
    case BRANCH:
        tr_text_add(out, "if (");
        write_node(out, n->a);
        tr_text_add(out, ") {\n");
        write_node(out, n->b);
        if (n->c) {
            tr_text_add(out, "} else {\n");
            write_node(out, n->c);
        }
        tr_text_add(out, "}\n");
        return;
    case COUNTED:
    case WAITING:
    case REPEATED:
        write_loop(out, n);
        return;
    case LEAVING:
        tr_text_add(out, "if (");
        write_node(out, n->a);
        tr_text_addf(out, ")\n%s;\n", n->op);
        return;
    case LIST:
        write_node(out, n->a);
        write_node(out, n->b);
        return;
    default:
        write_expression(out, n);
    }
}

/* ---- Running ---- */

typedef struct machine {
    uint32_t memory[WORDS], vars[1000];
} machine;

static uint32_t value_of(machine *m, const node *n)
{
    uint32_t a = n->a ? value_of(m, n->a) : 0;
    switch (n->kind) {
    case CONSTANT:
        return n->value;
    case VARIABLE:
        return m->vars[n->value];
    case NEGATION:
        return 0 - a;
    case NARROWING:
        return (uint32_t)(int32_t)(int8_t)(uint8_t)a;
    case ELEMENT:
        return m->memory[a & 7];
    case CHOICE:
        return value_of(m, a ? n->b : n->c);
    case BOTH:
        return a && value_of(m, n->b);
    case EITHER:
        return a || value_of(m, n->b);
    case INVERSE:
        return !a;
    default:
        break;
    }
    uint32_t b = value_of(m, n->b);
    bool equal = n->op[1] == '=';
    switch (n->op[0]) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '/':
        return a / (b | 1);
    case '%':
        return a % (b | 1);
    case '<':
        return n->op[1] == '<' ? a << (b & 31) : equal ? a <= b : a < b;
    case '>':
        return n->op[1] == '>' ? a >> (b & 31) : equal ? a >= b : a > b;
    case '=':
        return a == b;
    default:
        return a != b;
    }
}

typedef enum outcome { ON, BREAK, CONTINUE, RETURN } outcome;

static outcome run(machine *m, const node *n);

static outcome run_loop(machine *m, const node *n)
{
    uint32_t *v = &m->vars[n->value];
    *v = n->kind == COUNTED ? value_of(m, n->a) & 3 : 0;
    for (;;) {
        if (n->kind == COUNTED && *v >= (7 & value_of(m, n->b)))
            return ON;
        if (n->kind == WAITING && !(*v < 5 && value_of(m, n->a)))
            return ON;
        if (n->kind != COUNTED)
            ++*v;
        outcome o = run(m, n->c);
        if (o == BREAK)
            return ON;
        if (o == RETURN)
            return o;
        if (n->kind == COUNTED)
            ++*v;
        if (n->kind == REPEATED && !(*v < 4 && value_of(m, n->a)))
            return ON;
    }
}

static outcome run(machine *m, const node *n)
{
    outcome o;
    switch (n->kind) {
    case ASSIGNMENT:
        m->vars[n->value] = value_of(m, n->a);
        return ON;
    case STORE: {
        uint32_t b = value_of(m, n->b), *at = &m->memory[7 & value_of(m, n->a)];
        *at = n->op[0] ? *at + b : b;
        return ON;
    }
    case BRANCH:
        if (value_of(m, n->a))
            return run(m, n->b);
        return n->c ? run(m, n->c) : ON;
    case LEAVING:
        if (!value_of(m, n->a))
            return ON;
        return n->op[0] == 'b' ? BREAK : n->op[0] == 'c' ? CONTINUE : RETURN;
    case LIST:
        o = run(m, n->a);
        return o == ON ? run(m, n->b) : o;
    default:
        return run_loop(m, n);
    }
}

/* ---- Comparing ---- */

static void start_memory(uint32_t *memory)
{
    for (uint32_t i = 0; i < WORDS; i++)
        memory[i] = i * 2654435761u >> (i & 15);
}

static bool agrees(const ir_function *kernel, const node *body, uint32_t argument)
{
    machine m = {0};
    start_memory(m.memory);
    m.vars[0] = argument;
    m.vars[1] = argument * 3;
    run(&m, body);
    uint32_t memory[WORDS];
    start_memory(memory);
    interp_buffer buffer = {.name = "p", .bytes = sizeof memory, .data = (void *)memory};
    interp_arg args[] = {{.buffer = 0}, {.buffer = -1, .value = argument}};
    concrete_launch launch = {
        .grid = {1, 1, 1}, .n_args = 2, .args = args, .n_buffers = 1, .buffers = &buffer};
    model_choices choices = model_default_choices();
    interp_limits limits = {0};
    interp_run *result = interp_execute(kernel, &launch, &choices, &limits, NULL);
    bool same = interp_run_status(result) == INTERP_DONE;
    for (int i = 0; i < WORDS && same; i++) {
        uint64_t bits = 0;
        same = interp_read_back(result, 0, i * 4, 4, &bits) && bits == m.memory[i];
        if (!same)
            print_message("p[%d] is %llu, not %u\n", i, (unsigned long long)bits, m.memory[i]);
    }
    interp_race race;
    bool matters;
    if (same && interp_find_races(result, false, &race, 1, &matters)) {
        print_message("two accesses race\n");
        same = false;
    }
    interp_run_free(result);
    return same;
}

static void test_random(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    tr_text text = {0};
    node *bodies[KERNELS];
    for (uint32_t i = 0; i < KERNELS; i++) {
        maker m = {.arena = arena, .state = 0x9e3779b97f4a7c15u * (i + 1), .budget = 40};
        m.n_vars = m.next = 2;
        m.scope[1] = 1;
        bodies[i] = list(&m, 0);
        tr_text_addf(&text, "tile_kernel void k%u(unsigned *p, unsigned v0)\n{\n", i);
        tr_text_add(&text, "unsigned v1 = v0 * 3;\n");
        write_node(&text, bodies[i]);
        tr_text_add(&text, "}\n");
    }
    reading r = read_text(tr_text_get(&text));
    if (!r.ok)
        show_errors(&r);
    assert_true(r.ok);
    assert_int_equal(r.unit.n_kernels, KERNELS);
    assert_true(ir_verify(r.unit.module, &r.errors));
    size_t wrong = 0;
    for (uint32_t i = 0; i < KERNELS; i++)
        for (uint32_t argument = 0; argument < 40; argument += 13)
            if (!agrees(r.unit.kernels[i], bodies[i], argument)) {
                print_message("in kernel k%u with %u\n", i, argument);
                wrong++;
            }
    assert_int_equal(wrong, 0);
    reading_free(&r);
    tr_text_free(&text);
    tr_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
