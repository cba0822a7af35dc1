/* Findings -> text and the other formats of formats.def.
 *
 * The same report gives the same bytes, kernel_report.time_ms in JSON, HTML and JUnit excepted:
 * inputs in the order given, kernels in module order, findings in the order that rules gave them.
 */
#ifndef REPORT_H
#define REPORT_H

#include "verdict/findings.h"

typedef enum report_format {
#define FORMAT(id, name, writer, by, about) REPORT_##id,
#include "report/formats.def"
    REPORT_FORMAT_COUNT
} report_format;

typedef enum report_reach { /* whose reports a format serves; each serves those before it, too */
                            REPORT_OF_CHECKS,
                            REPORT_OF_RUNS,
                            REPORT_OF_ALL,
} report_reach;

/* The address of the project. A rule's page is there under a name that stays: numbers of rules are
 * never reused, and no page is removed. */
#define REPORT_HOME  "https://github.com/tilerace/tilerace"
#define REPORT_PAGES REPORT_HOME "/blob/main/docs/rules/" /* TR001.md */

/* Reasons for an exit code other than 0, besides races and error-level findings. */
typedef struct report_failing {
    bool conditional, unknown, warning;
} report_failing;

typedef struct report_options {
    bool color;             /* text: ANSI colours */
    bool links;             /* text: places and rules are links (OSC 8) */
    const char *host;       /* the machine that file links name; NULL: that of the reader */
    bool verbose;           /* text: formulas whole, however long */
    bool brief;             /* text: nothing of kernels that are proved */
    bool quiet;             /* text: findings alone, and verdicts that `failing` names */
    bool names_kernel;      /* warnings: say of each finding which kernel has it */
    bool as_data;           /* warnings: each message is a line that report_read_message reads */
    report_failing failing; /* JUnit: a test case that fails is one that the exit code tells of */
    const tr_unsaved *unsaved; /* texts that stand for sources; or NULL */
    /* Given what was written so far, which it may take away; NULL: `out` keeps all. All but
     * Markdown, which has an end, are given in pieces. */
    void (*take)(void *user, tr_text *out);
    void *user;
    const char *folder; /* absolute folder that relative file names start from; SARIF's URIs are
                           relative to it. NULL: names stay as they are */
} report_options;

/* Name of a format as the command line spells it, and what it is. */
const char *report_format_name(report_format format);
const char *report_format_about(report_format format);
bool report_format_by_name(const char *name, report_format *format);
bool report_format_serves(report_format format, report_reach reach);
/* The format of that name among those that serve such reports; NULL: text. False: it is none. */
bool report_format_of(report_reach reach, const char *name, report_format *format);
/* "text, json or html", of those that serve such reports. */
const char *report_format_names(tr_arena *arena, report_reach reach);

/* An input of the report. What it points to is there until another one is asked for. */
input_report *report_input(const full_report *report, size_t i);

/* Appends the report to `out`. Source lines are read from the files that places name; a file that
 * cannot be read costs its source lines only. */
void report_write(tr_text *out, const full_report *report, report_format format,
                  const report_options *options);

/* Appends one error of an input as text: place, sentence, source line, hint. `file` stands where
 * the error has no file of its own. */
void report_write_error(tr_text *out, const char *file, const tr_error *error,
                        const report_options *options);

/* Appends the remarks of an input as text, which are warnings. */
void report_write_remarks(tr_text *out, const input_report *input, const report_options *options);

/* Appends the findings of one kernel of an input as text; behind them its verdict, where `verdict`
 * asks for it. */
void report_write_kernel(tr_text *out, const input_report *input, const kernel_report *kernel,
                         bool verdict, const report_options *options);

/* ---- As warnings of a compiler (warnings.c) ---- */

typedef enum report_severity {
    REPORT_NO_MESSAGE,
    REPORT_NOTE,
    REPORT_REMARK,
    REPORT_WARNING,
    REPORT_ERROR,
    REPORT_FATAL_ERROR,
} report_severity;

typedef struct report_mark { /* on the line of a message; columns count bytes from 1 */
    uint32_t column, end_column;
    const char *text; /* of a fix: what should stand there; else NULL */
} report_mark;

typedef struct report_message { /* of a compiler */
    const tr_place *place;
    report_severity severity;
    const char *text;
    const char *group; /* "-Wunused"; "" or NULL: none */
    const char *rule;  /* "TR001"; NULL: it is no finding */
    bool was_warning;  /* an error by -Werror */
    bool has_marks;    /* the marks stand for the range of the place */
    size_t n_marks;
    const report_mark *marks;
} report_message;

/* The severity of a kernel's findings. Notes, undecided kernels and hidden findings are never more
 * than remarks. */
typedef struct report_grading {
    report_severity race;  /* of races, and of what is undefined */
    report_severity other; /* of races that a precondition excludes, and of warnings */
} report_grading;

typedef struct report_tally {
    size_t remarks, warnings, errors;
    size_t of_comments; /* how many of the warnings are about comments that allow findings */
} report_tally;

/* Appends it in Clang's form: `file:line:col: warning: text [-Wgroup]`, the source line, a caret.
 */
void report_write_message(tr_text *out, const report_message *message, const char *file,
                          const report_options *options, report_tally *tally);
/* Appends the findings of a kernel as messages of the group -Wrace with their notes, and, where it
 * is not decided, a remark. */
void report_write_warnings(tr_text *out, const input_report *input, const kernel_report *kernel,
                           const report_grading *grading, const report_options *options,
                           report_tally *tally);
/* Appends what is said of a comment that allows nothing, as a warning of the same group. */
void report_write_warning_of_comment(tr_text *out, const input_remark *remark,
                                     const report_options *options, report_tally *tally);

typedef struct report_told { /* a message that was written as data */
    report_severity severity;
    const char *text, *rule, *file; /* `rule` may be NULL */
    uint32_t line, column;          /* 0: not known */
} report_told;

/* Appends a message as data whatever the options are: a line, for report_read_message. */
void report_write_told(tr_text *out, const report_told *told);
/* Reads the message at *at and moves *at behind it. False: a line that holds none, which *at stays
 * at the start of, or the end of the text. Strings lie in the arena. */
bool report_read_message(tr_arena *arena, const char **at, report_told *told);

/* The comments of sources that allow findings (allowed.c; docs/suppressions.md says how they are
 * written), read once for all inputs of a run. `unsaved`, which may be NULL, are texts that stand
 * for sources. What is handed out lives in the arena. */
typedef struct report_comments report_comments;
report_comments *report_comments_make(tr_arena *arena, const tr_unsaved *unsaved);
void report_comments_free(report_comments *c);
/* Hides the findings of an input that comments allow. Verdicts stay what they are. */
void report_comments_hide(report_comments *c, input_report *input);
/* Called after all inputs: their remarks on comments that are wrong, or that allow what is not
 * there. */
void report_comments_judge(report_comments *c);
/* Does all of the above for one input. */
void report_mark_allowed(tr_arena *arena, const tr_unsaved *unsaved, input_report *input);
/* Is there something that is hidden, and nothing besides notes that is not? */
bool report_is_hidden(const kernel_report *kernel);

/* Does a configuration lower its level? */
bool report_is_lowered(const finding *f);

/* The sums of a report. */
typedef struct report_totals {
    size_t kernels, race_free, conditional, race, unknown;
    size_t inputs, not_checked;     /* files */
    size_t errors, warnings, notes; /* findings by level, without those that are hidden */
    size_t hidden[HIDDEN_BY_COUNT];
    size_t race_hidden, conditional_hidden; /* of the kernels: by report_is_hidden */
    size_t lowered;                         /* findings whose level a configuration lowers */
} report_totals;

report_totals report_count(const full_report *report);
void report_add_totals(report_totals *to, const report_totals *from);
/* Appends "4 kernels: 2 proved race-free, ..." as a line. */
void report_write_totals(tr_text *out, const report_totals *totals);
/* "2 allowed, 3 in the baseline"; "" where nothing is hidden. */
const char *report_hidden_words(tr_arena *arena, const size_t hidden[HIDDEN_BY_COUNT]);

/* "not checked: 3 without a recording, 2 excluded"; "" where nothing was skipped. */
const char *report_skipped_words(tr_arena *arena, const full_report *report);
/* "not affected by the change since main: 12 kernels"; "" without --diff-base. */
const char *report_left_out_words(tr_arena *arena, const full_report *report);
/* Gives both of the lines above, as far as there are any, and returns how many there are. */
enum { REPORT_OMISSIONS = 2 };
size_t report_omissions(tr_arena *arena, const full_report *report,
                        const char *lines[REPORT_OMISSIONS]);

/* Rules that stand for the absence of an answer; SARIF has a result for each such kernel or file,
 * so that an empty report means that all was proved. */
typedef struct report_absence {
    const char *code; /* "TR900" */
    const char *name;
    const char *summary;
    const char *help;
    rule_level level;
} report_absence;

extern const report_absence report_undecided; /* a kernel whose verdict is unknown */
extern const report_absence report_unchecked; /* a file that could not be checked */
/* Like report_omissions(), for what is said of a source itself. */
const report_absence *report_remark_info(remark_kind kind);
/* Returns the absences above in the order of their codes. */
#define REPORT_ABSENCES (2 + REMARK_KINDS)
const report_absence *report_absence_at(size_t i);

/* "second access: store by tile block (1, 0, 0)" */
const char *report_location_words(tr_arena *arena, const finding *f, size_t i);
/* "'k' is not decided: the solver took longer than 20 s [solver-timeout]" */
const char *report_undecided_words(tr_arena *arena, const kernel_report *kernel);

const char *report_level_name(rule_level level);       /* "error" */
const char *report_verdict_name(verdict_kind verdict); /* "race-free" */

/* The hashes that GitHub's code scanning calls primaryLocationLineHash: one for each line of a
 * text, for lines 1..n; "" for a line that is not there. `count` receives n. Texts live in `arena`.
 * Shown for tests. */
const char **report_line_hashes(tr_arena *arena, const char *text, size_t length, size_t *count);

#endif
