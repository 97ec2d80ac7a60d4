import EventLog
import Files
import HashTree
import LMDB

/// What an export of tiles wrote.
public struct TilesExport: Sendable, Hashable {
  /// The checkpoint that was published with the tiles.
  public var checkpoint: SignedCheckpoint
  /// Files written, the checkpoint included.
  public var fileCount: Int
  /// Bytes in them.
  public var byteCount: Int
}

extension Store {
  /// Publishes the log's leaves and hashes as static files (C2SP tlog-tiles).
  ///
  /// `checkpoint`, `tile/<level>/…` and `tile/entries/…` below the directory; entries are the
  /// leaves, which hold nothing personal. A directory that holds an earlier export of the same
  /// log is brought up to date: the new tiles first, flushed, then the checkpoint, atomically.
  /// Everything below the directory is read back and checked at the end. Exports into one
  /// directory follow each other, in all processes.
  /// - Parameter directory: Absent, empty, or an earlier export of this store, whole or killed.
  /// - Returns: What was written.
  /// - Throws: `badArgument` when the directory holds anything else; `notVerified` when what is
  ///   there afterwards does not check; `busy` when another export holds the directory for longer
  ///   than ``patience``; what ``checkpoint(at:origin:)`` throws.
  /// - Complexity: O(events) for the check; O(new events / 256) files written.
  /// - Note: Blocks the calling thread.
  public func exportTiles(into directory: String) throws(CairnError) -> TilesExport {
    let key = try verifierKey()
    // What is not ours is not to be locked either.
    _ = try publishedSize(in: directory)
    try FileBytes.makeDirectory(directory)
    let lock = try exportLock(of: directory)
    defer { lock.unlock() }
    let oldSize = try publishedSize(in: directory)
    let signed = try checkpoint()
    var result = TilesExport(checkpoint: signed, fileCount: 1, byteCount: signed.text.utf8.count)
    for tile in Tile.added(from: oldSize, to: signed.size) {
      let bytes = try bytes(of: tile)
      try FileBytes.write(bytes, to: "\(directory)/\(tile.path)")
      result.fileCount += 1
      result.byteCount += bytes.count
    }
    try FileBytes.flush(fileSystemOf: directory)
    try SmallFile.replace("\(directory)/checkpoint", with: signed.text)
    do throws(CairnError) { _ = try TrustedKeys(logs: [key]).tiles(in: directory) } catch
      where error.code == .notVerified
    {
      let remedy = "delete the checkpoint there, and an export writes every tile anew"
      throw CairnError(.notVerified, "\(error.message); \(remedy)", place: error.place)
    }
    return result
  }

  /// The lock of who exports into a directory, held.
  private func exportLock(of directory: String) throws(CairnError) -> FileLock {
    let lock = try FileLock(directory: directory)
    do throws(CairnError) { try lock.lock(wait: patience) } catch  where error.code == .busy {
      throw CairnError(.busy, "another export writes here; wait for it", place: directory)
    }
    return lock
  }

  /// A tile of the log as it is now, by its path below the log's prefix (C2SP tlog-tiles).
  /// - Returns: Nil for what is no path of a tile, and for a tile that is not full.
  /// - Complexity: one lookup per hash or entry, 256 at most.
  package func tile(at path: String) throws(CairnError) -> [UInt8]? {
    guard let tile = Tile(path: path) else { return nil }
    let size = try log.head().sequence
    let level =
      switch tile.content {
      case .entries: 0
      case .hashes(let level): level
      }
    let (first, isTooLarge) = tile.index.multipliedReportingOverflow(by: UInt64(Tile.fullWidth))
    guard !isTooLarge, first + UInt64(tile.width) <= Tile.hashCount(level: level, treeSize: size)
    else { return nil }
    return try bytes(of: tile)
  }

  private func bytes(of tile: Tile) throws(CairnError) -> [UInt8] {
    guard case .entries = tile.content else {
      return try log.withNodes { (_, node) throws(CairnError) in try tile.hashBytes(node: node) }
    }
    let first = tile.index * UInt64(Tile.fullWidth) + 1
    let leaves = try log.leaves(first...first + UInt64(tile.width) - 1)
    return try trusting("log.mdb") { () throws(CairnError) in try EntryBundle.encode(leaves) }
  }

  /// How many events an earlier export in the directory has; 0 where there is none.
  private func publishedSize(in directory: String) throws(CairnError) -> UInt64 {
    let stranger = CairnError(
      .badArgument,
      "holds something other than tiles of this store; name a directory that is absent or empty",
      place: directory)
    guard let names = try FileBytes.names(in: directory) else { return 0 }
    guard let bytes = try FileBytes.read("\(directory)/checkpoint", limit: 1 << 20) else {
      // A first export that was killed has tiles and no checkpoint, which comes last.
      guard names.allSatisfy({ $0 == "tile" || $0 == "checkpoint.new" }) else { throw stranger }
      return 0
    }
    do throws(CairnError) {
      let text = String(decoding: bytes, as: UTF8.self)
      guard try continues(text) else { throw stranger }
      return try Checkpoint(text: SignedNote(encoded: bytes).text).size
    } catch {
      guard error.code == .malformed || error.code == .notVerified else { throw error }
      throw stranger
    }
  }
}
