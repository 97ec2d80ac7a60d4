import Events
package import Values

/// A git repository as far as it is told from others.
package struct GitCheckout {
  /// The first-parent line, newest first.
  package let commits: [String]
  /// What its folder is called.
  package let folder: String

  /// Asks git.
  /// - Complexity: O(commits), 80,000 in a second.
  /// - Throws: `missing` for what is no checkout with a commit in it.
  package init(_ path: String) throws(CairnError) {
    commits = try Self.lines(of: path, ["rev-list", "--first-parent", "HEAD"])
    // A bare repository has no work tree.
    let top =
      (try? Self.lines(of: path, ["rev-parse", "--show-toplevel"]))
      ?? (try? Self.lines(of: path, ["rev-parse", "--absolute-git-dir"]))
    let name = (top?.first ?? path).split(separator: "/").last ?? "repository"
    folder = String(name.count > 4 && name.hasSuffix(".git") ? name.dropLast(4) : name)
  }

  private static func lines(of path: String, _ command: [String]) throws(CairnError) -> [String] {
    var bytes: [UInt8] = []
    try GitProcess(path, command).forEachPiece { bytes += $0 }
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// What tells the items of one repository from those of others: `git:NAME/path` in `git.NAME`.
///
/// No path in a repository begins so, unless somebody meant it to: items of a repository without a
/// name are never among these.
package struct RepositoryName: Sendable, Hashable {
  package let text: String

  /// Nil for an empty name and one with a `/`.
  package init?(_ text: String) {
    guard !text.isEmpty, !text.contains("/") else { return nil }
    self.text = text
  }

  /// The name in an item that has this path; nil for any other.
  package init?(of item: String, path: String) {
    guard item.hasPrefix(Self.scheme), item.hasSuffix("/" + path) else { return nil }
    self.init(String(item.dropFirst(Self.scheme.count).dropLast(path.count + 1)))
  }

  private static let scheme = "git:"

  func item(of path: String) -> String { Self.scheme + text + "/" + path }

  func domain(of folders: String?) -> String {
    "git." + DomainPath.component(text) + (folders.map { "." + $0 } ?? "")
  }
}
