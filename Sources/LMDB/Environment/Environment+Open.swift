extension Environment {
  /// Opens the file at `path`, or gives the environment this process already has for it.
  ///
  /// Looks at the file before LMDB does, so that a foreign, truncated or newer file is an error.
  /// - Throws: `.missing`, `.notAStore`, `.unsupportedFormat`, `.corrupt`, `.readOnly`,
  ///   `.badArgument` for a network file system or when the file is open with other tables or for
  ///   reading only. (`mdb_env_open`)
  package static func open(_ path: String, _ configuration: Configuration) throws(StorageError)
    -> Environment
  {
    try PageLayout.check()
    let file = try FileProbe.inspect(path, configuration)
    let environment = try EnvironmentRegistry.shared.environment(of: file.identity) {
      () throws(StorageError) -> Environment in
      let opened = try OpenedFile(path, file, configuration)
      return Environment(opened, configuration: configuration)
    }
    do throws(StorageError) {
      try environment.checkProcess()
      try environment.serve(configuration)
    } catch {
      environment.close()
      throw error
    }
    return environment
  }

  /// Throws unless this environment can do what `other` asks for.
  private func serve(_ other: Configuration) throws(StorageError) {
    guard hasTables(other.tables) else {
      throw StorageError(
        .badArgument, "the file is already open in this process with other tables", place: fileName)
    }
    guard other.access == .readOnly || configuration.access == .readWrite else {
      throw StorageError(
        .readOnly, "the file is already open in this process for reading; close that first",
        place: fileName)
    }
  }
}
