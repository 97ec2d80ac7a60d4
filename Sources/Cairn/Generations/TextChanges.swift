import EventLog
import Events
import LMDB
import Projections
import TextIndex

/// Turns changes of content into changes of the text index.
enum TextChanges {
  /// Without fields the index must have been given them ahead.
  static func of(
    _ changes: [ContentChange], _ events: [StoredEvent], _ layouts: [EventLayout],
    withFields: Bool
  ) -> [TextIndex.Change] {
    var result: [TextIndex.Change] = []
    result.reserveCapacity(changes.count)
    for change in changes {
      let itemKey = (change.itemKey.low, change.itemKey.high)
      switch change.content {
      case .removed:
        result.append(.remove(item: change.item, itemKey: itemKey, sequence: change.sequence))
      case .replaced(let index):
        let payload = events[index].payload
        let attributes = withFields ? layouts[index].attributes : nil
        let fields = attributes.map { Self.fields(payload, $0) } ?? []
        result.append(
          .put(
            item: change.item, itemKey: itemKey, sequence: change.sequence, fields: fields,
            buffer: payload))
      case .merged(let attributes):
        result.append(
          .put(
            item: change.item, itemKey: itemKey, sequence: change.sequence,
            fields: fields(attributes, attributes.indices), buffer: attributes))
      }
    }
    return result
  }

  /// The searched texts of an encoded attribute map: strings and strings in arrays.
  static func fields(_ payload: [UInt8], _ range: Range<Int>) -> [TextIndex.Field] {
    var fields: [TextIndex.Field] = []
    var cursor = AttributeCursor(payload, range)
    while let (key, value) = cursor.next() {
      guard let field = SearchField.of(payload, key),
        let kind = TextIndex.FieldKind(rawValue: field.rawValue)
      else { continue }
      switch value {
      case .string(let text): fields.append(TextIndex.Field(kind: kind, bytes: text))
      case .array(let elements):
        var elements = ElementCursor(payload, elements)
        while let element = elements.next() {
          if case .string(let text) = element {
            fields.append(TextIndex.Field(kind: kind, bytes: text))
          }
        }
      default: break
      }
    }
    return fields
  }
}
