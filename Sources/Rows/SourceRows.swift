package import Cairn

extension JSONLine {
  /// Who told of an item.
  package mutating func field(_ key: StaticString, _ sources: [ItemSource]) {
    field(key, objects: sources) { line, source in
      line.field("kind", source.kind.rawValue)
      line.field("source", optional: source.source)
      line.field("sequence", source.sequence)
      if let url = source.url { line.field("url", url) }
    }
  }
}
