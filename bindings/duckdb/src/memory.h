/* Bytes that are borrowed, and bytes that are owned. */

#ifndef UTFALL_DUCKDB_MEMORY_H
#define UTFALL_DUCKDB_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Borrowed bytes. `bytes` may be NULL if `length` is 0. */
typedef struct {
    const char *bytes;
    size_t length;
} span;

span span_of(const char *text);
bool span_equal(span a, span b);

/* Owned bytes, which grow. Begin with {0}, and free with buffer_free. */
typedef struct {
    char *bytes;
    size_t length;
    size_t capacity;
} buffer;

/* Makes space for `capacity` bytes in all. Returns false, and changes nothing, if memory runs out. */
bool buffer_reserve(buffer *to, size_t capacity);
/* Appends bytes. Returns false if memory runs out. */
bool buffer_append(buffer *to, const char *bytes, size_t length);
void buffer_free(buffer *owned);
span buffer_span(const buffer *from);

/* A utfall_writer that appends to the buffer in `context`. */
bool buffer_write(void *context, const char *bytes, size_t length);

#endif
