/* Calls every part of the library once, as a C program does. Valgrind and AddressSanitizer watch. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utfall.h>

static int failures;

#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
            failures++;                                                       \
        }                                                                     \
    } while (0)

/* Output collected in memory. */
struct text {
    char *bytes;
    size_t length;
    int calls;
};

static bool collect(void *context, const char *bytes, size_t length) {
    struct text *text = context;
    char *grown = realloc(text->bytes, text->length + length + 1);
    if (grown == NULL) {
        return false;
    }
    memcpy(grown + text->length, bytes, length);
    text->bytes = grown;
    text->length += length;
    grown[text->length] = 0;
    text->calls++;
    return true;
}

static bool refuse(void *context, const char *bytes, size_t length) {
    (void)bytes;
    (void)length;
    ++*(int *)context;
    return false;
}

static void names(void) {
    CHECK(strcmp(utfall_version(), UTFALL_VERSION) == 0);
    CHECK(utfall_for_label("latin1", 6) == UTFALL_ENC_ISO_8859_1);
    CHECK(utfall_for_label(NULL, 0) == 0);
    CHECK(utfall_for_label_in("latin1", 6, UTFALL_LABELS_WHATWG) == UTFALL_ENC_WINDOWS_1252);
    CHECK(utfall_for_label_in("latin1", 6, UTFALL_LABELS_IANA) == UTFALL_ENC_ISO_8859_1);
    char message[20];
    CHECK(utfall_label_message("latin1", 6, message, sizeof message) == 0 && message[0] == '\0');
    CHECK(utfall_label_message("utf-9", 5, message, sizeof message) > sizeof message);
    CHECK(strcmp(message, "unknown encoding \"u") == 0);
    CHECK(utfall_label_message(NULL, 0, NULL, 0) > 0);
    CHECK(strcmp(utfall_name(UTFALL_ENC_UTF_7), "UTF-7") == 0);
    CHECK(utfall_name(0) == NULL);
    size_t bom_length = 0;
    CHECK(utfall_for_bom("\xEF\xBB\xBF", 3, &bom_length) == UTFALL_ENC_UTF_8 && bom_length == 3);
    size_t count = 0;
    for (utfall_encoding encoding; (encoding = utfall_encoding_at(count)) != 0; count++) {
        utfall_info info;
        CHECK(utfall_get_info(encoding, &info) == UTFALL_OK);
        CHECK(utfall_for_label(info.name, strlen(info.name)) == encoding);
        CHECK(info.bom_length == 0 || info.bom[0] != 0xFF || utfall_for_bom(info.bom, info.bom_length, NULL) != 0);
        for (size_t index = 0; utfall_alias(encoding, index) != NULL; index++) {
            const char *alias = utfall_alias(encoding, index);
            CHECK(utfall_for_label(alias, strlen(alias)) == encoding);
        }
    }
    CHECK(count > 50);
}

static void errors(void) {
    utfall_error error;
    CHECK(utfall_validate(UTFALL_ENC_UTF_8, "a\nb\xC0\xAE", 5, &error) == UTFALL_INVALID_TEXT);
    CHECK(error.offset == 3 && error.line == 2 && error.column == 2);
    CHECK(strcmp(utfall_kind_name(error.kind), "overlong") == 0);
    char message[64], clause[128];
    CHECK(utfall_error_message(&error, message, sizeof message) == strlen(message));
    CHECK(strcmp(message, "overlong form in UTF-8") == 0);
    CHECK(utfall_error_clause(&error, clause, sizeof clause) == strlen(clause));
    CHECK(strncmp(clause, "RFC 3629", 8) == 0);
    CHECK(utfall_error_message(&error, NULL, 0) == strlen(message));
}

/* Every capacity from nothing to enough, on the heap so that a byte too far is seen. */
static void buffers(void) {
    const char *text = "na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80";
    size_t length = strlen(text);
    for (size_t index = 0; utfall_encoding_at(index) != 0; index++) {
        utfall_encoding to = utfall_encoding_at(index);
        utfall_options options = UTFALL_OPTIONS;
        options.on_unencodable = UTFALL_ESCAPE_XML;
        size_t needed = 0;
        if (utfall_transcoded_length(UTFALL_ENC_UTF_8, to, &options, text, length, &needed, NULL) != UTFALL_OK) {
            continue;
        }
        for (size_t capacity = 0; capacity <= needed; capacity++) {
            char *out = malloc(capacity + 1);
            out[capacity] = 0x5A;
            utfall_progress progress =
                utfall_transcode(UTFALL_ENC_UTF_8, to, &options, text, length, out, capacity);
            CHECK(progress.status == (capacity < needed ? UTFALL_OUTPUT_FULL : UTFALL_OK));
            CHECK(progress.written <= capacity && out[capacity] == 0x5A);
            free(out);
        }
    }
}

static void streams(void) {
    utfall_options options = UTFALL_OPTIONS;
    options.track_position = 1;
    utfall_stream *stream = utfall_stream_new(UTFALL_ENC_UTF_8, UTFALL_ENC_UTF_16LE, &options);
    CHECK(stream != NULL);
    char out[16];
    utfall_progress progress = utfall_stream_push(stream, "\xE2\x82", 2, out, sizeof out);
    CHECK(progress.status == UTFALL_OK && progress.read == 2 && progress.written == 0);
    utfall_stream *fork = utfall_stream_fork(stream);
    progress = utfall_stream_finish(stream, "\xAC", 1, out, sizeof out);
    CHECK(progress.status == UTFALL_OK && progress.written == 2 && memcmp(out, "\xAC\x20", 2) == 0);
    progress = utfall_stream_finish(fork, NULL, 0, out, sizeof out);
    CHECK(progress.status == UTFALL_INVALID_TEXT);
    CHECK(progress.error.kind == UTFALL_KIND_TRUNCATED && progress.error.column == 1);
    utfall_counts counts;
    CHECK(utfall_stream_counts(fork, &counts) == UTFALL_OK && counts.ill_formed == 1);
    utfall_stream_reset(stream);
    progress = utfall_stream_finish(stream, "ab", 2, out, sizeof out);
    CHECK(progress.status == UTFALL_OK && progress.written == 4);
    utfall_stream_free(fork);
    utfall_stream_free(stream);
    utfall_stream_free(NULL);
}

static void units(void) {
    uint16_t units[8];
    uint32_t points[8];
    size_t length;
    utfall_progress progress = utfall_utf8_to_utf16("a\xF0\x9F\x98\x80", 5, units, 8);
    CHECK(progress.status == UTFALL_OK && progress.written == 3 && units[1] == 0xD83D);
    CHECK(utfall_utf16_validate(units, 3, NULL) == UTFALL_OK);
    CHECK(utfall_utf16_validate(units, 2, NULL) == UTFALL_INVALID_TEXT);
    progress = utfall_utf16_to_utf32(units, 3, points, 8);
    CHECK(progress.written == 2 && points[1] == 0x1F600);
    CHECK(utfall_utf32_to_utf8_length(points, 2, &length, NULL) == UTFALL_OK && length == 5);
}

static void reports(void) {
    struct text text = {NULL, 0, 0}, report = {NULL, 0, 0};
    CHECK(utfall_explain_json("a\xFF", 2, NULL, collect, &report) == UTFALL_OK);
    CHECK(report.calls == 4 && strstr(report.bytes, "LATIN SMALL LETTER A") != NULL);
    int calls = 0;
    CHECK(utfall_explain_json("a\xFF", 2, NULL, refuse, &calls) == UTFALL_STOPPED && calls == 1);
    report.length = 0;

    utfall_report_options options = UTFALL_REPORT_OPTIONS;
    options.levels = "ill-formed=warning";
    options.levels_length = strlen(options.levels);
    utfall_check_counts counts;
    CHECK(utfall_check_json("a\xFF\n", 3, &options, collect, &report, &counts) == UTFALL_OK);
    CHECK(counts.errors == 0 && counts.warnings == 1 && !counts.valid);
    report.length = 0;

    const char *mojibake = "d\xC3\x83\xC2\xA9j\xC3\x83\xC2\xA0 vu";
    uint64_t changes;
    CHECK(utfall_repair(mojibake, strlen(mojibake), NULL, collect, &text, collect, &report, &changes) == UTFALL_OK);
    CHECK(changes == 2 && strcmp(text.bytes, "d\xC3\xA9j\xC3\xA0 vu") == 0);
    report.length = 0;

    double confidence;
    CHECK(utfall_detect(mojibake, strlen(mojibake), NULL, &confidence) == UTFALL_ENC_UTF_8);
    CHECK(confidence > 0.9 && confidence <= 1.0);
    CHECK(utfall_detect_json(mojibake, strlen(mojibake), NULL, collect, &report) == UTFALL_OK);
    CHECK(strstr(report.bytes, "\"encoding\":\"UTF-8\"") != NULL);
    char name[32];
    CHECK(utfall_character_name(0x20AC, name, sizeof name) == 9 && strcmp(name, "EURO SIGN") == 0);
    free(text.bytes);
    free(report.bytes);
}

static void mailboxes(void) {
    char out[32];
    size_t length;
    CHECK(utfall_imap_encode("\xC3\xA9", 2, out, sizeof out, &length, NULL) == UTFALL_OK);
    CHECK(length == 5 && memcmp(out, "&AOk-", 5) == 0);
    char back[32];
    CHECK(utfall_imap_decode(out, length, back, sizeof back, &length, NULL) == UTFALL_OK);
    CHECK(length == 2 && memcmp(back, "\xC3\xA9", 2) == 0);
}

int main(void) {
    names();
    errors();
    buffers();
    streams();
    units();
    reports();
    mailboxes();
    return failures != 0;
}
