/* The part of a module's process that executes launches: what is said about one. */
#include "base/ds.h"
#include "exec/execute.h"
#include "exec/worker.h"

enum {
    MOST_TOLD = 3, /* launches that are told of in words */
    MOST_JUDGED = 1 << 16,
};

static void forget(performing *p)
{
    execution_free(p->execution);
    if (p->arena)
        tr_arena_free(p->arena);
    p->execution = NULL;
    p->arena = NULL;
}

void perform_free(performing *p)
{
    forget(p);
    hmfree(p->judged);
}

/* ---- Section: What was said of a launch ---- */

static uint64_t add_bytes(uint64_t key, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < n; i++)
        key = (key ^ at[i]) * 0x100000001b3u;
    return key;
}

static uint64_t key_of(const seen_launch *launch)
{
    uint64_t key = add_bytes(0xcbf29ce484222325u, launch->symbol, strlen(launch->symbol));
    key = add_bytes(key, launch->grid, sizeof launch->grid);
    for (size_t i = 0; i < launch->n_arguments; i++)
        key = add_bytes(key, launch->arguments[i].value, launch->arguments[i].bytes);
    return key;
}

void perform_judged(performing *p, const seen_launch *launch, judgement_kind kind)
{
    if (hmlenu(p->judged) >= MOST_JUDGED)
        hmfree(p->judged);
    hmput(p->judged, key_of(launch), kind);
}

/* Whether its run is to be searched: no proof holds for it, and nothing was found. */
static bool is_open(performing *p)
{
    ptrdiff_t at = hmgeti(p->judged, key_of(&p->launch));
    judgement_kind kind = at < 0 ? JUDGED_NOT_CHECKED : p->judged[at].value;
    return kind == JUDGED_NOT_CHECKED || kind == JUDGED_UNDECIDED;
}

/* ---- Section: In words ---- */

/* Says where the kernel is: the operation, or its first line. */
static void say_where(const performing *p, const ir_op *op, tr_text *about)
{
    const seen_names *names = exec_judge_names(p->judge);
    const tr_place *place = op ? op->place : NULL;
    if (place && place->line)
        tr_text_addf(about, "%s:%u: ", place->file, (unsigned)place->line);
    else if (names && names->file)
        tr_text_addf(about, "%s:%u: ", names->file, names->line);
    else
        tr_text_add(about, "tilerace: ");
}

static void say_not_done(performing *p, const char *why, const ir_op *op, const char *level,
                         tr_text *about)
{
    const uint64_t *grid = p->launch.grid;
    const char *kernel = p->kernel < exec_judge_n_kernels(p->judge)
                             ? exec_judge_kernel(p->judge, p->kernel)->name
                             : p->launch.symbol;
    say_where(p, op, about);
    tr_text_addf(about, "%sa launch of '%s' is not executed: %s\n", level, kernel, why);
    if (p->launch.file)
        tr_text_addf(about, "%s:%u: note: launched here with grid (%llu, %llu, %llu)\n",
                     p->launch.file, p->launch.line, (unsigned long long)grid[0],
                     (unsigned long long)grid[1], (unsigned long long)grid[2]);
}

/* ---- Section: Answers ---- */

static void write_wanted(const performing *p, wire_writer *out)
{
    const execute_range *ranges;
    size_t n = execution_wants(p->execution, &ranges);
    wire_begin(out, WIRE_WANTED);
    wire_u32(out, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        wire_u64(out, ranges[i].address);
        wire_u64(out, ranges[i].bytes);
    }
}

/* Answers that the launch is not executed, with the reason and with the memory that it would have
 * written, whose contents are unknown from now on. */
static void write_not_done(performing *p, const char *why, const ir_op *op, wire_writer *out)
{
    tr_text about = {0}, found = {0};
    const judge_written *written = NULL;
    size_t n = p->kernel < exec_judge_n_kernels(p->judge)
                   ? exec_judge_written_by(p->judge, p->arena, &p->launch, p->kernel, &written)
                   : 0;
    const char *shown = p->execution ? execution_found(p->execution) : "";
    if (p->launch.takes_finding)
        say_not_done(p, why, op, "", &found);
    else if (p->told++ < MOST_TOLD)
        say_not_done(p, why, op, "warning: ", &about);
    tr_text_add(p->launch.takes_finding ? &found : &about, shown);
    wire_begin(out, WIRE_EXECUTED);
    wire_u8(out, WIRE_NOT_EXECUTED);
    wire_u32(out, (uint32_t)p->kernel);
    wire_text(out, tr_text_get(&about));
    wire_text(out, why);
    wire_text(out, tr_text_get(&found));
    wire_u32(out, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        wire_u64(out, written[i].address);
        wire_u64(out, written[i].bytes);
    }
    wire_text(out, NULL);
    wire_u32(out, 0);
    tr_text_free(&about);
    tr_text_free(&found);
}

typedef struct page_list {
    wire_writer *out;
    uint32_t n;
} page_list;

static void add_page(void *user, const execute_page *page)
{
    page_list *list = user;
    list->n++;
    wire_u64(list->out, page->address);
    wire_bytes(list->out, page->which, (page->bytes + 7) / 8);
    wire_bytes(list->out, page->contents, page->bytes);
}

/* A program that takes findings is told the rules first, which end the lines of errors in brackets.
 */
static void add_rules(const char *found, tr_text *out)
{
    tr_text rules = {0};
    for (const char *end; (end = strstr(found, "]\n")); found = end + 2) {
        const char *begin = end;
        while (begin > found && begin[-1] != '[' && begin[-1] != '\n')
            begin--;
        if (begin > found && begin[-1] == '[' && !strchr("0123456789", *begin))
            tr_text_addf(&rules, "%s%.*s", rules.length ? " " : "", (int)(end - begin), begin);
    }
    if (rules.length)
        tr_text_addf(out, "%s%s", tr_text_get(&rules), WIRE_END_OF_RULES);
    tr_text_free(&rules);
}

static void write_found(performing *p, wire_executed done, const char *found, wire_writer *out)
{
    tr_text text = {0};
    if (p->launch.takes_finding)
        add_rules(found, &text);
    tr_text_add(&text, found);
    wire_begin(out, WIRE_EXECUTED);
    wire_u8(out, (uint8_t)done);
    wire_u32(out, (uint32_t)p->kernel);
    wire_text(out, NULL);
    wire_text(out, NULL);
    wire_text(out, tr_text_get(&text));
    wire_u32(out, 0);
    wire_text(out, done == WIRE_DONE ? execution_printed(p->execution) : NULL);
    tr_text_free(&text);
}

static void write_done(performing *p, wire_writer *out)
{
    page_list pages = {out, 0};
    write_found(p, WIRE_DONE, execution_found(p->execution), out);
    size_t count = wire_later(out);
    execution_changes(p->execution, add_page, &pages);
    wire_now(out, count, pages.n);
}

static void finish(performing *p, wire_writer *out)
{
    const ir_op *where = NULL;
    const char *why = p->why;
    uint64_t used = 0;
    if (!why && p->steps / LAUNCHES_TOGETHER >= p->options->interpret_steps)
        why = "the launches of its module have taken all the steps that they may";
    if (!why) {
        execution_run(p->execution, p->options->interpret_steps, is_open(p), &used);
        why = execution_why(p->execution, &where);
        p->steps += used;
    }
    const char *found = p->execution ? execution_found(p->execution) : "";
    if (found[0] && p->launch.stops) {
        write_found(p, WIRE_REFUSED, found, out);
        wire_u32(out, 0);
    } else if (why)
        write_not_done(p, why, where, out);
    else
        write_done(p, out);
    forget(p);
}

static void go_on(performing *p, wire_writer *out)
{
    const execute_range *ranges;
    if (p->execution && execution_wants(p->execution, &ranges) > 0)
        write_wanted(p, out);
    else
        finish(p, out);
}

/* ---- Section: What comes ---- */

static void prepare(performing *p)
{
    const judge *j = p->judge;
    p->kernel = exec_judge_find_kernel(j, p->launch.symbol);
    p->why = exec_judge_error(j);
    if (!p->why && p->kernel >= exec_judge_n_kernels(j))
        p->why = "its kernel is not known";
    if (!p->why && !seen_fits(&p->launch, exec_judge_kernel(j, p->kernel)))
        p->why = "its arguments are not those of the kernel";
    if (!p->why)
        p->execution =
            execution_new(p->arena, exec_judge_function(j, p->kernel),
                          exec_judge_kernel(j, p->kernel), exec_judge_names(j), &p->launch);
}

bool perform_launch(performing *p, const uint8_t *frame, size_t length, wire_writer *out)
{
    wire_reader r;
    forget(p);
    p->arena = tr_arena_new();
    wire_open(tr_arena_copy(p->arena, frame, length), length, &r);
    if (!seen_read(p->arena, &r, &p->launch))
        return false;
    prepare(p);
    go_on(p, out);
    return true;
}

bool perform_memory(performing *p, wire_reader *r, wire_writer *out)
{
    const execute_range *ranges;
    size_t wanted = p->execution ? execution_wants(p->execution, &ranges) : 0;
    uint32_t n = wire_read_count(r, 4);
    if (wanted == 0 || n != wanted)
        return false;
    const uint8_t **contents = TR_NEW_ARRAY(p->arena, const uint8_t *, n);
    const uint8_t **undefined = TR_NEW_ARRAY(p->arena, const uint8_t *, n);
    for (uint32_t i = 0; i < n; i++) {
        size_t length;
        const uint8_t *data = wire_read_bytes(r, &length);
        contents[i] = length == ranges[i].bytes ? data : NULL;
        data = wire_read_bytes(r, &length);
        undefined[i] = length && length == (ranges[i].bytes + 7) / 8 ? data : NULL;
    }
    if (!wire_read_all(r))
        return false;
    execution_give(p->execution, contents, undefined);
    go_on(p, out);
    return true;
}
