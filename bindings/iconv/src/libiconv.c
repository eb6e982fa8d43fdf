/* The functions of GNU libiconv. */
#include "../include/iconv.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "door.h"

#define NO_DESCRIPTOR ((iconv_t)-1)

/* What an iconv_t points to. It fits into an iconv_allocation_t. */
struct descriptor {
    void *converter;
    int is_callers;
};

_Static_assert(sizeof(struct descriptor) <= sizeof(iconv_allocation_t), "it fits");

int _libiconv_version = _LIBICONV_VERSION;

static const char *charset(const char *name)
{
    return name != NULL && strcmp(name, "char") == 0 ? "" : name;
}

static int open_into(const char *to, const char *from, struct descriptor *descriptor)
{
    const char *locale = nl_langinfo(CODESET);
    descriptor->converter = utfall_iconv_open(charset(to), charset(from), locale);
    if (descriptor->converter == NULL) {
        errno = EINVAL;
        return -1;
    }
    descriptor->is_callers = 0;
    return 0;
}

iconv_t iconv_open(const char *to, const char *from)
{
    struct descriptor *descriptor = malloc(sizeof *descriptor);
    if (descriptor == NULL) {
        errno = ENOMEM;
        return NO_DESCRIPTOR;
    }
    if (open_into(to, from, descriptor) != 0) {
        free(descriptor);
        errno = EINVAL;
        return NO_DESCRIPTOR;
    }
    return descriptor;
}

int iconv_open_into(const char *to, const char *from, iconv_allocation_t *result)
{
    struct descriptor descriptor;
    if (result == NULL) {
        errno = EINVAL;
        return -1;
    }
    if (open_into(to, from, &descriptor) != 0)
        return -1;
    descriptor.is_callers = 1;
    memcpy(result, &descriptor, sizeof descriptor);
    return 0;
}

size_t iconv(iconv_t cd, char **input, size_t *input_left, char **output, size_t *output_left)
{
    size_t irreversible = 0;
    struct descriptor *descriptor = cd;
    if (cd == NO_DESCRIPTOR || cd == NULL) {
        errno = EBADF;
        return (size_t)-1;
    }
    switch (utfall_iconv_convert(descriptor->converter, input, input_left, output, output_left,
                                 &irreversible)) {
    case UTFALL_ICONV_DONE:
    case UTFALL_ICONV_IGNORED: /* What was asked for is no error here. */
        return irreversible;
    case UTFALL_ICONV_OUTPUT_FULL:
        errno = E2BIG;
        break;
    case UTFALL_ICONV_INCOMPLETE:
        errno = EINVAL;
        break;
    case UTFALL_ICONV_ILL_FORMED:
        errno = EILSEQ;
        break;
    }
    return (size_t)-1;
}

int iconv_close(iconv_t cd)
{
    struct descriptor *descriptor = cd;
    if (cd == NO_DESCRIPTOR || cd == NULL) {
        errno = EBADF;
        return -1;
    }
    utfall_iconv_close(descriptor->converter);
    if (!descriptor->is_callers)
        free(descriptor);
    return 0;
}

int iconvctl(iconv_t cd, int request, void *argument)
{
    struct descriptor *descriptor = cd;
    if (cd == NO_DESCRIPTOR || cd == NULL) {
        errno = EBADF;
        return -1;
    }
    if (request == ICONV_SET_HOOKS || request == ICONV_SET_FALLBACKS) {
        /* None are called, so none can be set. */
        if (argument == NULL)
            return 0;
        errno = EINVAL;
        return -1;
    }
    if (argument != NULL) {
        switch (request) {
        case ICONV_TRIVIALP:
            *(int *)argument = utfall_iconv_is_trivial(descriptor->converter);
            return 0;
        case ICONV_GET_TRANSLITERATE:
            *(int *)argument =
                utfall_iconv_property(descriptor->converter, UTFALL_ICONV_TRANSLITERATE, -1);
            return 0;
        case ICONV_SET_TRANSLITERATE:
            utfall_iconv_property(descriptor->converter, UTFALL_ICONV_TRANSLITERATE,
                                  *(const int *)argument != 0);
            return 0;
        case ICONV_GET_DISCARD_ILSEQ:
            *(int *)argument =
                utfall_iconv_property(descriptor->converter, UTFALL_ICONV_IGNORE, -1);
            return 0;
        case ICONV_SET_DISCARD_ILSEQ:
            utfall_iconv_property(descriptor->converter, UTFALL_ICONV_IGNORE,
                                  *(const int *)argument != 0);
            return 0;
        }
    }
    errno = EINVAL;
    return -1;
}

void iconvlist(int (*do_one)(unsigned int count, const char *const *names, void *data), void *data)
{
    utfall_iconv_names(do_one, data);
}

const char *iconv_canonicalize(const char *name)
{
    const char *known = utfall_iconv_canonical(charset(name), nl_langinfo(CODESET));
    return known != NULL ? known : name;
}
