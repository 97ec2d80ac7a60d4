import CLMDB

extension Environment {
  /// Closes the file and opens it anew, under the same object and tables.
  ///
  /// LMDB keeps the buffers of pages it wrote and fills new pages into them without clearing, so
  /// that bytes of old rows come back in the gaps of new pages; they end with the handle. Call it
  /// outside of any transaction of the calling thread; waits for those of other threads.
  /// - Throws: `.busy` when a read is held for too long; when the file cannot be opened again, the
  ///   reason, and the environment is closed then.
  package func reopen() throws(CairnError) {
    try checkProcess()
    try readers.alone(place: fileName) { () throws(CairnError) in
      unsafe mdb_env_close(raw)
      var configuration = configuration
      configuration.writer = writer
      configuration.create = false
      do throws(CairnError) {
        let file = try FileProbe.inspect(path, configuration)
        guard file.identity == identity else {
          throw CairnError(.busy, "the file was replaced; open the store again", place: fileName)
        }
        let opened = try OpenedFile(path, file, configuration)
        guard hasHandles(opened.handles) else {
          unsafe mdb_env_close(opened.pointer.raw)
          throw CairnError(.internal, "the tables changed their numbers", place: fileName)
        }
        unsafe pointer.replace(with: opened.pointer.raw)
      } catch {
        // There is no handle to close any more.
        _ = pointer.take()
        readers.retire()
        throw error
      }
    }
  }
}
