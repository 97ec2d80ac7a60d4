package import Cairn

extension JSONLine {
  /// The fields of what a store holds.
  package mutating func fields(of statistics: Statistics) {
    field("head", statistics.head)
    field("recorded", optional: statistics.recorded)
    field("items", statistics.itemCount)
    field("events", statistics.eventCount)
    field("kinds", json: Self.counts(statistics.kinds))
    field("domains", json: Self.counts(statistics.domains))
    field("bytes", statistics.byteCount)
    field(
      "projections",
      json: Self.array(statistics.projections) { line, projection in
        line.field("name", projection.name)
        line.field("sequence", projection.sequence)
        line.field("lag", projection.lag)
        line.field("digest", optional: projection.digest)
      })
  }

  /// An object of counts, names in byte order.
  package static func counts(_ counts: [String: Int]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (index, name) in inByteOrder(counts).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(name, to: &bytes)
      bytes.append(contentsOf: ":\(counts[name] ?? 0)".utf8)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Names in the order in which they are listed.
  package static func inByteOrder(_ counts: [String: Int]) -> [String] {
    counts.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
