/* utf_detect, utf_problem, utf_repair */

#include "call.h"
#include "functions.h"
#include "json.h"

enum { ENCODING, CONFIDENCE, SURE, EVIDENCE, DETECT_COUNT };

const field DETECT_FIELDS[] = {
    {"encoding", DUCKDB_TYPE_VARCHAR}, {"confidence", DUCKDB_TYPE_DOUBLE}, {"sure", DUCKDB_TYPE_BOOLEAN},
    {"evidence", DUCKDB_TYPE_VARCHAR}, {NULL, DUCKDB_TYPE_INVALID},
};

/* The reasons for a guess, in one text. */
static bool join_evidence(span candidate, buffer *to) {
    span rest = json_member(candidate, "evidence");
    for (span reason; (reason = json_next(&rest)).length > 0;) {
        bool is_appended = (to->length == 0 || buffer_append(to, "; ", 2)) && json_text(json_member(reason, "text"), to);
        if (!is_appended) {
            return false;
        }
    }
    return true;
}

/* Sets a row of the result to what a report says. `scratch` is empty. */
static bool set_guess(record *record, idx_t row, span report, buffer *scratch) {
    span candidates = json_member(report, "candidates");
    span best = json_next(&candidates);
    ((bool *)record->data[SURE])[row] = json_is_true(json_member(report, "sure"));
    if (best.length == 0) {
        record_set_field_null(record, ENCODING, row);
        record_set_field_null(record, CONFIDENCE, row);
        record_set_field_null(record, EVIDENCE, row);
        return true;
    }
    ((double *)record->data[CONFIDENCE])[row] = json_number(json_member(best, "confidence"));
    if (!json_text(json_member(best, "encoding"), scratch)) {
        return false;
    }
    record_set_text(record, ENCODING, row, buffer_span(scratch));
    scratch->length = 0;
    if (!join_evidence(best, scratch)) {
        return false;
    }
    record_set_text(record, EVIDENCE, row, buffer_span(scratch));
    return true;
}

static bool detect_row(const call *call, record *record, idx_t row, buffer *report, buffer *scratch) {
    span text = {0};
    call_argument(call, 0, row, &text);
    report->length = scratch->length = 0;
    switch (utfall_detect_json(text.bytes, text.length, NULL, buffer_write, report)) {
    case UTFALL_OK:
        return set_guess(record, row, buffer_span(report), scratch) || call_fail_memory(call);
    case UTFALL_STOPPED:
        return call_fail_memory(call);
    default:
        return call_fail_bug(call);
    }
}

void utf_detect(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    call call;
    call_begin(&call, "utf_detect", info, input, output);
    record record;
    record_begin(&record, output, DETECT_COUNT);
    buffer report = {0}, scratch = {0};
    for (idx_t row = 0; row < call.rows; row++) {
        if (call_has_null(&call, row)) {
            record_set_null(&record, row);
        } else if (!detect_row(&call, &record, row, &report, &scratch)) {
            break;
        }
    }
    buffer_free(&report);
    buffer_free(&scratch);
}

enum { OFFSET, LENGTH, LINE, COLUMN, KIND, CLAUSE, MESSAGE, PROBLEM_COUNT };

const field PROBLEM_FIELDS[] = {
    {"offset", DUCKDB_TYPE_BIGINT}, {"length", DUCKDB_TYPE_BIGINT},   {"line", DUCKDB_TYPE_BIGINT},
    {"column", DUCKDB_TYPE_BIGINT}, {"kind", DUCKDB_TYPE_VARCHAR},    {"clause", DUCKDB_TYPE_VARCHAR},
    {"message", DUCKDB_TYPE_VARCHAR}, {NULL, DUCKDB_TYPE_INVALID},
};

static void set_problem(record *record, idx_t row, const utfall_error *error) {
    char message[160], clause[240];
    utfall_error_message(error, message, sizeof message);
    utfall_error_clause(error, clause, sizeof clause);
    record_set_number(record, OFFSET, row, error->offset);
    record_set_number(record, LENGTH, row, error->length);
    record_set_number(record, LINE, row, error->line);
    record_set_number(record, COLUMN, row, error->column);
    record_set_text(record, KIND, row, span_of(utfall_kind_name(error->kind)));
    record_set_text(record, CLAUSE, row, span_of(clause));
    record_set_text(record, MESSAGE, row, span_of(message));
}

static bool problem_row(const call *call, record *record, idx_t row, known_label *label) {
    span text = {0};
    call_argument(call, 0, row, &text);
    if (!call_encoding(call, 1, row, label)) {
        return false;
    }
    utfall_error error;
    switch (utfall_validate(label->encoding, text.bytes, text.length, &error)) {
    case UTFALL_OK:
        record_set_null(record, row);
        return true;
    case UTFALL_INVALID_TEXT:
        set_problem(record, row, &error);
        return true;
    default:
        return call_fail_bug(call);
    }
}

void utf_problem(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    call call;
    call_begin(&call, "utf_problem", info, input, output);
    record record;
    record_begin(&record, output, PROBLEM_COUNT);
    known_label label = {0};
    for (idx_t row = 0; row < call.rows; row++) {
        if (call_has_null(&call, row)) {
            record_set_null(&record, row);
        } else if (!problem_row(&call, &record, row, &label)) {
            return;
        }
    }
}

static bool repair_row(call *call, idx_t row, buffer *out) {
    span text = {0};
    call_argument(call, 0, row, &text);
    out->length = 0;
    uint64_t changes = 0;
    utfall_status status = utfall_repair(text.bytes, text.length, NULL, buffer_write, out, NULL, NULL, &changes);
    if (status == UTFALL_STOPPED) {
        return call_fail_memory(call);
    }
    // Text stays valid: only whole characters are repaired.
    if (status != UTFALL_OK || utfall_utf8_validate(out->bytes, out->length, NULL) != UTFALL_OK) {
        return call_fail_bug(call);
    }
    return call_set_bytes(call, row, changes == 0 ? text : buffer_span(out));
}

void utf_repair(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    call call;
    call_begin(&call, "utf_repair", info, input, output);
    buffer out = {0};
    for (idx_t row = 0; row < call.rows; row++) {
        if (call_has_null(&call, row)) {
            call_set_null(&call, row);
        } else if (!repair_row(&call, row, &out)) {
            break;
        }
    }
    buffer_free(&out);
}
