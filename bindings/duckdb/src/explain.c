/* The table function utf_explain: a row for each character and each error of a value. */

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "functions.h"
#include "json.h"
#include "memory.h"

/* How a column is made of an object of the report. */
typedef struct {
    const char *name;
    duckdb_type type;
    /* The object that has the member; NULL for the line itself. */
    const char *parent;
    const char *member;
} column;

static const column COLUMNS[] = {
    {"kind", DUCKDB_TYPE_VARCHAR, NULL, "kind"},
    {"offset", DUCKDB_TYPE_BIGINT, NULL, "offset"},
    {"line", DUCKDB_TYPE_BIGINT, NULL, "line"},
    {"column", DUCKDB_TYPE_BIGINT, NULL, "column"},
    {"hex", DUCKDB_TYPE_VARCHAR, NULL, "hex"},
    {"code_point", DUCKDB_TYPE_VARCHAR, NULL, "code_point"},
    {"character", DUCKDB_TYPE_VARCHAR, NULL, "character"},
    {"name", DUCKDB_TYPE_VARCHAR, NULL, "name"},
    {"note", DUCKDB_TYPE_VARCHAR, NULL, "note"},
    {"problem", DUCKDB_TYPE_VARCHAR, "problem", "kind"},
    {"clause", DUCKDB_TYPE_VARCHAR, "problem", "clause"},
    {"message", DUCKDB_TYPE_VARCHAR, "problem", "message"},
};

enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

/* The arguments of a call. */
typedef struct {
    /* An argument is NULL: there are no rows. */
    bool is_null;
    bool only_problems;
    utfall_encoding encoding;
    duckdb_blob text;
} request;

static void request_free(void *data) {
    request *request = data;
    duckdb_free(request->text.data);
    free(request);
}

/* The label in an argument. Returns false after an error. */
static bool bind_encoding(duckdb_bind_info info, duckdb_value value, request *request) {
    char *label = duckdb_get_varchar(value);
    size_t length = label == NULL ? 0 : strlen(label);
    request->encoding = utfall_for_label(label, length);
    if (request->encoding == 0) {
        char message[400] = "utf_explain: ";
        size_t start = strlen(message);
        utfall_label_message(label, length, message + start, sizeof message - start);
        duckdb_bind_set_error(info, message);
    }
    duckdb_free(label);
    return request->encoding != 0;
}

static void bind_columns(duckdb_bind_info info) {
    for (size_t at = 0; at < COLUMN_COUNT; at++) {
        duckdb_logical_type type = duckdb_create_logical_type(COLUMNS[at].type);
        duckdb_bind_add_result_column(info, COLUMNS[at].name, type);
        duckdb_destroy_logical_type(&type);
    }
}

static void bind(duckdb_bind_info info) {
    bind_columns(info);
    request *request = calloc(1, sizeof *request);
    if (request == NULL) {
        duckdb_bind_set_error(info, "utf_explain: out of memory");
        return;
    }
    duckdb_bind_set_bind_data(info, request, request_free);
    duckdb_value text = duckdb_bind_get_parameter(info, 0);
    duckdb_value encoding = duckdb_bind_get_parameter(info, 1);
    duckdb_value problems = duckdb_bind_get_named_parameter(info, "problems");
    request->is_null = duckdb_is_null_value(text) || duckdb_is_null_value(encoding);
    request->only_problems = problems != NULL && !duckdb_is_null_value(problems) && duckdb_get_bool(problems);
    if (!request->is_null && bind_encoding(info, encoding, request)) {
        request->text = duckdb_get_blob(text);
    }
    duckdb_destroy_value(&text);
    duckdb_destroy_value(&encoding);
    duckdb_destroy_value(&problems);
}

/* The report of a value, and how far it was read. */
typedef struct {
    buffer lines;
    size_t read;
    buffer scratch;
} report;

static void report_free(void *data) {
    report *report = data;
    buffer_free(&report->lines);
    buffer_free(&report->scratch);
    free(report);
}

/* A utfall_writer that keeps the lines of units. */
static bool keep_unit(void *context, const char *bytes, size_t length) {
    span line = {bytes, length};
    return !json_equals(json_member(line, "type"), "unit") || buffer_append(context, bytes, length);
}

static void init(duckdb_init_info info) {
    const request *request = duckdb_init_get_bind_data(info);
    report *report = calloc(1, sizeof *report);
    if (report == NULL) {
        duckdb_init_set_error(info, "utf_explain: out of memory");
        return;
    }
    duckdb_init_set_init_data(info, report, report_free);
    duckdb_init_set_max_threads(info, 1);
    if (request->is_null) {
        return;
    }
    utfall_report_options options = UTFALL_REPORT_OPTIONS;
    options.encoding = request->encoding;
    options.only_problems = request->only_problems;
    utfall_status status =
        utfall_explain_json(request->text.data, request->text.size, &options, keep_unit, &report->lines);
    if (status == UTFALL_STOPPED) {
        duckdb_init_set_error(info, "utf_explain: out of memory");
    } else if (status != UTFALL_OK) {
        duckdb_init_set_error(info, "utf_explain: a bug in utfall; please report it");
    }
}

static span next_line(report *report) {
    const char *start = report->lines.bytes + report->read;
    const char *end = memchr(start, '\n', report->lines.length - report->read);
    size_t length = (size_t)(end - start);
    report->read += length + 1;
    return (span){start, length};
}

/* Sets a cell. Returns false if memory runs out. */
static bool set_cell(duckdb_vector vector, idx_t row, const column *column, span line, buffer *scratch) {
    span object = column->parent == NULL ? line : json_member(line, column->parent);
    span value = json_member(object, column->member);
    if (value.length == 0) {
        duckdb_vector_ensure_validity_writable(vector);
        duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
        return true;
    }
    if (column->type == DUCKDB_TYPE_BIGINT) {
        ((int64_t *)duckdb_vector_get_data(vector))[row] = (int64_t)json_number(value);
        return true;
    }
    scratch->length = 0;
    if (!json_text(value, scratch)) {
        return false;
    }
    duckdb_vector_assign_string_element_len(vector, row, scratch->length == 0 ? "" : scratch->bytes, scratch->length);
    return true;
}

static void fill(duckdb_function_info info, duckdb_data_chunk output) {
    report *report = duckdb_function_get_init_data(info);
    duckdb_vector vectors[COLUMN_COUNT];
    for (idx_t at = 0; at < COLUMN_COUNT; at++) {
        vectors[at] = duckdb_data_chunk_get_vector(output, at);
    }
    idx_t rows = 0, most = duckdb_vector_size();
    for (; rows < most && report->read < report->lines.length; rows++) {
        span line = next_line(report);
        for (idx_t at = 0; at < COLUMN_COUNT; at++) {
            if (!set_cell(vectors[at], rows, &COLUMNS[at], line, &report->scratch)) {
                duckdb_function_set_error(info, "utf_explain: out of memory");
                return;
            }
        }
    }
    duckdb_data_chunk_set_size(output, rows);
}

static void add_parameter(duckdb_table_function function, const char *name, duckdb_type id) {
    duckdb_logical_type type = duckdb_create_logical_type(id);
    if (name == NULL) {
        duckdb_table_function_add_parameter(function, type);
    } else {
        duckdb_table_function_add_named_parameter(function, name, type);
    }
    duckdb_destroy_logical_type(&type);
}

bool utf_explain_register(duckdb_connection connection) {
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_table_function_set_name(function, "utf_explain");
    add_parameter(function, NULL, DUCKDB_TYPE_BLOB);
    add_parameter(function, NULL, DUCKDB_TYPE_VARCHAR);
    add_parameter(function, "problems", DUCKDB_TYPE_BOOLEAN);
    duckdb_table_function_set_bind(function, bind);
    duckdb_table_function_set_init(function, init);
    duckdb_table_function_set_function(function, fill);
    duckdb_state state = duckdb_register_table_function(connection, function);
    duckdb_destroy_table_function(&function);
    return state == DuckDBSuccess;
}
