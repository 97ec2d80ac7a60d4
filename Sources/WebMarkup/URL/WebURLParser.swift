/// The basic URL parser of the URL Standard (4.4).
struct WebURLParser {
  let input: [UInt8]
  let base: WebURL?
  /// What the query is written in.
  var encoding = TextEncoding.utf8
  var url = WebURL()
  var position = 0

  init(_ text: [UInt8], base: WebURL?) {
    let start = text.firstIndex { $0 > 0x20 } ?? text.count
    let end = text.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
    input = text[start..<max(start, end)].filter { $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
    self.base = base
  }

  private var byte: UInt8? { position < input.count ? input[position] : nil }

  private func byte(after offset: Int) -> UInt8? {
    position + offset < input.count ? input[position + offset] : nil
  }

  /// A slash, or what special URLs take for one.
  private func isSlash(_ byte: UInt8?) -> Bool { byte == 0x2f || (byte == 0x5c && url.isSpecial) }

  /// Parses it all; false for failure.
  mutating func run() -> Bool {
    guard let colon = schemeEnd else { return runWithoutScheme() }
    url.scheme = String(decoding: input[..<colon].map(\.lowered), as: UTF8.self)
    position = colon + 1
    if url.scheme == "file" { return runFile() }
    if url.isSpecial {
      if let base, base.scheme == url.scheme, !(byte == 0x2f && byte(after: 1) == 0x2f) {
        return runRelative(base)
      }
      while isSlash(byte) { position += 1 }
      return runAuthority()
    }
    guard byte == 0x2f else { return runOpaque() }
    if byte(after: 1) == 0x2f {
      position += 2
      return runAuthority()
    }
    return runPath()
  }

  private var schemeEnd: Int? {
    guard let first = input.first, first.isLetter else { return nil }
    for (index, byte) in input.enumerated() {
      if byte == 0x3a { return index }
      if !byte.isLetter, !byte.isDigit, byte != 0x2b, byte != 0x2d, byte != 0x2e { return nil }
    }
    return nil
  }

  private mutating func runWithoutScheme() -> Bool {
    guard let base else { return false }
    if base.isOpaque {
      guard byte == 0x23 else { return false }
      url = base.withoutFragment
      return runEnd()
    }
    if base.scheme == "file" {
      url.scheme = "file"
      return runFile()
    }
    return runRelative(base)
  }

  private mutating func runRelative(_ base: WebURL) -> Bool {
    url.scheme = base.scheme
    if isSlash(byte) {
      if isSlash(byte(after: 1)) {
        position += 2
        if url.isSpecial { while isSlash(byte) { position += 1 } }
        return runAuthority()
      }
      (url.username, url.password, url.host, url.port) = (
        base.username, base.password, base.host, base.port
      )
      return runPath()
    }
    return runRest(base)
  }

  /// A relative path, query or fragment.
  private mutating func runRest(_ base: WebURL) -> Bool {
    url = base.withoutFragment
    if byte == nil || byte == 0x23 { return runEnd() }
    url.queryBytes = nil
    if byte == 0x3f { return runEnd() }
    shorten()
    return runPath()
  }

  private mutating func runAuthority() -> Bool {
    let end = input[position...].firstIndex {
      $0 == 0x2f || $0 == 0x3f || $0 == 0x23 || ($0 == 0x5c && url.isSpecial)
    }
    var authority = input[position..<(end ?? input.count)]
    if let at = authority.lastIndex(of: 0x40) {
      guard at + 1 < authority.endIndex else { return false }
      let user = authority[..<at]
      let colon = user.firstIndex(of: 0x3a)
      url.username = PercentEncodeSet.userinfo.encode(user[..<(colon ?? at)])
      if let colon { url.password = PercentEncodeSet.userinfo.encode(user[(colon + 1)...]) }
      authority = authority[(at + 1)...]
    }
    position = end ?? input.count
    var isInBrackets = false
    let colon = authority.firstIndex { byte in
      if byte == 0x5b { isInBrackets = true } else if byte == 0x5d { isInBrackets = false }
      return byte == 0x3a && !isInBrackets
    }
    let name = authority[..<(colon ?? authority.endIndex)]
    if name.isEmpty, url.isSpecial || colon != nil || !url.username.isEmpty || !url.password.isEmpty
    {
      return false
    }
    guard let host = WebHost.parse(Array(name), isSpecial: url.isSpecial) else { return false }
    url.host = host
    if let colon, !setPort(authority[(colon + 1)...]) { return false }
    return runPath()
  }

  private mutating func setPort(_ digits: ArraySlice<UInt8>) -> Bool {
    guard digits.allSatisfy(\.isDigit) else { return false }
    guard !digits.isEmpty else { return true }
    let port = digits.reduce(0) { min(100_000, $0 * 10 + Int($1.hexValue)) }
    guard port < 65_536 else { return false }
    url.port = port == WebURL.defaultPort(url.scheme) ? nil : port
    return true
  }

  // MARK: file

  private mutating func runFile() -> Bool {
    url.host = ""
    if isSlash(byte) {
      if isSlash(byte(after: 1)) {
        position += 2
        return runFileHost()
      }
      if let base, base.scheme == "file" {
        url.host = base.host
        if !startsWithDriveLetter(position + 1), startsWithDrive(base.pathBytes) {
          url.pathBytes = Array(base.pathBytes.prefix(3))
        }
      }
      return runPath()
    }
    guard let base, base.scheme == "file" else { return runPath() }
    if byte == nil || byte == 0x3f || byte == 0x23 || !startsWithDriveLetter(position) {
      return runRest(base)
    }
    url.host = base.host
    return runPath()
  }

  private mutating func runFileHost() -> Bool {
    let end =
      input[position...].firstIndex { $0 == 0x2f || $0 == 0x5c || $0 == 0x3f || $0 == 0x23 }
      ?? input.count
    let name = input[position..<end]
    if isDriveLetter(name) { return runPath() }
    if !name.isEmpty {
      guard let host = WebHost.parse(Array(name), isSpecial: true) else { return false }
      url.host = host == "localhost" ? "" : host
    }
    position = end
    return runPath()
  }

  private func startsWithDriveLetter(_ start: Int) -> Bool {
    guard start + 1 < input.count, isDriveLetter(input[start..<start + 2]) else { return false }
    guard start + 2 < input.count else { return true }
    return [0x2f, 0x5c, 0x3f, 0x23].contains(input[start + 2])
  }

  private func isDriveLetter(_ segment: ArraySlice<UInt8>) -> Bool {
    guard segment.count == 2, let first = segment.first, let last = segment.last else {
      return false
    }
    return first.isLetter && (last == 0x3a || last == 0x7c)
  }

  /// Whether the first segment of a path is a drive letter as the standard writes it.
  private func startsWithDrive(_ path: [UInt8]) -> Bool {
    path.count > 2 && path[1].isLetter && path[2] == 0x3a && (path.count == 3 || path[3] == 0x2f)
  }

  // MARK: path, query, fragment

  private mutating func runOpaque() -> Bool {
    url.isOpaque = true
    while let byte, byte != 0x3f, byte != 0x23 {
      let next = self.byte(after: 1)
      if byte == 0x20, next == 0x3f || next == 0x23 {
        url.pathBytes += [0x25, 0x32, 0x30]
      } else {
        PercentEncodeSet.control.append(byte, to: &url.pathBytes)
      }
      position += 1
    }
    return runEnd()
  }

  /// The path from here; it may begin with a slash.
  private mutating func runPath() -> Bool {
    if byte == nil || byte == 0x3f || byte == 0x23 {
      if url.isSpecial, url.pathBytes.isEmpty { url.pathBytes = [0x2f] }
      return runEnd()
    }
    if isSlash(byte) { position += 1 }
    while true {
      let start = position
      while let byte, byte != 0x3f, byte != 0x23, !isSlash(byte) { position += 1 }
      addSegment(input[start..<position], isLast: !isSlash(byte))
      guard isSlash(byte) else { return runEnd() }
      position += 1
    }
  }

  /// Writes a segment where it belongs: a page may have millions that are taken back at once.
  private mutating func addSegment(_ segment: ArraySlice<UInt8>, isLast: Bool) {
    switch dots(segment) {
    case 2:
      shorten()
      if isLast { url.pathBytes.append(0x2f) }
    case 1: if isLast { url.pathBytes.append(0x2f) }
    default:
      let isDrive = url.pathBytes.isEmpty && url.scheme == "file" && isDriveLetter(segment)
      url.pathBytes.append(0x2f)
      for byte in segment { PercentEncodeSet.path.append(byte, to: &url.pathBytes) }
      if isDrive { url.pathBytes[2] = 0x3a }
    }
  }

  /// 1 for `.`, 2 for `..`, percent-encoded or not; else 0.
  private func dots(_ segment: ArraySlice<UInt8>) -> Int {
    var (rest, count) = (segment, 0)
    while let first = rest.first {
      let isEncoded =
        rest.count > 2 && first == 0x25 && rest[rest.startIndex + 1] == 0x32
        && rest[rest.startIndex + 2].lowered == 0x65
      guard count < 2, first == 0x2e || isEncoded else { return 0 }
      rest = rest.dropFirst(isEncoded ? 3 : 1)
      count += 1
    }
    return count
  }

  private mutating func shorten() {
    if url.pathBytes.count == 3, url.scheme == "file", startsWithDrive(url.pathBytes) { return }
    guard let slash = url.pathBytes.lastIndex(of: 0x2f) else { return }
    url.pathBytes.removeSubrange(slash...)
  }

  private mutating func runEnd() -> Bool {
    if byte == 0x3f {
      let end = input[position...].firstIndex(of: 0x23) ?? input.count
      let set: PercentEncodeSet = url.isSpecial ? .specialQuery : .query
      let text = input[(position + 1)..<end]
      let isEncoded = url.isSpecial && !url.scheme.hasPrefix("ws")
      url.queryBytes = set.encode(isEncoded ? encoding.query(text) : Array(text))
      position = end
    }
    if byte == 0x23 {
      url.fragmentBytes = PercentEncodeSet.fragment.encode(input[(position + 1)...])
    }
    return true
  }
}
