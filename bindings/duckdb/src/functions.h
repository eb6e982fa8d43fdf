/* The functions of SQL. */

#ifndef UTFALL_DUCKDB_FUNCTIONS_H
#define UTFALL_DUCKDB_FUNCTIONS_H

#include "api.h"

void utf_valid(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
void utf_decode(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
void utf_encode(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
void utf_transcode(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
void utf_repair(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
void utf_detect(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
void utf_problem(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

/* The fields of their results, ended by a NULL name. */
typedef struct {
    const char *name;
    duckdb_type type;
} field;

extern const field DETECT_FIELDS[];
extern const field PROBLEM_FIELDS[];

/* Registers the table function utf_explain. Returns whether that succeeded. */
bool utf_explain_register(duckdb_connection connection);

#endif
