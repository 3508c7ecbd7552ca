// Adds 4 ms to each sync, like a slow disk. Preloaded into the program, so that only the thread
// that syncs waits.

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
