#include "json.h"

#include <stdlib.h>
#include <string.h>

static const span NONE = {NULL, 0};

/* The rest of a text after a number of its bytes. */
static span after(span text, size_t count) {
    count = count < text.length ? count : text.length;
    return (span){text.bytes + count, text.length - count};
}

static size_t string_length(span text) {
    size_t at = 1;
    while (at < text.length && text.bytes[at] != '"') {
        at += text.bytes[at] == '\\' ? 2 : 1;
    }
    return at < text.length ? at + 1 : text.length;
}

/* The length of the value at the start of a text. */
static size_t value_length(span text) {
    size_t at = 0;
    int depth = 0;
    while (at < text.length) {
        char c = text.bytes[at];
        if (depth == 0 && (c == ',' || c == ']' || c == '}')) {
            return at;
        }
        if (c == '"') {
            at += string_length(after(text, at));
            continue;
        }
        depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        at++;
    }
    return at;
}

static span take(span *rest, size_t length) {
    span taken = {rest->bytes, length};
    *rest = after(*rest, length);
    return taken;
}

static bool begins(span text, char c) {
    return text.length > 0 && text.bytes[0] == c;
}

span json_member(span object, const char *name) {
    if (!begins(object, '{')) {
        return NONE;
    }
    span rest = after(object, 1), wanted = span_of(name);
    while (begins(rest, '"')) {
        span key = take(&rest, string_length(rest));
        rest = after(rest, 1);
        span value = take(&rest, value_length(rest));
        if (key.length == wanted.length + 2 && memcmp(key.bytes + 1, wanted.bytes, wanted.length) == 0) {
            return value;
        }
        rest = after(rest, 1);
    }
    return NONE;
}

span json_next(span *rest) {
    if (!begins(*rest, '[') && !begins(*rest, ',')) {
        return NONE;
    }
    *rest = after(*rest, 1);
    return take(rest, value_length(*rest));
}

bool json_is_true(span value) {
    return span_equal(value, span_of("true"));
}

bool json_equals(span value, const char *text) {
    span wanted = span_of(text);
    return value.length == wanted.length + 2 && memcmp(value.bytes + 1, wanted.bytes, wanted.length) == 0;
}

double json_number(span value) {
    char digits[40];
    size_t length = value.length < sizeof digits - 1 ? value.length : sizeof digits - 1;
    if (length > 0) {
        memcpy(digits, value.bytes, length);
    }
    digits[length] = '\0';
    return strtod(digits, NULL);
}

/* The four digits after `\u`. */
static uint32_t code_unit(span text) {
    char digits[5] = {0};
    memcpy(digits, text.bytes, text.length < 4 ? text.length : 4);
    return (uint32_t)strtoul(digits, NULL, 16);
}

static bool append_character(buffer *to, uint32_t point) {
    char bytes[4];
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char LEADS[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t at = length - 1; at > 0; at--) {
        bytes[at] = (char)(0x80 | (point & 0x3F));
        point >>= 6;
    }
    bytes[0] = (char)(LEADS[length] | point);
    return buffer_append(to, bytes, length);
}

/* Appends what an escape stands for, and removes it from the rest. */
static bool append_escape(span *rest, buffer *to) {
    static const char LETTERS[] = "bfnrt", MEANINGS[] = "\b\f\n\r\t";
    char letter = rest->length > 1 ? rest->bytes[1] : '\\';
    *rest = after(*rest, 2);
    if (letter != 'u') {
        const char *found = strchr(LETTERS, letter);
        return buffer_append(to, found == NULL ? &letter : &MEANINGS[found - LETTERS], 1);
    }
    uint32_t point = code_unit(*rest);
    *rest = after(*rest, 4);
    bool is_pair = point >= 0xD800 && point < 0xDC00 && rest->length >= 6 && rest->bytes[1] == 'u';
    if (is_pair) {
        uint32_t low = code_unit(after(*rest, 2));
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        *rest = after(*rest, 6);
    }
    return append_character(to, point);
}

bool json_text(span value, buffer *to) {
    if (!begins(value, '"') || value.length < 2) {
        return false;
    }
    span rest = {value.bytes + 1, value.length - 2};
    while (rest.length > 0) {
        const char *escape = memchr(rest.bytes, '\\', rest.length);
        size_t plain = escape == NULL ? rest.length : (size_t)(escape - rest.bytes);
        if (!buffer_append(to, rest.bytes, plain)) {
            return false;
        }
        rest = after(rest, plain);
        if (rest.length > 0 && !append_escape(&rest, to)) {
            return false;
        }
    }
    return true;
}
