/* What the parts of the comparison share. */
#ifndef RANDOM_COMPARE_PRIVATE_H
#define RANDOM_COMPARE_PRIVATE_H

#include "compare.h"

#include "interp/interp.h"

enum { COMPARE_MAX_RACES = 512 };

typedef struct judge {
    tr_text *out;
    tr_arena *arena;
    smt_ctx *ctx;
    const sample *s, *flagged;
    const kernel_report *report;
    bool *matters; /* by value id: reaches an address, a mask or a branch */
    comparison result;
} judge;

/* `signature`: what of it is to stay while the kernel shrinks. The first one stands. */
void compare_disagree(judge *j, disagreement kind, const concrete_launch *launch, const ir_op *a,
                      const ir_op *b, const char *signature, const char *what);
bool compare_same_block(rule_id rule);
/* The op at the finding's i-th place, or at its last. */
uint32_t compare_ordinal(const finding *f, size_t i);
tr_give interp_run *compare_run(const ir_function *kernel, const concrete_launch *launch);
/* Certain in any run. `synchronisation`: other runs may show more. */
size_t compare_races(const interp_run *run, interp_race *races, bool *synchronisation);

/* Does every finding's witness show what the finding says? */
void compare_witnesses(judge *j);

#endif
