/* What the parts of the generator share. */
#ifndef RANDOM_GENERATE_PRIVATE_H
#define RANDOM_GENERATE_PRIVATE_H

#include "build.h"
#include "generate.h"

enum { MAX_INTS = 48, MAX_TOKENS = 32, MAX_VIEWS = 6, MAX_BUFFERS = 6, MAX_TILES = 8 };

typedef struct buffer { /* something that pointers point into */
    val pointer;
    ir_type_kind elem;
    bool index; /* holds indices: read, seldom written */
} buffer;

typedef struct scope { /* values that may be used here */
    size_t n_ints, n_tokens, n_views, n_buffers, n_tiles;
    val token; /* what the next access comes after, where the chain has no hole */
} scope;

typedef struct generator {
    choices *c;
    smt_ctx *ctx;
    sample *s;
    ir_builder b;
    bool flag_all;
    void (*state)(void *user, smt_ctx *ctx, contract *c); /* adds to the contract; or NULL */
    void *user;
    ir_type_kind elem; /* of scalars */
    val ints[MAX_INTS], tokens[MAX_TOKENS], tiles[MAX_TILES];
    val views[MAX_VIEWS];
    buffer buffers[MAX_BUFFERS];
    val block_id[3], extent[3];
    scope in;
    unsigned holes;     /* percent of tokens that go wrong */
    unsigned scoped;    /* percent of accesses that are not weak */
    bool synchronises;  /* acquire and release too */
    unsigned unflagged; /* percent of arithmetic that may wrap */
    int statements;     /* left */
    int depth;
    int loops;
} generator;

/* ---- generate_integer.c ---- */

void use_int(generator *g, val v);
void use_tile(generator *g, val v);
/* A scalar of the kernel's integer type. */
val any_int(generator *g, int depth);
/* One that tells blocks or iterations apart more often than not. */
val any_index(generator *g);
val any_condition(generator *g);
val scalar(generator *g, int64_t value);
/* An integer or tile of integers in the kernel's integer type. */
val as_elem(generator *g, val v, ir_type_kind elem);
val sum(generator *g, val a, val b);
val product(generator *g, val a, val b);
/* A tile of offsets. */
val any_offsets(generator *g, int rank, const int64_t *shape);
val any_mask(generator *g, val offsets);

/* ---- generate_memory.c ---- */

void make_views(generator *g);
void access_statement(generator *g);
val any_token(generator *g);
void use_token(generator *g, val token);
val carried_token(generator *g, val before);

/* ---- generate_control.c ---- */

void any_statements(generator *g, int most);

#endif
