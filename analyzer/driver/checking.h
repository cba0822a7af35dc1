/* One input from its file to what is reported of it. */
#ifndef DRIVER_CHECKING_H
#define DRIVER_CHECKING_H

#include "driver/packed.h"
#include "driver/session.h"

/* Checks file number `number` of the session and appends the result in its packed form. Nothing
 * else of it stays: neither module nor terms. From any thread. */
void checking_run(const session *s, size_t number, tr_text *packed);
/* How the kernels of that file are checked: as the command line and its configuration say. */
rules_options checking_options(const session *s, size_t number);
/* Appends the result of an input of which nothing was found out: one error. */
void checking_failed(const char *file, const char *why, tr_text *packed);
/* Reads what checking_run gave back into the session's arena. */
checked_input checking_result(const session *s, size_t number, const tr_text *packed);

/* Does every launch of --launch name a kernel of these inputs? Complains if not; EXIT_CLEAN or
 * EXIT_BAD. */
int checking_names(session *s, size_t n, const checked_input *inputs);
/* Writes the errors of an input as text to the error stream. */
void checking_complain(session *s, const checked_input *input);

#endif
