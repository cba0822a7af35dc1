/* Finds which preconditions of the verdict a concrete launch breaks. A race in such a launch denies
 * nothing that was proved. */
#include "run/broken.h"

#include "run/report.h"
#include "run/target.h"

#include <string.h>

#include "base/ds.h"
#include "contract/guard.h"

typedef struct judged { /* a launch, seen with the contract that the verdict is about */
    tr_arena *arena;
    const contract *contract;
    const ir_function *kernel;
    const concrete_launch *launch;
    const interp_run *run;
} judged;

/* ---- Section: The launch as a guard sees it ---- */

/* Buffers lie far from each other; one without an end is as long as anything asks for. */
#define BUFFER_STEP ((uint64_t)1 << 56)

static const ir_type *pointee_of(const judged *j, size_t arg)
{
    const ir_type *type = j->kernel->body->args[arg]->type->elem;
    return type->kind == IR_POINTER ? type->elem : NULL;
}

static const interp_buffer *buffer_of(const judged *j, size_t arg)
{
    int buffer = arg < j->launch->n_args ? j->launch->args[arg].buffer : -1;
    return buffer < 0 || !pointee_of(j, arg) ? NULL : &j->launch->buffers[buffer];
}

static guard_buffer guarded_buffer(const judged *j, size_t arg)
{
    const interp_buffer *b = buffer_of(j, arg);
    if (!b)
        return (guard_buffer){0};
    int64_t start = j->launch->args[arg].value, bytes = b->bytes - start;
    return (guard_buffer){.address = BUFFER_STEP * (uint64_t)(b - j->launch->buffers + 1) +
                                     (uint64_t)start,
                          .bytes_known = true,
                          .bytes = b->unbounded ? BUFFER_STEP / 2
                                   : bytes > 0  ? (uint64_t)bytes
                                                : 0};
}

/* Returns what the buffer holds when the launch begins; NULL where the interpreter does not know
 * it. */
static const void *contents_of(void *user, size_t arg, uint64_t *bytes)
{
    const judged *j = user;
    const interp_buffer *b = buffer_of(j, arg);
    if (!b || b->opaque || b->known || b->n_pokes > 0)
        return NULL;
    int64_t start = j->launch->args[arg].value;
    int64_t end = b->data && b->data_bytes ? b->data_bytes : b->bytes;
    *bytes = end > start ? (uint64_t)(end - start) : 0;
    if (b->data)
        return b->data + start;
    return tr_arena_alloc(j->arena, (size_t)*bytes + 1); /* all 0 */
}

static guard_elements elements_of(const judged *j, size_t arg)
{
    const ir_type *pointee = pointee_of(j, arg);
    if (!pointee)
        return (guard_elements){0};
    return (guard_elements){.bytes = (unsigned)ir_type_bytes(pointee),
                            .are_integers = ir_type_is_int(pointee)};
}

/* Asks all preconditions of the report at once. */
static const guard_result *ask_guard(judged *j, smt_ctx *ctx, const kernel_report *report)
{
    size_t n_args = j->contract->n_args;
    const precondition **what =
        TR_NEW_ARRAY(j->arena, const precondition *, report->n_requires + 1);
    guard_elements *elements = TR_NEW_ARRAY(j->arena, guard_elements, n_args + 1);
    int64_t *scalars = TR_NEW_ARRAY(j->arena, int64_t, n_args + 1);
    guard_buffer *buffers = TR_NEW_ARRAY(j->arena, guard_buffer, n_args + 1);
    guard_result *results = TR_NEW_ARRAY(j->arena, guard_result, report->n_requires + 1);
    for (size_t i = 0; i < report->n_requires; i++)
        what[i] = &report->requires_[i].what;
    for (size_t i = 0; i < n_args; i++) {
        elements[i] = elements_of(j, i);
        elements[i].only_read = report->only_read && report->only_read[i];
        scalars[i] = j->launch->args[i].value;
        buffers[i] = guarded_buffer(j, i);
    }
    guard_launch launch = {.n_args = n_args,
                           .scalars = scalars,
                           .buffers = buffers,
                           .contents = contents_of,
                           .user = j};
    memcpy(launch.grid, j->launch->grid, sizeof launch.grid);
    guard_check(guard_new(ctx, j->contract, elements, report->n_requires, what), &launch, results,
                NULL);
    return results;
}

/* ---- Section: What is said in words ---- */

/* The undefined behaviour that such a precondition excludes. */
static bool excludes(precondition_kind kind, interp_ub_kind met)
{
    static const struct {
        precondition_kind kind;
        interp_ub_kind met;
    } pairs[] = {
        {PRECONDITION_INDEX_IN_SPACE, INTERP_UB_INDEX_SPACE},
        {PRECONDITION_INDEX_IN_SPACE, INTERP_UB_SLICE},
        {PRECONDITION_IN_BOUNDS, INTERP_UB_OUT_OF_BUFFER},
        {PRECONDITION_IN_BOUNDS, INTERP_UB_CLAIM},
        {PRECONDITION_NO_WRAP, INTERP_UB_WRAP},
        {PRECONDITION_NO_WRAP, INTERP_UB_DIVISION}, /* a shift */
        {PRECONDITION_POSITIVE_DIVISOR, INTERP_UB_DIVISION},
        {PRECONDITION_KERNEL_ASSUME, INTERP_UB_ASSUME},
    };
    for (size_t i = 0; i < TR_COUNT(pairs); i++)
        if (pairs[i].kind == kind && pairs[i].met == met)
            return true;
    return false;
}

/* Does a precondition that is only given in words hold? The run tells. */
static guard_answer words_hold(const judged *j, const precondition *p)
{
    const interp_ub *met;
    size_t n = interp_ubs(j->run, &met);
    for (size_t i = 0; i < n; i++)
        if (excludes(p->kind, met[i].kind))
            return GUARD_BROKEN;
    /* Each run begins with the contents that the contract asks for: it is no second launch. */
    bool kept =
        p->class_ == PRECONDITION_CLASS_LAUNCH || p->kind == PRECONDITION_STALE_SYNCHRONISATION;
    return kept ? GUARD_HOLDS : GUARD_NOT_CHECKED;
}

/* ---- Section: What the checker reports anyway ---- */

/* Undefined behaviour of the run that the checker reports as an error of its own. */
static const finding *reported_undefined(const kernel_report *report, const interp_ub *met)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (!rule_is_race(f->rule) && f->level == LEVEL_ERROR && f->n_locations > 0 &&
            f->locations[0].op_ordinal == met->op->ordinal)
            return f;
    }
    return NULL;
}

static void add(tr_arena *arena, run_broken **list, const char *kind, const char *text,
                bool reported)
{
    for (size_t i = 0; i < arrlenu(*list); i++)
        if (strcmp((*list)[i].text, text) == 0)
            return;
    arrput(*list, ((run_broken){.kind = tr_arena_strdup(arena, kind),
                                .text = tr_arena_strdup(arena, text),
                                .reported = reported}));
}

size_t run_broken_preconditions(const run_target *t, const concrete_launch *launch,
                                const interp_run *run, const run_broken **broken,
                                const char **undecided)
{
    tr_arena *arena = t->s->arena;
    const kernel_report *report = t->report;
    run_broken *list = NULL;
    *broken = NULL;
    *undecided = NULL;
    if (!report)
        return 0;
    judged j = {.arena = arena,
                .contract = t->checked_kernel->contract,
                .kernel = t->checked_kernel->function,
                .launch = launch,
                .run = run};
    const guard_result *asked = ask_guard(&j, t->checked->ctx, report);
    for (size_t i = 0; i < report->n_requires; i++) {
        const require *r = &report->requires_[i];
        bool in_words = precondition_is_in_words(&r->what);
        guard_answer kept = in_words ? words_hold(&j, &r->what) : asked[i].answer;
        if (kept == GUARD_BROKEN)
            add(arena, &list, precondition_name(r->what.kind), r->text, false);
        else if (kept != GUARD_HOLDS && !*undecided)
            *undecided = tr_arena_strdup(arena, r->text);
    }
    const interp_ub *met;
    size_t n_met = interp_ubs(run, &met), n;
    for (size_t i = 0; i < n_met; i++) {
        const finding *f = reported_undefined(report, &met[i]);
        if (f)
            add(arena, &list, rule_info_of(f->rule)->name, f->message, true);
    }
    n = arrlenu(list);
    *broken = n ? tr_arena_copy(arena, list, n * sizeof *list) : NULL;
    arrfree(list);
    return n;
}
