/* Faults of the machine, for tests: loaded into the program before the C library, it lets one call
 * fail as the environment says, and writes down which calls there are.
 *
 *   FAULTS_LOG   a file that gets a line "CALL NAME" for each call, NAME if it is about one
 *   FAULTS_CALL  the kind of call that fails
 *   FAULTS_AT    which of them, from 1; "all"; or "odd": every other one, from the first
 *   FAULTS_NAME  what is in the name that it is about
 *   FAULTS_WITH  the error, as a number; "short": one octet is read or written; or what happens to
 *                the file just before: "cut" to half, "grow" by a line, "gone", "other" in its place
 *   FAULTS_CLOCK the time, in seconds since 1970
 *   FAULTS_DENY  "SYSCALL ERROR" as numbers: what does not go through the C library fails always
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { NO = -1, SHORT = -2, CUT = -3, GROW = -4, GONE = -5, OTHER = -6 };
static const char *const ways[] = { "short", "cut", "grow", "gone", "other" };

static int log_file = -1;
static const char *faulty, *about;
static long at;
static int all, odd, with = NO;
static long count;

static void begin(void)
{
    const char *text;
    if ((text = getenv("FAULTS_LOG")))
        log_file = (int)syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND, 0666);
    /* Out of the way of what the program opens. */
    if (log_file >= 0) {
        int high = (int)syscall(SYS_fcntl, log_file, F_DUPFD_CLOEXEC, 200);
        syscall(SYS_close, log_file);
        log_file = high;
    }
    if ((text = getenv("FAULTS_WITH"))) {
        with = atoi(text);
        for (int way = 0; way < 5; way++)
            if (!strcmp(text, ways[way])) with = SHORT - way;
    }
    if ((text = getenv("FAULTS_AT"))) {
        all = !strcmp(text, "all");
        odd = !strcmp(text, "odd");
        at = atol(text);
    }
    if ((text = getenv("FAULTS_DENY"))) {
        char *end;
        unsigned number = (unsigned)strtoul(text, &end, 10), error = (unsigned)atoi(end);
        struct sock_filter lines[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        struct sock_fprog filter = { sizeof lines / sizeof *lines, lines };
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &filter)) _exit(99);
    }
    about = getenv("FAULTS_NAME");
    faulty = getenv("FAULTS_CALL");
}

static void put(const char *path, int flags, const char *text)
{
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | flags, 0644);
    syscall(SYS_write, file, text, strlen(text));
    syscall(SYS_close, file);
}

/* Something happens to a file. */
static void happen(const char *path)
{
    char other[4200];
    struct stat status;
    if (with == CUT && !stat(path, &status)) syscall(SYS_truncate, path, status.st_size / 2);
    if (with == GROW) put(path, O_APPEND, "grown\n");
    if (with == GONE) syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (with == OTHER) {
        snprintf(other, sizeof other, "%s.other", path);
        put(other, O_CREAT | O_TRUNC, "other text\n");
        syscall(SYS_renameat2, AT_FDCWD, other, AT_FDCWD, path, 0);
    }
}

/* Whether a call is to fail, and how; NO if not. */
static int fault(const char *call, const char *path, int file)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char link[64], name[4096] = "";
    int saved = errno;
    pthread_once(&once, begin);
    errno = saved;
    if (!path && file >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        long length = syscall(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1);
        name[length > 0 ? length : 0] = 0;
        path = name;
        errno = saved;
    }
    /* What is said about faults is to be seen, and what the libraries ask of the system is not ours. */
    if (file == 2 || (path && (!strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5)))) return NO;
    if (log_file >= 0) {
        char line[4400];
        int length = snprintf(line, sizeof line, "%s %s\n", call, path ? path : "");
        syscall(SYS_write, log_file, line, length);
        errno = saved;
    }
    if (!faulty || strcmp(faulty, call)) return NO;
    if (about && !(path && strstr(path, about))) return NO;
    long number = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (!all && (odd ? number % 2 == 0 : number != at)) return NO;
    if (with <= CUT) {
        if (path) happen(path);
        errno = saved;
        return NO;
    }
    return with;
}

#define NEXT(name) \
    static __typeof__(name) *next; \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define FAIL(call, path, file, failed) \
    int error = fault(call, path, file); \
    if (error >= 0) { errno = error; return failed; }

ssize_t read(int file, void *room, size_t length)
{
    NEXT(read);
    FAIL("read", NULL, file, -1)
    return next(file, room, error == SHORT && length ? 1 : length);
}

ssize_t write(int file, const void *octets, size_t length)
{
    NEXT(write);
    FAIL("write", NULL, file, -1)
    return next(file, octets, error == SHORT && length ? 1 : length);
}

ssize_t writev(int file, const struct iovec *parts, int number)
{
    NEXT(writev);
    FAIL("write", NULL, file, -1)
    while (error == SHORT && number > 1 && !parts->iov_len) parts++, number--;
    if (error == SHORT && number > 0)
        return write(file, parts->iov_base, parts->iov_len ? 1 : 0);
    return next(file, parts, number);
}

int open64(const char *path, int flags, ...)
{
    NEXT(open64);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    FAIL("open", path, -1, -1)
    return next(path, flags, mode);
}

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *result)
{
    NEXT(statx);
    /* The standard library asks with no path whether there is such a call, which headers forbid. */
    const char *volatile given = path;
    if (given) { FAIL("stat", *given ? given : NULL, *given ? -1 : folder, -1) }
    return next(folder, path, flags, mask, result);
}

int close(int file)
{
    NEXT(close);
    int error = fault("close", NULL, file);
    int closed = next(file);
    if (error >= 0) { errno = error; return -1; }
    return closed;
}

int fcntl(int file, int command, ...)
{
    NEXT(fcntl);
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (command == F_DUPFD_CLOEXEC) { FAIL("dup", NULL, file, -1) }
    return next(file, command, argument);
}

char *realpath(const char *path, char *room)
{
    NEXT(realpath);
    FAIL("realpath", path, -1, NULL)
    return next(path, room);
}

DIR *opendir(const char *path)
{
    NEXT(opendir);
    FAIL("opendir", path, -1, NULL)
    return next(path);
}

struct dirent64 *readdir64(DIR *folder)
{
    NEXT(readdir64);
    FAIL("readdir", NULL, dirfd(folder), NULL)
    return next(folder);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with_what)
{
    NEXT(pthread_create);
    int error = fault("thread", NULL, -1);
    return error >= 0 ? error : next(thread, how, run, with_what);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const char *text = clock == CLOCK_REALTIME ? getenv("FAULTS_CLOCK") : NULL;
    int done = (int)syscall(SYS_clock_gettime, clock, time);
    if (text) time->tv_sec = atoll(text);
    return done;
}

#define CALL(kind, call, result, parameters, arguments, path, file) \
    result call parameters \
    { \
        NEXT(call); \
        FAIL(kind, path, file, -1) \
        return next arguments; \
    }

CALL("rename", rename, int, (const char *a, const char *b), (a, b), a, -1)
CALL("link", linkat, int, (int f, const char *a, int t, const char *b, int flags), (f, a, t, b, flags), a, -1)
CALL("unlink", unlink, int, (const char *a), (a), a, -1)
CALL("unlink", unlinkat, int, (int f, const char *a, int flags), (f, a, flags), a, -1)
CALL("mkdir", mkdir, int, (const char *a, mode_t mode), (a, mode), a, -1)
CALL("chmod", fchmod, int, (int f, mode_t mode), (f, mode), NULL, f)
CALL("chown", fchown, int, (int f, uid_t u, gid_t g), (f, u, g), NULL, f)
CALL("sync", fsync, int, (int f), (f), NULL, f)
CALL("sync", fdatasync, int, (int f), (f), NULL, f)
CALL("truncate", ftruncate64, int, (int f, off64_t l), (f, l), NULL, f)
CALL("seek", lseek64, off64_t, (int f, off64_t o, int w), (f, o, w), NULL, f)
CALL("lock", flock, int, (int f, int how), (f, how), NULL, f)
CALL("utimens", futimens, int, (int f, const struct timespec t[2]), (f, t), NULL, f)
CALL("readlink", readlink, ssize_t, (const char *a, char *r, size_t l), (a, r, l), a, -1)
CALL("copy", copy_file_range, ssize_t, (int f, off64_t *a, int t, off64_t *b, size_t l, unsigned g), (f, a, t, b, l, g), NULL, t)
