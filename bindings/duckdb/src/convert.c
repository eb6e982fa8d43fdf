/* utf_valid, utf_decode, utf_encode, utf_transcode */

#include <stdio.h>
#include <string.h>

#include "call.h"
#include "functions.h"

/* From this length on, the length of the result is computed before there is space for it. */
enum { LONG = 1 << 16 };

/* What happens to invalid values: the last argument. */
typedef struct {
    span word;
    bool is_set;
    utfall_options options;
    /* They become NULL. */
    bool gives_null;
} policy;

/* Inserts the word that only SQL has: "…; expected null, strict, …". */
static bool fail_policy(const call *call, const char *message) {
    const char *words = strstr(message, "; expected ");
    if (words == NULL) {
        return call_fail(call, "%s", message);
    }
    words += strlen("; expected ");
    return call_fail(call, "%.*snull, %s", (int)(words - message), message, words);
}

/* `is_text`: the result is a VARCHAR. */
static bool set_policy(const call *call, idx_t argument, idx_t row, bool is_text, policy *policy) {
    span word = span_of("strict");
    if (argument < call->argument_count) {
        call_argument(call, argument, row, &word);
    }
    if (policy->is_set && span_equal(word, policy->word)) {
        return true;
    }
    policy->word = word;
    policy->is_set = true;
    policy->gives_null = span_equal(word, span_of("null"));
    utfall_options_init(&policy->options);
    // A BOM is a part of a file, not of its text.
    policy->options.bom = is_text ? UTFALL_BOM_STRIP : UTFALL_BOM_AUTO;
    if (policy->gives_null) {
        return true;
    }
    char message[400];
    utfall_status status = utfall_options_set(&policy->options, "on-error", strlen("on-error"), word.bytes, word.length,
                                              message, sizeof message);
    if (status != UTFALL_OK) {
        return fail_policy(call, message);
    }
    if (is_text && policy->options.on_invalid == UTFALL_SURROGATEESCAPE) {
        return call_fail(call, "surrogateescape keeps invalid bytes, which a VARCHAR cannot have; use utf_transcode");
    }
    return true;
}

/* A conversion of one value. */
typedef struct {
    utfall_encoding from, to;
    const utfall_options *options;
    span text;
} conversion;

/* Makes space for the result. UTFALL_STOPPED means that memory ran out. */
static utfall_status reserve_exactly(const conversion *it, buffer *out, utfall_error *error) {
    size_t length = 0;
    utfall_status status = utfall_transcoded_length(it->from, it->to, it->options, it->text.bytes, it->text.length,
                                                    &length, error);
    return status == UTFALL_OK && !buffer_reserve(out, length) ? UTFALL_STOPPED : status;
}

static utfall_status convert(const conversion *it, buffer *out, utfall_error *error) {
    out->length = 0;
    bool is_long = it->text.length >= LONG;
    if (!is_long && !buffer_reserve(out, 3 * it->text.length + 16)) {
        return UTFALL_STOPPED;
    }
    if (is_long) {
        utfall_status status = reserve_exactly(it, out, error);
        if (status != UTFALL_OK) {
            return status;
        }
    }
    for (;;) {
        utfall_progress done = utfall_transcode(it->from, it->to, it->options, it->text.bytes, it->text.length,
                                                out->bytes, out->capacity);
        if (done.status != UTFALL_OUTPUT_FULL) {
            out->length = done.written;
            *error = done.error;
            return done.status;
        }
        utfall_status status = reserve_exactly(it, out, error);
        if (status != UTFALL_OK) {
            return status;
        }
    }
}

/* Reports an invalid value: the error, its place, and the next step. */
static bool fail_value(const call *call, const utfall_error *error, bool is_guess_useful) {
    char message[160], clause[240], place[80] = "";
    utfall_error_message(error, message, sizeof message);
    utfall_error_clause(error, clause, sizeof clause);
    if (error->line > 0) {
        snprintf(place, sizeof place, " (line %llu, column %llu)", (unsigned long long)error->line,
                 (unsigned long long)error->column);
    }
    return call_fail(call, "%s at byte %llu%s%s%s; %s'null' as the last argument gives NULL for such values", message,
                     (unsigned long long)error->offset, place, clause[0] == '\0' ? "" : ": ", clause,
                     is_guess_useful ? "utf_detect guesses the encoding; " : "");
}

static bool set_result(call *call, idx_t row, const conversion *it, const policy *policy, buffer *out) {
    utfall_error error;
    switch (convert(it, out, &error)) {
    case UTFALL_OK:
        return call_set_bytes(call, row, buffer_span(out));
    case UTFALL_INVALID_TEXT:
        if (policy->gives_null) {
            call_set_null(call, row);
            return true;
        }
        return fail_value(call, &error, error.kind != UTFALL_KIND_UNENCODABLE);
    case UTFALL_STOPPED:
        return call_fail_memory(call);
    default:
        return call_fail_bug(call);
    }
}

/* Converts a column. The encodings are those of arguments 1 and 2, or UTF-8. */
static void convert_all(call *call, bool has_from, bool has_to) {
    known_label from = {.encoding = has_from ? 0 : UTFALL_ENC_UTF_8}, to = {.encoding = has_to ? 0 : UTFALL_ENC_UTF_8};
    idx_t to_argument = has_from ? 2 : 1, last = 1 + (idx_t)has_from + (idx_t)has_to;
    policy policy = {0};
    buffer out = {0};
    for (idx_t row = 0; row < call->rows; row++) {
        if (call_has_null(call, row)) {
            call_set_null(call, row);
            continue;
        }
        conversion it = {.options = &policy.options};
        call_argument(call, 0, row, &it.text);
        bool is_ready = (!has_from || call_encoding(call, 1, row, &from)) &&
                        (!has_to || call_encoding(call, to_argument, row, &to)) &&
                        set_policy(call, last, row, !has_to, &policy);
        it.from = from.encoding;
        it.to = to.encoding;
        if (!is_ready || !set_result(call, row, &it, &policy, &out)) {
            break;
        }
    }
    buffer_free(&out);
}

void utf_decode(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    call call;
    call_begin(&call, "utf_decode", info, input, output);
    convert_all(&call, true, false);
}

void utf_encode(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    call call;
    call_begin(&call, "utf_encode", info, input, output);
    convert_all(&call, false, true);
}

void utf_transcode(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    call call;
    call_begin(&call, "utf_transcode", info, input, output);
    convert_all(&call, true, true);
}

void utf_valid(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    call call;
    call_begin(&call, "utf_valid", info, input, output);
    bool *valid = duckdb_vector_get_data(output);
    known_label label = {0};
    for (idx_t row = 0; row < call.rows; row++) {
        if (call_has_null(&call, row)) {
            call_set_null(&call, row);
            continue;
        }
        span text = {0};
        call_argument(&call, 0, row, &text);
        if (call.argument_count > 1 && !call_encoding(&call, 1, row, &label)) {
            return;
        }
        utfall_encoding encoding = call.argument_count > 1 ? label.encoding : UTFALL_ENC_UTF_8;
        utfall_status status = utfall_validate(encoding, text.bytes, text.length, NULL);
        if (status != UTFALL_OK && status != UTFALL_INVALID_TEXT) {
            call_fail_bug(&call);
            return;
        }
        valid[row] = status == UTFALL_OK;
    }
}
