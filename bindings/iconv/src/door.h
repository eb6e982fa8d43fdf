/* The functions of Rust under both libraries, documented in lib.rs, open.rs and names.rs. */
#ifndef UTFALL_ICONV_DOOR_H
#define UTFALL_ICONV_DOOR_H

#include <stddef.h>

enum utfall_iconv_status {
    UTFALL_ICONV_DONE,
    UTFALL_ICONV_OUTPUT_FULL,
    UTFALL_ICONV_INCOMPLETE,
    UTFALL_ICONV_ILL_FORMED,
    UTFALL_ICONV_IGNORED
};

enum utfall_iconv_property {
    UTFALL_ICONV_TRANSLITERATE,
    UTFALL_ICONV_IGNORE,
    UTFALL_ICONV_DISCARD
};

void *utfall_iconv_open(const char *to, const char *from, const char *locale);
void utfall_iconv_close(void *descriptor);
enum utfall_iconv_status utfall_iconv_convert(void *descriptor, char **input, size_t *input_left,
                                              char **output, size_t *output_left,
                                              size_t *irreversible);
int utfall_iconv_is_trivial(const void *descriptor);
int utfall_iconv_property(void *descriptor, enum utfall_iconv_property property, int value);
void utfall_iconv_names(int (*function)(unsigned int count, const char *const *names, void *data),
                        void *data);
const char *utfall_iconv_canonical(const char *name, const char *locale);

#endif
