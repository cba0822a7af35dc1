/* Equal terms of one context are one, so a question is the set of its conjuncts. */
#include "solver/remember.h"

#include "solver/answer.h"
#include "solver/model.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <stdlib.h>

typedef struct remembered {
    smt_t *conjuncts; /* stb_ds array: by rising ids, each once */
    smt_steps steps;
    smt_answer answer;
    ptrdiff_t before; /* of the same hash; -1: none */
} remembered;

typedef struct slot {
    uint64_t key;
    ptrdiff_t value;
} slot;

enum { MODELS = 32 };

struct smt_memory {
    remembered *all;                 /* stb_ds array */
    slot *latest;                    /* stb_ds map: by hash */
    const smt_model *models[MODELS]; /* of the latest answers: a ring */
    size_t n_models;                 /* that were ever kept */
};

smt_memory *smt_memory_new(void)
{
    smt_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        tr_no_memory();
    return memory;
}

void smt_memory_free(smt_memory *memory)
{
    for (size_t i = 0; i < arrlenu(memory->all); i++)
        arrfree(memory->all[i].conjuncts);
    arrfree(memory->all);
    hmfree(memory->latest);
    free(memory);
}

/* Conjunctions count as their parts. */
static void add_parts(smt_t **parts, smt_t conjunct)
{
    if (conjunct->kind == SMT_TRUE)
        return;
    if (conjunct->kind != SMT_AND)
        arrput(*parts, conjunct);
    for (uint32_t i = 0; conjunct->kind == SMT_AND && i < conjunct->n_args; i++)
        add_parts(parts, conjunct->args[i]);
}

static smt_t *in_order(size_t n, const smt_t *conjuncts)
{
    smt_t *parts = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        add_parts(&parts, conjuncts[i]);
    if (!parts)
        return NULL;
    smt_sort_by_id(parts, arrlenu(parts));
    for (size_t i = 0; i < arrlenu(parts); i++)
        if (i == 0 || parts[i] != parts[kept - 1])
            parts[kept++] = parts[i];
    arrsetlen(parts, kept);
    return parts;
}

static uint64_t hash_of(const smt_t *parts)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < arrlenu(parts); i++)
        hash = (hash ^ parts[i]->id) * 0x100000001b3u;
    return hash;
}

static bool is_same(const smt_t *a, const smt_t *b)
{
    if (arrlenu(a) != arrlenu(b))
        return false;
    for (size_t i = 0; i < arrlenu(a); i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static ptrdiff_t find(const smt_memory *memory, const smt_t *parts)
{
    slot *latest = memory->latest;
    ptrdiff_t at = hmgeti(latest, hash_of(parts));
    for (at = at >= 0 ? latest[at].value : -1; at >= 0; at = memory->all[at].before)
        if (is_same(memory->all[at].conjuncts, parts))
            break;
    return at;
}

const smt_answer *smt_recall(const smt_memory *memory, size_t n, const smt_t *conjuncts,
                             smt_steps steps)
{
    smt_t *parts = in_order(n, conjuncts);
    ptrdiff_t at = memory->latest ? find(memory, parts) : -1;
    arrfree(parts);
    if (at < 0 || (memory->all[at].answer.verdict == SMT_UNKNOWN && memory->all[at].steps < steps))
        return NULL;
    return &memory->all[at].answer;
}

bool smt_recall_model(const smt_memory *memory, size_t n, const smt_t *conjuncts)
{
    size_t kept = memory->n_models < MODELS ? memory->n_models : MODELS;
    const smt_model *models[MODELS];
    for (size_t i = 0; i < kept; i++)
        models[i] = memory->models[(memory->n_models - 1 - i) % MODELS];
    return smt_any_model_satisfies(kept, models, n, conjuncts);
}

void smt_remember(smt_memory *memory, size_t n, const smt_t *conjuncts, smt_steps steps,
                  const smt_answer *answer)
{
    if (answer->verdict == SMT_SAT)
        memory->models[memory->n_models++ % MODELS] = answer->model;
    smt_t *parts = in_order(n, conjuncts);
    ptrdiff_t at = memory->latest ? find(memory, parts) : -1;
    if (at >= 0) {
        memory->all[at].answer = *answer;
        memory->all[at].steps = steps;
        arrfree(parts);
        return;
    }
    uint64_t hash = hash_of(parts);
    ptrdiff_t before = memory->latest ? hmgeti(memory->latest, hash) : -1;
    before = before >= 0 ? memory->latest[before].value : -1;
    hmput(memory->latest, hash, (ptrdiff_t)arrlen(memory->all));
    arrput(memory->all, ((remembered){parts, steps, *answer, before}));
}
