internal import CICU

extension TextEncoding {
  /// The query of a URL that stands on a page of this encoding, as servers of such pages read it
  /// (URL Standard, "percent-encode after encoding").
  ///
  /// As it is where the encoding is not for output.
  func query(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard !name.hasPrefix("UTF-"), name != "replacement", text.contains(where: { $0 >= 0x80 })
    else { return Array(text) }
    var isKnown = false
    // What decodes GBK reads more than a page of it may write.
    let output = name == "GBK" ? "windows-936" : converter
    // SAFETY: ICU reads and writes within the counts it is given, and what it wrote is initialised.
    let result = unsafe text.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: text.count * 8 + 64) { target, count in
        let written = unsafe cairn_encode(
          output, source.baseAddress, Int64(source.count), target.baseAddress,
          Int64(target.count))
        isKnown = written >= 0
        count = max(0, Int(written))
      }
    }
    return isKnown ? result : Array(text)
  }
}
