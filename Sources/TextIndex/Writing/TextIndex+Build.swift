internal import Files
package import LMDB
internal import Projections

/// Building an index that nobody reads yet.
///
/// Between ``beginBuild(in:at:context:)`` and ``finishBuild(in:memory:context:)``, `apply` writes
/// what it needs to know again (items, ends, columns) and leaves dictionary, lists and documents to
/// a file, from which the end writes them in the order of their keys: pages are full and no page is
/// written twice. Rows differ from those of a fold, answers and digests do not.
extension TextIndex {
  /// Starts a build, or goes on with one after its last transaction.
  /// - Parameters:
  ///   - environment: The file of the index.
  ///   - path: A file for what waits; made when it is not there. Removed by the end of the build,
  ///     and by whoever gives the build up.
  ///   - context: What folds from now on are given.
  /// - Throws: `.badArgument` for an index that holds something and is not being built; `.corrupt`
  ///   when the file lacks what the index counts on; `.diskFull` and the like.
  package func beginBuild(in environment: Environment, at path: String, context: FoldContext)
    throws(CairnError)
  {
    let file = try SpillFile(path: path)
    let byteCount = try environment.write { (txn) throws(CairnError) in
      if let known = try IndexBuild.byteCount(txn.reader, tables) { return known }
      guard try IndexState(txn.reader, tables).nextDocument == 1 else {
        throw CairnError(.badArgument, "the text index is not empty")
      }
      try IndexBuild.setByteCount(0, &txn, tables)
      return 0
    }
    guard try file.byteCount() >= byteCount else { throw SpillFile.damaged }
    context.build = IndexBuild(file: file, analyzer)
  }

  package func isBeingBuilt(in txn: borrowing ReadTransaction) throws(CairnError) -> Bool {
    try keptByteCount(in: txn) != nil
  }

  /// Refuses an index that another version wrote.
  /// - Throws: `.unsupportedFormat`; `.corrupt` for a damaged state.
  package func checkFormat(in txn: borrowing ReadTransaction) throws(CairnError) {
    _ = try IndexState(txn, tables)
  }

  /// Bytes that a build which has not ended counts on in its file; nil when there is none.
  package func keptByteCount(in txn: borrowing ReadTransaction) throws(CairnError) -> Int? {
    try IndexBuild.byteCount(txn, tables)
  }

  /// Ends the build that a context began: from here on the index is one like others.
  ///
  /// Killed on the way, it can be begun and ended again.
  /// - Complexity: O(postings), some 100 ns each.
  /// - Throws: `.corrupt` when the file is damaged; `.diskFull` and the like.
  package func finishBuild(in environment: Environment, memory: Int, context: FoldContext)
    throws(CairnError)
  {
    guard let build = context.build else {
      throw CairnError(.badArgument, "the text index is not being built")
    }
    try removeUnfinished(environment)
    let writer = RowWriter(environment)
    defer { writer.wait() }
    let runs = try runs(of: build.file, environment)
    let nextTerm: UInt32
    do throws(CairnError) {
      let memory = MergeMemory(memory, runCount: runs.count)
      var merge = IndexMerge(build.file, runs, memory, writer, tables)
      nextTerm = try merge.run()
      var documents = DocumentMerge(build.file, memory, writer, tables)
      try documents.run(runs)
      try writer.finish()
    } catch  where error.code == .badArgument {
      // Keys that do not rise are refused as a mistake of the code: those of a run were sorted.
      throw SpillFile.damaged
    }
    try complete(build, environment, nextTerm: nextTerm, context)
    try splitAll(environment, pace: context.pace)
  }

  /// Removes what an end that was killed has written.
  private func removeUnfinished(_ environment: Environment) throws(CairnError) {
    try environment.write { (txn) throws(CairnError) in
      for table in [tables.terms, tables.postings, tables.positions, tables.documents] {
        if try txn.reader.count(table) > 0 { try txn.removeAll(table) }
      }
    }
  }

  private func runs(of file: SpillFile, _ environment: Environment) throws(CairnError)
    -> [StoredRun]
  {
    let end = try environment.read { (txn) throws(CairnError) in
      try IndexBuild.byteCount(txn, tables)
    }
    guard let end else { throw SpillFile.damaged }
    var runs: [StoredRun] = []
    var start = 0
    while start < end {
      let header = try RunHeader.read(file, at: start, end: end)
      runs.append(StoredRun(start: start, header: header))
      start += header.end
    }
    return runs
  }

  private func complete(
    _ build: IndexBuild, _ environment: Environment, nextTerm: UInt32, _ context: FoldContext
  ) throws(CairnError) {
    // Gone before the build has ended: killed in between it starts over, and nothing is left
    // behind.
    try SmallFile.remove(build.file.path)
    try environment.write { (txn) throws(CairnError) in
      var state = try IndexState(txn.reader, tables)
      state.nextTerm = nextTerm
      (state.pastCount, state.pastTarget, state.splitTerm) = (0, 0, 0)
      // Random, so that no other process can have come to the same stamp another way.
      state.stamp = UInt64.random(in: 1 ... .max)
      try state.write(&txn, tables)
      try txn.delete(tables.state, SharedRows.textBuildKey)
    }
    context.build = nil
    context.forget()
  }
}
