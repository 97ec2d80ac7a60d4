import EventLog
import Projections
import TextIndex

enum TextChanges {
  /// Without fields the index must have been given them ahead.
  static func of(
    _ changes: [ContentChange], _ events: [StoredEvent], _ layouts: [EventLayout],
    _ lens: SchemaLens?, withFields: Bool
  ) -> [TextIndex.Change] {
    var result: [TextIndex.Change] = []
    result.reserveCapacity(changes.count)
    for change in changes {
      let itemKey = (change.itemKey.low, change.itemKey.high)
      let text: (fields: [TextIndex.Field], bytes: [UInt8])
      switch change.content {
      case .removed:
        result.append(.remove(item: change.item, itemKey: itemKey, sequence: change.sequence))
        continue
      case .replaced(let index):
        text =
          withFields
          ? shownFields(events[index].payload, layouts[index].attributes, change.domain, lens)
          : (fields: [], bytes: [])
      case .merged(let attributes), .until(let attributes, _):
        text = shownFields(attributes, attributes.indices, change.domain, lens)
      }
      result.append(
        .put(
          item: change.item, itemKey: itemKey, sequence: change.sequence, fields: text.fields,
          buffer: text.bytes))
    }
    return result
  }

  /// The searched texts of what is shown of a map of attributes, and the bytes they stand in.
  ///
  /// An event without a map has texts as well: those that a schema gives by default.
  static func shownFields(
    _ payload: [UInt8], _ range: Range<Int>?, _ domain: [UInt8]?, _ lens: SchemaLens?
  ) -> (fields: [TextIndex.Field], bytes: [UInt8]) {
    guard let lens else { return (range.map { fields(payload, $0, nil) } ?? [], payload) }
    let made =
      range.map { $0 == payload.indices ? payload : Array(payload[$0]) } ?? AttributeMap.empty
    // A map that was decoded for its shape decodes again.
    let shown = (try? lens.shown(made, domain: domain)) ?? made
    return (fields(shown, shown.indices, lens.effective(domain)), shown)
  }

  /// The searched texts of an encoded attribute map: strings and strings in arrays.
  private static func fields(
    _ payload: [UInt8], _ range: Range<Int>, _ schema: EffectiveSchema?
  ) -> [TextIndex.Field] {
    var fields: [TextIndex.Field] = []
    var cursor = AttributeCursor(payload, range)
    while let (key, value) = cursor.next() {
      guard let (kind, weight) = place(payload, key, schema) else { continue }
      func add(_ text: Range<Int>) {
        fields.append(TextIndex.Field(kind: kind, bytes: text, weight: weight))
      }
      switch value {
      case .string(let text): add(text)
      case .array(let elements):
        var elements = ElementCursor(payload, elements)
        while let element = elements.next() {
          if case .string(let text) = element { add(text) }
        }
      default: break
      }
    }
    return fields
  }

  /// Where an attribute's text counts, and how many times as much as others there: as built in or,
  /// for a declared one, as declared.
  private static func place(_ payload: [UInt8], _ key: Range<Int>, _ schema: EffectiveSchema?)
    -> (kind: TextIndex.FieldKind, weight: Float)?
  {
    let builtIn = SearchField.of(payload, key).flatMap {
      TextIndex.FieldKind(rawValue: $0.rawValue)
    }
    guard let schema, !schema.attributes.isEmpty else { return builtIn.map { ($0, 1) } }
    let name = String(decoding: payload[key], as: UTF8.self)
    guard let declared = schema.attributes[name] else { return builtIn.map { ($0, 1) } }
    guard declared.isSearched(as: name) else { return nil }
    let kind = builtIn ?? (declared.type == .keyword ? .keywords : .description)
    // The least weights that a schema may have are none as a float.
    return (kind, max(Float(declared.weight), .leastNormalMagnitude))
  }
}
