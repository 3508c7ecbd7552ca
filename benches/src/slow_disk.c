// A disk that takes 4 ms longer for each sync: preloaded, so that nothing but the thread that
// syncs waits, as it does for a disk.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int slowly(const char *name, int file) {
    int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct timespec delay = {.tv_nsec = 4000000};
    int result = sync(file);
    nanosleep(&delay, 0);
    return result;
}

int fsync(int file) { return slowly("fsync", file); }

int fdatasync(int file) { return slowly("fdatasync", file); }
