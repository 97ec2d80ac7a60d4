import Cairn

extension WriterOptions {
  /// Appends events and writes them as stored.
  func record(_ events: [Event], _ options: StoreOptions) throws(Failure) {
    let store = try open(options)
    defer { store.close() }
    var output = Output()
    let row = EventRow(json: options.json)
    for event in events {
      let stored = try answering { () throws(CairnError) in try store.appendBlocking(event) }
      try row.write(stored, to: &output)
    }
    try output.flush()
  }
}
