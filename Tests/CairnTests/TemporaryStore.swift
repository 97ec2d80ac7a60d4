import Cairn
import Foundation

/// A store in a directory of its own, deleted afterwards.
func withStore<R>(_ body: (Store) async throws -> R) async throws -> R {
  try await withDirectory { directory in
    let store = try Store.open(at: directory + "/store")
    defer { store.close() }
    return try await body(store)
  }
}

/// A directory of its own, deleted afterwards.
func withDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
  let directory = FileManager.default.temporaryDirectory.path + "/cairn-test-\(UUID().uuidString)"
  try FileManager.default.createDirectory(
    atPath: directory,
    withIntermediateDirectories: true
  )
  defer { try? FileManager.default.removeItem(atPath: directory) }
  return try await body(directory)
}

/// An index event.
func index(
  _ item: String,
  title: String,
  domain: String? = nil,
  at time: Int64 = 1_700_000_000,
  _ more: Attributes = [:]
) -> Event {
  var attributes = more
  attributes["title"] = .string(title)
  return Event(
    kind: .index,
    item: item,
    domain: domain.map { .value($0) } ?? .absent,
    time: Timestamp(seconds: time),
    attributes: attributes
  )
}

/// A view event.
func view(_ item: String, at time: Int64) -> Event {
  Event(kind: .view, item: item, time: Timestamp(seconds: time))
}
