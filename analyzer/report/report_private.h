/* Shared by the writers of the report room. */
#ifndef REPORT_PRIVATE_H
#define REPORT_PRIVATE_H

#include "report/report.h"

typedef struct cJSON cJSON;

typedef struct source_file { /* stb_ds map entry */
    char *key;               /* file name */
    const char *text;        /* NULL: cannot be read */
    size_t length;
    size_t *lines;       /* stb_ds array: offset of each line's first byte */
    const char **hashes; /* report_line_hashes; NULL until asked for */
    size_t n_hashes;
} source_file;

/* One report being written. */
typedef struct writer {
    tr_text *out;
    const full_report *report;
    const report_options *options;
    tr_arena *arena;
    source_file *sources; /* stb_ds string map */
} writer;

#define FORMAT(id, name, function, by, about) void function(writer *w);
#include "report/formats.def"

/* ---- writer.c ---- */

/* `out`, `report` (or NULL) and `options` are borrowed. */
writer writer_open(tr_text *out, const full_report *report, const report_options *options);
void writer_close(writer *w);
/* An input is written: what is there may go out, and what was kept for it is forgotten. */
void writer_next(writer *w);
/* Like writer_next(), where what was written stays. */
void writer_forget(writer *w);

/* ---- source.c ---- */

/* The line (from 1) of a file without its line end; NULL when it cannot be read. */
const char *source_line(writer *w, const char *file, uint32_t line, size_t *length);
/* The whole file; NULL when it cannot be read. */
const char *source_text(writer *w, const char *file, size_t *length);
/* Column in UTF-16 units, from 1, of a byte column, from 1. */
uint32_t source_utf16_column(const char *line, size_t length, uint32_t byte_column);
const char *source_line_hash(writer *w, const char *file, uint32_t line); /* or NULL */
void sources_free(writer *w);
/* `string` where it is UTF-8, else a copy with U+FFFD for what is not. */
const char *utf8_clean(tr_arena *arena, const char *string);

/* ---- escape.c: text from outside as text of another language ---- */

/* XML, and HTML. In an attribute a line end and a tab keep what they are. */
void escape_xml(tr_text *out, const char *text, bool attribute);
/* GitHub's Markdown, on one line, in a table or not. */
void escape_markdown(tr_text *out, const char *text);
/* A workflow command of GitHub: its text, or one of its properties. */
void escape_command(tr_text *out, const char *text, bool property);
/* A message of SARIF, before it becomes a string of JSON: it is for people, in lines, and
 * has no links but those to places of its result. */
void escape_sarif(tr_text *out, const char *text);

/* ---- terminal.c ---- */

/* Appends text that names things from outside, as tr_text_add_shown does; a line end stands at the
 * end of the format alone. */
void write_said(writer *w, const char *format, ...) TR_PRINTF(2, 3);

typedef enum paint {
    PAINT_PLACE,
    PAINT_ERROR,
    PAINT_WARNING,
    PAINT_NOTE,
    PAINT_CARET,
    PAINT_GOOD
} paint;

void write_painted(writer *w, paint color, const char *text);

/* The text, which leads to the file where the terminal has links. */
void write_file_link(writer *w, const char *file, paint color, const char *text);
/* The code, which leads to the rule's page. */
void write_rule_link(writer *w, const char *code);

/* ---- text.c ---- */

/* Start of a message line: "file:line:col: ", or "file: " where no line is known. */
void write_place(writer *w, const char *file, const tr_place *place);
/* Writes the places that the code there was inlined from. */
void write_frames(writer *w, const tr_place *place);
/* "inlined from 'f' here" */
const char *frame_words(tr_arena *arena, const tr_place *place);
/* "second access: store by tile block (1, 0, 0)" */
const char *location_words(writer *w, const finding *f, size_t i);

/* Returns all that the text format says of the kernel, without colours. */
const char *kernel_text(writer *w, const input_report *input, const kernel_report *kernel);

/* ---- marked.c ---- */

/* The source line of a place, a caret below its column, the marks beside it and what fixes put in
 * below that. Tabs are expanded as Clang does it, or stay what they are. */
void write_marked(writer *w, const tr_place *place, size_t n, const report_mark *marks,
                  bool expands_tabs);
/* Like write_marked(), for a place alone: a line below its range; nothing where it has no column.
 */
void write_source(writer *w, const tr_place *place);

/* ---- describe.c ---- */

bool place_known(const tr_place *place);                         /* has a file and a line */
const char *place_words(tr_arena *arena, const tr_place *place); /* "k.c:3:5" of a known one */
/* "at op 12 of 'k': store_view_tko ...", where no line is known but the kernel's; else NULL. */
const char *op_words(tr_arena *arena, const kernel_report *kernel,
                     const finding_location *location);
/* "tile block (1, 0, 0), iteration 3" */
const char *event_words(tr_arena *arena, const finding *f, const witness_event *event);
/* The witness event that belongs to location i of a finding, or NULL. */
const witness_event *event_of_location(const finding *f, size_t i);
/* The signature of a kernel that is compiled several times: 'x = "f32[1]", TILE = 64', or "2 of 3"
 * if nobody states it. NULL: it is compiled once. */
const char *signature_words(tr_arena *arena, const kernel_report *kernel);
const char *signature_heading(const kernel_report *kernel); /* "compiled for:" */
/* The kernel's name; behind it, in parentheses, those words where there are any. */
const char *kernel_words(tr_arena *arena, const kernel_report *kernel);
/* "'k' is not decided: the solver took longer than 20 s [solver-timeout]" */
const char *undecided_words(tr_arena *arena, const kernel_report *kernel);
/* "allowed: ", "in the baseline: " of one that is hidden; else "". */
const char *report_hidden_prefix(tr_arena *arena, const finding *f);
/* The finding that says best why a verdict is what it is: the first of the highest level, hidden
 * ones last; or NULL.
 */
const finding *worst_finding(const kernel_report *kernel);
/* A kernel's result in one sentence; "" if there is nothing to say. */
const char *gist_of(writer *w, const kernel_report *kernel);
/* A file's name from the folder of the run on, where it lies in there. */
const char *file_from_folder(const writer *w, const char *file);
/* "halve.c:3:5: text" for the first errors of an input, one a line. */
const char *input_error_text(tr_arena *arena, const input_report *input);
/* The reasons for an exit code: of the input, else of the whole run. */
const report_failing *failing_of(const writer *w, const input_report *input);
/* The words for a finding whose level is set: "lowered:", and "from error, by tilerace.toml:9". */
const char *level_heading(const finding *f);
const char *level_words(tr_arena *arena, const finding *f);
/* "k.c:3:5: warning: this allows TR001, ... [TR902]" */
const char *remark_words(writer *w, const input_remark *remark);

/* ---- totals.c ---- */

/* "4 kernels: 2 proved race-free, ..." */
const char *totals_words(tr_arena *arena, const report_totals *t);

/* ---- json_tools.c: cJSON with exact integers and clean text ---- */

cJSON *report_json_text(writer *w, const char *string); /* null for NULL */
cJSON *report_json_int(int64_t value);                  /* all digits, also beyond 2^53 */
cJSON *report_json_unsigned(uint64_t value);
cJSON *report_json_ints(size_t n, const int64_t *values);
cJSON *report_json_floats(size_t n, const double *values);
void report_json_put(cJSON *object, const char *key, cJSON *value); /* takes value */
void report_json_write(writer *w, cJSON *root);                     /* takes root */
/* Writes the JSON in pieces. An object without its end; then members of it, and elements of an
 * array that is one. All take what they are given. */
void report_json_begin(writer *w, cJSON *root);
void report_json_write_member(writer *w, const char *key, cJSON *value);
void report_json_begin_array(writer *w, const char *key);
void report_json_element(writer *w, bool is_first, cJSON *value);
/* Like report_json_element(), for an array that stands so deep. */
void report_json_element_at(writer *w, int depth, bool is_first, cJSON *value);
void report_json_end_array(writer *w);
void report_json_end(writer *w);

#endif
