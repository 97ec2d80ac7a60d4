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

/// Lets in as many tests at once as the address space has room for: a store maps two terabytes,
/// and all asynchronous tests begin at the same time.
private actor Turnstile {
  static let stores = Turnstile()
  /// A test that is in may have more than one store.
  @TaskLocal static var isIn = false
  private var free = 16
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  func leave() { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
}

/// A directory of its own, deleted afterwards.
func withDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
  if Turnstile.isIn { return try await inDirectory(body) }
  await Turnstile.stores.enter()
  let result: Result<R, any Error>
  do {
    result = .success(try await Turnstile.$isIn.withValue(true) { try await inDirectory(body) })
  } catch { result = .failure(error) }
  await Turnstile.stores.leave()
  return try result.get()
}

private func inDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
  let directory = TestDirectory()
  defer { withExtendedLifetime(directory) {} }
  return try await body(directory.path)
}

/// Holds a store's projections against those of another with the same events, and against the log.
func expectSame(_ store: Store, _ other: Store) throws {
  let digests = try other.at().statistics().projections.map(\.digest)
  #expect(try store.at().statistics().projections.map(\.digest) == digests)
  #expect(try store.verify(deep: true).problems.isEmpty)
  let results = try #require(try store.rebuild())
  #expect(results.allSatisfy { $0.digestBefore == $0.digestAfter })
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
