#include "exec/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "settings/fail_on.h"

static size_t n_launches(const module_kernel *k)
{
    size_t n = 0;
    for (size_t i = 0; i < JUDGEMENT_COUNT; i++)
        n += k->launches[i];
    return n;
}

/* ---- Section: Counting ---- */

/* A kernel that is not proved for all launches is what its own launches showed. */
static void count_kernel(summary *s, const module_kernel *k)
{
    size_t all = n_launches(k);
    s->kernels++;
    s->launched += all > 0 || k->by_name > 0;
    for (size_t i = 0; i < JUDGEMENT_COUNT; i++)
        s->launches[i] += k->launches[i];
    s->launches[JUDGED_NOT_CHECKED] += k->by_name;
    bool races = k->launches[JUDGED_RACED] > 0 || (k->verdict == TILERACE_RACE && all == 0);
    bool is_open = k->verdict == TILERACE_UNKNOWN && (all == 0 || k->launches[JUDGED_UNDECIDED]);
    bool allowed = k->launches[JUDGED_RACED] == 0 &&
                   (k->launches[JUDGED_ALLOWED] > 0 || (k->is_allowed && races));
    races |= allowed && k->verdict == TILERACE_RACE;
    s->elsewhere += k->verdict == TILERACE_RACE && all > 0 && !races;
    s->not_launched += races && !allowed && all == 0;
    s->racy_allowed += races && allowed;
    if (races)
        s->racy++;
    else if (is_open || k->launches[JUDGED_UNDECIDED])
        s->undecided++;
    else if (k->verdict == TILERACE_RACE_FREE)
        s->proved++;
    else
        s->conditional++;
}

summary exec_summary_of(const watch *w)
{
    summary s = {0};
    for (size_t i = 0; i < arrlenu(w->modules.items); i++) {
        module *m = w->modules.items[i];
        s.modules += !m->same;
        s.not_checked += m->error != NULL;
        s.lost += m->lost;
        for (uint32_t k = 0; k < m->n_kernels; k++)
            count_kernel(&s, modules_kernel(m, k));
    }
    for (size_t i = 0; i < arrlenu(w->unseen); i++)
        s.unseen_launches += w->unseen[i].launches;
    s.unseen = arrlenu(w->unseen);
    s.not_checked += w->unread;
    s.lost += arrlenu(w->unjudged);
    s.cut = w->cut + w->remarks[WIRE_LOST];
    for (size_t i = 0; (w->flags & WIRE_INTERPRET) && i < arrlenu(w->not_executed); i++)
        s.not_executed += w->not_executed[i].launches;
    s.wrong = w->wrong;
    return s;
}

/* ---- Section: Words ---- */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Messages about kernels and modules. Processes report them in any order, and they are written in
 * the order of files and lines. Specialisations of one kernel often give the same message, which is
 * written once. */
typedef struct sayings {
    tr_arena *arena;
    const char **words; /* stb_ds array */
} sayings;

static void say(sayings *s, const char *words)
{
    if (words && words[0])
        arrput(s->words, tr_arena_strdup(s->arena, words));
}

static int by_words(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_once(tr_text *out, sayings *s)
{
    size_t n = arrlenu(s->words);
    if (n > 0)
        qsort(s->words, n, sizeof *s->words, by_words);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(s->words[i], s->words[i - 1]) != 0)
            tr_text_add(out, s->words[i]);
    arrfree(s->words);
}

/* Reports what no launch has shown, and what was left open. */
static void say_kernel(sayings *s, const watch *w, const module_kernel *k)
{
    bool is_recorded = w->modules.options && w->modules.options->recording;
    size_t all = n_launches(k);
    tr_text words = {0};
    if (k->by_name > 0)
        tr_text_addf(&words,
                     "%stilerace: note: launches of '%s' are known by its name alone, and are not "
                     "held against its proof\n",
                     all == 0 ? k->report : "", k->shown);
    else if (all == 0 && k->report[0])
        tr_text_addf(&words, "%stilerace: '%s' was not launched\n", k->report, k->shown);
    else if (k->verdict == TILERACE_RACE && k->launches[JUDGED_RACED] == 0 &&
             k->launches[JUDGED_ALLOWED] == 0)
        tr_text_addf(&words, "tilerace: warning: '%s' races at other launches than those seen%s\n",
                     k->shown, is_recorded ? "; `tilerace check` of the recording shows how" : "");
    say(s, tr_text_get(&words));
    tr_text_free(&words);
    say(s, k->words[JUDGED_UNDECIDED]);
    say(s, k->words[JUDGED_NOT_CHECKED]);
}

static void write_launches(tr_text *out, const summary *s)
{
    static const char *const counted[JUDGEMENT_COUNT] = {
#define JUDGEMENT(id, words, name) [JUDGED_##id] = words,
#include "exec/judgements.def"
    };
    const char *before = "";
    for (size_t i = 0; i < JUDGEMENT_COUNT; i++) {
        if (s->launches[i] == 0 && i != JUDGED_HELD)
            continue;
        tr_text_addf(out, "%s%zu %s", before, s->launches[i], counted[i]);
        before = ", ";
    }
    if (s->lost > 0)
        tr_text_addf(out, ", %zu lost", s->lost);
}

void exec_summary_write_remarks(tr_text *out, const watch *w)
{
    static const char *const words[WIRE_N_REMARKS] = {
        [WIRE_TOKENS_OFF] = "warning: token order is switched off, by which races are made: %s\n",
        [WIRE_FRONT_END_LOST] = "warning: kernels of a front end are not seen: %s\n",
        [WIRE_LOST] = "warning: something was not seen: %s\n",
    };
    for (size_t i = 0; i < WIRE_N_REMARKS; i++)
        if (w->remarks[i] > 0 && words[i]) {
            tr_text_add(out, "tilerace: ");
            const char *about = w->remark_about[i];
            const char *hole = strstr(words[i], "%s");
            tr_text_addn(out, words[i], (size_t)(hole - words[i]));
            tr_text_addf(out, "%s%s", about, hole + 2);
        }
    if (w->modules.not_recorded > 0)
        tr_text_addf(out, "tilerace: warning: the recording lacks %zu module%s or launch%s: %s\n",
                     w->modules.not_recorded, plural(w->modules.not_recorded),
                     w->modules.not_recorded == 1 ? "" : "es", w->modules.why_not_recorded);
    if (w->unwritten > 0)
        tr_text_addf(out,
                     "tilerace: note: contents of arrays that an earlier kernel writes are not "
                     "known %s\n",
                     w->flags & WIRE_INTERPRET ? "where that launch was not executed"
                                               : "in a dry run, which runs none");
    if (w->cut > 0)
        tr_text_addf(out,
                     "tilerace: warning: %zu process%s of the program stopped speaking to the "
                     "checker: what it launched after that is not seen\n",
                     w->cut, w->cut == 1 ? "" : "es");
}

static int by_about(const void *a, const void *b)
{
    return strcmp(((const tally *)a)->about, ((const tally *)b)->about);
}

static void write_executed(tr_text *out, const watch *w, const summary *s)
{
    enum { MOST_REASONS = 4 };
    if (!(w->flags & WIRE_INTERPRET))
        return;
    if (w->not_executed)
        qsort(w->not_executed, arrlenu(w->not_executed), sizeof *w->not_executed, by_about);
    tr_text_addf(out, "tilerace: launches: %zu interpreted, %zu not interpreted", w->executed,
                 s->not_executed);
    for (size_t i = 0; i < arrlenu(w->not_executed) && i < MOST_REASONS; i++)
        tr_text_addf(out, "%s%zu: %s", i == 0 ? " (" : "; ", w->not_executed[i].launches,
                     w->not_executed[i].about);
    if (arrlenu(w->not_executed) > MOST_REASONS)
        tr_text_add(out, "; others");
    tr_text_add(out, s->not_executed ? ")" : "");
    if (s->wrong > 0)
        tr_text_addf(out, "; %zu found wrong when executed", s->wrong);
    tr_text_add(out, "\n");
}

static void say_unseen(sayings *s, const watch *w)
{
    for (size_t i = 0; i < arrlenu(w->unseen); i++)
        say(s, tr_arena_printf(w->arena, "tilerace: '%s' was launched %zu time%s and never seen\n",
                               w->unseen[i].about, w->unseen[i].launches,
                               plural(w->unseen[i].launches)));
}

void exec_summary_write_words(tr_text *out, const watch *w)
{
    sayings kernels = {.arena = w->arena}, unseen = {.arena = w->arena};
    for (size_t i = 0; i < arrlenu(w->modules.items); i++) {
        module *m = w->modules.items[i];
        for (uint32_t k = 0; k < m->n_kernels; k++)
            say_kernel(&kernels, w, modules_kernel(m, k));
        if (m->error)
            say(&kernels, tr_arena_printf(w->arena, "tilerace: module %u is not checked: %s\n",
                                          m->number, m->error));
    }
    write_once(out, &kernels);
    say_unseen(&unseen, w);
    write_once(out, &unseen);
}

void exec_summary_write(tr_text *out, const watch *w, const summary *s)
{
    exec_summary_write_words(out, w);
    exec_summary_write_remarks(out, w);
    if (w->programs == 0 && s->modules == 0) {
        tr_text_add(out, "tilerace: nothing was seen: no tile kernel was compiled or launched\n");
        return;
    }
    tr_text_addf(
        out,
        "tilerace: %zu kernel%s seen in %zu module%s, %zu launched, %zu launched but never "
        "seen\n",
        s->kernels, plural(s->kernels), s->modules, plural(s->modules), s->launched, s->unseen);
    tr_text_addf(out, "tilerace: %zu proved, %zu conditional, %zu racy, %zu not decided", s->proved,
                 s->conditional, s->racy, s->undecided);
    if (s->racy_allowed > 0)
        tr_text_addf(out, ", %zu of the racy allowed by comments", s->racy_allowed);
    if (s->not_checked > 0)
        tr_text_addf(out, ", %zu module%s not checked", s->not_checked, plural(s->not_checked));
    tr_text_add(out, "; different launches: ");
    write_launches(out, s);
    tr_text_add(out, "\n");
    write_executed(out, w, s);
}

/* ---- Section: The exit code ---- */

int exec_summary_exit(const summary *s, unsigned fails)
{
    if (s->not_checked > 0 || s->lost > 0 || s->cut > 0 || s->not_executed > 0)
        return EXIT_BAD; /* nothing may pass that was not looked at */
    bool found = s->racy > s->racy_allowed || s->wrong > 0 ||
                 ((fails & FAIL_ON_BROKEN) && s->launches[JUDGED_BROKE] > 0) ||
                 ((fails & FAIL_ON_UNSEEN) && s->unseen > 0) ||
                 ((fails & FAIL_ON_RACE) && s->elsewhere > 0) ||
                 ((fails & FAIL_ON_WARNING) && s->elsewhere + s->wrong_comments > 0) ||
                 ((fails & FAIL_ON_CONDITIONAL) && s->conditional > 0);
    if (found)
        return EXIT_FINDINGS;
    return (fails & FAIL_ON_UNKNOWN) && s->undecided > 0 ? EXIT_UNDECIDED : EXIT_CLEAN;
}
