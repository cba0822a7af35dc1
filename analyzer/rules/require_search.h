/* Private to rules: looks for what the launch would have to guarantee. */
#ifndef RULES_REQUIRE_SEARCH_H
#define RULES_REQUIRE_SEARCH_H

#include "rules/checker.h"

/* The obligation `conjuncts` (of the pair, in that relation, with `also`) is not proved. True when
 * a natural precondition proves it; it is then among the requires and in k->launch. */
bool require_search(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also, const smt_t *conjuncts);

/* Do preconditions that were found for other pairs prove the obligation, and may they be asked of
 * the launch for this one alone? */
bool require_found_suffices(checker *k, const ix_access *a, const ix_access *b,
                            copy_relation relation, smt_t also, const smt_t *conjuncts);

/* The obligation was not decided in a short time. Tries it with what the verdict requires anyway,
 * and with pointers seen as views, which asks nothing more of the launch; then plainly, for longer,
 * but leaves time for a search. */
smt_answer require_ask_again(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, smt_t also, const smt_t *conjuncts,
                             const char *name);
/* A condition on the launch alone under which `safe` (a condition of one event) holds in every
 * block and iteration that `when` (path and facts) lets through; NULL when it has no such form. A
 * guess: that it is enough is for the caller to prove. */
smt_t require_lift(checker *k, smt_t safe, smt_t when);
/* Asks the launch for facts under which `safe` holds wherever the event happens (`path`, `facts`)
 * and nothing before it was undefined (`assumed`); adds them, under what the launch alone decides
 * of the path. False where some part of it has no such fact: then words have to do. */
bool require_of_event(checker *k, precondition_kind kind, const ir_op *op, smt_t safe, smt_t path,
                      smt_t facts, smt_t assumed);
/* To be called once undefined behaviour is decided: takes those launch preconditions from what
 * proofs use which a defined launch may break (require_enforced.c). */
void require_keep_enforced(checker *k);
/* What is known of the launches that undefined behaviour leaves, where no value that wraps by
 * definition counts as such. Sets `only_wraps`. */
smt_t require_kept_without_wraps(checker *k);
/* A launch that races is defined, so what it breaks was no condition of being defined. Such a
 * precondition is printed as the sentence that it was asked for ("every access lies in its
 * buffer"), or not at all where it has no such sentence. */
void require_drop_broken(checker *k);
/* Would the fact, with all that is known of the launch, leave an axis but one block, which may have
 * several now? Or one of all axes, which may all have several now? That hides every race. The first
 * asks it of some of the axes. */
bool require_forces_some(checker *k, smt_t fact, const bool *axes);
bool require_forces_axis(checker *k, smt_t fact);
/* Do the two speak of one quantity, or of quantities that what is known of the launch relates? */
bool require_bears_on(checker *k, smt_t fact, smt_t other);
/* Greatest value of the term in every block and iteration that `when` lets through, over the launch
 * alone; NULL: it has no such form. A guess, as require_lift. */
smt_t require_greatest(checker *k, smt_t term, smt_t when);
/* Greatest value of a variable of the block's own, over the launch alone; NULL when it has none. */
smt_t require_upper_end(checker *k, smt_t variable);
/* whole / divisor as a term where nothing is left over, by their shape; else NULL. */
smt_t require_exact_quotient(smt_ctx *ctx, smt_t whole, smt_t divisor);

/* ---- require_blocks.c: guesses, best first; that one is enough is for the caller to prove ---- */

enum { REQUIRE_MOST_GUESSES = 8 };
/* Of sizes: how an extent compares with another that the same index keeps to. */
size_t require_guess_sizes(checker *k, smt_t safe, smt_t *guesses);
/* Of how many blocks a swizzle is meant for. */
size_t require_guess_swizzle(checker *k, smt_t safe, smt_t *guesses);
/* How many rows of tiles the swizzles in the term go over. */
size_t require_guess_rows(checker *k, smt_t term, smt_t *rows);
/* Of how many blocks the kernel is meant for, by where indices end. `all`: the condition and those
 * beside it. */
size_t require_guess_blocks(checker *k, smt_t safe, smt_t all, smt_t *guesses);
/* Does the term take a block id apart? */
bool require_has_remainder(checker *k, smt_t term);

/* ---- require_natural.c ---- */

/* What callers mean by an array: those that the kernel writes do not overlap themselves, where the
 * contract says nothing of their strides. */
smt_t require_presumed(checker *k);
/* The index tuple lies in the view's index space. */
smt_t require_in_space(checker *k, const ix_access *a);
/* No undefined behaviour before or at the event: holds at every launch that meets the requires, as
 * long as each such obligation was proved or became one. */
smt_t require_defined(checker *k, const ix_access *a);
smt_t require_both_defined(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation);
/* Asks again, for launches as callers make them; *conjuncts grows by what that adds, and
 * k->assumed_unique by indices that are presumed distinct, which the caller takes off again when
 * nothing is proved. `before` is the answer so far. Unsatisfiable: proved, with what that takes
 * among the requires. */
smt_answer require_natural(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, smt_t also, smt_t **conjuncts, const char *name,
                           smt_answer before);
/* Bits of arguments: index buffers, whose elements say where the kernel writes. They are meant to
 * be distinct, unless the contract says how they compare, or leaves too few values for that. */
uint64_t require_index_buffers(checker *k);
/* Bits of arguments: such buffers of which the contract states that they are distinct, and no more.
 */
uint64_t require_stated_indices(const checker *k);
/* The launch that is looked for breaks what is required of these contents: then nothing else is
 * presumed of them. */
bool require_is_left_open(const checker *k, size_t arg);
/* Bytes of a buffer that values of 32 bits wrap in. */
#define REQUIRE_NEAR ((smt_int)1 << 31)
/* As callers make launches: no undefined behaviour before or at either event, nothing accessed in
 * front of its buffer, no negative index. */
smt_t require_both_natural(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation);

/* ---- require_launches.c ---- */

/* Does the launch meet what is required and presumed of it, as far as values tell? */
bool require_launch_holds(checker *k, const interp_launch *launch);
/* The same where each of them is known to hold, and not only none to fail: what speaks of contents
 * cannot be evaluated. */
bool require_launch_surely_holds(checker *k, const interp_launch *launch);
/* Does the run keep the kernel's own assumptions, and meet no undefined behaviour that the requires
 * exclude? */
bool require_run_is_defined(checker *k, const interp_run *run);
/* Both, the second by a run of the whole launch where that is short. */
bool require_allows(checker *k, const interp_launch *launch, const char **why);
/* The contract of natural launches; in the arena but for its `facts`, which the caller frees
 * (arrfree). */
contract *require_natural_contract(checker *k);

/* The contract, with what is required of contents and, of indices that write, presumed. */
const contract *require_with_indices(checker *k);
/* The contract, with what is required of contents. */
const contract *require_with_contents(checker *k);

/* ---- require_example.c ---- */

/* A race of a launch that breaks precondition number `which`, and no other, replayed; NULL: none
 * was found. */
witness *require_example(checker *k, size_t which, bool briefly);
/* Reports the race as the example of precondition number `which`: the race first, then the
 * precondition that excludes it, then what can be done. */
finding *require_report_example(checker *k, size_t which, const obligation_of *pair, witness *w);

/* ---- require_stale.c ---- */

typedef enum stale_outcome {
    STALE_NEVER, /* each launch is proved to leave the words at 0, or none are assumed to be */
    STALE_SHOWN, /* a later launch races: it is the example of what is a race precondition now */
    STALE_OPEN,  /* neither is known */
} stale_outcome;

/* Words that are assumed to hold 0 at launch: do they at the next one too? */
stale_outcome require_look_for_stale(checker *k);
/* Makes race preconditions of the assumptions of which neither is known, where another one makes
 * the verdict conditional. */
void require_depend_on_reset(checker *k);
/* Counts the verdict as unknown because of them. */
void require_leave_unsettled(checker *k);
/* The first race that a run shows, and the pair of accesses that it is of; NULL: none. */
witness *require_first_race(checker *k, const interp_launch *launch, const interp_run *run,
                            obligation_of *pair);

/* ---- require_differ.c ---- */

/* Can the tuples of elements with one index in the buffers of the arguments all be different, in
 * launches of several tile blocks? Asked once for each argument alone. */
bool require_may_differ(checker *k, size_t n, const int *args);
/* Can all elements of the argument's buffer be different, as many as the contract gives it? Where
 * they cannot, nobody can fill it so, however few of them a launch reads. */
bool require_may_all_differ(checker *k, int arg);
/* Can those elements of the argument's buffer be different of which the condition (on
 * contract_value()) holds? */
bool require_kept_may_differ(checker *k, int arg, smt_t when);
/* Where the contract says that elements of the argument's buffer differ: do the ranges that are
 * stated, assumed and required of them leave a value for each? */
bool require_range_is_wide(checker *k, int arg);
/* Has the launch several tile blocks on each axis that the kernel reads? */
bool require_has_several(const checker *k, const interp_launch *launch);

/* ---- require_arrays.c ---- */

/* A race of a launch in which entries of a list of arrays name one array, against `what`; NULL:
 * none was found. */
witness *require_shared_arrays(checker *k, const precondition *what, obligation_of *pair);

/* ---- require_tables.c ---- */

typedef void (*require_proposal)(void *search, precondition_kind kind, smt_t fact);
/* Proposes that the number that stands for nowhere in the access's address is nowhere. */
void require_look_at_nowhere(checker *k, const ix_access *a, require_proposal propose,
                             void *search);
/* Proposes that two accesses which lie a size apart do not meet (require_apart.c). */
void require_look_at_apart(checker *k, const ix_access *a, const ix_access *b,
                           require_proposal propose, void *search);
/* Proposes facts about the tables and clamps in the access's address. */
void require_look_at_tables(checker *k, const ix_access *a, require_proposal propose, void *search);
/* The access happens only where contents < some end that is the same for the launch (and 0 <=
 * contents, where it is masked there too), or where other conditions on the element and the launch
 * hold: the condition on an element (contract_value()); NULL: there is none. */
smt_t require_masked_below(checker *k, const ix_access *a, smt_t contents);
/* Asks by cases: two elements of contents that are required to be unique are one, or are not. */
smt_verdict require_ask_by_index(checker *k, const smt_t *conjuncts);
/* The same of a table that does not decrease, by the order of two indices (order_cases.c). */
smt_verdict require_ask_by_order(checker *k, const smt_t *conjuncts);
/* Adds: no two elements of the argument's buffer are equal, among those for which `when` holds. */
void require_unique(checker *k, int arg, smt_t when);
/* Adds: no two indices have equal elements in the buffers of the argument and of those `with` it.
 */
void require_unique_tuple(checker *k, int arg, size_t n, const int *with);
/* Locks and flags that are masked at the end of their table are never masked: a fact, or true. */
smt_t require_tables_hold(checker *k);
/* Are the two ordered when the tables of locks and flags are long enough, locks are free at launch
 * and the accessed arrays do not overlap themselves? Then what it takes of that is required. And
 * `rows`, how strides and extents compare (or true), which the caller has found to be admitted. */
bool require_order(checker *k, const ix_access *a, const ix_access *b, smt_t rows);

/* ---- require_lengths.c ---- */

/* Elements of the argument's buffer are lengths of rows, of that many places at most; of at least
 * `least`, unless it is NULL. */
typedef void (*require_length_proposal)(void *search, int arg, smt_t least, smt_t most);
/* Proposes that rows at a pitch are not filled beyond it. */
void require_look_at_lengths(checker *k, const ix_access *a, require_proposal propose,
                             require_length_proposal propose_length, void *search);

/* ---- require_rows.c ---- */

/* Proposes that what is added to a row's start stays below the row's stride, for rows of rows in
 * every order of the strides (`alone`: one order at most is meant); `b` is the access that it must
 * not meet, whose rows may start elsewhere. */
void require_look_at_rows(checker *k, const ix_access *a, const ix_access *b,
                          require_proposal propose, require_proposal propose_alone, void *search);
/* The same of one access alone whose rows begin behind their start. */
void require_look_at_cut_rows(checker *k, const ix_access *a, require_proposal propose_alone,
                              void *search);
/* Extent or stride of dimension d of the array that the access goes to: what the parameter is, or 1
 * for a stride that was known to be 1 when the kernel was compiled. NULL: there is none, or the
 * kernel does not read it. */
smt_t require_array_part(checker *k, const ix_access *a, contract_role role, size_t d);
/* The array's own strides do not overlap, by the parameters that hold them; NULL: not an array. */
smt_t require_array_chain(checker *k, const ix_access *a);

/* ---- require_contents.c ---- */

/* Requires that every element of the argument's buffer lies in the range, and assumes it from now
 * on. */
void require_contents(checker *k, const contents_range *range);
/* Does an address take elements of the argument's buffer, or what is made of them, as unsigned? */
bool require_reads_unsigned(const checker *k, int arg);
/* Of two bounds, either of which may be NULL: none; the other one stands then. */
smt_t require_greater(checker *k, smt_t a, smt_t b);
smt_t require_smaller(checker *k, smt_t a, smt_t b);
/* The term in words, contract_value() as contracts have it: `value`. */
const char *require_words_of_contents(checker *k, smt_t term);
/* Requires that the elements of the argument's buffer do not decrease, and assumes it. */
void require_increasing(checker *k, int arg);
/* Requires that the elements of the argument's buffer are the exclusive prefix sum of those of
 * another one, and assumes it. */
void require_prefix_sum(checker *k, int arg, int of);
/* Would the range, which `element` and all others of its buffer shall lie in, leave the launches
 * one tile block on an axis, or one iteration of a loop? */
bool require_range_starves(checker *k, const contents_range *range, smt_t element);
/* Requires ranges of contents under which `safe` holds wherever `path` (and facts) let the event
 * happen, `when` being all that holds before it. False where that is not enough. */
bool require_contents_of_event(checker *k, smt_t safe, smt_t path, smt_t when);

/* ---- require_pairs.c ---- */

/* From here on the checker's questions use what every pair may use, and nothing that was found for
 * another pair; until the pair is left, when what was found for it joins the rest. */
void require_enter_pair(checker *k);
void require_leave_pair(checker *k);
void require_free_pairs(checker *k);
/* While a pair is decided: exchanges what it may use for what was found for all pairs before it;
 * the second call exchanges them back. */
void require_swap_found(checker *k);
/* What was found so far of the launch, as one fact. */
smt_t require_found_facts(checker *k);
/* To be called when k->presumed was found: other pairs may presume the same. */
void require_share_presumed(checker *k);

/* ---- require_extent.c ---- */

/* Asks for the size of each buffer whose extent nobody states, and which the kernel's own masks do
 * not bound. */
void require_extents(checker *k);

/* ---- layout_array.c ---- */

/* The access as one through a view of its array, with a tensor and coordinates; the access itself
 * where it is one already or cannot be seen so. */
const ix_access *layout_as_view(checker *k, const ix_access *a);

/* ---- require_search.c ---- */

/* The summands that are the same for all blocks, without the number. */
smt_t require_launch_part(checker *k, smt_t sum);
/* Can two events of the pair, with `also`, still happen in a launch of which the fact holds? */
bool require_leaves_reachable(checker *k, const ix_access *a, const ix_access *b,
                              copy_relation relation, smt_t also, smt_t fact);
/* Adds the require with the fact's own text and contract fragment. */
void require_add_fact(checker *k, precondition_kind kind, smt_t fact);

#endif
