/* Reads the lines of JSON that the C library writes. A value is its text; one that does not exist has the length 0. */

#ifndef UTFALL_DUCKDB_JSON_H
#define UTFALL_DUCKDB_JSON_H

#include <stdint.h>

#include "memory.h"

/* The member of an object with this name. */
span json_member(span object, const char *name);

/* Takes the next element of an array. Begin with *rest = array. Returns a value of length 0 after the last. */
span json_next(span *rest);

bool json_is_true(span value);
bool json_equals(span value, const char *text);
double json_number(span value);

/* Appends the text of a string, in UTF-8. Returns false if memory runs out, or the value is not a string. */
bool json_text(span value, buffer *to);

#endif
