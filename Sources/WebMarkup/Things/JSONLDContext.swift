/// The part of a JSON-LD context (JSON-LD 1.1, section 4.1) that pages write into themselves.
///
/// Contexts elsewhere are never fetched: schema.org's is known, others are ignored.
struct JSONLDContext {
  private var vocabulary: String?
  private var terms: [String: String] = [:]
  /// Terms whose texts are ids.
  private var references: Set<String> = []
  /// Terms whose values have the property, and not who names them.
  private var inversions: Set<String> = []

  /// What a term stands for that a context takes out: no keyword that is read.
  private static let nothing = "@null"

  /// Whether there were more terms, or longer IRIs, than are taken.
  private(set) var isFull = false

  /// This context with another inside.
  func adding(_ context: JSON) -> JSONLDContext {
    var result = self
    for part in context.elements {
      switch part {
      case .null: result = JSONLDContext()
      case .string(let url):
        if Thing.term(url.hasSuffix("/") ? url + "x" : url + "/x") == "x" {
          result.vocabulary = "http://schema.org/"
        }
      case .object(let members): result.define(members)
      default: break
      }
    }
    return result
  }

  private mutating func define(_ members: JSON.Members) {
    if let value = members["@vocab"] {
      var name: String?
      if let text = value.string {
        let (head, tail) = parts(of: text)
        let whole: String = head + tail
        if isShort(whole.utf8.count) { name = whole }
      }
      vocabulary = name
    }
    for (key, value) in members.list where !key.hasPrefix("@") {
      guard terms.count < HTMLLimits.names || terms[key] != nil else {
        isFull = true
        return
      }
      // A definition takes the place of an earlier one.
      references.remove(key)
      inversions.remove(key)
      let inverse = value["@reverse"]?.string
      if value == .null { terms[key] = Self.nothing }
      if let iri = value.string ?? value["@id"]?.string ?? inverse {
        let kept = isShort(iri.utf8.count) ? iri : Self.nothing
        terms[key] = kept
      }
      if value["@type"]?.string == "@id" { references.insert(key) }
      if inverse != nil { inversions.insert(key) }
    }
  }

  /// Whether an IRI of so many bytes is taken: what is named by it is as long each time.
  private mutating func isShort(_ byteCount: Int) -> Bool {
    if byteCount > HTMLLimits.urlBytes { isFull = true }
    return byteCount <= HTMLLimits.urlBytes
  }

  func isReference(_ key: String) -> Bool { references.contains(key) }

  func isInverse(_ key: String) -> Bool { inversions.contains(key) }

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
    for _ in 0..<8 {
      guard let target = terms[key], target != key else { break }
      key = target
    }
    if key.hasPrefix("@") { return ("", key[...]) }
    if let colon = key.utf8.firstIndex(of: 0x3a) {
      let prefix = String(key[..<colon])
      let rest = key[key.utf8.index(after: colon)...]
      if !rest.hasPrefix("//"), let iri = terms[prefix], iri != Self.nothing { return (iri, rest) }
      return ("", key[...])
    }
    return (vocabulary ?? "", key[...])
  }
}
