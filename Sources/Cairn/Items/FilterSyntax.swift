import Query

/// The query language of filters.
public enum FilterSyntax {
  /// Checks that a text is one whole expression of the query language.
  /// - Throws: `badQuery` naming the place in the text.
  public static func check(_ text: String) throws(CairnError) { _ = try parsed(text) }

  /// The attributes that Core Spotlight knows by name, with their type in plain words.
  ///
  /// In the order of its documentation; items may have others.
  public static var attributes: [(name: String, type: String)] {
    AttributeCatalogue.all.map { ($0.name, typeName($0.type)) }
  }

  /// The names that an expression asks for and Core Spotlight does not know, each once.
  /// - Throws: `badQuery` naming the place in the text.
  public static func customNames(in text: String) throws(CairnError) -> [String] {
    var names: [String] = []
    _ = try parsed(text).naming { name in
      if AttributeCatalogue.attribute(named: name) == nil, !names.contains(name) {
        names.append(name)
      }
      return name
    }
    return names
  }

  /// The name under which Core Spotlight keeps the attribute that a name in a query means.
  package static func attributeName(_ name: String) -> String {
    AttributeCatalogue.attribute(named: name)?.name ?? name
  }

  private static func parsed(_ text: String) throws(CairnError) -> Expression {
    do { return try QueryParser.parse(text) } catch { throw Filter.placed(error) }
  }

  private static func typeName(_ type: Attribute.ValueType) -> String {
    switch type {
    case .string, .contentType: "text"
    case .strings: "texts"
    case .number: "number"
    case .flag: "true or false"
    case .date: "time"
    case .dates: "times"
    case .url: "URL"
    case .data: "bytes"
    case .persons: "persons"
    case .headers: "mail headers"
    }
  }
}

extension Moment {
  /// The attributes that a filter asks for, that neither Core Spotlight nor the schema knows, and
  /// that no item here has.
  /// - Throws: `badQuery`, `corrupt`.
  /// - Complexity: O(items) for each name that nobody knows.
  /// - Note: Blocks the calling thread.
  public func unusedNames(in filter: String) throws(CairnError) -> [String] {
    var unused: [String] = []
    let schema = try store.schemas.history(of: store.log).definition
    for name in try FilterSyntax.customNames(in: filter)
    where schema.declarations(of: schema.attribute(meantBy: name)).isEmpty {
      var isUsed = false
      try forEachItem(filter: "\(name) == *") { _ in
        isUsed = true
        return false
      }
      if !isUsed { unused.append(name) }
    }
    return unused
  }
}
