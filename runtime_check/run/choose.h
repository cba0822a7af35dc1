/* Chooses the launch that is run. */
#ifndef RUN_CHOOSE_H
#define RUN_CHOOSE_H

#include "interp/interp.h"
#include "launch/search.h"
#include "run/target.h"

/* Picks values that meet the contract: those that it states, else the launch with the most tile
 * blocks that is quick to run on a GPU or, `small`, on the interpreter. False with *why. */
bool run_choose_launch(run_target *target, bool small, const char **why);
/* Chooses in two parts, for those who look at the launches as well: the launches that it chooses
 * among, of that seed, `least` of them where there are so many (0: as many as it needs), and the
 * choice, which sorts them. */
size_t run_search_for_choice(const run_target *target, bool small, uint64_t seed, size_t least,
                             concrete_launch ***found);
bool run_choose_among(run_target *target, bool small, size_t n, concrete_launch **found,
                      const char **why);
/* The contract with what the kernel assumes of its parameters as facts, its variables the same; to
 * be freed by contract_free. */
tr_give contract *run_assumed_contract(const run_target *target);
/* Launches that meet the contract and what the kernel assumes of its parameters, as
 * concrete_enumerate_launches finds them; in the input's arena. */
size_t run_search_launches(const run_target *target, const interp_search *search,
                           concrete_launch ***found);
/* Is the size of some buffer stated nowhere? */
bool run_has_open_buffers(const concrete_launch *launch);
/* Does the interpreter, block after block, keep within the limits? */
bool run_ends_within(const run_target *target, const concrete_launch *launch,
                     const interp_limits *limits);
/* How far the kernel reaches into each buffer whose size nobody states, in bytes, as the
 * interpreter sees it: `ends` has one entry a buffer, zero before. `limits` may be NULL. False with
 * *why where the interpreter does not get to the end. */
bool run_measure(const run_target *target, const concrete_launch *launch,
                 const interp_limits *limits, int64_t *ends, const char **why);

#endif
