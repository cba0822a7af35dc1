/* Reports what is no finding to tools that know only findings. */
#include "report/report_private.h"

const report_absence report_undecided = {
    "TR900", "undecided-kernel", "the checker could neither prove nor refute that the kernel races",
    "Nothing is claimed about this kernel. The message names the obstacle: an operation that is "
    "not modelled, an address that depends on data, a limit of steps. A contract that states more, "
    "a larger --steps, or simpler index arithmetic often decides it."};
const report_absence report_unchecked = {
    "TR901", "unchecked-input", "the file could not be checked",
    "Nothing is claimed about the kernels of this file: it could not be read, or is not a valid "
    "source, module or contract. The message says where and why."};

const report_absence *report_remark_info(remark_kind kind)
{
    static const report_absence infos[REMARK_KINDS] = {
        [REMARK_UNUSED] =
            {"TR902", "unused-suppression", "a comment allows a finding that is not there",
             "The race was corrected, or the comment stands in another line than the finding. "
             "Remove the comment, because it would hide the next mistake in this line.",
             LEVEL_WARNING},
        [REMARK_WRONG] = {"TR903", "invalid-suppression",
                          "a comment is meant to allow a finding and does not",
                          "The comment has no reason, names no existing rule, or is incomplete. It "
                          "allows nothing until it is written as 'tilerace: allow(TR001): REASON'.",
                          LEVEL_WARNING},
    };
    return &infos[kind];
}

const report_absence *report_absence_at(size_t i)
{
    return i == 0   ? &report_undecided
           : i == 1 ? &report_unchecked
                    : report_remark_info((remark_kind)(i - 2));
}
