#ifndef CAIRN_CLMDB_SHIM_H
#define CAIRN_CLMDB_SHIM_H

#if !__has_include(<lmdb.h>)
#error "<lmdb.h> is missing: apt-get install liblmdb-dev"
#endif
#include <lmdb.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/statfs.h>
#endif

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

// The name `ps -T` and debuggers show; the kernel keeps 15 bytes. `prctl` is variadic,
// which Swift cannot call.
static inline void cairn_set_thread_name(const char *name) {
#if defined(__linux__)
  prctl(PR_SET_NAME, name, 0, 0, 0);
#else
  (void)name;
#endif
}

#if defined(__linux__)
// Reserves blocks; the C library hides it without _GNU_SOURCE.
int fallocate(int descriptor, int mode, off_t offset, off_t count);

// Has the system write out what it holds of a file, without waiting for it.
int sync_file_range(int descriptor, off_t offset, off_t count, unsigned int flags);

static inline int cairn_begin_write_back(int descriptor) {
  const unsigned int write_only = 2;  // SYNC_FILE_RANGE_WRITE
  return sync_file_range(descriptor, 0, 0, write_only);
}
#else
static inline int cairn_begin_write_back(int descriptor) {
  (void)descriptor;
  return 0;
}
#endif

// `fcntl` is variadic, which Swift cannot call. Declared by hand, like `fallocate`: a header that
// the Glibc module shares with this one would make it a matter of luck which of them owns `stat`.
int fcntl(int descriptor, int command, ...);

static inline int cairn_lock_command(int descriptor, int command, void *request) {
  return fcntl(descriptor, command, request);
}

// Gives back what was allocated and let go, which the allocator keeps for whoever asks next.
static inline void cairn_release_freed(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

// CRC-32C (Castagnoli) by the processor's own instruction. Swift cannot name
// these instructions, so they live here; the portable table is in Swift.

#if defined(__x86_64__)
// CPUID leaf 1, ECX bit 20: SSE 4.2.
static inline int cairn_crc32c_is_supported(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 20)) != 0;
}

__attribute__((target("sse4.2"))) static inline uint32_t
cairn_crc32c_update(uint32_t state, const void *bytes, size_t count) {
  const unsigned char *p = (const unsigned char *)bytes;
  uint64_t wide = state;
  for (; count >= 8; p += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  uint32_t narrow = (uint32_t)wide;
  if (count >= 4) {
    uint32_t word;
    memcpy(&word, p, 4);
    narrow = __builtin_ia32_crc32si(narrow, word);
    p += 4;
    count -= 4;
  }
  for (; count > 0; p++, count--) narrow = __builtin_ia32_crc32qi(narrow, *p);
  return narrow;
}
#elif defined(__aarch64__) && defined(__linux__)
// HWCAP_CRC32 is bit 7 of AT_HWCAP.
static inline int cairn_crc32c_is_supported(void) {
  return (getauxval(AT_HWCAP) & (1ul << 7)) != 0;
}

__attribute__((target("crc"))) static inline uint32_t
cairn_crc32c_update(uint32_t state, const void *bytes, size_t count) {
  const unsigned char *p = (const unsigned char *)bytes;
  for (; count >= 8; p += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    state = __builtin_arm_crc32cd(state, word);
  }
  for (; count > 0; p++, count--) state = __builtin_arm_crc32cb(state, *p);
  return state;
}
#else
static inline int cairn_crc32c_is_supported(void) { return 0; }

static inline uint32_t cairn_crc32c_update(uint32_t state, const void *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return state;
}
#endif

#endif
