import Synchronization

/// A canonical map of attributes, decoded when it is first asked for and at most once.
final class EncodedAttributes: Sendable {
  let bytes: [UInt8]
  private let decoded = Mutex<Attributes?>(nil)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var attributes: Attributes {
    decoded.withLock { decoded in
      if let decoded { return decoded }
      // The catalog checks the map before it gives it out.
      let attributes = (try? Attributes(encoded: bytes, bytes.indices)) ?? [:]
      decoded = attributes
      return attributes
    }
  }
}
