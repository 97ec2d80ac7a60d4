import Cairn

extension WriterOptions {
  /// Appends events and writes them as stored.
  ///
  /// What only takes away makes no store where there is none: its name is a slip.
  func record(_ events: [Event], makesStore: Bool = true) throws(Failure) {
    let store = try makesStore ? open() : openExisting()
    defer { store.close() }
    try store.record(events, json: options.json)
  }

  /// Appends a change that is made of what its item is, and writes it as stored.
  ///
  /// Nobody writes in between: what others change meanwhile would be lost.
  /// - Returns: False where the item is not there.
  func record(
    _ change: Event, about item: String,
    _ complete: (inout Event, Item, Store) throws(CairnError) -> Void
  ) throws(Failure) -> Bool {
    let store = try openExisting()
    defer { store.close() }
    let stored = try answering(
      store.withWriterLock { () throws(CairnError) -> RecordedEvent? in
        guard let found = try store.at().item(item) else { return nil }
        var event = change
        try complete(&event, found, store)
        return try store.appendBlocking(event)
      })
    guard let stored else { return false }
    var output = Output()
    try EventRow(json: options.json).write(stored, to: &output)
    store.warnOfProjections()
    try output.flush()
    return true
  }
}

extension Store {
  /// Appends events and writes them as stored.
  fileprivate func record(_ events: [Event], json: Bool) throws(Failure) {
    var output = Output()
    let row = EventRow(json: json)
    for event in events {
      let stored = try answering(appendBlocking(event))
      try row.write(stored, to: &output)
    }
    try tellOfMissingItems(events)
    tellOfUntitledItems(events)
    warnOfProjections()
    try output.flush()
  }

  /// Tells people at a terminal of uses of what is no item, by a slip most likely.
  private func tellOfMissingItems(_ events: [Event]) throws(Failure) {
    guard Terminal.errorsAreTerminal else { return }
    let uses = events.filter { [.view, .select, .impression].contains($0.kind) }
    for name in Set(uses.compactMap(\.item)).sorted() {
      let item = try answering(at().item(name))
      guard item == nil else { continue }
      let was = try answering(self.events(EventQuery(item: name)).map(\.event.kind))
      let isGone = was.contains(.index) && was.contains(.delete)
      let state =
        isGone ? "any more; one that comes starts anew" : "yet; it counts for one that comes"
      Diagnostics.line("cairn: no item has the id '\(DisplayText.harmless(name))' \(state)")
    }
  }

  /// Tells people at a terminal of items of which nothing is known that a search could find.
  private func tellOfUntitledItems(_ events: [Event]) {
    guard Terminal.errorsAreTerminal else { return }
    for event in events where event.kind == .index && event.attributes.isEmpty {
      let name = DisplayText.word(event.item ?? "")
      Diagnostics.line(
        "cairn: no search finds an id alone; to give it words: cairn update \(name) --title TEXT")
    }
  }
}

/// `view` in its plainest form, as a shell or an editor says it at every step.
///
/// Read without the parser, which takes as long as all the rest of the command. Whatever is not
/// plain is none of this and goes the usual way, so that both ways say the same.
struct PlainView {
  private var item: String?
  private var values: [String: String] = [:]
  private var json = false

  private static let options: Set<String> = ["--store", "--domain", "--title", "--actor"]

  /// Nil for any line but `view ITEM` with some of `--json` and options that have their values.
  init?(_ line: [String]) {
    guard line.first == "view" else { return nil }
    var rest = line.dropFirst()
    while let word = rest.popFirst() {
      if word == "--json", !json {
        json = true
      } else if Self.options.contains(word), values[word] == nil, let value = rest.popFirst(),
        !value.isEmpty, !value.hasPrefix("-")
      {
        values[word] = value
      } else if !word.hasPrefix("-"), !word.isEmpty, item == nil {
        item = word
      } else {
        return nil
      }
    }
    guard item != nil else { return nil }
  }

  func run() throws(Failure) {
    let directory = try StoreOptions.directory(values["--store"])
    let store = try WriterOptions.open(directory, isNamed: values["--store"] != nil)
    defer { store.close() }
    var event = Event(kind: .view, item: item)
    event.domain = values["--domain"].map { .value($0) } ?? .absent
    event.actor = values["--actor"]
    if let title = values["--title"] { event.attributes["title"] = .string(title) }
    try store.record([event], json: json)
  }
}
