/* Makes the fingerprint by which a finding is recognised from run to run and in a baseline: its
 * rule, its kernel, and the operation, buffer and index of each of its accesses. No line, no
 * column, no path and no message is in it, so code that moves and words that change keep it. Blanks
 * and comments inside an index do not count, and parameters stand by their position, so that one
 * may be renamed.
 *
 * Sources of the dialect tell how an index is written; in bytecode the index is described by the
 * operations that compute it. */
#include "rules/fingerprint.h"

#include "question/checker.h"
#include "rules/rules.h"

#include "base/ds.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Section: Parameters ---- */

/* "&0" of the first buffer, "#0" of the first scalar: a scalar that is added renames no buffer. */
static void add_parameter(tr_text *out, const checker *k, size_t which)
{
    const contract *c = k->contract;
    bool is_buffer = c->args[which].kind == CONTRACT_POINTER;
    size_t number = 0;
    for (size_t i = 0; i < which; i++)
        number += (c->args[i].kind == CONTRACT_POINTER) == is_buffer;
    tr_text_addf(out, "%c%zu", is_buffer ? '&' : '#', number);
}

static bool find_parameter(const checker *k, const char *name, size_t length, size_t *which)
{
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const char *known = k->contract->args[i].name;
        if (known && strlen(known) == length && strncmp(known, name, length) == 0) {
            *which = i;
            return true;
        }
    }
    return false;
}

/* ---- Section: As the source writes it ---- */

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Skips the blanks and comments at `at`. */
static const char *skip_blanks(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n\\");
        if (at[0] != '/' || (at[1] != '*' && at[1] != '/'))
            return at;
        const char *end = at[1] == '*' ? strstr(at + 2, "*/") : strchr(at, '\n');
        if (!end)
            return at + strlen(at);
        at = end + (at[1] == '*' ? 2 : 1);
    }
}

/* The '=' of `y[b / 2] = x[b]`, or the operator of `+=`, outside of all parentheses; else the end:
 * where an assignment goes does not depend on what it stores. */
static const char *assignment_in(const char *text)
{
    int depth = 0;
    for (const char *at = skip_blanks(text); *at; at = skip_blanks(at + 1)) {
        depth += strchr("([{", *at) != NULL;
        depth -= strchr(")]}", *at) != NULL;
        if (depth > 0 || *at != '=')
            continue;
        size_t before = strspn(at, "=") == 1 && at > text ? (size_t)(at - text) : 0;
        if (before && !strchr("<>!=", at[-1]))
            return strchr("+-*/%&|^", at[-1]) ? at - 1 : at;
        if (before >= 2 && strchr("<>", at[-1]) && at[-2] == at[-1]) /* "<<=" */
            return at - 2;
    }
    return text + strlen(text);
}

static void add_source_text(tr_text *out, const checker *k, const char *text)
{
    char last = 0;
    const char *end = assignment_in(text);
    for (const char *at = skip_blanks(text); *at && at < end; at = skip_blanks(at)) {
        size_t length = 1, which;
        if (is_of_word(*at)) {
            while (is_of_word(at[length]))
                length++;
            if (is_of_word(last)) /* "unsigned int" */
                tr_text_add(out, " ");
        }
        bool is_member = last == '.' || last == '>';
        if (is_of_word(*at) && !is_member && find_parameter(k, at, length, &which))
            add_parameter(out, k, which);
        else
            tr_text_addn(out, at, length);
        last = at[length - 1];
        at += length;
    }
}

/* ---- Section: As it is computed ---- */

enum { MOST_VALUES = 64 }; /* of an index: what is computed from more is cut */

static void add_attr(tr_text *out, const ir_attr *attr)
{
    if (attr->kind == IR_ATTR_INT || attr->kind == IR_ATTR_FLOAT)
        tr_text_addf(out, ".%" PRId64, attr->number);
    for (size_t i = 0; attr->kind == IR_ATTR_INTS && i < attr->count; i++)
        tr_text_addf(out, ".%" PRId64, attr->numbers[i]);
    if (attr->kind == IR_ATTR_STRING && attr->string)
        tr_text_addf(out, ".%s", attr->string);
    for (size_t i = 0; attr->kind == IR_ATTR_DENSE && i < attr->n_bytes; i++)
        tr_text_addf(out, "%02x", attr->bytes[i]);
}

/* How a value is computed, by ops, attributes and parameters, and by no name or number that an edit
 * elsewhere changes. *left bounds how many values are told. */
static void add_value(tr_text *out, const checker *k, const ir_value *value, size_t *left)
{
    if (*left == 0) {
        tr_text_add(out, "?");
        return;
    }
    --*left;
    const ir_op *op = value->def;
    if (!op && !value->block->parent) {
        add_parameter(out, k, value->index);
    } else if (!op) { /* a counter, or a value that a loop carries */
        tr_text_addf(out, "%s:%" PRIu32, ir_op_info_of(value->block->parent->code)->mnemonic,
                     value->index);
    } else if (op->code == IR_OP_ASSUME) {
        add_value(out, k, op->operands[0], left);
    } else {
        tr_text_add(out, ir_op_info_of(op->code)->mnemonic);
        for (unsigned i = 0; i < ir_op_info_of(op->code)->n_attrs; i++)
            add_attr(out, &op->attrs[i]);
        tr_text_addf(out, ".%" PRIu32 "(", value->index);
        for (uint32_t i = 0; i < op->n_operands; i++) {
            if (op->operands[i]->type->kind == IR_TOKEN)
                continue;
            add_value(out, k, op->operands[i], left);
            tr_text_add(out, ",");
        }
        tr_text_add(out, ")");
    }
}

/* ---- Section: Operations ---- */

static void add_operand(tr_text *out, const checker *k, const ir_op *op, size_t which)
{
    const char *text = op->operand_texts ? op->operand_texts[which] : NULL;
    size_t left = MOST_VALUES;
    if (op->operands[which]->type->kind == IR_TOKEN)
        return;
    if (text)
        add_source_text(out, k, text);
    else
        add_value(out, k, op->operands[which], &left);
    tr_text_add(out, ";");
}

/* The operands that say where an access goes; of an op that has none of these, all. */
static void add_operands(tr_text *out, const checker *k, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    bool has_where = false;
    for (unsigned g = 0; g < info->n_operand_groups; g++) {
        uint32_t count;
        ir_value **first = ir_group(op, g, &count);
        if (!ir_is_named_in_text(op, g))
            continue;
        has_where = true;
        for (uint32_t i = 0; i < count; i++)
            add_operand(out, k, op, (size_t)(first - op->operands) + i);
    }
    for (size_t i = 0; i < op->n_operands && !has_where; i++)
        add_operand(out, k, op, i);
}

static int buffer_of(const checker *k, const ir_op *op)
{
    for (size_t i = 0; k->s && i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].op == op)
            return k->s->accesses[i].arg;
    return -1;
}

const char *fingerprint_op(const checker *k, const ir_op *op)
{
    tr_text out = {0};
    tr_text_addf(&out, "%s ", ir_op_info_of(op->code)->mnemonic);
    int buffer = buffer_of(k, op);
    if (buffer >= 0)
        add_parameter(&out, k, (size_t)buffer);
    tr_text_add(&out, "[");
    add_operands(&out, k, op);
    tr_text_add(&out, "]");
    const char *kept = tr_arena_strdup(k->arena, tr_text_get(&out));
    tr_text_free(&out);
    return kept;
}

/* ---- Section: Findings ---- */

/* FNV-1a over the text and its end. */
static uint64_t hash(uint64_t h, const char *text)
{
    for (const char *c = text;; c++) {
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
        if (!*c)
            return h;
    }
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The accesses are sorted, so a fingerprint stays when one moves above the other. */
void fingerprint_set(const ir_function *kernel, finding *f)
{
    const char *parts[2] = {"", ""};
    TR_ASSERT(f->n_locations <= TR_COUNT(parts));
    for (size_t i = 0; i < f->n_locations; i++)
        parts[i] = f->locations[i].known_by ? f->locations[i].known_by : "";
    qsort(parts, TR_COUNT(parts), sizeof *parts, compare_texts);
    const uint64_t begin = 0xcbf29ce484222325u;
    uint64_t of_kernel = hash(begin, kernel->shown); /* rules_tell_apart goes on from here */
    uint64_t of_rest = hash(begin, rule_info_of(f->rule)->code);
    for (size_t i = 0; i < TR_COUNT(parts); i++)
        of_rest = hash(of_rest, parts[i]);
    snprintf(f->fingerprint, sizeof f->fingerprint, "%016" PRIx64 "%016" PRIx64, of_kernel,
             of_rest);
}

void rules_tell_apart(kernel_report *kernel, const kernel_signature *signature)
{
    enum { OF_KERNEL = 16 };
    for (size_t i = 0; i < kernel->n_findings && signature->of > 1 && signature->n > 0; i++) {
        char *digits = kernel->findings[i].fingerprint, of_kernel[OF_KERNEL + 1];
        TR_ASSERT(strlen(digits) == 2 * OF_KERNEL);
        memcpy(of_kernel, digits, OF_KERNEL);
        of_kernel[OF_KERNEL] = 0;
        uint64_t h = strtoull(of_kernel, NULL, 16);
        for (size_t v = 0; v < signature->n; v++) {
            h = hash(h, signature->values[v].name);
            h = hash(h, signature->values[v].is_literal ? "=" : ":");
            h = hash(h, signature->values[v].text);
        }
        snprintf(of_kernel, sizeof of_kernel, "%016" PRIx64, h);
        memcpy(digits, of_kernel, OF_KERNEL);
    }
}
