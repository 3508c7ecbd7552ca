/* Preloaded into the program by the tests. A control file of numbers, which the test writes while the
   program runs, selects faults of the disk and an offset of the wall clock. Faults affect only the
   files of the database and of its secret. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { ON, KIND, ERRNO, FIRST, COUNT, SEEN, HITS, CLOCK_S, NUMBERS };
enum { WRITES = 1, SYNCS = 2 };

static volatile int32_t *numbers;

__attribute__((constructor)) static void map(void) {
    const char *path = getenv("FAULTS");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *at = mmap(0, NUMBERS * sizeof *numbers, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at != MAP_FAILED) numbers = at;
    close(fd);
}

static int is_meant(int fd) {
    char link[64] = "/proc/self/fd/", path[4096], digits[16];
    int length = 0;
    do digits[length++] = '0' + fd % 10; while (fd /= 10);
    char *end = link + strlen(link);
    while (length) *end++ = digits[--length];
    *end = 0;
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    const char *name = strrchr(path, '/');
    if (name && !strncmp(name, "/secret", 7)) return 1;
    return strstr(path, "/flagship.db") && !strstr(path, "-shm");
}

/* Whether this call, the n-th of its kind since the faults were switched on, fails. Errno 0 is no
   error but the end: the process is killed before the call. */
static int fails(int fd, int kind) {
    if (!numbers || !numbers[ON] || !(numbers[KIND] & kind) || !is_meant(fd)) return 0;
    int32_t n = __atomic_add_fetch(&numbers[SEEN], 1, __ATOMIC_SEQ_CST);
    if (n < numbers[FIRST] || n - numbers[FIRST] >= numbers[COUNT]) return 0;
    __atomic_add_fetch(&numbers[HITS], 1, __ATOMIC_SEQ_CST);
    if (!numbers[ERRNO]) kill(getpid(), SIGKILL);
    errno = numbers[ERRNO];
    return 1;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t size) {
    REAL(write);
    return fails(fd, WRITES) ? -1 : real(fd, bytes, size);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    REAL(pwrite);
    return fails(fd, WRITES) ? -1 : real(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    REAL(pwrite64);
    return fails(fd, WRITES) ? -1 : real(fd, bytes, size, at);
}
int fsync(int fd) {
    REAL(fsync);
    return fails(fd, SYNCS) ? -1 : real(fd);
}
int fdatasync(int fd) {
    REAL(fdatasync);
    return fails(fd, SYNCS) ? -1 : real(fd);
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(clock_gettime);
    int done = real(clock, now);
    if (numbers && clock == CLOCK_REALTIME) now->tv_sec += numbers[CLOCK_S];
    return done;
}
