/* A report made by hand with everything that a report can hold. */
#ifndef TEST_REPORT_EXAMPLE_H
#define TEST_REPORT_EXAMPLE_H

#include "report/report.h"

static const tr_place example_kernel = {"halve.tile.c", "halve_rows", 5, 18, 5, 28, NULL};
static const tr_place example_load = {"halve.tile.c", "halve_rows", 12, 11, 12, 27, NULL};
static const tr_place example_store = {"halve.tile.c", "halve_rows", 13, 23, 13, 47, NULL};
static const tr_place example_helper = {"halve.tile.c", "put", 18, 5, 18, 27, &example_store};

static finding_location example_locations[] = {
    {"first access", &example_store, 31, "store_view_tko weak ...", "b / 2"},
    {"second access", &example_helper, 31, "store_view_tko weak ...", "b / 2"},
};
static finding_location example_nowhere[] = {
    {"access", NULL, 7, "load_view_tko weak %3[%4]", NULL}};

static witness_value example_params[] = {{"N", 9007199254740993}, {"M", -1}};
static int64_t example_iteration[] = {2, 0};
static const int64_t example_index[] = {3, 1, 3};
static witness_contents example_contents[] = {
    {.buffer = "index", .count = 3, .values = example_index}};
static witness example_witness = {.grid = {2, 1, 1},
                                  .n_params = 2,
                                  .params = example_params,
                                  .n_contents = 1,
                                  .contents = example_contents,
                                  .n_events = 2,
                                  .events = {{.block = {0, 0, 0},
                                              .access = "store",
                                              .order = "weak",
                                              .buffer = "dst",
                                              .element = 9007199254740993,
                                              .rank = 1,
                                              .coordinate = {0},
                                              .tile_rank = 1,
                                              .in_tile = {0}},
                                             {.block = {1, 0, 0},
                                              .n_iterations = 2,
                                              .iterations = example_iteration,
                                              .access = "store",
                                              .order = "relaxed",
                                              .scope = "device",
                                              .buffer = "dst",
                                              .element = 9007199254740993,
                                              .rank = 1,
                                              .coordinate = {0},
                                              .tile_rank = 1,
                                              .in_tile = {0}}}};
static witness example_single = {
    .grid = {1, 1, 1},
    .n_events = 1,
    .events = {{.block = {0, 0, 0}, .access = "load", .order = "weak", .buffer = "src"}}};

static finding_fix example_fixes[] = {
    {"index the store by b instead of b / 2",
     {"halve.tile.c", NULL, 13, 41, 13, 46, NULL},
     "b",
     true},
    {"launch fewer tile blocks", {0}, NULL, false},
};
static finding example_findings[] = {
    {RULE_INTER_BLOCK_WRITE_WRITE, LEVEL_ERROR, CONFIDENCE_CONFIRMED,
     "tile blocks write the same element of 'dst'", 2, example_locations, &example_witness,
     "with grid (2, 1, 1): tile blocks (0, 0, 0) and (1, 0, 0)\nboth write dst[0], as b / 2 = 0", 2,
     example_fixes, "0123456789abcdef"},
    {RULE_INDEX_SPACE, LEVEL_WARNING, CONFIDENCE_POSSIBLE, "100 % of <b> may be outside, \"all\"",
     1, example_nowhere, &example_single, NULL, 0, NULL, "fedcba9876543210"},
};
static require example_requires[] = {
    {.what = {.kind = PRECONDITION_DISTINCT_BUFFERS, .class_ = PRECONDITION_CLASS_STANDING},
     .text = "'src' and 'dst' do not overlap",
     .brief = "'src' and 'dst' do not overlap",
     .fragment = "{\"args\": [{\"name\": \"src\", \"buffer\": \"src\"}]}"},
    {.what = {.kind = PRECONDITION_STRIDE_RELATION,
              .class_ = PRECONDITION_CLASS_LAUNCH,
              .reason = "tile blocks write the same element of 'dst'"},
     .text = "N <= stride, which is much longer than a line",
     .brief = "N <= stride, ...",
     .term = "N <= stride",
     .subject = {.kind = PRECONDITION_OF_ARG},
     .name = "dst",
     .part = "stride[0]"},
};
static require example_race_requires[] = {
    {.what = {.kind = PRECONDITION_UNIQUE_CONTENTS,
              .class_ = PRECONDITION_CLASS_RACE,
              .reason = "different tile blocks write the same elements of 'dst'"},
     .text = "no two elements of 'index' are equal",
     .brief = "no two elements of 'index' are equal",
     .fragment = "{\"contents\": [{\"buffer\": \"index\", \"unique\": true}]}",
     .subject = {.kind = PRECONDITION_OF_BUFFER},
     .name = "index"},
};
static finding_fix example_promises[] = {
    {"promise it in the launch contract", {0}, NULL, false},
};
static finding example_of_conditional[] = {
    {RULE_INTER_BLOCK_WRITE_WRITE, LEVEL_WARNING, CONFIDENCE_CONFIRMED,
     "different tile blocks write the same elements of 'dst', unless no two elements of 'index' "
     "are equal",
     2, example_locations, &example_witness, "with grid (2, 1, 1): both write dst[0]", 1,
     example_promises, "00112233445566ff", .is_example = true},
};
static kernel_report example_kernels[] = {
    {.kernel = "halve_rows",
     .place = &example_kernel,
     .verdict = VERDICT_RACE,
     .contract = CONTRACT_SOURCE,
     .n_requires = 1,
     .requires_ = example_requires,
     .rests_on = TRUST_BIT(TRUST_LOOP_TOKENS) | TRUST_BIT(TRUST_UPDATES),
     .total = 3,
     .proved = 2,
     .refuted = 1,
     .time_ms = 14.24,
     .n_findings = 2,
     .findings = example_findings},
    {.kernel = "copy",
     .verdict = VERDICT_RACE_FREE,
     .contract = CONTRACT_NONE,
     .n_requires = 2,
     .requires_ = example_requires,
     .tokens_per_name = true,
     .total = 5,
     .proved = 4,
     .vacuous = 1,
     .time_ms = 1},
    {.kernel = "gather",
     .place = &example_kernel,
     .verdict = VERDICT_CONDITIONAL,
     .contract = CONTRACT_NONE,
     .n_requires = 1,
     .requires_ = example_race_requires,
     .total = 2,
     .proved = 2,
     .time_ms = 2,
     .n_findings = 1,
     .findings = example_of_conditional},
    {.kernel = "puzzle",
     .place = &example_kernel,
     .verdict = VERDICT_UNKNOWN,
     .reason = {REASON_SOLVER_TIMEOUT, "the solver took longer than 20 s", &example_load},
     .contract = CONTRACT_FILE,
     .total = 2,
     .proved = 1,
     .unknown = 1},
};
static tr_error example_errors[] = {
    {{"broken file.c", NULL, 0, 0, 0, 0, NULL}, "cannot be read: No such file or directory", NULL},
    {{"halve.tile.c", NULL, 5, 18, 5, 28, NULL},
     "tiles cannot be addressed",
     "Store it to a view."},
};
static input_report example_inputs[] = {
    {.file = "halve.tile.c", .n_kernels = 4, .kernels = example_kernels},
    {.file = "broken file.c", .errors = example_errors, .n_errors = 2},
};
static const full_report example_report = {"Z3 5.4.0", 2, example_inputs};

#endif
