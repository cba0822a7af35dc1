/* Shared by the parts of an inspection. */
#ifndef LSP_INSPECTING_H
#define LSP_INSPECTING_H

#include "inputs/load.h"
#include "lsp/inspect.h"
#include "lsp/json.h"

typedef struct read_text {
    const char *file;
    const char *text; /* NULL: it cannot be read */
    size_t length;
} read_text;

typedef struct inspecting {
    tr_arena *arena;
    const session *s;
    const lsp_task *task;
    const settings *settings; /* what the configuration and the command line say of the document */
    read_text *texts;         /* stb_ds array: of files that places name */
    cJSON *diagnostics, *actions, *hovers;
} inspecting;

typedef enum lsp_severity { LSP_ERROR = 1, LSP_WARNING, LSP_INFORMATION, LSP_HINT } lsp_severity;

/* ---- Section: Places (places.c) ---- */

/* The text that places of that file count in. */
const read_text *places_text(inspecting *in, const char *file);
/* Does the name in a place mean the document? */
bool places_is_document(const inspecting *in, const char *file);
/* Returns where in the document a place is: itself, or the call that brings it there. NULL:
 * nowhere. */
const tr_place *places_in_document(const inspecting *in, const tr_place *place);
/* The range of a place with a line, in its own file; of a place without an end, the word there. */
lsp_range places_range(inspecting *in, const tr_place *place);
/* A line of the document without what ends it, from 1; NULL: there is none. */
const char *places_line(inspecting *in, uint32_t line, size_t *length);
/* The line of the document, from 1, that includes the file, else 1. */
uint32_t places_including(inspecting *in, const char *file);

/* ---- Section: Findings (findings.c) ---- */

void findings_add_input(inspecting *in, const input_report *report, const dialect_record *record);
/* Adds a finding about the document as a whole. */
void findings_add_note(inspecting *in, lsp_severity severity, const char *code, const char *text);

/* ---- Section: Hovers (hovers.c, regions.c) ---- */

void hovers_add(inspecting *in, loaded *input, const loaded_kernel *kernel,
                const kernel_report *report);

struct summary;
struct ix_access;

/* Appends, in Markdown, which elements the access touches and which tile blocks do. */
void regions_describe(tr_text *out, inspecting *in, loaded *input, struct summary *sum,
                      const struct ix_access *access);

/* ---- Section: Recordings (recorded.c) ---- */

void inspect_recorded(inspecting *in, session *own);

#endif
