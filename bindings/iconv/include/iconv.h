/* iconv.h of utfall's libiconv: the names, types and constants of GNU libiconv 1.17.
 *
 * Lengths are in bytes. A descriptor belongs to its caller, who closes it, and must not be used by two
 * threads at the same time. Strings that functions return belong to the library and live as long as the
 * program. docs/iconv.md has the differences from GNU libiconv. */
#ifndef _LIBICONV_H
#define _LIBICONV_H

/* The version of GNU libiconv with these names: major * 256 + minor. */
#define _LIBICONV_VERSION 0x0111

#include <errno.h>
#include <stddef.h>
#include <wchar.h>

#ifndef EILSEQ
#define EILSEQ ENOENT
#endif

#ifdef __cplusplus
extern "C" {
#endif

extern int _libiconv_version;

#undef iconv_t
#define iconv_t libiconv_t
typedef void *iconv_t;

#ifndef LIBICONV_PLUG
#define iconv_open libiconv_open
#define iconv libiconv
#define iconv_close libiconv_close
#define iconv_open_into libiconv_open_into
#define iconvctl libiconvctl
#define iconvlist libiconvlist
#endif

/* A descriptor for conversions from one charset to another, or (iconv_t)-1 with errno EINVAL if one is
 * unknown. An empty name, or "char", means the charset of the locale. Suffixes of `tocode`: //TRANSLIT
 * replaces characters that it lacks with similar text, //IGNORE omits what cannot be converted. */
extern iconv_t iconv_open(const char *tocode, const char *fromcode);

/* Converts from *inbuf to *outbuf, and moves both pointers and lengths. Returns the number of
 * characters that were replaced or omitted because `tocode` lacks them, or (size_t)-1 with errno:
 * E2BIG: no space for the next character; EINVAL: the input ends within a character; EILSEQ: invalid
 * input, or a character that `tocode` lacks; EBADF: no descriptor. *inbuf is then before what was not
 * converted. Without input (inbuf or *inbuf is NULL) a text ends: its last bytes are written, if there
 * is output. */
extern size_t iconv(iconv_t cd, char **inbuf, size_t *inbytesleft, char **outbuf,
                    size_t *outbytesleft);

/* Frees a descriptor. Returns 0, or -1 with errno EBADF. */
extern int iconv_close(iconv_t cd);

#ifndef LIBICONV_PLUG

/* Memory for a descriptor without malloc by the caller. */
typedef struct {
    void *dummy1[28];
    mbstate_t dummy2;
} iconv_allocation_t;

/* As iconv_open, with the descriptor in *resultp. Returns 0, or -1 with errno. In this library a
 * descriptor still has memory of its own, which iconv_close of (iconv_t)resultp frees. */
extern int iconv_open_into(const char *tocode, const char *fromcode, iconv_allocation_t *resultp);

/* Reads or sets what the requests below say. Returns 0, or -1 with errno EINVAL or EBADF. */
extern int iconvctl(iconv_t cd, int request, void *argument);

typedef void (*iconv_unicode_char_hook)(unsigned int uc, void *data);
typedef void (*iconv_wide_char_hook)(wchar_t wc, void *data);
struct iconv_hooks {
    iconv_unicode_char_hook uc_hook;
    iconv_wide_char_hook wc_hook;
    void *data;
};

typedef void (*iconv_unicode_mb_to_uc_fallback)(
    const char *inbuf, size_t inbufsize,
    void (*write_replacement)(const unsigned int *buf, size_t buflen, void *callback_arg),
    void *callback_arg, void *data);
typedef void (*iconv_unicode_uc_to_mb_fallback)(
    unsigned int code,
    void (*write_replacement)(const char *buf, size_t buflen, void *callback_arg),
    void *callback_arg, void *data);
typedef void (*iconv_wchar_mb_to_wc_fallback)(
    const char *inbuf, size_t inbufsize,
    void (*write_replacement)(const wchar_t *buf, size_t buflen, void *callback_arg),
    void *callback_arg, void *data);
typedef void (*iconv_wchar_wc_to_mb_fallback)(
    wchar_t code, void (*write_replacement)(const char *buf, size_t buflen, void *callback_arg),
    void *callback_arg, void *data);
struct iconv_fallbacks {
    iconv_unicode_mb_to_uc_fallback mb_to_uc_fallback;
    iconv_unicode_uc_to_mb_fallback uc_to_mb_fallback;
    iconv_wchar_mb_to_wc_fallback mb_to_wc_fallback;
    iconv_wchar_wc_to_mb_fallback wc_to_mb_fallback;
    void *data;
};

/* Requests of iconvctl, with the type of the argument. */
#define ICONV_TRIVIALP 0            /* int *: 1 if both charsets are the same */
#define ICONV_GET_TRANSLITERATE 1   /* int * */
#define ICONV_SET_TRANSLITERATE 2   /* const int * */
#define ICONV_GET_DISCARD_ILSEQ 3   /* int * */
#define ICONV_SET_DISCARD_ILSEQ 4   /* const int * */
#define ICONV_SET_HOOKS 5           /* const struct iconv_hooks *: EINVAL here, unless NULL */
#define ICONV_SET_FALLBACKS 6       /* const struct iconv_fallbacks *: EINVAL here, unless NULL */

/* Calls do_one for each charset with its names, until that returns another number than 0. */
extern void iconvlist(int (*do_one)(unsigned int namescount, const char *const *names, void *data),
                      void *data);

/* The main name of a charset, or `name` itself if it is unknown. */
extern const char *iconv_canonicalize(const char *name);

#endif

#ifdef __cplusplus
}
#endif

#endif
