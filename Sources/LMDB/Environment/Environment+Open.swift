extension Environment {
  /// Opens the file at `path`, or gives the environment this process already has for it.
  ///
  /// Looks at the file before LMDB does, so that a foreign, truncated or newer file is an error.
  /// - Throws: `.missing`, `.notAStore`, `.unsupportedFormat`, `.corrupt`, `.readOnly`,
  ///   `.badArgument` for a network file system or when the file is open with other tables or for
  ///   reading only. (`mdb_env_open`)
  package static func open(_ path: String, _ configuration: Configuration) throws(CairnError)
    -> Environment
  {
    try PageLayout.check()
    let file = try FileProbe.inspect(path, configuration)
    let environment = try EnvironmentRegistry.shared.environment(of: file.identity) {
      () throws(CairnError) -> Environment in
      let opened = try OpenedFile(path, file, configuration)
      return Environment(opened, configuration: configuration)
    }
    do throws(CairnError) {
      try environment.checkProcess()
      try environment.serve(configuration)
    } catch {
      environment.close()
      throw error
    }
    return environment
  }

  /// Throws unless this environment can do what `other` asks for.
  private func serve(_ other: Configuration) throws(CairnError) {
    guard hasTables(other.tables) else {
      throw CairnError(
        .badArgument, "the file is already open in this process with other tables", place: fileName)
    }
    guard other.access == .readOnly || configuration.access == .readWrite else {
      throw CairnError(
        .readOnly, "the file is already open in this process for reading; close that first",
        place: fileName)
    }
  }
}
