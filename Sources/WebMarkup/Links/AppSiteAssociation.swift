/// An `apple-app-site-association` file: which app opens which URLs of a host.
///
/// Format: Apple's "Supporting associated domains", both forms.
package struct AppSiteAssociation: Sendable {
  /// More bytes than these Apple's systems do not read.
  package static let byteCountMax = 128 << 10

  package struct Malformed: Error {
    /// What is wrong and where.
    package let message: String
  }

  fileprivate enum Form: String { case components, paths }

  private struct Entry {
    let appIDs: [String]
    let form: Form
    let rules: [LinkRule]
  }

  private let entries: [Entry]
  /// What the file has that does nothing.
  let warnings: [String]

  /// Reads a file.
  /// - Throws: ``Malformed`` for what is no such file.
  package init(_ bytes: [UInt8]) throws(Malformed) {
    guard bytes.count <= Self.byteCountMax else {
      throw Malformed(message: "is larger than \(Self.byteCountMax) bytes")
    }
    guard EncodingSniffer.isUTF8(bytes[...]) else { throw Malformed(message: "is not UTF-8") }
    let root: JSON
    do { root = try JSONReader.strict(bytes) } catch {
      throw Malformed(message: error.described(in: bytes))
    }
    guard case .object = root else { throw Malformed(message: "is no JSON object") }
    var warnings: [String] = []
    var entries: [Entry] = []
    let links = root["applinks"] ?? .null
    let variables = Self.variables(links["substitutionVariables"])
    var room = LinkPattern.partCountMax
    for (detail, ids) in Self.details(links["details"] ?? .null) {
      let entry = Self.entry(detail, ids, links, variables, &room, &warnings)
      entries.append(entry)
    }
    self.entries = entries
    self.warnings = warnings
  }

  private static func variables(_ value: JSON?) -> [String: [String]] {
    guard case .object(let members) = value else { return [:] }
    var result: [String: [String]] = [:]
    for member in members.list { result[member.key] = member.value.elements.compactMap(\.string) }
    return result
  }

  /// The entries, and the app's id where the old form has it as their key.
  private static func details(_ value: JSON) -> [(JSON, [String]?)] {
    switch value {
    case .array(let values): values.map { ($0, nil) }
    case .object(let members): members.list.map { ($0.value, [$0.key]) }
    default: []
    }
  }

  private static func entry(
    _ detail: JSON, _ key: [String]?, _ links: JSON, _ variables: [String: [String]],
    _ room: inout Int, _ warnings: inout [String]
  ) -> Entry {
    let given =
      key ?? detail["appIDs"]?.elements.compactMap(\.string)
      ?? detail["appID"]?.elements.compactMap(\.string) ?? []
    let ids = given.map(\.strippedSpace)
    if ids != given { warnings.append("an app's id has spaces around it") }
    if ids.isEmpty { warnings.append("an entry has no appIDs; it opens nothing") }
    var rules: [LinkRule] = []
    var form = Form.paths
    if let components = detail["components"], components != .null {
      form = .components
      let defaults = [detail["defaults"], links["defaults"]].compactMap { $0 }
      for rule in components.elements {
        rules.append(LinkRule(rule, defaults: defaults, variables: variables, room: &room))
      }
    } else {
      for path in detail["paths"]?.elements ?? [] {
        rules.append(LinkRule(path: path.string ?? "", variables: variables, room: &room))
      }
    }
    warnings += rules.flatMap(\.warnings)
    return Entry(appIDs: ids, form: form, rules: rules)
  }

  /// What happens to a URL, and by which rule.
  package struct Verdict: Sendable {
    /// The URL as the standard writes it.
    let url: String
    package var opensApp = false
    package var appIDs: [String] = []
    fileprivate var form: Form?
    /// The entry that decided, from 0.
    package var detail: Int?
    /// The rule of it that decided, from 0.
    package var rule: Int?
    /// The rule as it was written.
    package var pattern: String?
    package var isExcluded = false
    /// What the file has that does nothing.
    package var warnings: [String] = []
  }

  /// Decides on a URL; grows with the number of rules.
  package func verdict(_ url: WebURL) -> Verdict {
    var refusal: Verdict?
    var texts = LinkTexts()
    let none = Verdict(url: url.description, warnings: warnings)
    guard url.isHTTP else { return none }
    for (index, entry) in entries.enumerated() where !entry.appIDs.isEmpty {
      for (place, rule) in entry.rules.enumerated() where rule.matches(url, &texts) {
        var verdict = none
        verdict.form = entry.form
        (verdict.detail, verdict.rule, verdict.pattern) = (index, place, rule.pattern)
        if rule.excludes {
          verdict.isExcluded = true
          refusal = refusal ?? verdict
          break
        }
        verdict.opensApp = true
        verdict.appIDs = entry.appIDs
        return verdict
      }
    }
    return refusal ?? none
  }

  /// The deep link that a page's own URL is, where an app opens it.
  func universalLink(_ url: WebURL?) -> DeepLink? {
    // A longer one names no item.
    guard let url, url.description.utf8.count <= HTMLLimits.urlBytes else { return nil }
    let verdict = verdict(url)
    guard verdict.opensApp else { return nil }
    return DeepLink(kind: .universalLink, url: url.description, appID: verdict.appIDs.first)
  }
}

extension AppSiteAssociation.Verdict {
  /// As `cairn weblink check` shows it.
  package var json: JSON {
    .members([
      "url": .string(url), "opens": .string(opensApp ? "app" : "site"), "appIDs": .texts(appIDs),
      "form": .text(form?.rawValue), "detail": detail.map { .integer($0) } ?? .null,
      "rule": rule.map { .integer($0) } ?? .null, "pattern": .text(pattern),
      "excluded": .bool(isExcluded), "warnings": .texts(warnings),
    ])
  }
}
