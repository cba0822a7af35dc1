/* The solver process: one script, one answer. Whatever it does wrong is an answer too. */
#ifndef SMT_SOLVER_H
#define SMT_SOLVER_H

#include "smt/prove.h"
#include "smt/script.h"

typedef struct smt_solver smt_solver;

typedef struct smt_reply {
    smt_verdict verdict;
    smt_unknown_kind why; /* SMT_UNKNOWN */
    const char *text;     /* a sentence; in the arena given at smt_solver_new */
    smt_int *values; /* SMT_SAT: of script->wanted, in the arena; NULL when nothing is wanted */
} smt_reply;

/* `command`: words; quotes group. It is started by the first question, as most checks have none for
 * it, and a failure shows there. */
tr_give smt_solver *smt_solver_new(tr_arena *arena, const char *command);
void smt_solver_free(tr_take smt_solver *solver);
/* "Z3 5.4.0", once the process has said so; waits for it at most limit_ms. */
const char *smt_solver_name(smt_solver *solver, unsigned limit_ms);
/* Is the script satisfiable? Takes at most limit_ms of the solver's processor time (and the time
 * that killing takes), and of a busy machine's time some times that. After anything but an answer
 * in due form the process is killed; the next question starts another. */
typedef enum smt_asking { SMT_ASK_LINEAR, SMT_ASK_ANY } smt_asking; /* what kind of facts */
smt_reply smt_solver_ask(smt_solver *solver, const smt_script *script, smt_asking how,
                         unsigned limit_ms);
size_t smt_solver_calls(const smt_solver *solver);
size_t smt_solver_restarts(const smt_solver *solver);
int64_t smt_solver_worked_ms(smt_solver *solver); /* processor time of all its processes */
/* Nothing is waited for beyond that time of tr_now_ms(). */
void smt_solver_end_at(smt_solver *solver, int64_t until);

/* Words of a command line: blanks separate, '...' and "..." group. NULL-terminated, in the arena.
 */
const char *const *smt_split_command(tr_arena *arena, const char *command);

#endif
