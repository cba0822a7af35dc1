/* The report as a page. */
#ifndef RUN_PAGE_H
#define RUN_PAGE_H

#include "run/report.h"

/* A page that needs no other file. */
void run_report_html(tr_text *out, size_t n, const run_report *reports);

#endif
