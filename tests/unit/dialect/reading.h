/* Reading a kernel from a string: what the dialect's tests share. */
#ifndef READING_H
#define READING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dialect/dialect.h"

typedef struct reading {
    tr_arena *arena;
    smt_ctx *ctx;
    tr_errors errors;
    dialect_unit unit;
    bool ok;
    char path[256];
} reading;

/* `#include <tile.h>` stands on line 1; the body begins on line 2. */
static inline reading read_with(const char *body, size_t n_args, const char *const *args)
{
    reading r = {.arena = tr_arena_new(), .ctx = smt_ctx_new()};
    r.errors = tr_errors_make(r.arena);
    snprintf(r.path, sizeof r.path, "%s/dialect-XXXXXX.c", TILERACE_BUILD_DIR);
    int fd = mkstemps(r.path, 2);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    fputs("#include <tile.h>\n", file);
    fputs(body, file);
    fclose(file);
    dialect_options options = {.n_clang_args = n_args,
                               .clang_args = args,
                               .include_folder = TILERACE_SOURCE_DIR "/include"};
    r.ok = dialect_read(r.arena, r.ctx, r.path, &options, &r.unit, &r.errors);
    unlink(r.path);
    return r;
}

static inline reading read_text(const char *body)
{
    return read_with(body, 0, NULL);
}

static inline void reading_free(reading *r)
{
    if (r->ok) {
        for (size_t i = 0; i < r->unit.n_kernels; i++)
            contract_free(r->unit.contracts[i]);
        ir_module_free(r->unit.module);
    }
    tr_errors_free(&r->errors);
    smt_ctx_free(r->ctx);
    tr_arena_free(r->arena);
}

static inline void show_errors(const reading *r)
{
    for (size_t i = 0; i < tr_errors_count(&r->errors) && i < 20; i++)
        print_message("%u:%u: %s\n", r->errors.items[i].place.line, r->errors.items[i].place.column,
                      r->errors.items[i].text);
}

/* The body of the first kernel as text, without the entry's own line and the closing brace. */
static inline char *lowered(reading *r)
{
    if (!r->ok)
        show_errors(r);
    assert_true(r->ok);
    tr_errors verify = tr_errors_make(r->arena);
    bool sound = ir_verify(r->unit.module, &verify);
    for (size_t i = 0; !sound && i < tr_errors_count(&verify); i++)
        print_message("verify: %s\n", verify.items[i].text);
    assert_true(sound);
    tr_errors_free(&verify);
    tr_text text = {0};
    ir_print_module(&text, r->unit.module, false);
    const char *entry = strstr(tr_text_get(&text), "entry ");
    assert_non_null(entry);
    const char *start = strchr(entry, '\n');
    const char *end = strstr(start, "\n}");
    assert_non_null(end);
    char *copy = strndup(start + 1, (size_t)(end - start));
    tr_text_free(&text);
    return copy;
}

static inline void check_lowering(const char *body, const char *expected)
{
    reading r = read_text(body);
    char *text = lowered(&r);
    assert_string_equal(text, expected);
    free(text);
    reading_free(&r);
}

/* The first op of that kind, or the next one after `from`. */
static inline const ir_op *op_of(const reading *r, ir_opcode code, const ir_op *from)
{
    ir_op *op = from ? ir_next_op(from) : ir_first_op(r->unit.kernels[0]);
    while (op && op->code != code)
        op = ir_next_op(op);
    return op;
}

static inline size_t count_ops(const reading *r, ir_opcode code)
{
    size_t n = 0;
    for (const ir_op *op = op_of(r, code, NULL); op; op = op_of(r, code, op))
        n++;
    return n;
}

#endif
