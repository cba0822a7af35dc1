/* Shared by the files of this room; no other room includes it. */
#ifndef LAUNCH_PRIVATE_H
#define LAUNCH_PRIVATE_H

#include "base/ds.h"
#include "launch/from_contract.h"
#include "launch/random.h"

/* Values of the contract's variables, for smt_eval. */
typedef struct binding {
    tr_arena *arena; /* of what is made with it */
    const contract *contract;
    smt_t *params; /* per parameter; NULL: not a scalar */
    smt_t grid[3], value, index;
    const int64_t *scalars;
    int64_t grid_values[3];
    smt_int value_now, index_now;
    bool has_element;
} binding;

binding binding_make(tr_arena *arena, smt_ctx *ctx, const contract *contract,
                     const int64_t *scalars);
bool binding_eval(const binding *b, smt_t term, int64_t *value);

typedef struct buffer_plan { /* one buffer while its launch is made */
    const char *name;
    const ir_type *elem; /* of the first parameter that points to it; NULL: mixed */
    int64_t elements;    /* from its start; -1: unknown */
    int width;
    int facts_of;    /* a parameter whose contents facts speak of it, or -1 */
    int n_facts;     /* parameters whose facts do: more than one only where each states elements */
    int64_t base;    /* element offset of that parameter */
    int64_t *values; /* integer contents, `filled` of them; scratch of the launch's making */
    int64_t filled;
} buffer_plan;

/* buffer_plan.c */

/* Returns the type of the elements that a parameter points to; NULL: it is not a pointer. */
const ir_type *concrete_pointee(const ir_value *parameter);
/* Returns the name that the contract or the kernel gives to parameter i, or one made in the arena.
 */
const char *concrete_parameter_name(tr_arena *arena, const ir_function *kernel, const contract *c,
                                    size_t i);
/* Plans the buffer that pointer i points into, and sets its argument. `plans`: stb_ds array, to
 * which the plan is added if it is not there. False with *why, in the arena: the contract allows no
 * such launch, or none that can be made. */
bool concrete_plan_parameter(tr_arena *arena, const ir_function *kernel, const binding *b, size_t i,
                             const interp_filling *filling, buffer_plan **plans, interp_arg *arg,
                             const char **why);

/* contents.c */

/* Returns whether bounds or uniqueness differ from element to element, which makes filling slow. */
bool speaks_of_index(const binding *b, const contract_contents *facts);
/* Fills values[0 .. filled), in `scratch`, so that they meet the facts. False with *why: no values
 * do. */
bool concrete_fill_contents(tr_arena *scratch, binding *b, buffer_plan *plans, size_t n_plans,
                            size_t which, const interp_filling *filling, const char **why);

/* arrays.c: the addresses of the table that the contract states of an argument, and the buffers of
 * its arrays, behind those that are there. */
void concrete_give_arrays(const ir_function *kernel, const contract_arg *stated,
                          const interp_arg *arg, interp_buffer **buffers);

#endif
