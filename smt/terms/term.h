/* Integer and boolean terms: mathematical integers, hash-consed, simplified as they are built.
 *
 * Equal terms of one context are the same pointer. Sums and products are kept as polynomials with
 * 128-bit coefficients in a canonical order, so `b*H + h - h` is `b*H`. A constant that leaves 126
 * bits becomes a term that nothing is known of (sound everywhere: it can only lose a proof).
 * A polynomial beyond a degree or a number of summands is named (SMT_NAMED) before it goes into
 * another one: every operation makes a bounded number of nodes of bounded size, so the terms of a
 * kernel grow linearly with it.
 * Every variable and function has a range fixed when it is made; smt_bounds() propagates ranges,
 * and the prover asserts them for all variables and applications of a query. */
#ifndef SMT_TERMS_TERM_H
#define SMT_TERMS_TERM_H

#include "base/budget.h"

typedef struct smt_ctx smt_ctx;
typedef const struct smt_term *smt_t; /* a term; NULL only where a function says so */
__extension__ typedef __int128 smt_int;

enum { SMT_MOST_COPIES = 31 };

#define SMT_NO_LOW  (-((smt_int)1 << 126)) /* no lower bound */
#define SMT_NO_HIGH ((smt_int)1 << 126)    /* no upper bound */

typedef enum smt_kind {
    SMT_INT,   /* value */
    SMT_VAR,   /* integer variable */
    SMT_BVAR,  /* boolean variable */
    SMT_SUM,   /* args[i] * coefs[i] + value; args are products, variables, applications, ... */
    SMT_PROD,  /* product of >= 2 terms, none of them a number, a sum or a product */
    SMT_NAMED, /* args[0], a sum or a product that is too long to take part in another one. Sums and
                  products hold it as they hold a variable; its value is that of args[0] */
    SMT_DIV, /* Euclidean, args[0] div args[1]; SMT-LIB's div. Divisor 0: as SMT-LIB, unspecified */
    SMT_MOD, /* Euclidean, SMT-LIB's mod */
    SMT_ITE, /* integer if-then-else: args[0] is boolean */
    SMT_APP, /* fn(args): uninterpreted integer function */
    SMT_BAPP, /* uninterpreted predicate */
    SMT_TRUE,
    SMT_FALSE,
    SMT_NOT,
    SMT_AND,
    SMT_OR,
    SMT_EQ, /* args[0] = 0, args[0] in canonical sign */
    SMT_LE, /* args[0] <= 0 */
} smt_kind;

struct smt_term {
    smt_kind kind;
    uint32_t id; /* order of creation: a stable order and an index for side tables */
    uint32_t n_args;
    const smt_t *args;
    const smt_int *coefs; /* SMT_SUM */
    smt_int value;        /* SMT_INT; SMT_SUM: the constant */
    const char *name;     /* SMT_VAR, SMT_BVAR, SMT_APP, SMT_BAPP */
    bool is_private;      /* SMT_VAR: each copy of an event has another one */
    uint32_t copy;        /* SMT_VAR: which of these; 0: that of no copy. See smt_copy */
    smt_int low, high;    /* range of an integer term, as known by construction; SMT_NO_LOW/HIGH */
};

tr_give smt_ctx *smt_ctx_new(void); /* owns an arena; all terms die with it */
/* One for terms that die soon: what is done in it counts as done in `within`. */
tr_give smt_ctx *smt_ctx_new_within(smt_ctx *within);
void smt_ctx_free(tr_take smt_ctx *ctx);
tr_arena *smt_arena(smt_ctx *ctx);

/* ---- Section: Making terms (all simplify) ---- */

smt_t smt_int_const(smt_ctx *ctx, smt_int value);
smt_t smt_bool_const(smt_ctx *ctx, bool value);
/* The variable of that name; the range given at its first use holds. Who may ask again for a wider
 * one looks at the range of what comes back. */
smt_t smt_var(smt_ctx *ctx, const char *name, smt_int low, smt_int high);
/* The variable with exactly this range: by another name, whose end behind a tilde is for no reader,
 * where the name has another range already. One context serves several kernels, and one kernel
 * several times: who names a variable whose range is not always the same needs this. */
smt_t smt_var_of_range(smt_ctx *ctx, const char *name, smt_int low, smt_int high);
/* Makes a variable that each copy of an event has for itself: its id, an iteration, an element. It
 * is another variable than the one of that name that all copies share. */
smt_t smt_private_var(smt_ctx *ctx, const char *name, smt_int low, smt_int high);
smt_t smt_private_var_of_range(smt_ctx *ctx, const char *name, smt_int low, smt_int high);
/* Returns what the copy of that number, from 1 to SMT_MOST_COPIES, has in place of the variable; of
 * a variable of a copy, what the copy of that copy has. */
smt_t smt_copy(smt_ctx *ctx, smt_t variable, unsigned copy);
/* Another variable, as private as this one and of the same copy. */
smt_t smt_renamed(smt_ctx *ctx, smt_t variable, const char *name, smt_int low, smt_int high);
/* The number of the copy of a copy that a variable is of; 0: of none. */
unsigned smt_copy_number(smt_t variable);
smt_t smt_bvar(smt_ctx *ctx, const char *name);
/* The name that a text shows: a variable's own, and `!` with a number for each copy. */
void smt_spell_variable(tr_text *out, smt_t variable);
/* A name that no term has: `stem` and a number. In the context's arena. */
const char *smt_fresh_name(smt_ctx *ctx, const char *stem);
/* A variable that is in no other term, of such a name. */
smt_t smt_fresh(smt_ctx *ctx, const char *stem, smt_int low, smt_int high);
/* 0, 1, ...: never the same number twice. Who names variables and functions after places of a
 * kernel puts it into the names, since those of another kernel may have other ranges there. */
uint32_t smt_new_scope(smt_ctx *ctx);
smt_t smt_app(smt_ctx *ctx, const char *function, size_t n, const smt_t *args, smt_int low,
              smt_int high);
smt_t smt_bapp(smt_ctx *ctx, const char *predicate, size_t n, const smt_t *args);

smt_int smt_gcd(smt_int a, smt_int b); /* >= 0; of 0 and a number that number's size */

smt_t smt_add(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_sub(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_neg(smt_ctx *ctx, smt_t a);
smt_t smt_mul(smt_ctx *ctx, smt_t a, smt_t b); /* multiplies out, up to a size */
smt_t smt_scale(smt_ctx *ctx, smt_t a, smt_int factor);
smt_t smt_div(smt_ctx *ctx, smt_t a, smt_t b); /* Euclidean */
smt_t smt_mod(smt_ctx *ctx, smt_t a, smt_t b);
/* C's and Tile IR's roundings, made of the Euclidean ones. The divisor must be non-zero where the
 * result matters: proving that is the caller's obligation. */
smt_t smt_div_trunc(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_rem_trunc(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_div_floor(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_div_ceil(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_min(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_max(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_ite(smt_ctx *ctx, smt_t condition, smt_t yes, smt_t no); /* integer or boolean branches */
/* The term where the condition holds: equal to it there, and nothing is said of it elsewhere. */
smt_t smt_assume(smt_ctx *ctx, smt_t term, smt_t condition);
/* smt_ite with each branch simplified under its side of the condition, and one term where both
 * branches are the same function: `k == 0 ? b : b + k*s` is `b + k*s`. */
smt_t smt_choice(smt_ctx *ctx, smt_t condition, smt_t yes, smt_t no);

/* Bit operations on two's complement numbers of that width (the operands are in its signed range).
 * Arithmetic where that says it, else an application that evaluates exactly and of which the prover
 * knows laws: x ^ d is an involution, x & d is no greater than either. */
typedef enum smt_bits_op { SMT_BITS_AND, SMT_BITS_OR, SMT_BITS_XOR } smt_bits_op;
smt_t smt_bits(smt_ctx *ctx, smt_bits_op op, int width, smt_t a, smt_t b);
bool smt_is_bits(smt_t term, smt_bits_op *op); /* an application that smt_bits made */

smt_t smt_eq(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_ne(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_le(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_lt(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_ge(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_gt(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_not(smt_ctx *ctx, smt_t a);
smt_t smt_and(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_or(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_implies(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_iff(smt_ctx *ctx, smt_t a, smt_t b);
smt_t smt_and_n(smt_ctx *ctx, size_t n, const smt_t *args);
smt_t smt_or_n(smt_ctx *ctx, size_t n, const smt_t *args);

/* ---- Section: Steps ---- */

/* The unit of work: a term made, or one examined on a walk, and the like of a solver. It does not
 * depend on time: the same questions take the same steps on every machine. A million of them are
 * about a second's work. */
typedef uint64_t smt_steps;

/* Taken so far in this context, in those made within it, and by solvers asked about its terms. */
smt_steps smt_steps_taken(const smt_ctx *ctx);
void smt_take_steps(smt_ctx *ctx, smt_steps steps);
/* The guard that long loops over terms look at; NULL: none. The caller keeps it. */
void smt_set_budget(smt_ctx *ctx, tr_budget *budget);
tr_budget *smt_budget(const smt_ctx *ctx);
/* Was the guard seen to be spent? Cheap: the clock is read as terms are made. */
bool smt_is_cut(const smt_ctx *ctx);

/* ---- Section: Asking and changing ---- */

bool smt_is_bool(smt_t term);
bool smt_is_const(smt_t term, smt_int *value); /* an integer constant; value may be NULL */
bool smt_is_true(smt_t term);
bool smt_is_false(smt_t term);
/* Range of an integer term by interval arithmetic. */
void smt_bounds(smt_t term, smt_int *low, smt_int *high);
/* Is the fact a bound of one variable or application? Then the range that it leaves to it. */
bool smt_gives_range(smt_ctx *ctx, smt_t fact, smt_t *variable, smt_int *low, smt_int *high);
/* Terms are simplified with the ranges of what they are made of: `e < 4` is `true` where e ranges
 * over 0 to 3. So a term says what it was built to say only of values inside those ranges, and what
 * is put in a variable's place must keep its range, or the range must be asked for beside it.
 *
 * Every occurrence of from[i] (variables or applications) becomes to[i], all at once. Whatever
 * value to[i] may have is one that from[i] may have (asserted). */
smt_t smt_substitute(smt_ctx *ctx, smt_t term, size_t n, const smt_t *from, const smt_t *to);
/* Like smt_substitute(), for any values. The result means what the term meant where *within holds,
 * and nothing elsewhere: whoever assumes it says `within => result`, whoever has to show it `within
 * && result`. */
smt_t smt_instantiate(smt_ctx *ctx, smt_t term, size_t n, const smt_t *from, const smt_t *to,
                      smt_t *within);
/* Like smt_instantiate(), without the condition: for words, and for guesses that are proved
 * afterwards. */
smt_t smt_guess_instance(smt_ctx *ctx, smt_t term, size_t n, const smt_t *from, const smt_t *to);
/* Substitutes as smt_substitute does, for every variable or application for which `rename` answers
 * non-NULL; the answer keeps its range. */
typedef smt_t (*smt_rename)(void *user, smt_ctx *ctx, smt_t variable_or_application);
smt_t smt_map(smt_ctx *ctx, smt_t term, smt_rename rename, void *user);
/* Every subterm for which `replace` answers non-NULL becomes the answer, whose own subterms are
 * left alone; all above is simplified anew. */
smt_t smt_rewrite(smt_ctx *ctx, smt_t term, smt_t (*replace)(void *user, smt_t term), void *user);
/* Has the term more than `limit` distinct subterms? No more than that are looked at. */
bool smt_is_larger(smt_t term, size_t limit);
/* Does `what` (a variable or application) occur in it? */
bool smt_contains(smt_t term, smt_t what);
/* Does a variable occur in both, or an application of one function? */
bool smt_share_unknown(smt_t a, smt_t b);
/* Calls `visit` once for each distinct subterm, children first. */
void smt_visit(smt_ctx *ctx, smt_t term, void (*visit)(void *user, smt_t subterm), void *user);

/* Value of the term where lookup gives the values of variables and applications (their arguments
 * already evaluated); booleans are 0 and 1. False when lookup fails, on division by zero or when a
 * value leaves 126 bits. */
typedef bool (*smt_lookup)(void *user, smt_t variable_or_application, size_t n_args,
                           const smt_int *args, smt_int *value);
bool smt_eval(smt_t term, smt_lookup lookup, void *user, smt_int *value);

/* A value that is not known (lookup failed, division by zero, too big) spoils only what depends on
 * it: a conjunction with a false part is false all the same. */
typedef struct smt_value {
    smt_int number;
    bool known;
} smt_value;

/* Terms that are evaluated many times, each time with other values of the same variables. It dies
 * with the context of the terms, and does not change once it is made: any number of threads may run
 * it at once, and a run counts no steps. */
typedef struct smt_compiled smt_compiled;

smt_compiled *smt_compile(smt_ctx *ctx, size_t n_inputs, const smt_t *inputs, size_t n,
                          const smt_t *terms);
/* How many numbers a run needs room for. */
size_t smt_compiled_size(const smt_compiled *compiled);
/* values[i] is the value of terms[i], where inputs[i] has the value given. `lookup` is asked for
 * applications only, and may be NULL; other variables than the inputs are not known. `room` has
 * place for smt_compiled_size() values. */
void smt_compiled_run(const smt_compiled *compiled, const smt_value *inputs, smt_lookup lookup,
                      void *user, smt_value *room, smt_value *values);

/* C syntax as a person would write it: `b * H + h`, `a / b` for Euclidean division of naturals,
 * `min(...)` where an ITE is one. Used in messages and contracts. */
void smt_print_c(tr_text *out, smt_t term);
/* SMT-LIB 2 of one term. */
void smt_print_smtlib(tr_text *out, smt_t term);

#endif
