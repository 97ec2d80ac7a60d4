/// The part of a JSON-LD context (JSON-LD 1.1, section 4.1) that pages write into themselves.
///
/// Contexts elsewhere are never fetched: schema.org's is known, others are ignored.
struct JSONLDContext {
  /// What a context says of a term.
  struct Term {
    /// What it stands for; nil where the vocabulary says that.
    var iri: String?
    /// What its values are: `@id` for ids, `@vocab` for terms or ids, `@json` for JSON as it
    /// stands; all else is taken as it is written.
    var type: String?
    /// Whether its values have the property, and not who names them.
    var isInverse = false
    /// What its values are listed by: `@id`, `@index`, `@language` or `@type`; nil for nothing.
    var key: String?
    /// The property that has what values are listed by, where an index is one.
    var index: String?
    /// Whether it stands for the beginning of IRIs, too.
    var isPrefix = false
    /// What holds in its values, or in things of this type.
    var context: JSON?
  }

  private var vocabulary: String?
  private var terms: [String: Term] = [:]
  /// What relative ids are relative to.
  private(set) var base: WebURL?

  /// What a term ends with that is a prefix without saying so (JSON-LD 1.1, section 4.1.5): others
  /// have the names of schemes, as `tel`.
  private static let prefixEnds = Array(":/?#[]@".utf8)

  /// What a term stands for that a context takes out: no keyword that is read.
  private static let nothing = "@null"

  /// Whether there were more terms, or longer IRIs, than are taken.
  private(set) var isFull = false

  init(base: WebURL?) { self.base = base }

  /// Whether there was a term with a context of its own.
  private(set) var hasInner = false

  var count: Int { terms.count }

  /// This context with another inside, of a page whose URLs are relative to `pageBase`.
  func adding(_ context: JSON, _ pageBase: WebURL?) -> JSONLDContext {
    var result = self
    for part in context.elements {
      switch part {
      case .null: result = JSONLDContext(base: pageBase)
      case .string(let url): result.take(url, pageBase)
      case .object(let members):
        if let url = members["@import"]?.string { result.take(url, pageBase) }
        result.define(members)
      default: break
      }
    }
    return result
  }

  /// Takes over the context at a URL, if that is the one that is known.
  private mutating func take(_ url: String, _ pageBase: WebURL?) {
    let host = WebURL(url, base: pageBase)?.host
    guard host == "schema.org" || host == "www.schema.org" else { return }
    vocabulary = "http://schema.org/"
    // The context of schema.org has two names for keywords, and one for itself.
    terms["id"] = Term(iri: "@id")
    terms["type"] = Term(iri: "@type")
    terms["schema"] = Term(iri: "http://schema.org/", isPrefix: true)
  }

  private mutating func define(_ members: JSON.Members) {
    if let value = members["@vocab"] {
      var name: String?
      if let text = value.string {
        let (head, tail) = parts(of: text)
        let whole: String = head + tail
        if isShort(whole) { name = whole }
      }
      vocabulary = name
    }
    if let value = members["@base"] { setBase(value) }
    for (key, value) in members.list where !key.hasPrefix("@") && isShort(key) {
      guard terms.count < HTMLLimits.names || terms[key] != nil else {
        isFull = true
        return
      }
      // A definition takes the place of an earlier one.
      let term = made(of: value)
      terms[key] = term
      hasInner = hasInner || term.context != nil
    }
  }

  private mutating func setBase(_ value: JSON) {
    guard let text = value.string else {
      base = nil
      return
    }
    guard let url = WebURL(text, base: base), isShort(url.description, HTMLLimits.urlBytes) else {
      return
    }
    base = url
  }

  private mutating func made(of value: JSON) -> Term {
    let inverse = value["@reverse"]?.string
    var term = Term(isInverse: inverse != nil, context: value["@context"])
    if value == .null || value["@id"] == JSON.null { term.iri = Self.nothing }
    if let iri = value.string ?? value["@id"]?.string ?? inverse {
      term.iri = isShort(iri) ? iri : Self.nothing
    }
    term.isPrefix =
      value["@prefix"].map { $0 == .bool(true) }
      ?? value.string?.utf8.last.map { Self.prefixEnds.contains($0) } ?? false
    term.type = value["@type"]?.string
    let containers = value["@container"]?.elements.compactMap(\.string) ?? []
    term.key = containers.first { ["@id", "@index", "@language", "@type"].contains($0) }
    // Graphs have these ids, and not what is in them.
    if term.key == "@id", containers.contains("@graph") { term.key = "@index" }
    if term.key == "@index", !containers.contains("@graph") {
      term.index = value["@index"]?.string
    }
    return term
  }

  /// Whether a name is taken: it is read again for each key that it stands for.
  private mutating func isShort(_ name: String, _ limit: Int = nameByteCountMax) -> Bool {
    if name.utf8.count > limit { isFull = true }
    return name.utf8.count <= limit
  }

  private static let nameByteCountMax = 512

  /// What is said of a term; nil for nothing.
  func term(_ key: String) -> Term? {
    key.utf8.count <= Self.nameByteCountMax ? terms[key] : nil
  }

  /// The keyword that a key means; nil for a property.
  func keyword(_ key: String) -> String? {
    let (head, tail) = parts(of: key)
    return head.isEmpty && tail.hasPrefix("@") ? String(tail) : nil
  }

  /// The keyword or property that a key means, in two parts: what a context puts before it, and
  /// the rest.
  func parts(of key: String) -> (head: String, tail: Substring) {
    var key = key
    // A term may stand for another term; a ring of them ends with what it comes back to.
    for _ in 0..<4 {
      guard let target = term(key)?.iri, target != key else { break }
      key = target
    }
    if key.hasPrefix("@") { return ("", key[...]) }
    return key.utf8.contains(0x3a) ? prefixed(key) : (vocabulary ?? "", key[...])
  }

  /// An id in two parts: what its prefix stands for, and the rest.
  func prefixed(_ id: String) -> (head: String, tail: Substring) {
    if let colon = id.utf8.firstIndex(of: 0x3a), let term = term(String(id[..<colon])),
      term.isPrefix, let iri = term.iri
    {
      let rest = id[id.utf8.index(after: colon)...]
      if !rest.hasPrefix("//") { return (iri, rest) }
    }
    return ("", id[...])
  }
}
