/* Stands in for limits.h where libclang comes without its own headers and the machine has no C
 * library's headers. */
#ifndef TILERACE_LIMITS_H
#define TILERACE_LIMITS_H

#define CHAR_BIT   8
#define SCHAR_MAX  __SCHAR_MAX__
#define SCHAR_MIN  (-SCHAR_MAX - 1)
#define UCHAR_MAX  (2 * SCHAR_MAX + 1)
#define CHAR_MIN   SCHAR_MIN
#define CHAR_MAX   SCHAR_MAX
#define SHRT_MAX   __SHRT_MAX__
#define SHRT_MIN   (-SHRT_MAX - 1)
#define USHRT_MAX  (2 * SHRT_MAX + 1)
#define INT_MAX    __INT_MAX__
#define INT_MIN    (-INT_MAX - 1)
#define UINT_MAX   (2u * INT_MAX + 1u)
#define LONG_MAX   __LONG_MAX__
#define LONG_MIN   (-LONG_MAX - 1L)
#define ULONG_MAX  (2ul * LONG_MAX + 1ul)
#define LLONG_MAX  __LONG_LONG_MAX__
#define LLONG_MIN  (-LLONG_MAX - 1LL)
#define ULLONG_MAX (2ull * LLONG_MAX + 1ull)

#endif
