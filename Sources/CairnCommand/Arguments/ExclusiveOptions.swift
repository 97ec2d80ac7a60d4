import ArgumentParser

extension ParsableArguments {
  /// Refuses options that exclude each other; names the first two that are given.
  func requireAtMostOne(of options: (isGiven: Bool, name: String)...) throws {
    let given = options.filter { $0.isGiven }.map { $0.name }
    guard given.count <= 1 else {
      throw ValidationError("\(given[0]) and \(given[1]) contradict each other.")
    }
  }
}
