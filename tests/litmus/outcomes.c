/* OUTCOME lines against the outcomes that were found. */
#include "outcomes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const executions_value *element(const executions_outcome *o, const char *name, size_t length,
                                       int64_t address)
{
    for (size_t i = 0; i < o->n_left; i++)
        if (strncmp(o->left[i].buffer, name, length) == 0 && !o->left[i].buffer[length] &&
            o->left[i].address == address)
            return &o->left[i];
    return NULL;
}

static bool has(const executions_outcome *o, const char *word)
{
    if (strcmp(word, "blocked") == 0)
        return o->blocked;
    const char *equals = strchr(word, '='), *bracket = strchr(word, '[');
    const executions_value *v = NULL;
    if (!equals)
        return false;
    if (bracket)
        v = element(o, word, (size_t)(bracket - word), strtoll(bracket + 1, NULL, 10));
    else if (word[0] == 'r' && strtoul(word + 1, NULL, 10) < o->n_reads)
        v = &o->reads[strtoul(word + 1, NULL, 10)];
    return v && v->known && v->bits == strtoull(equals + 1, NULL, 0);
}

static bool has_all(const executions_outcome *o, size_t n_words, char *const *words)
{
    bool wants_blocked = false;
    for (size_t i = 0; i < n_words; i++) {
        wants_blocked |= strcmp(words[i], "blocked") == 0;
        if (!has(o, words[i]))
            return false;
    }
    return wants_blocked || !o->blocked;
}

bool outcomes_meet(const executions *x, size_t n_words, char *const *words, const char **why)
{
    size_t n = 0, finished = 0;
    for (size_t i = 0; n_words && i < x->n_outcomes; i++) {
        n += has_all(&x->outcomes[i], n_words - 1, words + 1);
        finished += !x->outcomes[i].blocked;
    }
    if (n_words && strcmp(words[0], "allowed") == 0) {
        *why = "no execution has it";
        return n > 0;
    }
    if (n_words && strcmp(words[0], "forbidden") == 0) {
        *why = "some execution has it";
        return n == 0;
    }
    *why = "some execution does not have it";
    return n_words && strcmp(words[0], "always") == 0 && n == finished;
}

static void print_value(const executions_value *v)
{
    if (v->known)
        printf("%llu", (unsigned long long)v->bits);
    else
        printf("?");
}

void outcomes_print(const executions *x)
{
    for (size_t i = 0; i < x->n_outcomes; i++) {
        const executions_outcome *o = &x->outcomes[i];
        printf("   %s", o->blocked ? " blocked" : "");
        for (size_t r = 0; r < o->n_reads; r++) {
            printf(" r%zu=", r);
            print_value(&o->reads[r]);
        }
        for (size_t l = 0; l < o->n_left; l++) {
            printf(" %s[%lld]=", o->left[l].buffer, (long long)o->left[l].address);
            print_value(&o->left[l]);
        }
        printf("\n");
    }
}
