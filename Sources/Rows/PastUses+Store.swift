package import Cairn
package import Importers

extension PastUses {
  /// What a store knows of the uses that some formats count, or tell in two exports.
  /// - Complexity: O(views of the store) where a format is one of these, else O(1).
  package init(of formats: [any HistoryFormat.Type], in store: Store?) throws(CairnError) {
    self.init()
    let isArchive = formats.contains { $0 == ArchivedHistories.self }
    let possible = isArchive ? HistoryFormats.all : formats
    let sources = Set(possible.filter { Self.compares($0) }.map { $0.source })
    guard let store, !sources.isEmpty else { return }
    var query = EventQuery()
    query.kind = .view
    var past = self
    try store.forEachEvent(query) { recorded in
      let event = recorded.event
      guard let source = event.source, sources.contains(source), let item = event.item else {
        return true
      }
      let time = (event.time ?? event.recorded)?.microseconds ?? 0
      past.note(
        event, source: source, item: item, application: event.attributes["application"]?.string,
        time: time)
      return true
    }
    self = past
  }
}
