import ArgumentParser
import Cairn
import Files

extension CompletionKind {
  static var domains: CompletionKind {
    .custom { words, _, prefix in
      StoreCompletion.names(words, prefix) { (store) throws(CairnError) in
        Array(try store.at().statistics().domains.keys)
      }
    }
  }

  static var items: CompletionKind {
    .custom { words, _, prefix in
      StoreCompletion.names(words, prefix) { (store) throws(CairnError) in
        try StoreCompletion.items(of: store, StoreCompletion.value(prefix))
      }
    }
  }

  static var snapshots: CompletionKind {
    .custom { words, _, prefix in
      StoreCompletion.names(words, prefix) { (store) throws(CairnError) in
        try store.snapshots().map(\.name)
      }
    }
  }

  /// Names of its snapshots, and what else names a point in few letters.
  static var points: CompletionKind {
    .custom { words, _, prefix in
      StoreCompletion.names(words, prefix) { (store) throws(CairnError) in
        ["head", "yesterday"] + (try store.snapshots().map(\.name))
      }
    }
  }
}

/// What a shell asks for while a line is typed.
enum StoreCompletion {
  /// What is typed of a value: zsh and fish give the option with it, as in `--domain=wo`.
  fileprivate static func value(_ word: String) -> String {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return word }
    return String(word[word.index(after: sign)...])
  }

  /// Names that begin so, in order; none where there is no store to ask.
  static func names(
    _ words: [String], _ prefix: String, _ ask: (Store) throws(CairnError) -> [String]
  ) -> [String] {
    let prefix = value(prefix)
    // A line that is half typed is no place for complaints.
    guard let directory = try? StoreOptions.directory(named(in: words)),
      let store = try? Store.open(at: directory, access: .readOnly)
    else { return [] }
    defer { store.close() }
    // Nor where the store is damaged.
    let names = (try? ask(store)) ?? []
    // A shell gets one a line, and types what it gets.
    return names.filter { $0.hasPrefix(prefix) && !$0.isEmpty && DisplayText.harmless($0) == $0 }
      .sorted().map(shown)
  }

  /// The first items whose identifiers begin so.
  static func items(of store: Store, _ prefix: String) throws(CairnError) -> [String] {
    let moment = try store.at()
    var names: [String] = []
    if !prefix.isEmpty, try moment.item(prefix) != nil { names.append(prefix) }
    try moment.forEachItem(after: prefix) { (item) throws(CairnError) -> Bool in
      guard item.id.utf8.starts(with: prefix.utf8) else { return false }
      names.append(item.id)
      return names.count < itemCount
    }
    return names
  }

  /// More than a screen shows; of a million items a shell would ask whether to list them.
  private static let itemCount = 100

  /// A name as the shell takes it that asks.
  private static func shown(_ name: String) -> String {
    switch Variables.get("SAP_SHELL") {
    // A colon would end the name and begin what it means; with an accent on it, too, which to Swift
    // is another character.
    case "zsh":
      String(
        String.UnicodeScalarView(
          name.unicodeScalars.flatMap { $0 == "\\" || $0 == ":" ? ["\\", $0] : [$0] }))
    // What it means stands behind a tab; else fish shows the option's help beside each name.
    case "fish": name + "\t"
    default: name
    }
  }

  private static func named(in words: [String]) -> String? {
    if let word = words.last(where: { $0.hasPrefix("--store=") }) {
      return String(word.dropFirst(8))
    }
    guard let place = words.lastIndex(of: "--store"), place + 1 < words.count else { return nil }
    return words[place + 1]
  }
}
