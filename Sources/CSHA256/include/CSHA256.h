#ifndef CAIRN_CSHA256_H
#define CAIRN_CSHA256_H

#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) by the processor's own instructions, for messages of some hundred bytes.

/// A message that is being hashed.
struct cairn_sha256 {
  uint32_t state[8];
  /// Bytes so far; those that do not fill a block yet are in `block`.
  uint64_t byte_count;
  unsigned char block[64];
};

/// Whether this processor has the instructions; nothing else here may be called when not.
int cairn_sha256_is_supported(void);

void cairn_sha256_begin(struct cairn_sha256 *hash);
void cairn_sha256_add(struct cairn_sha256 *hash, const void *bytes, size_t count);
/// Writes 32 bytes. The message is of no use afterwards.
void cairn_sha256_finish(struct cairn_sha256 *hash, void *digest);

#endif
