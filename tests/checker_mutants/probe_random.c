#include "probe_random.h"

#include "../random/compare.h"

#include "base/ds.h"

enum { STEPS = 2000 * 1000, LAUNCHES = 40 }; /* as random_kernels has them */

typedef struct made {
    smt_ctx *ctx;
    smt_prover *prover;
    choices drawn;
    sample s;
} made;

static made make(const random_kernel *r)
{
    made m = {.ctx = smt_ctx_new(), .drawn = choices_random(r->seed * 0x632be59bd9b4e019u)};
    smt_options options = {0};
    m.prover = smt_prover_new(m.ctx, &options);
    m.s = r->sync ? sample_make_sync(&m.drawn, m.ctx) : sample_make(&m.drawn, m.ctx, false);
    return m;
}

static void made_free(made *m)
{
    choices_free(&m->drawn);
    sample_free(&m->s);
    smt_prover_free(m->prover);
    smt_ctx_free(m->ctx);
}

verdict_kind random_kernel_verdict(const random_kernel *r)
{
    made m = make(r);
    tr_arena *arena = tr_arena_new();
    rules_options options = {.model = model_default_choices(), .steps = STEPS};
    verdict_kind verdict =
        rules_check(arena, m.ctx, m.prover, m.s.kernel, m.s.contract, &options)->verdict;
    tr_arena_free(arena);
    made_free(&m);
    return verdict;
}

bool random_kernel_disagrees(const random_kernel *r)
{
    made m = make(r);
    tr_text out = {0};
    comparison result;
    if (r->sync) {
        result = compare_sync_sample(&out, m.ctx, m.prover, &m.s, STEPS);
    } else {
        smt_ctx *other = smt_ctx_new();
        choices again = choices_given(arrlenu(m.drawn.made), m.drawn.made);
        sample flagged = sample_make(&again, other, true);
        result = compare_sample(&out, m.ctx, m.prover, &m.s, &flagged, LAUNCHES, STEPS);
        choices_free(&again);
        sample_free(&flagged);
        smt_ctx_free(other);
    }
    tr_text_free(&out);
    made_free(&m);
    return result.kind != AGREES;
}
