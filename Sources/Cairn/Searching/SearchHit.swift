/// An item that a search found.
///
/// Title, attributes and snippet are read from its stored bytes when they are first asked for.
public struct SearchHit: Sendable {
  /// Place, from 1, offset included.
  public var rank: Int
  /// What it was ranked by under `relevance`; higher is better.
  public var score: Double
  /// The terms of the score, when asked for.
  public var explanation: ScoreExplanation?
  /// Whether only misspellings of the words were found in it.
  package var isMisspelt: Bool
  private let found: Item
  private let piece: LazySnippet

  init(rank: Int, _ found: Item, score: Double, isMisspelt: Bool, _ snippets: SnippetMaker) {
    self.rank = rank
    self.score = score
    self.isMisspelt = isMisspelt
    self.found = found
    piece = LazySnippet(found, snippets)
  }

  /// The item's identifier.
  public var item: String { found.id }
  /// Its domain.
  public var domain: String? { found.domain }
  /// Its title.
  public var title: String? { found.title }
  /// Its attributes.
  /// - Complexity: O(bytes) at the first call, O(1) afterwards.
  public var attributes: Attributes { found.attributes }
  /// A piece of its text around the first word found.
  /// - Complexity: O(text), of which at most 64 KiB are looked at; O(1) after the first call.
  public var snippet: String? { piece.value?.text }
  /// Where words of the query stand in the snippet, as offsets of Unicode scalars; in order.
  public var highlights: [Range<Int>] { piece.value?.highlights ?? [] }

  /// Appends those of its attributes that are named, as an object of JSON.
  /// - Throws: `corrupt` when a text is not UTF-8.
  package func appendAttributes(_ names: Set<String>, to json: inout [UInt8]) throws(CairnError) {
    let map = found.encodedAttributes
    var cursor = AttributeCursor(map, map.indices)
    var separator = UInt8(ascii: "{")
    while let (key, value) = cursor.next() {
      guard names.contains(String(decoding: map[key], as: UTF8.self)) else { continue }
      json.append(separator)
      separator = UInt8(ascii: ",")
      try PayloadJSON.appendText(map, key, to: &json)
      json.append(UInt8(ascii: ":"))
      try PayloadJSON.append(value, map, to: &json)
    }
    if separator == UInt8(ascii: "{") { json.append(separator) }
    json.append(UInt8(ascii: "}"))
  }
}

extension SearchHit: Hashable {
  /// Equality of everything, the snippets included.
  public static func == (one: SearchHit, other: SearchHit) -> Bool {
    one.rank == other.rank && one.found == other.found && one.score == other.score
      && one.explanation == other.explanation && one.isMisspelt == other.isMisspelt
      && one.snippet == other.snippet && one.highlights == other.highlights
  }

  /// Hashes the place, the item and the score.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    hasher.combine(found)
    hasher.combine(score)
  }
}
