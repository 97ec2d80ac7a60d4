package import Values

/// Unpacks gzip, deflate and xz, a piece at a time.
package final class Unpacker {
  package enum Form { case gzip, deflate, xz }

  /// Whether the last member of the file has ended.
  package private(set) var isComplete = false
  /// Whether something else than padding follows the last member.
  package private(set) var hasRest = false
  private let form: Form
  private let codec: any Codec
  private var input: [UInt8] = []
  private var consumed = 0
  /// Whether the last piece had no room for all that was unpacked.
  private var isFull = false

  private static let pieceByteCount = 1 << 17

  /// Begins with the first member.
  package init(_ form: Form) throws(CairnError) {
    self.form = form
    codec = form == .xz ? try XZCodec() : try ZlibCodec(hasHeader: form == .gzip)
  }

  /// The form of a file that begins so; nil for none that stands alone.
  package static func form(of beginning: [UInt8]) -> Form? {
    if beginning.starts(with: [0x1F, 0x8B]) { return .gzip }
    return beginning.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) ? .xz : nil
  }

  /// Takes the next packed bytes; those before are used up by then.
  package func feed(_ bytes: [UInt8]) {
    input = bytes
    consumed = 0
  }

  /// Whether more may come without more packed bytes.
  package var hasMore: Bool { consumed < input.count || isFull }

  /// Unpacks the next piece; false when more packed bytes are needed.
  package func next(into output: inout [UInt8]) throws(CairnError) -> Bool {
    while hasMore {
      if isComplete {
        // Padding, which may stand before another member (xz-file-format §2.2).
        while consumed < input.count, input[consumed] == 0 { consumed += 1 }
        guard consumed < input.count else { return false }
        guard !hasRest, beginsAnother else {
          hasRest = true
          consumed = input.count
          return false
        }
        try codec.restart()
        isComplete = false
      }
      var piece = [UInt8](repeating: 0, count: Self.pieceByteCount)
      let step = try codec.unpack(&input, from: consumed, into: &piece)
      consumed += step.used
      isComplete = step.isEnd
      isFull = step.made == piece.count && !isComplete
      if step.made > 0 {
        piece.removeLast(piece.count - step.made)
        output = piece
        return true
      }
      if step.needsMore { break }
    }
    return false
  }

  /// Whether the file goes on: it may be several in a row.
  private var beginsAnother: Bool {
    switch form {
    case .gzip: input[consumed] == 0x1F
    case .xz: input[consumed] == 0xFD
    case .deflate: false
    }
  }
}

/// One library's way to unpack.
protocol Codec: AnyObject {
  /// Begins with another member.
  func restart() throws(CairnError)
  /// Unpacks what fits a piece.
  /// - Throws: `malformed` where what is packed is damaged or takes too much memory.
  func unpack(_ input: inout [UInt8], from start: Int, into piece: inout [UInt8])
    throws(CairnError) -> CodecStep
}

/// What one call of a library did.
struct CodecStep {
  /// Packed bytes that were used up.
  var used: Int
  /// Bytes that were unpacked.
  var made: Int
  var isEnd: Bool
  /// Whether nothing can be done without more packed bytes.
  var needsMore: Bool
}
