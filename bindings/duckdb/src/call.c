#include "call.h"

#include <stdarg.h>
#include <stdio.h>

void call_begin(call *call, const char *name, duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    call->info = info;
    call->name = name;
    call->rows = duckdb_data_chunk_get_size(input);
    call->argument_count = duckdb_data_chunk_get_column_count(input);
    for (idx_t at = 0; at < call->argument_count; at++) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(input, at);
        call->arguments[at].values = duckdb_vector_get_data(vector);
        call->arguments[at].validity = duckdb_vector_get_validity(vector);
    }
    call->output = output;
    call->validity = NULL;
}

static bool is_null(const column *column, idx_t row) {
    return column->validity != NULL && !duckdb_validity_row_is_valid(column->validity, row);
}

bool call_argument(const call *call, idx_t argument, idx_t row, span *value) {
    const column *column = &call->arguments[argument];
    if (is_null(column, row)) {
        return false;
    }
    duckdb_string_t *text = &column->values[row];
    uint32_t length = text->value.inlined.length;
    *value = (span){length <= sizeof text->value.inlined.inlined ? text->value.inlined.inlined : text->value.pointer.ptr,
                    length};
    return true;
}

bool call_has_null(const call *call, idx_t row) {
    for (idx_t at = 0; at < call->argument_count; at++) {
        if (is_null(&call->arguments[at], row)) {
            return true;
        }
    }
    return false;
}

void call_set_null(call *call, idx_t row) {
    if (call->validity == NULL) {
        duckdb_vector_ensure_validity_writable(call->output);
        call->validity = duckdb_vector_get_validity(call->output);
    }
    duckdb_validity_set_row_invalid(call->validity, row);
}

bool call_set_bytes(call *call, idx_t row, span value) {
    if (value.length > UINT32_MAX) {
        return call_fail(call, "the result has %zu bytes; a value of DuckDB has at most 4 GiB", value.length);
    }
    duckdb_vector_assign_string_element_len(call->output, row, value.length == 0 ? "" : value.bytes, value.length);
    return true;
}

bool call_fail(const call *call, const char *format, ...) {
    char message[1024];
    int start = snprintf(message, sizeof message, "%s: ", call->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + start, sizeof message - (size_t)start, format, arguments);
    va_end(arguments);
    duckdb_scalar_function_set_error(call->info, message);
    return false;
}

bool call_fail_memory(const call *call) {
    return call_fail(call, "out of memory");
}

bool call_fail_bug(const call *call) {
    return call_fail(call, "a bug in utfall %s; please report it", utfall_version());
}

bool call_encoding(const call *call, idx_t argument, idx_t row, known_label *known) {
    span label = {0};
    call_argument(call, argument, row, &label);
    if (known->encoding != 0 && span_equal(label, known->label)) {
        return true;
    }
    known->label = label;
    known->encoding = utfall_for_label(label.bytes, label.length);
    if (known->encoding == 0) {
        char message[400];
        utfall_label_message(label.bytes, label.length, message, sizeof message);
        return call_fail(call, "%s", message);
    }
    return true;
}

void record_begin(record *record, duckdb_vector vector, idx_t count) {
    record->vector = vector;
    record->count = count;
    duckdb_vector_ensure_validity_writable(vector);
    record->validity = duckdb_vector_get_validity(vector);
    for (idx_t at = 0; at < count; at++) {
        duckdb_vector field = duckdb_struct_vector_get_child(vector, at);
        duckdb_vector_ensure_validity_writable(field);
        record->fields[at] = field;
        record->field_validity[at] = duckdb_vector_get_validity(field);
        record->data[at] = duckdb_vector_get_data(field);
    }
}

void record_set_null(record *record, idx_t row) {
    duckdb_validity_set_row_invalid(record->validity, row);
    for (idx_t at = 0; at < record->count; at++) {
        record_set_field_null(record, at, row);
    }
}

void record_set_field_null(record *record, idx_t field, idx_t row) {
    duckdb_validity_set_row_invalid(record->field_validity[field], row);
}

void record_set_number(record *record, idx_t field, idx_t row, uint64_t value) {
    ((int64_t *)record->data[field])[row] = (int64_t)value;
}

void record_set_text(record *record, idx_t field, idx_t row, span value) {
    duckdb_vector_assign_string_element_len(record->fields[field], row, value.length == 0 ? "" : value.bytes,
                                            value.length);
}
