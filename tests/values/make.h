/* How an item's value is made. */
#ifndef VALUES_MAKE_H
#define VALUES_MAKE_H

#include "values.h"

/* the op with its first inputs, element by element */
val make_op(ir_builder *b, const item *it, val *in);
/* shifts by less than the width: more is undefined */
val make_shift(ir_builder *b, const item *it, val *in);
/* by the parity of the third input */
val make_select(ir_builder *b, const item *it, val *in);
/* products of 32 x 32 */
val make_mma(ir_builder *b, const item *it, val *in);
/* reduce and scan of 8 x 128; settings: dimension, from the end?, {op, signedness} */
val make_fold(ir_builder *b, const item *it, val *in);
/* moves without computing */
val make_shape(ir_builder *b, const item *it, val *in);
/* bytes as pairs of four bits, widened; and narrowed and packed again */
val make_nibbles(ir_builder *b, const item *it, val *in);
/* the exponent is the fourth input */
val make_power(ir_builder *b, const item *it, val *in);
/* a product whose scales are in the fourth input */
val make_scaled(ir_builder *b, const item *it, val *in);

#endif
