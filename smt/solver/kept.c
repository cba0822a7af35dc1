/* Questions that are kept as files, for another solver to be asked (--keep-obligations). */
#include "solver/kept.h"

#include "solver/answer.h"
#include "solver/prover.h"
#include "solver/task.h"
#include "terms/print_smtlib.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

void smt_print_query(tr_text *out, smt_ctx *ctx, size_t n, const smt_t *conjuncts)
{
    smt_script script;
    (void)ctx;
    smt_script_make_whole(&script, n, conjuncts);
    tr_text_add(out, "(set-logic ALL)\n");
    tr_text_add(out, tr_text_get(&script.text));
    tr_text_add(out, "(check-sat)\n");
    smt_script_free(&script);
}

/* The number tells files apart, so however long the names before it are, it is there. */
static const char *name_file(smt_prover *prover, const char *name)
{
    const char *prefix = prover->options.keep_prefix;
    tr_text path = {0};
    tr_text_addf(&path, "%s%s%s", prefix ? prefix : "", prefix && *prefix ? "-" : "",
                 name ? name : "query");
    for (size_t i = 0; i < path.length; i++) {
        if (!isalnum((unsigned char)path.data[i]) && !strchr("-_.", path.data[i]))
            path.data[i] = '_';
    }
    mkdir(prover->options.keep_folder, 0777);
    const char *file =
        tr_arena_printf(prover->arena, "%s/%.180s-%04zu.smt2", prover->options.keep_folder,
                        tr_text_get(&path), ++prover->n_kept);
    tr_text_free(&path);
    return file;
}

/* `status`: as SMT-LIB has it, or NULL. */
static void write_question(smt_prover *prover, const char *file, size_t n, const smt_t *conjuncts,
                           const char *name, const char *status)
{
    tr_text text = {0};
    tr_text_add(&text, "; ");
    for (const char *at = name ? name : "query"; *at; at++)
        tr_text_addn(&text, *at == '\n' || *at == '\r' ? " " : at, 1);
    tr_text_add(&text, "\n");
    if (status)
        tr_text_addf(&text, "(set-info :status %s)\n", status);
    smt_print_query(&text, prover->ctx, n, conjuncts);
    const char *why = NULL;
    if (!tr_write_whole(prover->arena, file, tr_text_get(&text), text.length, &why) &&
        !prover->not_kept) /* it changes no verdict, and whoever asked for it is told */
        prover->not_kept = why;
    tr_text_free(&text);
}

const char *smt_keep(smt_prover *prover, size_t n, const smt_t *conjuncts, const char *name)
{
    if (!prover->options.keep_folder)
        return NULL;
    const char *file = name_file(prover, name);
    write_question(prover, file, n, conjuncts, name, NULL);
    return file;
}

void smt_keep_answer(smt_prover *prover, const char *file, size_t n, const smt_t *conjuncts,
                     const char *name, smt_verdict verdict)
{
    static const char *const status[] = {
        [SMT_UNSAT] = "unsat", [SMT_SAT] = "sat", [SMT_UNKNOWN] = "unknown"};
    if (file)
        write_question(prover, file, n, conjuncts, name, status[verdict]);
}
