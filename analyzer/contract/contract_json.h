/* Private to the room: facts as the JSON of launch contracts. */
#ifndef CONTRACT_CONTRACT_JSON_H
#define CONTRACT_CONTRACT_JSON_H

#include "contract/precondition.h"

#include <cjson/cJSON.h>

/* The term in the syntax of contract expressions, in the arena of `ctx`. */
const char *contract_term_text(smt_ctx *ctx, smt_t term);
/* Can a contract's expression say it? `in_contents`: `value` and `index` may be used. */
bool contract_can_say(smt_ctx *ctx, const contract *c, const char *text, bool in_contents);
/* Adds the term as a number or an expression; nothing where it is NULL. */
void contract_put_term(smt_ctx *ctx, cJSON *object, const char *key, smt_t term);
/* The list under that key, made where it is missing. */
cJSON *contract_list(cJSON *object, const char *key);
/* A new object of the launch's list of contents, about an argument's buffer; the launch owns it. */
cJSON *contract_put_object(cJSON *launch, const contract *c, const contract_arg *arg);
/* Adds what is known of the contents of an argument's buffer to the launch's list. */
void contract_put_contents(smt_ctx *ctx, cJSON *launch, const contract *c, const contract_arg *arg,
                           const contract_contents *known);
/* The precondition as a fragment of a launch; NULL: no contract can say it. */
tr_give cJSON *precondition_json(smt_ctx *ctx, const contract *c, const precondition *p);

#endif
