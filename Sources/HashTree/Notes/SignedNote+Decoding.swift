extension SignedNote {
  /// Reads a note; its signatures are not checked yet.
  /// - Throws: `CairnError` `.malformed`.
  /// - Complexity: O(n); notes above 1 MiB or 100 signatures are refused.
  package init(encoded bytes: [UInt8]) throws(CairnError) {
    guard bytes.count <= Limits.noteByteCountMax else {
      throw CairnError(.malformed, "a note has at most \(Limits.noteByteCountMax) bytes")
    }
    guard SignedNote.isPlain(bytes), String(validating: bytes, as: UTF8.self) != nil else {
      throw CairnError(.malformed, "a note is UTF-8 without control characters")
    }
    guard let end = SignedNote.lastEmptyLine(in: bytes), bytes.last == 0x0A else {
      throw CairnError(.malformed, "a note ends in an empty line and lines of signatures")
    }
    let lines = bytes[(end + 1)..<(bytes.count - 1)].split(
      separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count <= Limits.signatureCountMax else {
      throw CairnError(.malformed, "a note has at most \(Limits.signatureCountMax) signatures")
    }
    var signatures: [Signature] = []
    for line in lines {
      guard let signature = Signature(line: line) else {
        throw CairnError(.malformed, "a signature line is a dash, a name and base64")
      }
      signatures.append(signature)
    }
    self.init(text: String(decoding: bytes[..<end], as: UTF8.self), signatures: signatures)
  }

  /// Reads a note; its signatures are not checked yet.
  /// - Throws: `CairnError` `.malformed`.
  package init(encoded text: String) throws(CairnError) { try self.init(encoded: Array(text.utf8)) }

  /// Where the line feed of the last empty line is, when something precedes and follows it.
  private static func lastEmptyLine(in bytes: [UInt8]) -> Int? {
    var position = bytes.count - 2
    while position > 0 {
      if bytes[position] == 0x0A, bytes[position - 1] == 0x0A { return position }
      position -= 1
    }
    return nil
  }
}

extension SignedNote.Signature {
  init?(line: ArraySlice<UInt8>) {
    let dash = Array("\u{2014} ".utf8)
    guard line.starts(with: dash) else { return nil }
    let rest = line.dropFirst(dash.count)
    guard let space = rest.firstIndex(of: 0x20), let blob = Base64.decode(rest[(space + 1)...]),
      blob.count >= 5
    else { return nil }
    let name = String(decoding: rest[..<space], as: UTF8.self)
    guard KeyName.isValid(name) else { return nil }
    self.init(
      name: name, keyID: blob.rawSpan.loadBigEndian32(at: 0), bytes: Array(blob.dropFirst(4)))
  }
}
