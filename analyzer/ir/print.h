/* Declarations that the files of the printer share. */
#ifndef IR_PRINT_H
#define IR_PRINT_H

#include "ir/ir.h"

typedef struct printer {
    tr_text *out;
    const ir_names *names;
    int indent;
    const struct ir_locations *locations; /* NULL: print none */
} printer;

void ir_put_value(printer *p, const ir_value *value);
/* Prints the values with commas between them. */
void ir_put_values(printer *p, ir_value *const *values, uint32_t count);
void ir_put_types(printer *p, ir_value *const *values, uint32_t count);
void ir_put_result_types(printer *p, const ir_value *results, uint32_t count);
void ir_put_identities(tr_text *out, const ir_attr *attr);

/* Prints what follows the mnemonic of an operation without a row in syntax.def, regions left out.
 */
void ir_print_form(printer *p, const ir_op *op);

#endif
