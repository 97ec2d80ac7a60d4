/// Text that is put together with runs of white space as one space, and none at its ends.
struct CollapsedText {
  private(set) var bytes: [UInt8] = []
  private(set) var isCut = false
  private var isSpace = false
  private let limit: Int

  /// Takes so many bytes, and no text behind them.
  init(limit: Int = .max) { self.limit = limit }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  mutating func appendSpace() { isSpace = true }

  mutating func append(_ text: some Sequence<UInt8>) {
    for byte in text {
      guard !byte.isSpace else {
        isSpace = true
        continue
      }
      guard bytes.count < limit else {
        isCut = true
        return
      }
      if isSpace, !bytes.isEmpty { bytes.append(0x20) }
      isSpace = false
      bytes.append(byte)
    }
  }
}

extension String {
  /// Without white space at the ends, runs of it as one space.
  var collapsedSpace: String {
    var text = CollapsedText()
    text.append(utf8)
    return text.string
  }
}

extension Sequence where Element == String {
  /// Each text once, in order.
  var distinct: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
