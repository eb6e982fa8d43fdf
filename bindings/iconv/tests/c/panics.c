/* A panic in the library is an error of the call, which has read and written nothing. Linked with the
 * sources of either library and a static library with debug assertions. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

/* The next conversion panics. */
extern unsigned char utfall_iconv_panics_next;

static int failures;

static void check(int holds, const char *what)
{
    if (!holds) {
        printf("failed: %s\n", what);
        failures++;
    }
}

int main(void)
{
    char text[] = "a\303\251", out[8] = "";
    char *input = text, *output = out;
    size_t left = 3, room = 8;
    iconv_t cd = iconv_open("UTF-16LE", "UTF-8");
    check(cd != (iconv_t)-1, "iconv_open");
    /* The message of the panic. */
    if (freopen("/dev/null", "w", stderr) == NULL)
        return 2;

    utfall_iconv_panics_next = 1;
    errno = 0;
    check(iconv(cd, &input, &left, &output, &room) == (size_t)-1 && errno == EILSEQ,
          "-1 and EILSEQ");
    check(utfall_iconv_panics_next == 0, "it panicked");
    check(input == text && left == 3, "nothing was read");
    check(output == out && room == 8 && out[0] == 0, "nothing was written");

    check(iconv(cd, NULL, NULL, NULL, NULL) == 0, "the next text begins");
    check(iconv(cd, &input, &left, &output, &room) == 0 && left == 0 && room == 4,
          "the next call converts");
    check(memcmp(out, "a\0\351\0", 4) == 0, "it is UTF-16");
    check(iconv_close(cd) == 0, "iconv_close");
    return failures != 0;
}
