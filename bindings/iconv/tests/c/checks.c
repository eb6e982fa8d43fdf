/* What gettext's iconv.m4 checks of an iconv before it is used, and the requests of libiconv. Links to
 * any iconv(3), and prints each failure. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(int holds, const char *what)
{
    if (!holds) {
        printf("failed: %s\n", what);
        failures++;
    }
}

static size_t convert(const char *from, const char *to, const char *text, char *out, size_t *room,
                      size_t *left)
{
    iconv_t cd = iconv_open(to, from);
    char *input = (char *)text;
    size_t input_left = strlen(text), status;
    int error;
    check(cd != (iconv_t)-1, "iconv_open");
    if (cd == (iconv_t)-1)
        return (size_t)-1;
    status = iconv(cd, &input, &input_left, &out, room);
    error = errno;
    iconv_close(cd);
    *left = input_left;
    errno = error;
    return status;
}

static void check_as_configure_does(void)
{
    char out[64];
    size_t room, left;

    room = 10;
    check(convert("UTF-8", "ISO8859-1", "\342\202\254", out, &room, &left) == (size_t)-1,
          "a character that the target lacks is not converted");
    check(errno == EILSEQ && left == 3, "it is EILSEQ, before the character");

    room = 10;
    check(convert("ASCII", "ISO8859-1", "\263", out, &room, &left) == (size_t)-1,
          "a byte that is no character is not converted");

    memcpy(out, "\xDE\xAD", 2);
    room = 1;
    check(convert("ISO8859-1", "UTF-8", "\304", out, &room, &left) == (size_t)-1 && errno == E2BIG,
          "too little space is E2BIG");
    check(room == 1 && left == 1 && out[1] == (char)0xAD, "nothing is written after the space");

    room = 50;
    check(convert("iso88591", "utf8", "\304rger mit b\366sen B\374bchen ohne Augenma\337", out, &room,
                  &left) == 0,
          "the result is 0, not a number of characters");
    check(50 - room == 41 && left == 0, "all is converted");

    check(iconv_open("UTF-8", "klingon") == (iconv_t)-1 && errno == EINVAL, "no such charset");
    check(iconv((iconv_t)-1, NULL, NULL, NULL, NULL) == (size_t)-1 && errno == EBADF,
          "no descriptor");
}

static void check_names(void)
{
    static const char *const names[] = {"EUC-JP", "eucJP", "UTF8", "utf-8", "CP1252//TRANSLIT", ""};
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        iconv_t cd = iconv_open("UTF-8", names[i]);
        check(cd != (iconv_t)-1, names[i]);
        if (cd != (iconv_t)-1) {
            check(iconv(cd, NULL, NULL, NULL, NULL) == 0, "reset");
            check(iconv_close(cd) == 0, "close");
        }
    }
}

#ifdef _LIBICONV_VERSION
static int count_names(unsigned int count, const char *const *names, void *data)
{
    check(count > 0 && names[0][0] != 0, "a charset has a name");
    ++*(int *)data;
    return 0;
}

static int stop_at_once(unsigned int count, const char *const *names, void *data)
{
    (void)count;
    (void)names;
    ++*(int *)data;
    return 1;
}

static void check_libiconv(void)
{
    int number = 0, on = 1;
    iconv_allocation_t allocation;
    struct iconv_hooks hooks = {NULL, NULL, NULL};
    char text[] = "a\377\342\202\254", out[16];
    char *input = text, *output = out;
    size_t left = 5, room = 16;
    iconv_t cd;

    check(_libiconv_version == _LIBICONV_VERSION, "the version");
    iconvlist(count_names, &number);
    check(number > 200, "iconvlist");
    number = 0;
    iconvlist(stop_at_once, &number);
    check(number == 1, "iconvlist stops");
    check(strcmp(iconv_canonicalize("latin1"), "ISO-8859-1") == 0, "iconv_canonicalize");
    check(strcmp(iconv_canonicalize("klingon"), "klingon") == 0, "an unknown name stays");

    check(iconv_open_into("ASCII", "klingon", &allocation) == -1 && errno == EINVAL, "no charset");
    check(iconv_open_into("ASCII", "UTF-8", &allocation) == 0, "iconv_open_into");
    cd = (iconv_t)&allocation;
    check(iconvctl(cd, ICONV_TRIVIALP, &number) == 0 && number == 0, "ICONV_TRIVIALP");
    check(iconvctl(cd, ICONV_GET_DISCARD_ILSEQ, &number) == 0 && number == 0, "ICONV_GET_DISCARD_ILSEQ");
    check(iconv(cd, &input, &left, &output, &room) == (size_t)-1 && left == 4, "EILSEQ");
    check(iconvctl(cd, ICONV_SET_DISCARD_ILSEQ, &on) == 0, "ICONV_SET_DISCARD_ILSEQ");
    check(iconvctl(cd, ICONV_GET_DISCARD_ILSEQ, &number) == 0 && number == 1, "it is set");
    check(iconvctl(cd, ICONV_SET_TRANSLITERATE, &on) == 0, "ICONV_SET_TRANSLITERATE");
    check(iconvctl(cd, ICONV_GET_TRANSLITERATE, &number) == 0 && number == 1, "it is set");
    check(iconv(cd, &input, &left, &output, &room) == 1 && left == 0, "what is omitted is no error");
    check(16 - room == 4 && memcmp(out, "aEUR", 4) == 0, "the euro is transliterated");
    check(iconvctl(cd, ICONV_SET_HOOKS, &hooks) == -1 && errno == EINVAL, "no hooks");
    check(iconvctl(cd, 99, &number) == -1 && errno == EINVAL, "no such request");
    check(iconv_close(cd) == 0, "close");

    cd = iconv_open("latin1", "ISO-8859-1");
    check(iconvctl(cd, ICONV_TRIVIALP, &number) == 0 && number == 1, "the same charset");
    iconv_close(cd);
}
#endif

int main(void)
{
    check_as_configure_does();
    check_names();
#ifdef _LIBICONV_VERSION
    check_libiconv();
#endif
    if (failures == 0)
        printf("all checks hold\n");
    return failures != 0;
}
