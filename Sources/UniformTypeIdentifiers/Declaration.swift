import Synchronization

/// What is known of one type.
final class Declaration: Sendable {
  let identifier: String
  /// Types this one conforms to directly.
  let conformsTo: [String]
  /// File name extensions, preferred one first.
  let extensions: [String]
  /// Media types of the internet, preferred one first.
  let types: [String]

  init(_ identifier: String, conformsTo: [String], extensions: [String], types: [String]) {
    self.identifier = identifier
    self.conformsTo = conformsTo
    self.extensions = extensions
    self.types = types
  }

  /// Every declaration, in the order in which the first that fits is taken.
  static let all = UTType.all.compactMap(\.declaration)

  private static let byIdentifier = Dictionary(
    all.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

  /// Types that the program declared itself, which elsewhere its property list tells.
  private static let own = Mutex<[String: Declaration]>([:])

  /// The declaration of an identifier, whatever its case.
  static func of(_ identifier: String) -> Declaration? {
    let name = identifier.lowercased()
    return byIdentifier[name] ?? own.withLock { $0[name] }
  }

  /// Notes that a type of the program conforms to another one; of one of the system it changes
  /// nothing.
  static func declare(_ identifier: String, conformingTo parent: String) {
    let (name, parent) = (identifier.lowercased(), parent.lowercased())
    guard byIdentifier[name] == nil else { return }
    own.withLock { known in
      let parents = known[name]?.conformsTo ?? []
      guard !parents.contains(parent) else { return }
      known[name] = Declaration(
        identifier, conformsTo: parents + [parent], extensions: [], types: [])
    }
  }

  /// Everything a type conforms to, itself left out.
  /// - Complexity: O(types it conforms to).
  static func supertypes(of identifier: String) -> Set<String> {
    var found: Set<String> = []
    var waiting = of(identifier)?.conformsTo ?? []
    while let next = waiting.popLast() {
      guard found.insert(next).inserted else { continue }
      waiting += of(next)?.conformsTo ?? []
    }
    return found
  }
}
