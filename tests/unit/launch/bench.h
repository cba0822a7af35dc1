/* Kernels of which only the contract and the launches matter. */
#ifndef TESTS_INTERP_BENCH_H
#define TESTS_INTERP_BENCH_H

#include "../interp/kit.h"

typedef struct bench {
    kit *k;
    smt_ctx *ctx;
    tr_arena *arena;
    contract *c;
} bench;

/* A kernel of these parameters that reads nothing, and its contract: parameters a, b, c, ... */
KIT bench bench_of(const char *parameters)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    bench b = {.k = kit_new(parameters), .ctx = smt_ctx_new(), .arena = tr_arena_new()};
    b.c = contract_new(b.ctx, "kernel", strlen(parameters));
    for (size_t i = 0; parameters[i]; i++) {
        bool scalar = parameters[i] == 'i' || parameters[i] == 'l';
        b.c->args[i].name = b.c->args[i].buffer = names[i];
        b.c->args[i].kind = scalar ? CONTRACT_SCALAR : CONTRACT_POINTER;
        b.c->args[i].bits = parameters[i] == 'l' ? 64 : 32;
        b.c->args[i].is_signed = true;
    }
    b.k->b.block = b.k->f->body;
    return b;
}

KIT void bench_free(bench *b)
{
    contract_free(b->c);
    smt_ctx_free(b->ctx);
    tr_arena_free(b->arena);
    kit_free(b->k);
}

KIT smt_t par(bench *b, size_t i)
{
    return contract_param(b->ctx, b->c, i);
}

KIT smt_t num(bench *b, int64_t value)
{
    return smt_int_const(b->ctx, value);
}

KIT void fact(bench *b, smt_t term)
{
    contract_add_fact(b->c, term, "fact", NULL);
}

#endif
