package import LMDB

extension EventLog {
  /// Stores a named point; durable when it returns.
  /// - Returns: False, and nothing is changed, when the name is taken.
  /// - Throws: `.badArgument` for an empty name or one of more than ``LogLimits/nameByteCount``
  ///   bytes.
  package func createNamedPoint(_ point: NamedPoint) throws(CairnError) -> Bool {
    let key = Array(point.name.utf8)
    guard (1...LogLimits.nameByteCount).contains(key.count) else {
      throw CairnError(
        .badArgument, "a name has 1 to \(LogLimits.nameByteCount) bytes; choose a shorter one")
    }
    return try environment.write { (txn) throws(CairnError) in
      guard try txn.reader.find(tables.snapshots, key) == nil else { return false }
      var row = ByteWriter()
      point.append(to: &row)
      try txn.put(tables.snapshots, key.rawSpan, row.bytes)
      return true
    }
  }

  /// Stores a named point in place of the one of its name; durable when it returns.
  package func replaceNamedPoint(_ point: NamedPoint) throws(CairnError) {
    try environment.write { (txn) throws(CairnError) in
      var row = ByteWriter()
      point.append(to: &row)
      try txn.put(tables.snapshots, Array(point.name.utf8).rawSpan, row.bytes)
    }
  }

  package func namedPoint(_ name: String) throws(CairnError) -> NamedPoint? {
    let key = Array(name.utf8)
    guard (1...LogLimits.nameByteCount).contains(key.count) else { return nil }
    return try environment.read { (txn) throws(CairnError) -> NamedPoint? in
      guard let value = try txn.find(self.tables.snapshots, key) else { return nil }
      return try NamedPoint(name: name, value)
    }
  }

  package func namedPoints() throws(CairnError) -> [NamedPoint] {
    try environment.read { (txn) throws(CairnError) in
      var points: [NamedPoint] = []
      try txn.scan(self.tables.snapshots) { (key, value) throws(CairnError) in
        let name = String(decoding: key.array(), as: UTF8.self)
        points.append(try NamedPoint(name: name, value))
        return true
      }
      return points
    }
  }

  /// Removes a point; durable when it returns.
  /// - Returns: False when there is none of this name.
  package func deleteNamedPoint(_ name: String) throws(CairnError) -> Bool {
    let key = Array(name.utf8)
    guard (1...LogLimits.nameByteCount).contains(key.count) else { return false }
    return try environment.write { (txn) throws(CairnError) in
      guard try txn.delete(tables.snapshots, key.rawSpan) else { return false }
      try txn.rewrite(tables.snapshots)
      return true
    }
  }
}
