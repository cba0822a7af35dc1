/* The solver process: one script, one answer. Whatever it does wrong is an answer too. */
#ifndef SMT_SOLVER_PROCESS_H
#define SMT_SOLVER_PROCESS_H

#include "solver/answer.h"
#include "terms/print_smtlib.h"

/* Ends the sentences that say why there is no solver. */
#define SMT_SOLVER_REMEDY                                                                          \
    "Install Z3 5 or later (ci/setup.sh does), and put it on PATH or name it in TILERACE_SOLVER "  \
    "or --solver."

typedef struct smt_solver smt_solver;

typedef struct smt_reply {
    smt_verdict verdict;
    smt_unknown_kind why; /* SMT_UNKNOWN */
    const char *text;     /* a sentence; in the arena given at smt_solver_new */
    smt_int *values; /* SMT_SAT: of script->wanted, in the arena; NULL when nothing is wanted */
    smt_steps steps; /* that it took */
} smt_reply;

/* A question whose answer is to be believed is asked again, of another process of another form. */
typedef enum smt_solver_form { SMT_FIRST_FORM, SMT_SECOND_FORM } smt_solver_form;

/* `command`: words; quotes group. It is started by the first question, as most checks have none for
 * it, and a failure shows there. patience_ms: for so long it may do nothing; 0: the default. */
tr_give smt_solver *smt_solver_new(tr_arena *arena, const char *command, unsigned patience_ms);
/* Sets the seeds and the arithmetic with which questions are asked from now on; the first form is
 * the default. */
void smt_solver_set_form(smt_solver *solver, smt_solver_form form);
void smt_solver_free(tr_take smt_solver *solver);
/* Ends the process; the next question starts another, whose state is that of the first. */
void smt_solver_stop(smt_solver *solver);
/* "Z3 5.4.0", once the process has said so; waits for it at most limit_ms. */
const char *smt_solver_name(smt_solver *solver, unsigned limit_ms);
/* Is the script satisfiable? The limit is one of steps: of what Z3 counts as its resources
 * (rlimit), SMT_SOLVER_STEP of them to a step. So the answer is the same however busy the machine
 * is. Clocks end only what is no answer anyway: a process that does nothing, or works far beyond
 * what the limit can need; and any when the budget (may be NULL) is spent. A solver that is neither
 * Z3 nor cvc5 knows no such limit: it gets a microsecond of processor time for a step. After
 * anything but an answer in due form the process is killed; the next question starts another. */
enum { SMT_SOLVER_STEP = 4 }; /* measured: 2 to 10 thousand a millisecond */
typedef enum smt_asking { SMT_ASK_LINEAR, SMT_ASK_ANY } smt_asking; /* what kind of facts */
smt_reply smt_solver_ask(smt_solver *solver, const smt_script *script, smt_asking how,
                         smt_steps limit, tr_budget *budget);
/* NULL, or why no question can be put to it ever: it is too old. */
const char *smt_solver_unusable(const smt_solver *solver);
/* The mappings of its process when that first said its name (tr_process_maps); NULL: it has not. */
const char *smt_solver_maps(const smt_solver *solver);
size_t smt_solver_calls(const smt_solver *solver);
size_t smt_solver_restarts(const smt_solver *solver);

#endif
