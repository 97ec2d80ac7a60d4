/// The parts of an address as Python's `urlparse` cuts it, for aw-core's `split_url_events`.
///
/// Where `urlparse` raises (brackets that do not match) the address is cut as if they were any
/// other character, so that one odd page does not cost the whole answer.
struct AddressParts: Equatable {
  var scheme = ""
  var location = ""
  var path = ""
  var parameters = ""
  var query = ""
  var fragment = ""

  /// Schemes whose last path part may have parameters.
  private static let withParameters: Set<String> = [
    "", "ftp", "hdl", "prospero", "http", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip",
    "sips", "mms", "sftp", "tel",
  ]

  init(_ address: String) {
    var rest = ArraySlice(address.unicodeScalars).drop { $0.value <= 0x20 }
    rest = rest.filter { $0 != "\t" && $0 != "\r" && $0 != "\n" }[...]
    if let colon = rest.firstIndex(of: ":"), let first = rest.first, first.isASCIILetter,
      rest[..<colon].allSatisfy(\.isSchemeCharacter)
    {
      scheme = rest[..<colon].string.lowercased()
      rest = rest[(colon + 1)...]
    }
    if rest.starts(with: ArraySlice("//".unicodeScalars)) {
      let behind = rest.dropFirst(2)
      let end = behind.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? behind.endIndex
      location = behind[..<end].string
      rest = behind[end...]
    }
    (rest, fragment) = Self.cut(rest, at: "#")
    (rest, query) = Self.cut(rest, at: "?")
    if Self.withParameters.contains(scheme) {
      let last = rest.lastIndex(of: "/") ?? rest.startIndex
      if let semicolon = rest[last...].firstIndex(of: ";") {
        parameters = rest[(semicolon + 1)...].string
        rest = rest[..<semicolon]
      }
    }
    path = rest.string
  }

  private static func cut(_ text: QueryText, at mark: Unicode.Scalar) -> (QueryText, String) {
    guard let place = text.firstIndex(of: mark) else { return (text, "") }
    return (text[..<place], text[(place + 1)...].string)
  }

  /// The host without `www.`; the scheme where there is none, so that local files are not one
  /// heap with everything else.
  var domain: String {
    if location.isEmpty { return scheme }
    return location.hasPrefix("www.") ? String(location.dropFirst(4)) : location
  }

  /// Adds the parts of its `url` to each event that has one.
  static func split(_ events: [QueryEvent], _ memory: QueryMemory) throws(QueryFailure)
    -> [QueryEvent]
  {
    for event in events {
      guard let value = event.data["url"] else { continue }
      guard case .text(let address) = value else {
        throw .function("The url of an event is no text.")
      }
      let parts = AddressParts(address)
      try event.set(
        [
          ("$protocol", .text(parts.scheme)), ("$domain", .text(parts.domain)),
          ("$path", .text(parts.path)), ("$params", .text(parts.parameters)),
          ("$options", .text(parts.query)), ("$identifier", .text(parts.fragment)),
        ], memory)
    }
    return events
  }
}

extension Unicode.Scalar {
  fileprivate var isASCIILetter: Bool { properties.isAlphabetic && isASCII }

  fileprivate var isSchemeCharacter: Bool {
    isASCIILetter || ("0"..."9").contains(self) || self == "+" || self == "-" || self == "."
  }
}
