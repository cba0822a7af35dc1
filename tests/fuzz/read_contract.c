/* Fuzz target: whatever the bytes are, reading them as a launch contract ends with a file or with
 * errors; so does reading its launches against a kernel. What can be read is settled, holds only
 * terms over the kernel's parameters, and, written out, reads again. */
#include "contract/launch_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static const launch_param named[] = {
    {"src", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_FLOAT, .element_bytes = 4},
    {"index", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_INTEGER, .element_type = "i32",
     .element_bytes = 4},
    {"ends", CONTRACT_POINTER, .element = LAUNCH_ELEMENT_INTEGER, .element_type = "i64",
     .element_bytes = 8},
    {"N", CONTRACT_SCALAR, 32, true},
    {"M", CONTRACT_SCALAR, 64, false},
    {"B", CONTRACT_SCALAR, 1, true},
    {"alpha", CONTRACT_FLOAT},
};

static const launch_param grouped[] = {
    {.kind = CONTRACT_POINTER, .member = {CONTRACT_ARRAY_START, 0, 0}},
    {.kind = CONTRACT_SCALAR, .bits = 32, .is_signed = true, .member = {CONTRACT_ARRAY_EXTENT}},
    {.kind = CONTRACT_SCALAR, .bits = 32, .is_signed = true, .member = {CONTRACT_ARRAY_STRIDE}},
    {.kind = CONTRACT_POINTER, .element = LAUNCH_ELEMENT_POINTER, .element_bytes = 8},
};

static const launch_kernel kernels[] = {
    {"k", "ns::k(float*)", true, TR_COUNT(named), named},
    {"array_Kt1", "array", true, TR_COUNT(grouped), grouped},
};

/* The second kernel's source states something already. */
static contract *stated_contract(smt_ctx *ctx)
{
    contract *c = launch_default_contract(ctx, &kernels[0]);
    c->grid[0] = contract_param(ctx, c, 3);
    c->args[1].elements = contract_param(ctx, c, 3);
    contract_add_fact(c, smt_gt(ctx, contract_param(ctx, c, 3), smt_int_const(ctx, 0)), "N > 0",
                      NULL);
    return c;
}

static void read_launch(smt_ctx *ctx, const launch_file *file, const launch_kernel *kernel,
                        const contract *stated, size_t which)
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    contract *c = launch_file_contract(ctx, file, kernel, stated, which, &errors);
    CHECK((c == NULL) == (tr_errors_count(&errors) > 0), "a contract and errors, or neither\n");
    if (c) {
        CHECK(c->n_args == kernel->n_params, "%zu arguments\n", c->n_args);
        for (size_t i = 0; i < c->n_args; i++)
            for (size_t k = 0; k < i; k++)
                CHECK(strcmp(c->args[i].name, c->args[k].name), "two are '%s'\n", c->args[i].name);
        contract_settle_ranges(ctx, c, &errors);
        for (size_t i = 0; i < c->n_args; i++) {
            smt_int low, high;
            smt_bounds(contract_param(ctx, c, i), &low, &high);
            CHECK(low <= high, "'%s' has no value\n", c->args[i].name);
        }
        contract_free(c);
    }
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

static void read_again(const launch_file *file, const launch_kernel *kernel, size_t which)
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    const char *text = tr_arena_printf(arena, "{\"version\": 2, \"launches\": [%s]}",
                                       launch_file_text(file, kernel, which));
    launch_file *again = launch_file_parse(arena, "again", text, strlen(text), &errors);
    CHECK(again, "what was written cannot be read: %s\n%s\n", errors.items[0].text, text);
    launch_file_free(again);
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

static void read_launches(const launch_file *file)
{
    smt_ctx *ctx = smt_ctx_new();
    contract *stated = stated_contract(ctx);
    for (size_t k = 0; k < TR_COUNT(kernels); k++) {
        size_t n = launch_file_count(file, &kernels[k]);
        for (size_t which = 0; which < n && which < 4; which++) {
            read_launch(ctx, file, &kernels[k], NULL, which);
            if (k == 0)
                read_launch(ctx, file, &kernels[k], stated, which);
            read_again(file, &kernels[k], which);
        }
    }
    contract_free(stated);
    smt_ctx_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    launch_file *file = launch_file_parse(arena, "input", (const char *)data, size, &errors);
    CHECK((file == NULL) == (tr_errors_count(&errors) > 0), "a file and errors, or neither\n");
    if (file) {
        launch_file_check_kernels(file, TR_COUNT(kernels), kernels, &errors);
        read_launches(file);
    }
    launch_file_free(file);
    tr_errors_free(&errors);
    tr_arena_free(arena);
    return 0;
}
