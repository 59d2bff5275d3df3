/* Gives a program that uses the C library another date: scripts/test-at.sh has it
 * loaded into the servers of the tests, UID_TEST_CLOCK_SHIFT seconds ahead. Deadlines
 * that were reckoned from that date are taken back to the kernel's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
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

/* etcd and the API server of Kubernetes are Go programs: they read the clock by themselves,
 * with the function that the kernel maps into every process (vDSO). That one is made to go
 * on here. Debian's faketime changes the clock of the C library alone. */
static char *find_in_vdso(char *base, const char *name, size_t *size) {
  Elf64_Ehdr *head = (Elf64_Ehdr *)base;
  Elf64_Phdr *part = (Elf64_Phdr *)(base + head->e_phoff);
  Elf64_Dyn *entry = NULL;
  for (int i = 0; i < head->e_phnum; i++) {
    if (part[i].p_type == PT_LOAD) *size = part[i].p_memsz;
    if (part[i].p_type == PT_DYNAMIC) entry = (Elf64_Dyn *)(base + part[i].p_offset);
  }
  Elf64_Sym *symbols = NULL;
  const char *names = NULL;
  for (; entry && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_SYMTAB) symbols = (Elf64_Sym *)(base + entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = base + entry->d_un.d_ptr;
  }
  /* In every linker's output the names stand right behind the symbols. */
  for (Elf64_Sym *s = symbols; s && names && (const char *)s < names; s++)
    if (!strcmp(names + s->st_name, name)) return base + s->st_value;
  return NULL;
}

#if defined(__x86_64__)
#define VDSO_CLOCK "__vdso_clock_gettime"
static const unsigned char jump[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0}; /* movabs rax; jmp rax */
enum { jump_target = 2 };
#elif defined(__aarch64__)
#define VDSO_CLOCK "__kernel_clock_gettime"
static const unsigned char jump[] = {0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6, 0, 0, 0, 0, 0, 0, 0, 0}; /* ldr x16, 8; br x16 */
enum { jump_target = 8 };
#else
#error "how code jumps to an address is known for x86-64 and arm64 alone"
#endif

static const char *const in_go[] = {"etcd", "kube-apiserver-"}; /* what their names begin with */

__attribute__((constructor)) static void shift_go(void) {
  int found = 0;
  for (size_t i = 0; i < sizeof in_go / sizeof *in_go; i++)
    found |= !strncmp(program_invocation_short_name, in_go[i], strlen(in_go[i]));
  if (!found) return;
  char *vdso = (char *)getauxval(AT_SYSINFO_EHDR), *function = NULL;
  size_t size = 0;
  if (vdso) function = find_in_vdso(vdso, VDSO_CLOCK, &size);
  /* The mapping cannot be split, so all of it. */
  if (!function || mprotect(vdso, size, PROT_READ | PROT_WRITE | PROT_EXEC)) {
    fprintf(stderr, "clock-shift.c: %s cannot be given another clock: %s\n", program_invocation_short_name, strerror(errno));
    _exit(1);
  }
  uintptr_t target = (uintptr_t)clock_gettime;
  memcpy(function, jump, sizeof jump);
  memcpy(function + jump_target, &target, sizeof target);
  __builtin___clear_cache(function, function + sizeof jump);
}
