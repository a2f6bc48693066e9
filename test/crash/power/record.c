/*
 * Records what a process does to the files of one folder, in order: LD_PRELOAD, with RECORD_TO (the
 * record) and RECORD_OF (the folder). Each entry: length, kind, time (CLOCK_MONOTONIC, ns), place,
 * length of the path, path, data. All in the byte order of the machine.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FDS 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static const char *folder;
static char *paths[FDS];

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int begin(void) {
  if (record >= 0) return 1;
  const char *to = getenv("RECORD_TO");
  folder = getenv("RECORD_OF");
  if (!to || !folder) return 0;
  int (*opens)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  record = opens(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  return record >= 0;
}

static int is_ours(const char *path) {
  return path && begin() && strncmp(path, folder, strlen(folder)) == 0;
}

static const char *path_of(int fd) {
  return fd >= 0 && fd < FDS ? paths[fd] : NULL;
}

static void put(char kind, const char *path, uint64_t place, const void *data, uint32_t size) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t at = (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
  uint32_t named = (uint32_t)strlen(path);
  uint32_t all = 1 + 8 + 8 + 4 + named + size;
  static char head[1 << 13];
  size_t n = 0;
  memcpy(head + n, &all, 4); n += 4;
  head[n++] = kind;
  memcpy(head + n, &at, 8); n += 8;
  memcpy(head + n, &place, 8); n += 8;
  memcpy(head + n, &named, 4); n += 4;
  memcpy(head + n, path, named); n += named;
  struct iovec parts[2] = {{head, n}, {(void *)data, size}};
  ssize_t (*writes)(int, const struct iovec *, int) = dlsym(RTLD_NEXT, "writev");
  if (writes(record, parts, 2) < 0) abort();
}

static int opened(int fd, const char *path, int flags, int was) {
  if (fd < 0 || fd >= FDS || !is_ours(path)) return fd;
  pthread_mutex_lock(&lock);
  free(paths[fd]);
  paths[fd] = strdup(path);
  if (!was) put('C', path, 0, NULL, 0);
  else if (flags & O_TRUNC) put('T', path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return fd;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    va_list more; \
    va_start(more, flags); \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0; \
    va_end(more); \
    int was = access(path, F_OK) == 0; \
    return opened(real(path, flags, mode), path, flags, was); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  REAL(int, close, int);
  if (path_of(fd)) {
    pthread_mutex_lock(&lock);
    free(paths[fd]);
    paths[fd] = NULL;
    pthread_mutex_unlock(&lock);
  }
  return real(fd);
}

#define PWRITE(name, offset) \
  ssize_t name(int fd, const void *data, size_t size, offset place) { \
    REAL(ssize_t, name, int, const void *, size_t, offset); \
    if (!path_of(fd)) return real(fd, data, size, place); \
    pthread_mutex_lock(&lock); \
    ssize_t done = real(fd, data, size, place); \
    if (done > 0) put('W', paths[fd], (uint64_t)place, data, (uint32_t)done); \
    pthread_mutex_unlock(&lock); \
    return done; \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (!path_of(fd)) return real(fd, data, size);
  pthread_mutex_lock(&lock);
  off_t place = lseek(fd, 0, SEEK_CUR);
  ssize_t done = real(fd, data, size);
  if (done > 0) put('W', paths[fd], (uint64_t)place, data, (uint32_t)done);
  pthread_mutex_unlock(&lock);
  return done;
}

#define TRUNCATE(name, offset) \
  int name(int fd, offset size) { \
    REAL(int, name, int, offset); \
    if (!path_of(fd)) return real(fd, size); \
    pthread_mutex_lock(&lock); \
    int done = real(fd, size); \
    if (done == 0) put('T', paths[fd], (uint64_t)size, NULL, 0); \
    pthread_mutex_unlock(&lock); \
    return done; \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
  int name(int fd) { \
    REAL(int, name, int); \
    if (!path_of(fd)) return real(fd); \
    pthread_mutex_lock(&lock); \
    struct stat about; \
    int is_folder = fstat(fd, &about) == 0 && S_ISDIR(about.st_mode); \
    int done = real(fd); \
    if (done == 0) put(is_folder ? 'D' : 'F', paths[fd], 0, NULL, 0); \
    pthread_mutex_unlock(&lock); \
    return done; \
  }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  if (!is_ours(path)) return real(path);
  pthread_mutex_lock(&lock);
  int done = real(path);
  if (done == 0) put('U', path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}

int unlinkat(int at, const char *path, int flags) {
  REAL(int, unlinkat, int, const char *, int);
  if (!is_ours(path)) return real(at, path, flags);
  pthread_mutex_lock(&lock);
  int done = real(at, path, flags);
  if (done == 0) put('U', path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}

int remove(const char *path) {
  REAL(int, remove, const char *);
  if (!is_ours(path)) return real(path);
  pthread_mutex_lock(&lock);
  int done = real(path);
  if (done == 0) put('U', path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return done;
}

int rename(const char *path, const char *to) {
  REAL(int, rename, const char *, const char *);
  if (!is_ours(path)) return real(path, to);
  pthread_mutex_lock(&lock);
  int done = real(path, to);
  if (done == 0) put('R', path, 0, to, (uint32_t)strlen(to));
  pthread_mutex_unlock(&lock);
  return done;
}
