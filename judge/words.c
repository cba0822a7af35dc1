#include "judge/words.h"

#include <strings.h>

#include "judge/judge.h"

bool judge_explain(tr_text *out, const char *word)
{
    bool found = false;
    for (int i = 0; i < JUDGE_CLASS_COUNT; i++) {
        const judge_class_info *of = judge_class_of((judge_class)i);
        if (strcasecmp(of->name, word) != 0)
            continue;
        tr_text_addf(
            out, "%s (class of tilerace judge%s)\n\nThe kernel %s.\n\n%s\n\nMore: docs/judge.md\n",
            of->name, of->is_wrong ? ", filtered" : "", of->about, of->help);
        found = true;
    }
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
        const judge_stage_info *of = judge_stage_of((judge_stage)i);
        if (strcasecmp(of->name, word) != 0)
            continue;
        tr_text_addf(out,
                     "%s (stage of tilerace judge)\n\nIt holds where %s.\n\nMore: docs/judge.md\n",
                     of->name, of->about);
        found = true;
    }
    return found;
}

void judge_list_words(tr_text *out)
{
    tr_text_add(out, "\nClasses of judge:\n");
    for (int i = 0; i < JUDGE_CLASS_COUNT; i++)
        tr_text_addf(out, "%-22s the kernel %s\n", judge_class_of((judge_class)i)->name,
                     judge_class_of((judge_class)i)->about);
    tr_text_add(out, "\nStages of judge:\n");
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++)
        tr_text_addf(out, "%-22s %s\n", judge_stage_of((judge_stage)i)->name,
                     judge_stage_of((judge_stage)i)->about);
}
