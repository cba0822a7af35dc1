/* `tilerace compare A B`. */
#include <string.h>

#include "compare/compare.h"
#include "driver/commands.h"
#include "report/report.h"
#include "session/session.h"
#include "settings/fail_on.h"

#define DEFAULT_BUDGET 60000 /* milliseconds of one kernel's proof */

static bool fits(session *s)
{
    const driver_options *o = s->options;
    dialect_admitted admitted = dialect_admit_options(s->arena, o->n_behind, o->behind, NULL);
    report_format format;
    if (!report_format_of(REPORT_OF_ALL, o->format, &format))
        session_complain(s, "--format of compare is %s, not '%s'",
                         report_format_names(s->arena, REPORT_OF_ALL), o->format);
    else if (admitted.n_refused)
        session_complain(s, "'%s' is not an option for reading kernels", admitted.refused[0]);
    else
        return true;
    return false;
}

static int exit_of(const comparison *c, unsigned failing)
{
    if (c->result == COMPARE_DIFFERENT)
        return EXIT_FINDINGS;
    bool fails = c->result == COMPARE_UNDECIDED && failing & FAIL_ON_UNKNOWN;
    return fails ? EXIT_UNDECIDED : EXIT_CLEAN;
}

/* Two kernels are compared in this very process, so that a proof may not take for ever. */
static const driver_options *with_budget(session *s)
{
    driver_options *o = tr_arena_copy(s->arena, s->options, sizeof *o);
    o->budget = o->budget ? o->budget : DEFAULT_BUDGET;
    return o;
}

int command_compare(session *s)
{
    s->options = with_budget(s);
    const driver_options *o = s->options;
    comparison c;
    unsigned failing;
    const char *why;
    if (!fail_on_read(s->arena, o, &failing, &why))
        return session_complain(s, "%s", why);
    if (!fits(s) || session_find_solver(s) != EXIT_CLEAN ||
        !compare_run(s, o->files[0], o->files[1], &c))
        return EXIT_BAD;
    tr_text out = {0};
    if (o->format && strcmp(o->format, "json") == 0)
        compare_write_json(&out, &c);
    else
        compare_write_text(&out, &c);
    int code = session_emit(s, &out);
    tr_text_free(&out);
    if (code == EXIT_CLEAN)
        code = exit_of(&c, failing);
    comparison_free(&c);
    return code;
}
