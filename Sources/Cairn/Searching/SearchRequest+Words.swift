import Values

extension SearchRequest {
  /// The text as it is looked for: addresses as the words that pages are found by.
  ///
  /// Pages are indexed with their host and their decoded path (`PageVisit`), so of an address that
  /// is pasted the scheme, the user, the port and percent signs say nothing. With other words of a
  /// phrase beside it an address is part of a text, and stands there as it was written.
  /// - Complexity: O(bytes of the text).
  var words: String {
    // Bytes first: to look for characters takes a hundred times as long.
    guard
      text.utf8.contains(UInt8(ascii: "%"))
        || text.utf8.contains(UInt8(ascii: ":")) && text.contains("://")
    else { return text }
    let pieces = text.split(omittingEmptySubsequences: false) { "\"“”„‟".contains($0) }
    return pieces.enumerated().map { (number, piece) in
      let isPhrase = mode == .phrase || number % 2 == 1
      if isPhrase, piece.split(separator: " ").count > 1 { return String(piece) }
      return piece.split(separator: " ", omittingEmptySubsequences: false)
        .map { Self.words(of: $0) }.joined(separator: " ")
    }.joined(separator: "\"")
  }

  private static func words(of word: Substring) -> String {
    guard let scheme = word.firstRange(of: "://"), !scheme.isEmpty,
      word.unicodeScalars.first?.properties.isAlphabetic == true
    else { return decoded(word) }
    let rest = word[scheme.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    var host = rest[..<end]
    if let user = host.lastIndex(of: "@") { host = host[host.index(after: user)...] }
    if let port = host.lastIndex(of: ":"), host[port...].dropFirst().allSatisfy(\.isNumber) {
      host = host[..<port]
    }
    return String(host) + decoded(rest[end...])
  }

  /// A quote that is encoded is no mark of a phrase.
  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decode(String(text).replacing("%22", with: "%20"))
  }
}
