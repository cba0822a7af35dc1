/* Lists of arrays in a launch that is stated whole. */
#ifndef WITNESS_WHOLE_TABLES_H
#define WITNESS_WHOLE_TABLES_H

#include "question/checker.h"

/* Is every pointer that is made of a number an address from a table that the contract states, and
 * is nothing else done with these addresses? */
bool whole_tables_are_stated(const checker *k);

#endif
