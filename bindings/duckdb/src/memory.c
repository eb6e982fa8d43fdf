#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

span span_of(const char *text) {
    return (span){text, strlen(text)};
}

bool span_equal(span a, span b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

bool buffer_reserve(buffer *to, size_t capacity) {
    if (capacity <= to->capacity) {
        return true;
    }
    char *bytes = realloc(to->bytes, capacity);
    if (bytes == NULL) {
        return false;
    }
    to->bytes = bytes;
    to->capacity = capacity;
    return true;
}

bool buffer_append(buffer *to, const char *bytes, size_t length) {
    if (length > to->capacity - to->length) {
        if (length > SIZE_MAX / 2 - to->length || !buffer_reserve(to, 2 * (to->length + length))) {
            return false;
        }
    }
    if (length > 0) {
        memcpy(to->bytes + to->length, bytes, length);
        to->length += length;
    }
    return true;
}

void buffer_free(buffer *owned) {
    free(owned->bytes);
    *owned = (buffer){0};
}

span buffer_span(const buffer *from) {
    return (span){from->bytes, from->length};
}

bool buffer_write(void *context, const char *bytes, size_t length) {
    return buffer_append(context, bytes, length);
}
