import Values

extension Tile {
  /// The path below the log's prefix, for example `tile/0/x001/x234/067.p/112`.
  package var path: String {
    var path = "tile/"
    switch content {
    case .hashes(let level): path += "\(level)/"
    case .entries: path += "entries/"
    }
    path += Tile.groups(of: index)
    return width == Tile.fullWidth ? path : path + ".p/\(width)"
  }

  /// The tile with this path, or `nil` when no tile has exactly this path.
  package init?(path: String) {
    guard path.utf8.count <= 64, path.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == "tile" else { return nil }
    let content: Content
    if parts[1] == "entries" {
      content = .entries
    } else {
      guard let level = Decimal.parse(parts[1].utf8), level <= Tile.levelMax else { return nil }
      content = .hashes(level: Int(level))
    }
    parts.removeFirst(2)
    var width = Tile.fullWidth
    if parts.count >= 2, parts[parts.count - 2].hasSuffix(".p") {
      guard let value = Decimal.parse(parts.removeLast().utf8), value < Tile.fullWidth else {
        return nil
      }
      width = Int(value)
      parts[parts.count - 1].removeLast(2)
    }
    var digits = ""
    for part in parts { digits += part.first == "x" ? part.dropFirst() : part }
    let significant = digits.utf8.drop { $0 == UInt8(ascii: "0") }
    guard let index = significant.isEmpty ? 0 : Decimal.parse(significant) else { return nil }
    self.init(content, index: index, width: width)
    // Grouping, zeros and prefixes are right exactly when writing the tile gives the path back.
    guard self.path == path else { return nil }
  }

  /// Groups of three digits, each but the last prefixed with `x`: 1234067 is `x001/x234/067`.
  private static func groups(of index: UInt64) -> String {
    var rest = index
    var text = ""
    repeat {
      let padded = String(rest % 1000, digits: 3)
      text = text.isEmpty ? padded : "x\(padded)/\(text)"
      rest /= 1000
    } while rest > 0
    return text
  }
}
