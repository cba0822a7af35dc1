/* Words that stand for rules: in configurations, and behind --select and --ignore. */
#ifndef SETTINGS_SELECTORS_H
#define SETTINGS_SELECTORS_H

#include "verdict/findings.h"

/* Is the selector one of some rule? False, with *why, a sentence about it. */
bool selector_is_known(tr_arena *arena, const char *selector, const char **why);
/* The code, the beginning of the code, the name, or ALL. */
bool selector_has(const char *selector, rule_id rule);
/* Like selector_has(), for what is said of comments, TR902 and TR903; and whether it is one of
 * these at all. */
bool selector_has_remark(const char *selector, remark_kind kind);
bool selector_is_remark(const char *selector);

#endif
