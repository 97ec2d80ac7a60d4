/// FNV-1a over 64 bits, for cut words and table fingerprints: stable for ever, not secret.
struct TermHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
}
