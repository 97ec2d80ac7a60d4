#include "CSHA256.h"

#include <string.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// The same of the square roots of the first eight primes.
static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

int cairn_sha256_is_supported(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  // Leaf 1, ECX: bit 9 SSSE3, bit 19 SSE 4.1. Leaf 7, EBX: bit 29 the SHA instructions.
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (1u << 9)) == 0 || (c & (1u << 19)) == 0) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29)) != 0;
}

#define INSTRUCTIONS __attribute__((target("sha,sse4.1,ssse3")))
#define INLINE INSTRUCTIONS static inline __attribute__((always_inline))

// The state as the instructions want it, highest word first.
struct registers {
  __m128i abef, cdgh;
  __m128i words[4];
};

INLINE struct registers registers_of(const uint32_t state[8]) {
  struct registers r;
  const __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  const __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  r.abef = _mm_alignr_epi8(low, high, 8);
  r.cdgh = _mm_blend_epi16(high, low, 0xf0);
  return r;
}

INLINE void store_registers(const struct registers *r, uint32_t state[8]) {
  const __m128i low = _mm_shuffle_epi32(r->abef, 0x1b);
  const __m128i high = _mm_shuffle_epi32(r->cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

INLINE void load_block(struct registers *r, const unsigned char *bytes) {
  // Words are big-endian.
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll);
  for (int i = 0; i < 4; i++) {
    r->words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), order);
  }
}

// Rounds 4 · i to 4 · i + 3.
INLINE void four_rounds(struct registers *r, int i) {
  __m128i *words = r->words;
  const __m128i now = words[i & 3], newest = words[(i + 3) & 3];
  const __m128i sum = _mm_add_epi32(now, _mm_load_si128((const __m128i *)(constants + 4 * i)));
  r->cdgh = _mm_sha256rnds2_epu32(r->cdgh, r->abef, sum);
  r->abef = _mm_sha256rnds2_epu32(r->abef, r->cdgh, _mm_shuffle_epi32(sum, 0x0e));
  // The four words of four rounds later but twelve.
  if (i < 12) {
    const __m128i between = _mm_alignr_epi8(newest, words[(i + 2) & 3], 4);
    const __m128i mixed = _mm_sha256msg1_epu32(now, words[(i + 1) & 3]);
    words[i & 3] = _mm_sha256msg2_epu32(_mm_add_epi32(mixed, between), newest);
  }
}

INSTRUCTIONS static void
compress(uint32_t state[8], const unsigned char *bytes, size_t block_count) {
  struct registers r = registers_of(state);
  for (; block_count > 0; block_count--, bytes += 64) {
    const __m128i abef = r.abef, cdgh = r.cdgh;
    load_block(&r, bytes);
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) four_rounds(&r, i);
    r.abef = _mm_add_epi32(r.abef, abef);
    r.cdgh = _mm_add_epi32(r.cdgh, cdgh);
  }
  store_registers(&r, state);
}

static void write_digest(const uint32_t state[8], unsigned char *digest) {
  for (int i = 0; i < 8; i++) {
    const uint32_t word = __builtin_bswap32(state[i]);
    memcpy(digest + 4 * i, &word, 4);
  }
}

void cairn_sha256_begin(struct cairn_sha256 *hash) {
  memcpy(hash->state, initial, sizeof initial);
  hash->byte_count = 0;
}

void cairn_sha256_add(struct cairn_sha256 *hash, const void *bytes, size_t count) {
  const unsigned char *from = bytes;
  const size_t used = hash->byte_count % 64;
  hash->byte_count += count;
  if (used > 0) {
    const size_t room = 64 - used;
    if (count < room) {
      if (count > 0) memcpy(hash->block + used, from, count);
      return;
    }
    memcpy(hash->block + used, from, room);
    compress(hash->state, hash->block, 1);
    from += room;
    count -= room;
  }
  if (count >= 64) compress(hash->state, from, count / 64);
  if (count % 64 > 0) memcpy(hash->block, from + count / 64 * 64, count % 64);
}

void cairn_sha256_finish(struct cairn_sha256 *hash, void *digest) {
  size_t used = hash->byte_count % 64;
  hash->block[used++] = 0x80;
  if (used > 56) {
    memset(hash->block + used, 0, 64 - used);
    compress(hash->state, hash->block, 1);
    used = 0;
  }
  memset(hash->block + used, 0, 56 - used);
  const uint64_t bit_count = __builtin_bswap64(hash->byte_count * 8);
  memcpy(hash->block + 56, &bit_count, 8);
  compress(hash->state, hash->block, 1);
  write_digest(hash->state, digest);
}

#else

// Elsewhere MessageHash goes to swift-crypto, which is right everywhere and allocates for each
// message. ARM64 has such instructions too; nobody has measured or run code for them here yet.

int cairn_sha256_is_supported(void) { return 0; }

void cairn_sha256_begin(struct cairn_sha256 *hash) {
  (void)hash;
  __builtin_trap();
}

void cairn_sha256_add(struct cairn_sha256 *hash, const void *bytes, size_t count) {
  (void)hash;
  (void)bytes;
  (void)count;
  __builtin_trap();
}

void cairn_sha256_finish(struct cairn_sha256 *hash, void *digest) {
  (void)hash;
  (void)digest;
  __builtin_trap();
}

#endif
