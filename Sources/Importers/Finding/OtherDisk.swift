import Files

/// The disk of another machine, mounted or copied somewhere below the root of this one.
package struct OtherDisk: Sendable {
  /// What the machine calls itself, up to the first dot.
  package let host: String
  /// Where its root is here, without links.
  private let root: String

  /// The disk on which a folder is: the nearest folder from there upwards that holds an
  /// `etc/hostname`; nil where that is this machine's, or none.
  package init?(of folder: String) {
    guard var root = RealPath.of(folder) else { return nil }
    while root.utf8.count > 1 {
      // What cannot be read names no machine.
      if let text = try? SmallFile.read(root + "/etc/hostname") {
        guard let name = Self.name(in: text) else { return nil }
        host = name
        self.root = root
        return
      }
      root = String(root.utf8.dropLast(root.utf8.reversed().prefix { $0 != 0x2F }.count + 1)) ?? ""
    }
    return nil
  }

  /// The first line that is no comment (hostname(5)), up to the first dot; nil for what is no name,
  /// which would go into domains.
  private static func name(in text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline).map { CommandText.trimmed(String($0)) }
    let name = lines.first { !$0.isEmpty && !$0.hasPrefix("#") }?.prefix { $0 != "." } ?? ""
    let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    return isName && (1...64).contains(name.utf8.count) ? String(name) : nil
  }

  /// What a folder was called on its machine; nil for the root, which is nobody's home.
  package func name(of folder: String) -> String? {
    let name = RealPath.of(folder)?.utf8.dropFirst(root.utf8.count).map { $0 } ?? []
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// The homes on it, where a folder is its root: each once, also where links lead there, and none
  /// to which a link leads from the disk.
  package func homes(in folder: String) -> [String] {
    guard name(of: folder) == nil else { return [] }
    let homes = Folder.names(folder + "/home").map { "\(folder)/home/\($0)" } + ["\(folder)/root"]
    var seen: Set<String> = []
    return homes.filter { home in
      guard let real = RealPath.of(home), real.hasPrefix(root + "/") else { return false }
      return seen.insert(real).inserted
    }
  }
}
