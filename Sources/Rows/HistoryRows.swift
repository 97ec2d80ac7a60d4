package import Cairn

extension JSONLine {
  package mutating func fields(of item: Item, _ life: ItemLife) {
    fields(of: item)
    field("firstSeen", optional: life.firstSeen)
    field("lastViewed", optional: life.lastViewed)
    field("views", life.viewCount)
    field("events", life.eventCount)
  }

  package mutating func fields(of suggestion: Suggestion) {
    field("text", suggestion.text)
    field("kind", suggestion.kind.rawValue)
    field("score", suggestion.score)
  }

  package mutating func fields(of bucket: TimelineBucket) {
    field("start", bucket.start.rfc3339)
    field("events", bucket.eventCount)
    field("kinds", json: Self.counts(bucket.kinds.map { ($0, $1) }))
  }

  package mutating func fields(of snapshot: NamedSnapshot) {
    field("name", snapshot.name)
    field("sequence", snapshot.sequence)
    field("recorded", optional: snapshot.recorded)
    field("rootHash", snapshot.rootHash.base64)
    field("items", snapshot.itemCount)
    field("created", snapshot.created.rfc3339)
  }

  package mutating func fields(of stub: ErasedEvent) {
    field("sequence", stub.sequence)
    field("erased", true)
    field("purge", stub.purge)
    field("hash", stub.leafHash.base64)
  }

  /// The fields of how an item differs between two points.
  package mutating func fields(of change: ItemChange) {
    field("item", change.item)
    field("change", change.kind.rawValue)
    field("fields", json: Self.fields(change.fields))
  }

  static func fields(_ fields: [ItemChange.Field]) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONText.appendObject(fields.lazy.map { ($0.name, [$0.old, $0.new]) }, to: &bytes) {
      JSONText.appendArray($0, to: &$1) { JSONValue($0 ?? .null).append(to: &$1) }
    }
    return bytes
  }
}
