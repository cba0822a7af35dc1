/* Checks one document, in a process of its own: what an editor shows of it.
 *
 * It is told in lines of JSON, the first as soon as it is known:
 *   {"kind": "findings", "diagnostics": [...], "actions": [...], "files": [...]}, files null where
 *       not all are known
 *   {"kind": "hovers", "items": [...]}
 * Diagnostics and hovers are LSP's, in the positions of the text that was checked. An action has
 * the number of its diagnostic, a title, a range and the text to put there. */
#ifndef LSP_INSPECT_H
#define LSP_INSPECT_H

#include "lsp/lsp.h"
#include "session/session.h"

typedef void inspect_tell(void *user, const char *line);

/* `s` is prepared, as for `check`. */
void inspect_document(const session *s, const lsp_task *task, inspect_tell *tell, void *user);

/* Other text where the recording of the file, or the file, is another one. */
const char *inspect_stamp(tr_arena *arena, const lsp_task *task);

#endif
