/* A call of a scalar function: its arguments, its result, its errors. */

#ifndef UTFALL_DUCKDB_CALL_H
#define UTFALL_DUCKDB_CALL_H

#include "api.h"
#include "memory.h"

enum { MOST_ARGUMENTS = 4, MOST_FIELDS = 8 };

/* A column of text or bytes. DuckDB passes constant and dictionary vectors as flat ones. */
typedef struct {
    duckdb_string_t *values;
    uint64_t *validity;
} column;

/* A call. Functions that return false have set an error, and the caller returns at once. */
typedef struct {
    duckdb_function_info info;
    /* The name of the function, for messages. */
    const char *name;
    idx_t rows;
    idx_t argument_count;
    column arguments[MOST_ARGUMENTS];
    duckdb_vector output;
    /* NULL until a row is NULL. */
    uint64_t *validity;
} call;

/* The name of a function for messages, and its SQL function in C. */
void call_begin(call *call, const char *name, duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

/* The value of an argument. Returns false, without an error, if it is NULL. */
bool call_argument(const call *call, idx_t argument, idx_t row, span *value);

/* Whether an argument of this row is NULL. Then the result is. */
bool call_has_null(const call *call, idx_t row);

/* Makes the result of a row NULL. */
void call_set_null(call *call, idx_t row);

/* Sets the result of a row to text or bytes. */
bool call_set_bytes(call *call, idx_t row, span value);

/* Sets an error, which begins with the name of the function. Returns false. */
bool call_fail(const call *call, const char *format, ...);

/* Reports that memory ran out. Returns false. */
bool call_fail_memory(const call *call);

/* Says that the library has a bug. Returns false. */
bool call_fail_bug(const call *call);

/* Finds an encoding, and remembers the label: most columns of labels repeat one. */
typedef struct {
    span label;
    utfall_encoding encoding;
} known_label;

bool call_encoding(const call *call, idx_t argument, idx_t row, known_label *known);

/* The result of a function that returns a struct. */
typedef struct {
    duckdb_vector vector;
    uint64_t *validity;
    idx_t count;
    duckdb_vector fields[MOST_FIELDS];
    uint64_t *field_validity[MOST_FIELDS];
    void *data[MOST_FIELDS];
} record;

void record_begin(record *record, duckdb_vector vector, idx_t count);
/* Makes a whole row NULL. */
void record_set_null(record *record, idx_t row);
void record_set_field_null(record *record, idx_t field, idx_t row);
void record_set_number(record *record, idx_t field, idx_t row, uint64_t value);
void record_set_text(record *record, idx_t field, idx_t row, span value);

#endif
