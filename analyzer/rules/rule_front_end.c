/* TR013, TR024: the order that two accesses of one tile block lack was in the source, and the front
 * end is known to leave it out (docs/memory-model.md).
 *
 * What is told apart here is who made the mistake, never whether there is one: the verdict stays
 * race. A pair is laid on the front end only where its source language keeps program order between
 * the two by itself, so that no author could have dropped the order, and where the module shows one
 * of the shapes in which that compiler is known to do so. All else stays TR003. */
#include "rules/rule_front_end.h"

#include "question/checker.h"

typedef struct front_end {
    rule_id rule;
    const char *producer; /* its producer section contains this */
    const char *writer; /* or no producer is named, and this library encoded the module; or NULL */
    const char *shown;
    bool (*left_out)(const checker *k, const ix_access *a, const ix_access *b,
                     bool vanishes_per_name);
} front_end;

static const front_end front_ends[] = {
    {RULE_FRONT_END_NVCC, "Cuda compilation tools, release 13.4,", NULL, "nvcc 13.4",
     front_end_nvcc_left_out},
    {RULE_FRONT_END_NVCC, "Cuda compilation tools, release 13.5,", NULL, "nvcc 13.5",
     front_end_nvcc_left_out},
    /* 0.3.0 names no producer. */
    {RULE_FRONT_END_CUTILE_RS, "cutile-rs", "cutile-ir", "cutile-rs", front_end_cutile_rs_left_out},
};

rule_id front_end_rule(const checker *k, const ix_access *a, const ix_access *b,
                       bool vanishes_per_name, const char **suspect)
{
    for (size_t i = 0; i < TR_COUNT(front_ends); i++) {
        const front_end *f = &front_ends[i];
        if (ir_is_made_by(k->kernel->module, f->producer, f->writer) &&
            f->left_out(k, a, b, vanishes_per_name)) {
            *suspect = f->shown;
            return f->rule;
        }
    }
    return RULE_UNORDERED_IN_BLOCK;
}
