/* A solver that is played from a text (played_solver.h). */
#include "played_solver.h"

#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SILENCE_MS = 150 };

struct tr_process {
    played *play;
    tr_text line;              /* that is handed out */
    char marker[64], last[64]; /* of this question and the one before; "": none */
    tr_text wanted;            /* terms of the last (get-value ...), each with a NUL behind it */
    bool greets, has_ended, is_closed, refuses;
    bool handed_out; /* the line */
    size_t said;     /* lines of the greeting */
    int signal;
};

/* A child is started by a command line, which holds no pointer to the text that it plays. */
static _Thread_local played *playing;
static _Thread_local int64_t now;

/* ---- Section: Plays ---- */

void played_begin(played *p, const char *text, size_t length)
{
    *p = (played){.at = text, .end = text + length};
    playing = p;
    now = 1;
}

void played_end(played *p)
{
    for (size_t i = 0; i < p->n; i++)
        tr_text_free(&p->answers[i].text);
    playing = NULL;
}

size_t played_count(const played *p, const char *line)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += p->answers[i].asks_sat && p->answers[i].has_marker &&
             strcmp(tr_text_get(&p->answers[i].text), line) == 0;
    return n;
}

void played_value(tr_text *out, uint8_t choice)
{
    static const char *const edges[] = {
        "true",
        "false",
        "9223372036854775807",
        "(- 9223372036854775808)",
        "18446744073709551616",
        "85070591730234615865843651857942052864", /* 2^126 */
        "(- 85070591730234615865843651857942052865)",
        "170141183460469231731687303715884105727",
        "170141183460469231731687303715884105728", /* 2^127: does not fit */
        "1766319049",
        "226153980",
        "-7",
        "(- 0)",
        "(/ 1 2)",
        "1.0",
        "#x10",
        "(root-obj (+ (^ x 2) (- 2)) 1)",
        "\"7\"",
        "()",
    };
    if (choice < TR_COUNT(edges))
        tr_text_add(out, edges[choice]);
    else if (choice < 128)
        tr_text_addf(out, "%d", choice - (int)TR_COUNT(edges));
    else
        tr_text_addf(out, "(- %d)", choice - 127);
}

/* ---- Section: Questions ---- */

static void note_question(played *p, bool asks_sat)
{
    if (p->n < PLAYED_MOST_ANSWERS)
        p->answers[p->n] = (played_answer){.asks_sat = asks_sat};
    p->n += p->n < PLAYED_MOST_ANSWERS;
}

static played_answer *last_answer(played *p)
{
    return p->n > 0 && p->n < PLAYED_MOST_ANSWERS ? &p->answers[p->n - 1] : NULL;
}

/* The terms of "(get-value (a |b c| (f a)))". */
static void note_wanted(tr_process *process, const char *text, const char *end)
{
    int depth = 0;
    bool in_bars = false;
    tr_text_clear(&process->wanted);
    for (const char *at = text; at < end && depth >= 0; at++) {
        bool parts = !in_bars && depth == 0 && (*at == ' ' || *at == ')');
        if (*at == '|')
            in_bars = !in_bars;
        if (!in_bars)
            depth += (*at == '(') - (*at == ')');
        if (parts)
            tr_text_addn(&process->wanted, "", 1);
        else
            tr_text_addn(&process->wanted, at, 1);
    }
}

tr_process_result tr_process_write(tr_process *process, const char *data, size_t length,
                                   int64_t timeout_ms)
{
    static const char echo[] = "(echo \"", get[] = "(get-value (";
    (void)timeout_ms;
    if (process->refuses)
        return TR_PROCESS_FAILED;
    if (process->has_ended)
        return TR_PROCESS_CLOSED;
    const char *asked = memmem(data, length, echo, strlen(echo));
    if (!asked)
        return TR_PROCESS_OK;
    const char *wanted = memmem(data, length, get, strlen(get));
    if (wanted)
        note_wanted(process, wanted + strlen(get), data + length);
    asked += strlen(echo);
    const char *quote = memchr(asked, '"', (size_t)(data + length - asked));
    size_t n = quote ? (size_t)(quote - asked) : 0;
    if (!quote || n >= sizeof process->marker)
        abort();
    memcpy(process->last, process->marker, sizeof process->last);
    memcpy(process->marker, asked, n);
    process->marker[n] = 0;
    process->greets = memmem(data, length, "(get-info :name)", 16) != NULL;
    if (!process->greets)
        note_question(process->play, memmem(data, length, "(check-sat)", 11) != NULL);
    return TR_PROCESS_OK;
}

/* ---- Section: Answers ---- */

static void add_values(tr_process *process)
{
    played *p = process->play;
    const char *at = tr_text_get(&process->wanted), *end = at + process->wanted.length;
    tr_text_add(&process->line, "(");
    for (; at < end; at += strlen(at) + 1) {
        tr_text_addf(&process->line, "(%s ", at);
        played_value(&process->line, p->at < p->end ? (uint8_t)*p->at++ : 20);
        tr_text_add(&process->line, ")");
    }
    tr_text_add(&process->line, ")");
}

static void add_marker(tr_process *process, const char *marker, bool quotes)
{
    tr_text_addf(&process->line, quotes ? "\"%s\"" : "%s", marker);
}

static tr_process_result hand_out(tr_process *process, bool is_marker, const char **line,
                                  size_t *length)
{
    played_answer *answer = last_answer(process->play);
    if (answer && !answer->has_marker && is_marker)
        answer->has_marker = true;
    else if (answer && !answer->has_marker)
        tr_text_addf(&answer->text, "%s\n", tr_text_get(&process->line));
    process->handed_out = true;
    *line = tr_text_get(&process->line);
    *length = process->line.length;
    return TR_PROCESS_OK;
}

static tr_process_result end_by(tr_process *process, char how)
{
    process->has_ended = how != 'c';
    process->is_closed = true;
    process->signal = how == 'k' ? 9 : 0;
    return TR_PROCESS_CLOSED;
}

static tr_process_result greet(tr_process *process, const char **line, size_t *length)
{
    static const char *const lines[] = {"(:name \"Z3\")", "(:version \"5.4.0\")"};
    process->greets = process->said < TR_COUNT(lines);
    tr_text_add(&process->line, process->greets ? lines[process->said++] : process->marker);
    process->handed_out = true;
    *line = tr_text_get(&process->line);
    *length = process->line.length;
    return TR_PROCESS_OK;
}

tr_process_result tr_process_read_line(tr_process *process, int64_t timeout_ms, size_t longest,
                                       const char **line, size_t *length)
{
    played *p = process->play;
    (void)longest;
    if (process->handed_out)
        tr_text_clear(&process->line);
    process->handed_out = false;
    if (process->greets)
        return greet(process, line, length);
    if (process->is_closed)
        return TR_PROCESS_CLOSED;
    while (p->at < p->end && *p->at != '\n') {
        char c = *p->at++;
        char how = c == '$' && p->at < p->end ? *p->at++ : 0;
        if (c && (!how || how == '$')) { /* a NUL ends no line that a solver prints */
            tr_text_addn(&process->line, &c, 1);
        } else if (how == 'm' || how == 'q') {
            bool alone = process->line.length == 0;
            add_marker(process, process->marker, how == 'q');
            p->at += p->at < p->end && *p->at == '\n';
            return hand_out(process, alone, line, length);
        } else if (how == 'o') {
            add_marker(process, process->last, false);
        } else if (how == 'v') {
            add_values(process);
        } else if (how == 's') {
            now += timeout_ms > SILENCE_MS ? timeout_ms : SILENCE_MS;
            return TR_PROCESS_TIMEOUT;
        } else if (how == 'r') {
            process->refuses = true;
        } else if (how == 'e' || how == 'k' || how == 'c') {
            return end_by(process, how);
        }
    }
    if (p->at == p->end && process->line.length == 0)
        return end_by(process, 'e');
    p->at += p->at < p->end;
    bool is_marker = strcmp(tr_text_get(&process->line), process->marker) == 0;
    return hand_out(process, is_marker, line, length);
}

/* ---- Section: The process ---- */

tr_give tr_process *tr_process_start_whole(tr_arena *arena, const char *const *argv,
                                           const char *variable, const char **why)
{
    (void)arena, (void)argv, (void)variable;
    tr_process *process = calloc(1, sizeof *process);
    if (!process || !playing)
        abort();
    process->play = playing;
    if (playing->at == playing->end) {
        free(process);
        *why = "There is nothing left to play.";
        return NULL;
    }
    playing->running++;
    return process;
}

void tr_process_free(tr_take tr_process *process)
{
    if (!process)
        return;
    process->play->running--;
    tr_text_free(&process->line);
    tr_text_free(&process->wanted);
    free(process);
}

tr_process_result tr_process_wait(tr_process *process, int64_t timeout_ms, tr_process_end *end)
{
    now += process->has_ended ? 0 : timeout_ms;
    *end = (tr_process_end){.exit_status = process->signal ? -1 : 1, .signal = process->signal};
    return process->has_ended ? TR_PROCESS_OK : TR_PROCESS_TIMEOUT;
}

bool tr_process_has_ended(tr_process *process)
{
    return process->has_ended;
}

bool tr_process_is_runnable(tr_process *process)
{
    (void)process;
    return false;
}

int64_t tr_process_worked_ms(tr_process *process)
{
    (void)process;
    return 0;
}

const char *tr_process_maps(tr_arena *arena, tr_process *process)
{
    (void)process;
    return tr_arena_strdup(arena, "");
}

const char *tr_process_errors(tr_process *process)
{
    return process->signal ? "terminate called\n" : "";
}

const char *tr_process_why(const tr_process *process)
{
    (void)process;
    return "it was played so";
}

/* ---- Section: What else is asked of the system ---- */

int64_t tr_now_ms(void)
{
    return now;
}

double tr_now_fine_ms(void)
{
    return (double)now;
}

bool tr_is_program(const char *path)
{
    (void)path;
    return false;
}

const char *tr_find_program(tr_arena *arena, const char *program, bool (*accepts)(const char *path))
{
    (void)arena, (void)program, (void)accepts;
    return NULL;
}

bool tr_program_is_there(tr_arena *arena, const char *name)
{
    (void)arena, (void)name;
    return false;
}
