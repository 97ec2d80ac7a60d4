package import Cairn

extension Results where Row == SearchHit {
  /// Who told of each hit, by its item.
  /// - Complexity: for each hit, O(events since its last activity), some 10 ns each.
  /// - Throws: `corrupt` and the like.
  package func sources(at moment: Moment) throws(CairnError) -> KeyOrdered<[ItemSource]> {
    var sources: [(String, [ItemSource])] = []
    for hit in rows + (groups ?? []).flatMap(\.rows) {
      sources.append((hit.item, try moment.sources(of: hit.item)))
    }
    return KeyOrdered(unordered: sources)
  }
}

extension JSONLine {
  package mutating func field(_ key: StaticString, _ sources: [ItemSource]) {
    field(key, objects: sources) { line, source in
      line.field("kind", source.kind.rawValue)
      line.field("source", optional: source.source)
      line.field("sequence", source.sequence)
      if let url = source.url { line.field("url", url) }
    }
  }
}
