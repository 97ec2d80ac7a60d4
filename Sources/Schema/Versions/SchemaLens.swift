package import Events
import Synchronization

/// Looks at events of every version as the schema in force makes them.
///
/// What is looked up again and again is kept: ways by the version they begin at, declarations by
/// domain.
package final class SchemaLens: Sendable {
  package let history: SchemaHistory
  package let definition: SchemaDefinition
  package let node: Int
  /// The domains that any version moves, and those it moves them to.
  private let movedDomains: [String]
  /// What rows made through this lens depend on; empty for those made without any.
  package let shapeName: String
  /// The application's upcasters, which come before the steps of schemas.
  package let upcasters: EventUpcasters

  /// Raised where the same schema makes other rows: how moves, conversions, weights, defaults and
  /// activities on pages are read, what steps make of long arrays, and what updates overwrite.
  private static let rulesVersion = 6

  private struct Cache {
    var paths: [Int: ShapePath] = [:]
    var effective: [[UInt8]: EffectiveSchema] = [:]
    var languages: [[UInt8]: [DeclaredLanguage]] = [:]
  }

  private let cache = Mutex(Cache())
  /// Domains of which something is kept; the rest are looked up each time.
  private static let effectiveCountMax = 4_096

  /// Nil where all events of the log stay as they are and are shown so.
  package init?(_ history: SchemaHistory, _ upcasters: EventUpcasters = .none) {
    guard history.everShapes || !upcasters.identity.isEmpty else { return nil }
    self.history = history
    self.upcasters = upcasters
    node = history.node(history.current)
    definition = history.definition(ofNode: node)
    let shape = history.shape
    let schema =
      shape == 0
      ? ""
      : "\(shape) \(history.definition(ofNode: shape).digest) rules \(Self.rulesVersion)"
    shapeName =
      upcasters.identity.isEmpty ? schema : "\(schema) upcasters \(upcasters.identity)"
    movedDomains = history.versions.flatMap { version in
      version.definition.upcasters.flatMap { step -> [String] in
        if case .move(let to) = step.operation { [step.domain, to] } else { [] }
      }
    }
  }

  /// The languages that searched texts are declared to be in, in a domain and below it.
  ///
  /// The empty domain is all of them.
  /// - Complexity: O(declared attributes), once for each domain.
  package func searchLanguages(within domain: String) -> [DeclaredLanguage] {
    let name = Array(domain.utf8)
    if let known = cache.withLock({ $0.languages[name] }) { return known }
    let languages = definition.searchLanguages(within: domain)
    cache.withLock { cache in
      if cache.languages.count < Self.effectiveCountMax { cache.languages[name] = languages }
    }
    return languages
  }

  /// The way of the events that were recorded under the version in force at a sequence.
  /// - Complexity: O(log versions), once O(steps).
  package func path(at sequence: UInt64) -> ShapePath {
    let start = node(at: sequence)
    return cache.withLock { cache in
      if let path = cache.paths[start] { return path }
      let path = ShapePath(history, from: start, to: node)
      cache.paths[start] = path
      return path
    }
  }

  /// The node under which an event was recorded.
  package func node(at sequence: UInt64) -> Int { history.node(history.version(at: sequence)) }

  /// Whether any version moves domains, so that an item may have been seen elsewhere.
  package var hasMoves: Bool { !movedDomains.isEmpty }

  /// Whether a domain is another one under some version.
  package func isMoved(_ domain: String) -> Bool {
    movedDomains.contains { DomainPath.covers($0, domain) }
  }

  /// Where a domain was seen under another node.
  package func domain(_ domain: String, from start: Int, to end: Int) -> String {
    guard start != end, hasMoves else { return domain }
    return ShapePath(history, from: start, to: end).domain(domain)
  }

  /// What is declared for a domain, by the bytes of its name; nil for no domain.
  package func effective(_ domain: [UInt8]?) -> EffectiveSchema {
    let name = domain ?? []
    if let known = cache.withLock({ $0.effective[name] }) { return known }
    let effective = definition.effective(String(decoding: name, as: UTF8.self))
    cache.withLock { cache in
      if cache.effective.count < Self.effectiveCountMax { cache.effective[name] = effective }
    }
    return effective
  }

  /// The encoded attributes that are shown of those that events made.
  /// - Throws: `.corrupt` for bytes that are no attributes.
  /// - Complexity: O(bytes); none where nothing is to be changed.
  package func shown(_ encoded: [UInt8], domain: [UInt8]?) throws(CairnError) -> [UInt8] {
    let effective = effective(domain)
    guard effective.changesShown || Self.hasHidden(encoded) else { return encoded }
    let attributes = try Attributes(encoded: encoded, encoded.indices)
    var shown: [UInt8] = []
    try effective.shown(attributes).encode(to: &shown)
    return shown
  }

  private static func hasHidden(_ encoded: [UInt8]) -> Bool {
    var cursor = AttributeCursor(encoded, encoded.indices)
    while let (key, _) = cursor.next() {
      if HiddenAttribute.isHidden(encoded, key) { return true }
    }
    return false
  }
}
