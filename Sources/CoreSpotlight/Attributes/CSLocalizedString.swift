/// A text in several languages.
///
/// On Linux it is no string itself, since `NSString` cannot be subclassed there: assign
/// `localizedString()`, or set it as the value of a custom key.
open class CSLocalizedString: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe to share: nothing changes.
  private let texts: [String: String]

  /// Makes a text from its forms by language code.
  public init(localizedStrings: [AnyHashable: Any]) {
    var texts: [String: String] = [:]
    for (language, text) in localizedStrings {
      if let language = language as? String, let text = text as? String { texts[language] = text }
    }
    self.texts = texts
    super.init()
  }

  /// The form for the person's language; else the English one, else the first by code.
  ///
  /// The language is that of the environment: `LC_ALL`, else `LC_MESSAGES`, else `LANG`.
  open func localizedString() -> String {
    Self.choose(from: texts, for: Self.language(in: ProcessInfo.processInfo.environment))
  }

  /// What the environment says, since the locale of Linux's Foundation is the same everywhere.
  static func language(in environment: [String: String]) -> String {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return String(locale.prefix { $0 != "." && $0 != "@" })
  }

  static func choose(from texts: [String: String], for code: String) -> String {
    let codes = texts.keys.sorted()
    // A region tells the script: whoever reads zh-CN reads zh-Hans.
    for wanted in [code, Locale.Language(identifier: code).maximalIdentifier] {
      var parts = wanted.split { $0 == "-" || $0 == "_" }
      while !parts.isEmpty {
        let found = codes.first { $0.split { $0 == "-" || $0 == "_" } == parts }
        if let found { return texts[found] ?? "" }
        parts.removeLast()
      }
    }
    return texts["en"] ?? codes.first.flatMap { texts[$0] } ?? ""
  }

  /// The form for the person's language.
  open override var description: String { localizedString() }

  /// The same text.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes all forms.
  open func encode(with coder: NSCoder) {
    let data = try? JSONSerialization.data(withJSONObject: texts)
    coder.encode((data ?? Data()) as NSData, forKey: "texts")
  }

  /// Reads what `encode(with:)` wrote.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "texts"),
      let texts = try? JSONSerialization.jsonObject(with: Data(referencing: data))
        as? [String: String]
    else { return nil }
    self.texts = texts
    super.init()
  }
}
