/* Bit patterns of the float element types and the numbers they stand for. */
#ifndef LAUNCH_FLOATS_H
#define LAUNCH_FLOATS_H

#include "ir/ir.h"

bool float_has_format(ir_type_kind kind);
/* Exact value of a bit pattern of a float element type. */
double float_decode(ir_type_kind kind, uint64_t bits);
/* Nearest, ties to even. False when the format has no pattern for it (overflow without infinity).
 */
bool float_encode(ir_type_kind kind, double number, uint64_t *bits);
/* Rounds by a rounding mode; `saturate`: overflow of a format without infinity gives its largest
 * number, as the conversions of the hardware do. */
bool float_round(ir_type_kind kind, double number, ir_rounding rounding, bool saturate,
                 uint64_t *bits);
void floats_decode(ir_type_kind kind, size_t n, const uint64_t *bits, double *numbers);
/* Decodes formats up to f32. */
void floats_decode_singles(ir_type_kind kind, size_t n, const uint64_t *bits, float *numbers);
/* Gives the numbers as bits of f32. */
void floats_encode_singles(size_t n, const float *numbers, uint64_t *bits);
uint64_t float_sign_bit(ir_type_kind kind);
bool float_is_subnormal(ir_type_kind kind, uint64_t bits);

#endif
