import Cairn
import Importers

/// What the git repositories of an import are called, so that no two share an item.
///
/// A repository that the store has keeps what it is called there, which is nothing for the first
/// one that came alone. Any other is called after its folder.
struct RepositoryNames {
  /// The option that names one.
  private let wanted: RepositoryName?
  /// Whether one alone may go without a name.
  private let isAlone: Bool
  /// What the repository of a commit is called; nil stands for no name.
  private var known: [String: RepositoryName?] = [:]
  private var taken: Set<RepositoryName> = []

  /// Reads off the items of a store what its repositories are called.
  /// - Complexity: O(items), where there is a repository among what was found.
  init(_ found: [HistoryPlaces.Found], in store: Store?, isAuto: Bool, wanted: RepositoryName?)
    throws(Failure)
  {
    let count = found.count { $0.format == Git.self }
    guard wanted == nil || count == 1 else {
      throw Failure(.usage, "--name goes with one git repository")
    }
    self.wanted = wanted
    isAlone = count == 1 && !isAuto
    guard let store, count > 0 else { return }
    var known: [String: RepositoryName?] = [:]
    try answering(
      store.at().forEachItem(filter: "commit == * && blob == *") { item in
        guard let commit = item.attributes["commit"]?.string,
          let path = item.attributes["path"]?.string
        else { return true }
        let name = RepositoryName(of: item.id, path: path)
        if name != nil || item.id == path { known[commit] = .some(name) }
        return true
      })
    self.known = known
    taken = Set(known.values.compactMap { $0 })
  }

  /// What a repository's items begin with; nil for their bare paths.
  mutating func name(of path: String) throws(Failure) -> RepositoryName? {
    // Reading it says what is wrong with it.
    guard let checkout = try? GitCheckout(path) else { return nil }
    if let commit = checkout.commits.first(where: { known[$0] != nil }), let name = known[commit] {
      guard wanted == nil || wanted == name else {
        let now = name.map { "the name \($0.text)" } ?? "no name"
        throw Failure(
          .usage, "the store has this repository with \(now), which it keeps: leave --name out",
          place: path)
      }
      return name
    }
    let name = try newName(for: checkout, path)
    if let name { taken.insert(name) }
    // Another clone of it in the same import is this one.
    for commit in checkout.commits { known[commit] = .some(name) }
    return name
  }

  private func newName(for checkout: GitCheckout, _ path: String) throws(Failure) -> RepositoryName?
  {
    if let wanted {
      guard !taken.contains(wanted) else {
        throw Failure(
          .usage, "the store has another repository with the name \(wanted.text)", place: path)
      }
      return wanted
    }
    guard !isAlone || !known.isEmpty else { return nil }
    var name = RepositoryName(checkout.folder)
    var number = 2
    while let other = name, taken.contains(other) {
      name = RepositoryName("\(checkout.folder)-\(number)")
      number += 1
    }
    if isAlone, let name {
      Diagnostics.line(
        "cairn: the store has another git repository: items of this one begin with git:\(name.text)/ "
          + "(--name NAME for another name)")
    }
    return name
  }
}
