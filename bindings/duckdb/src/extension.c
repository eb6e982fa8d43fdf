/* The DuckDB extension `utfall`: registers the functions when it is loaded. */

#include "api.h"

#include <stdio.h>
#include <string.h>

#include "functions.h"

enum { MOST_PARAMETERS = 4 };

/* A function with the types of its arguments, ended by DUCKDB_TYPE_INVALID. */
typedef struct {
    const char *name;
    duckdb_scalar_function_t function;
    duckdb_type result;
    /* For structs. */
    const field *fields;
    duckdb_type parameters[MOST_PARAMETERS + 1];
} signature;

#define TEXT DUCKDB_TYPE_VARCHAR
#define BYTES DUCKDB_TYPE_BLOB

/* Those of one name follow each other. */
static const signature SIGNATURES[] = {
    {"utf_valid", utf_valid, DUCKDB_TYPE_BOOLEAN, NULL, {BYTES}},
    {"utf_valid", utf_valid, DUCKDB_TYPE_BOOLEAN, NULL, {BYTES, TEXT}},
    {"utf_valid", utf_valid, DUCKDB_TYPE_BOOLEAN, NULL, {TEXT}},
    {"utf_valid", utf_valid, DUCKDB_TYPE_BOOLEAN, NULL, {TEXT, TEXT}},
    {"utf_decode", utf_decode, TEXT, NULL, {BYTES, TEXT}},
    {"utf_decode", utf_decode, TEXT, NULL, {BYTES, TEXT, TEXT}},
    {"utf_encode", utf_encode, BYTES, NULL, {TEXT, TEXT}},
    {"utf_encode", utf_encode, BYTES, NULL, {TEXT, TEXT, TEXT}},
    {"utf_transcode", utf_transcode, BYTES, NULL, {BYTES, TEXT, TEXT}},
    {"utf_transcode", utf_transcode, BYTES, NULL, {BYTES, TEXT, TEXT, TEXT}},
    {"utf_detect", utf_detect, DUCKDB_TYPE_STRUCT, DETECT_FIELDS, {BYTES}},
    {"utf_repair", utf_repair, TEXT, NULL, {TEXT}},
    {"utf_problem", utf_problem, DUCKDB_TYPE_STRUCT, PROBLEM_FIELDS, {BYTES, TEXT}},
};

enum { SIGNATURE_COUNT = sizeof SIGNATURES / sizeof SIGNATURES[0], MOST_STRUCT_FIELDS = 8 };

static duckdb_logical_type struct_type(const field *fields) {
    duckdb_logical_type types[MOST_STRUCT_FIELDS];
    const char *names[MOST_STRUCT_FIELDS];
    idx_t count = 0;
    for (; fields[count].name != NULL; count++) {
        names[count] = fields[count].name;
        types[count] = duckdb_create_logical_type(fields[count].type);
    }
    duckdb_logical_type type = duckdb_create_struct_type(types, names, count);
    for (idx_t at = 0; at < count; at++) {
        duckdb_destroy_logical_type(&types[at]);
    }
    return type;
}

static bool add(duckdb_scalar_function_set set, const signature *signature) {
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_scalar_function_set_name(function, signature->name);
    for (const duckdb_type *id = signature->parameters; *id != DUCKDB_TYPE_INVALID; id++) {
        duckdb_logical_type type = duckdb_create_logical_type(*id);
        duckdb_scalar_function_add_parameter(function, type);
        duckdb_destroy_logical_type(&type);
    }
    duckdb_logical_type result =
        signature->fields == NULL ? duckdb_create_logical_type(signature->result) : struct_type(signature->fields);
    duckdb_scalar_function_set_return_type(function, result);
    duckdb_destroy_logical_type(&result);
    duckdb_scalar_function_set_function(function, signature->function);
    duckdb_state state = duckdb_add_scalar_function_to_set(set, function);
    duckdb_destroy_scalar_function(&function);
    return state == DuckDBSuccess;
}

/* Registers the functions of one name, the first of which is given. Returns their number, or 0 after an error. */
static size_t add_all(duckdb_connection connection, const signature *first, size_t most) {
    duckdb_scalar_function_set set = duckdb_create_scalar_function_set(first->name);
    bool is_added = true;
    size_t count = 0;
    for (; count < most && strcmp(first[count].name, first->name) == 0; count++) {
        is_added = is_added && add(set, &first[count]);
    }
    is_added = is_added && duckdb_register_scalar_function_set(connection, set) == DuckDBSuccess;
    duckdb_destroy_scalar_function_set(&set);
    return is_added ? count : 0;
}

static bool fail(duckdb_extension_info info, struct duckdb_extension_access *access, const char *name) {
    char message[120];
    snprintf(message, sizeof message, "utfall: cannot register %s; another extension may have this function", name);
    access->set_error(info, message);
    return false;
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access) {
    for (size_t at = 0; at < SIGNATURE_COUNT;) {
        size_t count = add_all(connection, &SIGNATURES[at], SIGNATURE_COUNT - at);
        if (count == 0) {
            return fail(info, access, SIGNATURES[at].name);
        }
        at += count;
    }
    return utf_explain_register(connection) || fail(info, access, "utf_explain");
}
