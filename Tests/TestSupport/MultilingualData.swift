/// Texts and names in many scripts, with what their queries find (`cjk-multilingual`).
package enum MultilingualData {
  package struct Document: Decodable {
    package var id: String
    package var title: String
    package var text: String?
  }

  package struct Question: Decodable {
    package var kind: String
    package var q: String
    package var hits: Int?
    package var ids: [String]
  }

  package struct Name: Decodable {
    package var q_plain: String
    package var q_accented: String
    package var q_accented_nfd: String
    package var q_upper: String
    package var hits: Int
    package var ids: [String]
  }

  package static var isPresent: Bool { SharedData.has("cjk-multilingual") }

  package static func documents(_ set: String) throws -> [Document] {
    try rows("\(set).docs", as: Document.self)
  }

  package static func questions(_ set: String) throws -> [Question] {
    try rows("\(set).queries", as: Question.self)
  }

  /// The names of countries in every language.
  package static func names() throws -> [Document] {
    try rows("names-iso_3166-1", as: Document.self)
  }

  /// Names to be found, each in four forms.
  package static func askedNames() throws -> [Name] {
    try rows("names-iso_3166-1.queries", as: Name.self)
  }

  private static func rows<Row: Decodable>(_ name: String, as type: Row.Type) throws -> [Row] {
    try SharedData.rows("cjk-multilingual/\(name).jsonl", as: type)
  }
}
