/* Talking SMT-LIB 2 to a child process over pipes.
 *
 * Every question ends with an (echo ...) of a marker of its own. Exactly one line before the
 * marker, and that one `sat`, `unsat` or `unknown`, is an answer; all else is a failure, so that an
 * answer in front of an error line, or a late one to an earlier question, is never believed. */
#include "solver/process.h"

#include "solver/answer.h"
#include "solver/command.h"
#include "solver/values.h"
#include "terms/print_smtlib.h"

#include "base/ds.h"
#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    MAX_REPLY_BYTES = 8 << 20,
    PATIENCE_MS = 60000,    /* by default */
    LOOK_EVERY_MS = 200,    /* at the clocks while an answer is waited for */
    IDLE_SHARE = 16,        /* of the time that passes: who neither works nor could, does nothing */
    FAR_BEYOND = 20,        /* times the processor time that the steps are about */
    FAR_BEYOND_MS = 120000, /* and this much, which no honest question comes near on any machine */
    STEPS_A_MS = 1000,
    BYTES_A_STEP = 16,      /* of a question's text, whose reading a solver does not count */
    MAX_QUOTED_REPLY = 160, /* of what it printed, in a sentence */
    OLDEST_Z3 = 5,
    MOST_PRODUCTS = 16, /* of a question, for Z3 to count its work as it counts other work */
};

struct smt_solver {
    tr_arena *arena;
    const char *const *argv;
    tr_process *process; /* NULL when it is not running */
    bool ready;          /* it has said its name */
    bool clean;          /* nothing is asserted in it */
    bool was_started;
    const char *maps;     /* what was mapped into it when it had said its name; NULL: it has not */
    const char *why_not;  /* it could not be started */
    const char *unusable; /* it has said what rules it out */
    unsigned patience_ms;
    tr_text greeting; /* what came of it so far */
    const char *name;
    bool is_z3, is_cvc5;
    char secret[40]; /* in every marker: no answer holds one by chance or by design */
    unsigned marker; /* of the last question; 0: of the greeting */
    size_t calls, restarts;
    uint64_t resources; /* that the process has counted since it was last reset */
    smt_solver_form form;
    bool has_forms; /* it has ever had another form than the first */
};

/* One question's clocks. */
typedef struct patience {
    int64_t began, worked_before; /* ms */
    int64_t most_work;            /* ms of processor time */
    tr_budget *budget;
    int64_t looks, runnable; /* how often it was looked at, having said nothing, and could work */
} patience;

/* ---- Section: The process ---- */

static void stop(smt_solver *solver)
{
    tr_process_free(solver->process);
    solver->process = NULL;
    solver->resources = 0;
    solver->ready = solver->clean = false;
    tr_text_clear(&solver->greeting);
}

static const char *marker_of(const smt_solver *solver, unsigned number)
{
    return tr_arena_printf(solver->arena, "tilerace-%s-%u", solver->secret, number);
}

static const char *not_asked(const smt_solver *solver)
{
    return tr_arena_printf(solver->arena, "The solver could not be asked: %s.",
                           tr_process_why(solver->process));
}

static void start(smt_solver *solver)
{
    const char *greeting = tr_arena_printf(solver->arena,
                                           "(set-option :print-success false)\n(get-info :name)\n"
                                           "(get-info :version)\n(echo \"%s\")\n",
                                           marker_of(solver, 0));
    /* Half of Z3's start is the kernel handing out two tables of 8 MiB page by page: as huge pages
     * they are there at once. A C library other than glibc does not know the variable. */
    static const char memory[] =
        "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=16777216:"
        "glibc.malloc.top_pad=2097152";
    solver->why_not = solver->unusable;
    if (solver->unusable)
        return;
    if (!solver->argv[0]) {
        solver->why_not = "The solver's command line is empty.";
        return;
    }
    if (solver->was_started)
        solver->restarts++;
    solver->was_started = true;
    solver->process = tr_process_start_whole(solver->arena, solver->argv, memory, &solver->why_not);
    if (!solver->process) {
        if (!solver->why_not)
            solver->why_not = "The solver could not be started.";
        return;
    }
    /* Nothing waits for the process here: it starts while its first question is being made. What
     * goes wrong in it shows when the answer is read. */
    if (tr_process_write(solver->process, greeting, strlen(greeting), 100) == TR_PROCESS_FAILED) {
        solver->why_not = not_asked(solver);
        stop(solver);
    }
}

/* A system that gives no random numbers has at least a clock. */
static void choose_secret(smt_solver *solver)
{
    uint64_t words[2] = {(uint64_t)tr_now_ms(), (uint64_t)getpid()};
    if (getrandom(words, sizeof words, GRND_NONBLOCK) != sizeof words)
        words[1] ^= (uint64_t)(uintptr_t)solver << 16;
    snprintf(solver->secret, sizeof solver->secret, "%016llx%016llx", (unsigned long long)words[0],
             (unsigned long long)words[1]);
}

smt_solver *smt_solver_new(tr_arena *arena, const char *command, unsigned patience_ms)
{
    smt_solver *solver = TR_NEW(arena, smt_solver);
    solver->arena = arena;
    solver->patience_ms = patience_ms > 0 ? patience_ms : PATIENCE_MS;
    solver->name = "unknown";
    solver->argv = smt_complete_command(arena, command);
    choose_secret(solver);
    return solver;
}

void smt_solver_set_form(smt_solver *solver, smt_solver_form form)
{
    solver->clean &= solver->form == form; /* else the next question resets it first */
    solver->form = form;
    solver->has_forms = true;
}

void smt_solver_stop(smt_solver *solver)
{
    stop(solver);
    solver->was_started = false; /* the next one starts no second time */
}

void smt_solver_free(smt_solver *solver)
{
    if (!solver)
        return;
    stop(solver);
    tr_text_free(&solver->greeting);
}

size_t smt_solver_calls(const smt_solver *solver)
{
    return solver->calls;
}

const char *smt_solver_maps(const smt_solver *solver)
{
    return solver->maps;
}

size_t smt_solver_restarts(const smt_solver *solver)
{
    return solver->restarts;
}

/* ---- Section: Reading ---- */

static smt_reply failed(smt_solver *solver, smt_unknown_kind why, const char *text)
{
    stop(solver);
    return (smt_reply){.verdict = SMT_UNKNOWN, .why = why, .text = text};
}

/* Why no more of an answer is waited for; false: it is. */
static bool is_over(smt_solver *solver, const patience *p, smt_reply *reply)
{
    int64_t passed = tr_now_ms() - p->began;
    int64_t worked = tr_process_worked_ms(solver->process) - p->worked_before;
    if (tr_budget_is_spent(p->budget))
        *reply = failed(solver, SMT_WHY_BUDGET, "The time that --budget gives is used up.");
    else if (passed >= solver->patience_ms && worked * IDLE_SHARE <= passed &&
             p->runnable * IDLE_SHARE <= p->looks)
        *reply = failed(solver, SMT_WHY_TIMEOUT,
                        solver->ready ? "The solver did not answer in time and was ended."
                                      : "The solver did not come up in time.");
    else if (worked > p->most_work)
        *reply = failed(solver, SMT_WHY_TIMEOUT,
                        "The solver worked far longer than its limit allows and was ended.");
    else
        return false;
    return true;
}

static bool is_marker(const char *line, const char *marker)
{
    size_t length = strlen(marker);
    if (line[0] == '"') /* some print the quotes of an echo */
        return strncmp(line + 1, marker, length) == 0 && strcmp(line + 1 + length, "\"") == 0;
    return strcmp(line, marker) == 0;
}

/* Returns what it printed, short and printable. */
static const char *quoted(smt_solver *solver, const char *text)
{
    size_t length = strnlen(text, MAX_QUOTED_REPLY);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    char *copy = tr_arena_strndup(solver->arena, text, length);
    for (char *at = copy; *at; at++) {
        if (*at == '\n')
            *at = ';';
        else if (*at < ' ' || *at > '~')
            *at = '?';
    }
    return copy;
}

static const char *describe_end(smt_solver *solver, smt_unknown_kind *why)
{
    *why = SMT_WHY_DIED;
    tr_process_end end = {-1, 0};
    tr_process_result result = tr_process_wait(solver->process, 200, &end);
    const char *errors = tr_process_errors(solver->process);
    const char *said = "";
    if (errors && *errors)
        said = tr_arena_printf(solver->arena, " It printed: %s", quoted(solver, errors));
    if (result != TR_PROCESS_OK)
        return tr_arena_printf(solver->arena, "The solver closed its output.%s", said);
    *why = end.signal != 0 ? SMT_WHY_KILLED : SMT_WHY_DIED;
    enum { NOT_EXECUTED = 127 };
    if (!solver->ready && end.exit_status == NOT_EXECUTED)
        *why = SMT_WHY_MISSING;
    if (end.signal != 0)
        return tr_arena_printf(solver->arena, "The solver was ended by signal %d.%s", end.signal,
                               said);
    return tr_arena_printf(solver->arena, "The solver ended with exit status %d.%s",
                           end.exit_status, said);
}

static smt_reply failed_by_end(smt_solver *solver)
{
    smt_unknown_kind why;
    const char *text = describe_end(solver, &why);
    return failed(solver, why, text);
}

/* Reads everything up to the marker's line. False and *reply when it does not come. */
static bool read_until(smt_solver *solver, const char *marker, patience *p, tr_text *text,
                       smt_reply *reply)
{
    size_t total = 0;
    bool has_ended = false;
    tr_process_result result = TR_PROCESS_OK;
    while (result == TR_PROCESS_OK) {
        const char *line;
        size_t length;
        int64_t wait = tr_budget_left(p->budget, LOOK_EVERY_MS);
        result = tr_process_read_line(solver->process, wait, MAX_REPLY_BYTES, &line, &length);
        if (result == TR_PROCESS_TIMEOUT && !has_ended) {
            p->looks++;
            p->runnable += tr_process_is_runnable(solver->process);
            if (is_over(solver, p, reply))
                return false;
            /* A process that it left behind may hold its pipes: no end of file comes then. */
            has_ended = tr_process_has_ended(solver->process);
            result = TR_PROCESS_OK;
            continue;
        }
        if (result == TR_PROCESS_TIMEOUT)
            result = TR_PROCESS_CLOSED;
        if (result != TR_PROCESS_OK)
            break;
        if (is_marker(line, marker))
            return true;
        tr_text_addn(text, line, length);
        tr_text_add(text, "\n");
        total += length + 1;
        if (total > MAX_REPLY_BYTES)
            result = TR_PROCESS_TOO_LONG;
        else if (is_over(solver, p, reply)) /* lines keep coming, the marker does not */
            return false;
    }
    if (result == TR_PROCESS_TOO_LONG)
        *reply = failed(solver, SMT_WHY_NONSENSE, "The solver printed more than any answer needs.");
    else if (result == TR_PROCESS_CLOSED)
        *reply = failed_by_end(solver);
    else
        *reply = failed(solver, SMT_WHY_DIED,
                        tr_arena_strdup(solver->arena, tr_process_why(solver->process)));
    return false;
}

/* The string in (:name "..."). */
static const char *info_string(smt_solver *solver, const char *text, const char *key)
{
    const char *at = strstr(text, key);
    const char *open = at ? strchr(at, '"') : NULL;
    const char *close = open ? strchr(open + 1, '"') : NULL;
    if (!close)
        return NULL;
    return tr_arena_strndup(solver->arena, open + 1, (size_t)(close - open - 1));
}

/* Waits until a started process has said its name. */
static bool wait_ready(smt_solver *solver, patience *p, smt_reply *reply)
{
    if (solver->ready)
        return true;
    bool ok = read_until(solver, marker_of(solver, 0), p, &solver->greeting, reply);
    if (ok) {
        const char *greeting = tr_text_get(&solver->greeting);
        const char *name = info_string(solver, greeting, ":name");
        const char *version = info_string(solver, greeting, ":version");
        if (name)
            solver->name = version ? tr_arena_printf(solver->arena, "%s %s", name, version) : name;
        solver->is_z3 = name && strcmp(name, "Z3") == 0;
        solver->is_cvc5 = name && strcmp(name, "cvc5") == 0;
        solver->ready = true;
        if (!solver->maps)
            solver->maps = tr_process_maps(solver->arena, solver->process);
        if (solver->is_z3 && version && atoi(version) < OLDEST_Z3)
            solver->unusable = tr_arena_printf(
                solver->arena,
                "The solver %s is Z3 %s, too old for proofs over products. " SMT_SOLVER_REMEDY,
                solver->argv[0], version);
        if (solver->unusable)
            *reply = failed(solver, SMT_WHY_MISSING, solver->unusable);
    }
    return ok && !solver->unusable;
}

const char *smt_solver_unusable(const smt_solver *solver)
{
    return solver->unusable;
}

static patience be_patient(const smt_solver *solver, smt_steps limit, tr_budget *budget)
{
    int64_t worked = solver->process ? tr_process_worked_ms(solver->process) : 0;
    int64_t most = (int64_t)(limit / STEPS_A_MS) + 1;
    /* A solver that counts its own steps ends by itself, unless something is wrong with it. */
    if (!solver->ready || solver->is_z3 || solver->is_cvc5)
        most = FAR_BEYOND * most + FAR_BEYOND_MS;
    return (patience){
        .began = tr_now_ms(), .worked_before = worked, .most_work = most, .budget = budget};
}

static bool ensure_running(smt_solver *solver, tr_budget *budget, smt_reply *reply)
{
    if (!solver->process)
        start(solver);
    if (!solver->process) {
        *reply = failed(solver, SMT_WHY_MISSING, solver->why_not);
        return false;
    }
    patience p = be_patient(solver, 0, budget);
    return wait_ready(solver, &p, reply);
}

const char *smt_solver_name(smt_solver *solver, unsigned limit_ms)
{
    smt_reply reply;
    tr_budget limit = tr_budget_start(limit_ms);
    if (!solver->was_started || solver->process)
        ensure_running(solver, &limit, &reply);
    return solver->name;
}

/* ---- Section: Asking ---- */

/* Sends `question` and collects what comes before the marker behind it. */
static bool converse(smt_solver *solver, tr_text *question, patience *p, tr_text *answer,
                     smt_reply *reply)
{
    const char *marker = marker_of(solver, ++solver->marker);
    tr_text_addf(question, "(echo \"%s\")\n", marker);
    int64_t wait = tr_budget_left(p->budget, solver->patience_ms);
    tr_process_result result = tr_process_write(solver->process, tr_text_get(question),
                                                question->length, wait > 0 ? wait : 1);
    if (result == TR_PROCESS_TIMEOUT) {
        if (!is_over(solver, p, reply))
            *reply = failed(solver, SMT_WHY_TIMEOUT,
                            "The solver did not take the query in time and was ended.");
        return false;
    }
    if (result == TR_PROCESS_FAILED) {
        *reply = failed(solver, SMT_WHY_DIED, not_asked(solver));
        return false;
    }
    /* A write that failed because the process is gone: what it printed before says more. */
    return read_until(solver, marker, p, answer, reply);
}

static smt_reply fetch_values(smt_solver *solver, const smt_script *script, patience *p)
{
    smt_reply reply = {.verdict = SMT_SAT};
    size_t n = arrlenu(script->wanted);
    if (n == 0)
        return reply;
    tr_text question = {0}, answer = {0};
    smt_script_get_values(script, &question);
    if (converse(solver, &question, p, &answer, &reply)) {
        smt_int *values = TR_NEW_ARRAY(solver->arena, smt_int, n);
        if (smt_read_values(tr_text_get(&answer), n, values))
            reply.values = values;
        else
            reply =
                failed(solver, SMT_WHY_MODEL,
                       tr_arena_printf(solver->arena, "The solver's model could not be read: %s",
                                       quoted(solver, tr_text_get(&answer))));
    }
    tr_text_free(&question);
    tr_text_free(&answer);
    return reply;
}

/* The state in which questions are asked, from whatever it was. */
static void add_reset(smt_solver *solver, tr_text *text)
{
    tr_text_add(text, "(reset)\n(set-option :print-success false)\n"
                      "(set-option :produce-models true)\n");
    if (!solver->is_z3)
        tr_text_add(text, "(set-logic ALL)\n");
    /* Z3 keeps these over a reset, so both forms set them; 0 is what they are at first. */
    static const char *const forms[] = {
        [SMT_FIRST_FORM] = "(set-option :smt.random_seed 0)\n(set-option :sat.random_seed 0)\n"
                           "(set-option :nlsat.seed 0)\n",
        [SMT_SECOND_FORM] = "(set-option :smt.random_seed 71)\n(set-option :sat.random_seed 71)\n"
                            "(set-option :nlsat.seed 71)\n",
    };
    if (solver->is_z3 && solver->has_forms)
        tr_text_add(text, forms[solver->form]);
    solver->resources = 0;
}

/* Z3 counts no further than 32 bits. */
static void add_limit(const smt_solver *solver, tr_text *text, smt_steps limit)
{
    const smt_steps most = UINT32_MAX / SMT_SOLVER_STEP;
    unsigned long long resources = SMT_SOLVER_STEP * (limit < most ? limit : most);
    if (solver->is_z3)
        tr_text_addf(text, "(set-option :rlimit %llu)\n", resources);
    if (solver->is_cvc5)
        tr_text_addf(text, "(set-option :rlimit-per %llu)\n", resources);
}

static smt_reply judge(smt_solver *solver, const smt_script *script, const char *text, patience *p)
{
    if (strcmp(text, "unsat\n") == 0)
        return (smt_reply){.verdict = SMT_UNSAT};
    if (strcmp(text, "sat\n") == 0)
        return fetch_values(solver, script, p);
    if (strcmp(text, "unknown\n") == 0 || strcmp(text, "timeout\n") == 0)
        return (smt_reply){.verdict = SMT_UNKNOWN,
                           .why = SMT_WHY_STEPS,
                           .text = "The solver could not decide the query in these steps."};
    return failed(solver, SMT_WHY_NONSENSE,
                  tr_arena_printf(solver->arena, "The solver printed what is no answer: %s",
                                  quoted(solver, text)));
}

/* How many steps the last question took; of what does not count them, what it got where it gave no
 * answer, and else about what most answers take. */
static smt_steps count_steps(smt_solver *solver, patience *p, smt_steps limit,
                             const smt_reply *reply)
{
    enum { USUAL_STEPS = 10000 };
    smt_steps assumed = reply->verdict == SMT_UNKNOWN ? limit : USUAL_STEPS;
    tr_text question = {0}, answer = {0};
    smt_reply ignored;
    unsigned long long resources;
    if (solver->process && solver->is_z3) {
        tr_text_add(&question, "(get-info :rlimit)\n");
        if (converse(solver, &question, p, &answer, &ignored) &&
            sscanf(tr_text_get(&answer), " (:rlimit %llu)", &resources) == 1 &&
            resources >= solver->resources) {
            assumed = (resources - solver->resources) / SMT_SOLVER_STEP;
            solver->resources = resources;
        }
    }
    tr_text_free(&question);
    tr_text_free(&answer);
    return assumed;
}

/* Takes the question back; not waited for. */
static void tidy(smt_solver *solver, bool in_scope)
{
    tr_text text = {0};
    if (in_scope)
        tr_text_add(&text, "(pop 1)\n");
    else
        add_reset(solver, &text);
    if (tr_process_write(solver->process, tr_text_get(&text), text.length, 1000) == TR_PROCESS_OK)
        solver->clean = true;
    else
        stop(solver);
    tr_text_free(&text);
}

/* How many steps one step of Z3 is. Among many products it works 5 to 45 microseconds for a step,
 * where others take it 1 to 3; no kernel that people wrote has shown a question with so many. */
static smt_steps step_weight(const smt_solver *solver, const smt_script *script)
{
    bool heavy = solver->is_z3 && script->products > MOST_PRODUCTS;
    return heavy ? script->products - MOST_PRODUCTS + 1 : 1;
}

smt_reply smt_solver_ask(smt_solver *solver, const smt_script *script, smt_asking how,
                         smt_steps limit, tr_budget *budget)
{
    smt_reply reply = {.verdict = SMT_UNKNOWN,
                       .why = SMT_WHY_STEPS,
                       .text = "Reading the query would take the solver more steps than these."};
    smt_steps reading = script->text.length / BYTES_A_STEP;
    if (reading >= limit || !ensure_running(solver, budget, &reply))
        return reply;
    smt_steps weight = step_weight(solver, script);
    limit = (limit - reading) / weight;
    if (limit == 0) /* which Z3 takes for no limit */
        return reply;
    patience p = be_patient(solver, limit, budget);
    solver->calls++;
    tr_text question = {0}, answer = {0};
    /* Z3's scopes are kept in one incremental solver, which is up at once; its strong suit for
     * products is the one that starts afresh. That one writes products out as bits before it counts
     * a step, so with few steps it takes far longer than they tell, and decides nothing. The bits
     * of a power of four take it up to a second and 100 MB, of which it counts a hundredth. Of
     * other solvers nothing is assumed. */
    enum { FEW = 12 * 1000, MOST_DEGREE_AS_BITS = 3 };
    bool in_scope = solver->is_z3 &&
                    (how == SMT_ASK_LINEAR || limit < FEW || script->degree > MOST_DEGREE_AS_BITS);
    if (!solver->clean)
        add_reset(solver, &question);
    solver->clean = false;
    add_limit(solver, &question, limit);
    if (in_scope)
        tr_text_add(&question, "(push 1)\n");
    tr_text_addn(&question, script->text.data ? script->text.data : "", script->text.length);
    tr_text_add(&question, "(check-sat)\n");
    if (converse(solver, &question, &p, &answer, &reply))
        reply = judge(solver, script, tr_text_get(&answer), &p);
    reply.steps = reading + weight * count_steps(solver, &p, limit, &reply);
    if (solver->process)
        tidy(solver, in_scope);
    tr_text_free(&question);
    tr_text_free(&answer);
    return reply;
}
