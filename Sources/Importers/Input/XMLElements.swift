import CExpat
import Values

/// Elements of an XML file, one after the other (Expat).
///
/// Nothing from outside the file is read. A document that declares entities of its own is refused:
/// none of these formats needs them, and they are what bombs are made of.
@safe final class XMLElements {
  enum Step {
    case begin(String, [String: String])
    case end(String)
    case text(String)
  }

  private let parser: XML_Parser
  private var steps: [Step] = []
  private var fault: String?

  init() throws(CairnError) {
    guard let parser = unsafe XML_ParserCreate(nil) else {
      throw CairnError(.io, "there is no memory to read XML with")
    }
    unsafe self.parser = parser
    // SAFETY: the parser never outlives this object, which frees it; the callbacks get it back.
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let data = unsafe data, let name = unsafe name else { return }
        let elements = unsafe Unmanaged<XMLElements>.fromOpaque(data).takeUnretainedValue()
        unsafe elements.begin(name, attributes)
      },
      { data, name in
        guard let data = unsafe data, let name = unsafe name else { return }
        let elements = unsafe Unmanaged<XMLElements>.fromOpaque(data).takeUnretainedValue()
        unsafe elements.steps.append(.end(String(cString: name)))
      })
    unsafe XML_SetCharacterDataHandler(parser) { data, text, count in
      guard let data = unsafe data, let text = unsafe text, count > 0 else { return }
      let elements = unsafe Unmanaged<XMLElements>.fromOpaque(data).takeUnretainedValue()
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
      unsafe elements.steps.append(.text(String(decoding: bytes, as: UTF8.self)))
    }
    unsafe XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
      guard let data = unsafe data else { return }
      let elements = unsafe Unmanaged<XMLElements>.fromOpaque(data).takeUnretainedValue()
      elements.fault = "declares entities of its own, which are not read"
      unsafe XML_StopParser(elements.parser, 0)
    }
  }

  deinit { unsafe XML_ParserFree(parser) }

  private func begin(
    _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    var values: [String: String] = [:]
    // SAFETY: Expat gives names and values in turn and nil at the end, all NUL-ended.
    var next = unsafe attributes
    while let key = unsafe next?.pointee, let value = unsafe next?.advanced(by: 1).pointee {
      unsafe values[String(cString: key)] = unsafe String(cString: value)
      unsafe next = next?.advanced(by: 2)
    }
    unsafe steps.append(.begin(String(cString: name), values))
  }

  /// More than any tag or comment is long.
  ///
  /// Expat reads one that is not whole from its beginning with each piece.
  private static let tagByteCountMax = 8 << 20

  /// Gives every step of a stream.
  /// - Throws: `CairnError` where the document is not well-formed.
  func read(_ stream: ByteStream, _ body: (Step) throws(CairnError) -> Void) throws(CairnError) {
    var byteCount = 0
    while try stream.next() {
      try parse(stream.chunk, isLast: false)
      byteCount = steps.isEmpty ? byteCount + stream.chunk.count : 0
      guard byteCount <= Self.tagByteCountMax else {
        throw CairnError(.malformed, "a tag is longer than \(Self.tagByteCountMax >> 20) MiB")
      }
      for step in steps { try body(step) }
      steps.removeAll(keepingCapacity: true)
    }
    try parse([], isLast: true)
    for step in steps { try body(step) }
  }

  private func parse(_ bytes: [UInt8], isLast: Bool) throws(CairnError) {
    // SAFETY: the bytes live for the call, and Expat is told how many they are.
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count),
        isLast ? 1 : 0)
    }
    guard status == XML_STATUS_OK else {
      if let fault { throw CairnError(.malformed, fault) }
      guard unsafe XML_GetErrorCode(parser) != XML_ERROR_UNKNOWN_ENCODING else {
        throw CairnError(
          .malformed, "is in an encoding that is not read; convert the file: iconv -t UTF-8")
      }
      let line = unsafe XML_GetCurrentLineNumber(parser)
      throw CairnError(.malformed, "is not well-formed XML (line \(line))")
    }
  }
}
