#include "exec/remarks.h"

#include <string.h>

#include "base/ds.h"
#include "launches/names.h"
#include "report/report.h"

static const char *from_folder(const char *file, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    bool is_in = length > 1 && strncmp(file, folder, length) == 0 && file[length] == '/';
    return is_in ? file + length + 1 : file;
}

/* The source of the module's kernels, as its front end names it; NULL: it does not. */
static const char *source_of(tr_arena *arena, const module *m)
{
    const seen_names *names = names_read(arena, m->names ? m->names : "");
    return names ? names->file : NULL;
}

/* Has the comments of the source read: as if a kernel of it were part of something else, so that
 * nobody takes it for the whole source. */
static void add_source(tr_arena *arena, report_comments *comments, const char *file,
                       input_report *input)
{
    tr_place *place = TR_NEW(arena, tr_place);
    kernel_report *kernel = TR_NEW(arena, kernel_report);
    *place = (tr_place){.file = file, .line = 1, .column = 1};
    *kernel = (kernel_report){.kernel = "", .place = place, .verdict = VERDICT_RACE_FREE};
    *input = (input_report){.file = "", .n_kernels = 1, .kernels = kernel};
    report_comments_hide(comments, input);
}

static size_t write_input(tr_text *out, tr_arena *arena, const input_report *input,
                          const char *folder)
{
    size_t n = 0;
    for (size_t i = 0; i < input->n_remarks; i++) {
        const input_remark *remark = &input->remarks[i];
        if (remark->kind != REMARK_WRONG)
            continue;
        tr_text_addf(out, "%s:%u:%u: warning: %s [%s]\n",
                     tr_shown(arena, from_folder(remark->place->file, folder)), remark->place->line,
                     remark->place->column, tr_shown(arena, remark->text),
                     report_remark_info(remark->kind)->code);
        n++;
    }
    return n;
}

size_t remarks_write(tr_text *out, const watch *w, const char *folder)
{
    size_t n_modules = arrlenu(w->modules.items), n = 0;
    tr_arena *arena = tr_arena_new();
    report_comments *comments = report_comments_make(arena, NULL);
    input_report *inputs = TR_NEW_ARRAY(arena, input_report, n_modules + 1);
    for (size_t i = 0; i < n_modules; i++) {
        const char *file = source_of(arena, w->modules.items[i]);
        if (file) /* a source that was seen before keeps its remarks with its first module */
            add_source(arena, comments, file, &inputs[i]);
    }
    report_comments_judge(comments);
    for (size_t i = 0; i < n_modules; i++)
        n += write_input(out, arena, &inputs[i], folder);
    report_comments_free(comments);
    tr_arena_free(arena);
    return n;
}
