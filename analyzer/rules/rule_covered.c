/* TR012: a buffer that the contract says the kernel covers. Not a race rule and not proved: small
 * launches are run, and the first that leaves an element out (or, for "once", writes one twice) is
 * reported. Where none does, a note says how far that was looked at. */
#include "interp/launch.h"
#include "launch/search.h"
#include "question/ask.h"
#include "question/checker.h"
#include "rules/add_finding.h"
#include "rules/rule.h"
#include "witness/launches.h"

#include "base/ds.h"

#include <string.h>

typedef struct coverage {
    int64_t element; /* first one that is wrong; -1: none */
    bool twice;
} coverage;

static coverage look_at(checker *k, const interp_run *run, const concrete_launch *launch,
                        size_t arg)
{
    coverage c = {.element = -1};
    const interp_buffer *buffer = &launch->buffers[launch->args[arg].buffer];
    const ir_type *pointer = k->kernel->body->args[arg]->type->elem;
    int64_t width = ir_type_bytes(pointer->elem), n = buffer->bytes / width;
    unsigned char *writes = TR_NEW_ARRAY(k->arena, unsigned char, n + 1);
    const interp_event *events;
    size_t n_events = interp_events(run, &events);
    for (size_t i = 0; i < n_events; i++) {
        const interp_event *e = &events[i];
        unsigned effects = ir_op_info_of(interp_op_of(run, e->instance)->code)->effects;
        if (e->buffer != launch->args[arg].buffer || e->out_of_buffer ||
            !(effects & (IR_WRITES | IR_ATOMIC)))
            continue;
        int64_t element = e->address / width;
        if (element >= 0 && element < n && writes[element] < 2)
            writes[element]++;
    }
    bool once = k->contract->args[arg].covered == CONTRACT_COVERED_ONCE;
    for (int64_t i = launch->args[arg].value / width; i < n && c.element < 0; i++)
        if (writes[i] == 0 || (once && writes[i] > 1))
            c = (coverage){.element = i, .twice = writes[i] > 1};
    return c;
}

static witness *witness_of(checker *k, const concrete_launch *launch, size_t arg, int64_t element)
{
    witness *w = TR_NEW(k->arena, witness);
    memcpy(w->grid, launch->grid, sizeof w->grid);
    w->params = TR_NEW_ARRAY(k->arena, witness_value, k->contract->n_args + 1);
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR)
            w->params[w->n_params++] = (witness_value){.name = k->contract->args[i].name,
                                                       .value = launch->args[i].value,
                                                       .arg = &k->contract->args[i]};
    w->n_events = 1;
    w->events[0] = (witness_event){
        .access = "no store", .buffer = k->contract->args[arg].name, .element = element};
    return w;
}

/* Returns the op to report at: the kernel's last store to the buffer. */
static const ir_op *last_store_to(const checker *k, size_t arg)
{
    const ir_op *last = k->kernel->body->last;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].writes && k->s->accesses[i].arg == (int)arg)
            last = k->s->accesses[i].op;
    return last;
}

/* Does some small launch leave an element of the argument out, or write one twice? That none does
 * is no proof, and is said so in a note. */
static void check_argument(checker *k, size_t arg)
{
    concrete_launch **launches;
    interp_search search = {
        .wanted = 8, .max_blocks = 64, .max_elements = 1 << 18, .most_filled = RULES_FILLED};
    size_t n =
        concrete_enumerate_launches(k->arena, k->ctx, k->kernel, k->contract, &search, &launches);
    size_t looked = 0;
    const char *name = k->contract->args[arg].name;
    for (size_t i = 0; i < n && ask_left(k) > 0; i++) {
        interp_run *run = ask_run(k, launches[i], 2000000, 2000000, NULL);
        coverage c = {.element = -1};
        if (interp_run_status(run) == INTERP_DONE) {
            looked++;
            c = look_at(k, run, launches[i], arg);
        }
        interp_run_free(run);
        if (c.element >= 0) {
            finding_add_op(k, RULE_UNCOVERED, CONFIDENCE_CONFIRMED, last_store_to(k, arg),
                           witness_of(k, launches[i], arg, c.element),
                           c.twice ? "element %lld of '%s' is written more than once"
                                   : "element %lld of '%s' is never written",
                           (long long)c.element + k->kernel->module->counts_from_one, name);
            return;
        }
    }
    finding *f = finding_add_op(
        k, RULE_UNCOVERED, CONFIDENCE_POSSIBLE, last_store_to(k, arg), NULL,
        "it is not proved that '%s' is covered: %zu small launches leave no element out", name,
        looked);
    f->level = LEVEL_NOTE;
}

void rule_covered(checker *k)
{
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].covered != CONTRACT_NOT_COVERED &&
            k->contract->args[i].kind == CONTRACT_POINTER && k->contract->args[i].elements)
            check_argument(k, i);
}
