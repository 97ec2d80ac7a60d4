internal import CSHA256
import Crypto

/// SHA-256 of many short messages, two of them at a time.
///
/// Each round of the hash waits for the one before it. The processor's instructions have time for the
/// rounds of another message meanwhile, so that two take little longer than one.
package struct MessageBatch: ~Copyable {
  private static let blockByteCount = 64

  /// The messages, each padded to whole blocks (FIPS 180-4 §5.1.1), and the one that is begun; what
  /// lies behind `used` is room.
  private var bytes: [UInt8]
  private var used = 0
  private var start = 0
  /// Where each message ends, in blocks, and its bytes without the padding.
  private var ends: [UInt32] = []
  private var byteCounts: [Int] = []
  private let usesLibrary: Bool

  /// A batch without messages.
  ///
  /// - Parameter usesLibrary: Whether swift-crypto hashes them whatever the processor can do.
  package init(usesLibrary: Bool = false) {
    bytes = Array(repeating: 0, count: 4_096)
    self.usesLibrary = usesLibrary || !MessageHash.isNative
  }

  /// Forgets all messages and keeps the room.
  package mutating func removeAll() {
    used = 0
    start = 0
    ends.removeAll(keepingCapacity: true)
    byteCounts.removeAll(keepingCapacity: true)
  }

  /// Adds one byte to the message that is begun.
  package mutating func add(_ byte: UInt8) {
    makeRoom(1)
    bytes[used] = byte
    used += 1
  }

  /// Adds bytes to the message that is begun.
  ///
  /// - Complexity: O(n).
  package mutating func add(_ span: RawSpan) {
    // SAFETY: the bytes are borrowed for the time of the call.
    unsafe span.withUnsafeBytes { unsafe add($0) }
  }

  /// Adds the 32 bytes of a hash to the message that is begun.
  package mutating func add(_ hash: Hash32) {
    // SAFETY: as above.
    unsafe withUnsafeBytes(of: hash.words) { unsafe add($0) }
  }

  /// Adds a block to the message that is begun: the key and zeros behind it, each byte xor the pad
  /// (RFC 2104 §2).
  package mutating func add(key: Hash32, pad: UInt8) {
    // SAFETY: as above.
    unsafe withUnsafeBytes(of: MessageHash.block(key, pad)) { unsafe add($0) }
  }

  /// Ends the message that is begun; what is added next begins another.
  package mutating func endMessage() {
    let byteCount = used - start
    // A one bit and the length behind zeros, in as many blocks as that takes.
    let end = start + (byteCount + 1 + 8 + 63) / Self.blockByteCount * Self.blockByteCount
    makeRoom(end - used)
    let used = used
    unsafe bytes.withUnsafeMutableBytes { bytes in
      // SAFETY: the line above made room up to the end, and the padding has nine bytes or more.
      unsafe bytes[used] = 0x80
      let zeros = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[used + 1..<end - 8])
      unsafe zeros.initializeMemory(as: UInt8.self, repeating: 0)
      let bitCount = UInt64(byteCount) &* 8
      unsafe bytes.storeBytes(of: bitCount.bigEndian, toByteOffset: end - 8, as: UInt64.self)
    }
    self.used = end
    start = end
    ends.append(UInt32(end / Self.blockByteCount))
    byteCounts.append(byteCount)
  }

  /// Replaces `hashes` by those of all messages that were ended, in their order.
  ///
  /// - Complexity: O(bytes).
  package func hash(into hashes: inout [Hash32]) {
    hashes.removeAll(keepingCapacity: true)
    guard !usesLibrary else {
      var start = 0
      for (index, count) in byteCounts.enumerated() {
        hashes.append(MessageHash.hash(SHA256.hash(data: bytes[start..<start + count])))
        start = Int(ends[index]) * Self.blockByteCount
      }
      return
    }
    hashes.append(contentsOf: repeatElement(Hash32(words: (0, 0, 0, 0)), count: ends.count))
    unsafe hashes.withUnsafeMutableBytes { digests in
      // SAFETY: reads the blocks up to the last end, which all were written, and writes 32 bytes for
      // each message, as many as a hash has.
      unsafe cairn_sha256_many(bytes, ends, ends.count, digests.baseAddress)
    }
  }

  private mutating func add(_ source: UnsafeRawBufferPointer) {
    makeRoom(source.count)
    let used = used
    unsafe bytes.withUnsafeMutableBytes { bytes in
      // SAFETY: the line above made room for the bytes.
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[used...]).copyMemory(from: source)
    }
    self.used += source.count
  }

  private mutating func makeRoom(_ byteCount: Int) {
    guard bytes.count - used < byteCount else { return }
    let room = max(bytes.count, used + byteCount - bytes.count)
    bytes.append(contentsOf: repeatElement(0, count: room))
  }
}

extension HashTree {
  /// The hashes of all nodes over pairs of hashes, see ``node(_:_:)``: half as many.
  ///
  /// - Parameters:
  ///   - hashes: An even number of them.
  ///   - batch: Room for the messages.
  /// - Complexity: one SHA-256 of 65 bytes for each pair, two at a time.
  package static func makeParents(of hashes: inout [Hash32], _ batch: inout MessageBatch) {
    precondition(hashes.count % 2 == 0, "every node has two halves")
    batch.removeAll()
    for index in stride(from: 0, to: hashes.count, by: 2) {
      batch.add(0x01)
      batch.add(hashes[index])
      batch.add(hashes[index + 1])
      batch.endMessage()
    }
    batch.hash(into: &hashes)
  }

  /// Adds a log entry to a batch, whose hash is then the leaf's, see ``leaf(_:)-(RawSpan)``.
  package static func addLeaf(_ entry: RawSpan, to batch: inout MessageBatch) {
    batch.add(0x00)
    batch.add(entry)
    batch.endMessage()
  }
}
