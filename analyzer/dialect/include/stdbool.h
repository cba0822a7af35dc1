/* This header is for a libclang that comes without its own headers. C23 has bool as a word of the
 * language. */
#ifndef TILERACE_STDBOOL_H
#define TILERACE_STDBOOL_H

#if !defined(__cplusplus) && __STDC_VERSION__ < 202311L
#define bool  _Bool
#define true  1
#define false 0
#endif
#define __bool_true_false_are_defined 1

#endif
