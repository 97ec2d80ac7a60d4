import Cairn
import TestSupport
import Testing

/// A store in a directory of its own, deleted afterwards.
func withStore<R>(_ body: (Store) async throws -> R) async throws -> R {
  try await withDirectory { directory in
    let store = try Store.open(at: directory + "/store")
    defer { store.close() }
    return try await body(store)
  }
}

private enum Stores {
  static let turnstile = Turnstile(16)
  /// A test that is in may have more than one store.
  @TaskLocal static var isIn = false
}

/// A directory of its own, deleted afterwards.
func withDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
  if Stores.isIn { return try await inDirectory(body) }
  await Stores.turnstile.enter()
  let result: Result<R, any Error>
  do {
    result = .success(try await Stores.$isIn.withValue(true) { try await inDirectory(body) })
  } catch { result = .failure(error) }
  await Stores.turnstile.leave()
  return try result.get()
}

private func inDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
  let directory = TestDirectory()
  defer { withExtendedLifetime(directory) {} }
  return try await body(directory.path)
}

/// Holds a store's projections against those of another with the same events, and against the log.
func expectSame(_ store: Store, _ other: Store) throws {
  let digests = try other.digests()
  #expect(try store.digests() == digests)
  #expect(try store.verify(deep: true).problems.isEmpty)
  let results = try #require(try store.rebuild())
  #expect(results.allSatisfy { $0.digestBefore == $0.digestAfter })
}

extension Store {
  /// The digests of its projections, as they are reported.
  func digests() throws -> [String?] { try at().statistics().projections.map(\.digest) }
}

/// An index event.
func index(
  _ item: String, title: String, domain: String? = nil, at time: Int64 = 1_700_000_000,
  _ more: Attributes = [:]
) -> Event {
  var attributes = more
  attributes["title"] = .string(title)
  return Event(
    kind: .index, item: item, domain: domain.map { .value($0) } ?? .absent,
    time: Timestamp(seconds: time), attributes: attributes)
}

/// A view event.
func view(_ item: String, at time: Int64) -> Event {
  Event(kind: .view, item: item, time: Timestamp(seconds: time))
}
