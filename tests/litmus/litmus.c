/* The litmus tests against the execution enumerator: every launch that a file names has a racing
 * execution where the file expects the verdict race, and none where it expects race-free.
 *
 *     // LAUNCH grid 2 blocks 2 n 4        extents x or x,y or x,y,z, then a value for each number
 *     // LAUNCH ... after NAME             kernel NAME ran just before in the same stream
 *     // LAUNCH ... reading per-name       the static reading of loop tokens (D17)
 *     // LAUNCH ... observation causal     with what a read observes as causality (A7)
 *     // LAUNCH ... despite-races          outcomes even of executions that race
 *     // LAUNCH ... beyond-interpreter     the interpreter does not know an op of it
 *     // OUTCOME allowed|forbidden WORD... what the values of reads and elements can be: outcomes.h
 *
 * With -n N a file without such lines is tried on N small launches that meet the contract of its
 * kernels: none of a race-free kernel may race; racy ones of which none does are counted.
 *
 * With -both every launch is looked at twice, for races alone and for outcomes: the answers have to
 * be the same.
 *
 * With -every-op each op that reads or writes memory has to be in one of the files.
 *
 * Usage: litmus [-v] [-both] [-every-op] [-n N] FILE...   Lines for what disagrees; exit code 1
 * when something does. */
#include "outcomes.h"

#include "base/ds.h"
#include "dialect/dialect.h"
#include "executions/executions.h"
#include "launch/from_contract.h"
#include "launch/search.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_WORDS = 64, MAX_PARTS = 3 };

typedef struct tally {
    size_t files, launches, failures, open, unshown;
    size_t wanted; /* launches of a file that names none */
    bool verbose, both_ways;
    size_t both;
    bool seen[IR_OP_COUNT]; /* in a kernel of the files */
} tally;

typedef struct sheet { /* one file */
    tr_arena *arena;
    smt_ctx *ctx;
    const char *path;
    dialect_unit unit;
    size_t n_words;
    char *words[MAX_WORDS]; /* of the line at hand */
    char **outcomes;        /* stb_ds: OUTCOME lines */
    const char *verdict;    /* of the kernel that the launches speak of */
    bool words_hold_zero;   /* ... which rests on words that hold 0 at launch */
} sheet;

static bool fail(const sheet *s, tally *t, const char *what, const char *detail)
{
    printf("%s: %s%s%s\n", s->path, what, detail ? ": " : "", detail ? detail : "");
    t->failures++;
    return false;
}

/* ---- Lines ---- */

static void split(sheet *s, char *line)
{
    s->n_words = 0;
    for (char *w = strtok(line, " \t\r"); w && s->n_words < MAX_WORDS; w = strtok(NULL, " \t\r"))
        s->words[s->n_words++] = w;
}

static const char *word_after(const sheet *s, const char *name)
{
    for (size_t i = 0; i + 1 < s->n_words; i++)
        if (strcmp(s->words[i], name) == 0)
            return s->words[i + 1];
    return NULL;
}

static size_t kernel_named(const sheet *s, const char *name)
{
    for (size_t i = 0; i < s->unit.n_kernels; i++)
        if (strcmp(s->unit.kernels[i]->name, name) == 0)
            return i;
    return s->unit.n_kernels;
}

/* The kernel whose launches these are: the last one of the file. */
static size_t main_kernel(const sheet *s)
{
    return s->unit.n_kernels - 1;
}

/* ---- Launches ---- */

static bool parse_grid(const char *text, int64_t grid[3])
{
    grid[0] = grid[1] = grid[2] = 1;
    for (int axis = 0; axis < 3 && text; axis++) {
        char *end;
        grid[axis] = strtoll(text, &end, 10);
        text = *end == ',' ? end + 1 : NULL;
    }
    return grid[0] > 0;
}

static concrete_launch *launch_of(const sheet *s, size_t kernel, const char **why)
{
    const contract *c = s->unit.contracts[kernel];
    int64_t grid[3], *scalars = TR_NEW_ARRAY(s->arena, int64_t, c->n_args + 1);
    const char *extents = word_after(s, "grid");
    if (!extents || !parse_grid(extents, grid)) {
        *why = "no grid";
        return NULL;
    }
    for (size_t i = 0; i < c->n_args; i++) {
        const char *value = c->args[i].name ? word_after(s, c->args[i].name) : NULL;
        if (c->args[i].kind != CONTRACT_SCALAR)
            continue;
        if (!value) {
            *why = tr_arena_printf(s->arena, "no value for '%s'", c->args[i].name);
            return NULL;
        }
        scalars[i] = strtoll(value, NULL, 10);
    }
    int64_t stated[3];
    memcpy(stated, grid, sizeof grid);
    if (!concrete_launch_holds(s->ctx, c, scalars, stated) || memcmp(stated, grid, sizeof grid)) {
        *why = "the launch does not meet the contract";
        return NULL;
    }
    return concrete_launch_from(s->arena, s->ctx, s->unit.kernels[kernel], c, grid, scalars, NULL,
                                why);
}

/* Who else touches the buffers does what this kernel does, from elsewhere. */
static void add_peers(const contract *c, executions_part *parts, size_t *n)
{
    if (c->peers == CONTRACT_PEERS_NONE)
        return;
    parts[*n] = parts[*n - 1];
    parts[*n].stream = 1;
    parts[*n].device = c->peers == CONTRACT_PEERS_SYS;
    (*n)++;
}

static const executions *run_launch(sheet *s, executions_goal goal, const char **why)
{
    executions_part parts[MAX_PARTS];
    size_t n = 0, kernel = main_kernel(s);
    const char *before = word_after(s, "after"), *reading = word_after(s, "reading");
    model_choices choices = model_default_choices();
    if (reading && strcmp(reading, "per-name") == 0)
        choices.loop_tokens = MODEL_PER_NAME;
    choices.observation_is_causal = word_after(s, "observation") != NULL;
    if (before) {
        size_t first = kernel_named(s, before);
        if (first == s->unit.n_kernels) {
            *why = "the kernel before is not in the file";
            return NULL;
        }
        const concrete_launch *launch = launch_of(s, first, why);
        if (!launch)
            return NULL;
        parts[n++] = (executions_part){.kernel = s->unit.kernels[first], .launch = launch};
    }
    const concrete_launch *launch = launch_of(s, kernel, why);
    if (!launch)
        return NULL;
    parts[n++] = (executions_part){.kernel = s->unit.kernels[kernel],
                                   .launch = launch,
                                   .dependent = s->unit.contracts[kernel]->pdl};
    add_peers(s->unit.contracts[kernel], parts, &n);
    return executions_find(s->arena, n, parts, &choices, NULL, goal);
}

/* ---- Comparing ---- */

static void print_event(const executions_event *e)
{
    printf(" line %u block %u of part %u %s[byte %lld]", e->op->place ? e->op->place->line : 0,
           e->block, e->part, e->buffer, (long long)e->address);
}

static void print_answer(const sheet *s, const char *line, const executions *x)
{
    static const char *const answers[] = {"race-free", "race", "bound", "undecided"};
    printf("%s: %s: %s, %llu traces, %llu candidates, %llu executions%s", s->path, line,
           answers[x->answer], (unsigned long long)x->n_traces, (unsigned long long)x->n_candidates,
           (unsigned long long)x->n_executions, x->blocked ? ", some blocked" : "");
    if (x->answer == EXECUTIONS_RACE) {
        printf(":");
        print_event(&x->race[0]);
        printf(" and");
        print_event(&x->race[1]);
    } else if (x->why) {
        printf(": %s at line %u", x->why, x->where && x->where->place ? x->where->place->line : 0);
    }
    printf("\n");
}

static bool check_outcomes(sheet *s, tally *t, const char *line, const executions *x)
{
    bool fine = true;
    for (ptrdiff_t i = 0; i < arrlen(s->outcomes); i++) {
        char *copy = tr_arena_strdup(s->arena, s->outcomes[i]);
        split(s, copy);
        const char *why = NULL;
        if (!outcomes_meet(x, s->n_words, s->words, &why))
            fine =
                fail(s, t, tr_arena_printf(s->arena, "%s: OUTCOME %s", line, s->outcomes[i]), why);
    }
    return fine;
}

/* The same question with every value given and no element left out. */
static void check_both_ways(sheet *s, tally *t, const char *line, const executions *x)
{
    const char *why;
    const executions *other =
        run_launch(s, arrlen(s->outcomes) ? EXECUTIONS_RACES : EXECUTIONS_OUTCOMES, &why);
    bool decided =
        other && (other->answer == EXECUTIONS_RACE_FREE || other->answer == EXECUTIONS_RACE);
    t->both += decided;
    if (decided && other->answer != x->answer) {
        print_answer(s, line, other);
        fail(s, t, line, "outcomes and races disagree");
    }
}

static void check_launch(sheet *s, tally *t, const char *line)
{
    char *copy = tr_arena_strdup(s->arena, line);
    const char *why = "no reason";
    bool want_outcomes = arrlen(s->outcomes) > 0;
    bool despite_races = strstr(line, " despite-races") != NULL;
    executions_goal goal = want_outcomes ? EXECUTIONS_OUTCOMES : EXECUTIONS_RACES;
    split(s, copy);
    const executions *x = run_launch(s, despite_races ? EXECUTIONS_ALL_OUTCOMES : goal, &why);
    t->launches++;
    if (!x) {
        fail(s, t, line, why);
        return;
    }
    executions_answer wanted =
        strcmp(s->verdict, "race") == 0 && !despite_races ? EXECUTIONS_RACE : EXECUTIONS_RACE_FREE;
    if (strstr(line, " beyond-interpreter"))
        wanted = EXECUTIONS_UNDECIDED;
    bool expected = x->answer == wanted;
    if (t->verbose || !expected)
        print_answer(s, line, x);
    if (t->verbose && x->n_outcomes)
        outcomes_print(x);
    if (!expected)
        fail(s, t, tr_arena_printf(s->arena, "%s: not %s", line, s->verdict), NULL);
    else if (x->answer == EXECUTIONS_RACE_FREE && !x->n_executions)
        fail(s, t, tr_arena_printf(s->arena, "%s: no execution at all", line), NULL);
    else if (t->both_ways && !despite_races)
        check_both_ways(s, t, line, x);
    if (expected && want_outcomes && x->answer == EXECUTIONS_RACE_FREE)
        check_outcomes(s, t, line, x);
}

/* The expectation of one kernel, and the OUTCOME lines. */
static void read_expectations(sheet *s, char **lines, const char *name)
{
    bool mine = true;
    s->verdict = "race-free";
    s->words_hold_zero = false;
    arrsetlen(s->outcomes, 0);
    for (ptrdiff_t i = 0; i < arrlen(lines); i++) {
        if (strncmp(lines[i], "// OUTCOME ", 11) == 0)
            arrput(s->outcomes, lines[i] + 11);
        if (strncmp(lines[i], "// EXPECT ", 10) != 0)
            continue;
        split(s, tr_arena_strdup(s->arena, lines[i] + 10));
        if (s->n_words > 1 && strcmp(s->words[0], "kernel") == 0)
            mine = strcmp(s->words[1], name) == 0;
        else if (mine && s->n_words > 1 && strcmp(s->words[0], "verdict") == 0)
            s->verdict = s->words[1];
        else if (mine && s->n_words > 1 && strcmp(s->words[0], "requires") == 0)
            for (size_t w = 1; w < s->n_words; w++)
                s->words_hold_zero |= strcmp(s->words[w], "contents-range:standing") == 0;
    }
}

static const executions *run_small(sheet *s, size_t kernel, const concrete_launch *launch)
{
    executions_part parts[MAX_PARTS];
    size_t n = 0;
    executions_limits limits = {.milliseconds = 2000};
    parts[n++] = (executions_part){.kernel = s->unit.kernels[kernel], .launch = launch};
    add_peers(s->unit.contracts[kernel], parts, &n);
    return executions_find(s->arena, n, parts, NULL, &limits, EXECUTIONS_RACES);
}

/* The contract, with integers that nothing is said of being 0. */
static const contract *with_zero_words(const sheet *s, const ir_function *kernel, const contract *c)
{
    contract *with = tr_arena_copy(s->arena, c, sizeof *c);
    with->args = tr_arena_copy(s->arena, c->args, c->n_args * sizeof *c->args);
    for (size_t i = 0; i < c->n_args; i++) {
        contract_contents *contents = &with->args[i].contents;
        if (c->args[i].kind == CONTRACT_POINTER && !contents->min && !contents->max &&
            ir_type_is_int(kernel->body->args[i]->type->elem->elem))
            contents->min = contents->max = smt_int_const(s->ctx, 0);
    }
    return with;
}

static void check_small_launches(sheet *s, tally *t, size_t kernel)
{
    const ir_function *function = s->unit.kernels[kernel];
    const contract *c = s->unit.contracts[kernel];
    bool racy = strcmp(s->verdict, "race") == 0;
    /* Which launches break a precondition is not known here. */
    bool may_race = strcmp(s->verdict, "race-free") != 0;
    if (s->words_hold_zero)
        c = with_zero_words(s, function, c);
    interp_search search = {.wanted = t->wanted, .max_blocks = 6, .max_elements = 1 << 16};
    concrete_launch **launches;
    size_t n = concrete_enumerate_launches(s->arena, s->ctx, function, c, &search, &launches);
    size_t races = 0, decided = 0;
    int64_t too_many = INT64_MAX; /* blocks of a launch with more executions than are looked at */
    for (size_t i = 0; i < n && !(racy && races); i++) {
        int64_t blocks = launches[i]->grid[0] * launches[i]->grid[1] * launches[i]->grid[2];
        if (blocks > too_many)
            continue;
        const executions *x = run_small(s, kernel, launches[i]);
        tr_text text = {0};
        concrete_launch_print(&text, function, c, launches[i]);
        races += x->answer == EXECUTIONS_RACE;
        decided += x->answer == EXECUTIONS_RACE || x->answer == EXECUTIONS_RACE_FREE;
        if (x->answer != EXECUTIONS_RACE && x->answer != EXECUTIONS_RACE_FREE)
            too_many = blocks;
        bool wrong = x->answer == EXECUTIONS_RACE && !may_race;
        if (t->verbose || wrong)
            print_answer(s, tr_text_get(&text), x);
        if (wrong)
            fail(s, t, tr_text_get(&text), "a race");
        tr_text_free(&text);
    }
    t->launches += n;
    t->open += !decided;
    t->unshown += racy && !races;
    if (t->verbose)
        printf("%s: %s: %zu launches, %zu decided, %zu race\n", s->path, function->shown, n,
               decided, races);
}

static void check_lines(sheet *s, tally *t)
{
    size_t length;
    const char *why;
    char *text = tr_read_file(s->arena, TR_FILE_KERNELS, s->path, &length, &why), **lines = NULL;
    if (!text) {
        fail(s, t, "not read", why);
        return;
    }
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t n = strcspn(line, "\n");
        if (!*line)
            break;
        arrput(lines, tr_arena_strndup(s->arena, line, n));
    }
    read_expectations(s, lines, s->unit.kernels[main_kernel(s)]->name);
    size_t before = t->launches;
    for (ptrdiff_t i = 0; i < arrlen(lines); i++)
        if (strncmp(lines[i], "// LAUNCH ", 10) == 0)
            check_launch(s, t, lines[i] + 10);
    if (t->launches == before && !t->wanted)
        fail(s, t, "no LAUNCH line", NULL);
    for (size_t k = 0; t->launches == before && t->wanted && k < s->unit.n_kernels; k++) {
        read_expectations(s, lines, s->unit.kernels[k]->name);
        check_small_launches(s, t, k);
        before = t->launches;
    }
    arrfree(lines);
    arrfree(s->outcomes);
}

/* Ops that read or write and that the dialect cannot express: multicast memory. */
static const ir_opcode not_in_c[] = {IR_OP_MULTIMEM_LOAD_REDUCE_VIEW_TKO,
                                     IR_OP_MULTIMEM_REDUCE_VIEW_TKO, IR_OP_MULTIMEM_STORE_VIEW_TKO};

static void note_ops(tally *t, const ir_module *module)
{
    for (const ir_function *f = module->functions; f; f = f->next)
        for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
            t->seen[op->code] = true;
}

/* Each op that reads or writes must be in one of the files. */
static void expect_every_op(tally *t)
{
    for (size_t i = 0; i < TR_COUNT(not_in_c); i++)
        t->seen[not_in_c[i]] = true;
    for (int code = 0; code < IR_OP_COUNT; code++) {
        const ir_op_info *info = ir_op_info_of((ir_opcode)code);
        if (t->seen[code] || !(info->effects & (IR_READS | IR_WRITES | IR_ATOMIC)))
            continue;
        printf("no litmus test has the op %s: add one to models/tileir_memory/litmus\n",
               info->mnemonic);
        t->failures++;
    }
}

static void check_file(const char *path, tally *t)
{
    smt_ctx *ctx = smt_ctx_new();
    sheet s = {.arena = tr_arena_new(), .ctx = ctx, .path = path};
    tr_errors errors = tr_errors_make(s.arena);
    dialect_options options = {.include_folder = TILERACE_SOURCE_DIR "/include"};
    if (dialect_read(s.arena, ctx, path, &options, &s.unit, &errors) && s.unit.n_kernels) {
        for (size_t i = 0; i < s.unit.n_kernels; i++)
            contract_settle_ranges(ctx, s.unit.contracts[i], NULL);
        note_ops(t, s.unit.module);
        check_lines(&s, t);
        for (size_t i = 0; i < s.unit.n_kernels; i++)
            contract_free(s.unit.contracts[i]);
        ir_module_free(s.unit.module);
    } else {
        fail(&s, t, "not read", errors.items ? errors.items[0].text : "no kernel");
    }
    tr_errors_free(&errors);
    tr_arena_free(s.arena);
    smt_ctx_free(ctx);
    t->files++;
}

int main(int argc, char **argv)
{
    tally t = {0};
    bool every_op = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0)
            t.verbose = true;
        else if (strcmp(argv[i], "-both") == 0)
            t.both_ways = true;
        else if (strcmp(argv[i], "-every-op") == 0)
            every_op = true;
        else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
            t.wanted = strtoul(argv[++i], NULL, 10);
        else
            check_file(argv[i], &t);
    }
    if (every_op)
        expect_every_op(&t);
    printf(
        "%zu files, %zu launches, %zu failed; %zu kernels without a decided launch, %zu racy ones "
        "that no launch shows\n",
        t.files, t.launches, t.failures, t.open, t.unshown);
    if (t.both_ways)
        printf("%zu launches decided both ways\n", t.both);
    return t.failures || !t.files ? 1 : 0;
}
