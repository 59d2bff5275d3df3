/* Gives a program that uses the C library another date: scripts/test-at.sh has it
 * loaded into the servers of the tests, UID_TEST_CLOCK_SHIFT seconds ahead. Deadlines
 * that were reckoned from that date are taken back to the kernel's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
  static long seconds = -1;
  if (seconds < 0) {
    const char *value = getenv("UID_TEST_CLOCK_SHIFT");
    seconds = value ? atol(value) : 0;
  }
  return seconds;
}

/* The system call itself: looking up the library's function may ask for memory, and an
 * allocator that asks for the time would come back here. */
int clock_gettime(clockid_t clock, struct timespec *t) {
  int failed = syscall(SYS_clock_gettime, clock, t);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) t->tv_sec += shift();
  return failed;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone) {
  struct timespec t;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &t);
  tv->tv_sec = t.tv_sec;
  tv->tv_usec = t.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (out) *out = t.tv_sec;
  return t.tv_sec;
}

/* A condition's clock may be the monotonic one: that is decades behind the date. */
static struct timespec kernels(const struct timespec *deadline) {
  struct timespec t = *deadline;
  if (t.tv_sec > 1000000000 + shift()) t.tv_sec -= shift();
  return t;
}

int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                           const struct timespec *restrict deadline) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!real) real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec t = kernels(deadline);
  return real(c, m, &t);
}

int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                           const struct timespec *deadline) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  struct timespec t = kernels(deadline);
  return real(c, m, clock, &t);
}
