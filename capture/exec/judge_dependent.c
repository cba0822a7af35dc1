/* Launches by programmatic dependent launch: what may still run beside them. */
#include "exec/judge_private.h"

#include <string.h>

#include "base/ds.h"
#include "exec/touched.h"

/* ---- Section: Modules of other launches ---- */

struct judge_other {
    uint32_t number;
    judge *judge;
};

void exec_judge_add_other(judge *j, uint32_t number, const void *bytes, size_t size,
                          const char *names)
{
    /* Nobody asks for a verdict: the check is for what the kernels' parameters are. */
    enum { STEPS = 1000 };
    judge_options options = j->options;
    options.recording = NULL;
    options.steps = STEPS;
    judge *other = exec_judge_new(tr_arena_copy(j->arena, bytes, size), size, names, &options);
    arrput(j->others, ((struct judge_other){number, other}));
}

void exec_judge_free_others(judge *j)
{
    for (size_t i = 0; i < arrlenu(j->others); i++)
        exec_judge_free(j->others[i].judge);
    arrfree(j->others);
}

/* NULL: it was not told. */
static judge *find_module(judge *j, uint32_t own, uint32_t number)
{
    if (number == own)
        return j;
    for (size_t i = 0; i < arrlenu(j->others); i++) {
        judge *other = j->others[i].judge;
        if (j->others[i].number != number)
            continue;
        if (!other->result && !other->error)
            exec_judge_check(other);
        return other;
    }
    return NULL;
}

/* ---- Section: What may still run ---- */

static touching touching_of(asking *a, const seen_launch *before)
{
    touching t = {.launch = before, .is_unclear = before->is_unclear};
    judge *of = before->module ? find_module(a->j, a->launch->module, before->module) : NULL;
    size_t n = of ? exec_judge_n_kernels(of) : 0,
           kernel = n ? exec_judge_find_kernel(of, before->symbol) : 0;
    if (kernel >= n || !seen_fits(before, exec_judge_kernel(of, kernel)))
        return t;
    t.kernel = exec_judge_kernel(of, kernel);
    t.function = exec_judge_function(of, kernel);
    t.names = of->names;
    t.only_read = of->result->of_inputs[0].kernels[kernel].only_read;
    return t;
}

/* Returns what the preceding launches touch. */
static const seen_touched *find_touched(asking *a, bool exactly, size_t *n)
{
    const seen_launch *launch = a->launch;
    seen_touched *list = NULL;
    for (size_t i = 0; i < launch->n_before; i++) {
        touching t = touching_of(a, &launch->launches_before[i]);
        t.is_unwaited = i > 0 && !launch->launches_before[i].is_early;
        touched_add(a->arena, &t, exactly, &list);
    }
    *n = arrlenu(list);
    seen_touched *kept = TR_NEW_ARRAY(a->arena, seen_touched, *n + 1);
    if (*n)
        memcpy(kept, list, *n * sizeof *kept);
    arrfree(list);
    return kept;
}

/* Variables of a module are no buffer that a contract could name. */
static bool has_variables(const ir_function *function)
{
    bool any = false;
    for (const ir_global *g = function->module->globals; g; g = g->next)
        any |= !g->is_constant;
    for (const ir_op *op = any ? ir_first_op(function) : NULL; op; op = ir_next_op(op))
        if (op->code == IR_OP_GET_GLOBAL)
            return true;
    return false;
}

static bool shares_variables(asking *a)
{
    const seen_launch *launch = a->launch;
    if (!has_variables(exec_judge_function(a->j, a->answer->kernel)))
        return false;
    for (size_t i = 0; i < launch->n_before; i++)
        if (launch->launches_before[i].module == launch->module)
            return true;
    return false;
}

/* ---- Section: Beside what is stated ---- */

static void say_before(asking *a)
{
    const seen_launch *launch = a->launch;
    for (size_t i = 0; i < launch->n_before; i++) {
        const seen_launch *b = &launch->launches_before[i];
        const touching t = touching_of(a, b);
        if (b->file)
            tr_text_addf(&a->answer->about, "%s:%u: ", b->file, b->line);
        tr_text_addf(&a->answer->about,
                     "note: '%s', launched %s with grid (%llu, %llu, %llu), may still run "
                     "(programmatic dependent launch)\n",
                     t.kernel ? t.kernel->name : b->symbol, b->file ? "here" : "before it",
                     (unsigned long long)b->grid[0], (unsigned long long)b->grid[1],
                     (unsigned long long)b->grid[2]);
    }
}

/* Judges a launch by the check of it together with the launches before it. Their kernels are named
 * where the result is not that the launch holds. */
static judgement_kind judge_checked(asking *a, tilerace_result *result)
{
    bool is_allowed;
    size_t kernel = exec_judge_find_in(result, a->launch->symbol);
    if (exec_judge_first_error(result) || kernel >= tilerace_kernel_count(result))
        return JUDGED_NOT_CHECKED;
    switch (tilerace_kernel_at(result, kernel)->verdict) {
    case TILERACE_RACE_FREE:
    case TILERACE_CONDITIONAL: /* the launch by itself is held already */
        return JUDGED_HELD;
    case TILERACE_RACE:
        is_allowed = exec_judge_is_allowed(result, kernel);
        exec_judge_take_rules(a, &result->of_inputs[0].kernels[kernel]);
        exec_judge_write_result(a->j, result, kernel, false, &a->answer->about);
        exec_judge_say_launched_here(a);
        say_before(a);
        return is_allowed ? JUDGED_ALLOWED : JUDGED_RACED;
    case TILERACE_UNKNOWN:
        exec_judge_write_result(a->j, result, kernel, true, &a->answer->about);
        exec_judge_say_launched_here(a);
        say_before(a);
        return JUDGED_NOT_CHECKED;
    }
    return JUDGED_NOT_CHECKED;
}

static const char *contract_of(asking *a, const seen_launch *launch)
{
    return seen_as_contract(a->arena, launch, a->kernel, a->j->names, a->j->options.program, NULL);
}

/* The launch, which is right by itself, beside what is stated. */
static judgement_kind check_beside(asking *a, const char *stated)
{
    tilerace_result *result = exec_judge_check_stated(a->j, stated);
    judgement_kind kind = judge_checked(a, result);
    tilerace_free(result);
    return kind;
}

/* If it was not told which kernel runs before, that kernel is taken to touch all that this one
 * touches: does this one wait for it first? */
static judgement_kind judge_beside_any(asking *a)
{
    seen_launch after_any = *a->launch;
    after_any.after_any = true;
    bool waits = exec_judge_stated(a, contract_of(a, &after_any), check_beside) == JUDGED_HELD;
    tr_text_free(&a->answer->about);
    if (waits)
        return JUDGED_HELD;
    exec_judge_say_where(a);
    tr_text_addf(
        &a->answer->about,
        "note: the preceding kernel may still run (programmatic dependent launch), and '%s' "
        "touches memory without waiting for it: whether both touch the same memory was "
        "not looked at\n",
        a->kernel->name);
    return JUDGED_NOT_CHECKED;
}

/* First beside all that the launches before may touch, which needs no run of them. */
static judgement_kind judge_beside_launches(asking *a)
{
    judgement *answer = a->answer;
    const char *before = NULL;
    judgement_kind kind = JUDGED_NOT_CHECKED;
    for (int exactly = 0; exactly < 2 && kind == JUDGED_NOT_CHECKED; exactly++) {
        answer->touched = find_touched(a, exactly, &answer->n_touched);
        seen_launch beside = *a->launch;
        beside.touched = answer->touched;
        beside.n_touched = answer->n_touched;
        const char *stated = contract_of(a, &beside);
        if (before && strcmp(before, stated) == 0)
            break; /* a run tells nothing more */
        tr_text_free(&answer->about);
        kind = exec_judge_stated(a, stated, check_beside);
        before = stated;
    }
    return kind;
}

judgement_kind exec_judge_dependent(asking *a)
{
    const seen_launch *dependent = a->launch;
    seen_launch own = *dependent;
    own.is_pdl = false;
    a->launch = &own;
    judgement_kind kind = exec_judge_it(a);
    a->launch = dependent;
    bool is_told = dependent->before != WIRE_BEFORE_NOT_TOLD;
    bool is_right = kind == JUDGED_HELD || kind == JUDGED_ALLOWED;
    if (is_told && !is_right)
        a->answer->touched = find_touched(a, false, &a->answer->n_touched);
    if (!is_right)
        return kind;
    tr_text_free(&a->answer->about);
    judgement_kind beside =
        is_told && !shares_variables(a) ? judge_beside_launches(a) : judge_beside_any(a);
    return beside == JUDGED_HELD ? kind : beside;
}
