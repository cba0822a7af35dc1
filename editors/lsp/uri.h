/* URIs of files: what a client calls a document. */
#ifndef LSP_URI_H
#define LSP_URI_H

#include "base/base.h"

/* The absolute path that a file URI of this machine names, without `.`, `..` and doubled slashes.
 * NULL: it is no file's, of another machine, or holds what no path can hold (%00). In the arena. */
const char *lsp_uri_path(tr_arena *arena, const char *uri);
/* The URI of an absolute path, in the arena. */
const char *lsp_path_uri(tr_arena *arena, const char *path);

/* Does the path lie in the folder, or is it the folder? Both as lsp_uri_path makes them. */
bool lsp_lies_in(const char *path, const char *folder);

#endif
