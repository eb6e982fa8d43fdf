/* iconv(3) with the names, results and errno of glibc, for LD_PRELOAD.
 *
 * Charsets that utfall lacks are left to the C library, and so are descriptors that it has opened: iconv(1)
 * of glibc opens some by another function. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>
#include <langinfo.h>
#include <stdlib.h>

#include "door.h"

#define NO_DESCRIPTOR ((iconv_t)-1)

struct descriptor {
    /* The address of `ours`: no descriptor of the C library begins with it. */
    const void *owner;
    void *converter;
};

static const char ours;

static struct descriptor *as_ours(iconv_t cd)
{
    struct descriptor *descriptor = cd;
    return descriptor->owner == &ours ? descriptor : NULL;
}

static int is_none(iconv_t cd)
{
    if (cd != NO_DESCRIPTOR && cd != NULL)
        return 0;
    errno = EBADF;
    return 1;
}

/* Their function with this name, with errno if there is none. */
static void *next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL)
        errno = EINVAL;
    return function;
}

iconv_t iconv_open(const char *to, const char *from)
{
    struct descriptor *descriptor;
    void *converter = utfall_iconv_open(to, from, nl_langinfo(CODESET));
    if (converter == NULL) {
        iconv_t (*open)(const char *, const char *);
        *(void **)&open = next("iconv_open");
        return open != NULL ? open(to, from) : NO_DESCRIPTOR;
    }
    descriptor = malloc(sizeof *descriptor);
    if (descriptor == NULL) {
        utfall_iconv_close(converter);
        errno = ENOMEM;
        return NO_DESCRIPTOR;
    }
    descriptor->owner = &ours;
    descriptor->converter = converter;
    return descriptor;
}

size_t iconv(iconv_t cd, char **input, size_t *input_left, char **output, size_t *output_left)
{
    size_t irreversible = 0;
    struct descriptor *descriptor;
    if (is_none(cd))
        return (size_t)-1;
    descriptor = as_ours(cd);
    if (descriptor == NULL) {
        size_t (*convert)(iconv_t, char **, size_t *, char **, size_t *);
        *(void **)&convert = next("iconv");
        return convert != NULL ? convert(cd, input, input_left, output, output_left) : (size_t)-1;
    }
    switch (utfall_iconv_convert(descriptor->converter, input, input_left, output, output_left,
                                 &irreversible)) {
    case UTFALL_ICONV_DONE:
        return irreversible;
    case UTFALL_ICONV_OUTPUT_FULL:
        errno = E2BIG;
        break;
    case UTFALL_ICONV_INCOMPLETE:
        errno = EINVAL;
        break;
    case UTFALL_ICONV_IGNORED:
    case UTFALL_ICONV_ILL_FORMED:
        errno = EILSEQ;
        break;
    }
    return (size_t)-1;
}

int iconv_close(iconv_t cd)
{
    struct descriptor *descriptor;
    if (is_none(cd))
        return -1;
    descriptor = as_ours(cd);
    if (descriptor == NULL) {
        int (*close)(iconv_t);
        *(void **)&close = next("iconv_close");
        return close != NULL ? close(cd) : -1;
    }
    utfall_iconv_close(descriptor->converter);
    descriptor->owner = NULL;
    free(descriptor);
    return 0;
}
