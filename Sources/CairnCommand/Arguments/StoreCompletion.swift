import ArgumentParser
import Cairn

extension CompletionKind {
  /// Domains of the store that the line is about.
  static var domains: CompletionKind {
    .custom { words, _, prefix in
      StoreCompletion.names(words, prefix) { (store) throws(CairnError) in
        Array(try store.at().statistics().domains.keys)
      }
    }
  }

  /// Names of its snapshots.
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
  /// Names that begin so, in order; none where there is no store to ask.
  static func names(
    _ words: [String], _ prefix: String, _ ask: (Store) throws(CairnError) -> [String]
  ) -> [String] {
    // A line that is half typed is no place for complaints.
    guard let directory = try? StoreOptions.directory(named(in: words)),
      let store = try? Store.open(at: directory, access: .readOnly)
    else { return [] }
    defer { store.close() }
    // Nor where the store is damaged.
    let names = (try? ask(store)) ?? []
    return names.filter { !$0.isEmpty && $0.hasPrefix(prefix) }.sorted()
  }

  private static func named(in words: [String]) -> String? {
    if let word = words.last(where: { $0.hasPrefix("--store=") }) {
      return String(word.dropFirst(8))
    }
    guard let place = words.lastIndex(of: "--store"), place + 1 < words.count else { return nil }
    return words[place + 1]
  }
}
