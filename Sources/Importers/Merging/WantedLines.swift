package import Events

/// Which events of files of events are wanted, by the choices that hold for every import.
///
/// A use without a domain counts to the domain that its item was given before in these files, of
/// which it holds each wanted item while `--only` is asked for.
package struct WantedLines {
  private let options: ImportOptions
  private var items: Set<[UInt8]> = []
  /// Why events were left out, and how many.
  package private(set) var skipped: [String: Int] = [:]

  package init(_ options: ImportOptions) { self.options = options }

  /// Whether an event is wanted; what is not is counted.
  /// - Complexity: O(1) where everything is wanted, else O(bytes).
  /// - Throws: `corrupt` for a payload that no parser made.
  package mutating func takes(_ event: EncodedEvent) throws(CairnError) -> Bool {
    guard options.leavesOut else { return true }
    let layout = try EventLayout(event.payload)
    let item = layout.item.map { Array(event.payload[$0]) } ?? []
    let shown = layout.shown.map { Self.texts(event.payload, $0) } ?? []
    let time = (event.time ?? event.recorded)?.microseconds
    let text = String(decoding: item, as: UTF8.self)
    let isInside = options.domains.isEmpty || isInside(event, layout, item)
    var reason = options.refusal(before: time) ?? (isInside ? nil : ImportOptions.outside)
    for item in [text] + shown where reason == nil { reason = options.refusal(of: item) }
    guard let reason else { return true }
    skipped[reason, default: 0] += 1
    return false
  }

  private mutating func isInside(_ event: EncodedEvent, _ layout: EventLayout, _ item: [UInt8])
    -> Bool
  {
    switch layout.domain {
    case .value(let range):
      let domain = String(decoding: event.payload[range], as: UTF8.self)
      let isInside = options.refusal(outside: domain) == nil
      if isInside { items.insert(item) } else { items.remove(item) }
      return isInside
    case .absent where event.kind != .index: return items.contains(item)
    case .absent, .cleared:
      items.remove(item)
      return false
    }
  }

  private static func texts(_ payload: [UInt8], _ range: Range<Int>) -> [String] {
    var elements = ElementCursor(payload, range)
    var texts: [String] = []
    while let element = elements.next() {
      if case .string(let range) = element {
        texts.append(String(decoding: payload[range], as: UTF8.self))
      }
    }
    return texts
  }
}
