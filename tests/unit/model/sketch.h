/* Kernels of loads, stores and tokens in a few calls, for tests of the token graph. */
#ifndef TEST_SKETCH_H
#define TEST_SKETCH_H

#include "ir/ir.h"
#include "tileir_memory/model.h"

#include <string.h>

typedef struct sketch {
    ir_module *module;
    ir_function *function;
    ir_builder at;
    const ir_type *token, *i32, *pointer, *flag;
    ir_value *address, *number, *condition; /* parameters */
    tr_arena *arena;                        /* of the answers */
    model_tokens *tokens;
} sketch;

static inline void sketch_open(sketch *s)
{
    memset(s, 0, sizeof *s);
    s->module = ir_module_new("sketch");
    s->arena = tr_arena_new();
    ir_module *m = s->module;
    s->token = ir_type_token(m);
    s->i32 = ir_type_tile(m, ir_type_scalar(m, IR_I32), 0, NULL);
    s->flag = ir_type_tile(m, ir_type_scalar(m, IR_I1), 0, NULL);
    s->pointer = ir_type_tile(m, ir_type_pointer(m, ir_type_scalar(m, IR_I32)), 0, NULL);
    const ir_type *params[] = {s->pointer, s->i32, s->flag};
    s->function = ir_function_add(m, "sketch", ir_type_function(m, 3, params, 0, NULL));
    s->address = s->function->body->args[0];
    s->number = s->function->body->args[1];
    s->condition = s->function->body->args[2];
    s->at = (ir_builder){.module = m, .function = s->function, .block = s->function->body};
}

static inline void sketch_close(sketch *s)
{
    ir_module_free(s->module);
    tr_arena_free(s->arena);
}

#define ONE(value) {(ir_value *[]){value}, 1}
#define OPT(value) {(ir_value *[]){value}, (value) ? 1u : 0u}

/* `ld` and `st` of the litmus catalogue: token NULL takes none. */
static inline ir_op *load(sketch *s, ir_value *token)
{
    ir_operand_list groups[] = {ONE(s->address), {NULL, 0}, {NULL, 0}, OPT(token)};
    const ir_type *results[] = {s->i32, s->token};
    ir_op *op = ir_build(&s->at, IR_OP_LOAD_PTR_TKO, groups, 2, results, NULL);
    ir_set_int(op, IR_AT_LOAD_PTR_TKO_memory_ordering_semantics, IR_WEAK);
    return op;
}

static inline ir_op *store(sketch *s, ir_value *token)
{
    ir_operand_list groups[] = {ONE(s->address), ONE(s->number), {NULL, 0}, OPT(token)};
    ir_op *op = ir_build(&s->at, IR_OP_STORE_PTR_TKO, groups, 1, &s->token, NULL);
    ir_set_int(op, IR_AT_STORE_PTR_TKO_memory_ordering_semantics, IR_WEAK);
    return op;
}

static inline ir_value *out(const ir_op *op)
{
    return ir_token_out(op);
}

static inline ir_value *make_token(sketch *s)
{
    return &ir_build(&s->at, IR_OP_MAKE_TOKEN, NULL, 1, &s->token, NULL)->results[0];
}

static inline ir_value *join(sketch *s, ir_value *a, ir_value *b)
{
    ir_operand_list group = {(ir_value *[]){a, b}, 2};
    return &ir_build(&s->at, IR_OP_JOIN_TOKENS, &group, 1, &s->token, NULL)->results[0];
}

/* A loop that carries n tokens; building goes on in its body. */
static inline ir_op *begin_loop(sketch *s, ir_opcode code, uint32_t n, ir_value **initial,
                                uint32_t n_results)
{
    const ir_type *types[8];
    for (size_t i = 0; i < TR_COUNT(types); i++)
        types[i] = s->token;
    ir_operand_list for_groups[] = {ONE(s->number), ONE(s->number), ONE(s->number), {initial, n}};
    ir_operand_list loop_groups[] = {{initial, n}};
    ir_op *op = ir_build(&s->at, code, code == IR_OP_FOR ? for_groups : loop_groups, n_results,
                         types, &n_results);
    uint32_t offset = code == IR_OP_FOR;
    memmove(types + offset, types, n * sizeof types[0]);
    if (offset)
        types[0] = s->i32;
    ir_block *body = ir_block_new(s->module, s->function, n + offset, types);
    ir_set_region(op, 0, body);
    s->at.block = body;
    return op;
}

static inline ir_op *begin_for(sketch *s, uint32_t n, ir_value **initial)
{
    return begin_loop(s, IR_OP_FOR, n, initial, n);
}

/* Carried token number i, inside the body. */
static inline ir_value *carried(const ir_op *loop, uint32_t i)
{
    return loop->regions[0]->args[i + (loop->code == IR_OP_FOR)];
}

static inline void terminate(sketch *s, ir_opcode code, uint32_t n, ir_value **values)
{
    ir_operand_list group = {values, n};
    ir_build(&s->at, code, &group, 0, NULL, NULL);
}

static inline void leave_region(sketch *s)
{
    s->at.block = s->at.block->parent->parent;
}

static inline void end_loop(sketch *s, uint32_t n, ir_value **values)
{
    terminate(s, IR_OP_CONTINUE, n, values);
    leave_region(s);
}

/* An `if` with n token results; building goes on in `then`. */
static inline ir_op *begin_if(sketch *s, uint32_t n)
{
    const ir_type *types[8];
    for (size_t i = 0; i < TR_COUNT(types); i++)
        types[i] = s->token;
    ir_operand_list group = ONE(s->condition);
    ir_op *op = ir_build(&s->at, IR_OP_IF, &group, n, types, &n);
    ir_set_region(op, 0, ir_block_new(s->module, s->function, 0, NULL));
    ir_set_region(op, 1, ir_block_new(s->module, s->function, 0, NULL));
    s->at.block = op->regions[0];
    return op;
}

/* Ends `then` with the terminator and goes on in `else`. */
static inline void otherwise(sketch *s, ir_opcode code, uint32_t n, ir_value **values)
{
    terminate(s, code, n, values);
    s->at.block = s->at.block->parent->regions[1];
}

static inline void end_if(sketch *s, ir_opcode code, uint32_t n, ir_value **values)
{
    terminate(s, code, n, values);
    leave_region(s);
}

#define TOKENS(...)                                                                                \
    (uint32_t)(sizeof((ir_value *[]){__VA_ARGS__}) / sizeof(ir_value *)), (ir_value *[])           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static inline void finish(sketch *s, model_loop_tokens reading)
{
    model_choices choices = model_default_choices();
    choices.loop_tokens = reading;
    ir_build(&s->at, IR_OP_RETURN, (ir_operand_list[]){{NULL, 0}}, 0, NULL, NULL);
    ir_renumber(s->function);
    s->tokens = model_tokens_build(s->arena, s->function, &choices);
}

/* An order as text: "-" for none, "yes" outside loops, else a letter a step (S same, P previous,
 * O older, L last, X other), loops separated by commas, cases by " + ". */
static inline const char *order(sketch *s, const ir_op *first, const ir_op *second)
{
    static const char letters[] = "SPOLX";
    model_order o = model_token_order(s->tokens, first, second);
    const char *text = NULL;
    if (!o.n_cases)
        return "-";
    if (!o.n_loops)
        return "yes";
    for (size_t c = 0; c < o.n_cases; c++) {
        const char *line = "";
        for (size_t d = 0; d < o.n_loops; d++) {
            line = tr_arena_printf(s->arena, "%s%s", line, d ? "," : "");
            for (size_t b = 0; letters[b]; b++)
                if (o.cases[c].steps[d] >> b & 1)
                    line = tr_arena_printf(s->arena, "%s%c", line, letters[b]);
        }
        text = text ? tr_arena_printf(s->arena, "%s + %s", text, line) : line;
    }
    return text;
}

#endif
