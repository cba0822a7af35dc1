/* Findings: places, texts and order. */
#include "rules/add_finding.h"

#include "question/checker.h"
#include "question/decided.h"
#include "rules/fingerprint.h"
#include "rules/witness_words.h"

#include "base/ds.h"

#include <stdlib.h>
#include <string.h>

static const char *op_text(checker *k, const ir_op *op)
{
    tr_text text = {0};
    ir_print_op(&text, op);
    const char *kept = tr_arena_strdup(k->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

/* The index of a view op, or the address of a pointer op, as the source writes it. */
static const char *expression_of(checker *k, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    tr_text text = {0};
    for (unsigned g = 0; op->operand_texts && g < info->n_operand_groups; g++) {
        if (!ir_is_named_in_text(op, g))
            continue;
        uint32_t count;
        ir_value **first = ir_group(op, g, &count);
        for (uint32_t i = 0; i < count; i++) {
            const char *part = op->operand_texts[(size_t)(first - op->operands) + i];
            tr_text_addf(&text, "%s%s", text.length ? ", " : "", part ? part : "...");
        }
    }
    const char *kept = text.length ? tr_arena_strdup(k->arena, tr_text_get(&text)) : NULL;
    tr_text_free(&text);
    return kept;
}

static finding_location location_of(checker *k, const ir_op *op, const char *role)
{
    return (finding_location){.role = role,
                              .place = op->place,
                              .op_ordinal = op->ordinal,
                              .op_text = op_text(k, op),
                              .expression = expression_of(k, op),
                              .known_by = fingerprint_op(k, op)};
}

static int compare_places(const tr_place *a, const tr_place *b)
{
    if (!a || !b)
        return a ? -1 : b ? 1 : 0;
    int by_file = a->file && b->file ? strcmp(a->file, b->file) : 0;
    if (by_file)
        return by_file;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->column == b->column ? 0 : a->column < b->column ? -1 : 1;
}

bool finding_exists(const checker *k, rule_id rule, const ir_op *a, const ir_op *b)
{
    for (size_t i = 0; i < arrlenu(k->findings); i++) {
        const finding *f = &k->findings[i];
        bool meant = rule == RULE_COUNT ? rule_is_race(f->rule) : f->rule == rule;
        if (!meant || f->n_locations != (b ? 2 : 1))
            continue;
        uint32_t x = f->locations[0].op_ordinal, y = f->locations[f->n_locations - 1].op_ordinal;
        uint32_t p = a->ordinal, q = b ? b->ordinal : p;
        if ((x == p && y == q) || (x == q && y == p))
            return true;
    }
    return false;
}

static finding *add(checker *k, rule_id rule, confidence_kind confidence, witness *w,
                    const char *message, size_t n, const finding_location *locations)
{
    rule_level level = rule_info_of(rule)->level;
    if (confidence == CONFIDENCE_POSSIBLE && level > LEVEL_WARNING)
        level = LEVEL_WARNING;
    finding f = {.rule = rule,
                 .level = level,
                 .confidence = confidence,
                 .message = message,
                 .race = message,
                 .n_locations = n,
                 .locations = tr_arena_copy(k->arena, locations, n * sizeof *locations),
                 .witness = w,
                 .by_solver = k->effort.leaned || solver_was_needed(k),
                 .words = w ? finding_witness_words(k, w) : NULL};
    arrput(k->findings, f);
    return &arrlast(k->findings);
}

finding *finding_add(checker *k, rule_id rule, confidence_kind confidence, const ix_access *a,
                     const ix_access *b, witness *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = tr_arena_vprintf(k->arena, format, arguments);
    va_end(arguments);
    if (compare_places(a->op->place, b->op->place) > 0) {
        const ix_access *swap = a;
        a = b;
        b = swap;
    }
    finding_location locations[2] = {location_of(k, a->op, "first access"),
                                     location_of(k, b->op, "second access")};
    if (rule == RULE_SELF_OVERLAP) /* one op against itself */
        locations[0].role = "access";
    return add(k, rule, confidence, w, message, rule == RULE_SELF_OVERLAP ? 1 : 2, locations);
}

finding *finding_add_op(checker *k, rule_id rule, confidence_kind confidence, const ir_op *op,
                        witness *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = tr_arena_vprintf(k->arena, format, arguments);
    va_end(arguments);
    finding_location location = location_of(k, op, "access");
    return add(k, rule, confidence, w, message, 1, &location);
}

void finding_make_example(tr_arena *arena, finding *f, size_t which, const char *precondition_words)
{
    f->is_example = true;
    f->breaks = which;
    f->level = LEVEL_WARNING;
    f->message = tr_arena_printf(arena, "%s, unless %s", f->race, precondition_words);
}

void finding_add_fix(tr_arena *arena, finding *f, const char *text)
{
    finding_fix *all = TR_NEW_ARRAY(arena, finding_fix, f->n_fixes + 1);
    if (f->n_fixes)
        memcpy(all, f->fixes, f->n_fixes * sizeof *all);
    all[f->n_fixes++] = (finding_fix){.text = text};
    f->fixes = all;
}

static int compare_findings(const void *a, const void *b)
{
    const finding *x = a, *y = b;
    int by_place = compare_places(x->locations[0].place, y->locations[0].place);
    if (by_place)
        return by_place;
    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    if (x->n_locations > 1 && y->n_locations > 1) {
        by_place = compare_places(x->locations[1].place, y->locations[1].place);
        if (by_place)
            return by_place;
    }
    return strcmp(x->message, y->message);
}

/* The finding that a launch without it would be. */
static const char *excluded_by(precondition_kind kind)
{
    switch (kind) {
    case PRECONDITION_IN_BOUNDS:
        return rule_info_of(RULE_OUT_OF_BUFFER)->summary;
    case PRECONDITION_NO_WRAP:
        return rule_info_of(RULE_WRAP)->summary;
    case PRECONDITION_POSITIVE_DIVISOR:
        return rule_info_of(RULE_DIVISION)->summary;
    case PRECONDITION_KERNEL_ASSUME:
        return rule_info_of(RULE_ASSUME)->summary;
    default:
        return rule_info_of(RULE_INDEX_SPACE)->summary;
    }
}

require finding_requires_printed(smt_ctx *ctx, const contract *c, const precondition *what)
{
    require r = {.what = *what};
    r.subject = precondition_subject_of(ctx, c, what);
    precondition_subject_print(ctx, c, r.subject, &r.name, &r.part);
    r.text = precondition_text(ctx, c, what);
    r.brief = precondition_brief(ctx, c, what);
    r.term = precondition_term(ctx, c, what);
    r.fragment = precondition_fragment(ctx, c, what);
    if (!what->reason && what->class_ == PRECONDITION_CLASS_LAUNCH)
        r.what.reason = excluded_by(what->kind);
    return r;
}

static void hand_over_requires(checker *k)
{
    size_t n = arrlenu(k->requires_);
    k->report->n_requires = n;
    k->report->requires_ = TR_NEW_ARRAY(k->arena, require, n + 1);
    for (size_t i = 0; i < n; i++)
        k->report->requires_[i] =
            finding_requires_printed(k->ctx, k->contract, &k->requires_[i].what);
    arrfree(k->requires_);
}

void finding_finish(checker *k)
{
    size_t n = arrlenu(k->findings);
    for (size_t i = 0; i < n; i++)
        fingerprint_set(k->kernel, &k->findings[i]);
    if (n)
        qsort(k->findings, n, sizeof *k->findings, compare_findings);
    k->report->n_findings = n;
    k->report->findings = tr_arena_copy(k->arena, k->findings, n * sizeof *k->findings);
    arrfree(k->findings);
    hand_over_requires(k);
}
